"""A secret in an indexed file is in no answer and in no file of the state folder, unless asked for."""

import pytest

TOKEN = "ghp_" + "Zq7x" * 9
KEY = "\n".join(["MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ" + "abcdefgh"] * 5)
SOURCE = f'''"""Fetch releases."""

TOKEN = "{TOKEN}"


def fetch_releases(session):
    """Ask with {TOKEN} for releases."""
    return session.get("/releases", token="{TOKEN}")


KEY = """-----BEGIN PRIVATE KEY-----
{KEY}
-----END PRIVATE KEY-----"""


def after_the_key():
    return KEY
'''


@pytest.fixture
def project(project_dir, write_files, run_cli):
    write_files({"fetch.py": SOURCE})
    assert run_cli("add-project", project_dir).code == 0
    return project_dir


def is_clean(text):
    return "Zq7x" not in text and "MIIEvQIBADAN" not in text


@pytest.mark.parametrize(
    "words",
    [
        ("semantic-search", "fetch releases token"),
        ("semantic-search", "fetch releases token", "--context-lines", "20"),
        ("semantic-search", TOKEN, "--explain"),
        ("find-symbol", "fetch_releases"),
        ("find-definition", "TOKEN"),
        ("find-references", "session"),
        ("get-code-context", "fetch.py"),
        ("get-code-context", "fetch.py", "--symbol", "fetch_releases"),
    ],
)
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_no_answer_shows_it(project, run_cli, words, form):
    outcome = run_cli(*words, "--project", project, *form)

    assert outcome.code == 0
    assert is_clean(outcome.out.replace(TOKEN, "") if words[1] == TOKEN else outcome.out)


def test_no_file_of_the_state_folder_holds_it(project, private_state):
    for path in private_state.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            assert (b"Zq7x" in data.lower(), b"zq7x" in data.lower()) == (False, False), path
            assert b"MIIEvQIBADAN" not in data, path


def test_lines_after_a_masked_key_are_where_they_are_in_the_file(project, run_cli):
    (symbol,) = run_cli("find-definition", "after_the_key", "--project", project, "--json").json()[
        "results"
    ]

    line = SOURCE.split("\n").index("def after_the_key():") + 1
    assert (symbol["line"], symbol["end_line"]) == (line, line + 1)


def test_it_is_shown_when_asked_for(project, run_cli):
    outcome = run_cli("get-code-context", "fetch.py", "--project", project, "--no-redact")

    assert outcome.out.count(TOKEN) == 3
    assert KEY in outcome.out


def test_a_search_shows_it_when_asked_for(project, run_cli):
    outcome = run_cli("semantic-search", "fetch releases", "--project", project, "--no-redact")

    assert TOKEN in outcome.out


def test_an_edit_of_the_secret_alone_is_a_change(project, run_cli, write_files):
    write_files({"fetch.py": SOURCE.replace("Zq7x", "Yp8w")})

    (status,) = run_cli("index-status", project, "--json").json()["projects"]

    assert status["last_pass"]["changed"] == 1
    assert status["last_pass"]["embedded"] == 0
