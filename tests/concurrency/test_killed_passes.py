"""A pass that is killed at any moment costs nothing but the time until the next command."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from index_contents import index_contents

from code_indexer.core.projects import add_project
from code_indexer.core.services import Services
from code_indexer.settings import load_settings
from code_indexer.storage.locks import lock_is_held

KILLS = 30


def start(*arguments):
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "code_indexer", *map(str, arguments)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


@pytest.mark.slow
def test_after_thirty_kills_the_index_equals_a_fresh_one(sources, tmp_path, private_state):
    pick = random.Random(7)
    committed = 0
    for _ in range(KILLS):
        process = start("add-project", sources)
        time.sleep(pick.uniform(0.1, 0.8))
        process.kill()
        process.communicate()
        found = committed_files(private_state)
        assert found >= committed, "a committed file was lost"
        committed = found

    done = start("add-project", sources)
    _, errors = done.communicate(timeout=120)
    assert (done.returncode, b"Traceback" in errors) == (0, False)

    with Services(load_settings()) as services:
        project = services.project_at(str(sources))
        assert not lock_is_held(services.lock_path(project))
        present = index_contents(services.manifest_path(project))
    with Services(load_settings({"index_root": tmp_path / "fresh"})) as services:
        add_project(services, str(sources))
        project = services.project_at(str(sources))
        assert present == index_contents(services.manifest_path(project))


def committed_files(index_root):
    manifests = list(index_root.glob("*/manifest.db"))
    if not manifests:
        return 0
    connection = sqlite3.connect(f"file:{manifests[0]}?mode=ro", uri=True)
    try:
        return connection.execute("SELECT count(*) FROM files").fetchone()[0]
    except sqlite3.OperationalError:  # killed before the first migration
        return 0
    finally:
        connection.close()


def test_two_processes_started_together_do_one_pass(sources, run_cli):
    both = [start("add-project", sources, "--json") for _ in range(2)]
    for process in both:
        process.communicate(timeout=120)

    assert [process.returncode for process in both] == [0, 0]
    (status,) = run_cli("index-status", sources, "--json", "--skip-stale-check").json()["projects"]
    assert status["state"] == "idle"
    assert status["last_pass"]["added"] == status["files"]


def test_workers_end_with_the_process_that_started_them(sources):
    process = start("add-project", sources)
    workers = wait_for(lambda: children_of(process.pid))

    os.kill(process.pid, signal.SIGKILL)
    process.communicate()

    assert wait_for(lambda: not any(is_alive(pid) for pid in workers))


def test_an_interrupted_pass_says_so_and_exits_130(sources):
    process = start("add-project", sources)
    # One that is stopped before it is a program of its own would hold its parent too.
    workers = wait_for(lambda: [one for one in children_of(process.pid) if is_worker(one)])
    for worker in workers:
        os.kill(int(worker), signal.SIGSTOP)  # so that the pass cannot end before the signal

    try:
        interrupt(process)
    finally:
        process.kill()
        for worker in workers:  # a stopped one would hold the pipes open for ever
            with suppress(ProcessLookupError):
                os.kill(int(worker), signal.SIGKILL)
    _, errors = process.communicate(timeout=30)

    assert process.returncode == 130
    assert errors.decode().strip() == "interrupted; what was done is kept"


def interrupt(process):
    """Ctrl-C; again after a while, for Python may lose one in a destructor."""
    for _ in range(6):
        process.send_signal(signal.SIGINT)
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            continue
        return
    raise AssertionError("it does not stop")


def children_of(pid):
    """A child belongs to the thread that started it."""
    children = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(FileNotFoundError, ProcessLookupError):  # a thread that has ended meanwhile
            children += path.read_text().split()
    return children


def is_worker(pid):
    with suppress(FileNotFoundError, ProcessLookupError):
        return b"code_indexer.indexing.worker" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return False


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_for(condition, seconds=60.0):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = condition()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError("waited in vain")
