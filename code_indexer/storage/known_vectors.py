"""Vectors of texts that were embedded before, so that no text is embedded twice.

They are found by the hash of the text: with the files of the index, or among the spares, which are
vectors of texts that have gone (another branch, a file that is renamed). All vectors of a manifest
come from one embedder; whoever changes it clears them.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import compress

from code_indexer.errors import IndexCorruptError
from code_indexer.storage.database import Database
from code_indexer.storage.rows import CHUNK_BITS
from code_indexer.storage.vectors import FileVectors

_HASHES_AT_ONCE = 500


def known_vectors(
    database: Database, text_hashes: Collection[bytes], *, dimension: int
) -> dict[bytes, bytes]:
    """The record of every text that has one (see FileVectors), by the text's hash."""
    known: dict[bytes, bytes] = {}
    wanted = set(text_hashes)
    if database.row("SELECT 1 FROM file_vectors LIMIT 1") is not None:
        known |= _live_vectors(database, wanted, dimension)
    missing = wanted - known.keys()
    if missing and has_spares(database):
        for marks, hashes in _portions(missing):
            rows = database.rows(
                f"SELECT text_hash, vector FROM spare_vectors WHERE text_hash IN ({marks})", hashes
            )
            known |= _sound(rows, dimension)
    return known


def has_spares(database: Database) -> bool:
    """Whether there are any."""
    return database.row("SELECT 1 FROM spare_vectors LIMIT 1") is not None


def spare_vectors_of(database: Database, file_ids: Collection[int], *, dimension: int) -> None:
    """Keep the vectors of files that are about to lose them."""
    for file_id in file_ids:
        database.run_many(
            "INSERT OR REPLACE INTO spare_vectors (text_hash, vector) VALUES (?, ?)",
            _pairs_of_file(database, file_id, dimension),
        )


def adopt_vectors(database: Database, old: Database, *, dimension: int) -> int:
    """Take the vectors of another manifest as spares; gives how many.

    It may be damaged: what can be read, and is as it was written, is taken.
    """
    from code_indexer.storage.embedded_vectors import are_sound  # noqa: PLC0415 - numpy

    adopted = 0
    with suppress(IndexCorruptError):
        for records in _all_vectors(old, dimension):
            sound = are_sound(FileVectors(dimension, b"".join(records.values())))
            database.run_many(
                "INSERT OR IGNORE INTO spare_vectors (text_hash, vector) VALUES (?, ?)",
                compress(records.items(), sound),
            )
            adopted += sum(sound)
    return adopted


def drop_spares_of(database: Database, file_ids: Collection[int]) -> None:
    """Forget the spares of texts that live again, in files which have vectors now."""
    if has_spares(database):
        database.run_many(
            "DELETE FROM spare_vectors WHERE text_hash IN"
            " (SELECT text_hash FROM chunks WHERE chunk_id BETWEEN ? AND ?)",
            map(chunk_range, file_ids),
        )


def trim_spares(database: Database, limit: int) -> None:
    """Leave at most *limit* spares, the newest."""
    database.run(
        "DELETE FROM spare_vectors WHERE age <= (SELECT max(age) FROM spare_vectors) - ?", (limit,)
    )


def chunk_range(file_id: int) -> tuple[int, int]:
    """The first and last id that a row of the file may have."""
    return file_id << CHUNK_BITS, ((file_id + 1) << CHUNK_BITS) - 1


def _live_vectors(
    database: Database, text_hashes: Collection[bytes], dimension: int
) -> dict[bytes, bytes]:
    width = FileVectors(dimension, b"").record_bytes
    found: dict[bytes, bytes] = {}
    for marks, hashes in _portions(text_hashes):
        rows = database.rows(
            "SELECT text_hash, substr(vectors,"
            f" (chunk_id & {(1 << CHUNK_BITS) - 1}) * {width} + 1, {width})"
            f" FROM chunks JOIN file_vectors ON file_id = chunk_id >> {CHUNK_BITS}"
            f" WHERE text_hash IN ({marks})",
            hashes,
        )
        found |= _sound(rows, dimension)
    return found


def _sound(pairs: Iterable[tuple[bytes, bytes]], dimension: int) -> dict[bytes, bytes]:
    """Those records that are there and of the right size."""
    width = FileVectors(dimension, b"").record_bytes
    return {
        text_hash: record
        for text_hash, record in pairs
        if isinstance(record, bytes)
        and len(record) == width
        and next(FileVectors(dimension, record).split()) is not None
    }


def _all_vectors(database: Database, dimension: int) -> Iterator[dict[bytes, bytes]]:
    """The record of everything that is embedded, by text hash, some files at a time."""
    for (file_id,) in database.rows("SELECT file_id FROM file_vectors"):
        with suppress(IndexCorruptError):
            yield _sound(_pairs_of_file(database, file_id, dimension), dimension)
    for batch in database.batches("SELECT text_hash, vector FROM spare_vectors", (), size=1000):
        yield _sound(batch, dimension)


def _pairs_of_file(database: Database, file_id: int, dimension: int) -> list[tuple[bytes, bytes]]:
    """(text hash, record) of the chunks of a file that have vectors."""
    records = database.value("SELECT vectors FROM file_vectors WHERE file_id = ?", (file_id,))
    if records is None:
        return []
    with database.reading_values():
        split = FileVectors(dimension, records).split()
        pairs = list(zip(_text_hashes(database, file_id), split, strict=True))
    return [(text_hash, record) for text_hash, record in pairs if record is not None]


def _text_hashes(database: Database, file_id: int) -> list[bytes]:
    rows = database.rows(
        "SELECT text_hash FROM chunks WHERE chunk_id BETWEEN ? AND ? ORDER BY chunk_id",
        chunk_range(file_id),
    )
    return [row[0] for row in rows]


def _portions(hashes: Collection[bytes]) -> Iterator[tuple[str, Sequence[bytes]]]:
    ordered = list(hashes)
    for start in range(0, len(ordered), _HASHES_AT_ONCE):
        portion = ordered[start : start + _HASHES_AT_ONCE]
        yield ",".join("?" * len(portion)), portion
