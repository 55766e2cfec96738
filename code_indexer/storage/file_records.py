"""What is known of each file as a whole: its record, its stamp, how much of it is embedded."""

from collections.abc import Mapping
from dataclasses import dataclass

from code_indexer.storage.database import Database, Row
from code_indexer.storage.rows import path_bytes, path_text, signed, unsigned
from code_indexer.types import ContentKind, FileRecord, FileStamp

_RECORD = (
    "SELECT file_id, path, content_hash, size, mtime_ns, ctime_ns, inode, observed_ns, language,"
    " content, chunk_count, embedded, error FROM files"
)


@dataclass(frozen=True, slots=True)
class PendingFile:
    """A file with chunks that have no vectors yet."""

    file_id: int
    path: str
    language: str | None
    content: ContentKind
    mtime_ns: int
    chunk_count: int
    vector_count: int


def all_files(database: Database) -> dict[str, FileRecord]:
    """All files, by path."""
    return {record.path: record for record in database.records(_file_record, _RECORD)}


def file_by_path(database: Database, path: str) -> FileRecord | None:
    """One file."""
    found = database.records(_file_record, f"{_RECORD} WHERE path = ?", (path_bytes(path),))
    return found[0] if found else None


def file_by_id(database: Database, file_id: int) -> FileRecord | None:
    """One file."""
    found = database.records(_file_record, f"{_RECORD} WHERE file_id = ?", (file_id,))
    return found[0] if found else None


def some_paths(database: Database, limit: int) -> list[str]:
    """Paths of files, at most *limit*."""
    return database.records(
        lambda row: path_text(row[0]), "SELECT path FROM files LIMIT ?", (limit,)
    )


def pending_files(database: Database) -> list[PendingFile]:
    """The files whose chunks do not all have vectors, by id."""
    return database.records(
        lambda row: PendingFile(row[0], path_text(row[1]), *row[2:]),
        "SELECT file_id, path, language, content, mtime_ns, chunk_count, vector_count"
        " FROM files WHERE embedded = 0 ORDER BY file_id",
    )


def update_stamps(database: Database, stamps: Mapping[str, FileStamp]) -> None:
    """Record stamps of files whose content is what it was."""
    database.run_many(
        "UPDATE files SET size = ?, mtime_ns = ?, ctime_ns = ?, inode = ?, observed_ns = ?"
        " WHERE path = ?",
        [(*_stamp_columns(stamp), path_bytes(path)) for path, stamp in stamps.items()],
    )


def mark_outdated(database: Database) -> None:
    """Let every file lose its content hash, so that the next pass parses it again."""
    database.run("UPDATE files SET content_hash = ''")


def mark_embedded(database: Database, vector_counts: Mapping[int, int]) -> None:
    """Record how many chunks of each file (by id) have vectors in a store elsewhere."""
    database.run_many(
        "UPDATE files SET vector_count = ?1, embedded = (chunk_count = ?1) WHERE file_id = ?2",
        [(count, file_id) for file_id, count in vector_counts.items()],
    )


def _file_record(row: Row) -> FileRecord:
    return FileRecord(
        row[0],
        path_text(row[1]),
        row[2],
        FileStamp(row[3], row[4], row[5], unsigned(row[6]), row[7]),
        row[8],
        row[9],
        row[10],
        bool(row[11]),
        row[12],
    )


def _stamp_columns(stamp: FileStamp) -> tuple[int, ...]:
    return tuple(
        map(
            signed,
            (stamp.size, stamp.mtime_ns, stamp.ctime_ns, stamp.inode, stamp.observed_ns),
        )
    )
