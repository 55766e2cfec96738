"""``index-status`` as JSON: what is in an index, what is not, and what is still to do."""

import pytest


@pytest.fixture
def shop(project_dir, write_files, run_cli):
    write_files({"a.py": "def total():\n    return 1\n", "b.md": "# Shop\n", "photo.bin": b"\0\1"})
    run_cli("add-project", project_dir, "--name", "shop")
    return project_dir


def status_of(run_cli, *options):
    (found,) = run_cli("index-status", "shop", "--json", *options).json()["projects"]
    return found


def test_it_counts_names_and_measures(shop, run_cli):
    found = status_of(run_cli)

    assert ("idle", 2, 2, 2) == tuple(
        found[name] for name in ("state", "files", "chunks", "symbols")
    )
    assert ({"python": 1, "markdown": 1}, {"binary": 1}) == (found["languages"], found["skipped"])
    assert ("code-static-256", {}) == (found["model"], found["failed_by_reason"])
    assert found["index_bytes"] > 0
    assert found["last_pass"]["scanned"] == 2


def test_the_counters_of_a_pass_agree_where_files_are_left_out_for_what_is_in_them(
    shop, write_files, run_cli
):
    write_files({"c.py": b"\0", "d.py": b"caf\xe9", "e.md": "-----BEGIN RSA PRIVATE KEY-----\n"})

    found = status_of(run_cli)

    assert {"binary": 2, "not-utf8": 1, "credentials": 1} == found["skipped"]
    counters = found["last_pass"]
    assert found["skipped"] == counters["skipped"]
    parts = [counters[name] for name in ("unchanged", "added", "changed")]
    assert (found["files"], [2, 0, 0]) == (counters["scanned"], parts)


def test_an_index_that_is_up_to_date_has_nothing_pending(shop, run_cli):
    (shop / "c.py").write_text("x = 1\n")

    found = status_of(run_cli)

    assert (0, 0) == (found["pending_changes"], found["pending_vectors"])


def test_what_nobody_looked_at_is_not_known_to_be_up_to_date(shop, run_cli):
    (listed,) = run_cli("list-projects", "--json").json()["projects"]

    assert status_of(run_cli, "--skip-stale-check")["pending_changes"] is None
    assert listed["pending_changes"] is None
    assert "not looked at" in run_cli("index-status", "shop", "--skip-stale-check").out


def test_files_whose_vectors_are_owed_are_pending(shop, run_cli, monkeypatch):
    monkeypatch.setenv("OLLAMA_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("SERVER_PATIENCE", "0")
    other = shop.parent / "other"
    other.mkdir()
    (other / "a.py").write_text("x = 1\n")
    run_cli("add-project", other)

    (found,) = run_cli("index-status", other, "--json").json()["projects"]

    assert (1, None) == (found["pending_vectors"], found["pending_changes"])


def test_failed_files_are_counted_by_what_went_wrong():
    from code_indexer.core.results import ProjectStatus
    from code_indexer.rendering import failed_counts
    from code_indexer.types import Project

    project = Project("/p", "1a2b3c4d", None, "idx_1a2b3c4d")
    failed = (("a.py", "time limit"), ("b.py", "time limit"), ("c.py", "crashed"))

    assert {"time limit": 2, "crashed": 1} == failed_counts(
        ProjectStatus(project, "idle", failed_files=failed)
    )


def test_without_projects_the_next_step_is_said(run_cli):
    done = run_cli("index-status")

    assert (0, "") == (done.code, done.out)
    assert "add-project" in done.err
