"""The watcher without a terminal: one for each index root, and nothing left when it ends."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PATIENCE_SECONDS = 60


def until(condition, what):
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        value = condition()
        if value:
            return value
        time.sleep(0.05)
    raise AssertionError(f"{what} did not happen in {PATIENCE_SECONDS} s")


def is_alive(pid):
    """A process that nobody has waited for yet is dead all the same."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    try:
        return status.read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return not Path("/proc/self").exists()


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setenv("WATCH_DEBOUNCE", "0.3")


@pytest.fixture
def start(run_process, project_dir):
    """Start a watcher in the background; its pid."""
    started = []

    def start(*options):
        done = run_process("watch", project_dir, "--background", "--json", *options)
        assert done.code == 0, done.err
        started.append(done.json()["pid"])
        return started[-1]

    yield start
    for pid in started:
        if is_alive(pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def test_wat_07_a_killed_watcher_does_not_keep_the_next_from_starting(
    start, write_files, private_state
):
    write_files({"a.py": "x = 1\n"})
    first = start()
    os.kill(first, signal.SIGKILL)
    until(lambda: not is_alive(first), "its death")

    second = start()

    assert (private_state / "watch.pid").read_text() == f"{second}\n"


def test_wat_07_what_a_stale_pid_file_says_does_not_count(
    start, write_files, private_state, run_cli
):
    write_files({"a.py": "x = 1\n"})
    private_state.mkdir(exist_ok=True)
    (private_state / "watch.pid").write_text("1")
    assert not run_cli("watch", "--status", "--json").json()["running"]

    pid = start()

    assert (private_state / "watch.pid").read_text() == f"{pid}\n"


def test_wat_07_a_second_one_is_refused_with_the_pid_of_the_first(
    start, write_files, project_dir, run_process
):
    write_files({"a.py": "x = 1\n"})
    pid = start()

    second = run_process("watch", project_dir, "--background")
    in_the_foreground = run_process("watch", project_dir, "--duration", "5")

    assert (second.code, in_the_foreground.code) == (4, 4)
    assert f"pid {pid}" in second.err
    assert is_alive(pid)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_wat_07_a_signal_leaves_no_pid_file_and_a_free_lock(
    number, start, write_files, private_state, run_cli
):
    write_files({"a.py": "x = 1\n"})
    pid = start()

    os.kill(pid, number)
    until(lambda: not is_alive(pid), "its end")

    assert not (private_state / "watch.pid").exists()
    assert not run_cli("watch", "--status", "--json").json()["running"]


def test_a_pid_file_that_was_overwritten_misleads_nobody(
    start, write_files, private_state, run_cli
):
    if not Path("/proc/locks").exists():
        pytest.skip("only the kernel knows the holder")
    write_files({"a.py": "x = 1\n"})
    pid = start()
    (private_state / "watch.pid").write_text(f"{os.getpid()}\n")

    stopped = run_cli("watch", "--stop", "--json")

    assert stopped.json() == {"stopped": True, "pid": pid}
    until(lambda: not is_alive(pid), "its end")


def test_it_can_be_stopped_after_the_index_root_was_deleted(
    start, write_files, private_state, run_process
):
    write_files({"a.py": "x = 1\n"})
    pid = start()
    shutil.rmtree(private_state)
    until((private_state / "watch.pid").exists, "another pid file")

    stopped = run_process("watch", "--stop")

    assert stopped.out == f"stopped the watcher, pid {pid}\n"
    until(lambda: not is_alive(pid), "its end")


def test_it_can_be_asked_about_and_stopped(start, write_files, private_state, run_cli):
    write_files({"a.py": "x = 1\n"})
    pid = start()
    log = private_state / "watch.log"
    until(lambda: "pass (start)" in log.read_text(), "the first pass")

    status = run_cli("watch", "--status")
    stopped = run_cli("watch", "--stop")
    again = run_cli("watch", "--stop")

    assert status.out.startswith(f"a watcher is running, pid {pid}")
    assert (stopped.code, stopped.out) == (0, f"stopped the watcher, pid {pid}\n")
    assert (again.code, again.out) == (0, "no watcher is running\n")
    until(lambda: not is_alive(pid), "its end")


def test_it_holds_no_pipe_of_its_starter_and_no_terminal(start, write_files, project_dir):
    write_files({"a.py": "x = 1\n"})
    readable, writable = os.pipe()
    os.set_inheritable(writable, True)
    # subprocess.run reads stdout to its end: it would hang if the watcher kept it open.
    done = subprocess.run(
        [sys.executable, "-P", "-m", "code_indexer", "watch", str(project_dir), "--background"],
        stdout=subprocess.PIPE,
        pass_fds=[writable],
        timeout=PATIENCE_SECONDS,
        check=True,
    )
    os.close(writable)
    pid = int(done.stdout.split(b"pid ")[1].split(b",")[0])
    try:
        assert os.read(readable, 1) == b""
        assert os.getsid(pid) not in (os.getsid(0), pid)
    finally:
        os.close(readable)
        os.kill(pid, signal.SIGKILL)


def test_it_writes_a_private_log(start, write_files, private_state):
    write_files({"a.py": "x = 1\n"})
    start()
    log = private_state / "watch.log"

    until(lambda: "pass (start)" in log.read_text(), "the first pass")

    assert log.stat().st_mode & 0o777 == 0o600


def test_duration_bounds_it_in_the_background_too(start, write_files, private_state):
    write_files({"a.py": "x = 1\n"})

    pid = start("--duration", "1")

    until(lambda: not is_alive(pid), "its end")
    assert not (private_state / "watch.pid").exists()


def test_what_is_wrong_is_said_by_the_command_that_starts_it(run_process, tmp_path):
    done = run_process("watch", tmp_path / "nowhere", "--background")

    assert done.code == 2
    assert "nowhere" in done.err
