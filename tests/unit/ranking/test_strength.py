"""Answers of several projects compared."""

from hypothesis import given
from hypothesis import strategies as st

from code_indexer.ranking.strength import answer_strength, coverage, term_weights

shares = st.lists(st.floats(0, 1), max_size=5)


def test_a_rare_term_weighs_more() -> None:
    weights = term_weights({"token": 3, "return": 900}, 1000)

    assert weights["token"] > weights["return"] > 0


def test_coverage_is_the_weight_of_the_terms_that_are_there() -> None:
    assert coverage({"a"}, {"a": 3.0, "b": 1.0}) == 0.75
    assert coverage({"a"}, {}) == 0.0


def test_an_answer_that_holds_the_whole_query_is_stronger() -> None:
    assert answer_strength([1.0], [0.4]) > answer_strength([0.3], [0.5])


def test_a_definition_of_the_asked_name_is_as_strong_as_can_be() -> None:
    assert answer_strength([0.0], [0.0], has_definition=True) == 1.0


@given(shares, shares)
def test_a_strength_lies_between_nothing_and_one(
    covered: list[float], similar: list[float]
) -> None:
    assert 0 < answer_strength(covered, similar) <= 1
