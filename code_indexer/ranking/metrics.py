"""Measures of a ranked answer against what is known to be relevant; relevance is yes or no.

Every function takes the ranks, from 1, at which relevant targets were found. Several targets may be
found at one rank (two places inside one hit); what was not found has no rank.
"""

import math
from collections.abc import Iterable, Sequence


def recall_at(ranks: Sequence[int], relevant: int, *, depth: int) -> float:
    """The share of the *relevant* targets that were found among the first *depth* hits."""
    return sum(rank <= depth for rank in ranks) / relevant if relevant else 0.0


def reciprocal_rank(ranks: Sequence[int], *, depth: int) -> float:
    """One divided by the rank of the first relevant hit; 0 where none is among the first *depth*.

    Its mean over queries is the MRR.
    """
    first = min((rank for rank in ranks if rank <= depth), default=None)
    return 1 / first if first is not None else 0.0


def ndcg_at(ranks: Sequence[int], relevant: int, *, depth: int) -> float:
    """Normalised discounted cumulative gain of the first *depth* hits.

    A rank gains ``1 / log2(rank + 1)``, however many targets lie there; it is divided by the gain
    of the best possible order of *relevant* targets (Järvelin and Kekäläinen, 2002).
    """
    ideal = sum(_gain(rank) for rank in range(1, min(depth, relevant) + 1))
    return sum(_gain(rank) for rank in set(ranks) if rank <= depth) / ideal if ideal else 0.0


def mean(values: Iterable[float]) -> float:
    """The mean, 0 of nothing."""
    listed = list(values)
    return sum(listed) / len(listed) if listed else 0.0


def sign_test(better: int, worse: int) -> float:
    """How likely a split at least as uneven is when neither side is better (two-sided, exact)."""
    decided = better + worse
    if not decided:
        return 1.0
    tail = sum(math.comb(decided, count) for count in range(min(better, worse) + 1))
    return min(1.0, float(2 * tail / 2**decided))


def _gain(rank: int) -> float:
    return 1 / math.log2(rank + 1)
