"""Terms of texts, queries and paths."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from code_indexer.ranking.stems import stem
from code_indexer.ranking.terms import document_terms, other_notations, query_terms, word_terms


@pytest.mark.parametrize(
    "spelling", ["getUserById", "get_user_by_id", "GetUserByID", "get-user-by-id"]
)
def test_the_spellings_of_an_identifier_share_its_parts(spelling: str) -> None:
    assert document_terms(spelling).split()[:4] == ["get", "user", "by", "id"]


def test_a_whole_identifier_is_a_term_of_its_own() -> None:
    assert "getuserbyid" in document_terms("x = getUserById(1)").split()
    assert "getuserbyid" in query_terms("where is get_user_by_id called")


def test_a_run_of_capitals_ends_before_the_next_word() -> None:
    assert document_terms("XMLHttpRequest2") == "xml http request 2 xmlhttprequest2"


@pytest.mark.parametrize(
    "group",
    [
        "alias aliases",
        "utility utilities utils util",
        "implementation implements impl",
        "route routes routing router routed",
        "class classes",
        "status statuses",
        "schema schemas",
        "api apis",
        "filter filters filtering filtered",
        "configure configuration config",
        "cache caches caching cached",
        "query queries",
        "run runs running runner",
        "register registered registration registry",
    ],
)
def test_forms_of_a_word_share_a_stem(group: str) -> None:
    assert len({stem(word) for word in group.split()}) == 1


@pytest.mark.parametrize("pair", ["string sting", "class clause", "status state", "canvas can"])
def test_different_words_keep_different_stems(pair: str) -> None:
    one, other = pair.split()

    assert stem(one) != stem(other)


def test_words_that_say_nothing_are_left_out_of_a_query() -> None:
    assert query_terms("how is the token refreshed") == ["token", "refresh"]


def test_a_query_of_nothing_but_such_words_keeps_them() -> None:
    assert query_terms("what is this") == ["what", "is", "this"]


def test_accents_do_not_matter() -> None:
    assert query_terms("café Größe") == query_terms("cafe\u0301 grosse")


def test_text_without_blanks_becomes_pairs_of_characters() -> None:
    assert document_terms("検索する") == "検索 索す する"
    assert query_terms("検索") == ["検索"]


def test_words_of_other_alphabets_are_kept_whole() -> None:
    assert query_terms("Привет 검색") == ["привет", "검색"]


def test_a_name_is_written_in_other_notations() -> None:
    assert other_notations("expect_json") == ("expectjson", "expect-json")
    assert other_notations("HTTPServer") == ("http_server", "http-server")
    assert other_notations("run") == ()


def test_word_terms_leave_whole_identifiers_out() -> None:
    assert word_terms("userToken") == ["user", "token"]


@given(st.text(st.characters(codec=None)))
def test_a_text_is_found_by_its_own_words(text: str) -> None:
    assert set(query_terms(text)) <= set(document_terms(text).split())


@given(st.text(st.characters(codec=None)))
def test_terms_hold_letters_digits_and_nothing_else(text: str) -> None:
    assert all(term.isalnum() for term in query_terms(text))


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", max_size=20))
def test_a_stem_is_never_empty(word: str) -> None:
    assert bool(stem(word)) == bool(word)
