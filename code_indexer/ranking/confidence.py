"""How far the first hits stand out from the rest: the largest drop between neighbouring scores."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

Standing = Literal["high", "low"]

HIGH_DROP = 0.3
"""A drop of so much of the upper score sets hits apart; see ``docs/search.md``."""
COMPARED = 10
"""Scores that are compared: a long tail falls in steps that mean nothing."""


@dataclass(frozen=True, slots=True)
class Drop:
    """The place where scores fall most."""

    kept: int
    """How many hits stand above it."""
    size: float
    """What is lost there, as a share of the upper score: 0 to 1."""


def largest_drop(scores: Sequence[float]) -> Drop | None:
    """The largest relative drop in the first *scores*, best first; the first of equals.

    None where there is nothing to compare: fewer than two scores, or none that falls.
    """
    best: Drop | None = None
    for kept, (upper, lower) in enumerate(pairwise(scores[:COMPARED]), start=1):
        size = min(1.0, (upper - lower) / upper) if upper > 0 else 0.0
        if size > (best.size if best is not None else 0.0):
            best = Drop(kept, size)
    return best


def confidence(scores: Sequence[float], *, high_drop: float = HIGH_DROP) -> Standing:
    """``high`` when some first hits stand clearly above the others, else ``low``."""
    drop = largest_drop(scores)
    return "high" if drop is not None and drop.size >= high_drop else "low"


def adaptive_count(scores: Sequence[float]) -> int:
    """How many hits stand above the largest drop; all of them where nothing falls."""
    drop = largest_drop(scores)
    return len(scores) if drop is None else drop.kept
