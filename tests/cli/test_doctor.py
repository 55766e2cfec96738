"""``doctor``: what is broken is named with a remedy, and mended where that loses nothing."""

import os
import shutil
import sqlite3

import pytest
from fakes_ollama import FakeOllama, Installed
from fakes_qdrant import FakeQdrant


@pytest.fixture
def shop(project_dir, run_cli):
    (project_dir / "a.py").write_text("def refresh_token(): pass\n")
    assert run_cli("add-project", project_dir, "--name", "shop").code == 0
    return project_dir


@pytest.fixture
def manifest(shop, run_cli, private_state):
    slug = run_cli("lookup-project", "shop", "--json").json()["projects"][0]["slug"]
    return private_state / slug / "manifest.db"


def _states(done):
    return {one["subject"]: one["state"] for one in done.json()["findings"]}


def _damage(path):
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    data = bytearray(path.read_bytes())
    data[:2000] = b"x" * 2000
    path.write_bytes(data)


def test_on_a_fresh_computer_nothing_is_broken(run_cli):
    done = run_cli("doctor", "--json")

    assert done.code == 0
    assert done.json()["ok"]
    subjects = ["python", "sqlite", "model", "disk", "ollama", "qdrant", "registry", "grammars"]
    assert ["ok"] * len(subjects) == [_states(done)[subject] for subject in subjects]


def test_each_line_begins_with_how_it_stands(run_cli, shop):
    lines = run_cli("doctor").out.splitlines()

    assert {"ok"} == {line.split()[0] for line in lines}
    assert any("project shop" in line and "1 files" in line for line in lines)


def test_a_damaged_manifest_is_broken_and_repaired_without_embedding(
    run_cli, shop, manifest, private_state
):
    connection = sqlite3.connect(manifest)
    connection.execute("DELETE FROM chunks")
    connection.commit()
    connection.close()

    found = run_cli("doctor", "--json")
    mended = run_cli("doctor", "--repair", "--json")

    assert (1, "broken") == (found.code, _states(found)["project shop"])
    assert "reindex-project" in next(
        one["remedy"] for one in found.json()["findings"] if one["state"] == "broken"
    )
    assert (0, "ok") == (mended.code, _states(mended)["project shop"])
    assert [True] == [one["is_done"] for one in mended.json()["repaired"]]


def test_an_unreadable_manifest_is_set_aside_and_built_anew(run_cli, shop, manifest):
    _damage(manifest)

    mended = run_cli("doctor", "--repair")

    assert mended.code == 0
    assert mended.out.startswith("mended: project shop: rebuilt: 1 files")
    assert len(list(manifest.parent.glob("manifest.db.damaged-*"))) == 1
    assert "a.py" in run_cli("search", "refresh_token", "-p", "shop").out


def test_a_damaged_registry_is_rebuilt_from_the_indexes(run_cli, shop, manifest, private_state):
    before = run_cli("list-projects", "--json").json()["projects"]
    _damage(private_state / "registry.db")

    found = run_cli("doctor", "--json")
    mended = run_cli("doctor", "--repair", "--json")

    assert (1, "broken") == (found.code, _states(found)["registry"])
    assert (0, "ok") == (mended.code, _states(mended)["registry"])
    assert before == run_cli("list-projects", "--json").json()["projects"]


def test_a_lost_registry_is_noticed_and_its_projects_are_registered_again(
    run_cli, shop, private_state
):
    for file in private_state.glob("registry.db*"):
        file.unlink()

    found = run_cli("doctor", "--json")
    mended = run_cli("doctor", "--repair")

    assert (1, "broken") == (found.code, _states(found)["registry"])
    assert "mended: registry: made anew; 1 projects are registered again" in mended.out
    assert "shop" == run_cli("list-projects", "--json").json()["projects"][0]["name"]


def test_an_index_that_is_not_registered_is_noticed_and_registered_again(
    run_cli, shop, private_state
):
    connection = sqlite3.connect(private_state / "registry.db")
    connection.execute("DELETE FROM projects")
    connection.commit()
    connection.close()

    found = run_cli("doctor", "--json")
    run_cli("doctor", "--repair")

    assert (0, "warn") == (found.code, _states(found)["left behind"])
    assert "shop" == run_cli("list-projects", "--json").json()["projects"][0]["name"]


def test_a_registry_and_a_manifest_that_are_both_damaged_are_both_mended(
    run_cli, shop, manifest, private_state
):
    connection = sqlite3.connect(manifest)
    connection.execute("DELETE FROM symbols")
    connection.commit()
    connection.close()
    _damage(private_state / "registry.db")

    mended = run_cli("doctor", "--repair", "--json")

    assert mended.code == 0
    assert ["registry", "project shop"] == [one["subject"] for one in mended.json()["repaired"]]


def test_a_folder_that_is_gone_is_a_warning_with_two_ways_out(run_cli, shop):
    shutil.rmtree(shop)

    done = run_cli("doctor")

    assert done.code == 0
    assert "warn" in done.out
    assert "move-project" in done.out
    assert "remove-project" in done.out


def test_an_index_root_that_others_can_read_is_closed_to_them(run_cli, shop, private_state):
    private_state.chmod(0o755)

    found = run_cli("doctor", "--json")
    mended = run_cli("doctor", "--repair", "--json")

    assert "warn" == _states(found)["index root"]
    assert "ok" == _states(mended)["index root"]
    assert 0o700 == private_state.stat().st_mode & 0o777


def test_too_little_space_is_broken(run_cli, shop, monkeypatch):
    monkeypatch.setenv("MIN_FREE_DISK", "1000TB")

    done = run_cli("doctor", "--json")

    assert (1, "broken") == (done.code, _states(done)["disk"])


def test_a_bad_setting_is_told_as_a_finding(run_cli, monkeypatch):
    monkeypatch.setenv("EMBED_BATCH", "many")

    done = run_cli("doctor", "--json")

    assert (1, {"settings": "broken"}) == (done.code, _states(done))


def test_a_bad_value_in_a_projects_own_file_breaks_that_project_alone(run_cli, shop):
    (shop / ".code-indexer.toml").write_text("max_file_bytes = 'x'\n")

    done = run_cli("doctor", "--json")

    broken = [one for one in _states(done).items() if one[1] == "broken"]
    assert [("project shop", "broken")] == broken


def test_servers_that_do_not_answer_are_broken(run_cli, monkeypatch):
    monkeypatch.setenv("OLLAMA_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("QDRANT_URL", "http://127.0.0.1:1")

    states = _states(run_cli("doctor", "--json"))

    assert ("broken", "broken") == (states["ollama"], states["qdrant"])


def test_an_agent_that_was_told_is_listed(run_cli, monkeypatch, private_state):
    home = private_state.parent
    (home / ".cursor").mkdir()
    run_cli("install", "cursor")

    done = run_cli("doctor", "--json")

    assert "ok" == _states(done)["agent cursor"]


def test_an_agents_file_that_cannot_be_read_is_a_warning(run_cli, private_state):
    folder = private_state.parent / ".cursor"
    folder.mkdir()
    (folder / "mcp.json").write_text("{ broken")

    assert "warn" == _states(run_cli("doctor", "--json"))["agent cursor"]


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_an_index_root_that_cannot_be_written_is_broken(run_cli, shop, private_state):
    private_state.chmod(0o500)
    try:
        done = run_cli("doctor", "--json")
    finally:
        private_state.chmod(0o700)

    assert (1, "broken") == (done.code, _states(done)["index root"])


def test_servers_that_answer_are_told_with_version_and_model(run_cli, shop, monkeypatch):
    with FakeOllama(Installed("fake-embed:latest", dimension=64)) as ollama, FakeQdrant() as qdrant:
        monkeypatch.setenv("OLLAMA_URL", ollama.url)
        monkeypatch.setenv("EMBED_MODEL", "fake-embed")
        monkeypatch.setenv("QDRANT_URL", qdrant.url)

        done = run_cli("doctor", "--json")

    found = {one["subject"]: one for one in done.json()["findings"]}
    assert ("ok", "ok") == (found["ollama"]["state"], found["qdrant"]["state"])
    assert "fake-embed, 64 dimensions" in found["ollama"]["message"]
    assert "reindex-project" in found["project shop"]["remedy"] + found["project shop"]["message"]


def test_a_model_that_the_server_lacks_is_broken_with_what_to_pull(run_cli, monkeypatch):
    with FakeOllama(Installed("other:latest", dimension=64)) as ollama:
        monkeypatch.setenv("OLLAMA_URL", ollama.url)
        monkeypatch.setenv("EMBED_MODEL", "fake-embed")

        done = run_cli("doctor", "--json")

    found = {one["subject"]: one for one in done.json()["findings"]}
    assert "broken" == found["ollama"]["state"]
    assert "pull" in found["ollama"]["remedy"]


def test_a_collection_that_was_deleted_is_broken_and_restored_from_the_manifest(
    run_cli, project_dir, monkeypatch
):
    (project_dir / "a.py").write_text("def refresh_token(): pass\n")
    with FakeQdrant() as qdrant:
        monkeypatch.setenv("QDRANT_URL", qdrant.url)
        run_cli("add-project", project_dir, "--name", "shop")
        qdrant.aliases.clear()
        qdrant.collections.clear()

        found = run_cli("doctor", "--json")
        mended = run_cli("doctor", "--repair", "--json")

    assert (1, "broken") == (found.code, _states(found)["project shop"])
    assert (0, "ok") == (mended.code, _states(mended)["project shop"])
