"""A collection held against the manifest, file by file."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from code_indexer.storage.database import Database
from code_indexer.storage.manifest import Manifest
from code_indexer.storage.qdrant_points import STAMP, stamp_of
from code_indexer.storage.qdrant_server import PathUnknownError, QdrantServer, StrictModeError
from code_indexer.storage.rows import path_text
from code_indexer.storage.vectors import FileVectors

_MOST_VALUES = 20_000


@dataclass(frozen=True, slots=True)
class StoreCheck:
    """What the collection lacks, and holds beyond what the manifest knows."""

    expected: int
    found: int
    incomplete: tuple[int, ...]
    """Ids of files whose points are missing or of another content."""
    strange: tuple[str, ...]
    """Stamps of points of no known file."""

    @property
    def is_whole(self) -> bool:
        """Whether every vector of the manifest has its point and nothing else is there."""
        return not self.incomplete and not self.strange and self.expected == self.found


@dataclass(frozen=True, slots=True)
class StoreRepair:
    """What a repair did."""

    restored: int = 0
    """Points stored again from the manifest's vectors."""
    removed: int = 0
    """Stamps (files in some version) whose points were deleted."""
    lost: tuple[int, ...] = ()
    """Ids of files whose vectors the manifest does not have either: they are pending now."""


def check_collection(
    server: QdrantServer, path: str, database: Database, points: int
) -> StoreCheck:
    """What the collection at *path*, which holds *points*, lacks and has beyond the manifest."""
    expected = _expected(database)
    counts = _counts_by_stamp(server, path, len(expected))
    return StoreCheck(
        expected=sum(count for _, count in expected.values()),
        found=points,
        incomplete=tuple(
            file_id for stamp, (file_id, count) in expected.items() if counts.get(stamp, 0) != count
        ),
        strange=tuple(stamp for stamp in counts if stamp not in expected),
    )


def kept_vectors(manifest: Manifest, file_ids: Sequence[int]) -> dict[int, FileVectors]:
    """The manifest's own copies of the vectors of files, where it has them."""
    embedder = manifest.embedder()
    if embedder is None:
        return {}
    rows = manifest.database.rows(
        "SELECT file_id, vectors FROM json_each(?) CROSS JOIN file_vectors ON file_id = value",
        (json.dumps(sorted(file_ids)),),
    )
    return {row[0]: FileVectors(embedder.dimension, row[1]) for row in rows}


def _expected(database: Database) -> dict[str, tuple[int, int]]:
    """File id and number of vectors, by stamp."""
    rows = database.rows(
        "SELECT file_id, path, content_hash, vector_count FROM files WHERE vector_count > 0"
    )
    return {stamp_of(path_text(row[1]), row[2]): (row[0], row[3]) for row in rows}


def _counts_by_stamp(server: QdrantServer, path: str, files: int) -> dict[str, int]:
    limit = max(2 * files + 1000, _MOST_VALUES)
    try:
        reply = server.search(f"{path}/facet", {"key": STAMP, "limit": limit, "exact": True})
    except (PathUnknownError, StrictModeError):
        return _counts_by_scroll(server, path)  # before 1.12, or forbidden
    # A value whose points are all deleted is still listed, with 0.
    return {hit["value"]: int(hit["count"]) for hit in reply["hits"] if hit["count"]}


def _counts_by_scroll(server: QdrantServer, path: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    offset = None
    while True:
        body = {"limit": 1000, "offset": offset, "with_payload": [STAMP], "with_vector": False}
        reply = server.search(f"{path}/points/scroll", body)
        for point in reply["points"]:
            stamp = (point.get("payload") or {}).get(STAMP)
            if stamp is not None:
                counts[stamp] = counts.get(stamp, 0) + 1
        offset = reply.get("next_page_offset")
        if offset is None:
            return counts
