"""The words and bounds of answers, from results made by hand."""

import json

import pytest

from code_indexer.core.results import (
    ProjectReference,
    ProjectStatus,
    ProjectSymbol,
    ReferencesFound,
    SearchAnswer,
    SearchedProject,
    SymbolsFound,
)
from code_indexer.errors import UsageError
from code_indexer.mcp_server.answers import (
    more_places,
    references_answer,
    search_answer,
    symbols_answer,
)
from code_indexer.mcp_server.project_answers import listed_answer, status_answer
from code_indexer.mcp_server.wording import for_agents
from code_indexer.mcp_server.worker import error_text
from code_indexer.navigation.references import FoundUse
from code_indexer.storage.structure import FoundReference, FoundSymbol
from code_indexer.types import Project, Reference, SearchHit, Symbol

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


def size(found):
    return len(json.dumps(found.structured, ensure_ascii=False))


def places(count, *, text="x", meanings=1):
    """References to a name, each in a place of its own."""
    symbol = Symbol("f", text, "function", 1, 2, 1, parent=text)
    meant = (FoundSymbol(1, "src/a.py", "python", "code", symbol),) * meanings
    uses = [
        FoundUse(
            FoundReference(2, f"src/part_{n}.py", "python", Reference("f", n, 0, "calls", text)),
            "exact",
            meant,
        )
        for n in range(count)
    ]
    return ReferencesFound(
        query="f",
        results=tuple(ProjectReference(PROJECT.root, use) for use in uses),
        total=count,
        by_relationship={"calls": count},
        by_confidence={"exact": count},
        definitions=tuple(ProjectSymbol(PROJECT.root, one) for one in meant),
        left_out=0,
        suggestions=(),
        projects=(SearchedProject(PROJECT, "idle", 1.0, 0, 100),),
    )


@pytest.mark.parametrize(("text", "meanings"), [("x", 1), ("x" * 250, 4), ("x" * 5000, 300)])
def test_the_structured_form_is_bounded_like_the_text_and_holds_the_same_places(text, meanings):
    found = references_answer(places(200, text=text, meanings=meanings))

    kept = len(found.structured["results"])
    assert size(found) < 60_000
    assert len(found.text) < 60_000
    assert found.text.count("src/part_") == kept
    if kept < 200:
        assert f"the last {200 - kept} results; narrow the question" in found.structured["cut"]
    assert all(f"cut: {what}" in found.text for what in found.structured["cut"])


def test_meanings_and_projects_beyond_the_first_are_counted_in_both_forms():
    found = references_answer(places(1, meanings=25))
    many = tuple(
        SearchedProject(Project(f"/p/{n}", f"{n:08x}", None, ""), "idle", 1.0, 0, 100)
        for n in range(500)
    )
    asked = search_answer(SearchAnswer("q", (), "hybrid", many, tuple(f"w{n}" for n in range(90))))

    assert found.structured["cut"] == [
        "5 more definitions of the name",
        "20 definitions that uses may mean",
    ]
    assert len(asked.structured["projects"]) == 20
    assert asked.structured["cut"] == ["480 more projects that were asked", "70 more warnings"]
    assert size(asked) < 10_000
    assert "cut: 480 more projects that were asked\n" in asked.text


def test_the_projects_that_something_was_found_in_are_named_first():
    many = [
        SearchedProject(Project(f"/p/{n}", f"{n:08x}", None, ""), "idle", 1.0, 0, 100)
        for n in range(30)
    ]
    hit = SearchHit("/p/29", "a.py", 1, 2, 0.5, "f", "function", "python", "x")

    found = search_answer(SearchAnswer("q", (hit,), "hybrid", tuple(many)))

    assert found.structured["projects"][0]["path"] == "/p/29"


def test_a_hundred_hits_with_long_snippets_are_bounded_in_both_forms():
    hits = tuple(
        SearchHit(PROJECT.root, f"a{n}.py", 1, 2, 0.5, "f", "function", "python", "x\n" * 2000)
        for n in range(100)
    )
    searched = SearchedProject(PROJECT, "idle", 1.0, 0, 100)

    found = search_answer(SearchAnswer("q", hits, "hybrid", (searched,)))

    assert size(found) < 60_000
    assert found.structured["cut"][5:] == [
        "the ends of the snippets of 4 more hits",
        (
            "the snippets of the last 91 hits; read them with get_code_context,"
            " or ask with a smaller limit"
        ),
    ]


def test_a_status_names_some_files_of_each_list_and_counts_the_others():
    status = ProjectStatus(
        PROJECT,
        "idle",
        failed_files=tuple((f"f{n}.py", "x" * 5000) for n in range(500)),
        refused_chunks=tuple((f"r{n}.py", 1, 2, "too long") for n in range(500)),
        last_pass={"scanned": 1, "failed": {f"f{n}.py": "x" * 5000 for n in range(500)}},
    )

    found = status_answer(status, [])

    assert size(found) < 20_000
    assert found.structured["cut"] == [
        "480 more failed files; code-indexer index-status names them",
        "480 more refused chunks; code-indexer index-status names them",
    ]


def test_a_list_of_projects_is_bounded_in_both_forms():
    root = "/home/me/" + "deep/" * 60
    statuses = [
        ProjectStatus(Project(f"{root}{n}", f"{n:08x}", None, ""), "idle") for n in range(300)
    ]

    found = listed_answer(statuses)

    kept = len(found.structured["projects"])
    assert kept < 200
    assert max(size(found), len(found.text)) < 45_000
    assert found.structured["cut"] == [
        "100 more projects; lookup_project finds one by its path",
        f"the last {200 - kept} projects; lookup_project finds one by its path",
    ]


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
        "Name a folder: code-indexer search QUERY --project .": (
            "Name a folder: semantic_search with its absolute path as project"
        ),
        "raise --limit to see them": "raise limit to see them",
        "choose another --index-root": "choose another --index-root",
        "/src/add-project.py is damaged": "/src/add-project.py is damaged",
    }

    assert {before: for_agents(before) for before in said} == said
