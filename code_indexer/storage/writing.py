"""Files written into the manifest and taken out of it, with every row that belongs to them."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from code_indexer.storage.database import Database
from code_indexer.storage.known_vectors import chunk_range
from code_indexer.storage.lexical import delete_lexical, insert_lexical
from code_indexer.storage.packed_references import name_key, names_in
from code_indexer.storage.rows import CHUNK_BITS, FileRows
from code_indexer.storage.vectors import FileVectors

_FILE_COLUMNS = (
    "content_hash, size, mtime_ns, ctime_ns, inode, observed_ns, language, content,"
    " chunk_count, symbol_count, reference_count, degraded, error"
)
_WRITE_FILE = f"INSERT INTO files (path, {_FILE_COLUMNS}) VALUES (?{', ?' * 13})"


def write_rows(database: Database, files: Sequence[FileRows]) -> list[int]:
    """Write files which have no rows; gives their ids."""
    file_ids = [database.insert(_WRITE_FILE, (rows.path, *rows.file)) for rows in files]
    database.run_many(
        "INSERT INTO chunks (chunk_id, start_line, end_line, text, symbol, kind, text_hash)"
        f" VALUES (?{', ?' * 6})",
        _numbered(file_ids, [rows.chunks for rows in files]),
    )
    database.run_many(
        f"INSERT INTO symbols VALUES (?{', ?' * 13})",
        _numbered(file_ids, [rows.symbols for rows in files]),
    )
    _insert_references(database, file_ids, files)
    insert_lexical(database, file_ids, files)
    return file_ids


def delete_rows(database: Database, file_ids: Collection[int]) -> None:
    """Take out all rows of files."""
    delete_lexical(database, file_ids)
    _delete_reference_names(database, file_ids)
    by_file = [(file_id,) for file_id in file_ids]
    for table in ("files", "file_references", "file_vectors"):
        database.run_many(f"DELETE FROM {table} WHERE file_id = ?", by_file)
    ranges = [chunk_range(file_id) for file_id in file_ids]
    for table, key in (
        ("chunks", "chunk_id"),
        ("symbols", "symbol_id"),
        ("chunk_failures", "chunk_id"),
    ):
        database.run_many(f"DELETE FROM {table} WHERE {key} BETWEEN ? AND ?", ranges)


def write_vectors(database: Database, vectors: Mapping[int, FileVectors | None]) -> None:
    """Make these the only vectors of files (by file id), and record how far each is embedded."""
    known = {file_id: of_file for file_id, of_file in vectors.items() if of_file is not None}
    database.run_many(
        "DELETE FROM file_vectors WHERE file_id = ?",
        [(file_id,) for file_id in vectors.keys() - known.keys()],
    )
    database.run_many(
        "INSERT OR REPLACE INTO file_vectors (file_id, vectors) VALUES (?, ?)",
        [(file_id, of_file.records) for file_id, of_file in known.items() if of_file.records],
    )
    present = {
        file_id: [i for i, record in enumerate(of_file.split()) if record is not None]
        for file_id, of_file in known.items()
    }
    database.run_many(
        "UPDATE files SET vector_count = ?1, embedded = (chunk_count = ?1) WHERE file_id = ?2",
        [(len(present.get(file_id, ())), file_id) for file_id in vectors],
    )
    database.run_many(
        "DELETE FROM chunk_failures WHERE chunk_id = ?",
        [(file_id << CHUNK_BITS | index,) for file_id in known for index in present[file_id]],
    )


def clear_vectors(database: Database) -> None:
    """Forget all vectors, spares too; every file with chunks is pending."""
    for table in ("file_vectors", "spare_vectors", "chunk_failures"):
        database.run(f"DELETE FROM {table}")
    database.run("UPDATE files SET vector_count = 0, embedded = (chunk_count = 0)")


def _insert_references(
    database: Database, file_ids: Sequence[int], files: Sequence[FileRows]
) -> None:
    with_references = [
        (file_id, rows) for file_id, rows in zip(file_ids, files, strict=True) if rows.name_keys
    ]
    database.run_many(
        "INSERT INTO file_references (file_id, places, imports) VALUES (?, ?, ?)",
        [(file_id, rows.references, rows.imports) for file_id, rows in with_references],
    )
    # In the order of the key, so that each page of the tree is touched once per batch.
    database.run_many(
        "INSERT INTO reference_names (name_key, file_id) VALUES (?, ?)",
        sorted((key, file_id) for file_id, rows in with_references for key in rows.name_keys),
    )


def _delete_reference_names(database: Database, file_ids: Collection[int]) -> None:
    pairs: set[tuple[int, int]] = set()
    for file_id in file_ids:
        packed = database.row(
            "SELECT places, imports FROM file_references WHERE file_id = ?", (file_id,)
        )
        for part in packed or ():
            with database.reading_values():
                pairs.update((name_key(name), file_id) for name in names_in(part))
    database.run_many(
        "DELETE FROM reference_names WHERE name_key = ? AND file_id = ?", sorted(pairs)
    )


def _numbered(
    file_ids: Sequence[int], rows_by_file: Sequence[tuple[tuple[object, ...], ...]]
) -> Iterator[tuple[object, ...]]:
    for file_id, rows in zip(file_ids, rows_by_file, strict=True):
        first = file_id << CHUNK_BITS
        for index, row in enumerate(rows):
            yield first + index, *row
