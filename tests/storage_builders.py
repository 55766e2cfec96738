"""Rows for tests of the storage room, with defaults for everything, and a picture of a manifest."""

import sqlite3
from pathlib import Path

from code_indexer.identity import content_hash, text_hash
from code_indexer.storage.manifest import EmbedderKey, Manifest
from code_indexer.storage.rows import CHUNK_BITS, FileRows, pack_file, path_text
from code_indexer.storage.vectors import FileVectors
from code_indexer.types import (
    Chunk,
    FileStamp,
    FoundFile,
    LexicalRow,
    ParsedFile,
    Reference,
    Symbol,
)

EMBEDDER = EmbedderKey("words", 4)


def make_stamp(**changes) -> FileStamp:
    fields = {"size": 10, "mtime_ns": 20, "ctime_ns": 30, "inode": 40, "observed_ns": 50}
    return FileStamp(**(fields | changes))


def make_symbol(name: str = "run", **changes) -> Symbol:
    fields = {
        "qualified_name": name,
        "kind": "function",
        "start_line": 1,
        "end_line": 3,
        "name_line": 1,
    }
    return Symbol(name, **(fields | changes))


def make_reference(name: str = "run", **changes) -> Reference:
    return Reference(name, **({"line": 1, "column": 0, "relationship": "calls"} | changes))


def make_rows(path: str = "a.py", texts=("def run(): pass",), **changes) -> FileRows:
    """A file with one chunk of ten lines per text; the terms are the text's words."""
    fields = {
        "language": "python",
        "content": "code",
        "symbols": (),
        "references": (),
        "terms": None,
        "stamp": make_stamp(),
        "error": None,
        "degraded": None,
        "hash": content_hash("\n".join(texts).encode("utf-8", "surrogatepass")),
    } | changes
    chunks = tuple(Chunk(i, i * 10 + 1, i * 10 + 10, text) for i, text in enumerate(texts))
    lexical = fields["terms"] or [
        LexicalRow(text.lower(), "", "", path.rpartition("/")[2].lower(), "") for text in texts
    ]
    parsed = ParsedFile(
        fields["language"], chunks, fields["symbols"], fields["references"], fields["degraded"]
    )
    return pack_file(
        FoundFile(path, fields["stamp"], fields["language"], fields["content"]),
        fields["hash"],
        parsed,
        lexical,
        [text_hash(text) for text in texts],
        fields["error"],
    )


def vector_record(text: str) -> bytes:
    """Any vector, but the same for the same text."""
    from code_indexer.storage.embedded_vectors import quantise

    seeds = text_hash(text)[:4]
    import numpy as np

    (record,) = quantise(np.array([[seed - 100 for seed in seeds]], np.float32)).split()
    assert record is not None
    return record


def vectors_of(texts) -> FileVectors:
    return FileVectors.of(EMBEDDER.dimension, [vector_record(text) for text in texts])


def open_manifest(folder: Path, **options) -> Manifest:
    manifest = Manifest.open(folder / "manifest.db", **options)
    if not options.get("read_only"):
        manifest.set_embedder(EMBEDDER)
    return manifest


def picture(manifest: Manifest) -> dict[str, list]:
    """All that belongs to files, in a form that does not depend on their ids."""
    database = manifest.database
    database.run(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.lexical_places"
        " USING fts5vocab ('main', 'lexical', 'instance')"
    )
    paths = {
        file_id: path_text(path) for file_id, path in _rows(database, "file_id, path FROM files")
    }

    def place(row_id: int) -> tuple[str, int]:
        return paths[row_id >> CHUNK_BITS], row_id & ((1 << CHUNK_BITS) - 1)

    def named(sql: str) -> list:
        return sorted((place(row[0]), *row[1:]) for row in _rows(database, sql))

    return {
        "files": sorted(
            (path_text(row[0]), *map(repr, row[1:])) for row in _rows(database, _FILES)
        ),
        "chunks": named("chunk_id, start_line, end_line, text, text_hash FROM chunks"),
        "symbols": named("symbol_id, name, name_lower, qualified_name, kind FROM symbols"),
        "lexical": named("doc, term, col, offset FROM lexical_places"),
        "lexical sizes": named("id, sz FROM lexical_docsize"),
        # All zeros before the first row and after the last one: an empty record says the same.
        "lexical totals": [
            row[0].rstrip(b"\0") for row in _rows(database, "block FROM lexical_data WHERE id = 1")
        ],
        "references": sorted(
            (paths[row[0]], *row[1:])
            for row in _rows(database, "file_id, places, imports FROM file_references")
        ),
        "names": sorted(
            (paths[row[0]], row[1])
            for row in _rows(database, "file_id, name_key FROM reference_names")
        ),
        "vectors": sorted(
            (paths[row[0]], row[1]) for row in _rows(database, "file_id, vectors FROM file_vectors")
        ),
    }


_FILES = (
    "path, content_hash, size, mtime_ns, ctime_ns, inode, observed_ns, language, content,"
    " chunk_count, symbol_count, reference_count, degraded, error, vector_count, embedded FROM files"
)


def _rows(database, what: str) -> list:
    return database.rows(f"SELECT {what}")


def raw(path: Path) -> sqlite3.Connection:
    """The database as a stranger sees it."""
    return sqlite3.connect(path)
