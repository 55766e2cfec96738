"""What a running index pass says about itself."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Phase = Literal["scanning", "indexing", "embedding"]


@dataclass(frozen=True, slots=True)
class PassProgress:
    """A moment in an index pass."""

    phase: Phase
    done: int = 0
    """Files, or chunks while embedding."""
    total: int = 0
    chunks: int = 0


class PassSetAsideError(Exception):
    """Raised by a listener: the pass is to end here, and to be taken up another time."""


ReportProgress = Callable[[PassProgress], None]


def report_nothing(progress: PassProgress) -> None:
    """The listener of those who do not listen."""
