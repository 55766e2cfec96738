"""Chunks as points: what a point carries, and how many fit into one request."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from code_indexer.identity import point_id
from code_indexer.storage.database import Database
from code_indexer.storage.known_vectors import chunk_range
from code_indexer.storage.rows import CHUNK_BITS, path_bytes, path_text
from code_indexer.storage.vectors import FileVectors

PATH, STAMP = "path", "stamp"
INDEXED_FIELDS = (PATH, STAMP)
"""Payload fields that are filtered or counted by."""

_POSITION = (1 << CHUNK_BITS) - 1
# The signed bytes of a record as text. Qdrant scales the vectors of a cosine collection to length
# one itself, so the bytes can be sent as they are: a quarter of the size of decimal fractions.
_NUMBERS = [str(byte - 256 if byte > 127 else byte) for byte in range(256)]
_SURROGATE = re.compile("[\udc80-\udcff]")
_ESCAPED = re.compile("\ufffd([89a-f][0-9a-f])")


@dataclass(frozen=True, slots=True)
class Point:
    """One chunk with its vector."""

    point_id: str
    stamp: str
    text_hash: str
    encoded: bytes
    """JSON as the server takes it."""


def path_key(path: str) -> str:
    """*path* as a payload can hold it: names that are no UTF-8 have no place in JSON."""
    return _SURROGATE.sub(lambda match: f"\ufffd{ord(match[0]) - 0xDC00:02x}", path)


def paths_of_key(key: str) -> list[str]:
    """The paths that a key may stand for, almost always one."""
    if "\ufffd" not in key:
        return [key]
    return [key, _ESCAPED.sub(lambda match: chr(0xDC00 + int(match[1], 16)), key)]


def stamp_of(path: str, content_hash: str) -> str:
    """Changes when the file's content does: counting by it shows every file that fell behind."""
    return f"{content_hash[:16]} {path_key(path)}"


def points_of_file(
    database: Database, scope: str, file_id: int, vectors: FileVectors
) -> Iterator[Point]:
    """The points of a file's chunks, those without vector left out; *scope* makes ids unique."""
    file = database.row(
        "SELECT path, content_hash, language, content FROM files WHERE file_id = ?", (file_id,)
    )
    if file is None:
        return
    path = path_text(file[0])
    stamp = stamp_of(path, file[1])
    shared = {
        PATH: path_key(path),
        STAMP: stamp,
        "content_hash": file[1],
        "language": file[2],
        "content": file[3],
    }
    rows = database.rows(
        "SELECT chunk_id, start_line, end_line, symbol, kind, text_hash, text FROM chunks"
        " WHERE chunk_id BETWEEN ? AND ? ORDER BY chunk_id",
        chunk_range(file_id),
    )
    for row, record in zip(rows, vectors.split(), strict=True):
        if record is None:
            continue
        index = row[0] & _POSITION
        payload: dict[str, Any] = {
            **shared,
            "index": index,
            "start_line": row[1],
            "end_line": row[2],
            "symbol": row[3],
            "kind": row[4],
            "text_hash": row[5].hex(),
            "text": row[6],
        }
        identifier = point_id(scope, path_key(path), index)
        yield Point(
            identifier,
            stamp,
            payload["text_hash"],
            _encoded(identifier, record[: vectors.dimension], payload),
        )


def file_ids_of_keys(database: Database, keys: Sequence[str]) -> dict[str, int]:
    """The files that have one of these keys, by key."""
    found: dict[str, int] = {}
    for key in keys:
        for path in paths_of_key(key):
            file_id = database.value(
                "SELECT file_id FROM files WHERE path = ?", (path_bytes(path),)
            )
            if file_id is not None and path_key(path) == key:
                found[key] = file_id
    return found


def bodies(points: Sequence[Point], *, most_points: int, most_bytes: int) -> Iterator[list[Point]]:
    """Groups of points that fit into one request each; at least one point a group."""
    group: list[Point] = []
    size = 0
    for point in points:
        full = len(group) >= most_points or size + len(point.encoded) > most_bytes
        if group and full:
            yield group
            group, size = [], 0
        group.append(point)
        size += len(point.encoded) + 1
    if group:
        yield group


def body_of(points: Sequence[Point]) -> bytes:
    """The request that stores *points*."""
    return b'{"points":[' + b",".join([point.encoded for point in points]) + b"]}"


def _encoded(identifier: str, codes: bytes, payload: dict[str, Any]) -> bytes:
    numbers = ",".join([_NUMBERS[code] for code in codes])
    return (
        f'{{"id":"{identifier}","vector":[{numbers}],"payload":{json.dumps(payload)}}}'
    ).encode()
