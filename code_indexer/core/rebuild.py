"""An index built anew beside the old one, which searches keep until the new one is whole."""

from contextlib import suppress
from pathlib import Path

from code_indexer.core.passes import holder_note, run_locked_pass
from code_indexer.core.services import Services, removed_meanwhile
from code_indexer.errors import IndexCorruptError, StateError
from code_indexer.indexing.identity import embedder_key
from code_indexer.indexing.progress import ReportProgress, report_nothing
from code_indexer.storage.locks import exclusive_lock
from code_indexer.storage.manifest import Manifest
from code_indexer.storage.rows import META_COLLECTION, META_OWNER
from code_indexer.types import IndexReport, Project


def rebuild_index(
    services: Services,
    project: Project,
    *,
    is_detached: bool = False,
    progress: ReportProgress = report_nothing,
) -> IndexReport:
    """Run a pass on an empty manifest under the project's lock, then put it in its place.

    A rebuild that dies is thrown away by the next. Vectors of the same model are taken over: what
    was embedded is not embedded again.

    Raises:
        IndexBusyError: Another process is at it.
        ProjectNotFoundError: The project was removed by another process.
    """
    with exclusive_lock(services.lock_path(project), info=holder_note(is_detached=is_detached)):
        if services.registry.by_slug(project.slug) is None:
            raise removed_meanwhile(project)
        report = _replaced_by_new(services, project, progress)
        if services.engines.stores_on_server:
            store = services.engines.qdrant(project, services.manifest(project))
            store.discard_others(replaced=store.activate())
    return report


def _replaced_by_new(services: Services, project: Project, progress: ReportProgress) -> IndexReport:
    from code_indexer.indexing.server_vectors import StoreWishes
    from code_indexer.storage.database_files import delete_database, put_in_place

    target = services.manifest_path(project)
    beside = services.rebuild_path(project)
    root = Path(project.root)
    wishes = StoreWishes(beside=True, exists=lambda path: (root / path).is_file())
    services.forget_manifest(project)
    delete_database(beside)
    try:
        new = services.use_rebuild(project)
        new.set_embedder(embedder_key(services.engines.embedder(new).identity))
        new.adopt_vectors(target)
        if services.engines.stores_on_server:
            new.set_meta(_collection_known(target))
        report = run_locked_pass(services, project, wishes=wishes, progress=progress)
        services.forget_manifest(project)
        put_in_place(target, beside)
    finally:
        # One that failed must not keep filling the disk that it may have filled.
        services.forget_manifest(project)
        delete_database(beside)
    return report


def _collection_known(path: Path) -> dict[str, str | None]:
    """What the manifest at *path* knows of its collection, which a rebuild is to replace."""
    with suppress(IndexCorruptError, StateError), Manifest.open(path, read_only=True) as old:
        meta = old.meta()
        return {key: meta.get(key) for key in (META_COLLECTION, META_OWNER)}
    return {}
