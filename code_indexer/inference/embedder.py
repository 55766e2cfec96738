"""The embedder protocol: texts become unit vectors, whoever computes them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

# Strings, so that naming an array does not load numpy.
Vector: TypeAlias = "npt.NDArray[np.float32]"
Matrix: TypeAlias = "npt.NDArray[np.float32]"


@dataclass(frozen=True, slots=True)
class EmbedderIdentity:
    """What two vectors must have in common before they may be compared."""

    engine: str
    """``embedded`` or ``ollama``."""
    model: str
    digest: str
    """Stands for the exact weights."""
    dimension: int
    prompt_version: int
    """Raised when what is put around a text before embedding changes."""


EMBEDDED = EmbedderIdentity(
    engine="embedded",
    model="code-static-256",
    digest="1c7cefbdde42f242844b010a7b8d7b98a5c2e3957eac51d8091e81825ecfb54e",
    dimension=256,
    prompt_version=1,
)
"""The model that ships in the package; named here, so that asking for its name loads nothing."""


class Embedder(Protocol):
    """A model that turns texts into vectors whose dot product is their similarity."""

    @property
    def identity(self) -> EmbedderIdentity:
        """Which model this is."""
        ...

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Unit rows of shape ``(count, dimension)``; a text without any word is a zero row."""
        ...

    def embed_query(self, text: str) -> Vector:
        """A unit vector of shape ``(dimension,)``, to be compared with document rows."""
        ...


@dataclass(frozen=True, slots=True)
class TextFailure:
    """A text that has no vector, and why."""

    index: int
    """Position in its batch, from 0."""
    reason: str


@dataclass(frozen=True, slots=True)
class EmbeddedBatch:
    """The rows of some texts that follow each other."""

    first: int
    """Position of its first text among all, from 0."""
    vectors: Matrix
    """``(count, dimension)``; a row of zeros where a text is blank or failed."""
    failures: tuple[TextFailure, ...] = ()


@runtime_checkable
class BatchEmbedder(Protocol):
    """An embedder that is slow enough to be watched, and may fail on single texts."""

    @property
    def texts_per_second(self) -> float:
        """The speed seen so far; 0 before the first answer."""
        ...

    def embed_batches(
        self, texts: Sequence[str], *, is_wanted: Callable[[], bool] = lambda: True
    ) -> Iterator[EmbeddedBatch]:
        """The rows of *texts* in order, batch by batch as they come.

        Once *is_wanted* says no, no more is begun; what is under way is still given out.
        """
        ...


def embed_batches(
    embedder: Embedder, texts: Sequence[str], *, is_wanted: Callable[[], bool] = lambda: True
) -> Iterator[EmbeddedBatch]:
    """The rows of *texts* from any embedder; one that is no BatchEmbedder gives a single batch."""
    if isinstance(embedder, BatchEmbedder):
        yield from embedder.embed_batches(texts, is_wanted=is_wanted)
    elif texts:
        yield EmbeddedBatch(0, embedder.embed_documents(texts))
