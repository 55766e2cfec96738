"""Commands load what they need and nothing else: start-up is felt at each of them."""

import subprocess
import sys
import time

import pytest

from code_indexer.indexing.staleness import _SLACK_NS as SLACK_NS

PROGRAM = """
import sys
from code_indexer.cli.app import main
try:
    code = main(sys.argv[1:])
except SystemExit as leaving:
    code = leaving.code or 0
print("LOADED", code, *sorted(sys.modules))
"""

GRAMMARS = {"tree_sitter", "tree_sitter_language_pack"}
HTTP = {"httpx", "ssl", "http.client", "qdrant_client"}
TERMINAL = {"rich", "rich.progress", "rich.console", "rich.syntax", "pygments"}
SERVERS = {"mcp", "asyncio", "watchdog", "multiprocessing", "concurrent.futures"}
HEAVY = GRAMMARS | HTTP | TERMINAL | SERVERS | {"numpy"}


@pytest.fixture
def shop(project_dir, run_cli, monkeypatch):
    (project_dir / "a.py").write_text("def refresh_token():\n    return 1\n\n\nrefresh_token()\n")
    # Files younger than the last scan are looked at again; that is not what is asked here.
    time.sleep(SLACK_NS / 1e9 + 0.1)
    run_cli("add-project", project_dir)
    monkeypatch.setenv("STALE_TTL", "600")
    return project_dir


def loaded(*arguments):
    done = subprocess.run(
        [sys.executable, "-P", "-c", PROGRAM, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    code, *modules = done.stdout.splitlines()[-1].removeprefix("LOADED ").split()
    assert code == "0", done.stderr
    return set(modules)


@pytest.mark.parametrize(
    "arguments",
    [("--help",), ("--version",), ("semantic-search", "--help"), ("install", "--help")],
    ids=" ".join,
)
def test_help_loads_no_part_of_the_work(arguments):
    modules = loaded(*arguments)

    assert set() == modules & (HEAVY | {"sqlite3", "logging"})
    rooms = ("core", "storage", "discovery", "inference", "parsing", "search", "ranking")
    assert [] == [
        name
        for name in modules
        if name.split(".")[1:2] and name.startswith(tuple(f"code_indexer.{room}" for room in rooms))
    ]


def test_a_question_loads_no_grammars_no_http_and_no_progress_bar(shop):
    for command in (
        ("find-definition", "refresh_token", "--project"),
        ("find-symbol", "refresh_token", "--project"),
        ("find-references", "refresh_token", "--project"),
        ("get-code-context", "a.py", "--start-line", "1", "--project"),
        ("lookup-project",),
        ("index-status",),
        ("config", "--project"),
    ):
        assert (command[0], set()) == (command[0], loaded(*command, shop) & HEAVY)
    assert {"numpy"} == loaded("semantic-search", "refresh_token", "--project", shop) & HEAVY


@pytest.mark.parametrize("command", ["list-projects", "stats", "config", "prune"])
def test_looking_after_projects_loads_no_part_of_search_or_indexing(project_dir, run_cli, command):
    (project_dir / "a.py").write_text("x = 1\n")
    run_cli("add-project", project_dir)

    modules = loaded(command)

    assert set() == modules & HEAVY
    assert "code_indexer.search.pipeline" not in modules
    assert "code_indexer.indexing.index_pass" not in modules


def test_importing_the_package_is_free():
    done = subprocess.run(
        [sys.executable, "-P", "-c", "import sys, code_indexer; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )

    assert ["code_indexer"] == [
        name for name in done.stdout.split() if name.startswith("code_indexer")
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="counts threads in /proc")
def test_numpy_starts_no_threads_that_a_query_has_no_use_for(monkeypatch):
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    program = (
        "import os\n"
        "from code_indexer.cli.app import main\n"
        "main(['list-projects'])\n"
        "import numpy\n"
        "print('THREADS', len(os.listdir('/proc/self/task')))\n"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True
    )

    assert "THREADS 1" == done.stdout.splitlines()[-1]
