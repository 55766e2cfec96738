"""Runs of the query's words that stand together in a chunk."""

from pathlib import Path

import pytest
from search_projects import SearchableProject

from code_indexer.search.phrases import phrase_shares, spans_of
from code_indexer.search.query import read_query


def shares(project: SearchableProject, query: str) -> dict[str, float]:
    """Of each path the largest share, in hundredths."""
    spans = spans_of(read_query(query))
    frequencies = project.manifest.document_frequencies({t for span in spans for t in span.terms})
    found = phrase_shares(project.manifest, spans, frequencies, None)
    places = project.manifest.chunk_places(found)
    return {places[chunk_id].path: round(share, 2) for chunk_id, share in found.items()}


@pytest.mark.parametrize(
    ("query", "runs"),
    [
        ("where are idle connections closed", [4]),
        ("pool exhausted after 30 seconds", [3]),
        ("Error: pool exhausted", [3]),
        ("first line of it\nsecond line of it", [4, 4]),
        ("take_connection", []),
        ("if (index == value.lastIndexOf(sign)) {", [3]),
        ("src/pool.py", []),
        ("two words", []),
    ],
)
def test_a_message_needs_fewer_words_in_a_row(query: str, runs: list[int]) -> None:
    assert [span.run for span in spans_of(read_query(query))] == runs


def test_of_a_trace_only_what_names_no_place_is_looked_for() -> None:
    trace = (
        'Traceback (most recent call last):\n  File "a.py", line 3, in go\nKeyError: no such key'
    )
    spans = spans_of(read_query(trace))

    assert [" ".join(span.terms) for span in spans] == [
        "traceback most recent call last",
        "key error keyerror no such key",
    ]


def test_values_of_a_message_do_not_lessen_its_share(tmp_path: Path) -> None:
    files = {
        "copy.c": 'int copy() {\n  fail("missing timestamp for file %s", name);\n}\n',
        "data.c": 'int pg_data(int pg_version) {\n  return error(29, "data of 3 in pg");\n}\n',
    }
    project = SearchableProject(tmp_path, files)
    printed = "missing timestamp for file 'pg_data/PG_VERSION' [029] in /var/pg/data"

    assert shares(project, printed)["copy.c"] > 0.7


def test_words_that_the_project_does_not_have_are_values_and_not_counted(tmp_path: Path) -> None:
    source = 'def take():\n    raise Full(f"pool {name} is exhausted now")\n'
    project = SearchableProject(tmp_path, {"pool.py": source, "other.py": "def exhausted(): 1\n"})

    assert shares(project, "pool 'blue' is exhausted now")["pool.py"] > 0.5
    assert "other.py" not in shares(project, "pool 'blue' is exhausted now")


def test_the_whole_query_in_one_place_is_a_share_of_one(tmp_path: Path) -> None:
    source = "def take():\n    # all idle connections are busy\n    wait()\n"
    project = SearchableProject(tmp_path, {"pool.py": source})

    assert shares(project, "all idle connections are busy") == {"pool.py": 1.0}


def test_what_stands_everywhere_tells_nothing(tmp_path: Path) -> None:
    files = {f"m{n}.py": f"def f_{n}():\n    # see the licence file\n    go()\n" for n in range(40)}
    project = SearchableProject(tmp_path, files)

    assert shares(project, "see the licence file") == {}
