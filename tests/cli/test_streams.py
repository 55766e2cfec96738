"""The command line where its streams are closed, full, broken, or not of UTF-8."""

import json
import os
import subprocess
import sys

import pytest

COMMAND = f"{sys.executable} -P -m code_indexer"


@pytest.fixture
def shop(project_dir, write_files, run_cli):
    write_files({"thé.py": "def éclair():\n    return '日本 🚀'\n"})
    run_cli("add-project", project_dir, "--name", "shop")
    return project_dir


def in_shell(command, **environment):
    return subprocess.run(
        ["bash", "-c", command],
        capture_output=True,
        timeout=60,
        check=False,
        env={**os.environ, **environment},
    )


@pytest.mark.parametrize("command", ["--version", "--help", "list-projects", "index-status shop"])
def test_a_reader_that_never_reads_is_no_error(shop, command):
    done = in_shell(f"{COMMAND} {command} | true; exit ${{PIPESTATUS[0]}}")

    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("command", ["--version", "list-projects", "semantic-search éclair --json"])
def test_a_disk_that_is_full_behind_stdout_is_told_in_a_line(shop, command):
    done = in_shell(f"{COMMAND} {command} >/dev/full")

    assert done.returncode == 1
    assert "error: No space left on device" in done.stderr.decode().splitlines()


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_error(shop, closed):
    done = in_shell(f"{COMMAND} --quiet semantic-search éclair {closed}")

    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("nowhere", ["2>&-", "2>/dev/full", "2> >(true)"])
def test_an_error_keeps_its_exit_code_where_nobody_can_read_it(shop, nowhere):
    assert in_shell(f"{COMMAND} semantic-search x -p /no/such/folder {nowhere}").returncode == 2


def test_an_answer_is_given_though_the_remarks_cannot_be(shop):
    done = in_shell(f"{COMMAND} reindex-project shop 2>/dev/full")

    assert done.returncode == 0
    assert "name=shop" in done.stdout.decode()


@pytest.mark.parametrize(
    "environment", [{"PYTHONIOENCODING": "ascii"}, {"PYTHONIOENCODING": "latin-1"}]
)
def test_answers_are_utf8_whatever_the_locale(shop, environment):
    done = in_shell(f"{COMMAND} semantic-search éclair --json", **environment)

    assert json.loads(done.stdout.decode("utf-8"))["results"][0]["path"] == "thé.py"


def test_file_names_are_utf8_whatever_the_locale(shop, write_files):
    locale = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    write_files({"日本.py": "def nippon():\n    return 1\n"})

    done = in_shell(f"{COMMAND} semantic-search nippon -p shop --limit 1", **locale)

    assert done.stdout.decode().splitlines()[0] == f"{shop}/日本.py:1-2  function nippon"


def test_a_working_directory_that_is_gone_is_told(shop, tmp_path):
    (tmp_path / "gone").mkdir()

    done = in_shell(f"cd {tmp_path}/gone && rmdir ../gone && {COMMAND} add-project .")

    assert done.returncode == 2
    assert done.stderr.decode().splitlines()[0] == "error: the working directory is gone: ."


def test_who_wants_to_know_is_told_what_is_done_beside_the_answer(
    run_cli, project_dir, write_files
):
    write_files({"a.py": "def cart_total(items):\n    return sum(items)\n"})
    words = ("semantic-search", "cart total", "--project", project_dir, "--json")

    told = run_cli("--verbose", *words)
    again = run_cli("--verbose", "--quiet", *words)

    assert told.err.splitlines()[:2] == ["scanning", "indexing: 1 of 1 files"]
    assert "took " in told.err
    assert again.err == ""
    assert told.json()["results"] == again.json()["results"]
