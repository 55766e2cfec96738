"""The embedder that ships in the package: a static code embedding, computed with numpy alone.

The function is described in ``docs/embedding-model.md``: a text is a bag of sub-words, each
sub-word a learnt row (or the mean of its hashed character n-grams), counts are damped by a
logarithm, and the sum is scaled to length one.
"""

import io
import math
import mmap
import re
import struct
import zlib
from array import array
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from code_indexer.errors import IndexCorruptError
from code_indexer.inference.embedder import EMBEDDED, Matrix, Vector

MODEL_NAME = EMBEDDED.model
MODEL_DIGEST = EMBEDDED.digest
DIMENSION = EMBEDDED.dimension

_WEIGHTS = Path(__file__).parent / "data" / f"{MODEL_NAME}.npz"
_MAX_SUBWORDS = 1200
_MAX_SUBWORD_CHARS = 24
_MAX_DIGITS = 4
_BATCH = 1024
_FEW_ROWS = 8192
"""For a batch of no more rows the whole table is not spread out as floats, which takes 50 MB."""
# Distinct runs of letters and digits in a tree are few; a hostile tree must not fill the memory.
_MAX_CACHED_RUNS = 400_000

# Every byte that is not an ASCII letter or digit only separates.
_SEPARATE = bytes(b if chr(b).isalnum() and b < 128 else 32 for b in range(256))
_SUBWORD = re.compile(rb"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")


class EmbeddedEmbedder:
    """The static embedding; loading it maps the weights file and reads almost none of it."""

    def __init__(self, weights: Path = _WEIGHTS) -> None:
        members = _map_members(weights)
        self._rows: npt.NDArray[np.int8] = members["emb"]
        self._scale: npt.NDArray[np.float32] = members["scale"]
        words = members["vocab"].tobytes().split(b"\n")
        row_of = dict(zip(words, range(len(words)), strict=True))
        self._vocabulary = _Vocabulary(row_of, len(self._scale) - len(words))
        self._table: npt.NDArray[np.float32] | None = None
        self._runs = _RunTable(self._vocabulary)
        self.identity = EMBEDDED

    def embed_query(self, text: str) -> Vector:
        """The same function as for documents, over the few rows that a query needs."""
        weights: dict[int, float] = {}
        for word in _subwords(text):
            for row, weight in self._vocabulary.rows_of(word):
                weights[row] = weights.get(row, 0.0) + weight
        if not weights:
            return np.zeros(DIMENSION, dtype=np.float32)
        rows = np.fromiter(weights.keys(), dtype=np.int64, count=len(weights))
        counts = np.fromiter(weights.values(), dtype=np.float64, count=len(weights))
        factors = _damped(counts) * self._scale[rows]
        total: Vector = factors.astype(np.float32) @ self._rows[rows].astype(np.float32)
        return total / _length(total)

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Unit rows, a batch of texts at a time so that memory stays flat."""
        result = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        for start in range(0, len(texts), _BATCH):
            self._embed_batch(texts[start : start + _BATCH], result[start : start + _BATCH])
        return result

    def _embed_batch(self, texts: Sequence[str], result: Matrix) -> None:
        if len(self._runs) > _MAX_CACHED_RUNS:
            self._runs = _RunTable(self._vocabulary)
        text_of, rows, counts = self._row_counts(texts)
        if len(rows) == 0:
            return
        factors = _damped(counts).astype(np.float32)
        if self._table is None and len(rows) <= _FEW_ROWS:
            table = self._rows[rows].astype(np.float32)
            table *= self._scale[rows, None]
            rows = np.arange(len(rows))
        else:
            table = self._float_table()
        bounds = np.searchsorted(text_of, np.arange(len(texts) + 1)).tolist()
        for index in range(len(texts)):
            here = slice(bounds[index], bounds[index + 1])
            # A product per text beats one large sum by segments: the rows stay in the cache.
            np.dot(factors[here], table[rows[here]], out=result[index])
        lengths = np.sqrt(np.einsum("ij,ij->i", result, result))
        result /= np.where(lengths > 0, lengths, 1)[:, None]

    def _row_counts(
        self, texts: Sequence[str]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """Text index, row and summed weight, ordered by text, each pair of the two once."""
        lookup = self._runs.__getitem__
        ids = array("i")
        sizes = []
        for text in texts:
            before = len(ids)
            # A sub-word has at least one character, so a shorter text cannot exceed the limit.
            runs = _runs_of(text) if len(text) <= _MAX_SUBWORDS else _subwords(text)
            ids.extend(map(lookup, runs))
            sizes.append(len(ids) - before)
        run_ids = np.frombuffer(ids, dtype=np.int32) if ids else np.zeros(0, dtype=np.int32)
        text_of_run = np.repeat(np.arange(len(texts)), sizes)
        rows, weights, repeats = self._runs.expand(run_ids)
        keys = np.repeat(text_of_run, repeats) * len(self._scale) + rows
        keys, counts = _summed(keys, weights)
        return keys // len(self._scale), keys % len(self._scale), counts

    def _float_table(self) -> npt.NDArray[np.float32]:
        if self._table is None:
            self._table = self._rows.astype(np.float32)
            self._table *= self._scale[:, None]
        return self._table


class _Vocabulary:
    """Which rows stand for a sub-word; apart, so that nothing points back to the large arrays."""

    def __init__(self, row_of: dict[bytes, int], bucket_count: int) -> None:
        self._row_of = row_of
        self._bucket_count = bucket_count

    def rows_of(self, word: bytes) -> list[tuple[int, float]]:
        """The rows that stand for one lower-case sub-word, each with its weight."""
        row = self._row_of.get(word)
        if row is not None:
            return [(row, 1.0)]
        grams = list(_character_ngrams(b"<" + word + b">"))
        first_bucket = len(self._row_of)
        return [(first_bucket + zlib.crc32(g) % self._bucket_count, 1 / len(grams)) for g in grams]


class _RunTable(dict[bytes, int]):
    """Numbers the runs of letters and digits, and knows each one's rows: text repeats itself."""

    def __init__(self, vocabulary: _Vocabulary) -> None:
        super().__init__()
        self._vocabulary = vocabulary
        self._starts = array("i", [0])
        self._rows = array("i")
        self._weights = array("d")

    def __missing__(self, run: bytes) -> int:
        for word in _subwords_of_run(run):
            for row, weight in self._vocabulary.rows_of(word):
                self._rows.append(row)
                self._weights.append(weight)
        self._starts.append(len(self._rows))
        number = len(self)
        self[run] = number
        return number

    def expand(
        self, run_ids: npt.NDArray[np.int32]
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64], npt.NDArray[np.int64]]:
        """Rows and weights of all runs, one run after the other, and how many each run gave."""
        starts = np.array(self._starts, dtype=np.int64)
        repeats = starts[run_ids + 1] - starts[run_ids]
        ends = np.cumsum(repeats)
        total = int(ends[-1]) if len(ends) else 0
        places = np.arange(total) + np.repeat(starts[run_ids] - (ends - repeats), repeats)
        rows = np.array(self._rows, dtype=np.int32)[places]
        weights = np.array(self._weights, dtype=np.float64)[places]
        return rows, weights, repeats


def _summed(
    keys: npt.NDArray[np.int64], weights: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Each key once, in order, with the sum of its weights."""
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    first = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1]))[: len(keys)])
    if len(first) == 0:
        return keys, weights
    return keys[first], np.add.reduceat(weights[order], first)


def _damped(counts: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.where(counts >= 1, 1 + np.log(np.maximum(counts, 1)), counts)


def _length(vector: Vector) -> np.float32:
    length = np.float32(np.sqrt(vector @ vector))
    return length if length > 0 else np.float32(1)


def _runs_of(text: str) -> list[bytes]:
    return text.encode("utf-8", "replace").translate(_SEPARATE).split()


def _subwords(text: str) -> list[bytes]:
    words = [word for run in _runs_of(text) for word in _subwords_of_run(run)]
    return words[:_MAX_SUBWORDS]


def _subwords_of_run(run: bytes) -> list[bytes]:
    pieces: Iterable[bytes] = _SUBWORD.findall(run)
    return [
        piece.lower()[:_MAX_SUBWORD_CHARS]
        for piece in pieces
        if len(piece) <= _MAX_DIGITS or not piece.isdigit()
    ]


def _character_ngrams(padded: bytes) -> Iterator[bytes]:
    for size in (3, 4, 5):
        for start in range(len(padded) - size + 1):
            yield padded[start : start + size]


def _map_members(path: Path) -> dict[str, npt.NDArray[Any]]:
    """The arrays of an uncompressed ``.npz``, as views of the mapped file.

    ``numpy.load`` would copy all of it and import ``zipfile``: 30 ms that a query does not have.
    """
    with path.open("rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    members: dict[str, npt.NDArray[Any]] = {}
    at = 0
    while data[at : at + 4] == b"PK\x03\x04":
        method, size, name_size, extra_size = struct.unpack("<8xH8xI4xHH", data[at : at + 30])
        body = at + 30 + name_size + extra_size
        name = data[at + 30 : at + 30 + name_size].decode()
        extra = data[at + 30 + name_size : body]
        if size == 0xFFFFFFFF:  # the true sizes stand in the ZIP64 field
            size = struct.unpack_from("<Q", extra, 12)[0]
        if method != 0:
            raise IndexCorruptError(
                f"the embedding weights are compressed: {path}", hint="Reinstall code-indexer"
            )
        members[name.removesuffix(".npy")] = _array_in(data, body)
        at = body + size
    return members


def _array_in(data: mmap.mmap, at: int) -> npt.NDArray[Any]:
    """The array of the ``.npy`` member whose first byte is at *at*."""
    (header_size,) = struct.unpack_from("<H", data, at + 8)
    start = at + 10 + header_size
    header = io.BytesIO(data[at + 8 : start])
    shape, fortran_order, dtype = np.lib.format.read_array_header_1_0(header)
    assert not fortran_order
    return np.frombuffer(data, dtype, count=math.prod(shape), offset=start).reshape(shape)
