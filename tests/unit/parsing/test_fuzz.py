"""Damaged and random files of every language: never a crash, every line kept, places that exist."""

import pytest
from chunk_rules import assert_holds_every_line, assert_well_formed
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from source_samples import SAMPLES

from code_indexer.parsing.lines import split_lines
from code_indexer.parsing.parse import parse_file

languages = st.sampled_from(sorted(SAMPLES))
fragments = st.sampled_from(
    [
        "",
        "(",
        "}",
        "]]",
        '"',
        "'''",
        "/*",
        "#",
        "<",
        "{%",
        "\\",
        "\n\n",
        "\r\n",
        "\t",
        "é漢😀",
        "\x00",
        "\u2028",
        "if ",
        "class ",
        "def ",
        "@",
        "::",
        "=>",
        "#if X\n",
        "end\n",
        "(" * 300,
        "<a>" * 100,
        "- " * 100,
    ]
)
quick = settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def assert_parses(text, language):
    parsed = parse_file("folder/name", text, language)

    assert_well_formed(parsed.chunks)
    if language != "notebook":
        assert_holds_every_line(text, parsed.chunks)
    count = len(split_lines(text))
    for symbol in parsed.symbols:
        assert 1 <= symbol.start_line <= symbol.name_line <= symbol.end_line <= count
    for reference in parsed.references:
        assert 1 <= reference.line <= count
        assert reference.column >= 0
        assert reference.name


@quick
@given(st.data())
def test_damaged_sources_are_parsed(data):
    language = data.draw(languages)
    text = SAMPLES[language] * data.draw(st.integers(1, 3))
    for _ in range(data.draw(st.integers(0, 6))):
        start = data.draw(st.integers(0, len(text)))
        stop = data.draw(st.integers(start, min(len(text), start + 80)))
        text = text[:start] + data.draw(fragments) + text[stop:]

    assert_parses(text, language)


@quick
@given(st.binary(max_size=2_000), languages)
def test_random_bytes_are_parsed(data, language):
    assert_parses(data.decode("utf-8", "replace"), language)


@quick
@given(st.lists(fragments, max_size=60), languages)
def test_heaps_of_fragments_are_parsed(parts, language):
    assert_parses("".join(parts), language)


@quick
@given(st.data())
def test_sources_of_another_language_are_parsed(data):
    text = SAMPLES[data.draw(languages)]

    assert_parses(text, data.draw(languages))


@pytest.mark.parametrize("text", ["{" * 30_000, "x = " + "f(" * 40_000 + ")" * 40_000])
def test_a_tree_that_no_query_could_finish_is_not_asked(text):
    parsed = parse_file("name.js", text, "javascript")

    assert parsed.degraded == "time limit"
    assert_holds_every_line(text, parsed.chunks)


def test_a_comment_that_the_end_of_the_file_ends_does_not_hang_perl():
    assert len(parse_file("name.pl", "(é#)", "perl").chunks) == 1


def test_a_name_that_the_parser_adds_is_no_reference():
    parsed = parse_file("name.hcl", "-" * 100, "hcl")

    assert parsed.references == ()


@pytest.mark.parametrize(
    "text", ["- " * 2_000 + "a: 1\n", "".join(" " * depth + "a:\n" for depth in range(500))]
)
def test_odd_03_deep_yaml_does_not_end_the_process(text):
    assert_holds_every_line(text, parse_file("name.yaml", text, "yaml").chunks)
