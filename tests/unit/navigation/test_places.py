"""A path and its lines in one word."""

import pytest

from code_indexer.navigation.places import Place, parse_place


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("src/a.py:3", ("src/a.py", 3, 3)),
        ("src/a.py:3-9", ("src/a.py", 3, 9)),
        ("src/a.py:3:14", ("src/a.py", 3, 3)),
        ("C:/shop/a.py:3", ("C:/shop/a.py", 3, 3)),
        ("a:1.py:2", ("a:1.py", 2, 2)),
    ],
)
def test_a_place_is_read_as_answers_compilers_and_grep_print_it(text, place):
    assert Place(*place) == parse_place(text)


@pytest.mark.parametrize("text", ["", "a.py", "a.py:", ":3", "a.py:0", "a.py:-1", "a::3", "a.py:٣"])
def test_anything_else_is_none(text):
    assert parse_place(text) is None
