"""The SQLite library of this Python."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SqliteFacts:
    """What the library is, and whether it can do what we need."""

    version: str
    has_full_text_search: bool


def sqlite_facts() -> SqliteFacts:
    """Asks the library itself: what it was built with is written nowhere else."""
    with closing(sqlite3.connect(":memory:")) as connection:
        try:
            connection.execute("CREATE VIRTUAL TABLE probe USING fts5 (text)")
        except sqlite3.Error:
            return SqliteFacts(sqlite3.sqlite_version, has_full_text_search=False)
    return SqliteFacts(sqlite3.sqlite_version, has_full_text_search=True)
