"""The files that databases are: made, connected to, set aside, replaced."""

import os
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path

from code_indexer.errors import IndexCorruptError, StateError
from code_indexer.storage.sqlite_errors import is_disk_full, translated

BUSY_TIMEOUT_SECONDS = 10.0
_BEGIN_ATTEMPTS = 3
_SIDE_FILES = ("-wal", "-shm", "-journal")


def connect(path: Path, *, read_only: bool) -> sqlite3.Connection:
    """A connection to the database at *path*, which must exist."""
    # WAL needs a -shm beside the file even for reading; in a sealed folder none can be made.
    how = "mode=ro&immutable=1" if _is_sealed(path) else "mode=ro" if read_only else "mode=rw"
    uri = f"{path.absolute().as_uri()}?{how}"
    return sqlite3.connect(
        uri,
        uri=True,
        timeout=BUSY_TIMEOUT_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=256,
    )


def _is_sealed(path: Path) -> bool:
    """No file can be made beside it, nothing waits in its -wal, and nobody has it open."""
    with suppress(OSError):
        if Path(f"{path}-wal").stat().st_size > 0:
            return False
    if not os.access(path.parent, os.W_OK):
        return True
    return is_disk_full(path) and path.exists() and not Path(f"{path}-shm").exists()


def refuse_folder(path: Path, hint: str) -> None:
    """Say so where *path* is a folder, of which SQLite says no more than that it cannot open it.

    Raises:
        IndexCorruptError: It is one.
    """
    if os.path.isdir(path):  # noqa: PTH112 - a path that may not be looked at is no error here
        raise IndexCorruptError(f"{path} is a folder, not a database", hint=hint)


def create_private(path: Path) -> None:
    """Make the file with mode 0600 if it is missing.

    An existing file is not opened: closing any descriptor of it would drop the POSIX locks that
    SQLite holds on it in this process. SQLite gives -wal and -shm the mode of the database.

    Raises:
        StateError: It cannot be made.
    """
    try:
        _create(path)
    except OSError as error:
        raise StateError(
            f"cannot write {path}: {error.strerror}",
            hint="Check the permissions of the state folder, or choose another --index-root.",
        ) from error


def _create(path: Path) -> None:
    make_private_folder(path.parent)
    if not path.exists():
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))


def begin_private(path: Path) -> None:
    """Make the database with mode 0600 if it is missing, with a head and nothing in it.

    It comes to its place in one step and is never without a page there: whoever opens a file that
    is empty, and replaced before the first look into it, has SQLite delete the -wal of the file
    that lies there by then.

    Raises:
        StateError: It cannot be made.
    """
    for _ in range(_BEGIN_ATTEMPTS):
        try:
            if not path.exists():
                _begin(path)
        except (OSError, sqlite3.Error):
            continue  # the folder was removed meanwhile, the disk is full, it has no links, ...
        return
    create_private(path)


def _begin(path: Path) -> None:
    beside = path.with_name(f"{path.name}.{os.getpid()}-{time.monotonic_ns()}")
    try:
        _create(beside)
        with closing(connect(beside, read_only=False)) as new:
            new.execute("PRAGMA journal_mode = WAL")
        with suppress(FileExistsError):
            os.link(beside, path)
    finally:
        with suppress(OSError):
            delete_database(beside)


def make_private_folder(path: Path) -> None:
    """Make *path* and its parents where they are missing, *path* itself for its owner alone."""
    if not path.is_dir():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir(mode=0o700, exist_ok=True)


def set_aside(path: Path, *, now: float | None = None) -> Path:
    """Rename a damaged database with its side files, so that a new one can take its place.

    Returns:
        The new path, ``<name>.damaged-<time>``; nothing is deleted.
    """
    stamp = time.strftime("%Y%m%dT%H%M%S", time.gmtime(time.time() if now is None else now))
    target = path.with_name(f"{path.name}.damaged-{stamp}")
    number = 1
    while target.exists() or target.is_symlink():
        number += 1
        target = path.with_name(f"{path.name}.damaged-{stamp}-{number}")
    try:
        # Side files first: an old -wal beside a new database could be read as belonging to it.
        for suffix in _SIDE_FILES:
            with suppress(FileNotFoundError):
                Path(f"{path}{suffix}").rename(f"{target}{suffix}")
        with suppress(FileNotFoundError):
            path.rename(target)
    except OSError as error:
        raise StateError(f"cannot set aside {path}: {error.strerror}") from error
    return target


def delete_database(path: Path) -> None:
    """Delete a database that nobody has open, with its side files; it may be missing."""
    for suffix in ("", *_SIDE_FILES):
        Path(f"{path}{suffix}").unlink(missing_ok=True)


def put_in_place(target: Path, source: Path) -> None:
    """:func:`replace_contents`, with a *target* that is too damaged for it set aside.

    Raises:
        StateError: It cannot be written.
    """
    try:
        replace_contents(target, source)
    except IndexCorruptError:
        set_aside(target)
        replace_contents(target, source)


def replace_contents(target: Path, source: Path, *, hint: str = "") -> None:
    """Make *target* a copy of the database *source*, in one transaction; it may be missing.

    Processes that read *target* keep their state until their next transaction. A rename could not
    promise that: the old file's -wal would lie beside the new one.

    Raises:
        IndexCorruptError: *target* is so damaged that it must be set aside first.
    """
    refuse_folder(target, hint)
    create_private(target)
    with (
        translated(target, hint),
        closing(connect(target, read_only=False)) as old,
        closing(connect(source, read_only=True)) as new,
    ):
        new.backup(old)
