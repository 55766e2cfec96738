"""Fusion: ranked lists of chunks become one score per chunk."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

Scores: TypeAlias = dict[int, float]
"""Scores, bonuses or factors by chunk id."""

_RANK_OFFSET = 60


def reciprocal_ranks(ranked: Sequence[int], *, weight: float = 1.0) -> Scores:
    """*weight* for the first, falling slowly: only the order counts, never the scores.

    Reciprocal rank fusion (Cormack, Clarke, Büttcher 2009), scaled so that the first gets 1.
    """
    return {
        chunk_id: weight * (_RANK_OFFSET + 1) / (_RANK_OFFSET + 1 + rank)
        for rank, chunk_id in enumerate(ranked)
    }


def summed(parts: Iterable[Mapping[int, float]]) -> Scores:
    """The sum of several scores per chunk."""
    total: Scores = {}
    for part in parts:
        for chunk_id, score in part.items():
            total[chunk_id] = total.get(chunk_id, 0.0) + score
    return total
