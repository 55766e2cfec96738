"""The drop in a page of scores."""

import pytest

from code_indexer.ranking.confidence import Drop, adaptive_count, confidence, largest_drop


def test_the_largest_relative_drop_is_found() -> None:
    assert largest_drop([1.0, 0.9, 0.3, 0.25]) == Drop(kept=2, size=pytest.approx(2 / 3))


def test_of_equal_drops_the_first_counts() -> None:
    assert largest_drop([1.0, 0.5, 0.25]) == Drop(kept=1, size=0.5)


@pytest.mark.parametrize("scores", [[], [0.7], [0.5, 0.5, 0.5], [0.0, 0.0]])
def test_without_a_fall_there_is_no_drop(scores: list[float]) -> None:
    assert largest_drop(scores) is None
    assert confidence(scores) == "low"
    assert adaptive_count(scores) == len(scores)


def test_the_scale_of_the_scores_has_no_part_in_it() -> None:
    scores = [0.9, 0.8, 0.4, 0.39]

    assert largest_drop(scores) == largest_drop([score / 8 for score in scores])


def test_a_score_below_zero_is_a_whole_drop_at_most() -> None:
    assert largest_drop([0.5, -2.0]) == Drop(kept=1, size=1.0)


def test_hits_that_stand_out_are_trusted() -> None:
    assert confidence([1.0, 0.6, 0.59]) == "high"


def test_scores_that_fall_slowly_are_not_trusted() -> None:
    assert confidence([1.0, 0.95, 0.91, 0.88]) == "low"


def test_the_page_is_cut_at_the_drop() -> None:
    assert adaptive_count([1.0, 0.95, 0.4, 0.35, 0.3]) == 2


def test_a_drop_in_the_tail_means_nothing() -> None:
    assert largest_drop([1.0] * 12 + [0.1]) is None
