"""Signals in words."""

import re
from pathlib import Path

from code_indexer.ranking import rank
from code_indexer.ranking.explanations import REASONS, explanation, reasons, sources
from code_indexer.search import pipeline

SIGNALS = (("path", 0.6), ("lexical", 0.01), ("dense", 0.02), ("file name", 0.3))


def test_a_hit_says_where_it_came_from() -> None:
    assert sources(SIGNALS) == ["words", "meaning"]
    assert sources((("mention", 1.0), ("file name", 0.1))) == ["path"]


def test_what_was_added_most_comes_first_and_factors_last() -> None:
    assert [reason.stage for reason in reasons(SIGNALS)] == [
        "file name",
        "dense",
        "lexical",
        "path",
    ]


def test_the_explanation_is_a_paragraph() -> None:
    assert explanation(0.33, SIGNALS) == [
        "score 0.3300, found by words, meaning",
        "   +0.3000  the file's name has words of the query [file name]",
        "   +0.0200  is close to the query in meaning [dense]",
        "   +0.0100  holds words of the query [lexical]",
        "     ×0.60  kind of file (test, example, vendored, generated, legacy) [path]",
    ]


def test_a_stage_without_words_is_named() -> None:
    assert explanation(1.0, (("new stage", 1.0),))[1].endswith("new stage [new stage]")


def test_every_stage_of_the_ranking_has_words() -> None:
    source = Path(rank.__file__).read_text() + Path(pipeline.__file__).read_text()
    stages = set(
        re.findall(r"(?:board\.(?:add|scale)|^ +)\(\s*\"([a-z ]+)\",", source, re.MULTILINE)
    )

    assert stages | {"lexical", "dense"} == REASONS.keys()
