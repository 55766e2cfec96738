"""A manifest on its way to another computer: stripped of what is local, and not trusted there."""

from pathlib import Path

from code_indexer.errors import IndexCorruptError, StateError
from code_indexer.storage.database import Database, open_database
from code_indexer.storage.database_files import replace_contents
from code_indexer.storage.integrity import find_damage
from code_indexer.storage.migrations import MANIFEST_STEPS
from code_indexer.storage.rows import path_text

SCHEMA = len(MANIFEST_STEPS)
"""The form of the tables: a copy of another form is refused."""

_TRAVELS = ("embedder", "structure", "cpp_headers")
"""Facts of ``meta`` that hold on another computer; roots, collections and times do not."""
_STAYS = ("skipped_files", "failed_files", "pass_journal", "spare_vectors", "chunk_failures")


def write_portable_copy(source: Path, target: Path) -> None:
    """Make *target* a copy of the manifest *source* that says nothing of this computer.

    Rows that were deleted long ago are not in it either.
    """
    replace_contents(target, source)
    with open_database(target, MANIFEST_STEPS) as database:
        with database.transaction():
            for table in _STAYS:
                database.run(f"DELETE FROM {table}")
            marks = ", ".join("?" * len(_TRAVELS))
            database.run(f"DELETE FROM meta WHERE key NOT IN ({marks})", _TRAVELS)
            _distrust_stamps(database)
        database.run("VACUUM")


def check_foreign_copy(path: Path, scratch: Path) -> None:
    """Refuse a manifest that a stranger may have made up.

    *scratch* is a path for a database to compare it with, which is left behind.

    Raises:
        IndexCorruptError: It is damaged, or holds other than what this program writes.
        StateError: It is of another form.
    """
    with open_database(scratch, MANIFEST_STEPS) as empty:
        wanted = _schema(empty)
    with open_database(path, MANIFEST_STEPS, read_only=True) as database:
        if database.value("PRAGMA user_version") != SCHEMA:
            raise StateError(f"{path} is of another form than this release writes")
        # Triggers and views would run as soon as somebody writes or reads.
        if _schema(database) != wanted:
            raise IndexCorruptError("the index has other tables than this program makes")
        unusable = _unusable_paths(database)
    if unusable:
        raise IndexCorruptError(f"the index is damaged ({unusable[0]})")


def settle_foreign_copy(path: Path) -> None:
    """Make a manifest that was checked one of this computer: every file will be read again.

    Raises:
        IndexCorruptError: Its rows do not belong together.
    """
    with open_database(path, MANIFEST_STEPS) as database:
        damage = find_damage(database)
        if damage:
            raise IndexCorruptError(f"the index is damaged ({damage[0]})")
        with database.transaction():
            marks = ", ".join("?" * len(_TRAVELS))
            database.run(f"DELETE FROM meta WHERE key NOT IN ({marks})", _TRAVELS)
            _distrust_stamps(database)


def _distrust_stamps(database: Database) -> None:
    database.run("UPDATE files SET mtime_ns = 0, ctime_ns = 0, inode = 0, observed_ns = 0")


def _schema(database: Database) -> list[tuple[object, ...]]:
    return database.rows(
        "SELECT type, name, tbl_name, sql FROM sqlite_master"
        " WHERE name NOT LIKE 'sqlite_stat%' ORDER BY name"
    )


def _unusable_paths(database: Database) -> list[str]:
    """Paths that lead out of a project, or are none."""
    found = database.records(lambda row: path_text(row[0]), "SELECT path FROM files")
    return [f"unusable path {path!r}" for path in found if not _is_inside(path)]


def _is_inside(path: str) -> bool:
    parts = path.split("/")
    return "\0" not in path and not any(part in ("", ".", "..") for part in parts)
