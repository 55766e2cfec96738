"""The server, its worker and its streams, put together."""

from collections.abc import Callable, Mapping
from typing import Any

from code_indexer.mcp_server.calls import Worker
from code_indexer.mcp_server.descriptors import Wire
from code_indexer.mcp_server.server import build_server
from code_indexer.mcp_server.transport import wire_streams


async def serve(wire: Wire, flags: Mapping[str, Any], end: Callable[[], None]) -> None:
    """Serve one client; *end* ends the process when the client is gone."""
    async with Worker.running(flags) as worker:

        def end_both() -> None:
            worker.kill()
            end()

        server = build_server(worker.call)
        async with wire_streams(wire, end_both) as (from_client, to_client):
            await server.run(from_client, to_client, server.create_initialization_options())
