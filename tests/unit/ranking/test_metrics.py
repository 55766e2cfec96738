"""Measures of an answer, by hand-computed values."""

import math

import pytest

from code_indexer.ranking.metrics import mean, ndcg_at, recall_at, reciprocal_rank, sign_test


def test_recall_is_the_share_found_among_the_first() -> None:
    assert recall_at([1, 4, 12], 4, depth=10) == 0.5
    assert recall_at([], 3, depth=10) == 0.0
    assert recall_at([], 0, depth=10) == 0.0


def test_the_reciprocal_rank_is_of_the_first_relevant_hit() -> None:
    assert reciprocal_rank([3, 2], depth=10) == 0.5
    assert reciprocal_rank([11], depth=10) == 0.0


def test_a_perfect_order_has_a_gain_of_one() -> None:
    assert ndcg_at([1, 2, 3], 3, depth=10) == 1.0
    assert ndcg_at([1, 2], 5, depth=2) == 1.0


def test_the_gain_falls_with_the_rank() -> None:
    # One target, found third: 1 / log2(4) of 1 / log2(2).
    assert ndcg_at([3], 1, depth=10) == 0.5
    # Two targets at 1 and 4 of an ideal 1 and 2: (1 + 1/log2(5)) / (1 + 1/log2(3)).
    expected = (1 + 1 / math.log2(5)) / (1 + 1 / math.log2(3))
    assert ndcg_at([1, 4], 2, depth=10) == pytest.approx(expected)
    assert round(expected, 4) == 0.8772


def test_what_lies_deeper_gains_nothing() -> None:
    assert ndcg_at([11], 1, depth=10) == 0.0
    assert ndcg_at([], 0, depth=10) == 0.0


def test_two_targets_in_one_hit_gain_once() -> None:
    assert ndcg_at([1, 1], 2, depth=10) == pytest.approx(1 / (1 + 1 / math.log2(3)))


def test_the_mean_of_nothing_is_zero() -> None:
    assert mean([]) == 0.0
    assert mean([0.0, 1.0]) == 0.5


def test_a_split_is_judged_by_the_coin() -> None:
    assert sign_test(0, 0) == 1.0
    assert sign_test(3, 3) == 1.0
    # Five of five: 2 / 32.
    assert sign_test(5, 0) == 0.0625
    # Seven of eight: 2 * (1 + 8) / 256.
    assert sign_test(1, 7) == 0.0703125
