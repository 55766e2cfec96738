"""Case PATH-15: a root that is gone, empty or not mounted is no reason to forget its files."""

import errno
import os
import shutil

import pytest

from code_indexer.indexing.batches import BatchWriter


@pytest.fixture
def shop(project_dir, write_files, run_cli):
    write_files({"a.py": "def alpha():\n    return 1\n", "src/b.py": "def bravo(): pass\n"})
    assert run_cli("add-project", project_dir, "--name", "shop").code == 0
    return project_dir


def empty(root):
    shutil.rmtree(root)
    root.mkdir()


def file_in_its_place(root):
    shutil.rmtree(root)
    root.write_text("no folder\n")


def dangling_link(root):
    shutil.rmtree(root)
    root.symlink_to(root.with_name("nowhere"))


def new_disk(root):
    empty(root)
    (root / "lost+found").mkdir()
    (root / ".DS_Store").write_bytes(b"\0")


@pytest.mark.parametrize("lose", [shutil.rmtree, empty, new_disk, file_in_its_place, dangling_link])
def test_path_15_the_index_stays_and_everything_says_so(shop, run_cli, lose):
    lose(shop)

    (listed,) = run_cli("list-projects", "--json").json()["projects"]
    (status,) = run_cli("index-status", "shop", "--json").json()["projects"]
    found = run_cli("find-symbol", "alpha", "--project", "shop", "--json")
    reindexed = run_cli("reindex-project", "shop")

    assert (listed["state"], status["state"], status["files"]) == ("missing", "missing", 2)
    assert "index is kept" in status["problem"]
    assert (found.code, "gone or empty" in found.json()["warnings"][0]) == (0, True)
    assert (reindexed.code, "kept" in reindexed.err) == (2, True)


@pytest.mark.parametrize("lose", [shutil.rmtree, empty])
def test_path_15_a_search_shows_no_lines_that_are_nowhere(shop, run_cli, lose):
    lose(shop)

    outcome = run_cli("semantic-search", "alpha", "--project", "shop", "--json")

    assert outcome.code == 0
    assert outcome.json()["results"] == []
    assert "gone or empty" in outcome.json()["warnings"][0]
    assert "move-project OLD NEW" in outcome.json()["warnings"][0]


def test_path_15_a_root_that_comes_back_is_not_embedded_again(shop, run_cli, tmp_path):
    shop.rename(tmp_path / "unmounted")
    shop.mkdir()
    run_cli("index-status", "shop")
    shop.rmdir()
    (tmp_path / "unmounted").rename(shop)

    (status,) = run_cli("index-status", "shop", "--json").json()["projects"]

    assert status["state"] == "idle"
    assert (status["last_pass"]["unchanged"], status["last_pass"]["embedded"]) == (2, 0)


@pytest.mark.parametrize("by", ["name", "slug", "path"])
def test_path_15_a_project_whose_root_is_gone_can_be_removed(shop, run_cli, private_state, by):
    (listed,) = run_cli("list-projects", "--json").json()["projects"]
    shutil.rmtree(shop)

    assert run_cli("remove-project", listed[by]).code == 0
    assert run_cli("list-projects", "--json").json()["projects"] == []
    assert not (private_state / listed["slug"]).exists()


def test_a_folder_that_cannot_be_listed_keeps_its_files_in_the_index(shop, run_cli, monkeypatch):
    """As on a network disk that fails for a moment."""
    really = os.open

    def open_but_not_src(path, flags, *arguments, **options):
        if str(path).rstrip("/").rpartition("/")[2] == "src":
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return really(path, flags, *arguments, **options)

    (shop / "c.py").write_text("def charlie(): pass\n")
    monkeypatch.setattr(os, "open", open_but_not_src)
    (status,) = run_cli("index-status", "shop", "--json").json()["projects"]
    monkeypatch.undo()

    assert (status["files"], status["skipped"]) == (3, {"unreadable": 1})
    assert status["last_pass"]["deleted"] == 0


def test_a_file_that_cannot_be_read_keeps_no_deleted_file_of_a_longer_name(
    shop, run_cli, monkeypatch
):
    really = os.open

    def open_but_not_b(path, flags, *arguments, **options):
        if str(path).rpartition("/")[2] == "b":
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return really(path, flags, *arguments, **options)

    (shop / "src/b").write_text("words\n")
    (shop / "src/b.py").unlink()
    monkeypatch.setattr(os, "open", open_but_not_b)
    (status,) = run_cli("index-status", "shop", "--json").json()["projects"]

    assert (status["files"], status["skipped"]) == (1, {"unreadable": 1})
    assert status["last_pass"]["deleted"] == 1


def test_a_root_that_goes_away_while_its_files_are_read_keeps_them_in_the_index(
    shop, run_cli, monkeypatch, tmp_path
):
    (shop / "a.py").write_text("def alpha():\n    return 2\n")
    write = BatchWriter.write

    def write_without_root(batches, jobs):
        shop.rename(tmp_path / "unmounted")
        shop.mkdir()
        return write(batches, jobs)

    with monkeypatch.context() as patch:
        patch.setattr(BatchWriter, "write", write_without_root)
        during = run_cli("semantic-search", "alpha", "--project", "shop", "--json")
    (status,) = run_cli("list-projects", "--json").json()["projects"]
    shop.rmdir()
    (tmp_path / "unmounted").rename(shop)
    (after,) = run_cli("index-status", "shop", "--json").json()["projects"]

    assert during.code == 0
    assert "went away" in during.json()["warnings"][0]
    assert (status["state"], status["files"]) == ("missing", 2)
    assert (after["state"], after["files"]) == ("idle", 2)


@pytest.mark.parametrize("content", [b"\0", b"text\n"])
def test_a_new_folder_that_only_the_system_has_looked_at_can_be_added(
    project_dir, run_cli, content
):
    (project_dir / ".DS_Store").write_bytes(content)

    added = run_cli("add-project", project_dir)

    assert (added.code, added.err.count("went away")) == (0, 0)
