"""``semantic-search`` through the command line: what it prints, and where."""

import io
import os
import subprocess
import sys

import pytest


@pytest.fixture
def shop(project_dir, write_files):
    write_files(
        {
            "auth/session.py": "class Session:\n    def refresh_token(self):\n        return 'new token'\n",
            "cart/total.py": "def cart_total(items):\n    return sum(item.price for item in items)\n",
            "README.md": "# Shop\n\nA small shop.\n",
        }
    )
    return project_dir


def test_an_unregistered_folder_is_indexed_and_answers(run_cli, shop):
    done = run_cli("semantic-search", "where is the token refreshed", "--project", shop, "--json")

    assert done.code == 0
    first = done.json()["results"][0]
    assert (first["path"], first["start_line"]) == ("auth/session.py", 1)
    assert first["project"] == str(shop)


def test_json_results_hold_the_promised_fields(run_cli, shop):
    answer = run_cli("semantic-search", "cart total", "--project", shop, "--json").json()

    assert {"results", "mode", "projects", "warnings"} <= answer.keys()
    promised = "project path start_line end_line score symbol kind language snippet freshness"
    assert set(promised.split()) <= answer["results"][0].keys()
    assert {"state", "coverage", "pending"} <= answer["projects"][0].keys()


def test_plain_output_is_blocks_of_place_and_indented_snippet(run_cli, shop):
    done = run_cli("semantic-search", "cart_total", "--project", shop, "--limit", 1)

    lines = done.out.splitlines()
    assert lines[0].startswith(f"{shop}/cart/total.py:1-2")
    assert lines[1] == "    def cart_total(items):"
    assert "\x1b" not in done.out


@pytest.mark.parametrize("limit", ["0", "-1", "many"])
def test_a_limit_that_is_no_count_is_a_wrong_request(run_cli, shop, limit):
    run_cli("add-project", shop)

    done = run_cli("semantic-search", "x", "--project", shop, "--limit", limit)

    assert done.code == 2
    assert done.out == ""
    assert "limit" in done.err


def test_a_huge_limit_is_capped(run_cli, shop):
    done = run_cli("semantic-search", "cart", "--project", shop, "--limit", 10**9, "--json")

    assert done.code == 0
    assert len(done.json()["results"]) <= 3


def test_an_empty_query_is_a_wrong_request(run_cli, shop):
    assert run_cli("semantic-search", "  ", "--project", shop).code == 2


@pytest.mark.parametrize("dashed", ["-needle", "->next(x", "--needle", "-x"])
def test_a_query_that_starts_with_a_dash_needs_the_double_dash_and_is_told_so(
    run_cli, shop, dashed
):
    bare = run_cli("semantic-search", dashed, "--project", shop)
    after = run_cli("semantic-search", "--project", shop, "--", dashed)

    assert bare.code == 2
    assert "Put -- before" in bare.err
    assert after.code == 0


def test_a_query_of_a_dash_is_read_from_stdin(shop, run_cli, monkeypatch):
    asked = run_cli("semantic-search", "refresh the token", "--project", shop, "--json").json()
    monkeypatch.setattr(sys, "stdin", io.StringIO("refresh the token\n"))

    piped = run_cli("semantic-search", "-", "--project", shop, "--json").json()

    assert asked["results"]
    assert asked["results"] == piped["results"]


def test_several_words_without_quotation_marks_are_told_of_them(shop, run_cli):
    outcome = run_cli("semantic-search", "refresh", "the", "token", "--project", shop)

    assert 2 == outcome.code
    assert "quotation marks" in outcome.err


def test_no_hits_is_done_with_an_empty_list(run_cli, project_dir, write_files):
    write_files({"a.py": "x = 1\n"})

    done = run_cli("semantic-search", "zebra crossing", "--project", project_dir, "--json")

    assert done.code == 0
    assert isinstance(done.json()["results"], list)


def test_an_error_with_json_is_one_json_document(run_cli):
    done = run_cli("semantic-search", "x", "--project", "/no/such/folder", "--json")

    assert done.code == 2
    assert done.json()["error"]["exit_code"] == 2


def test_a_file_is_no_project(run_cli, shop):
    done = run_cli("semantic-search", "x", "--project", shop / "README.md")

    assert done.code == 2
    assert "not a folder" in done.err


def test_the_working_directory_selects_its_project(run_cli, shop, monkeypatch):
    run_cli("add-project", shop)
    monkeypatch.chdir(shop / "auth")

    done = run_cli("semantic-search", "refresh_token")

    assert done.out.startswith("session.py:1-")


def test_a_reader_that_goes_away_is_no_error(run_cli, shop):
    run_cli("add-project", shop)
    command = (
        f"{sys.executable} -P -m code_indexer semantic-search cart --project {shop} --limit 50"
    )

    done = subprocess.run(
        ["bash", "-c", f"{command} | head -1; exit ${{PIPESTATUS[0]}}"],
        capture_output=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        check=False,
    )

    assert done.returncode == 0
    assert done.stderr in (b"", b"confidence: high\n", b"confidence: low\n")


def test_square_brackets_are_printed_as_they_are(run_cli, project_dir, write_files):
    code = "export default function SlugPage() { return <b>[/b] [red]not markup[/red]</b> }\n"
    write_files({"pages/[slug].tsx": code})

    done = run_cli("semantic-search", "SlugPage", "--project", project_dir)
    filtered = run_cli(
        "semantic-search",
        "x",
        "--project",
        project_dir,
        "--file-filter",
        "pages/[slug].tsx",
        "--json",
    )

    assert "pages/[slug].tsx:1-1" in done.out
    assert "[red]not markup[/red]" in done.out
    assert filtered.code == 0


def test_long_paths_are_printed_whole_in_a_pipe(run_cli, project_dir, write_files, monkeypatch):
    name = "/".join(f"longdirname{i:02d}" for i in range(9)) + "/f.py"
    write_files({name: "def far(): pass\n"})
    monkeypatch.setenv("COLUMNS", "20")

    done = run_cli("semantic-search", "far", "--project", project_dir)

    assert f"{project_dir}/{name}:1-1" in done.out.splitlines()[0]
