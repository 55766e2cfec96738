"""The command ``code-indexer-mcp``: a server on stdio, until the client goes away."""

import argparse
import gc
import logging
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from code_indexer import __version__
from code_indexer.extras import install_command
from code_indexer.mcp_server.descriptors import take_wire

if TYPE_CHECKING:
    from code_indexer.mcp_server.descriptors import Wire

_FLAGS = {
    "index_root": "folder of the indexes [INDEX_ROOT; default: ~/.code-indexer]",
    "ollama_url": "Ollama server that embeds [OLLAMA_URL; default: embedded]",
    "qdrant_url": "Qdrant server for the vectors [QDRANT_URL; default: embedded]",
    "embed_model": "Ollama model that embeds [EMBED_MODEL]",
}
_INTERRUPTED = 130
_FOR_PEOPLE = (
    "This is a server that agents start; it waits for JSON-RPC on stdin. Ctrl-C ends it.\n"
    "Tell your agent about it with: code-indexer install --list\n"
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until stdin ends; 0 then."""
    flags = _parsed(arguments)
    if find_spec("mcp") is None or find_spec("mcp_types") is None:
        sys.stderr.write(
            "error: the MCP server needs the package mcp, version 2 or newer\n"
            f"hint: install it with the extra: {install_command('mcp')}\n"
        )
        return 1
    if os.isatty(0):
        sys.stderr.write(_FOR_PEOPLE)
    wire = take_wire()
    logging.basicConfig(level=logging.WARNING, format="code-indexer: %(message)s")
    signal.signal(signal.SIGINT, lambda *_: _end(_INTERRUPTED))
    _run(wire, flags)
    _end(0)
    return 0


def _parsed(arguments: Sequence[str] | None) -> dict[str, Any]:
    parser = argparse.ArgumentParser(
        prog="code-indexer-mcp",
        description="Local code search for agents: an MCP server on stdin and stdout.",
    )
    for name, help_text in _FLAGS.items():
        parser.add_argument(f"--{name.replace('_', '-')}", metavar="X", help=help_text)
    parser.add_argument("--version", action="version", version=f"code-indexer {__version__}")
    given = vars(parser.parse_args(arguments))
    if given["index_root"]:
        given["index_root"] = os.path.abspath(given["index_root"])  # noqa: PTH100 - links stay
    return {name: value for name, value in given.items() if value is not None}


def _run(wire: "Wire", flags: dict[str, Any]) -> None:
    # The SDK makes several hundred classes; looking for garbage among them takes a tenth of a
    # second, and a client is waiting.
    gc.disable()
    import anyio  # noqa: PLC0415

    from code_indexer.mcp_server.serving import serve  # noqa: PLC0415

    gc.enable()
    gc.freeze()
    anyio.run(_serve_until_interrupted, serve, wire, flags)


async def _serve_until_interrupted(
    serve: Callable[..., Awaitable[None]], wire: "Wire", flags: dict[str, Any]
) -> None:
    # The loop's own handler wakes it, where a plain one waits for the next message when the signal
    # comes just as the loop goes to sleep. Windows' loop has none.
    import asyncio  # noqa: PLC0415

    with suppress(NotImplementedError):
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, _end, _INTERRUPTED)
    await serve(wire, flags, _end)


def _end(code: int = 0) -> None:
    """End the process now: a thread that waits for stdin, or writes to a full pipe, cannot be."""
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    raise SystemExit(main())
