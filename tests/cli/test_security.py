"""What docs/security.md promises."""

import ast
import json
import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

import code_indexer

PACKAGE = Path(code_indexer.__file__).parent
PASSWORD = "hunter2-sentinel"
HOSTILE = [
    "'",
    '"',
    "';DROP TABLE files;--",
    "x' OR 1=1 --",
    '" OR "1"="1',
    "*",
    "alpha*",
    "^alpha",
    "-alpha",
    "NEAR",
    "NEAR(alpha bravo, 5)",
    "alpha AND bravo",
    "alpha NOT",
    "OR OR",
    "body:alpha",
    "names : alpha",
    "{body names} : alpha",
    "lexical MATCH 'x'",
    "(((((",
    "alpha)",
    "a + b",
    "%",
    "_",
    "\\",
    "\\x00",
    "\u0000".replace("\0", "␀"),
    "\ud800",
    "\u202e\u2066",
    "資料 😀",
    "?",
    "?1 :name @x $y",
    "{{7*7}} ${7*7} $(id) `id`",
    "../../etc/passwd",
    "[a-z]+(?=x)",
    "(a+)+$",
    "\n\n",
    "\t",
    "0",
    "null",
    "word " * 5_000,
    "x" * 100_000,
    "(" * 20_000,
]


@pytest.fixture
def project(project_dir, write_files, run_cli):
    write_files(
        {
            "a.py": "def alpha(value):\n    return bravo(value)\n",
            "b.py": "def bravo(value):\n    return value\n",
        }
    )
    assert run_cli("add-project", project_dir).code == 0
    return project_dir


# -- Queries are words, never statements


@pytest.mark.parametrize("query", HOSTILE, ids=lambda query: ascii(query[:20]))
@pytest.mark.parametrize("command", ["semantic-search", "find-symbol", "find-references"])
def test_a_query_is_text_whatever_it_holds(project, run_cli, command, query):
    outcome = run_cli(command, "--project", project, "--json", "--", query)

    assert outcome.code in (0, 2), outcome.err
    assert "Traceback" not in outcome.err
    assert isinstance(json.loads(outcome.out), dict)
    if command == "find-symbol" and outcome.code == 0:
        assert all(one["name"] in ("alpha", "bravo") for one in outcome.json()["results"])
    after = run_cli("semantic-search", "alpha", "--project", project, "--json").json()
    assert after["results"][0]["path"] == "a.py"


@pytest.mark.parametrize(
    "options",
    [
        ("--file-filter", "'; DROP TABLE files; --"),
        ("--file-filter", "[" * 500),
        ("--file-filter", "{a,b" * 50),
        ("--file-filter", "*" * 200 + "x"),
        ("--file-filter", "**/" * 60 + "z"),
        ("--file-filter", "!" + "?" * 300),
        ("--language", "python' OR '1'='1"),
        ("--symbol-type", "function' --"),
    ],
)
def test_a_filter_is_data_whatever_it_holds(project, run_cli, options):
    started = time.monotonic()
    outcome = run_cli("semantic-search", "alpha", "--project", project, "--json", *options)

    assert outcome.code in (0, 2)
    assert "Traceback" not in outcome.err
    if outcome.code == 0 and not options[1].startswith("!"):
        assert outcome.json()["results"] == []
    assert time.monotonic() - started < 20
    assert run_cli("find-symbol", "bravo", "--project", project, "--json").json()["results"]


@pytest.mark.parametrize("text", ["'; DROP TABLE projects; --", "%", "a'b", '"', "x\x1b[31m", "*"])
def test_a_project_is_asked_for_by_text(project, run_cli, text):
    outcome = run_cli("lookup-project", text)

    assert "Traceback" not in outcome.err
    assert "\x1b" not in outcome.err + outcome.out
    assert len(run_cli("list-projects", "--json").json()["projects"]) == 1


# -- Nothing outside the root


def test_nothing_outside_the_root_is_shown(project, run_cli, tmp_path):
    (tmp_path / "outside.py").write_text(f"TOP = '{PASSWORD}'\n")
    (tmp_path / "project-two").mkdir()
    (tmp_path / "project-two" / "m.py").write_text(f"TOP = '{PASSWORD}'\n")
    (project / "link.py").symlink_to(tmp_path / "outside.py")
    (project / "folder").symlink_to(tmp_path / "project-two")
    (project / ".git").mkdir()
    (project / ".git" / "config").write_text(f"[x]\ntoken = {PASSWORD}\n")
    for file in (
        "../outside.py",
        f"{tmp_path}/outside.py",
        f"{project}/../outside.py",
        "x/../../outside.py",
        "../project-two/m.py",
        "link.py",
        "folder/m.py",
        ".git/config",
        "/etc/passwd",
        "/proc/self/environ",
        "",
        ".",
        "..",
        "a.py/../../outside.py",
        "b.py\n",
    ):
        outcome = run_cli("get-code-context", "--project", project, "--json", "--", file)
        assert (outcome.code, "error" in outcome.json()) == (2, True), file
        assert PASSWORD not in outcome.out + outcome.err
        assert "root:" not in outcome.out

    found = run_cli("semantic-search", PASSWORD, "--project", project, "--json").json()
    assert all(PASSWORD not in hit["snippet"] for hit in found["results"])


CREDENTIALS = [
    *(".env", ".env.local", "prod.env", "id_rsa", "id_ed25519", "server.pem", "tls.key"),
    *(".netrc", ".pgpass", ".pypirc", ".git-credentials", "credentials.json"),
    *("secrets.yaml", "service-account.json", "terraform.tfstate", ".htpasswd", "a.kdbx"),
]


def test_files_of_credentials_are_not_indexed_not_even_when_asked_for(
    project, run_cli, write_files
):
    write_files(dict.fromkeys(CREDENTIALS, f"token: {PASSWORD}\n"))
    write_files({".codeindexignore": "".join(f"!{name}\n" for name in CREDENTIALS)})

    (status,) = run_cli("index-status", project, "--json").json()["projects"]
    skipped = {one["path"]: one["reason"] for one in status["skipped_files"]}
    found = run_cli("semantic-search", PASSWORD, "--project", project, "--json").json()

    assert [name for name in CREDENTIALS if skipped.get(name) != "credentials"] == []
    assert not any(PASSWORD in hit["snippet"] for hit in found["results"])


# -- The state is private, and is data


def private_problems(index_root):
    return [
        f"{path}: {stat.S_IMODE(path.lstat().st_mode):o}"
        for path in (index_root, *index_root.rglob("*"))
        if path.lstat().st_mode & 0o077
    ]


def test_every_file_of_the_state_is_private_whatever_the_umask(
    project_dir, write_files, run_process, private_state
):
    write_files({f"m{n}.py": f"def f{n}(): pass\n" for n in range(30)})
    before = os.umask(0)
    try:
        for words in (
            ("add-project", project_dir),
            ("semantic-search", "f1", "--project", project_dir),
            ("reindex-project", project_dir),
            ("add-project", project_dir, "--background"),
            ("watch", project_dir, "--background"),
        ):
            assert run_process(*words).code == 0, words
        _wait_for((private_state / "watch.pid").exists)
        names = {path.name for path in private_state.rglob("*")}
        assert private_problems(private_state) == []
    finally:
        os.umask(before)
        run_process("watch", "--stop")
    assert {"registry.db", "manifest.db", "watch.pid"} <= names


def test_files_are_private_while_a_pass_writes_them(
    project_dir, write_files, private_state, tmp_path
):
    write_files({f"m{n}.py": f"def f{n}():\n    return {n}\n" * 40 for n in range(150)})
    words = ("reindex-project", str(project_dir))
    command = [sys.executable, "-P", "-m", "code_indexer"]
    subprocess.run([*command, "add-project", str(project_dir)], check=True, capture_output=True)
    before = os.umask(0)
    try:
        with subprocess.Popen([*command, *words], stdout=subprocess.DEVNULL) as process:
            seen = set()
            while process.poll() is None:
                for path in private_state.rglob("*"):
                    try:
                        mode = path.lstat().st_mode
                    except FileNotFoundError:
                        continue
                    seen.add(path.name)
                    assert mode & 0o077 == 0, path
                time.sleep(0.01)
    finally:
        os.umask(before)
    assert {"rebuild.db", "manifest.db"} <= seen


def _wait_for(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_the_state_holds_databases_and_notes_and_nothing_that_could_be_run(
    project, run_cli, private_state
):
    run_cli("reindex-project", project)
    for path in private_state.rglob("*"):
        if not path.is_file():
            continue
        data = path.read_bytes()
        assert not os.access(path, os.X_OK)
        assert data[:2] not in (b"#!", b"\x80\x04", b"\x80\x05"), path  # a script, a pickle
        if path.suffix == ".db":
            assert data.startswith(b"SQLite format 3\0")
        elif path.suffix == ".lock":
            json.loads(data or b"{}")


def test_pickles_come_from_our_own_processes_alone():
    """Both modules read them from a pipe to a process that they started."""
    users = [
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        if _imports(path) & {"pickle", "marshal", "shelve", "dill", "joblib"}
    ]

    assert sorted(users) == ["discovery/fingerprint.py", "indexing/workers.py"]


def test_nothing_is_evaluated_or_handed_to_a_shell():
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("eval", "exec", "compile", "__import__"), path
            if isinstance(node, ast.keyword) and node.arg == "shell":
                assert isinstance(node.value, ast.Constant), path
                assert node.value.value is False, path


def _imports(path):
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return names


# -- Secrets of the settings


SERVERS = {
    "OLLAMA_URL": f"http://user:{PASSWORD}@127.0.0.1:9",
    "QDRANT_URL": f"http://user:{PASSWORD}@127.0.0.1:9",
    "OLLAMA_API_KEY": f"ollama-{PASSWORD}",
    "QDRANT_API_KEY": f"qdrant-{PASSWORD}",
    "SERVER_PATIENCE": "0",
}


@pytest.mark.parametrize(
    "words",
    [
        ("config",),
        ("config", "--json"),
        ("doctor",),
        ("doctor", "--json"),
        ("add-project", "{}"),
        ("semantic-search", "alpha", "--project", "{}"),
        ("semantic-search", "alpha", "--project", "{}", "--json"),
        ("semantic-search", "alpha", "--project", "{}", "--strict", "--json"),
        ("index-status", "{}", "--json"),
        ("reindex-project", "{}"),
        ("stats",),
    ],
    ids=" ".join,
)
def test_keys_and_passwords_are_printed_nowhere_and_stored_nowhere(
    project, run_process, private_state, monkeypatch, words
):
    for name, value in SERVERS.items():
        monkeypatch.setenv(name, value)
    words = [word.replace("{}", str(project)) for word in words]

    outcome = run_process(*words, "--verbose")

    assert PASSWORD not in outcome.out + outcome.err
    assert "Traceback" not in outcome.err
    for path in private_state.rglob("*"):
        if path.is_file():
            assert PASSWORD.encode() not in path.read_bytes(), path


def test_a_bad_setting_that_holds_a_secret_is_not_repeated(run_process, monkeypatch, private_state):
    private_state.mkdir()
    (private_state / "config.toml").write_text(f'qdrant_api_key = ["{PASSWORD}"]\n')

    outcome = run_process("list-projects")

    assert (outcome.code, PASSWORD in outcome.err) == (2, False)


def test_a_repository_cannot_say_where_its_code_is_sent(project, run_cli, write_files):
    write_files(
        {
            ".code-indexer.toml": 'ollama_url = "http://evil.invalid"\n'
            'qdrant_url = "http://evil.invalid"\nindex_root = "/"\n'
        }
    )

    assert run_cli("semantic-search", "alpha", "--project", project, "--json").code == 0
    values = run_cli("config", "--project", project, "--json").out
    assert '"http://evil.invalid"' not in values
