"""``--jsonl``: what a command lists, an object a line."""

import json

import pytest


@pytest.fixture
def shop(project_dir, write_files, run_cli):
    write_files(
        {
            "auth.py": "def refresh_token():\n    return 'token'\n",
            "cart.py": "from auth import refresh_token\n\n\ndef total():\n    refresh_token()\n",
        }
    )
    run_cli("add-project", project_dir, "--name", "shop")
    return project_dir


@pytest.mark.parametrize(
    ("rows", "arguments"),
    [
        ("results", ("semantic-search", "token", "-p", "shop")),
        ("results", ("find-similar", "auth.py:1", "-p", "shop")),
        ("results", ("find-symbol", "token", "-p", "shop")),
        ("results", ("find-definition", "refresh_token", "-p", "shop")),
        ("results", ("find-references", "refresh_token", "-p", "shop")),
        ("projects", ("lookup-project", "shop")),
        ("projects", ("list-projects",)),
        ("projects", ("index-status",)),
        ("projects", ("prune", "--dry-run")),
        ("findings", ("doctor",)),
    ],
    ids=lambda one: one[0] if isinstance(one, tuple) else one,
)
def test_each_line_is_one_row_of_the_json_document(shop, run_cli, rows, arguments):
    document = run_cli(*arguments, "--json").json()[rows]
    lines = [json.loads(line) for line in run_cli(*arguments, "--jsonl").out.splitlines()]

    assert [row.keys() for row in document] == [row.keys() for row in lines]
    assert len(document) == len(lines)


def test_nothing_found_is_no_line(shop, run_cli):
    done = run_cli("find-definition", "nothing_of_the_kind", "-p", "shop", "--jsonl")

    assert (0, "") == (done.code, done.out)


def test_an_error_is_one_line_too(run_cli):
    done = run_cli("index-status", "nowhere", "--jsonl")

    assert done.code == 2
    assert json.loads(done.out)["error"]["exit_code"] == 2
    assert done.out.count("\n") == 1


@pytest.mark.parametrize("order", [("--json", "--jsonl"), ("--jsonl", "--json")])
def test_both_forms_at_once_are_a_wrong_request(run_cli, order):
    done = run_cli("list-projects", *order)

    assert done.code == 2
    assert "--json and --jsonl exclude each other" in done.err


def test_line_ends_of_unicode_inside_a_snippet_end_no_line(project_dir, write_files, run_cli):
    write_files({"odd.py": "separator = 'a\u2028b\u2029c\x85d'\n"})

    done = run_cli("semantic-search", "separator", "-p", project_dir, "--jsonl")

    assert len(done.out.splitlines()) == 1
    assert "a\u2028b\u2029c\x85d" in json.loads(done.out)["snippet"]


def test_a_query_that_reads_like_the_option_does_not_choose_the_form(run_cli, private_state):
    done = run_cli("semantic-search", "-p", "/no/such/folder", "--", "--json")

    assert (2, "") == (done.code, done.out)
