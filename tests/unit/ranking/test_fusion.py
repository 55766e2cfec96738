"""Fusion of ranked lists."""

from hypothesis import given
from hypothesis import strategies as st

from code_indexer.ranking.fusion import reciprocal_ranks, summed

ranked_lists = st.lists(st.integers(0, 1000), unique=True, max_size=50)


def test_the_first_gets_the_whole_weight() -> None:
    assert reciprocal_ranks([7, 8], weight=0.5)[7] == 0.5


def test_a_chunk_in_two_lists_gets_both_parts() -> None:
    assert summed([{1: 1.0, 2: 0.5}, {1: 0.25}]) == {1: 1.25, 2: 0.5}


@given(ranked_lists)
def test_an_earlier_rank_is_always_worth_more(ranked: list[int]) -> None:
    scores = reciprocal_ranks(ranked)

    assert sorted(ranked, key=lambda chunk: -scores[chunk]) == ranked


@given(ranked_lists, st.floats(0.01, 100))
def test_a_weight_changes_no_order(ranked: list[int], weight: float) -> None:
    scores = reciprocal_ranks(ranked, weight=weight)

    assert sorted(ranked, key=lambda chunk: -scores[chunk]) == ranked
