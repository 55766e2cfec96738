"""What a running index pass says about itself."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class PassProgress:
    """A moment in an index pass."""

    phase: Literal["scanning", "indexing", "embedding"]
    done: int = 0
    """Files, or chunks while embedding."""
    total: int = 0
    chunks: int = 0


ReportProgress = Callable[[PassProgress], None]


def report_nothing(progress: PassProgress) -> None:
    """The listener of those who do not listen."""
