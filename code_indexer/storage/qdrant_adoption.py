"""Vectors taken over from a collection that the manifest does not know: none is embedded again."""

import logging
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from code_indexer.identity import point_id, text_hash
from code_indexer.storage.embedded_vectors import quantise
from code_indexer.storage.manifest import Manifest
from code_indexer.storage.qdrant_points import PATH, STAMP, paths_of_key
from code_indexer.storage.qdrant_server import QdrantServer

_log = logging.getLogger(__name__)

_PAGE_BYTES = 4_000_000
_SAMPLE = 100
# Names under which other tools, and older ones of this kind, keep the same things.
_TEXT_FIELDS = ("text", "content", "code", "chunk", "snippet", "document")
_PATH_FIELDS = (PATH, "file_path", "file", "relative_path", "source")
_INDEX_FIELDS = ("index", "chunk_index", "chunk_id", "position")


def looks_like(server: QdrantServer, name: str, exists: Callable[[str], bool]) -> bool:
    """Whether at least half of some points of a collection are of files that exist here."""
    reply = server.search(
        f"/collections/{name}/points/scroll",
        {"limit": _SAMPLE, "with_payload": [PATH], "with_vector": False},
    )
    keys = {(point.get("payload") or {}).get(PATH) for point in reply["points"]}
    known = [key for key in keys if isinstance(key, str)]
    here = sum(any(exists(path) for path in paths_of_key(key)) for key in known)
    return bool(known) and 2 * here >= len(known)


def import_vectors(
    server: QdrantServer,
    manifest: Manifest,
    name: str,
    dimension: int,
    scope: str,
    *,
    trusted: bool,
) -> dict[str, tuple[str, str]]:
    """Make spares of the manifest out of a collection's vectors, by the hash of their texts.

    Args:
        server: Where the collection lies.
        manifest: Must be settled on the embedder that the vectors come from.
        name: The collection.
        dimension: Vectors of another one are left alone.
        scope: What our point ids are made with.
        trusted: The points are ours; else only those count whose id is what we would give it, and
            whose text is there to be hashed.

    Returns:
        Stamp and text hash of the points that need not be stored again, by id.
    """
    present: dict[str, tuple[str, str]] = {}
    count = 0
    for points in _pages(server, name, dimension):
        hashes: list[bytes] = []
        rows: list[list[float]] = []
        for point in points:
            payload = point.get("payload") or {}
            row = _vector_of(point, dimension)
            found = _own_hash(payload) if trusted else _text_hash_of(point, payload, scope)
            if row is None or found is None:
                continue
            hashes.append(found)
            rows.append(row)
            if trusted and isinstance(payload.get(STAMP), str):
                present[str(point["id"])] = (payload[STAMP], found.hex())
        if rows:
            records = quantise(np.array(rows, np.float32)).split()
            count += _keep(manifest, hashes, records)
    _log.info("took over %d vectors of the collection %s", count, name)
    return present


def _keep(manifest: Manifest, hashes: list[bytes], records: Iterator[bytes | None]) -> int:
    rows = [
        (one, record) for one, record in zip(hashes, records, strict=True) if record is not None
    ]
    manifest.keep_spares(rows)
    return len(rows)


def _pages(server: QdrantServer, name: str, dimension: int) -> Iterator[list[dict[str, Any]]]:
    # A number of a unit vector takes about ten characters.
    limit = max(16, min(1000, _PAGE_BYTES // (dimension * 10)))
    offset = None
    while True:
        reply = server.search(
            f"/collections/{name}/points/scroll",
            {"limit": limit, "offset": offset, "with_payload": True, "with_vector": True},
        )
        yield list(reply["points"])
        offset = reply.get("next_page_offset")
        if offset is None:
            return


def _vector_of(point: Mapping[str, Any], dimension: int) -> list[float] | None:
    vector = point.get("vector")
    if isinstance(vector, list) and len(vector) == dimension and any(vector):
        return vector
    return None


def _own_hash(payload: Mapping[str, Any]) -> bytes | None:
    try:
        return bytes.fromhex(payload["text_hash"])
    except (KeyError, TypeError, ValueError):
        return None


def _text_hash_of(point: Mapping[str, Any], payload: Mapping[str, Any], scope: str) -> bytes | None:
    """The hash of a stranger's text, if the point lies where we would put it."""
    path = _first(payload, _PATH_FIELDS, str)
    index = _first(payload, _INDEX_FIELDS, int)
    text = _first(payload, _TEXT_FIELDS, str)
    if path is None or index is None or text is None:
        return None
    if str(point.get("id")) != point_id(scope, path, index):
        return None
    return text_hash(text)


def _first(payload: Mapping[str, Any], fields: tuple[str, ...], kind: type) -> Any:  # noqa: ANN401
    return next((payload[name] for name in fields if isinstance(payload.get(name), kind)), None)
