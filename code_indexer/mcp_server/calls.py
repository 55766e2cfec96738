"""Calls of tools, sent to the worker process and answered by it."""

import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from subprocess import PIPE
from typing import Any, Self, TypeAlias

import anyio
from anyio.abc import ByteReceiveStream, ByteSendStream, Process, TaskGroup

from code_indexer.mcp_server.arguments import Arguments

ReportShare: TypeAlias = Callable[[float, str], Awaitable[None]]
"""Told how far a pass is: percent, and in words."""

_COMMAND = (sys.executable, "-P", "-m", "code_indexer.mcp_server.worker")
_DIED = (
    "error: the worker process ended while it answered ({how})\n"
    "hint: Call again, a new one is started; if it happens again, ask for less at once"
)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a tool answered."""

    text: str
    structured: Mapping[str, Any] | None = None
    """None for an error."""


@dataclass(slots=True)
class _Pending:
    """A call that waits for its reply."""

    process: Process
    done: anyio.Event
    report: ReportShare
    reply: Reply | None = None


class Worker:
    """The worker process: started when it is first needed, and again if it died."""

    def __init__(self, tasks: TaskGroup, flags: Mapping[str, Any]) -> None:
        self._tasks = tasks
        self._flags = flags
        self._process: Process | None = None
        self._pending: dict[int, _Pending] = {}
        self._calls = 0
        self._starting = anyio.Lock()
        self._writing = anyio.Lock()

    @classmethod
    @asynccontextmanager
    async def running(cls, flags: Mapping[str, Any]) -> AsyncIterator[Self]:
        """A worker for as long as the block runs."""
        async with anyio.create_task_group() as tasks:
            worker = cls(tasks, flags)
            try:
                yield worker
            finally:
                worker.kill()
                tasks.cancel_scope.cancel()

    @property
    def pid(self) -> int | None:
        """Of the process, if it runs."""
        return None if self._process is None else self._process.pid

    def kill(self) -> None:
        """End the process at once; a pass it was in is taken up by a later one."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.kill()

    async def start(self) -> Process:
        """The process, started now if it does not run."""
        async with self._starting:
            if self._process is None:
                # Its stderr is ours; its stdout is the wire between us.
                self._process = await anyio.open_process(
                    [*_COMMAND, json.dumps(dict(self._flags))],
                    stdin=PIPE,
                    stdout=PIPE,
                    stderr=None,
                )
                self._tasks.start_soon(self._read_replies, self._process)
            return self._process

    async def call(self, tool: str, arguments: Arguments, report: ReportShare) -> Reply:
        """The reply of a tool; *report* hears of passes that it has to wait for."""
        process = await self.start()
        self._calls += 1
        call_id = self._calls
        pending = _Pending(process, anyio.Event(), report)
        self._pending[call_id] = pending
        try:
            await self._send(process, {"id": call_id, "tool": tool, "arguments": arguments})
            await pending.done.wait()
        except anyio.get_cancelled_exc_class():
            with anyio.CancelScope(shield=True):
                await self._send(process, {"cancel": call_id})
            raise
        finally:
            del self._pending[call_id]
        assert pending.reply is not None
        return pending.reply

    async def _send(self, process: Process, message: Mapping[str, Any]) -> None:
        stdin: ByteSendStream | None = process.stdin
        assert stdin is not None
        line = json.dumps(message).encode() + b"\n"
        # A process that died is noticed, and its calls answered, where its replies are read.
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError, OSError):
            async with self._writing:
                await stdin.send(line)

    async def _read_replies(self, process: Process) -> None:
        assert process.stdout is not None
        async for line in _lines(process.stdout):
            await self._take(json.loads(line))
        if self._process is process:
            self._process = None
        code = await process.wait()
        how = f"signal {-code}" if code < 0 else f"code {code}"
        for pending in list(self._pending.values()):
            if pending.process is process and pending.reply is None:
                pending.reply = Reply(_DIED.format(how=how))
                pending.done.set()

    async def _take(self, message: Mapping[str, Any]) -> None:
        pending = self._pending.get(message["id"])
        if pending is None:
            return  # cancelled
        if "percent" in message:
            await pending.report(float(message["percent"]), str(message["message"]))
            return
        if "error" in message:
            pending.reply = Reply(str(message["error"]))
        else:
            pending.reply = Reply(str(message["text"]), message["structured"])
        pending.done.set()


async def _lines(stream: ByteReceiveStream) -> AsyncIterator[bytes]:
    """The lines of a stream, of any length; what follows the last line end is dropped."""
    parts: list[bytes] = []
    with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
        async for data in stream:
            *whole, rest = data.split(b"\n")
            for line in whole:
                yield b"".join([*parts, line])
                parts = []
            if rest:
                parts.append(rest)
