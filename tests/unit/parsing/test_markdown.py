from hypothesis import given
from hypothesis import strategies as st

from code_indexer.parsing.lines import split_lines
from code_indexer.parsing.markdown import markdown_headings, prose_rows
from code_indexer.parsing.parse import parse_file
from code_indexer.parsing.prose import section_cuts, sections


def headings(text):
    return [(each.row + 1, each.depth, each.title) for each in markdown_headings(split_lines(text))]


def chunks_of(text):
    return parse_file("README.md", text, "markdown").chunks


def test_marked_and_underlined_headings_are_found():
    text = "# One\n\ntext\n\n### Three ###\n\nFirst\n=====\n\nSecond\n---\n"

    assert headings(text) == [(1, 1, "One"), (5, 3, "Three"), (7, 1, "First"), (10, 2, "Second")]


def test_marks_are_left_out_of_a_title():
    assert headings("## The `Foo` of [bar](http://x.y) **now** {#id}\n") == [
        (1, 2, "The Foo of bar now")
    ]


def test_what_only_looks_like_a_heading_is_none():
    text = "#tag\n\n---\n\n- item\n---\n\n| a | b |\n|---|---|\n\n    # code\n"

    assert headings(text) == []


def test_code_in_fences_has_no_headings():
    text = "```sh\n# no\n```\n\n~~~~\n# no\n~~~\n# no\n~~~~\n\n1. item\n   ```\n   # no\n   ```\n\n# yes\n"

    assert headings(text) == [(16, 1, "yes")]


def test_front_matter_has_no_headings():
    assert headings("---\ntitle: x\n# no\n---\n# yes\n") == [(5, 1, "yes")]


def test_a_code_span_of_three_backquotes_opens_no_fence():
    assert headings("```code``` text\n\n# yes\n") == [(3, 1, "yes")]


def test_sections_are_named_by_the_headings_above_them():
    lines = split_lines("# A\n## B\ntext\n### C\n## D\n# E\n")
    found = sections(markdown_headings(lines), len(lines))

    assert [(each.qualified_name, each.start_line, each.end_line) for each in found] == [
        ("A", 1, 5),
        ("A > B", 2, 4),
        ("A > B > C", 4, 4),
        ("A > D", 5, 5),
        ("E", 6, 6),
    ]


def test_a_small_document_is_one_chunk():
    (chunk,) = chunks_of("# Title\n\nText.\n\n## More\n\nText.\n")

    assert (chunk.start_line, chunk.end_line, chunk.symbol, chunk.kind) == (
        1,
        7,
        "Title",
        "section",
    )


def test_sections_of_a_good_size_are_a_chunk_each():
    body = "Words that make a line of prose.\n" * 22
    chunks = chunks_of(f"# Title\n\n{body}\n## More\n\n{body}")

    assert [chunk.symbol for chunk in chunks] == ["Title", "Title > More"]
    assert [chunk.text.split("\n")[0] for chunk in chunks] == ["# Title", "## More"]


def test_a_long_section_is_cut_between_paragraphs():
    paragraph = "Words that make a line of prose.\n" * 5
    chunks = chunks_of("# Title\n\n" + "\n".join([paragraph] * 20))

    assert {chunk.symbol for chunk in chunks} == {"Title"}
    assert all(chunk.text.startswith(("# Title", "Words")) for chunk in chunks)
    assert all(chunk.text.count("Words") % 5 == 0 for chunk in chunks)


def test_code_in_a_fence_stays_with_its_section_and_can_be_found():
    parsed = parse_file(
        "README.md", "# Use\n\n```python\ndef example():\n    pass\n```\n", "markdown"
    )

    assert [(each.kind, each.name, each.name_line) for each in parsed.symbols] == [
        ("section", "Use", 1),
        ("function", "example", 4),
    ]
    assert "def example" in parsed.chunks[0].text


@given(st.text(alphabet="#-=`~>|+ \n\ta1.*[](){}", max_size=400))
def test_headings_and_cuts_lie_in_the_text(text):
    lines = split_lines(text)
    found = markdown_headings(lines)

    rows = [heading.row for heading in found]
    assert rows == sorted(set(rows))
    assert set(section_cuts(lines, found, prose_rows(lines))) <= set(range(len(lines)))
    assert all(
        1 <= each.start_line <= each.end_line <= len(lines) for each in sections(found, len(lines))
    )
