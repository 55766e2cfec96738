"""Arguments as clients really send them."""

import pytest

from code_indexer.errors import UsageError
from code_indexer.mcp_server.arguments import checked_arguments
from code_indexer.mcp_server.tools import TOOLS

SEARCH = TOOLS["semantic_search"]
REFERENCES = TOOLS["find_references"]
CONTEXT = TOOLS["get_code_context"]


def refusal(tool, given):
    with pytest.raises(UsageError) as caught:
        checked_arguments(tool, given)
    return f"{caught.value.message}. {caught.value.hint}"


def test_defaults_are_filled_in():
    assert checked_arguments(SEARCH, {"query": "x"}) == {"query": "x", "limit": 8}


@pytest.mark.parametrize("value", [3, "3", " 3 ", "+3", 3.0, "3.0"])
def test_a_whole_number_may_come_as_text_or_as_a_float(value):
    assert checked_arguments(SEARCH, {"query": "x", "limit": value})["limit"] == 3


@pytest.mark.parametrize("value", [0, -1, "-1", True, 2.5, "many", [3], {}, "9" * 40])
def test_what_is_no_number_in_range_is_refused_with_what_it_takes(value):
    assert "It takes a whole number from 1" in refusal(SEARCH, {"query": "x", "limit": value})


@pytest.mark.parametrize("value", [None, "", "  "])
def test_null_and_empty_text_leave_an_optional_argument_open(value):
    given = {"query": "x", "project": value, "file_filter": value, "limit": None}

    assert checked_arguments(SEARCH, given) == {"query": "x", "limit": 8}


def test_a_missing_argument_is_named_with_all_that_the_tool_takes():
    message = refusal(CONTEXT, {})

    assert "get_code_context needs the argument 'file'" in message
    assert "start_line (optional)" in message


def test_an_unknown_argument_is_named_with_the_one_that_was_meant():
    assert "Did you mean 'limit'?" in refusal(SEARCH, {"query": "x", "limits": 3})


@pytest.mark.parametrize("value", [5, ["x"], {"a": 1}, False])
def test_text_has_to_be_text(value):
    assert "It takes text" in refusal(SEARCH, {"query": value})


def test_a_choice_is_taken_in_any_letter_case_and_nothing_else_is():
    given = checked_arguments(REFERENCES, {"name": "x", "relationship": " Calls "})

    assert given["relationship"] == "calls"
    assert "one of calls, inherits" in refusal(REFERENCES, {"name": "x", "relationship": "uses"})


def test_a_long_wrong_value_is_not_repeated_whole():
    assert len(refusal(SEARCH, {"query": "x", "limit": "9" * 100_000})) < 400
