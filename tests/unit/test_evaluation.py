"""Scores of answers that are known: reading queries, matching places, comparing runs."""

import math

import pytest

from code_indexer.core.evaluation import (
    Evaluation,
    LabelledQuery,
    Target,
    compared,
    ndcg_by_query,
    read_earlier_run,
    read_queries,
    score_of,
)
from code_indexer.errors import UsageError
from code_indexer.types import SearchHit


def hit(path, start=1, end=10):
    return SearchHit("/p", path, start, end, 1.0, None, None, None, "")


def query(*places):
    return LabelledQuery("q", tuple(Target(*place) for place in places))


def test_queries_are_read_line_by_line():
    text = '\n{"query": " a ", "relevant": ["./x.py", "y.py:3-7", "z.py:4"], "id": 1}\r\n\n'

    assert read_queries(text) == [
        LabelledQuery("a", (Target("x.py"), Target("y.py", 3, 7), Target("z.py", 4, 4)))
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no queries"),
        ("{", "line 1 is not JSON"),
        ('{"query": "a", "relevant": ["x"]}\n[]', "line 2 has no query"),
        ('{"query": "", "relevant": ["x"]}', "line 1 has no query"),
        ('{"query": "a"}', "names nothing relevant"),
        ('{"query": "a", "relevant": "x.py"}', "names nothing relevant"),
        ('{"query": "a", "relevant": [3]}', "3 is not a place"),
        ('{"query": "a", "relevant": ["x.py:9-3"]}', "no range of lines"),
        ('{"query": "a", "relevant": ["x.py:0"]}', "no range of lines"),
    ],
)
def test_a_line_of_another_form_is_a_wrong_request(text, words):
    with pytest.raises(UsageError, match=words):
        read_queries(text)


def test_a_place_is_found_by_the_first_hit_that_shows_a_part_of_it():
    score = score_of(
        query(("a.py", 8, 20), ("b.py",), ("c.py", 11, 12)),
        [hit("c.py"), hit("a.py", 21, 30), hit("a.py", 1, 8), hit("b.py")],
        depth=10,
    )

    assert score.ranks == (3, 4, None)
    assert score.recall == pytest.approx(2 / 3)
    assert score.reciprocal_rank == pytest.approx(1 / 3)
    gained = 1 / math.log2(4) + 1 / math.log2(5)
    assert score.ndcg == pytest.approx(gained / (1 + 1 / math.log2(3) + 1 / math.log2(4)))


def test_an_absolute_path_is_the_same_place():
    assert score_of(query(("/p/a.py",)), [hit("a.py")], depth=10).ranks == (1,)
    assert score_of(query(("py",)), [hit("a.py")], depth=10).ranks == (None,)


def evaluation(**ndcg):
    scores = [
        score_of(
            LabelledQuery(text, (Target("a.py"),)),
            [hit("other.py")] * (rank - 1) + [hit("a.py")],
            depth=10,
        )
        for text, rank in ndcg.items()
    ]
    return Evaluation("hybrid", 10, tuple(scores))


def test_a_comparison_counts_what_changed():
    before = ndcg_by_query(evaluation(one=1, two=3, three=3))
    found = compared(evaluation(one=1, two=1, three=7, new=1), before, "before.json")

    comparison = found.comparison
    assert (comparison.better, comparison.worse, comparison.same) == (1, 1, 1)
    assert comparison.mean_before == pytest.approx((1 + 0.5 + 0.5) / 3)
    assert comparison.mean_after == pytest.approx((1 + 1 + 1 / 3) / 3)
    assert comparison.probability == 1.0
    assert found.warnings == ("1 queries are not in before.json",)


def test_runs_without_a_common_query_cannot_be_compared():
    with pytest.raises(UsageError, match="no query"):
        compared(evaluation(one=1), {"other": 1.0}, "before.json")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"queries": [{}], "depth": 10}'])
def test_what_is_no_earlier_run_is_a_wrong_request(text):
    with pytest.raises(UsageError, match="not the JSON of an evaluation"):
        read_earlier_run(text, depth=10)


def test_an_earlier_run_of_another_depth_is_a_wrong_request():
    with pytest.raises(UsageError, match="counted 5 hits"):
        read_earlier_run('{"depth": 5, "queries": []}', depth=10)
