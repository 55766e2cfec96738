"""Chunks read back, by id or by file."""

import json
from collections.abc import Collection
from dataclasses import dataclass

from code_indexer.storage.database import Database
from code_indexer.storage.known_vectors import chunk_range
from code_indexer.storage.rows import CHUNK_BITS, path_text
from code_indexer.types import Chunk, ContentKind

_POSITION = (1 << CHUNK_BITS) - 1


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """A chunk and the file it lies in."""

    chunk_id: int
    file_id: int
    path: str
    content_hash: str
    """Of the whole file, as it was when the chunk was cut."""
    language: str | None
    content: ContentKind
    start_line: int
    end_line: int
    text: str
    symbol: str | None
    kind: str | None


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A chunk as its file's pass made it."""

    chunk_id: int
    chunk: Chunk
    text_hash: bytes
    """Of the text that is embedded."""


def chunks_by_id(database: Database, chunk_ids: Collection[int]) -> dict[int, ChunkRow]:
    """The chunks that still exist, by id."""
    rows = database.records(
        lambda row: ChunkRow(row[0], row[1], path_text(row[2]), *row[3:]),
        "SELECT chunk_id, file_id, files.path, content_hash, language, content,"
        " start_line, end_line, text, symbol, kind"
        " FROM json_each(?) CROSS JOIN chunks ON chunk_id = value"
        f" CROSS JOIN files ON file_id = chunk_id >> {CHUNK_BITS}",
        (json.dumps(sorted(chunk_ids)),),
    )
    return {row.chunk_id: row for row in rows}


def chunks_of_file(database: Database, file_id: int) -> list[StoredChunk]:
    """The chunks of a file, in order."""
    rows = database.rows(
        "SELECT chunk_id, start_line, end_line, text, symbol, kind, text_hash FROM chunks"
        " WHERE chunk_id BETWEEN ? AND ? ORDER BY chunk_id",
        chunk_range(file_id),
    )
    return [StoredChunk(row[0], Chunk(row[0] & _POSITION, *row[1:6]), row[6]) for row in rows]
