from hypothesis import given
from hypothesis import strategies as st

from code_indexer.parsing.lines import split_lines
from code_indexer.parsing.parse import parse_file
from code_indexer.parsing.plain_prose import asciidoc_headings, rst_headings


def rst(text):
    return [(each.row + 1, each.depth, each.title) for each in rst_headings(split_lines(text))]


def asciidoc(text):
    return [(each.row + 1, each.depth, each.title) for each in asciidoc_headings(split_lines(text))]


def test_the_order_of_styles_gives_the_depth_in_restructured_text():
    text = "=====\nTitle\n=====\n\nPart\n====\n\ntext\n\nSmall\n-----\n\nOther\n=====\n"

    assert rst(text) == [(1, 1, "Title"), (5, 2, "Part"), (10, 3, "Small"), (13, 2, "Other")]


def test_what_only_looks_like_a_heading_of_restructured_text_is_none():
    text = "text\n\n-----\n\nmore\ntext\n....\n\n::\n\n    code\n    ----\n\n+---+\n| a |\n+---+\n"

    assert rst(text) == []


def test_roles_and_marks_are_left_out_of_a_title():
    assert rst("The :class:`Foo` and ``bar``\n============================\n") == [
        (1, 1, "The Foo and bar")
    ]


def test_headings_of_asciidoc_are_found_outside_of_listings():
    assert asciidoc("= Title\n\n----\n= no\n----\n\n=== Deep one\n\n======\n= in an example\n") == [
        (1, 1, "Title"),
        (7, 3, "Deep one"),
        (10, 1, "in an example"),
    ]


def test_chunks_have_the_name_of_their_section():
    body = "Words that make a line of prose.\n" * 22
    chunks = parse_file(
        "a.rst", f"Title\n=====\n\n{body}\nMore\n----\n\n{body}", "restructuredtext"
    ).chunks

    assert [chunk.symbol for chunk in chunks] == ["Title", "Title > More"]


@given(st.text(alphabet="=-~ \n\ta1`:*", max_size=300))
def test_headings_lie_in_the_text(text):
    lines = split_lines(text)

    for found in (rst_headings(lines), asciidoc_headings(lines)):
        rows = [heading.row for heading in found]
        assert rows == sorted(set(rows))
        assert all(0 <= row < len(lines) for row in rows)
