"""Bringing an index up to date before it is asked; written once, for every operation."""

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import Literal

from code_indexer.core.services import Services
from code_indexer.errors import IndexBusyError, ProjectNotFoundError, StateError
from code_indexer.indexing.identity import LAST_SCAN, is_structure_of
from code_indexer.indexing.progress import ReportProgress, report_nothing
from code_indexer.indexing.staleness import anything_touched, is_within_ttl
from code_indexer.storage.locks import exclusive_lock, lock_is_held
from code_indexer.types import IndexReport, Project

_PROBE_FILES = 5000
"""Up to so many files a look at each file's times is made even within the TTL."""
_POLL_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Freshness:
    """How far a project's index can be trusted now."""

    state: Literal["fresh", "indexing", "partial", "unchecked", "missing"]
    report: IndexReport | None = None
    """The pass that was run, if one was."""
    warning: str | None = None


def ensure_fresh(
    services: Services,
    project: Project,
    *,
    skip: bool = False,
    max_wait: float | None = None,
    progress: ReportProgress = report_nothing,
) -> Freshness:
    """Bring the project's index up to date, unless that is not needed or not possible.

    Args:
        services: What to work with.
        project: Whose index.
        skip: Do not look at the files at all.
        max_wait: Seconds after which the pass goes on in a detached process; None: to its end.
        progress: Told what the pass does.
    """
    if is_root_gone(project.root):
        return Freshness(
            "missing",
            warning=f"the folder is gone or empty: {project.root}; the index is kept as it was",
        )
    # Without any scan there is nothing to answer from, so there is nothing to skip.
    is_indexed = services.last_scan_ns(project) is not None
    if is_indexed and (skip or _is_believed(services, project)):
        return Freshness("unchecked")
    if lock_is_held(services.lock_path(project)):
        return Freshness("indexing", warning=f"indexing in progress: {project.root}")
    from code_indexer.indexing.index_pass import LargePassError

    try:
        only_small = max_wait is not None
        report = run_pass(services, project, only_small=only_small, progress=progress)
    except LargePassError:
        return _within(services, project, max_wait or 0.0)
    except IndexBusyError:
        return Freshness("indexing", warning=f"indexing in progress: {project.root}")
    except StateError as error:
        hint = f" ({error.hint})" if error.hint else ""
        return Freshness(
            "partial", warning=f"the index could not be brought up to date: {error}{hint}"
        )
    return Freshness("fresh", report=report)


def is_root_gone(root: str) -> bool:
    """Whether the folder is missing, unreadable or empty: no reason to forget its files."""
    try:
        with os.scandir(root) as entries:
            return next(entries, None) is None
    except OSError:
        return True


def run_pass(
    services: Services,
    project: Project,
    *,
    only_small: bool = False,
    progress: ReportProgress = report_nothing,
) -> IndexReport:
    """One index pass under the project's lock.

    Raises:
        IndexBusyError: Another process is at it.
        LargePassError: *only_small* was wanted, and there is much to do.
        ProjectNotFoundError: The project was removed by another process.
    """
    with exclusive_lock(services.lock_path(project), info={"pid": os.getpid()}):
        if services.registry.by_slug(project.slug) is None:
            raise ProjectNotFoundError(
                f"{project.root} was removed meanwhile",
                hint=f"Register it again with: code-indexer add-project {project.root}",
            )
        return run_locked_pass(services, project, only_small=only_small, progress=progress)


def run_locked_pass(
    services: Services,
    project: Project,
    *,
    only_small: bool = False,
    progress: ReportProgress = report_nothing,
) -> IndexReport:
    """One index pass; the caller holds the project's lock."""
    from code_indexer.indexing.index_pass import PassOptions, run_index_pass
    from code_indexer.indexing.vectors import InlineVectors

    options = PassOptions(
        root=project.root,
        rules=services.discovery_rules(),
        workers=services.settings.workers or os.cpu_count() or 1,
        min_free_disk=services.settings.min_free_disk,
        only_small=only_small,
    )
    vectors = InlineVectors(services.embedder())
    return run_index_pass(services.manifest(project), vectors, options, progress)


def start_detached_pass(services: Services, project: Project) -> None:
    """A process of its own that brings the project up to date and ends."""
    services.settings.index_root.mkdir(mode=0o700, parents=True, exist_ok=True)
    log = services.settings.index_root / "background.log"
    with log.open("ab") as output:
        log.chmod(0o600)
        subprocess.Popen(
            [
                *(sys.executable, "-P", "-m", "code_indexer"),
                *("--index-root", str(services.settings.index_root)),
                *("index-in-background", project.slug),
            ],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            cwd="/",
        )


def _is_believed(services: Services, project: Project) -> bool:
    """Whether the index may answer without a scan."""
    manifest = services.manifest(project)
    meta = manifest.meta()
    last_scan = int(meta.get(LAST_SCAN, 0))
    if not is_within_ttl(last_scan, services.now_ns(), services.settings.stale_ttl):
        return False
    if not is_structure_of(meta) or manifest.read_pass().state != "idle":
        return False
    paths = manifest.paths(_PROBE_FILES + 1)
    return len(paths) > _PROBE_FILES or not anything_touched(project.root, paths, last_scan)


def _within(services: Services, project: Project, max_wait: float) -> Freshness:
    """A detached pass, waited for no longer than *max_wait* seconds."""
    before = services.last_scan_ns(project)
    start_detached_pass(services, project)
    deadline = time.monotonic() + max_wait
    while time.monotonic() < deadline:
        time.sleep(_POLL_SECONDS)
        if services.last_scan_ns(project) != before:
            return Freshness("fresh")
    return Freshness("partial", warning=f"indexing in progress: {project.root}")
