"""Collections of removed projects: deleted with them, or later where the server is away then."""

import json
from contextlib import suppress
from pathlib import Path

from code_indexer.core.services import Services
from code_indexer.errors import IndexCorruptError, ServiceUnavailableError, StateError
from code_indexer.storage.rows import META_COLLECTION, META_OWNER
from code_indexer.types import Project

_SUFFIX = ".collection"


def delete_collection(services: Services, project: Project) -> str | None:
    """Delete the project's collection on the Qdrant server, or note it to be deleted later.

    Returns:
        Why it stays, for people; None where it is gone, or there was none.
    """
    meta = _meta(services, project)
    has_collection = meta is None or META_COLLECTION in meta
    if not services.engines.stores_on_server and not has_collection:
        return None
    # Without a manifest that can be read, the record on the server tells what is the project's.
    written = meta.get(META_OWNER) if meta is not None else None
    roots = [project.root, *(json.loads(written)[:1] if written else ())]
    note = services.settings.index_root / f"{project.slug}{_SUFFIX}"
    why = "QDRANT_URL is not set"
    if services.engines.stores_on_server:
        try:
            _delete(services, project.collection, roots)
        except ServiceUnavailableError as error:
            if not has_collection:
                return None
            why = error.message
        else:
            note.unlink(missing_ok=True)
            return None
    left = {"collection": project.collection, "roots": roots}
    note.write_text(json.dumps(left), encoding="ascii")
    return (
        f"its collection {project.collection} stays on the Qdrant server, until the next pass of"
        f" any project that finds the server: {why}"
    )


def delete_left_collections(services: Services) -> None:
    """Delete what removals have left on the Qdrant server, if it answers now."""
    if not services.engines.stores_on_server:
        return
    for note in services.settings.index_root.glob(f"*{_SUFFIX}"):
        with suppress(ServiceUnavailableError, OSError, ValueError, KeyError, TypeError):
            _delete_left(services, note)


def _delete_left(services: Services, note: Path) -> None:
    left = json.loads(note.read_text(encoding="ascii"))
    collection, roots = str(left["collection"]), [str(root) for root in left["roots"]]
    # The folder may have been added again: what is left then is in use.
    added = [services.registry.by_path(root) for root in roots]
    if all(record is None or record.project.collection != collection for record in added):
        _delete(services, collection, roots)
    note.unlink(missing_ok=True)


def _delete(services: Services, collection: str, roots: list[str]) -> None:
    from code_indexer.storage.qdrant_collection import Collections
    from code_indexer.storage.qdrant_in_use import remove_collections
    from code_indexer.storage.qdrant_points import path_key

    collections = Collections(services.engines.qdrant_server())
    remove_collections(collections, collection, {path_key(root) for root in roots})


def _meta(services: Services, project: Project) -> dict[str, str] | None:
    """What the manifest knows of its collection; None where it cannot be read."""
    with suppress(IndexCorruptError, StateError):
        return services.manifest(project).meta()
    return None
