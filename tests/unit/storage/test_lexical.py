"""Terms in, scored chunks out."""

import pytest
from storage_builders import make_rows, open_manifest

from code_indexer.storage.lexical import Weights, match_expression
from code_indexer.storage.rows import CHUNK_BITS
from code_indexer.types import LexicalRow


@pytest.fixture
def manifest(tmp_path):
    with open_manifest(tmp_path) as opened:
        yield opened


def _paths(manifest, terms, **options):
    found = manifest.lexical_match(terms, limit=options.pop("limit", 10), **options)
    rows = manifest.chunks_by_id([one.chunk_id for one in found])
    return [rows[one.chunk_id].path for one in found]


def test_more_and_rarer_terms_score_higher(manifest):
    manifest.write_files(
        [
            make_rows("common.py", ["read the file"]),
            make_rows("both.py", ["read the token"]),
            *(make_rows(f"f{number}.py", ["read"]) for number in range(8)),
            *(make_rows(f"g{number}.py", ["write"]) for number in range(12)),
        ]
    )

    assert ["both.py", "common.py"] == _paths(manifest, ["the", "token", "read"], limit=2)
    scores = [one.score for one in manifest.lexical_match(["token", "read"], limit=9)]
    assert sorted(scores, reverse=True) == scores
    assert scores[0] > 0


def test_weights_say_which_field_counts(manifest):
    other = [
        make_rows(f"f{n}.py", ["x"], terms=[LexicalRow("x", "x", "", "", "")]) for n in range(9)
    ]
    manifest.write_files(
        [
            make_rows("body.py", ["t"], terms=[LexicalRow("token", "x", "", "", "")]),
            make_rows("names.py", ["t"], terms=[LexicalRow("x", "token", "", "", "")]),
            *other,
        ]
    )

    assert "names.py" == _paths(manifest, ["token"], weights=Weights(body=1, names=5))[0]
    assert "body.py" == _paths(manifest, ["token"], weights=Weights(body=5, names=1))[0]


def test_only_the_given_files_are_searched(manifest):
    ids = manifest.write_files([make_rows(f"{name}.py", ["token"]) for name in "abc"])

    assert ["b.py"] == _paths(manifest, ["token"], file_ids={ids[1]})
    assert [] == _paths(manifest, ["token"], file_ids=set())


@pytest.mark.parametrize(
    "term",
    [
        "=get_user",
        "get_user",
        "$scope",
        "größe",
        "名前",
        "c++",
        "a.b",
        "x-y",
        "a:b",
        "ß",
        "__init__",
    ],
)
def test_a_term_is_found_whole_and_not_by_its_parts(manifest, term):
    manifest.write_files([make_rows("a.py", [f"before {term} after"])])

    assert ["a.py"] == _paths(manifest, [term])
    assert {term: 1, "get": 0, "user": 0, "a": 0} == manifest.document_frequencies(
        [term, "get", "user", "a"]
    )


@pytest.mark.parametrize(
    "term",
    ['"', '""', 'a"b', "*", "run*", "NEAR", "NEAR(a b)", "AND", "OR", "NOT", "-", "-run", "^run",
     "body:", "body : run", "(", ")", "{body}", "+", "\0", "", " ", "a\0b", "'", ";", "--", "\ud800"],
)  # fmt: skip
def test_nothing_in_a_term_is_an_operator(manifest, term):
    manifest.write_files([make_rows("a.py", ["run"])])

    assert [] == _paths(manifest, [term])


def test_a_word_that_is_an_operator_elsewhere_is_found(manifest):
    manifest.write_files([make_rows("a.py", ["near not and"]), make_rows("b.py", ["far"])])

    assert ["a.py"] == _paths(manifest, ["NOT"])


def test_a_question_of_a_thousand_terms_is_answered(manifest):
    manifest.write_files([make_rows("a.py", ["word999"]), make_rows("b.py", ["other"])])

    assert ["a.py"] == _paths(manifest, [f"word{number}" for number in range(1000)])


def test_no_terms_match_nothing(manifest):
    manifest.write_files([make_rows("a.py")])

    assert [] == manifest.lexical_match([], limit=5)
    assert "" == match_expression(["", "  "])


def test_every_chunk_has_its_own_terms(manifest):
    (file_id,) = manifest.write_files([make_rows("a.py", ["alpha", "beta"])])

    assert [file_id << CHUNK_BITS | 1] == [
        one.chunk_id for one in manifest.lexical_match(["beta"], limit=5)
    ]


def test_frequencies_fall_when_files_go(manifest):
    manifest.write_files([make_rows("a.py", ["token"]), make_rows("b.py", ["token token"])])
    before = manifest.document_frequencies(["token"])
    manifest.delete_files(["b.py"])

    assert ({"token": 2}, {"token": 1}) == (before, manifest.document_frequencies(["token"]))
