"""Everything that a manifest holds, without ids and times: equal for equal trees."""

import sqlite3
from collections import defaultdict
from pathlib import Path

BITS = 20


def index_contents(manifest: Path) -> dict[str, dict[str, object]]:
    """Per path its file row, chunks, symbols, references, lexical terms and vectors."""
    connection = sqlite3.connect(f"file:{manifest}?mode=ro", uri=True)
    try:
        paths = dict(connection.execute("SELECT file_id, path FROM files"))
        contents: dict[str, dict[str, object]] = {
            path.decode("utf-8", "replace"): {} for path in paths.values()
        }
        for name, rows in _tables(connection):
            grouped = defaultdict(list)
            for file_id, *row in rows:
                assert file_id in paths, f"an orphan in {name}: {file_id}, {row}"
                grouped[paths[file_id].decode("utf-8", "replace")].append(tuple(row))
            for path, found in grouped.items():
                contents[path][name] = sorted(found, key=repr)
        return contents
    finally:
        connection.close()


def _tables(connection):
    select = connection.execute
    yield (
        "file",
        select(
            "SELECT file_id, content_hash, language, content, chunk_count, symbol_count,"
            " reference_count, vector_count, embedded, degraded, error FROM files"
        ),
    )
    yield (
        "chunks",
        select(
            f"SELECT chunk_id >> {BITS}, chunk_id & {(1 << BITS) - 1}, start_line, end_line, text,"
            " symbol, kind, text_hash FROM chunks"
        ),
    )
    yield (
        "symbols",
        select(
            f"SELECT symbol_id >> {BITS}, name, qualified_name, kind, start_line, end_line,"
            " name_line, parent, visibility, is_test, is_declaration, signature, documentation"
            " FROM symbols"
        ),
    )
    yield "references", select("SELECT file_id, places, imports FROM file_references")
    yield "reference names", select("SELECT file_id, name_key FROM reference_names")
    yield "vectors", select("SELECT file_id, vectors FROM file_vectors")
    select("CREATE VIRTUAL TABLE temp.instances USING fts5vocab (main, lexical, instance)")
    yield (
        "terms",
        select(
            f"SELECT doc >> {BITS}, doc & {(1 << BITS) - 1}, term, col, offset FROM temp.instances"
        ),
    )
