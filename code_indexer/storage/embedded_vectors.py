"""Vectors kept in the manifest itself: rows of signed bytes, searched exactly with numpy."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from code_indexer.storage.database import Database
from code_indexer.storage.rows import CHUNK_BITS
from code_indexer.storage.vectors import NORM_BYTES, ChunkScore, FileVectors, Matrix, Vector
from code_indexer.storage.writing import clear_vectors, write_vectors

_BLOCK_VECTORS = 2048
_FILES_AT_ONCE = 256
_LENGTH_TOLERANCE = 1e-6


class EmbeddedVectors:
    """The vector store on a manifest's ``file_vectors``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def upsert(self, vectors: Mapping[int, FileVectors]) -> None:
        """Make these the only vectors of each file (by file id)."""
        write_vectors(self._database, vectors)

    def delete(self, file_ids: Collection[int]) -> None:
        """Drop all vectors of these files."""
        write_vectors(self._database, dict.fromkeys(file_ids))

    def nearest(
        self, query: Vector, *, limit: int, file_ids: Collection[int] | None = None
    ) -> list[ChunkScore]:
        """The chunks closest to *query* by cosine, best first; equal scores by chunk id."""
        best_ids = np.empty(0, np.int64)
        best_scores = np.empty(0, np.float32)
        query = np.ascontiguousarray(query, np.float32)
        for ids, records in self._blocks(len(query), file_ids):
            scores = _cosines(records, query)
            if len(best_ids) >= limit > 0:
                promising = scores > best_scores[-1]
                ids, scores = ids[promising], scores[promising]  # noqa: PLW2901 - narrowed
            best_ids = np.concatenate([best_ids, ids])
            best_scores = np.concatenate([best_scores, scores])
            order = np.lexsort((best_ids, -best_scores))[:limit]
            best_ids, best_scores = best_ids[order], best_scores[order]
        return [
            ChunkScore(chunk_id, score)
            for chunk_id, score in zip(best_ids.tolist(), best_scores.tolist(), strict=True)
        ]

    def count(self) -> int:
        """Number of chunks that have a vector."""
        return int(self._database.value("SELECT coalesce(sum(vector_count), 0) FROM files"))

    def clear(self) -> None:
        """Drop everything."""
        clear_vectors(self._database)

    def _blocks(
        self, dimension: int, file_ids: Collection[int] | None
    ) -> Iterator[tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8]]]:
        """Chunk ids and records, some thousand at a time."""
        width = dimension + NORM_BYTES
        rows: list[tuple[int, bytes]] = []
        waiting = 0
        for batch in self._database.batches(*_selection(file_ids), size=_FILES_AT_ONCE):
            for file_id, records in batch:
                if not isinstance(records, bytes) or len(records) % width:
                    raise self._database.damage(f"vectors that are not of {dimension} dimensions")
                rows.append((file_id, records))
                waiting += len(records) // width
                if waiting >= _BLOCK_VECTORS:
                    yield self._block(rows, width)
                    rows, waiting = [], 0
        if rows:
            yield self._block(rows, width)

    def _block(
        self, rows: Sequence[tuple[int, bytes]], width: int
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8]]:
        """The ids of all chunks of some files, and their records one below the other."""
        with self._database.reading_values():
            first_ids = np.array([row[0] for row in rows], np.int64) << CHUNK_BITS
        records = np.frombuffer(b"".join([row[1] for row in rows]), np.uint8).reshape(-1, width)
        counts = np.array([len(row[1]) // width for row in rows])
        starts = np.repeat(counts.cumsum() - counts, counts)
        return np.repeat(first_ids, counts) + (np.arange(len(records)) - starts), records


def quantise(matrix: Matrix) -> FileVectors:
    """Rows ``(count, dimension)`` of any length as signed bytes; rows without direction as 0."""
    matrix = np.ascontiguousarray(matrix, np.float32)
    count, dimension = matrix.shape
    largest = np.abs(matrix).max(axis=1, initial=0.0)
    usable = ((largest > 0) & np.isfinite(largest))[:, None]
    shares = np.divide(matrix, largest[:, None], out=np.zeros_like(matrix), where=usable)
    codes = np.rint(shares * 127).astype(np.int8)
    lengths = np.sqrt(np.square(codes, dtype=np.float32).sum(axis=1))
    inverse = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    records = np.empty((count, dimension + NORM_BYTES), np.uint8)
    records[:, :dimension] = codes.view(np.uint8)
    records[:, dimension:] = inverse.astype("<f4").view(np.uint8).reshape(count, NORM_BYTES)
    return FileVectors(dimension, records.tobytes())


def dequantise(vectors: FileVectors) -> Matrix:
    """Unit rows ``(count, dimension)``; zeros where a vector is zero or missing."""
    records = np.frombuffer(vectors.records, np.uint8).reshape(-1, vectors.record_bytes)
    return _codes(records) * _inverse_lengths(records)[:, None]


def are_sound(vectors: FileVectors) -> list[bool]:
    """Which records are as :func:`quantise` made them, or missing.

    One of which a byte was damaged has, nearly always, not the length that is noted with it.
    """
    records = np.frombuffer(vectors.records, np.uint8).reshape(-1, vectors.record_bytes)
    lengths = np.sqrt(np.square(_codes(records)).sum(axis=1))
    noted = np.ascontiguousarray(records[:, -NORM_BYTES:]).view("<f4").reshape(-1)
    with np.errstate(all="ignore"):  # what is damaged may be any number, or none
        agreeing = np.abs(noted * lengths - (lengths > 0)) <= _LENGTH_TOLERANCE
    missing = (noted == -1) & (lengths == 0)
    found: list[bool] = (agreeing | missing).tolist()
    return found


def _selection(file_ids: Collection[int] | None) -> tuple[str, Sequence[object]]:
    if file_ids is None:
        return "SELECT file_id, vectors FROM file_vectors", ()
    among = "file_id IN (SELECT value FROM json_each(?))"
    return (
        f"SELECT file_id, vectors FROM file_vectors WHERE {among}",
        (json.dumps(sorted(file_ids)),),
    )


def _cosines(records: npt.NDArray[np.uint8], query: Vector) -> Vector:
    # Not "@": its threads cost as much time as they save, and a second core on a busy machine.
    dot_products: Vector = np.einsum("ij,j->i", _codes(records), query)
    return dot_products * _inverse_lengths(records)


def _codes(records: npt.NDArray[np.uint8]) -> Matrix:
    return records[:, :-NORM_BYTES].view(np.int8).astype(np.float32)


def _inverse_lengths(records: npt.NDArray[np.uint8]) -> Vector:
    lengths = np.ascontiguousarray(records[:, -NORM_BYTES:]).view("<f4").reshape(-1)
    # A damaged record must not spoil the order of the others.
    return np.nan_to_num(lengths.astype(np.float32), nan=0.0, posinf=0.0, neginf=0.0)
