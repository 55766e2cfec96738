"""The embedder protocol: texts become unit vectors, whoever computes them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

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
