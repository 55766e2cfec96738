"""Servers for the tests: one in this process, and real ones on pipes."""

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial

import anyio
import anyio.to_thread
import pytest


class Wire:
    """A server on pipes, spoken to line by line, as a client would that is not the SDK's."""

    def __init__(self, process: subprocess.Popen):
        self.process = process
        self.junk: list[bytes] = []
        self.messages: list[dict] = []
        self._arrived: queue.Queue = queue.Queue()
        self._ids = 0
        threading.Thread(target=self._read, daemon=True).start()
        self.errors: list[bytes] = []
        self._errors = threading.Thread(target=self._read_errors, daemon=True)
        self._errors.start()

    def _read(self):
        for line in self.process.stdout:
            try:
                message = json.loads(line)
                assert message["jsonrpc"] == "2.0"
            except (ValueError, KeyError, TypeError, AssertionError):
                self.junk.append(line)
                continue
            self._arrived.put(message)
        self._arrived.put(None)

    def _read_errors(self):
        self.errors.extend(self.process.stderr)

    def send(self, message):
        data = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.process.stdin.write(data + b"\n")
        self.process.stdin.flush()

    def ask(self, method, parameters=None) -> int:
        self._ids += 1
        self.send({"jsonrpc": "2.0", "id": self._ids, "method": method, "params": parameters or {}})
        return self._ids

    def tell(self, method, parameters=None):
        self.send({"jsonrpc": "2.0", "method": method, "params": parameters or {}})

    def call(self, tool, _progress=None, **arguments) -> int:
        parameters = {"name": tool, "arguments": arguments}
        if _progress:
            parameters["_meta"] = {"progressToken": _progress}
        return self.ask("tools/call", parameters)

    def next(self, timeout=60) -> dict | None:
        message = self._arrived.get(timeout=timeout)
        if message is not None:
            self.messages.append(message)
        return message

    def answer(self, request_id, timeout=60) -> dict:
        for message in self.messages:
            if message.get("id") == request_id:
                return message
        while (message := self.next(timeout)) is not None:
            if message.get("id") == request_id:
                return message
        raise AssertionError(f"the server ended: {b''.join(self.errors).decode()}")

    def result(self, tool, **arguments) -> dict:
        return self.answer(self.call(tool, **arguments))["result"]

    def text(self, tool, **arguments) -> str:
        return self.result(tool, **arguments)["content"][0]["text"]

    def handshake(self):
        answer = self.answer(
            self.ask(
                "initialize",
                {
                    "protocolVersion": "2025-06-18",
                    "capabilities": {},
                    "clientInfo": {"name": "test", "version": "0"},
                },
            )
        )
        self.tell("notifications/initialized")
        return answer["result"]

    def close(self, timeout=60) -> int:
        self.process.stdin.close()
        return self.process.wait(timeout)

    def said(self) -> str:
        self._errors.join(timeout=10)
        return b"".join(self.errors).decode()


@contextmanager
def serving(*arguments, command=None, **options) -> Iterator[Wire]:
    program = command or [sys.executable, "-P", "-m", "code_indexer.mcp_server"]
    process = subprocess.Popen(
        [*program, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **options,
    )
    wire = Wire(process)
    try:
        yield wire
    finally:
        process.kill()
        process.wait()
        wire.said()
        for stream in (process.stdin, process.stdout, process.stderr):
            with suppress(OSError):
                stream.close()


@pytest.fixture
def start_server() -> Callable:
    """A server on pipes, as a context manager."""
    return serving


@pytest.fixture
def wire(private_state) -> Iterator[Wire]:
    """A server on pipes that has shaken hands."""
    with serving() as server:
        server.handshake()
        yield server


async def call_here(tool, arguments, report):
    """Run a tool in a thread of this process."""
    from code_indexer.mcp_server.calls import Reply
    from code_indexer.mcp_server.worker import answer_call

    def progress(moment):
        percent = 100 * moment.done / moment.total if moment.total else 0.0
        anyio.from_thread.run(report, percent, moment.phase)

    answer = await anyio.to_thread.run_sync(partial(answer_call, tool, arguments, {}, progress))
    if "error" in answer:
        return Reply(answer["error"])
    return Reply(answer["text"], answer["structured"])


@pytest.fixture
def ask_tool():
    """Call a tool through the SDK's client, the server in this process."""
    from mcp.client import Client

    from code_indexer.mcp_server.server import build_server

    def ask(tool, mode="auto", progress=None, /, **arguments):
        async def body():
            async with Client(build_server(call_here), mode=mode) as client:
                return await client.call_tool(tool, arguments, progress_callback=progress)

        return anyio.run(body)

    return ask


@pytest.fixture
def shop(project_dir, write_files):
    """A small project."""
    write_files(
        {
            "src/session.py": (
                "class Session:\n"
                "    def refresh(self):\n"
                '        """Ask for a new token before the old one expires."""\n'
                "        return renew(self)\n"
                "\n\n"
                "def renew(session):\n"
                "    return session\n"
            ),
            "src/basket.py": (
                "from src.session import Session\n\n\n"
                "def open_basket():\n"
                "    return Session().refresh()\n"
            ),
            "README.md": "# Shop\n\nSells things.\n",
            ".gitignore": "build/\n",
            ".env": "PASSWORD=hunter2\n",
            "build/made.py": "made = 1\n",
        }
    )
    return os.fspath(project_dir)
