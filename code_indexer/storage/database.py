"""Opening SQLite files, so that every later error is one of ours.

All SQL of this package goes through :class:`Database`: sqlite3's errors say neither which file they
are about nor what to do, and they surface while rows are fetched just as often as at the start.
"""

import sqlite3
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
from code_indexer.identity import file_identity
from code_indexer.storage.database_files import (
    BUSY_TIMEOUT_SECONDS,
    begin_private,
    connect,
    refuse_folder,
)
from code_indexer.storage.rows import writable
from code_indexer.storage.sqlite_errors import is_of_side_files, translated

MigrationStep: TypeAlias = Callable[[sqlite3.Connection], None]
Row: TypeAlias = tuple[Any, ...]
_Made = TypeVar("_Made")

_OPEN_ATTEMPTS = 5
_SIDE_FILES_SECONDS = 0.05
_WAL_BYTES = 64 << 20


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
        return self._file is not None and self._file == file_identity(self.path)

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
    refuse_folder(path, hint)
    for attempt in range(1, _OPEN_ATTEMPTS + 1):
        database = _opened(path, hint, read_only=read_only)
        try:
            _tune(database, cache_bytes)
            version = _version(database, len(steps))
        except CodeIndexerError as error:
            database.close()
            if is_of_side_files(error) and attempt < _OPEN_ATTEMPTS:
                # Who opened one that was removed has, for a moment, those of the one at its path.
                time.sleep(_SIDE_FILES_SECONDS)
            elif database.is_in_place():
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


def _opened(path: Path, hint: str, *, read_only: bool) -> Database:
    if not read_only:
        begin_private(path)
    file = file_identity(path)
    with translated(path, hint):
        connection = connect(path, read_only=read_only)
    return Database(connection, path, hint=hint, file=file)


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
