from hypothesis import given
from hypothesis import strategies as st

from code_indexer.parsing.lines import CAP, FULL
from code_indexer.parsing.partition import FORCED, FREE, cut_lines

line_lists = st.lists(st.integers(0, 400).map("x".__mul__), min_size=1, max_size=80)


@given(line_lists, st.dictionaries(st.integers(-3, 90), st.floats(0, 1), max_size=40))
def test_spans_hold_all_lines_and_keep_the_cap(lines, cuts):
    spans = cut_lines(lines, cuts)

    assert [row for span in spans for row in span] == list(range(len(lines)))
    assert all(span for span in spans)
    for span in spans:
        size = sum(len(lines[row]) + 1 for row in span) - 1
        assert size <= CAP or len(span) == 1


def test_what_fits_stays_together():
    assert cut_lines(["x" * 90] * 10, dict.fromkeys(range(10), FREE)) == [range(10)]


def test_a_free_place_is_preferred_to_an_unknown_one():
    lines = ["x" * 99] * 16

    assert cut_lines(lines, {7: FREE}) == [range(7), range(7, 16)]


def test_a_cheap_place_is_preferred_to_a_dear_one():
    lines = ["x" * 99] * 16

    assert cut_lines(lines, {8: 0.6, 9: 0.1}) == [range(9), range(9, 16)]


def test_a_unit_below_the_cap_stays_whole():
    lines = ["x" * 99] * 18

    assert FULL < 900 < CAP
    assert cut_lines(lines, {4: 0.6, 9: FREE, 13: 0.6}) == [range(9), range(9, 18)]


def test_a_forced_cut_is_made_however_small_the_spans():
    assert cut_lines(["a", "b", "c"], {1: FORCED}) == [range(1), range(1, 3)]


def test_two_units_of_a_good_size_stay_apart():
    assert cut_lines(["x" * 99] * 12, {6: FREE}) == [range(6), range(6, 12)]


def test_small_units_are_put_together():
    lines = ["x" * 49] * 40

    spans = cut_lines(lines, dict.fromkeys(range(0, 40, 2), FREE))

    assert min(len(span) for span in spans) * 50 >= CAP // 2
