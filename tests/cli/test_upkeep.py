"""``prune``, ``move-project`` and ``remove-project``: folders that are gone or elsewhere."""

import shutil

import pytest


@pytest.fixture
def shop(project_dir, run_cli):
    (project_dir / "a.py").write_text("def refresh_token(): pass\n")
    assert run_cli("add-project", project_dir, "--name", "shop").code == 0
    return project_dir


@pytest.mark.parametrize("by", ["path", "slug", "name"])
def test_a_project_whose_folder_is_gone_is_removed_by_path_slug_or_name(run_cli, shop, by):
    slug = run_cli("lookup-project", shop, "--json").json()["projects"][0]["slug"]
    shutil.rmtree(shop)

    done = run_cli("remove-project", {"path": shop, "slug": slug, "name": "shop"}[by])

    assert done.code == 0
    assert run_cli("list-projects", "--json").json()["projects"] == []


def test_prune_removes_what_is_gone_and_nothing_else(run_cli, shop, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "b.py").write_text("x = 1\n")
    run_cli("add-project", other)
    shutil.rmtree(shop)

    done = run_cli("prune", "--yes", "--json")

    assert [(str(shop), True)] == [(p["path"], p["removed"]) for p in done.json()["projects"]]
    left = run_cli("list-projects", "--json").json()["projects"]
    assert [str(other)] == [project["path"] for project in left]


def test_prune_asks_first_and_without_a_terminal_refuses(run_cli, shop):
    shutil.rmtree(shop)

    done = run_cli("prune")

    assert done.code == 2
    assert "--yes" in done.err
    assert str(shop) in done.err
    assert len(run_cli("list-projects", "--json").json()["projects"]) == 1


def test_a_dry_run_removes_nothing(run_cli, shop):
    shutil.rmtree(shop)

    done = run_cli("prune", "--dry-run")

    assert done.out.startswith(f"gone: {shop}")
    assert len(run_cli("list-projects", "--json").json()["projects"]) == 1


def test_an_empty_folder_is_not_gone(run_cli, shop):
    (shop / "a.py").unlink()

    assert run_cli("prune", "--json").json()["projects"] == []


def test_a_moved_project_keeps_its_index_and_embeds_nothing(run_cli, shop, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    shop.rename(elsewhere)

    moved = run_cli("move-project", "shop", elsewhere, "--json")
    status = run_cli("index-status", "shop", "--json").json()["projects"][0]

    assert str(elsewhere) == moved.json()["after"]["path"]
    assert (str(elsewhere), 1) == (status["path"], status["files"])
    assert 0 == status["last_pass"]["embedded"]
    assert run_cli("search", "refresh_token", "-p", "shop").out.startswith(f"{elsewhere}/a.py:1")


def test_a_copied_project_is_not_moved(run_cli, shop, tmp_path):
    shutil.copytree(shop, tmp_path / "copy")

    done = run_cli("move-project", "shop", tmp_path / "copy")

    assert done.code == 2
    assert "still there" in done.err


def test_a_project_is_not_moved_onto_another(run_cli, shop, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "b.py").write_text("x = 1\n")
    run_cli("add-project", other)
    shutil.rmtree(shop)

    done = run_cli("move-project", "shop", other)

    assert done.code == 2
    assert "remove-project" in done.err
