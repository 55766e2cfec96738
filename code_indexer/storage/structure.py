"""Symbols and references read back: by name, by file, by line."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

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
    rows = database.rows(
        f"{_FOUND} FROM symbols {_THEIR_FILE} WHERE name_lower = ?{exactly}"
        " ORDER BY path, symbols.start_line",
        (name.lower(),) if ignore_case else (name.lower(), name),
    )
    return [_found_symbol(row) for row in rows]


def symbols_like(database: Database, part: str, *, limit: int) -> list[FoundSymbol]:
    """Symbols whose name holds *part*, letter case aside; names that start with it come first.

    ``instr`` over the index alone: no sign in *part* has a meaning, and a million names take a
    fraction of a second.
    """
    rows = database.rows(
        f"{_FOUND} FROM (SELECT symbol_id AS id, name_lower AS lower,"
        " instr(name_lower, ?1) AS place FROM symbols INDEXED BY symbols_by_name"
        " WHERE instr(name_lower, ?1) > 0"
        " ORDER BY min(instr(name_lower, ?1), 2), length(name_lower), name_lower, symbol_id"
        f" LIMIT ?2) JOIN symbols ON symbol_id = id {_THEIR_FILE}"
        " ORDER BY min(place, 2), length(lower), lower, path, symbols.start_line",
        (part.lower(), limit),
    )
    return [_found_symbol(row) for row in rows]


def symbols_of_file(database: Database, file_id: int) -> list[Symbol]:
    """The symbols of a file, in the order in which it was parsed."""
    rows = database.rows(
        f"SELECT {_SYMBOL} FROM symbols WHERE symbol_id BETWEEN ? AND ? ORDER BY symbol_id",
        chunk_range(file_id),
    )
    return [_symbol(row) for row in rows]


def symbol_at(database: Database, file_id: int, line: int) -> Symbol | None:
    """The innermost symbol around a line of a file."""
    row = database.row(
        f"SELECT {_SYMBOL} FROM symbols WHERE symbol_id BETWEEN ? AND ?"
        " AND start_line <= ? AND end_line >= ?"
        " ORDER BY end_line - start_line, symbol_id DESC LIMIT 1",
        (*chunk_range(file_id), line, line),
    )
    return None if row is None else _symbol(row)


def references_named(
    database: Database, name: str, relationship: Relationship | None = None
) -> Iterator[FoundReference]:
    """The places that name *name*, by path and line."""
    rows = database.rows(
        "SELECT file_id, path, language, places, imports FROM reference_names"
        " JOIN file_references USING (file_id) JOIN files USING (file_id)"
        " WHERE name_key = ? ORDER BY path",
        (name_key(name),),
    )
    for file_id, path, language, *packed in rows:
        found = _unpacked(database, packed, name)
        for reference in sorted(found, key=_place):
            if relationship in (None, reference.relationship):
                yield FoundReference(file_id, path_text(path), language, reference)


def references_of_file(database: Database, file_id: int) -> list[Reference]:
    """All references that a file makes, in its order."""
    row = database.row("SELECT places, imports FROM file_references WHERE file_id = ?", (file_id,))
    return sorted(_unpacked(database, row or ()), key=_place)


def imports_of(database: Database, file_id: int) -> list[Reference]:
    """What a file imports, in its order."""
    packed = database.value("SELECT imports FROM file_references WHERE file_id = ?", (file_id,))
    return _unpacked(database, [packed or b""])


def all_imports(database: Database) -> Iterator[FoundReference]:
    """What every file imports, by path."""
    for file_id, path, language, packed in database.rows(
        "SELECT file_id, path, language, imports FROM file_references JOIN files USING (file_id)"
        " WHERE imports != x'' ORDER BY path"
    ):
        for reference in _unpacked(database, [packed]):
            yield FoundReference(file_id, path_text(path), language, reference)


def _unpacked(
    database: Database, packed: Sequence[bytes], name: str | None = None
) -> list[Reference]:
    unpack = partial(unpack_references, name=name)
    return [reference for part in packed for reference in database.unpacked(unpack, part)]


def _place(reference: Reference) -> tuple[int, int]:
    return reference.line, reference.column


def _found_symbol(row: Row) -> FoundSymbol:
    return FoundSymbol(row[0], path_text(row[1]), row[2], row[3], _symbol(row[4:]))


def _symbol(row: Row) -> Symbol:
    fields = list(row)
    fields[8:10] = map(bool, row[8:10])
    return Symbol(*fields)
