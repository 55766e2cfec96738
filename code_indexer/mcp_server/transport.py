"""JSON-RPC messages as lines on two descriptors, and the end of the server when they end."""

import json
import logging
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import BinaryIO, TypeAlias

import anyio
import anyio.to_thread
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    jsonrpc_message_adapter,
)

from code_indexer.mcp_server.descriptors import Wire

_log = logging.getLogger(__name__)

_GRACE_SECONDS = 1.0
"""A client that closed stdin may still read answers: ``printf … | code-indexer-mcp``."""
_MOST_REFUSALS = 100
_ANSWERS = frozenset({"result", "error"})
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"

Streams: TypeAlias = tuple[
    MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]
]


class _Unanswered:
    """The requests that wait for an answer."""

    def __init__(self) -> None:
        self._ids: set[str] = set()
        self._changed = anyio.Event()

    def saw(self, message: JSONRPCMessage) -> None:
        """Take note of a message from the client."""
        if isinstance(message, JSONRPCRequest):
            self._ids.add(str(message.id))
        elif isinstance(message, JSONRPCNotification) and message.method.endswith("/cancelled"):
            self._remove((message.params or {}).get("requestId"))

    def sent(self, message: JSONRPCMessage) -> None:
        """Take note of a message to the client."""
        if isinstance(message, JSONRPCResponse | JSONRPCError):
            self._remove(message.id)

    def _remove(self, request_id: object) -> None:
        self._ids.discard(str(request_id))
        self._changed.set()

    async def wait_until_none(self) -> None:
        """Wait for the last answer."""
        while self._ids:
            self._changed = anyio.Event()
            await self._changed.wait()


@asynccontextmanager
async def wire_streams(wire: Wire, end: Callable[[], None]) -> AsyncIterator[Streams]:
    """Streams of messages for a server; *end* is called when the client is gone.

    That is when stdin is at its end, and the answers that take no time have been given, or when
    nobody reads stdout.
    """
    to_server, from_client = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    to_client, from_server = anyio.create_memory_object_stream[SessionMessage](0)
    unanswered = _Unanswered()

    async def read() -> None:
        with os.fdopen(wire.incoming, "rb", closefd=False) as incoming:
            async with to_server:
                async for message in _messages(incoming):
                    if isinstance(message, JSONRPCError):
                        await to_client.send(SessionMessage(message))
                        continue
                    unanswered.saw(message)
                    await to_server.send(SessionMessage(message))
                with anyio.move_on_after(_GRACE_SECONDS):
                    await unanswered.wait_until_none()
                end()

    async def write() -> None:
        async with from_server:
            async for item in from_server:
                text = item.message.model_dump_json(by_alias=True, exclude_unset=True)
                line = text.encode() + b"\n"
                try:
                    await anyio.to_thread.run_sync(
                        _write_all, wire.outgoing, line, abandon_on_cancel=True
                    )
                except OSError:
                    end()
                    return
                unanswered.sent(item.message)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(read)
        tasks.start_soon(write)
        with suppress(anyio.ClosedResourceError):
            yield from_client, to_client


async def _messages(incoming: BinaryIO) -> AsyncIterator[JSONRPCMessage]:
    """The messages in lines of JSON; an error stands for what is none and waits for an answer.

    Lines that nobody can be told about are passed over. (A client has no errors to send here: this
    server asks it nothing.)
    """
    while line := await anyio.to_thread.run_sync(incoming.readline, abandon_on_cancel=True):
        text = line.removeprefix(_BYTE_ORDER_MARK).strip()
        if not text:
            continue
        try:
            message = _message(text)
        except (ValueError, RecursionError):
            _log.warning("passed over a line that is no JSON-RPC message: %.80r", text)
            for refusal in _refusals(text):
                yield refusal
            continue
        if not isinstance(message, JSONRPCError):
            yield message


def _refusals(text: bytes) -> list[JSONRPCError]:
    """An error for each request in what is no message: it has an id that somebody waits for."""
    try:
        data = json.loads(text.decode(errors="replace"))
    except (ValueError, RecursionError):
        return []
    why = "not a JSON-RPC 2.0 request with jsonrpc, id, method and, as an object, params"
    if isinstance(data, list):
        why = "batches are not supported; send each request on a line of its own"
    requests = data if isinstance(data, list) else [data]
    error = ErrorData(code=INVALID_REQUEST, message=why)
    return [
        JSONRPCError(jsonrpc="2.0", id=one["id"], error=error)
        for one in requests[:_MOST_REFUSALS]
        if isinstance(one, dict) and type(one.get("id")) in (int, str) and _ANSWERS.isdisjoint(one)
    ]


def _message(text: bytes) -> JSONRPCMessage:
    try:
        return jsonrpc_message_adapter.validate_json(text, by_name=False)
    except ValueError:
        # A client that cut a text inside a character, or an emoji in two, waits for an answer too.
        data = json.loads(text.decode(errors="replace"))
        whole = json.dumps(data, ensure_ascii=False).encode(errors="replace")
        if whole == text:
            raise
        return jsonrpc_message_adapter.validate_json(whole, by_name=False)


def _write_all(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]
