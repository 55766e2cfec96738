"""The full-text side of the manifest: terms in, scored chunks out.

The FTS5 table keeps no text (contentless). In SQLite 3.40 such a table forgets a row only when it
is given the very values that went in, hence ``lexical_sources``.
"""

import json
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from code_indexer.storage.database import Database
from code_indexer.storage.rows import CHUNK_BITS, FileRows, unpack_lexical
from code_indexer.storage.vectors import ChunkScore

_COLUMNS = "body, names, docs, stem, dirs"
_INSERT = f"INSERT INTO lexical (rowid, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)"
_DELETE = f"INSERT INTO lexical (lexical, rowid, {_COLUMNS}) VALUES ('delete', ?, ?, ?, ?, ?, ?)"


class Weights(NamedTuple):
    """How much a term counts, by the field it stands in."""

    body: float = 1.0
    names: float = 2.0
    docs: float = 1.0
    stem: float = 2.0
    dirs: float = 1.0


EVEN_WEIGHTS = Weights()


def lexical_match(
    database: Database,
    terms: Sequence[str],
    *,
    limit: int,
    weights: Weights = EVEN_WEIGHTS,
    file_ids: Collection[int] | None = None,
) -> list[ChunkScore]:
    """Chunks that hold any of *terms*, by BM25, best first."""
    expression = match_expression(terms)
    if not expression:
        return []
    among, parameters = _among(file_ids)
    rows = database.rows(
        "SELECT rowid, -rank FROM lexical WHERE lexical MATCH ? AND rank MATCH ?"
        f"{among} ORDER BY rank LIMIT ?",
        [expression, f"bm25({', '.join(map(str, map(float, weights)))})", *parameters, limit],
    )
    return [ChunkScore(chunk_id, score) for chunk_id, score in rows]


def chunks_with_phrase(
    database: Database, phrase: str, *, limit: int, file_ids: Collection[int] | None = None
) -> list[int]:
    """Some *limit* chunks that hold the terms of *phrase* one after the other, in one field."""
    among, parameters = _among(file_ids)
    rows = database.rows(
        f"SELECT rowid FROM lexical WHERE lexical MATCH ?{among} LIMIT ?",
        [match_expression([phrase]), *parameters, limit],
    )
    return [chunk_id for (chunk_id,) in rows]


def _among(file_ids: Collection[int] | None) -> tuple[str, list[object]]:
    """The condition that a row is of one of these files, and its parameters."""
    if file_ids is None:
        return "", []
    condition = f" AND (rowid >> {CHUNK_BITS}) IN (SELECT value FROM json_each(?))"
    return condition, [json.dumps(sorted(file_ids))]


def match_expression(terms: Iterable[str]) -> str:
    """An FTS5 query for any of *terms*, in which nothing they hold is an operator."""
    # NUL ends an FTS5 query, and a term of spaces alone would be an empty phrase.
    cleaned = (term.replace("\0", " ").strip() for term in terms)
    quoted = ('"' + term.replace('"', '""') + '"' for term in cleaned if term)
    return " OR ".join(dict.fromkeys(quoted))


def document_frequencies(database: Database, terms: Collection[str]) -> dict[str, int]:
    """In how many chunks each of *terms* stands, any field; 0 for the unknown."""
    found = {
        term: database.value("SELECT doc FROM lexical_terms WHERE term = ?", (term,)) or 0
        for term in terms
    }
    return {term: int(count) for term, count in found.items()}


def insert_lexical(database: Database, file_ids: Sequence[int], files: Sequence[FileRows]) -> None:
    """Add the lexical rows of new files."""
    database.run_many(
        _INSERT,
        (
            (file_id << CHUNK_BITS | index, *row)
            for file_id, rows in zip(file_ids, files, strict=True)
            for index, row in enumerate(rows.lexical)
        ),
    )
    database.run_many(
        "INSERT INTO lexical_sources (file_id, terms) VALUES (?, ?)",
        [
            (file_id, rows.lexical_packed)
            for file_id, rows in zip(file_ids, files, strict=True)
            if rows.lexical
        ],
    )


def delete_lexical(database: Database, file_ids: Collection[int]) -> None:
    """Forget the lexical rows of files."""
    for file_id in file_ids:
        packed = database.value("SELECT terms FROM lexical_sources WHERE file_id = ?", (file_id,))
        if packed is None:
            continue
        with database.reading_values():
            rows = unpack_lexical(packed)
        database.run_many(
            _DELETE, [(file_id << CHUNK_BITS | index, *row) for index, row in enumerate(rows)]
        )
        database.run("DELETE FROM lexical_sources WHERE file_id = ?", (file_id,))
