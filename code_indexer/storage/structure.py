"""Symbols and references read back: by name, by file, by line."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter

from code_indexer.storage.database import Database, Row
from code_indexer.storage.known_vectors import chunk_range
from code_indexer.storage.packed_references import name_key, unpack_references
from code_indexer.storage.rows import CHUNK_BITS, path_text
from code_indexer.types import ContentKind, Reference, Relationship, Symbol

_SYMBOL = (
    "name, qualified_name, kind, symbols.start_line, symbols.end_line, name_line, parent,"
    " visibility, is_test, is_declaration, signature, documentation"
)
_FOUND = f"SELECT file_id, path, language, content, {_SYMBOL}"
_THEIR_FILE = f"JOIN files ON file_id = symbol_id >> {CHUNK_BITS}"


@dataclass(frozen=True, slots=True)
class FoundSymbol:
    """A symbol and the file it lies in."""

    file_id: int
    path: str
    language: str | None
    content: ContentKind
    symbol: Symbol


@dataclass(frozen=True, slots=True)
class FoundReference:
    """A reference and the file it lies in."""

    file_id: int
    path: str
    language: str | None
    reference: Reference


def symbols_named(database: Database, name: str, *, ignore_case: bool = False) -> list[FoundSymbol]:
    """All symbols of exactly this (last) name, by path and line."""
    exactly = "" if ignore_case else " AND name = ?"
    return database.records(
        _found_symbol,
        f"{_FOUND} FROM symbols {_THEIR_FILE} WHERE name_lower = ?{exactly}"
        " ORDER BY path, symbols.start_line",
        (name.lower(),) if ignore_case else (name.lower(), name),
    )


def symbols_like(database: Database, part: str, *, limit: int) -> list[FoundSymbol]:
    """Symbols whose name holds *part*, letter case aside; names that start with it come first.

    ``instr`` over the index alone: no sign in *part* has a meaning, and a million names take a
    fraction of a second.
    """
    return database.records(
        _found_symbol,
        f"{_FOUND} FROM (SELECT symbol_id AS id, name_lower AS lower,"
        " instr(name_lower, ?1) AS place FROM symbols INDEXED BY symbols_by_name"
        " WHERE instr(name_lower, ?1) > 0"
        " ORDER BY min(instr(name_lower, ?1), 2), length(name_lower), name_lower, symbol_id"
        f" LIMIT ?2) JOIN symbols ON symbol_id = id {_THEIR_FILE}"
        " ORDER BY min(place, 2), length(lower), lower, path, symbols.start_line",
        (part.lower(), limit),
    )


def symbols_of_file(database: Database, file_id: int) -> list[Symbol]:
    """The symbols of a file, in the order in which it was parsed."""
    return database.records(
        _symbol,
        f"SELECT {_SYMBOL} FROM symbols WHERE symbol_id BETWEEN ? AND ? ORDER BY symbol_id",
        chunk_range(file_id),
    )


def symbol_at(database: Database, file_id: int, line: int) -> Symbol | None:
    """The innermost symbol around a line of a file."""
    found = database.records(
        _symbol,
        f"SELECT {_SYMBOL} FROM symbols WHERE symbol_id BETWEEN ? AND ?"
        " AND start_line <= ? AND end_line >= ?"
        " ORDER BY end_line - start_line, symbol_id DESC LIMIT 1",
        (*chunk_range(file_id), line, line),
    )
    return found[0] if found else None


def references_named(
    database: Database, name: str, relationship: Relationship | None = None
) -> Iterator[FoundReference]:
    """The places that name *name*, by path and line."""
    for row in database.rows(
        "SELECT file_id, path, language, places, imports FROM reference_names"
        " JOIN file_references USING (file_id) JOIN files USING (file_id)"
        " WHERE name_key = ? ORDER BY path",
        (name_key(name),),
    ):
        for found in _found_references(database, row, name):
            if relationship in (None, found.reference.relationship):
                yield found


def references_of_file(database: Database, file_id: int) -> list[Reference]:
    """All references that a file makes, in its order."""
    row = database.row("SELECT places, imports FROM file_references WHERE file_id = ?", (file_id,))
    return _references(database, row or ())


def imports_of(database: Database, file_id: int) -> list[Reference]:
    """What a file imports, in its order."""
    row = database.row("SELECT imports FROM file_references WHERE file_id = ?", (file_id,))
    return _references(database, row or ())


def all_imports(database: Database) -> Iterator[FoundReference]:
    """What every file imports, by path."""
    for row in database.rows(
        "SELECT file_id, path, language, imports FROM file_references JOIN files USING (file_id)"
        " WHERE imports != x'' ORDER BY path"
    ):
        yield from _found_references(database, row)


def _found_references(
    database: Database, row: Row, name: str | None = None
) -> list[FoundReference]:
    file_id, path, language, *packed = row
    references = _references(database, packed, name)
    with database.reading_values():
        path = path_text(path)
    return [FoundReference(file_id, path, language, reference) for reference in references]


def _references(
    database: Database, packed: Sequence[bytes], name: str | None = None
) -> list[Reference]:
    with database.reading_values():
        found = [reference for part in packed for reference in unpack_references(part, name)]
    return sorted(found, key=itemgetter(1, 2))


def _found_symbol(row: Row) -> FoundSymbol:
    return FoundSymbol(row[0], path_text(row[1]), row[2], row[3], _symbol(row[4:]))


def _symbol(row: Row) -> Symbol:
    fields = list(row)
    fields[8:10] = map(bool, row[8:10])
    return Symbol(*fields)
