"""What every vector store can do, and the form in which a file's vectors travel."""

import struct
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Vector: TypeAlias = "npt.NDArray[np.float32]"
Matrix: TypeAlias = "npt.NDArray[np.float32]"

NORM_BYTES = 4
_MISSING_NORM = struct.pack("<f", -1.0)


class ChunkScore(NamedTuple):
    """A chunk that matches; a higher score is better."""

    chunk_id: int
    score: float


@dataclass(frozen=True, slots=True)
class FileVectors:
    """The vectors of a file's chunks, in their order, as they are stored.

    One record per chunk: ``dimension`` signed bytes, then a little-endian float32, the inverse of
    the length of these bytes taken as a vector. The cosine is the dot product times that inverse.
    A chunk without a vector has zeros and -1.
    """

    dimension: int
    records: bytes

    @classmethod
    def of(cls, dimension: int, records: Sequence[bytes | None]) -> "FileVectors":
        """From single records, as :meth:`split` and ``known_vectors`` give them; None: missing."""
        missing = bytes(dimension) + _MISSING_NORM
        return cls(dimension, b"".join([record or missing for record in records]))

    @property
    def record_bytes(self) -> int:
        """Size of one record."""
        return self.dimension + NORM_BYTES

    @property
    def count(self) -> int:
        """Number of chunks, with and without vectors."""
        return len(self.records) // self.record_bytes

    @property
    def present(self) -> int:
        """Number of chunks that have a vector."""
        return sum(record is not None for record in self.split())

    def split(self) -> Iterator[bytes | None]:
        """One record after the other; None where the vector is missing."""
        size = self.record_bytes
        for start in range(0, len(self.records), size):
            record = self.records[start : start + size]
            yield None if record.endswith(_MISSING_NORM) else record


class VectorStore(Protocol):
    """Where the vectors of one project lie."""

    def upsert(self, vectors: Mapping[int, FileVectors]) -> None:
        """Make these the only vectors of each file (by file id)."""

    def delete(self, file_ids: Collection[int]) -> None:
        """Drop all vectors of these files."""

    def nearest(
        self, query: Vector, *, limit: int, file_ids: Collection[int] | None = None
    ) -> list[ChunkScore]:
        """The chunks closest to *query* by cosine, best first; among *file_ids* if given."""

    def count(self) -> int:
        """Number of chunks that have a vector."""

    def clear(self) -> None:
        """Drop everything."""
