"""One index pass of a project: the lock it holds, the parts it works with, what a dead one left."""

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from code_indexer.core.background import DETACHED
from code_indexer.core.left_collections import delete_left_collections
from code_indexer.core.remembered import remember_project
from code_indexer.core.removal import heeding_removal
from code_indexer.core.services import Services, removed_meanwhile
from code_indexer.errors import IndexCorruptError, ServiceUnavailableError, StateError
from code_indexer.indexing.notes import LAST_SCAN, SERVICE_DOWN
from code_indexer.indexing.progress import ReportProgress, report_nothing
from code_indexer.storage.locks import exclusive_lock
from code_indexer.storage.manifest import Manifest
from code_indexer.types import IndexReport, Project

if TYPE_CHECKING:
    from code_indexer.indexing.server_vectors import StoreWishes


def run_pass(
    services: Services,
    project: Project,
    *,
    only_small: bool = False,
    only_structure: bool = False,
    wishes: "StoreWishes | None" = None,
    is_detached: bool = False,
    progress: ReportProgress = report_nothing,
) -> IndexReport:
    """One index pass under the project's lock.

    Raises:
        IndexBusyError: Another process is at it.
        LargePassError: *only_small* was wanted, and there is much to do.
        ProjectNotFoundError: The project was removed by another process, or is being removed.
    """
    with exclusive_lock(services.lock_path(project), info=holder_note(is_detached=is_detached)):
        if services.registry.by_slug(project.slug) is None:
            raise removed_meanwhile(project)
        return run_locked_pass(
            services,
            project,
            only_small=only_small,
            only_structure=only_structure,
            wishes=wishes,
            progress=progress,
        )


def holder_note(*, is_detached: bool) -> dict[str, object]:
    """What a pass leaves in the lock file while it runs."""
    return {"pid": os.getpid(), **({DETACHED: True} if is_detached else {})}


def run_locked_pass(
    services: Services,
    project: Project,
    *,
    only_small: bool = False,
    only_structure: bool = False,
    wishes: "StoreWishes | None" = None,
    progress: ReportProgress = report_nothing,
) -> IndexReport:
    """One index pass; the caller holds the project's lock.

    Raises:
        ServiceUnavailableError: A server is down; the structure is up to date all the same.
        ModelChangedError: The vectors are of another model; likewise.
        PassEndedError: The project is being removed.
    """
    from code_indexer.indexing.index_pass import PassOptions, run_index_pass

    manifest = services.manifest(project)
    _check_after_crash(manifest)
    if LAST_SCAN not in manifest.meta():
        with suppress(OSError):
            services.delete_removed(project)  # it was killed, and the project added again
    remember_project(manifest, project)
    options = PassOptions(
        root=project.root,
        rules=services.discovery_rules(project),
        workers=services.settings.workers or os.cpu_count() or 1,
        min_free_disk=services.settings.min_free_disk,
        max_index_bytes=services.settings.max_index_bytes,
        only_small=only_small,
        only_structure=only_structure,
    )
    wishes = wishes or services.store_wishes(project)
    if not options.only_structure:
        delete_left_collections(services)
    vectors = services.engines.writer(project, manifest, wishes)
    try:
        with heeding_removal(services, project, progress) as heeding:
            report = run_index_pass(manifest, vectors, options, heeding)
    except ServiceUnavailableError as error:
        with suppress(StateError):
            down = f"{services.now_ns()} {error.message}"
            manifest.set_meta({SERVICE_DOWN: down})
        raise
    if not options.only_structure:
        manifest.set_meta({SERVICE_DOWN: None})
    return report


def _check_after_crash(manifest: Manifest) -> None:
    """Look for damage where the last pass was killed; the caller holds the lock, so none runs.

    Raises:
        IndexCorruptError: There is some.
    """
    last = manifest.read_pass()
    if last.state != "indexing" or last.pid is None:
        return
    damage = manifest.integrity_check()
    if damage:
        raise IndexCorruptError(
            f"{manifest.path} is damaged ({damage[0]})",
            hint="Rebuild it with: code-indexer reindex-project",
        )
