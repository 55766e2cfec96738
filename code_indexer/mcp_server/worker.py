"""The process that does the work of the tools, so that the server itself is always free to answer.

Calls come as lines of JSON on stdin, answers and progress leave as lines on stdout. It ends when
stdin does: with the server, however that ends.
"""

import json
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO, TypeAlias

from code_indexer.errors import CodeIndexerError, UsageError
from code_indexer.indexing.progress import PassProgress
from code_indexer.mcp_server.arguments import Arguments
from code_indexer.mcp_server.descriptors import take_wire
from code_indexer.mcp_server.wording import for_agents
from code_indexer.settings import one_thread_for_numpy

_log = logging.getLogger(__name__)
_PROGRESS_SECONDS = 0.3
_HEARTBEAT_SECONDS = 2.0
"""Clients give up on a call of which they hear nothing."""

_MOST_AT_ONCE = 16
"""Each call holds several files open, and some systems grant a process 256 of them."""
_WAITS_FOR_NOTHING = frozenset({"list_projects", "lookup_project", "get_code_context"})
_slots = threading.BoundedSemaphore(_MOST_AT_ONCE)
_slots_of_quick_ones = threading.BoundedSemaphore(_MOST_AT_ONCE // 2)

Send: TypeAlias = Callable[[Mapping[str, Any]], None]


class _CallCancelledError(Exception):
    """Nobody waits for the answer any more."""


def main() -> int:
    """Answer calls until there are no more."""
    one_thread_for_numpy()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal's Ctrl-C is for the server
    wire = take_wire()
    flags: dict[str, Any] = json.loads(sys.argv[1]) if len(sys.argv) > 1 else {}
    with (
        os.fdopen(wire.incoming, "rb") as incoming,
        os.fdopen(wire.outgoing, "wb", buffering=0) as outgoing,
    ):
        _serve(incoming, _line_writer(outgoing), flags)
        # Calls that are under way have nobody to answer; threads cannot be stopped, processes can.
        os._exit(0)


def _line_writer(outgoing: BinaryIO) -> Send:
    lock = threading.Lock()

    def send(message: Mapping[str, Any]) -> None:
        line = json.dumps(message, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
        with lock:
            try:
                while line:
                    line = line[outgoing.write(line) :]
            except OSError:
                os._exit(0)  # the server is gone

    return send


def _serve(incoming: BinaryIO, send: Send, flags: Mapping[str, Any]) -> None:
    cancelled: dict[int, threading.Event] = {}
    for line in incoming:
        message = json.loads(line)
        if "cancel" in message:
            event = cancelled.get(message["cancel"])
            if event is not None:
                event.set()
            continue
        call_id = message["id"]
        cancelled[call_id] = threading.Event()
        threading.Thread(
            target=_answer, args=(message, cancelled, send, flags), daemon=True
        ).start()


def _answer(
    message: Mapping[str, Any],
    cancelled: dict[int, threading.Event],
    send: Send,
    flags: Mapping[str, Any],
) -> None:
    call_id = message["id"]
    progress = _Progress(call_id, cancelled[call_id], send)
    tool = message["tool"]
    try:
        with _slots_of_quick_ones if tool in _WAITS_FOR_NOTHING else _slots:
            progress.stop_if_cancelled()
            reply = answer_call(tool, message["arguments"], flags, progress.report)
    except _CallCancelledError:
        reply = {"error": "cancelled"}
    finally:
        del cancelled[call_id]
    send({"id": call_id, **reply})


def answer_call(
    tool: str,
    arguments: Arguments,
    flags: Mapping[str, Any],
    progress: Callable[[PassProgress], None],
) -> dict[str, Any]:
    """What a tool answers: ``structured`` and ``text``, or ``error``."""
    # Imported by the first call: the process is started before anybody asks anything.
    from code_indexer.core.services import Services  # noqa: PLC0415
    from code_indexer.mcp_server.operations import run_tool  # noqa: PLC0415
    from code_indexer.settings import load_settings  # noqa: PLC0415

    try:
        with Services(load_settings(flags)) as services:
            answer = run_tool(services, tool, arguments, progress)
    except CodeIndexerError as error:
        return {"error": error_text(error)}
    except _CallCancelledError:
        raise
    except Exception as error:  # noqa: BLE001 - a call that fails must not end the others
        _log.exception("%s failed", tool)
        return {"error": _unexpected(tool, error)}
    return {"structured": answer.structured, "text": answer.text}


def error_text(error: CodeIndexerError) -> str:
    """What went wrong and what to do next."""
    hint = for_agents(error.hint) or (
        "Change the arguments as said" if isinstance(error, UsageError) else "See index_status"
    )
    return f"error: {for_agents(error.message)}\nhint: {hint}"


def _unexpected(tool: str, error: Exception) -> str:
    return (
        f"error: {tool} failed unexpectedly: {type(error).__name__}: {error}\n"
        "hint: Try again; if it stays, reindex_project builds the index anew, and grep finds"
        " the code meanwhile"
    )


class _Progress:
    """Tells the server how far a pass is, now and then, and stops a call that was cancelled."""

    def __init__(self, call_id: int, cancelled: threading.Event, send: Send) -> None:
        self._call_id = call_id
        self._cancelled = cancelled
        self._send = send
        self._sent = time.monotonic()
        self._moment: PassProgress | None = None

    def stop_if_cancelled(self) -> None:
        """Leave the call when nobody waits for its answer."""
        if self._cancelled.is_set():
            raise _CallCancelledError

    def report(self, moment: PassProgress) -> None:
        """Hear of a moment in a pass."""
        self.stop_if_cancelled()
        now = time.monotonic()
        pause = _HEARTBEAT_SECONDS if moment == self._moment else _PROGRESS_SECONDS
        if now - self._sent < pause:
            return
        self._sent, self._moment = now, moment
        percent = 100 * moment.done / moment.total if moment.total else 0.0
        words = f"{moment.phase}: {moment.done} of {moment.total}" if moment.total else moment.phase
        self._send({"id": self._call_id, "percent": round(percent, 1), "message": words})


if __name__ == "__main__":
    raise SystemExit(main())
