"""Case INC-13: a damaged database is named in one line with its remedy, which works."""

import os
import shutil

import pytest

FILLER = "".join(f"    total += price_{n} * {n}\n" for n in range(25))
SOURCES = {f"m{n}.py": f"def needle_{n}(total):\n{FILLER}    return 'pad {n}'\n" for n in range(12)}


def garbage(path):
    path.write_bytes(b"\xff" * 4096)


def cut_to_100_bytes(path):
    os.truncate(path, 100)


def cut_in_half(path):
    os.truncate(path, path.stat().st_size // 2)


def text(path):
    path.write_text("not a database\n" * 500)


def folder(path):
    path.unlink()
    path.mkdir()


def empty(path):
    os.truncate(path, 0)


def missing(path):
    path.unlink()


BROKEN = [garbage, cut_to_100_bytes, cut_in_half, text, folder]
FORGOTTEN = [empty, missing]


@pytest.fixture
def projects(tmp_path, run_cli):
    """Two projects: one whose index will be damaged, and one beside it."""
    shop, other = tmp_path / "shop", tmp_path / "other"
    for root, files in ((shop, SOURCES), (other, {"b.py": "def beside():\n    return 1\n"})):
        root.mkdir()
        for name, content in files.items():
            (root / name).write_text(content)
        assert run_cli("add-project", root).code == 0
    return shop, other


@pytest.fixture
def manifest(projects, run_cli, private_state):
    (status,) = run_cli("index-status", projects[0], "--json").json()["projects"]
    return private_state / status["slug"] / "manifest.db"


def search(run_cli, root, query, *options):
    return run_cli("semantic-search", query, "--project", root, "--json", *options)


def error_of(outcome):
    assert "Traceback" not in outcome.err
    assert outcome.err.count("\n") == 2, outcome.err  # the error, and its hint
    return outcome.err


@pytest.mark.parametrize("damage", BROKEN)
@pytest.mark.parametrize("options", [(), ("--skip-stale-check",)])
def test_inc_13_a_search_on_a_damaged_manifest_names_it_and_the_remedy(
    projects, manifest, run_cli, damage, options
):
    damage(manifest)

    outcome = search(run_cli, projects[0], "needle", *options)

    assert outcome.code == 5
    assert str(manifest) in error_of(outcome)
    assert "reindex-project" in outcome.err
    assert outcome.json()["error"]["exit_code"] == 5


@pytest.mark.parametrize("damage", BROKEN)
def test_inc_13_the_other_project_works_and_lists_say_which_is_damaged(
    projects, manifest, run_cli, damage
):
    damage(manifest)

    assert search(run_cli, projects[1], "beside").json()["results"][0]["path"] == "b.py"
    everywhere = run_cli("semantic-search", "beside", "--all", "--json")
    assert (everywhere.code, everywhere.json()["results"][0]["path"]) == (0, "b.py")
    assert str(manifest) in everywhere.json()["warnings"][0]
    for command in ("list-projects", "index-status"):
        states = {one["path"]: one for one in run_cli(command, "--json").json()["projects"]}
        assert states[str(projects[0])]["state"] == "damaged"
        assert "reindex-project" in states[str(projects[0])]["problem"]
        assert states[str(projects[1])]["state"] == "idle"


@pytest.mark.parametrize("damage", BROKEN)
def test_inc_13_a_reindex_sets_the_damaged_file_aside_and_repairs(
    projects, manifest, run_cli, damage
):
    damage(manifest)

    assert run_cli("reindex-project", projects[0]).code == 0

    assert search(run_cli, projects[0], "needle_7").json()["results"][0]["path"] == "m7.py"
    aside = list(manifest.parent.glob("manifest.db.damaged-*"))
    assert len(aside) == 1 or damage is cut_in_half  # of which SQLite may read enough to replace it


@pytest.mark.parametrize("damage", FORGOTTEN)
def test_inc_13_a_manifest_of_which_nothing_is_left_is_made_anew(
    projects, manifest, run_cli, damage
):
    damage(manifest)

    outcome = search(run_cli, projects[0], "needle_7")

    assert (outcome.code, outcome.json()["results"][0]["path"]) == (0, "m7.py")


@pytest.mark.parametrize("suffixes", [("-wal",), ("-shm",), ("-wal", "-shm")])
def test_inc_13_side_files_may_be_deleted(projects, manifest, run_cli, suffixes):
    for suffix in suffixes:
        manifest.with_name(manifest.name + suffix).unlink(missing_ok=True)

    outcome = search(run_cli, projects[0], "needle_7")

    assert (outcome.code, outcome.json()["results"][0]["path"]) == (0, "m7.py")


def test_inc_13_a_reindex_after_damage_embeds_only_what_was_lost(projects, manifest, run_cli):
    """A page of one table is gone; the vectors can still be read."""
    data = manifest.read_bytes()
    page = data.index(b"def needle_7") // 4096
    manifest.write_bytes(data[: page * 4096] + b"\xff" * 4096 + data[(page + 1) * 4096 :])

    report = run_cli("reindex-project", projects[0], "--json").json()["report"]

    assert report["embedded"] + report["reused"] == 12
    assert report["reused"] > 0


@pytest.mark.parametrize("damage", BROKEN)
def test_inc_13_a_damaged_registry_is_named_and_repaired_by_doctor(
    projects, private_state, run_cli, damage
):
    damage(private_state / "registry.db")

    for words in (("list-projects",), ("semantic-search", "needle"), ("index-status",)):
        outcome = run_cli(*words)
        assert outcome.code == 5
        assert "registry.db" in error_of(outcome)
        assert "doctor --repair" in outcome.err

    run_cli("doctor", "--repair")
    states = run_cli("list-projects", "--json").json()["projects"]
    assert {one["path"] for one in states} == {str(root) for root in projects}
    assert search(run_cli, projects[0], "needle_7").json()["results"][0]["path"] == "m7.py"
    assert list(private_state.glob("registry.db.damaged-*"))


def emptied(file):
    file.write_bytes(b"")


def gone(file):
    file.unlink()


def without_its_rows(file):
    """The header stands, and the pages behind it hold nothing."""
    whole = file.read_bytes()
    file.write_bytes(whole[:8192] + bytes(len(whole) - 8192))


@pytest.mark.parametrize("damage", [emptied, gone, without_its_rows])
def test_a_registry_that_says_nothing_is_not_taken_for_one_without_projects(
    projects, private_state, run_cli, damage
):
    damage(private_state / "registry.db")

    for words in (("list-projects",), ("index-status", projects[1]), ("add-project", projects[1])):
        outcome = run_cli(*words)
        assert outcome.code == 5
        assert "registry.db" in error_of(outcome)

    run_cli("doctor", "--repair")
    states = run_cli("list-projects", "--json").json()["projects"]
    assert {one["path"] for one in states} == {str(root) for root in projects}


def test_inc_13_a_pass_that_was_killed_is_followed_by_a_whole_check(
    projects, manifest, run_cli, monkeypatch
):
    """A row that only the check of all tables against each other finds."""
    import sqlite3

    connection = sqlite3.connect(manifest)
    connection.execute("DELETE FROM symbols WHERE symbol_id = (SELECT min(symbol_id) FROM symbols)")
    connection.execute("UPDATE pass_journal SET state = 'indexing'")
    connection.commit()
    connection.close()

    outcome = search(run_cli, projects[0], "needle")

    assert outcome.code == 5
    assert "reindex-project" in error_of(outcome)
    assert run_cli("reindex-project", projects[0]).code == 0
    assert run_cli("find-symbol", "needle_0", "--project", projects[0], "--json").json()["results"]


def test_inc_13_a_damaged_index_can_be_removed(projects, manifest, run_cli):
    garbage(manifest)

    assert run_cli("remove-project", projects[0]).code == 0
    assert not manifest.parent.exists()
    assert shutil.disk_usage(projects[0]).free
