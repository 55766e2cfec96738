"""What clients see of the tools: names, arguments, schemas, hints."""

from pathlib import Path

import anyio
import jsonschema
import pytest
from mcp.client import Client

from code_indexer.mcp_server.operations import OPERATIONS
from code_indexer.mcp_server.server import build_server
from code_indexer.mcp_server.tools import TOOLS

ARGUMENTS = {
    "semantic_search": ["query*", "project", "limit=8", "file_filter"],
    "find_definition": ["name*", "project"],
    "find_references": ["name*", "project", "relationship", "limit=25"],
    "find_symbol": ["name*", "project", "symbol_type"],
    "find_similar": ["place*", "project", "limit=8"],
    "get_code_context": [
        "file*",
        "project",
        "start_line",
        "end_line",
        "symbol",
        "context_lines=0",
    ],
    "index_status": ["path*"],
    "list_projects": [],
    "lookup_project": ["path*"],
    "add_project": ["path*", "name"],
    "reindex_project": ["path*"],
    "remove_project": ["path*"],
}
KNOWN_KEYWORDS = {
    "type",
    "properties",
    "required",
    "additionalProperties",
    "description",
    "default",
    "enum",
    "minimum",
    "items",
}


async def never(tool, arguments, report):
    raise AssertionError("nothing is called here")


@pytest.fixture(params=["auto", "legacy"])
def listed(request):
    async def body():
        async with Client(build_server(never), mode=request.param) as client:
            return (await client.list_tools()).tools

    return anyio.run(body)


def arguments_of(schema):
    words = []
    for name, each in schema["properties"].items():
        mark = "*" if name in schema["required"] else ""
        default = f"={each['default']}" if "default" in each else ""
        words.append(f"{name}{mark}{default}")
    return words


def schemas_within(schema):
    yield schema
    for name, value in schema.items():
        if name == "properties":
            for each in value.values():
                yield from schemas_within(each)
        elif name in ("items", "additionalProperties") and isinstance(value, dict):
            yield from schemas_within(value)


def test_the_tools_and_their_arguments_are_those_promised(listed):
    assert {tool.name: arguments_of(tool.input_schema) for tool in listed} == ARGUMENTS


def test_every_tool_has_an_operation_and_the_other_way_round():
    assert set(OPERATIONS) == set(TOOLS)


def test_schemas_are_valid_and_use_only_keywords_that_every_client_knows(listed):
    for tool in listed:
        for schema in (tool.input_schema, tool.output_schema):
            jsonschema.Draft202012Validator.check_schema(schema)
            for each in schemas_within(schema):
                assert set(each) <= KNOWN_KEYWORDS
                assert isinstance(each["type"], str)


def test_inputs_allow_nothing_unknown_and_describe_every_argument(listed):
    for tool in listed:
        assert tool.input_schema["additionalProperties"] is False
        assert all(each["description"] for each in tool.input_schema["properties"].values())


def test_only_what_changes_projects_is_not_read_only_and_only_removal_destroys(listed):
    writing = {tool.name for tool in listed if not tool.annotations.read_only_hint}
    destroying = {tool.name for tool in listed if tool.annotations.destructive_hint}

    assert writing == {"add_project", "reindex_project", "remove_project"}
    assert destroying == {"remove_project"}
    assert all(tool.annotations.idempotent_hint for tool in listed)
    assert not any(tool.annotations.open_world_hint for tool in listed)


def test_descriptions_are_short_enough_to_be_read_by_a_model_at_every_turn(listed):
    assert all(tool.title and len(tool.description) < 700 for tool in listed)


def test_the_whole_list_costs_a_model_few_tokens(listed):
    sizes = [len(tool.model_dump_json(by_alias=True, exclude_none=True)) for tool in listed]

    assert sum(sizes) < 24_000


def test_the_server_says_who_it_is_and_when_to_use_which_tool():
    async def body():
        async with Client(build_server(never)) as client:
            return client.server_info, client.instructions

    info, instructions = anyio.run(body)

    assert info.name == "code-indexer"
    assert info.version
    assert all(
        tool in instructions
        for tool in ("semantic_search", "find_definition", "find_references", "get_code_context")
    )


def test_the_page_about_the_server_names_every_tool_with_its_arguments():
    page = Path(__file__).parents[2].joinpath("docs/mcp.md").read_text(encoding="utf-8")
    rows = {
        cells[1].strip(" `"): cells[2]
        for line in page.splitlines()
        if line.startswith("| `") and len(cells := line.split("|")) == 5
    }

    for tool, arguments in ARGUMENTS.items():
        named = [word.strip(" `?") for word in rows[tool].split(",") if word.strip()]
        assert named == [argument.rstrip("*") for argument in arguments]
