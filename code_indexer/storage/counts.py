"""How much a manifest holds, told from the rows of its files alone wherever that is enough."""

from dataclasses import dataclass

from code_indexer.storage.database import Database


@dataclass(frozen=True, slots=True)
class ManifestCounts:
    """How much a manifest holds."""

    files: int
    chunks: int
    symbols: int
    references: int
    embedded_chunks: int
    pending_files: int
    failed_files: int
    """Files whose error is recorded with them."""
    languages: dict[str, int]
    """Number of files; ``unknown`` where no language is known."""


def count_all(database: Database) -> ManifestCounts:
    """All counts at once."""
    rows = database.rows(
        "SELECT coalesce(language, 'unknown'), count(*), sum(chunk_count), sum(symbol_count),"
        " sum(reference_count), sum(vector_count), sum(embedded = 0), sum(error IS NOT NULL)"
        " FROM files GROUP BY 1 ORDER BY 2 DESC, 1"
    )
    with database.reading_values():
        return ManifestCounts(
            files=sum(row[1] for row in rows),
            chunks=sum(row[2] for row in rows),
            symbols=sum(row[3] for row in rows),
            references=sum(row[4] for row in rows),
            embedded_chunks=sum(row[5] for row in rows),
            pending_files=sum(row[6] for row in rows),
            failed_files=sum(row[7] for row in rows),
            languages={row[0]: row[1] for row in rows},
        )


def file_count(database: Database) -> int:
    """Number of files."""
    return int(database.value("SELECT count(*) FROM files"))


def chunk_count(database: Database) -> int:
    """Number of chunks."""
    return int(database.value("SELECT coalesce(sum(chunk_count), 0) FROM files"))


def pending_count(database: Database) -> int:
    """Number of files whose chunks do not all have vectors."""
    return int(database.value("SELECT count(*) FROM files WHERE embedded = 0"))


def degraded_counts(database: Database) -> dict[str, int]:
    """Number of files without structure, by the reason why."""
    return dict(
        database.rows(
            "SELECT degraded, count(*) FROM files WHERE degraded IS NOT NULL"
            " GROUP BY 1 ORDER BY 2 DESC, 1"
        )
    )


def coverage(database: Database) -> float | None:
    """The share of the chunks that have vectors; None where there are no chunks."""
    if database.row("SELECT 1 FROM chunks LIMIT 1") is None:
        return None
    if pending_count(database) == 0:
        return 1.0
    return float(database.value("SELECT sum(vector_count) * 1.0 / sum(chunk_count) FROM files"))


def used_bytes(database: Database) -> int:
    """Size of what the file holds, without the room that deleted rows have left."""
    pages = database.value("PRAGMA page_count")
    free = database.value("PRAGMA freelist_count")
    return int(pages - free) * int(database.value("PRAGMA page_size"))
