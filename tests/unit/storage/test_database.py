"""Opening databases: created private, brought up to date, errors in our words."""

import errno
import os
import shutil
import sqlite3
import stat
from types import SimpleNamespace

import pytest

from code_indexer.errors import IndexBusyError, IndexCorruptError, StateError
from code_indexer.storage import database as database_module
from code_indexer.storage import database_files
from code_indexer.storage.database import open_database
from code_indexer.storage.database_files import replace_contents, set_aside
from code_indexer.storage.migrations import MANIFEST_STEPS


def m001_first(connection):
    connection.execute("CREATE TABLE things (name TEXT)")


def m002_second(connection):
    connection.execute("ALTER TABLE things ADD COLUMN size INTEGER DEFAULT 7")


def m002_broken(connection):
    connection.execute("INSERT INTO things VALUES ('half')")
    raise RuntimeError


@pytest.fixture
def path(tmp_path):
    return tmp_path / "state" / "things.db"


def _names(database):
    return [row[0] for row in database.rows("SELECT name FROM things")]


def test_file_and_folder_are_private(path):
    with open_database(path, [m001_first]) as database:
        database.run("INSERT INTO things VALUES ('x')")

        assert {0o600} == {stat.S_IMODE(one.stat().st_mode) for one in path.parent.iterdir()}
    assert 0o700 == stat.S_IMODE(path.parent.stat().st_mode)


def test_it_says_whether_it_is_new(path):
    with open_database(path, [m001_first]) as first, open_database(path, [m001_first]) as second:
        assert (True, False) == (first.created, second.created)


def test_writers_do_not_keep_readers_out(path):
    with open_database(path, [m001_first]) as database:
        assert "wal" == database.value("PRAGMA journal_mode")


def test_an_old_database_is_brought_up_to_date(path):
    with open_database(path, [m001_first]) as database:
        database.run("INSERT INTO things VALUES ('x')")
    with open_database(path, [m001_first, m002_second]) as database:
        assert [("x", 7)] == database.rows("SELECT * FROM things")


def test_a_step_that_fails_leaves_nothing_behind(path):
    open_database(path, [m001_first]).close()
    with pytest.raises(RuntimeError):
        open_database(path, [m001_first, m002_broken])

    with open_database(path, [m001_first]) as database:
        assert [] == _names(database)


def test_a_newer_database_is_refused_with_the_reason(path):
    open_database(path, [m001_first, m002_second]).close()

    with pytest.raises(StateError, match="newer code-indexer"):
        open_database(path, [m001_first])


def test_reading_alone_neither_creates_nor_changes(path):
    with pytest.raises(StateError):
        open_database(path, [m001_first], read_only=True)
    assert not path.parent.exists()

    open_database(path, [m001_first]).close()
    with pytest.raises(StateError, match="older"):
        open_database(path, [m001_first, m002_second], read_only=True)
    with (
        open_database(path, [m001_first], read_only=True) as database,
        pytest.raises(StateError, match="cannot be written"),
    ):
        database.run("INSERT INTO things VALUES ('x')")


@pytest.mark.parametrize("name", ["ordinary", "blank % ?#&", "new\nline", "\udcff\udc80", "größe"])
def test_any_folder_name_will_do(tmp_path, name):
    path = tmp_path / name / "things.db"
    open_database(path, [m001_first]).close()

    with open_database(path, [m001_first], read_only=True) as database:
        assert [] == _names(database)
    assert {"things.db"} == {one.name.partition("-")[0] for one in path.parent.iterdir()}


def test_a_locked_database_is_busy(path, monkeypatch):
    monkeypatch.setattr(database_files, "BUSY_TIMEOUT_SECONDS", 0.05)
    with open_database(path, [m001_first]) as holder, open_database(path, [m001_first]) as other:
        holder.run("BEGIN IMMEDIATE")

        with pytest.raises(IndexBusyError, match=r"things\.db"), other.transaction():
            pass


def test_a_full_disk_is_said_and_costs_nothing_that_was_committed(path):
    with open_database(path, [m001_first]) as database:
        database.run("INSERT INTO things VALUES ('kept')")
        database.run(f"PRAGMA max_page_count = {database.value('PRAGMA page_count') + 2}")

        with pytest.raises(StateError, match="no space left"), database.transaction():
            database.run("INSERT INTO things VALUES (?)", ("x" * 100_000,))

        with database.transaction():
            database.run("INSERT INTO things VALUES ('small')")
        assert ["kept", "small"] == _names(database)


def test_a_folder_that_cannot_be_made_is_said(tmp_path):
    (tmp_path / "file").write_text("in the way")

    with pytest.raises(StateError, match="cannot write"):
        open_database(tmp_path / "file" / "things.db", [m001_first])


@pytest.mark.parametrize("read_only", [True, False])
@pytest.mark.parametrize("sealed", ["access", "statvfs"])
def test_where_no_file_can_be_made_it_can_still_be_read(path, monkeypatch, sealed, read_only):
    with open_database(path, [m001_first]) as database:
        database.run("INSERT INTO things VALUES ('kept')")
    before = sorted(path.parent.iterdir())
    full = SimpleNamespace(f_bavail=0, f_frsize=4096)
    monkeypatch.setattr(os, sealed, lambda *_: False if sealed == "access" else full)

    with open_database(path, [m001_first], read_only=read_only) as database:
        assert ["kept"] == _names(database)
        with pytest.raises(StateError, match=r"cannot be written|no space"), database.transaction():
            database.run("DELETE FROM things")
        assert before == sorted(path.parent.iterdir())


def test_on_a_full_disk_what_waits_in_the_wal_is_read_too(path, monkeypatch):
    with open_database(path, [m001_first]) as writer:
        writer.run("INSERT INTO things VALUES ('late')")
        monkeypatch.setattr(os, "statvfs", lambda _: SimpleNamespace(f_bavail=0, f_frsize=4096))

        with open_database(path, [m001_first], read_only=True) as database:
            assert ["late"] == _names(database)


def test_a_statement_that_is_wrong_stays_an_error_of_the_program(path):
    with open_database(path, [m001_first]) as database, pytest.raises(sqlite3.OperationalError):
        database.run("SELEKT")


def test_a_missing_table_is_damage(path):
    with (
        open_database(path, [m001_first], hint="repair it") as database,
        pytest.raises(IndexCorruptError) as caught,
    ):
        database.rows("SELECT * FROM elsewhere")

    assert "repair it" == caught.value.hint


def test_a_key_that_is_there_already_is_damage(path):
    with open_database(path, [m001_first]) as database:
        database.run("CREATE UNIQUE INDEX once ON things (name)")
        database.run("INSERT INTO things VALUES ('x')")

        with pytest.raises(IndexCorruptError, match="UNIQUE"):
            database.run("INSERT INTO things VALUES ('x')")


def test_rows_come_in_batches(path):
    with open_database(path, [m001_first]) as database:
        database.run_many("INSERT INTO things VALUES (?)", [(str(n),) for n in range(5)])
        batches = list(database.batches("SELECT name FROM things ORDER BY 1", (), size=2))

    assert [["0", "1"], ["2", "3"], ["4"]] == [[row[0] for row in batch] for batch in batches]


def test_a_database_set_aside_is_whole_and_makes_room(path):
    with open_database(path, [m001_first]) as database:
        database.run("INSERT INTO things VALUES ('old')")
        target = set_aside(path, now=0.0)
        twin = set_aside(path, now=0.0)
    with open_database(path, [m001_first]) as fresh:
        assert [] == _names(fresh)
    with open_database(target, [m001_first]) as old:
        assert ["old"] == _names(old)

    assert "things.db.damaged-19700101T000000" == target.name
    assert "things.db.damaged-19700101T000000-2" == twin.name


def test_contents_are_replaced_while_somebody_reads(path):
    other = path.with_name("new.db")
    with open_database(other, [m001_first]) as new:
        new.run_many("INSERT INTO things VALUES (?)", [(str(n),) for n in range(1000)])
    with open_database(path, [m001_first]) as reader:
        reader.run("INSERT INTO things VALUES ('old')")
        with reader.snapshot():
            before = _names(reader)
            replace_contents(path, other)

            assert before == _names(reader)
        assert 1000 == len(_names(reader))


def test_contents_can_be_put_where_nothing_is(path):
    source = path.with_name("new.db")
    with open_database(source, [m001_first]) as new:
        new.run("INSERT INTO things VALUES ('x')")
    replace_contents(path, source)

    with open_database(path, [m001_first]) as database:
        assert ["x"] == _names(database)
    assert 0o600 == stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("damage", ["garbage", "folder"])
def test_contents_are_not_put_over_something_else(path, damage):
    source = path.with_name("new.db")
    open_database(source, [m001_first]).close()
    path.mkdir() if damage == "folder" else path.write_bytes(b"\xff" * 4096)

    with pytest.raises(IndexCorruptError):
        replace_contents(path, source)
    set_aside(path)
    replace_contents(path, source)

    with open_database(path, [m001_first]) as database:
        assert [] == _names(database)


def test_a_python_without_full_text_search_is_told_so(path):
    with pytest.raises(StateError, match="full-text search"):
        open_database(path, [_without_fts5])


def _without_fts5(connection):
    error = sqlite3.OperationalError("no such module: fts5")
    raise error


def test_steps_are_never_reordered():
    assert ["m001_create_manifest"] == [step.__name__ for step in MANIFEST_STEPS]


def test_a_file_that_is_deleted_while_it_is_opened_is_made_anew(path, monkeypatch):
    open_database(path, [m001_first]).close()
    connect = database_module.connect
    opened = []

    def connect_and_lose(path, *, read_only):
        connection = connect(path, read_only=read_only)
        if not opened:
            shutil.rmtree(path.parent)
        opened.append(path)
        return connection

    monkeypatch.setattr(database_module, "connect", connect_and_lose)

    with open_database(path, [m001_first]) as database:
        assert (_names(database), database.is_in_place(), len(opened)) == ([], True, 2)


def test_a_database_is_never_without_a_page_in_its_place(path, monkeypatch):
    """Else an opener that was held up takes away what a later one has written to its -wal."""
    connect = database_module.connect
    later = []

    def connect_and_be_held_up(path, *, read_only):
        connection = connect(path, read_only=read_only)
        if not later:
            later.append(None)
            path.parent.rename(path.parent.with_name("removed"))
            later[0] = open_database(path, [m001_first])
            later[0].run("INSERT INTO things VALUES ('kept')")
        return connection

    monkeypatch.setattr(database_module, "connect", connect_and_be_held_up)

    with open_database(path, [m001_first]) as database, later[0]:
        assert (_names(database), _names(later[0])) == (["kept"], ["kept"])


def test_where_there_are_no_links_a_database_is_made_all_the_same(path, monkeypatch):
    def refuse(*_paths):
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)

    with open_database(path, [m001_first]) as database:
        assert database.created
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_side_files_that_do_not_belong_together_for_a_moment_are_no_damage(path, monkeypatch):
    holder = open_database(path, [m001_first])
    holder.run("INSERT INTO things VALUES ('kept')")
    path.with_name(f"{path.name}-wal").unlink()
    pauses = []

    def let_the_holder_end(seconds):
        pauses.append(seconds)
        holder.close()

    monkeypatch.setattr(database_module, "time", SimpleNamespace(sleep=let_the_holder_end))

    with open_database(path, [m001_first]) as database:
        assert (_names(database), len(pauses)) == (["kept"], 1)


def test_side_files_that_never_belong_together_are_damage(path, monkeypatch):
    monkeypatch.setattr(database_module, "_SIDE_FILES_SECONDS", 0.0)
    with open_database(path, [m001_first]):
        path.with_name(f"{path.name}-wal").unlink()

        with pytest.raises(IndexCorruptError):
            open_database(path, [m001_first])
