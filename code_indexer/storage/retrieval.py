"""What a search reads of the chunks it may show: everything but their text."""

import json
from collections.abc import Collection
from dataclasses import dataclass

from code_indexer.storage.database import Database
from code_indexer.storage.known_vectors import chunk_range
from code_indexer.storage.rows import CHUNK_BITS, path_text
from code_indexer.types import ContentKind


@dataclass(frozen=True, slots=True)
class ChunkPlace:
    """Where a chunk lies, and what it is part of."""

    chunk_id: int
    file_id: int
    path: str
    language: str | None
    content: ContentKind
    start_line: int
    end_line: int
    symbol: str | None
    kind: str | None


def chunk_places(database: Database, chunk_ids: Collection[int]) -> dict[int, ChunkPlace]:
    """The chunks that still exist, by id."""
    rows = database.rows(
        "SELECT chunk_id, file_id, files.path, language, content, start_line, end_line, symbol,"
        " kind FROM json_each(?) CROSS JOIN chunks ON chunk_id = value"
        f" CROSS JOIN files ON file_id = chunk_id >> {CHUNK_BITS}",
        (json.dumps(sorted(chunk_ids)),),
    )
    return {row[0]: ChunkPlace(row[0], row[1], path_text(row[2]), *row[3:]) for row in rows}


def chunk_at(database: Database, file_id: int, line: int) -> int | None:
    """The chunk of a file that holds *line*; of several (windows overlap) the first."""
    found: int | None = database.value(
        "SELECT chunk_id FROM chunks WHERE chunk_id BETWEEN ? AND ?"
        " AND start_line <= ? AND end_line >= ? ORDER BY chunk_id LIMIT 1",
        (*chunk_range(file_id), line, line),
    )
    return found


def chunk_near(database: Database, file_id: int, line: int) -> int | None:
    """The chunk of a file that holds *line*, else the one before it, else the first."""
    found = chunk_at(database, file_id, line)
    if found is None:
        found = database.value(
            "SELECT chunk_id FROM chunks WHERE chunk_id BETWEEN ? AND ?"
            " AND end_line < ? ORDER BY end_line DESC LIMIT 1",
            (*chunk_range(file_id), line),
        )
    return first_chunk(database, file_id) if found is None else found


def chunks_defining(
    database: Database, chunk_ids: Collection[int], kinds: Collection[str]
) -> set[int]:
    """Those of the chunks in which a symbol of one of *kinds* is named."""
    rows = database.rows(
        "SELECT DISTINCT chunk_id FROM json_each(?1)"
        " CROSS JOIN chunks ON chunk_id = value"
        f" CROSS JOIN symbols ON symbol_id BETWEEN (chunk_id >> {CHUNK_BITS}) << {CHUNK_BITS}"
        f" AND (((chunk_id >> {CHUNK_BITS}) + 1) << {CHUNK_BITS}) - 1"
        " WHERE name_line BETWEEN chunks.start_line AND chunks.end_line"
        " AND symbols.kind IN (SELECT value FROM json_each(?2))",
        (json.dumps(sorted(chunk_ids)), json.dumps(sorted(kinds))),
    )
    return {row[0] for row in rows}


def symbol_names(database: Database, file_ids: Collection[int]) -> dict[int, list[str]]:
    """The names that files (by id) define, each once per file."""
    names: dict[int, list[str]] = {file_id: [] for file_id in file_ids}
    for file_id in names:
        rows = database.rows(
            "SELECT DISTINCT name FROM symbols WHERE symbol_id BETWEEN ? AND ?",
            chunk_range(file_id),
        )
        names[file_id] = [row[0] for row in rows]
    return names


def sample_paths(database: Database, count: int) -> list[str]:
    """Paths of about *count* files, spread over the whole project."""
    rows = database.rows(
        "SELECT path FROM files"
        " WHERE file_id % max(1, (SELECT max(file_id) FROM files) / ?1) = 0 LIMIT ?1",
        (count,),
    )
    return [path_text(row[0]) for row in rows]


def file_ids_by_path(database: Database, path: str, *, limit: int) -> list[int]:
    """Files whose path is *path* or ends with it after a ``/``, short paths first."""
    tail = path.encode("utf-8", "surrogatepass")
    rows = database.rows(
        "SELECT file_id FROM files WHERE path = ?1 OR substr(path, -length(?2)) = ?2"
        " ORDER BY length(path), path LIMIT ?3",
        (tail, b"/" + tail, limit),
    )
    return [row[0] for row in rows]


def first_chunk(database: Database, file_id: int) -> int | None:
    """The first chunk of a file."""
    found: int | None = database.value(
        "SELECT min(chunk_id) FROM chunks WHERE chunk_id BETWEEN ? AND ?", chunk_range(file_id)
    )
    return found
