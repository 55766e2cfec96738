"""``export`` and ``import``: one file, checked before it is used."""

import json
import os
import shutil
import sqlite3
import zipfile

import pytest

from code_indexer.storage.locks import exclusive_lock
from code_indexer.storage.manifest import Manifest


@pytest.fixture
def shop(project_dir, run_cli):
    (project_dir / "a.py").write_text("def refresh_token(): pass\n")
    (project_dir / "b.py").write_text("def cart_total(): pass\n")
    assert run_cli("add-project", project_dir, "--name", "shop").code == 0
    return project_dir


@pytest.fixture
def exported(run_cli, shop, tmp_path):
    file = tmp_path / "shop.cidx"
    assert run_cli("export", "shop", file).code == 0
    return file


@pytest.fixture
def copy(shop, tmp_path):
    return shutil.copytree(shop, tmp_path / "copy")


def _rewritten(file, tmp_path, change=None, header=None, sha256=True):
    """The archive with another manifest or header."""
    import hashlib

    with zipfile.ZipFile(file) as archive:
        found = json.loads(archive.read("header.json"))
        manifest = tmp_path / "changed.db"
        manifest.write_bytes(archive.read("manifest.db"))
    if change is not None:
        with sqlite3.connect(manifest) as connection:
            connection.executescript(change)
        connection.close()
    data = manifest.read_bytes()
    if sha256:
        found |= {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    found |= header or {}
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("header.json", json.dumps(found))
        archive.writestr("manifest.db", data)
    return file


def test_an_imported_index_answers_and_embeds_only_what_differs(run_cli, exported, copy):
    (copy / "b.py").write_text("def cart_sum(): pass\n")

    done = run_cli("import", exported, copy, "--json")
    status = run_cli("index-status", copy, "--json").json()["projects"][0]

    assert done.code == 0
    assert "empty" == done.json()["projects"][0]["state"]
    last = status["last_pass"]
    assert (1, 1, 1) == (last["unchanged"], last["changed"], last["embedded"])
    hits = run_cli("search", "cart_sum", "-p", copy, "--json").json()["results"]
    assert "b.py" == hits[0]["path"]


def test_the_file_says_nothing_of_the_computer_it_comes_from(exported, shop, tmp_path):
    with zipfile.ZipFile(exported) as archive:
        header = json.loads(archive.read("header.json"))
        manifest = archive.read("manifest.db")

    assert ["header.json", "manifest.db"] == archive.namelist()
    assert (2, "shop", shop.name) == (header["files"], header["name"], header["folder"])
    assert str(shop).encode() not in manifest


def test_deleted_text_does_not_travel(run_cli, shop, tmp_path):
    (shop / "b.py").write_text("zebra_crossing = 1\n")
    run_cli("index-status", "shop")
    (shop / "b.py").unlink()
    run_cli("index-status", "shop")

    run_cli("export", "shop", tmp_path / "out.cidx")

    with zipfile.ZipFile(tmp_path / "out.cidx") as archive:
        assert b"zebra_crossing" not in archive.read("manifest.db")


def test_a_file_that_exists_is_kept_unless_forced(run_cli, exported):
    refused = run_cli("export", "shop", exported)
    forced = run_cli("export", "shop", exported, "--force")

    assert (2, 0) == (refused.code, forced.code)
    assert "--force" in refused.err


def test_a_folder_that_is_not_there_is_said_with_the_next_step(run_cli, shop, tmp_path):
    done = run_cli("export", shop, tmp_path / "nowhere" / "shop.cidx")

    assert (done.code, done.out) == (1, "")
    assert "cannot be written" in done.err
    assert "hint: Name a file in a folder that is there" in done.err


def test_a_file_that_is_not_there_is_said_first(run_cli, shop):
    done = run_cli("import", "/nowhere/shop.cidx", shop)

    assert 2 == done.code
    assert "no such file: /nowhere/shop.cidx" in done.err
    assert "hint: Check the spelling" in done.err


def test_an_index_is_not_replaced_unasked(run_cli, exported, copy):
    run_cli("add-project", copy)

    refused = run_cli("import", exported, copy)
    replaced = run_cli("import", exported, copy, "--replace")

    assert (2, 0) == (refused.code, replaced.code)
    assert "--replace" in refused.err


def _refused(run_cli, file, copy):
    done = run_cli("import", file, copy)
    assert done.out == ""
    assert str(copy) not in run_cli("list-projects").out
    return done


def test_a_damaged_file_is_refused(run_cli, exported, copy):
    data = bytearray(exported.read_bytes())
    data[len(data) // 2] ^= 0xFF
    exported.write_bytes(data)

    assert 5 == _refused(run_cli, exported, copy).code


def test_a_file_cut_short_is_refused(run_cli, exported, copy):
    exported.write_bytes(exported.read_bytes()[:-100])

    assert 5 == _refused(run_cli, exported, copy).code


def test_contents_other_than_the_header_says_are_refused(run_cli, exported, copy, tmp_path):
    _rewritten(exported, tmp_path, "DELETE FROM chunks;", sha256=False)

    done = _refused(run_cli, exported, copy)

    assert 5 == done.code
    assert "not what its header says" in done.err


@pytest.mark.parametrize("change", [{"version": 2}, {"schema": 99}])
def test_another_version_is_refused_by_name(run_cli, exported, copy, tmp_path, change):
    _rewritten(exported, tmp_path, header=change)

    done = _refused(run_cli, exported, copy)

    assert 2 == done.code
    assert "in another form" in done.err


@pytest.mark.parametrize(
    "change",
    [
        "CREATE TRIGGER t AFTER INSERT ON meta BEGIN DELETE FROM files; END;",
        "CREATE VIEW v AS SELECT 1;",
        "UPDATE files SET path = CAST('../../etc/passwd' AS BLOB) WHERE file_id = 1;",
        "UPDATE files SET path = CAST('/etc/passwd' AS BLOB) WHERE file_id = 1;",
        "DELETE FROM chunks;",
    ],
)
def test_a_manifest_that_somebody_made_up_is_refused(run_cli, exported, copy, tmp_path, change):
    _rewritten(exported, tmp_path, change)

    assert 5 == _refused(run_cli, exported, copy).code


def test_a_stranger_among_the_members_is_refused(run_cli, exported, copy, tmp_path):
    with zipfile.ZipFile(exported, "a") as archive:
        archive.writestr("../outside.txt", "x")

    assert 2 == _refused(run_cli, exported, copy).code
    assert not (tmp_path / "outside.txt").exists()


@pytest.mark.parametrize("content", [b"", b"no archive at all"])
def test_what_is_no_archive_is_refused(run_cli, copy, tmp_path, content):
    file = tmp_path / "x.cidx"
    file.write_bytes(content)

    assert 5 == _refused(run_cli, file, copy).code


def test_nothing_is_left_behind(run_cli, exported, copy, private_state):
    run_cli("import", exported, copy)

    assert [] == list(private_state.glob("transfer-*"))
    assert [] == list(exported.parent.glob("*.tmp"))


def test_what_a_killed_transfer_left_is_deleted_by_the_next_and_one_at_work_is_let_be(
    run_cli, exported, copy, private_state
):
    for name in ("transfer-killed", "transfer-alive", "transfer-new"):
        (private_state / name).mkdir()
        (private_state / name / "manifest.db").write_bytes(b"part of an index")
    with exclusive_lock(private_state / "transfer-alive" / "lock"):
        for name in ("transfer-killed", "transfer-alive"):
            os.utime(private_state / name, (1, 1))
        run_cli("import", exported, copy)

        left = {folder.name for folder in private_state.glob("transfer-*")}
        assert {"transfer-alive", "transfer-new"} == left


def test_the_manifest_remembers_whose_it_is_now(run_cli, exported, copy, private_state):
    from code_indexer.core.remembered import remembered_project

    slug = run_cli("import", exported, copy, "--json").json()["projects"][0]["slug"]

    with Manifest.open(private_state / slug / "manifest.db") as manifest:
        assert str(copy) == remembered_project(manifest).root
