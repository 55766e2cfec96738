"""The forms of our databases, step by step; a released step is never edited."""

import sqlite3

# Every character that a term may hold, besides letters and digits: terms arrive cut by spaces, so
# nothing else may cut them. The "ascii" tokenizer takes all of Unicode above 127 as letters.
_TERM_SIGNS = "!#$%&*+-./:;<=>?@\\^_`|~"


def m001_create_manifest(connection: sqlite3.Connection) -> None:
    """Files and all that is known of them.

    Rows of a file have ids that start with the file's: ``file_id << 20 | position``, so that a file
    is deleted by ranges and no second index is needed. No id is ever given twice: SQLite 3.40 loses
    the deletion of a full-text row now and then when a row of the same id came after it, and what
    is left behind must not be taken for another chunk.
    """
    for statement in (
        "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
        """CREATE TABLE files (
            file_id INTEGER PRIMARY KEY AUTOINCREMENT,
            path BLOB NOT NULL UNIQUE,
            content_hash TEXT NOT NULL,
            size INTEGER NOT NULL,
            mtime_ns INTEGER NOT NULL,
            ctime_ns INTEGER NOT NULL,
            inode INTEGER NOT NULL,
            observed_ns INTEGER NOT NULL,
            language TEXT,
            content TEXT NOT NULL,
            chunk_count INTEGER NOT NULL,
            symbol_count INTEGER NOT NULL,
            reference_count INTEGER NOT NULL,
            degraded TEXT,
            error TEXT,
            vector_count INTEGER NOT NULL DEFAULT 0,
            embedded INTEGER NOT NULL DEFAULT 0
        )""",
        "CREATE INDEX files_to_embed ON files (file_id) WHERE embedded = 0",
        """CREATE TABLE chunks (
            chunk_id INTEGER PRIMARY KEY,
            start_line INTEGER NOT NULL,
            end_line INTEGER NOT NULL,
            text TEXT NOT NULL,
            symbol TEXT,
            kind TEXT,
            text_hash BLOB NOT NULL
        )""",
        "CREATE INDEX chunks_by_text_hash ON chunks (text_hash)",
        """CREATE TABLE symbols (
            symbol_id INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            name_lower TEXT NOT NULL,
            qualified_name TEXT NOT NULL,
            kind TEXT NOT NULL,
            start_line INTEGER NOT NULL,
            end_line INTEGER NOT NULL,
            name_line INTEGER NOT NULL,
            parent TEXT,
            visibility TEXT,
            is_test INTEGER NOT NULL,
            is_declaration INTEGER NOT NULL,
            signature TEXT NOT NULL,
            documentation TEXT NOT NULL
        )""",
        "CREATE INDEX symbols_by_name ON symbols (name_lower)",
        """CREATE TABLE file_references (
            file_id INTEGER PRIMARY KEY,
            places BLOB NOT NULL,
            imports BLOB NOT NULL
        )""",
        """CREATE TABLE reference_names (
            name_key INTEGER NOT NULL,
            file_id INTEGER NOT NULL,
            PRIMARY KEY (name_key, file_id)
        ) WITHOUT ROWID""",
        "CREATE TABLE lexical_sources (file_id INTEGER PRIMARY KEY, terms BLOB NOT NULL)",
        f"""CREATE VIRTUAL TABLE lexical USING fts5 (
            body, names, docs, stem, dirs,
            content = '', tokenize = "ascii tokenchars '{_TERM_SIGNS}'"
        )""",
        "CREATE VIRTUAL TABLE lexical_terms USING fts5vocab (lexical, row)",
        "CREATE TABLE file_vectors (file_id INTEGER PRIMARY KEY, vectors BLOB NOT NULL)",
        """CREATE TABLE spare_vectors (
            age INTEGER PRIMARY KEY AUTOINCREMENT,
            text_hash BLOB NOT NULL UNIQUE,
            vector BLOB NOT NULL
        )""",
        """CREATE TABLE chunk_failures (
            chunk_id INTEGER PRIMARY KEY,
            reason TEXT NOT NULL,
            attempts INTEGER NOT NULL,
            retry_after REAL NOT NULL
        )""",
        """CREATE TABLE skipped_files (
            path BLOB NOT NULL,
            reason TEXT NOT NULL,
            detail TEXT NOT NULL
        )""",
        """CREATE TABLE failed_files (
            path BLOB NOT NULL,
            reason TEXT NOT NULL,
            detail TEXT NOT NULL
        )""",
        """CREATE TABLE pass_journal (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            state TEXT NOT NULL,
            pid INTEGER,
            started REAL,
            finished REAL,
            counters TEXT NOT NULL,
            error TEXT
        )""",
    ):
        connection.execute(statement)


def m001_create_registry(connection: sqlite3.Connection) -> None:
    """The registered projects."""
    connection.execute(
        """CREATE TABLE projects (
            slug TEXT PRIMARY KEY,
            root BLOB NOT NULL UNIQUE,
            name TEXT UNIQUE,
            collection TEXT NOT NULL UNIQUE,
            created REAL NOT NULL
        ) WITHOUT ROWID"""
    )


MANIFEST_STEPS = (m001_create_manifest,)
REGISTRY_STEPS = (m001_create_registry,)
