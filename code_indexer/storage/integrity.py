"""Looking for damage in a manifest."""

from collections.abc import Iterator
from pathlib import Path

from code_indexer.errors import IndexCorruptError, StateError
from code_indexer.storage.database import Database
from code_indexer.storage.rows import CHUNK_BITS
from code_indexer.storage.vectors import FileVectors

_ROWS_AT_ONCE = 256
_KEYS = {
    "meta": "key",
    "files": "file_id",
    "chunks": "chunk_id",
    "symbols": "symbol_id",
    "file_references": "file_id",
    "reference_names": "name_key",
    "lexical_sources": "file_id",
    "lexical_docsize": "id",
    "file_vectors": "file_id",
    "spare_vectors": "age",
    "pass_journal": "id",
}


def check_quickly(database: Database) -> None:
    """Compare the size of the file with what it says of itself, and open every table at both ends.

    Raises:
        IndexCorruptError: Something is wrong.
    """
    missing = _missing_bytes(database)
    if missing > 0:
        raise database.damage(f"cut short by {missing} bytes")
    for table, key in _KEYS.items():
        # Apart: SQLite takes the ends of a tree at once only when it is asked for one of them.
        database.row(f"SELECT min({key}) FROM {table}")
        database.row(f"SELECT max({key}) FROM {table}")
    database.row("SELECT term FROM lexical_terms LIMIT 1")


def find_damage(database: Database, *, dimension: int | None = None) -> list[str]:
    """Everything that is wrong, as SQLite and the rules of our own tables see it.

    Vectors are looked at one by one where their *dimension* is given.
    """
    found = [str(row[0]) for row in database.rows("PRAGMA integrity_check") if row[0] != "ok"]
    return found or [
        *_lexical_damage(database),
        *_strays(database),
        *_miscounts(database),
        *(_spoiled_vectors(database, dimension) if dimension else ()),
    ]


def _missing_bytes(database: Database) -> int:
    """How many bytes the file lacks, if it alone holds the database."""
    wal = Path(f"{database.path}-wal")
    if wal.exists() and wal.stat().st_size > 0:
        return 0
    pages = database.value("PRAGMA page_count") * database.value("PRAGMA page_size")
    return int(pages) - database.path.stat().st_size


def _lexical_damage(database: Database) -> Iterator[str]:
    try:
        database.run("INSERT INTO lexical (lexical) VALUES ('integrity-check')")
    except IndexCorruptError as error:
        yield f"lexical: {error.message}"
    except StateError:
        return  # opened read-only, or the disk is: the check is spelled as a write


def _strays(database: Database) -> Iterator[str]:
    """Rows of files that do not exist."""
    for table, file_of_row in (
        ("chunks", f"chunk_id >> {CHUNK_BITS}"),
        ("symbols", f"symbol_id >> {CHUNK_BITS}"),
        ("file_references", "file_id"),
        ("reference_names", "file_id"),
        ("lexical_sources", "file_id"),
        ("lexical_docsize", f"id >> {CHUNK_BITS}"),
        ("file_vectors", "file_id"),
        ("chunk_failures", f"chunk_id >> {CHUNK_BITS}"),
    ):
        count = database.value(
            f"SELECT count(*) FROM {table} WHERE {file_of_row} NOT IN (SELECT file_id FROM files)"
        )
        if count:
            yield f"{table}: {count} rows of files that do not exist"


def _miscounts(database: Database) -> Iterator[str]:
    """Files whose counts are not those of their rows."""
    for table, key, column in (
        ("chunks", "chunk_id", "chunk_count"),
        ("symbols", "symbol_id", "symbol_count"),
        ("lexical_docsize", "id", "chunk_count"),
    ):
        wrong = database.value(
            f"SELECT count(*) FROM (SELECT {key} >> {CHUNK_BITS} AS of_file, count(*) AS found"
            f" FROM {table} GROUP BY 1)"
            f" WHERE found IS NOT (SELECT {column} FROM files WHERE file_id = of_file)"
        )
        lost = database.value(
            f"SELECT (SELECT coalesce(sum({column}), 0) FROM files)"
            f" - (SELECT count(*) FROM {table})"
        )
        if wrong or lost:
            yield f"{table}: {wrong} files with a wrong number of rows, {lost} rows lost"


def _spoiled_vectors(database: Database, dimension: int) -> Iterator[str]:
    """Vectors that are not as they were written."""
    from code_indexer.storage.embedded_vectors import are_sound  # noqa: PLC0415 - numpy

    width = FileVectors(dimension, b"").record_bytes
    for table, column in (("file_vectors", "vectors"), ("spare_vectors", "vector")):
        spoiled = 0
        for batch in database.batches(f"SELECT {column} FROM {table}", (), size=_ROWS_AT_ONCE):
            whole = [row[0] for row in batch if isinstance(row[0], bytes)]
            whole = [records for records in whole if len(records) % width == 0]
            spoiled += len(batch) - len(whole)
            spoiled += are_sound(FileVectors(dimension, b"".join(whole))).count(False)
        if spoiled:
            yield f"{table}: {spoiled} vectors are not as they were written"
