"""How good an answer is in itself, so that the answers of several projects can be merged.

The scores of one project are made of ranks: its best hit is its best hit, however little it has to
do with the query. What compares across projects is how much of the query, by the weight of its
terms, the best hits hold, and how close they are to it.
"""

import math
from collections.abc import Collection, Mapping, Sequence

_COVERAGE = 0.75
_SCALE = 5.0
"""Scores are counted in units of the best retrieved one and seldom exceed this."""
_LEAST = 0.05


def answer_strength(
    coverages: Sequence[float], similarities: Sequence[float], *, has_definition: bool = False
) -> float:
    """From 0 to 1, of the best hits' coverages and similarities; the best of them counts."""
    if has_definition:
        return 1.0
    covered = max(coverages, default=0.0)
    similar = max(similarities, default=0.0)
    strength = _COVERAGE * covered + (1 - _COVERAGE) * max(0.0, similar)
    return max(_LEAST, min(1.0, strength))


def coverage(terms: Collection[str], weights: Mapping[str, float]) -> float:
    """The share of the query, by the weight of its terms, that *terms* hold."""
    total = sum(weights.values())
    if total <= 0:
        return 0.0
    return sum(weight for term, weight in weights.items() if term in terms) / total


def term_weights(frequencies: Mapping[str, int], chunk_count: int) -> dict[str, float]:
    """Inverse document frequency of each term, as BM25 has it."""
    return {
        term: math.log(1 + (max(chunk_count, count) - count + 0.5) / (count + 0.5))
        for term, count in frequencies.items()
    }


def comparable_factor(unit: float, strength: float) -> float:
    """What turns a project's scores into ones that compare with another's."""
    return strength / (unit * _SCALE)
