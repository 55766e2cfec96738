"""``stats``: numbers of searches, kept on this computer and nowhere else."""

import pytest


@pytest.fixture
def shop(project_dir, run_cli):
    (project_dir / "a.py").write_text("def refresh_token(): pass\n\n\n" + "x = 1\n" * 2000)
    run_cli("add-project", project_dir)
    return project_dir


def test_each_search_is_counted_with_what_it_saved(run_cli, shop):
    run_cli("search", "refresh_token", "-p", shop, "--limit", 1)
    run_cli("search", "refresh_token", "-p", shop, "--limit", 1)

    found = run_cli("stats", "--json").json()

    assert (2, 0) == (found["searches"], found["without_hits"])
    assert found["whole_tokens"] == 2 * ((shop / "a.py").stat().st_size) // 4
    assert found["saved_tokens"] == found["whole_tokens"] - found["shown_tokens"] > 0
    assert found["median_milliseconds"] > 0
    assert "searches:     2 since" in run_cli("stats").out


def test_neither_query_nor_path_is_written_down(run_cli, shop, private_state):
    run_cli("search", "refresh_token", "-p", shop)

    text = (private_state / "stats.jsonl").read_text()

    assert "refresh_token" not in text
    assert "a.py" not in text


def test_recording_can_be_turned_off(run_cli, shop, private_state, monkeypatch):
    monkeypatch.setenv("RECORD_STATS", "no")
    run_cli("search", "refresh_token", "-p", shop)

    assert not (private_state / "stats.jsonl").exists()
    assert "off" in run_cli("stats").out


def test_a_note_that_cannot_be_written_harms_no_search(run_cli, shop, private_state):
    (private_state / "stats.jsonl").mkdir()

    assert run_cli("search", "refresh_token", "-p", shop).code == 0
    assert run_cli("stats", "--json").json()["searches"] == 0


def test_lines_that_are_no_notes_are_passed_over(run_cli, shop, private_state):
    run_cli("search", "refresh_token", "-p", shop)
    with (private_state / "stats.jsonl").open("a") as file:
        file.write('{"at": 1\nnull\n[]\n{"at": "x"}\n')

    assert run_cli("stats", "--json").json()["searches"] == 1


def test_the_file_stays_small(run_cli, shop, private_state, monkeypatch):
    monkeypatch.setattr("code_indexer.core.usage._MAX_BYTES", 300)
    for _ in range(8):
        run_cli("search", "refresh_token", "-p", shop)

    assert (private_state / "stats.jsonl").stat().st_size <= 300
    assert 0 < run_cli("stats", "--json").json()["searches"] < 8


def test_what_was_recorded_can_be_forgotten(run_cli, shop):
    run_cli("search", "refresh_token", "-p", shop)

    assert run_cli("stats", "--clear", "--json").json()["searches"] == 0
