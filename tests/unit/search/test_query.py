"""Reading queries."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from code_indexer.ranking.question import NamedSymbol, PathMention
from code_indexer.search.query import read_query


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("Session", "identifier"),
        ("get_user_by_id", "identifier"),
        ("Session.close", "identifier"),
        ("std::vector", "identifier"),
        ("refresh()", "identifier"),
        ("src/app/session.py", "path"),
        ("session.py:12", "path"),
        ('"connection reset by peer"', "literal"),
        ("TypeError: cannot read properties of undefined", "error"),
        ("ENOENT: no such file or directory", "error"),
        ('File "app/session.py", line 12, in close', "frame"),
        ("    at Session.close (src/session.js:10:5)", "frame"),
        ("where does refreshToken get called", "mixed"),
        ("how is the token refreshed", "prose"),
        ("connection pooling", "prose"),
    ],
)
def test_the_shape_of_a_query(text: str, shape: str) -> None:
    assert read_query(text).shape == shape


def test_a_name_alone_is_certain() -> None:
    assert read_query("HttpSession").names == (NamedSymbol("HttpSession", None, 1.0),)


@pytest.mark.parametrize(
    "text", ["class Session", "def refresh", "Session class", "struct Session", "fn refresh()"]
)
def test_a_declaration_is_its_name(text: str) -> None:
    (named,) = read_query(text).names

    assert (named.name.lower() in ("session", "refresh"), named.certainty) == (True, 1.0)
    assert read_query(text).shape == "identifier"


@pytest.mark.parametrize("text", ["class hierarchy", "abstract class", "type checking"])
def test_words_about_code_are_no_declaration(text: str) -> None:
    assert read_query(text).shape == "prose"


def test_a_qualified_name_keeps_its_qualifier() -> None:
    assert read_query("http::Session#close").names == (NamedSymbol("close", "Session", 1.0),)


def test_a_word_alone_may_be_a_name() -> None:
    (named,) = read_query("session").names

    assert named.name == "session"
    assert 0 < named.certainty < 1


def test_names_in_a_sentence_are_found() -> None:
    names = [named.name for named in read_query("who calls refreshToken or get_user?").names]

    assert names == ["refreshToken", "get_user"]


def test_a_stack_frame_gives_file_and_line() -> None:
    (mention,) = read_query('File "app/session.py", line 12, in close').paths

    assert (mention.path, mention.line) == ("app/session.py", 12)


def test_a_path_in_a_sentence_is_found() -> None:
    assert read_query("what does src/app/session.py do").paths == (
        PathMention("src/app/session.py"),
    )


@pytest.mark.parametrize("text", ["e.g. a list", "example.com timeout", "what is this."])
def test_a_dot_makes_no_path(text: str) -> None:
    assert read_query(text).paths == ()


def test_what_stands_in_quotation_marks_is_a_literal() -> None:
    assert read_query('where is "no such user" raised').literals == ("no such user",)


def test_a_query_can_ask_for_tests() -> None:
    assert "test" in read_query("tests of the session").wants
    assert read_query("how the session works").wants == frozenset()


@pytest.mark.parametrize(
    "query",
    [
        "how do I install this",
        "how can we upgrade to version 3",
        "upgrade guide",
        "how to set up a development environment",
        "frequently asked questions",
        "coding style",
        "report a security vulnerability",
        "how do I cut a release",
    ],
)
def test_a_question_to_the_documentation_is_known(query: str) -> None:
    assert read_query(query).content == "docs"


@pytest.mark.parametrize(
    "query",
    [
        "github actions node versions",
        "phpunit configuration",
        "cmake option for shared libraries",
        "which crates does it depend on",
        "dependencies of the server",
        "docker image of the worker",
    ],
)
def test_a_question_about_settings_is_known(query: str) -> None:
    assert read_query(query).content == "config"


@pytest.mark.parametrize(
    "query",
    [
        "how is the token refreshed",
        "how to validate the arguments of a function",
        "release the lock after an upgrade of the connection",
        "where are database migrations run",
        "installs signal handlers",
        "documents are split here",
        "how are dependency graphs sorted",
        "build the options of a request",
    ],
)
def test_a_question_about_code_is_no_question_to_the_documentation_or_the_settings(
    query: str,
) -> None:
    assert read_query(query).content == "code"


@given(st.text(st.characters(codec=None), max_size=200))
def test_any_text_is_a_query(text: str) -> None:
    question = read_query(text)

    assert set(question.words) <= set(question.terms) or not question.words
