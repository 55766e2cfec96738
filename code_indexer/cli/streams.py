"""The process's own streams: there, in UTF-8, and no reason for a traceback."""

import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn, TextIO


def prepare_streams() -> None:
    """Make stdin, stdout and stderr usable, whatever the process was started with.

    A closed one would hand its number to the next file that is opened, and what is printed to that
    number would land in a lock file or in a source. Answers are UTF-8, as the files are that they
    quote.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number, which is this one
    sys.stdout = _in_utf8(sys.stdout, 1)
    sys.stderr = _in_utf8(sys.stderr, 2)


def start_again_in_utf8(words: Sequence[str]) -> NoReturn:
    """Become a process that names files in UTF-8, and so do its children.

    Python takes the encoding of file names from the locale; under an old one, a name that the index
    knows could not be opened.
    """
    os.putenv("PYTHONUTF8", "1")
    program = [sys.executable, "-P", "-m", "code_indexer", *words]
    os.execv(sys.executable, program)  # noqa: S606 - no shell is wanted


def remark(text: str) -> None:
    """Write to stderr; nobody being able to read it is no reason to withhold the answer."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        silence(sys.stderr)


def silence(stream: TextIO) -> None:
    """Let what still waits to be written go nowhere, now and when the process ends."""
    with suppress(OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def _in_utf8(stream: TextIO | None, number: int) -> TextIO:
    if stream is None:
        return open(number, "w", encoding="utf-8", errors="backslashreplace", closefd=False)
    if isinstance(stream, io.TextIOWrapper) and stream.encoding.lower() != "utf-8":
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    return stream
