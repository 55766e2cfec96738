"""Bringing an index up to date before it is asked; written once, for every operation."""

import json
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from code_indexer.core.background import (
    PassMoment,
    pass_moment,
    start_detached_pass,
    wait_for_pass,
)
from code_indexer.core.passes import run_pass
from code_indexer.core.roots import holds_more_files
from code_indexer.core.services import Services
from code_indexer.discovery.folders import CODEINDEXIGNORE, GITIGNORE
from code_indexer.discovery.outside import look_outside
from code_indexer.discovery.presence import is_forsaken
from code_indexer.discovery.reasons import is_told_by_content
from code_indexer.errors import (
    CollectionTakenError,
    IndexBusyError,
    InvalidSettingError,
    ModelChangedError,
    ServiceUnavailableError,
    StateError,
    UnsuitableRootError,
)
from code_indexer.indexing.identity import is_structure_of
from code_indexer.indexing.index_size import INDEX_FULL
from code_indexer.indexing.notes import (
    EMPTY_FOLDERS,
    LAST_SCAN,
    OUTSIDE_RULES,
    QUERY_UNANSWERED,
    SERVICE_DOWN,
)
from code_indexer.indexing.progress import ReportProgress, report_nothing
from code_indexer.indexing.staleness import anything_touched, is_later, is_within_ttl
from code_indexer.storage.locks import lock_info, lock_is_held
from code_indexer.storage.manifest import Manifest
from code_indexer.types import IndexReport, Project, SkippedFile

_PROBE_FILES = 20_000
"""Up to so many files a look at each file's times is made even within the TTL."""
_SCANNED_HERE = 200_000
"""Projects of more files are scanned by a detached process, where waiting has a limit."""
_FIRST_SCANNED_HERE = 2_000
_POLL_SECONDS = 0.02
_MAX_UNKNOWN = 10
_DOWN_SECONDS = 30.0
_PATIENCE_SECONDS = 5.0
"""How long a first pass of another process may stand still, while it is waited for."""


@dataclass(frozen=True, slots=True)
class Freshness:
    """How far a project's index can be trusted now."""

    state: Literal["fresh", "indexing", "partial", "unchecked", "missing"]
    report: IndexReport | None = None
    """The pass that was run, if one was."""
    warning: str | None = None
    is_down: bool = False
    """A server did not answer."""
    percent: int | None = None
    """How much of the files the index holds as they are, while a pass is not done; if known."""


def ensure_fresh(
    services: Services,
    project: Project,
    *,
    skip: bool = False,
    max_wait: float | None = None,
    waits_for_others: bool = True,
    progress: ReportProgress = report_nothing,
) -> Freshness:
    """Bring the project's index up to date, unless that is not needed or not possible.

    Args:
        services: What to work with.
        project: Whose index.
        skip: Do not look at the files at all.
        max_wait: Seconds after which the pass goes on in a detached process; None: to its end.
            Nobody waits for a pass of another process, unless it is the project's first.
        waits_for_others: Wait for that one; otherwise say how far it is.
        progress: Told what the pass does.
    """
    if is_root_gone(project.root):
        return Freshness(
            "missing",
            warning=f"the folder is gone or empty: {project.root}; the index is kept as it was"
            " (where it was moved: code-indexer move-project OLD NEW; where it was deleted:"
            " code-indexer remove-project)",
        )
    deadline = None if max_wait is None else time.monotonic() + max_wait
    while True:
        # Without any scan there is nothing to answer from, so there is nothing to skip.
        is_indexed = services.last_scan_ns(project) is not None
        if is_indexed and (skip or _is_believed(services, project)):
            return Freshness("unchecked")
        if lock_is_held(services.lock_path(project)):
            if deadline is None and (is_indexed or not waits_for_others):
                return _as_it_is(services, project)
            freshness = _elsewhere(services, project, deadline, progress)
            if freshness is None:
                continue
            return freshness
        try:
            return _refresh(services, project, deadline, progress)
        except IndexBusyError:
            is_time_up = deadline is not None and time.monotonic() >= deadline
            if is_time_up or not lock_is_held(services.lock_path(project)):
                return _as_it_is(services, project)


def is_root_gone(root: str) -> bool:
    """Whether the folder is missing, unreadable or empty: no reason to forget its files."""
    return is_forsaken(Path(root))


def doubt_vectors(services: Services, project: Project, why: str) -> None:
    """Have the next query run a pass, for a search has found that vectors are missing."""
    with suppress(StateError, IndexBusyError):
        services.manifest(project).set_meta({SERVICE_DOWN: f"0 {why}"})


def note_unanswered(services: Services, project: Project) -> None:
    """Have the next queries wait less for an embedder that did not answer this one."""
    with suppress(StateError, IndexBusyError):
        services.manifest(project).set_meta({QUERY_UNANSWERED: str(services.now_ns())})


def _is_known_down(services: Services, manifest: Manifest) -> bool:
    """Whether a server did not answer a moment ago: not every query waits for it again."""
    noted = manifest.meta().get(SERVICE_DOWN)
    if noted is None:
        return False
    return is_within_ttl(int(noted.split(" ", 1)[0]), services.now_ns(), _DOWN_SECONDS)


def _refresh(
    services: Services, project: Project, deadline: float | None, progress: ReportProgress
) -> Freshness:
    """A pass: here, or in a detached process where waiting has a limit and there is much to do."""
    from code_indexer.indexing.index_pass import LargePassError

    try:
        if deadline is not None and _is_large(services, project):
            return _within(services, project, deadline, progress)
        report = run_pass(
            services,
            project,
            only_small=deadline is not None,
            only_structure=_is_known_down(services, services.manifest(project)),
            progress=progress,
        )
    except LargePassError:
        return _within(services, project, deadline or 0.0, progress)
    except (StateError, InvalidSettingError, UnsuitableRootError) as error:
        if _holds_nothing(services, project):
            raise
        hint = f" ({error.hint})" if error.hint else ""
        return Freshness("partial", warning=_not_updated(f"{error}{hint}"))
    except (ServiceUnavailableError, ModelChangedError, CollectionTakenError) as error:
        hint = f" ({error.hint})" if error.hint else ""
        is_down = isinstance(error, ServiceUnavailableError)
        return Freshness("partial", warning=f"{error.message}{hint}", is_down=is_down)
    noted = services.manifest(project).meta().get(SERVICE_DOWN)
    if noted is not None:
        return Freshness("partial", report, warning=noted.split(" ", 1)[1], is_down=True)
    return Freshness("fresh", report=report)


def _holds_nothing(services: Services, project: Project) -> bool:
    """Whether there is nothing to answer from, not even what an interrupted pass left."""
    has_scan = services.last_scan_ns(project) is not None
    return not has_scan and services.manifest(project).file_count() == 0


def _elsewhere(
    services: Services, project: Project, deadline: float | None, progress: ReportProgress
) -> Freshness | None:
    """What there is while somebody else indexes the project; None: that is over, look again.

    Only a project's first pass is worth waiting for, as there is nothing to answer from.
    """
    if deadline is not None and _was_released_by_thread(services, project, deadline):
        return None
    if services.last_scan_ns(project) is not None:
        return _as_it_is(services, project)
    if deadline is None:
        return _gone_on_with(services, project, progress)
    is_done = wait_for_pass(
        services, project, before=None, deadline=deadline, only_if_in_time=True, progress=progress
    )
    if is_done:
        return Freshness("fresh")
    if lock_is_held(services.lock_path(project)) or time.monotonic() >= deadline:
        return _unfinished(services, project)
    return None


def _gone_on_with(
    services: Services, project: Project, progress: ReportProgress
) -> Freshness | None:
    """What there is when somebody else's first pass has ended, or does not get on any more."""
    path = services.lock_path(project)
    seen = None
    while lock_is_held(path):
        moment = pass_moment(services, project)
        if (moment.phase, moment.done) == seen:
            return _as_it_is(services, project)
        seen = (moment.phase, moment.done)
        deadline = time.monotonic() + _PATIENCE_SECONDS
        if wait_for_pass(services, project, before=None, deadline=deadline, progress=progress):
            return Freshness("fresh")
    return None


def _was_released_by_thread(services: Services, project: Project, deadline: float) -> bool:
    """Whether another thread of this process held the lock, and has released it in time.

    Such a thread runs a small pass, which may have begun before the caller's question.
    """
    path = services.lock_path(project)
    unknown = 0
    while time.monotonic() < deadline:
        if not lock_is_held(path):
            return True
        holder = lock_info(path).get("pid")
        unknown += holder is None  # it is about to write its name
        if holder not in (None, os.getpid()) or unknown > _MAX_UNKNOWN:
            return False
        time.sleep(_POLL_SECONDS)
    return False


def _is_believed(services: Services, project: Project) -> bool:
    """Whether the index may answer without a scan."""
    manifest = services.manifest(project)
    meta = manifest.meta()
    last_scan = int(meta.get(LAST_SCAN, 0))
    if not is_within_ttl(last_scan, services.now_ns(), services.settings.stale_ttl):
        return False
    if not is_structure_of(meta) or manifest.read_pass().state != "idle":
        return False
    if SERVICE_DOWN in meta and not _is_known_down(services, manifest):
        return False  # the vectors that it owes are tried again
    if meta.get(INDEX_FULL) not in (None, str(services.settings.max_index_bytes)):
        return False  # what was left out may find room
    if not _has_outside_rules_of(services, project, meta):
        return False
    paths = manifest.paths(_PROBE_FILES + 1)
    if len(paths) > _PROBE_FILES:
        return True
    empty_folders = json.loads(meta.get(EMPTY_FOLDERS, "null"))
    if empty_folders is None:
        return False
    paths += empty_folders
    neighbours: list[str] = []
    for one in manifest.skipped()[:_PROBE_FILES]:
        (paths if _shows_by_itself(one) else neighbours).append(one.path)
    return not anything_touched(project.root, paths, last_scan, neighbours=neighbours)


def _has_outside_rules_of(services: Services, project: Project, meta: Mapping[str, str]) -> bool:
    """Whether the settings, and git's rules that lie outside of the tree, are as they were."""
    try:
        rules = services.discovery_rules(project)
    except InvalidSettingError:
        return False  # the pass says so
    outside = look_outside(Path(project.root), rules)
    if outside.digest != meta.get(OUTSIDE_RULES):
        return False
    return not is_later(outside.newest_ns, int(meta[LAST_SCAN]))


def _shows_by_itself(skipped: SkippedFile) -> bool:
    """Whether an edit in place of what was left out changes what is let through."""
    name = skipped.path.rpartition("/")[2]
    return name in {GITIGNORE, CODEINDEXIGNORE} or is_told_by_content(skipped)


def _is_large(services: Services, project: Project) -> bool:
    """Whether a scan of the project alone may take long."""
    known = services.manifest(project).paths(_SCANNED_HERE + 1)
    if services.last_scan_ns(project) is not None:
        return len(known) > _SCANNED_HERE
    return holds_more_files(project.root, _FIRST_SCANNED_HERE)


def _within(
    services: Services, project: Project, deadline: float, progress: ReportProgress
) -> Freshness:
    """A detached pass, waited for until *deadline*."""
    before = services.last_scan_ns(project)
    is_running = start_detached_pass(services, project)
    is_done = wait_for_pass(
        services,
        project,
        before=before,
        deadline=deadline,
        is_running=is_running,
        progress=progress,
    )
    return Freshness("fresh") if is_done else _unfinished(services, project)


def _as_it_is(services: Services, project: Project) -> Freshness:
    moment = pass_moment(services, project)
    return Freshness("indexing", warning=_in_progress(project, moment), percent=moment.file_percent)


def _unfinished(services: Services, project: Project) -> Freshness:
    """What there is to say of a pass that did not end in time, or not well."""
    moment = pass_moment(services, project)
    journal = services.manifest(project).read_pass()
    percent = moment.file_percent
    if percent is None and services.last_scan_ns(project) is None:
        percent = 0
    if journal.state == "failed" and journal.error:
        return Freshness("partial", warning=_not_updated(journal.error), percent=percent)
    return Freshness("partial", warning=_in_progress(project, moment), percent=percent)


def _in_progress(project: Project, moment: PassMoment) -> str:
    so_far = f", {moment.words}" if moment.percent is not None else ""
    return f"indexing in progress: {project.root}{so_far}"


def _not_updated(why: str) -> str:
    return f"the index could not be brought up to date: {why}"
