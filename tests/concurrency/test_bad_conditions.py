"""A machine that does not cooperate: said in words, nothing damaged, and over when the cause is."""

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from contextlib import suppress
from pathlib import Path

import pytest
from conftest import Outcome
from index_contents import index_contents
from stress.commands import load_everything, start

from code_indexer.core.asking import Scope
from code_indexer.core.projects import add_project
from code_indexer.core.queries import semantic_search
from code_indexer.core.search_request import SearchRequest
from code_indexer.core.services import Services
from code_indexer.errors import CodeIndexerError, StateError
from code_indexer.indexing import batches
from code_indexer.settings import load_settings
from code_indexer.storage.manifest import Manifest

ORDINARY = 65534


@pytest.fixture
def sources(project_dir, write_files):
    """Some 300 files: an index of several megabytes."""
    package = Path(__file__).parents[2] / "code_indexer"
    texts = [path.read_text() for path in sorted(package.rglob("*.py"))]
    write_files({f"m{number}.py": text for number, text in enumerate(texts)})
    return project_dir


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 6 MB."""
    folder = tmp_path / "small"
    folder.mkdir()
    if shutil.which("mount") is None or os.geteuid() != 0:
        pytest.skip("only root can mount a small file system")
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(folder)],
        capture_output=True,
        check=False,
    )
    if mounted.returncode != 0:
        pytest.skip("this machine lets nobody mount a file system")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def damage_of(index_root):
    found = []
    for path in index_root.glob("*/manifest.db"):
        with Manifest.open(path) as manifest:
            found += manifest.integrity_check()
        index_contents(path)
    return found


def is_in_words(outcome, code=1):
    assert "Traceback" not in outcome.err
    assert outcome.code == code, outcome.err
    assert outcome.err.startswith("error: ")
    return True


def test_a_disk_that_fills_up_during_a_pass_ends_it_and_damages_nothing(
    sources, small_disk, run_process
):
    index = small_disk / "index"
    full = run_process("--index-root", index, "add-project", sources, timeout=120)
    assert is_in_words(full)
    assert "no space left" in full.err

    answer = run_process(
        *("--index-root", index, "semantic-search", "read one file"),
        *("--project", sources, "--json", "--skip-stale-check"),
    )
    assert "Traceback" not in answer.err
    assert damage_of(index) == []

    subprocess.run(["mount", "-o", "remount,size=60m", str(small_disk)], check=True)
    done = run_process("--index-root", index, "index-status", sources, "--json", timeout=120)
    assert done.code == 0, done.err
    assert done.json()["projects"][0]["state"] == "idle"
    assert damage_of(index) == []


def test_a_disk_that_is_full_from_the_start_is_said(sources, small_disk, run_process):
    (small_disk / "ballast").write_bytes(b"x" * (6 << 20)) if fills(small_disk) else None

    assert is_in_words(run_process("--index-root", small_disk / "i", "add-project", sources))


def fills(folder):
    """Fill the file system; whether there is anything left to fill."""
    try:
        with (folder / "ballast").open("wb") as file:
            while file.write(b"x" * 65_536):
                file.flush()
    except OSError:
        return False
    return True


def leave(folder, size):
    """Fill the file system but for so many bytes."""
    fills(folder)
    ballast = folder / "ballast"
    os.truncate(ballast, ballast.stat().st_size - size)


@pytest.mark.parametrize("left", [0, 8192, 40_960])
def test_a_full_disk_does_not_keep_searches_from_an_index_that_is_there(
    project_dir, write_files, small_disk, run_process, left
):
    write_files({"a.py": "def alpha():\n    return 1\n"})
    index = small_disk / "index"
    assert run_process("--index-root", index, "add-project", project_dir).code == 0
    leave(small_disk, left)
    write_files({"b.py": "def bravo():\n    return 2\n"})

    words = ("semantic-search", "alpha", "--project", project_dir, "--json")
    answer = run_process("--index-root", index, *words)
    assert (answer.code, "Traceback" in answer.err) == (0, False), answer.err
    assert [hit["path"] for hit in answer.json()["results"]] == ["a.py"]
    assert answer.json()["warnings"]

    (small_disk / "ballast").unlink()
    answer = run_process("--index-root", index, *words[:1], "bravo", *words[2:])
    assert answer.json()["results"][0]["path"] == "b.py"
    assert damage_of(index) == []


def test_a_project_can_be_removed_from_a_full_disk(
    project_dir, write_files, small_disk, run_process
):
    write_files({f"m{one}.py": f"def alpha_{one}():\n    return 1\n" for one in range(50)})
    index = small_disk / "index"
    assert run_process("--index-root", index, "add-project", project_dir).code == 0
    fills(small_disk)

    assert run_process("--index-root", index, "remove-project", project_dir).code == 0
    assert run_process("--index-root", index, "list-projects", "--json").json()["projects"] == []


def test_a_reindex_that_fills_the_disk_does_not_keep_it_full(sources, tmp_path, run_process):
    index = tmp_path / "index"
    assert run_process("--index-root", index, "add-project", sources, timeout=120).code == 0

    failed = run_process(
        *("--index-root", index, "reindex-project", sources),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20)),
        timeout=120,
    )

    assert is_in_words(failed)
    assert list(index.glob("*/rebuild.db*")) == []


def test_min_free_disk_stops_a_pass_before_the_disk_is_full(sources, small_disk, monkeypatch):
    monkeypatch.setenv("MIN_FREE_DISK", "3MB")
    monkeypatch.setenv("INDEX_ROOT", str(small_disk / "index"))
    monkeypatch.setattr(batches, "_FLUSH_CHUNKS", 40)

    with (
        Services(load_settings()) as services,
        pytest.raises(StateError, match="indexing stopped") as stopped,
    ):
        add_project(services, str(sources))

    assert "MIN_FREE_DISK" in stopped.value.hint
    assert shutil.disk_usage(small_disk).free > 1_000_000
    assert damage_of(small_disk / "index") == []


@pytest.fixture
def nobody():
    """An ordinary user's home, and how to run commands as that user.

    Forked, because an ordinary user may have no way to the Python that runs the tests.
    """
    if os.geteuid() != 0:
        pytest.skip("only root can become an ordinary user, and permissions do not bind root")
    load_everything()
    with tempfile.TemporaryDirectory() as name:
        home = Path(name).resolve()
        (home / "project").mkdir()
        (home / "project" / "a.txt").write_text("words about alpha\n")
        os.chown(home, ORDINARY, ORDINARY)

        def become():
            os.setgroups([])
            os.setgid(ORDINARY)
            os.setuid(ORDINARY)
            os.environ |= {"HOME": str(home), "INDEX_ROOT": str(home / "index"), "WORKERS": "1"}
            os.chdir("/")

        def run(*words):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)
                command = start(words, home / "logs", prepare=become)
            return Outcome(command.wait(), command.out.read_text(), command.err.read_text())

        yield home, run
        for path in home.rglob("*"):
            if path.is_dir():
                path.chmod(0o755)


def seal(index, mode):
    for path in (index, *index.rglob("*")):
        path.chmod(mode | 0o111 if path.is_dir() else mode)


def test_a_state_folder_that_cannot_be_written_is_searched_and_not_brought_up_to_date(nobody):
    home, run = nobody
    project = home / "project"
    assert run("add-project", project).code == 0
    (project / "b.txt").write_text("words about bravo\n")
    seal(home / "index", 0o444)

    answer = run("semantic-search", "alpha", "--project", project, "--json")

    assert (answer.code, "Traceback" in answer.err) == (0, False), answer.err
    assert answer.json()["results"][0]["path"] == "a.txt"
    assert answer.json()["warnings"]
    seal(home / "index", 0o600)
    assert run("semantic-search", "bravo", "--project", project, "--json").json()["results"]


def test_a_state_folder_that_cannot_be_read_is_said(nobody):
    home, run = nobody
    assert run("add-project", home / "project").code == 0
    seal(home / "index", 0o000)
    (home / "index").chmod(0)

    outcome = run("semantic-search", "alpha", "--project", home / "project")

    assert is_in_words(outcome)
    (home / "index").chmod(0o700)
    seal(home / "index", 0o600)
    assert run("semantic-search", "alpha", "--project", home / "project").code == 0


def test_an_index_that_may_not_be_looked_at_hides_no_other_project(nobody):
    home, run = nobody
    (home / "other").mkdir()
    (home / "other" / "b.txt").write_text("words about bravo\n")
    for name in ("project", "other"):
        assert run("add-project", home / name, "--name", name).code == 0
    listed = json.loads(run("list-projects", "--json").out)["projects"]
    slugs = {one["name"]: one["slug"] for one in listed}
    folder = home / "index" / slugs["project"]
    folder.chmod(0)

    names = [one["name"] for one in json.loads(run("list-projects", "--json").out)["projects"]]
    refused = run("semantic-search", "alpha", "--project", "project")
    folder.chmod(0o700)

    assert sorted(names) == ["other", "project"]
    assert is_in_words(refused)
    assert str(folder) in refused.err
    assert "hint: " in refused.err


def test_a_project_whose_files_may_not_be_looked_at_is_told_of(nobody):
    home, run = nobody
    assert run("add-project", home / "project").code == 0
    (home / "project").chmod(0o444)

    answer = run("index-status", home / "project", "--json")
    (home / "project").chmod(0o755)

    assert (answer.code, "Traceback" in answer.err) == (0, False), answer.err
    assert "cannot be read: Permission denied" in json.loads(answer.out)["warnings"][0]
    assert json.loads(answer.out)["projects"][0]["files"] == 1


@pytest.mark.parametrize("number", [8, 10, 12, 16, 24])
def test_a_process_without_file_descriptors_says_so_and_leaves_the_index_whole(
    project_dir, write_files, run_process, private_state, number
):
    write_files({f"f{one}/m.py": f"def alpha_{one}():\n    return 1\n" for one in range(30)})

    outcome = run_process(
        "add-project",
        project_dir,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (number, number)),
    )

    assert "Traceback" not in outcome.err
    assert outcome.code in (0, 1), outcome.err
    assert ("hint: " in outcome.err) == (outcome.code == 1)
    assert damage_of(private_state) == []
    done = run_process("add-project", project_dir, "--json").json()["projects"]
    assert (done[0]["state"], done[0]["files"]) == ("idle", 30)


@pytest.mark.parametrize("days", [-400, 400])
def test_a_clock_that_jumps_hides_no_edit(project_dir, write_files, monkeypatch, days):
    monkeypatch.setenv("STALE_TTL", "60")
    write_files({"a.py": "def alpha():\n    return 1\n"})
    really, real_time = time.time_ns, time.time
    with monkeypatch.context() as jumped:
        jumped.setattr(time, "time_ns", lambda: really() + days * 86_400 * 10**9)
        jumped.setattr(time, "time", lambda: real_time() + days * 86_400)
        with Services(load_settings()) as services:
            add_project(services, str(project_dir))
    write_files({"a.py": "def bravo():\n    return 1\n", "b.py": "def charlie():\n    return 2\n"})

    scope = Scope(projects=(str(project_dir),))
    with Services(load_settings()) as services:
        for query, symbol in (("bravo", "bravo"), ("charlie", "charlie")):
            answer = semantic_search(services, SearchRequest(query, scope))
            assert answer.results[0].symbol == symbol


def wait_until_indexing(index_root):
    """Until a pass is under way: stopped sooner, it has not begun, or is about to make the index."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        for path in index_root.glob("*/manifest.db"):
            with suppress(CodeIndexerError), Manifest.open(path, read_only=True) as manifest:
                if manifest.read_pass().state == "indexing":
                    return
        time.sleep(0.02)
    raise AssertionError("no pass began")


def test_a_pass_that_is_stopped_and_goes_on_is_waited_for_by_nobody(
    sources, run_process, private_state
):
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "code_indexer", "add-project", str(sources)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    try:
        wait_until_indexing(private_state)
        process.send_signal(signal.SIGSTOP)
        answer = run_process("semantic-search", "x", "--project", sources, "--json")
        assert answer.code == 0, answer.err
        assert json.loads(answer.out)["projects"][0]["state"] in ("indexing", "idle")
    finally:
        process.send_signal(signal.SIGCONT)
        _, errors = process.communicate(timeout=120)
    assert (process.returncode, b"Traceback" in errors) == (0, False)
