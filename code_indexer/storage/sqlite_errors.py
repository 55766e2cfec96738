"""The errors of SQLite as errors of ours: which file, what is wrong with it, what helps."""

import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from code_indexer.errors import (
    CodeIndexerError,
    IndexBusyError,
    IndexCorruptError,
    StateError,
)

# Codes of sqlite3.h; Python 3.11 names them too, but an error raised by the module itself has none.
_ERROR, _PERM, _BUSY, _LOCKED, _READONLY, _IOERR = 1, 3, 5, 6, 8, 10
_CORRUPT, _FULL, _CANTOPEN, _NOTADB = 11, 13, 14, 26
_CONSTRAINT, _MISMATCH = 19, 20
_IOERR_SHORT_READ = 522
_IOERR_CORRUPTFS = 8458

_ROOM_TO_OPEN = 128 << 10
"""Each takes 32 KB for its -shm, and some pages for its -wal."""


@contextmanager
def translated(path: Path, hint: str) -> Iterator[None]:
    """Raise sqlite3's errors as ours, about *path*."""
    try:
        yield
    except sqlite3.Error as error:
        ours = _translation(error, path, hint)
        if ours is None:
            raise
        raise ours from error
    except UnicodeDecodeError as error:
        # Of a name in the schema, which is part of the message of another error.
        raise IndexCorruptError(f"{path} is damaged (a name is not text)", hint=hint) from error


def _translation(error: sqlite3.Error, path: Path, hint: str) -> CodeIndexerError | None:
    extended = getattr(error, "sqlite_errorcode", 0)
    code = extended & 0xFF
    text = str(error)
    if "no such module: fts5" in text:
        return StateError(
            "the SQLite library of this Python has no full-text search (FTS5)",
            hint="Use a Python whose sqlite3 module was built with FTS5.",
        )
    if _is_damage(extended, text):
        return IndexCorruptError(f"{path} is damaged ({text})", hint=hint)
    if code in (_BUSY, _LOCKED):
        return IndexBusyError(
            f"another process keeps {path} locked", hint="Try again when it has finished."
        )
    if code == _FULL or (code == _READONLY and is_disk_full(path)):
        return StateError(f"no space left to write {path}", hint="Free some disk space.")
    if code in (_READONLY, _PERM):
        return StateError(f"{path} cannot be written", hint="Check its owner and permissions.")
    if code in (_IOERR, _CANTOPEN):
        return StateError(f"{path} cannot be read or written ({text})", hint=_disk_hint(path))
    return None


def _is_damage(extended: int, text: str) -> bool:
    """Whether an error says that the file does not hold what we wrote.

    Our statements are fixed and tested. When one of them misses a table or meets a key twice, the
    schema or the rows have changed under it.
    """
    code = extended & 0xFF
    if code == _ERROR:
        return "syntax error" not in text
    return (
        code in (_CORRUPT, _NOTADB, _CONSTRAINT, _MISMATCH)
        or extended in (_IOERR_SHORT_READ, _IOERR_CORRUPTFS)
        or text.startswith("Could not decode")
    )


def is_of_side_files(error: CodeIndexerError) -> bool:
    """Whether the -wal is shorter than the -shm says: the two are not of the same database."""
    return getattr(error.__cause__, "sqlite_errorcode", 0) == _IOERR_SHORT_READ


def _disk_hint(path: Path) -> str:
    if is_disk_full(path):
        return "The disk is full; free some space."
    return "Check the folder's permissions and the disk."


def is_disk_full(path: Path) -> bool:
    """Whether no more can be written beside *path* than what two databases need to be opened."""
    if sys.platform == "win32":
        return False
    try:
        state = os.statvfs(path.parent)
    except OSError:
        return False
    return state.f_bavail * state.f_frsize < _ROOM_TO_OPEN
