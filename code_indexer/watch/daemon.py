"""A process of its own, without a terminal, that writes into a log file."""

import json
import logging
import logging.handlers
import os
import sys
from collections.abc import Callable
from pathlib import Path

from code_indexer.errors import CodeIndexerError, UsageError

_LOG_BYTES = 1_000_000
_OLD_LOGS = 2

SayReady = Callable[[], None]


def start_in_background(body: Callable[[SayReady], int]) -> int:
    """Run *body* in a detached process; its pid, once it says that it is ready.

    Raises:
        CodeIndexerError: *body* raised one before it was ready; message and exit code are its.
        UsageError: The system cannot do it.
    """
    if sys.platform == "win32":
        raise UsageError(
            "Windows has no way to leave the watcher in the background (no fork)",
            hint="Run code-indexer watch in a window of its own, or by the task scheduler",
        )
    readable, writable = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        # Forked twice: the grandchild leads no session, so no terminal can become its own, and it
        # is nobody's child, so nobody has to wait for it.
        os.close(readable)
        os.setsid()
        if os.fork() != 0:
            os._exit(0)
        _run_detached(body, writable)
    os.close(writable)
    os.waitpid(child, 0)
    with os.fdopen(readable, "rb") as answer:
        return _pid_from(answer.read())


def _pid_from(answer: bytes) -> int:
    if not answer:
        raise CodeIndexerError("the watcher ended before it was ready", hint="See watch.log")
    found = json.loads(answer)
    if "pid" in found:
        return int(found["pid"])
    error = CodeIndexerError(found["message"], hint=found["hint"])
    error.exit_code = found["exit_code"]
    raise error


def _run_detached(body: Callable[[SayReady], int], answer: int) -> None:
    """Never returns: what called us goes on in the first process."""
    code = 1
    try:
        _let_go_of_files(keep=answer)

        def say_ready() -> None:
            os.write(answer, json.dumps({"pid": os.getpid()}).encode())
            os.close(answer)

        code = body(say_ready)
    except CodeIndexerError as error:
        _answer_error(answer, error.message, error.hint, error.exit_code)
        code = error.exit_code
    except BaseException as error:
        logging.getLogger(__name__).critical("the watcher ended", exc_info=error)
        _answer_error(answer, f"{type(error).__name__}: {error}", "", 1)
    finally:
        logging.shutdown()
        os._exit(code)


def _answer_error(answer: int, message: str, hint: str, exit_code: int) -> None:
    document = {"message": message, "hint": hint, "exit_code": exit_code}
    try:
        os.write(answer, json.dumps(document).encode())
    except OSError:
        # It was ready: the log is where people look.
        logging.getLogger(__name__).critical("%s", message)


def _let_go_of_files(*, keep: int) -> None:
    """Close what was inherited: a pipe that stays open makes its reader wait for ever."""
    import resource  # noqa: PLC0415 - not on Windows

    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    highest = 4096 if limit == resource.RLIM_INFINITY else min(limit, 65536)
    os.closerange(3, keep)
    os.closerange(keep + 1, highest)
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    os.close(nothing)


def log_to(path: Path) -> None:
    """Send log records, and whatever is written to stdout and stderr, to a file that rotates."""
    handler = _RotatingLog(path, maxBytes=_LOG_BYTES, backupCount=_OLD_LOGS, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("code_indexer.watch").setLevel(logging.INFO)


class _RotatingLog(logging.handlers.RotatingFileHandler):
    """Takes stdout and stderr along when it moves on to a new file."""

    def _open(self):  # type: ignore[no-untyped-def]  # noqa: ANN202 - as the class above declares it
        stream = super()._open()
        Path(self.baseFilename).chmod(0o600)
        for standard in (1, 2):
            os.dup2(stream.fileno(), standard)
        return stream
