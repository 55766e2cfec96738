"""The words and bounds of answers, from results made by hand."""

from code_indexer.core.results import SearchAnswer, SearchedProject, SymbolsFound
from code_indexer.errors import UsageError
from code_indexer.mcp_server.answers import more_places, search_answer, symbols_answer
from code_indexer.mcp_server.wording import for_agents
from code_indexer.mcp_server.worker import error_text
from code_indexer.types import Project, SearchHit

PROJECT = Project("/home/me/shop", "0123abcd", "shop", "idx_shop")


def answer(state="idle", coverage=1.0, percent=100, snippet="x = 1"):
    hit = SearchHit(PROJECT.root, "src/a.py", 1, 2, 0.5, "f", "function", "python", snippet)
    searched = SearchedProject(PROJECT, state, coverage, 0, percent)
    return search_answer(SearchAnswer("q", (hit,), "hybrid", (searched,)))


def test_a_complete_answer_says_nothing_of_completeness():
    found = answer()

    assert (found.structured["partial"], found.structured["percent"]) == (False, 100)
    assert found.text == ("project: /home/me/shop (shop)\n\nsrc/a.py:1-2 function f\nx = 1")


def test_missing_files_are_told_apart_from_missing_vectors():
    files = answer("partial", 1.0, 40)
    vectors = answer("partial", 0.25, 100)

    assert files.structured["percent"] == 40
    assert "partial: 40 % of the index was there" in files.text
    assert vectors.structured["percent"] == 25
    assert "partial: 25 % of the code has vectors" in vectors.text


def test_a_percentage_that_nobody_knows_is_left_out():
    found = answer("indexing", 1.0, None)

    assert found.structured["partial"] is True
    assert "percent" not in found.structured
    assert "partial: not all of the index was there" in found.text


def test_a_snippet_of_one_endless_line_is_cut_and_named():
    found = answer(snippet="x" * 5000)

    assert len(found.text) < 2000
    assert found.structured["cut"] == ["the end of the snippet of src/a.py:1-2"]


def test_a_question_without_end_is_not_given_back_whole():
    searched = SearchedProject(PROJECT, "idle", 1.0, 0, 100)
    unknown = symbols_answer(
        SymbolsFound("x" * 100_000, "exact", (), 0, 0, (), projects=(searched,))
    )
    error = error_text(UsageError("no such folder: " + "x" * 100_000, hint="Check it"))

    assert len(unknown.text) < 2000
    assert len(str(unknown.structured)) < 4000
    assert len(error) < 2000
    assert error.endswith("\nhint: Check it")


def test_a_larger_limit_is_suggested_only_where_there_is_one():
    assert more_places(1000, shown=25) == "975 of 1000 places; a larger limit shows more"
    assert "limit" not in more_places(1000, shown=200)


def test_what_is_unknown_is_left_out_of_the_structured_form():
    assert "also" not in answer().structured["results"][0]
    assert None not in answer().structured.values()


def test_messages_name_tools_and_arguments():
    said = {
        "Register it with: code-indexer add-project /a/b-c": "Register it with: add_project /a/b-c",
        "Run 'code-indexer reindex-project' on it": "Run 'reindex_project' on it",
        "Search again, or run reindex-project": "Search again, or run reindex_project",
        "Say which with --project": "Say which with project",
        "raise --limit to see them": "raise limit to see them",
        "choose another --index-root": "choose another --index-root",
        "/src/add-project.py is damaged": "/src/add-project.py is damaged",
    }

    assert {before: for_agents(before) for before in said} == said
