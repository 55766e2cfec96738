"""Opening SQLite files, so that every later error is one of ours.

All SQL of this package goes through :class:`Database`: sqlite3's errors say neither which file they
are about nor what to do, and they surface while rows are fetched just as often as at the start.
"""

import os
import sqlite3
import sys
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeAlias, TypeVar

from code_indexer.errors import (
    CodeIndexerError,
    IndexBusyError,
    IndexCorruptError,
    StateError,
)
from code_indexer.storage.rows import writable

MigrationStep: TypeAlias = Callable[[sqlite3.Connection], None]
Row: TypeAlias = tuple[Any, ...]
_Made = TypeVar("_Made")

BUSY_TIMEOUT_SECONDS = 10.0
_OPEN_ATTEMPTS = 5
_WAL_BYTES = 64 << 20
_SIDE_FILES = ("-wal", "-shm", "-journal")

# Codes of sqlite3.h; Python 3.11 names them too, but an error raised by the module itself has none.
_ERROR, _PERM, _BUSY, _LOCKED, _READONLY, _IOERR = 1, 3, 5, 6, 8, 10
_CORRUPT, _FULL, _CANTOPEN, _NOTADB = 11, 13, 14, 26
_CONSTRAINT, _MISMATCH = 19, 20
_IOERR_SHORT_READ = 522
_IOERR_CORRUPTFS = 8458


class Database:
    """One open SQLite file; may be handed from thread to thread, but used by one at a time."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        path: Path,
        *,
        hint: str,
        file: tuple[int, int] | None = None,
    ) -> None:
        self._connection = connection
        self._file = file
        self._depth = 0
        self.path = path
        self.hint = hint
        self.created = False
        """The file was missing or empty when it was opened."""

    def rows(self, sql: str, parameters: Sequence[object] = ()) -> list[Row]:
        """All rows of a query."""
        with translated(self.path, self.hint):
            return self._execute(sql, parameters).fetchall()

    def row(self, sql: str, parameters: Sequence[object] = ()) -> Row | None:
        """The first row of a query, or None."""
        with translated(self.path, self.hint):
            found: Row | None = self._execute(sql, parameters).fetchone()
            return found

    def value(self, sql: str, parameters: Sequence[object] = ()) -> Any:  # noqa: ANN401 - a column may be anything
        """The first column of the first row, or None."""
        found = self.row(sql, parameters)
        return None if found is None else found[0]

    def batches(self, sql: str, parameters: Sequence[object], *, size: int) -> Iterator[list[Row]]:
        """The rows of a query, *size* at a time, so that a large table never lies in memory."""
        with translated(self.path, self.hint):
            cursor = self._execute(sql, parameters)
        while True:
            with translated(self.path, self.hint):
                batch = cursor.fetchmany(size)
            if not batch:
                return
            yield batch

    def records(
        self, make: Callable[[Row], _Made], sql: str, parameters: Sequence[object] = ()
    ) -> list[_Made]:
        """What *make* makes of each row of a query.

        Raises:
            IndexCorruptError: A row does not hold what was written.
        """
        rows = self.rows(sql, parameters)
        with self.reading_values():
            return list(map(make, rows))

    @contextmanager
    def reading_values(self) -> Iterator[None]:
        """Take stored values apart, which in a damaged file may be of any type and length."""
        try:
            yield
        except (ValueError, TypeError, LookupError, AttributeError, zlib.error) as error:
            raise self.damage(f"a value cannot be read: {error}") from error

    def damage(self, what: str) -> IndexCorruptError:
        """The error to raise when the database holds what nobody can have written."""
        return IndexCorruptError(f"{self.path} is damaged ({what})", hint=self.hint)

    def run(self, sql: str, parameters: Sequence[object] = ()) -> int:
        """Run one statement; gives the number of rows it changed."""
        with translated(self.path, self.hint):
            return self._execute(sql, parameters).rowcount

    def run_many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """Run one statement for each of *rows*."""
        with translated(self.path, self.hint):
            self._connection.executemany(sql, rows)

    def insert(self, sql: str, parameters: Sequence[object]) -> int:
        """Insert one row; gives its rowid."""
        with translated(self.path, self.hint):
            row_id = self._execute(sql, parameters).lastrowid
        assert row_id is not None
        return row_id

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit everything done inside, or nothing of it.

        Inside another transaction it is a savepoint: a part can fail and be caught, and the whole
        goes on.
        """
        if self._depth == 0 and self._connection.in_transaction:
            raise RuntimeError("a snapshot is for reading")
        name = f"level_{self._depth}"
        begin, commit, rollback = (
            ("BEGIN IMMEDIATE", "COMMIT", "ROLLBACK")
            if self._depth == 0
            else (f"SAVEPOINT {name}", f"RELEASE {name}", f"ROLLBACK TO {name}; RELEASE {name}")
        )
        self.run(begin)
        self._depth += 1
        try:
            yield
            self.run(commit)
        except BaseException:
            # A full disk or a damaged page has often rolled back already.
            if self._connection.in_transaction:
                with suppress(sqlite3.Error):
                    for statement in rollback.split("; "):
                        self._connection.execute(statement)
            raise
        finally:
            self._depth -= 1

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let everything read inside come from one committed state."""
        if self._connection.in_transaction:
            yield
            return
        self.run("BEGIN")
        try:
            yield
        finally:
            with suppress(sqlite3.Error):
                self._connection.execute("COMMIT")

    def _execute(self, sql: str, parameters: Sequence[object]) -> sqlite3.Cursor:
        try:
            return self._connection.execute(sql, parameters)
        except UnicodeEncodeError:
            # What a user typed need not be Unicode; nothing that is stored can be like it.
            spelled = [writable(one) if isinstance(one, str) else one for one in parameters]
            return self._connection.execute(sql, spelled)

    def take_step(self, step: MigrationStep, version: int) -> None:
        """Bring the schema to *version*, inside a transaction."""
        with translated(self.path, self.hint):
            step(self._connection)
            self._connection.execute(f"PRAGMA user_version = {version}")

    def is_in_place(self) -> bool:
        """Whether the open file still lies at its path, neither deleted nor replaced."""
        return self._file is not None and self._file == _file_at(self.path)

    def close(self) -> None:
        """Close the file; closing twice is allowed."""
        with suppress(sqlite3.Error):
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def open_database(
    path: Path,
    steps: Sequence[MigrationStep],
    *,
    read_only: bool = False,
    hint: str = "",
    cache_bytes: int = 16 << 20,
) -> Database:
    """The database at *path*, brought to the newest form; without *read_only* created if missing.

    ``user_version`` is the number of *steps* that were run. *hint* says what repairs the file.

    Raises:
        IndexCorruptError: It is damaged, or no database at all.
        StateError: It cannot be read or written, or a newer release wrote it.
        IndexBusyError: Another process kept it locked.
    """
    _refuse_folder(path, hint)
    for _ in range(_OPEN_ATTEMPTS):
        database = _opened(path, hint, read_only=read_only)
        try:
            _tune(database, cache_bytes)
            version = _version(database, len(steps))
        except CodeIndexerError:
            database.close()
            if database.is_in_place():
                raise
            continue
        if database.is_in_place():
            break
        # Deleted since, and perhaps made anew: its -wal would be that of another file.
        database.close()
    else:
        raise StateError(f"{path} is deleted and made anew again and again")
    try:
        database.created = version == 0
        if version < len(steps):
            _bring_up(database, steps, read_only=read_only)
    except BaseException:
        database.close()
        raise
    return database


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


def replace_contents(target: Path, source: Path, *, hint: str = "") -> None:
    """Make *target* a copy of the database *source*, in one transaction; it may be missing.

    Processes that read *target* keep their state until their next transaction. A rename could not
    promise that: the old file's -wal would lie beside the new one.

    Raises:
        IndexCorruptError: *target* is so damaged that it must be set aside first.
    """
    _refuse_folder(target, hint)
    _create_private(target)
    with translated(target, hint):
        old = _connect(target, read_only=False)
        try:
            with _closing(_connect(source, read_only=True)) as new:
                new.backup(old)
        finally:
            old.close()


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


@contextmanager
def _closing(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    try:
        yield connection
    finally:
        connection.close()


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
    if code == _FULL or (code == _READONLY and _is_disk_full(path)):
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


def _disk_hint(path: Path) -> str:
    if _is_disk_full(path):
        return "The disk is full; free some space."
    return "Check the folder's permissions and the disk."


def _is_disk_full(path: Path) -> bool:
    if sys.platform == "win32":
        return False
    try:
        return os.statvfs(path.parent).f_bavail == 0
    except OSError:
        return False


def _refuse_folder(path: Path, hint: str) -> None:
    if path.is_dir():
        raise IndexCorruptError(f"{path} is a folder, not a database", hint=hint)


def _create_private(path: Path) -> None:
    """Make the file with mode 0600 if it is missing.

    An existing file is not opened: closing any descriptor of it would drop the POSIX locks that
    SQLite holds on it in this process. SQLite gives -wal and -shm the mode of the database.
    """
    try:
        make_private_folder(path.parent)
        if not path.exists():
            with suppress(FileExistsError):
                os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError as error:
        raise StateError(
            f"cannot write {path}: {error.strerror}",
            hint="Check the permissions of the state folder, or choose another --index-root.",
        ) from error


def make_private_folder(path: Path) -> None:
    """Make *path* and its parents where they are missing, *path* itself for its owner alone."""
    if not path.is_dir():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir(mode=0o700, exist_ok=True)


def _opened(path: Path, hint: str, *, read_only: bool) -> Database:
    if not read_only:
        _create_private(path)
    file = _file_at(path)
    with translated(path, hint):
        connection = _connect(path, read_only=read_only)
    return Database(connection, path, hint=hint, file=file)


def _file_at(path: Path) -> tuple[int, int] | None:
    """Which file lies at *path*, told from any other that may lie there later."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _connect(path: Path, *, read_only: bool) -> sqlite3.Connection:
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
    return _is_disk_full(path) and path.exists() and not Path(f"{path}-shm").exists()


def _tune(database: Database, cache_bytes: int) -> None:
    """Set what a connection forgets when it is closed.

    No mmap: a file that is cut short by someone else would kill the process with SIGBUS.
    """
    database.run(f"PRAGMA cache_size = {-cache_bytes // 1024}")
    database.run("PRAGMA synchronous = NORMAL")
    database.run("PRAGMA foreign_keys = OFF")
    database.run("PRAGMA temp_store = MEMORY")
    # After a large transaction the -wal is cut to this size instead of staying large for good.
    database.run(f"PRAGMA journal_size_limit = {_WAL_BYTES}")


def _version(database: Database, newest: int) -> int:
    version = int(database.value("PRAGMA user_version"))
    if version > newest:
        raise StateError(
            f"{database.path} was written by a newer code-indexer",
            hint="Upgrade code-indexer, or use another --index-root.",
        )
    return version


def _bring_up(database: Database, steps: Sequence[MigrationStep], *, read_only: bool) -> None:
    if read_only:
        version = database.value("PRAGMA user_version")
        if version == 0:
            raise IndexCorruptError(f"{database.path} is empty", hint=database.hint)
        raise StateError(
            f"{database.path} has the form of an older code-indexer",
            hint="Run any command that may write to the state folder once.",
        )
    _switch_to_wal(database)
    while True:
        with database.transaction():
            # Read again: another process may have been quicker.
            version = database.value("PRAGMA user_version")
            if version >= len(steps):
                return
            database.take_step(steps[version], version + 1)


def _switch_to_wal(database: Database) -> None:
    """Keep readers and a writer apart; this switch does not always respect the busy timeout."""
    deadline = time.monotonic() + BUSY_TIMEOUT_SECONDS
    while True:
        try:
            database.run("PRAGMA journal_mode = WAL")
        except IndexBusyError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)
        else:
            return
