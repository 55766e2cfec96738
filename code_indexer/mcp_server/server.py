"""The MCP server: which tools there are, and how a call of one is answered."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from code_indexer import __version__
from code_indexer.errors import UsageError
from code_indexer.mcp_server.arguments import Arguments, checked_arguments
from code_indexer.mcp_server.calls import Reply, ReportShare
from code_indexer.mcp_server.tools import INSTRUCTIONS, TOOLS, Tool
from code_indexer.mcp_server.wording import bounded

Call: TypeAlias = Callable[[str, Arguments, ReportShare], Awaitable[Reply]]
"""Runs a tool."""


def build_server(call: Call) -> Server[dict[str, Any]]:
    """A server that answers with what *call* gives."""
    listed = types.ListToolsResult(tools=[_described(tool) for tool in TOOLS.values()])

    async def list_tools(
        context: ServerRequestContext[dict[str, Any]], params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        del context, params
        return listed

    async def call_tool(
        context: ServerRequestContext[dict[str, Any]], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        tool = TOOLS.get(params.name)
        if tool is None:
            raise MCPError(
                code=types.INVALID_PARAMS,
                message=f"no tool is called {bounded(repr(params.name))}; there are:"
                f" {', '.join(TOOLS)}",
            )
        try:
            arguments = checked_arguments(tool, params.arguments)
        except UsageError as error:
            return _error(f"error: {error.message}\nhint: {error.hint}")
        return _result(await call(tool.name, arguments, _reporter(context)))

    return Server(
        "code-indexer",
        version=__version__,
        title="code-indexer",
        description="Local code search that is never stale",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _described(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=tool.output,
        annotations=types.ToolAnnotations(
            title=tool.title,
            read_only_hint=tool.reads_only,
            destructive_hint=tool.destroys,
            idempotent_hint=True,
            open_world_hint=False,
        ),
    )


def _result(reply: Reply) -> types.CallToolResult:
    if reply.structured is None:
        return _error(reply.text)
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=reply.text)],
        structured_content=dict(reply.structured),
    )


def _error(text: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)


def _reporter(context: ServerRequestContext[dict[str, Any]]) -> ReportShare:
    """Progress notifications, which have to grow although phases begin anew."""
    last = 0.0

    async def report(percent: float, message: str) -> None:
        nonlocal last
        last = round(max(percent, last + 0.01), 2)
        await context.session.report_progress(last, 100.0, message)

    return report
