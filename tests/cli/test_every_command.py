"""Every command, also one added tomorrow: its help, its text and its JSON."""

import json

import pytest
from documented_commands import commands
from fakes_qdrant import FakeQdrant

from code_indexer.cli.short_names import SHORT_NAMES

# What to run in a shop that is registered; "{shop}" is its folder, "{folder}" the one around.
RUNS = {
    "add-project": ["{shop}"],
    "config": [],
    "doctor": [],
    "eval": ["{folder}/queries.jsonl", "-p", "shop"],
    "export": ["shop", "{folder}/shop.cidx", "--force"],
    "find-definition": ["cart_total", "-p", "shop"],
    "find-references": ["cart_total", "-p", "shop"],
    "find-similar": ["cart.py:1", "-p", "shop"],
    "find-symbol": ["cart", "-p", "shop"],
    "get-code-context": ["cart.py", "--start-line", "1", "-p", "shop"],
    "import": ["{folder}/given.cidx", "{shop}", "--replace"],
    "index-status": ["shop"],
    "install": ["--list"],
    "list-projects": [],
    "lookup-project": ["{shop}"],
    "migrate": ["--to", "qdrant", "--project", "shop", "--qdrant-url", "{server}"],
    "move-project": ["shop", "{shop}"],
    "prune": ["--dry-run"],
    "reindex-project": ["shop"],
    "remove-project": ["shop"],
    "semantic-search": ["cart total", "-p", "shop"],
    "stats": [],
    "watch": ["--status"],
    "why": ["cart.py", "-p", "shop"],
}
NOT_RUN_HERE = {
    "browse": "tests/cli/test_browse.py",
    "mcp": "tests/mcp/test_entry.py",
}
"""They talk over a terminal or a pipe, and have no JSON; where they are tried."""
SILENT = {"prune"}
"""Nothing to print where nothing is wrong."""


@pytest.fixture
def shop(project_dir, write_files, run_cli, tmp_path):
    write_files(
        {
            "cart.py": "def cart_total(items):\n    return sum(items)\n\n\ncart_total([1])\n",
            "copy.py": "def cart_total_again(items):\n    return sum(items)\n",
        }
    )
    (tmp_path / "queries.jsonl").write_text('{"query": "cart total", "relevant": ["cart.py"]}\n')
    run_cli("add-project", project_dir, "--name", "shop")
    run_cli("export", "shop", tmp_path / "given.cidx")
    return project_dir


@pytest.fixture
def run(run_cli, shop, tmp_path):
    def run_command(name, *options):
        places = {"shop": shop, "folder": tmp_path, "server": server.url}
        return run_cli(name, *(word.format(**places) for word in RUNS[name]), *options)

    with FakeQdrant() as server:
        yield run_command


def test_no_command_is_left_out():
    assert commands().keys() == RUNS.keys() | NOT_RUN_HERE.keys()


@pytest.mark.parametrize("name", sorted(commands()))
def test_it_has_a_help_text_that_fits_a_narrow_terminal(run_cli, monkeypatch, name):
    monkeypatch.setenv("COLUMNS", "80")
    done = run_cli(name, "--help")

    assert (0, "") == (done.code, done.err)
    assert f"Usage: code-indexer {name}" in done.out
    assert (
        commands()[name].help.replace("\b", "").split()[:9]
        == done.out.split("\n", 2)[2].split()[:9]
    )
    assert max(map(len, done.out.splitlines())) <= 80


@pytest.mark.parametrize("name", sorted(RUNS))
def test_it_answers_in_text(run, name):
    done = run(name)

    assert done.code == 0, done.err
    assert (name in SILENT) == (done.out == "")
    assert "\x1b" not in done.out


@pytest.mark.parametrize("name", sorted(RUNS))
def test_it_answers_in_json(run, name):
    done = run(name, "--json")

    assert done.code == 0, done.err
    assert isinstance(json.loads(done.out), dict)


@pytest.mark.parametrize("name", sorted(RUNS))
def test_quiet_leaves_nothing_but_the_answer(run, name):
    assert "" == run(name, "--quiet").err


@pytest.mark.parametrize("name", sorted(RUNS))
def test_its_errors_are_json_where_json_is_wanted(run_cli, name):
    done = run_cli(name, "--json", "--no-such-option")

    assert done.code == 2
    assert json.loads(done.out)["error"]["exit_code"] == 2
    assert "No such option" in done.err


@pytest.mark.parametrize(("short", "name"), SHORT_NAMES.items())
def test_a_short_name_does_the_same(run_cli, short, name):
    def help_of(command):
        return run_cli(command, "--help").out.partition("\n")[2]

    assert help_of(short) == help_of(name)


def test_the_lines_of_examples_stay_lines(run_cli):
    text = run_cli("search", "--help").out

    lines = [line for line in text.splitlines() if line.startswith("    code-indexer ")]
    assert 3 == len(lines)


def test_the_dash_is_explained_only_where_text_is_taken(run_cli):
    assert "Put -- before" in run_cli("search", "x", "--lmit", "3").err
    assert "Put -- before" not in run_cli("status", "--jsn").err
