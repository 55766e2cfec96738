"""What the index passes leave for others to read: state, progress, files left out or failed."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from code_indexer.storage.database import Database, Row
from code_indexer.storage.rows import path_bytes, path_text, writable
from code_indexer.types import SkippedFile

PassState = Literal["idle", "indexing", "failed"]


@dataclass(frozen=True, slots=True)
class PassRecord:
    """The present or last index pass."""

    state: PassState = "idle"
    """``indexing`` may also mean that a pass was killed: ask the lock."""
    pid: int | None = None
    started: float | None = None
    """Seconds since 1970; None before the first pass."""
    finished: float | None = None
    """When the last complete pass ended: a record without it leaves it as it was."""
    counters: Mapping[str, Any] = field(default_factory=dict)
    """Anything that JSON holds."""
    error: str | None = None


@dataclass(frozen=True, slots=True)
class ChunkFailure:
    """A chunk that the embedder refused."""

    chunk_id: int
    reason: str
    attempts: int
    retry_after: float
    """Seconds since 1970; not to be tried again before."""


def read_pass(database: Database) -> PassRecord:
    """The present or last pass."""
    found = database.records(
        _pass_record, "SELECT state, pid, started, finished, counters, error FROM pass_journal"
    )
    return found[0] if found else PassRecord()


def write_pass(database: Database, record: PassRecord) -> None:
    """Replace the journal, but for the end of the last complete pass if there is no newer one."""
    database.run(
        "INSERT INTO pass_journal (id, state, pid, started, finished, counters, error)"
        " VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (id) DO UPDATE SET state = ?1, pid = ?2,"
        " started = ?3, finished = coalesce(?4, finished), counters = ?5, error = ?6",
        (
            record.state,
            record.pid,
            record.started,
            record.finished,
            json.dumps(dict(record.counters)),
            None if record.error is None else writable(record.error),
        ),
    )


def replace_skipped(database: Database, skipped: Sequence[SkippedFile]) -> None:
    """Say which files the last scan left out."""
    _replace(database, "skipped_files", skipped)


def read_skipped(database: Database) -> list[SkippedFile]:
    """The files that the last scan left out, in the order given."""
    return _read(database, "skipped_files")


def skipped_counts(database: Database) -> dict[str, int]:
    """Their numbers, by reason."""
    return dict(
        database.rows("SELECT reason, count(*) FROM skipped_files GROUP BY reason ORDER BY reason")
    )


def replace_failed(database: Database, failed: Sequence[SkippedFile]) -> None:
    """Say which files the last pass could not index."""
    _replace(database, "failed_files", failed)


def read_failed(database: Database) -> list[SkippedFile]:
    """The files that the last pass could not index, in the order given."""
    return _read(database, "failed_files")


def record_chunk_failures(database: Database, failures: Sequence[ChunkFailure]) -> None:
    """Remember what the embedder refused."""
    database.run_many(
        "INSERT OR REPLACE INTO chunk_failures (chunk_id, reason, attempts, retry_after)"
        " VALUES (?, ?, ?, ?)",
        [(one.chunk_id, writable(one.reason), one.attempts, one.retry_after) for one in failures],
    )


def read_chunk_failures(database: Database) -> list[ChunkFailure]:
    """What the embedder refused and has not embedded since."""
    rows = database.rows(
        "SELECT chunk_id, reason, attempts, retry_after FROM chunk_failures ORDER BY chunk_id"
    )
    return [ChunkFailure(*row) for row in rows]


def _pass_record(row: Row) -> PassRecord:
    state, pid, started, finished, counters, error = row
    return PassRecord(state, pid, started, finished, json.loads(counters), error)


def _replace(database: Database, table: str, files: Sequence[SkippedFile]) -> None:
    wanted = [(path_bytes(one.path), one.reason, writable(one.detail)) for one in files]
    # Most scans find what the one before found; they shall write nothing.
    if _rows(database, table) == wanted:
        return
    with database.transaction():
        database.run(f"DELETE FROM {table}")
        database.run_many(f"INSERT INTO {table} (path, reason, detail) VALUES (?, ?, ?)", wanted)


def _read(database: Database, table: str) -> list[SkippedFile]:
    with database.reading_values():
        return [SkippedFile(path_text(row[0]), row[1], row[2]) for row in _rows(database, table)]


def _rows(database: Database, table: str) -> list[Row]:
    return database.rows(f"SELECT path, reason, detail FROM {table} ORDER BY rowid")
