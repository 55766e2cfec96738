"""A project can be removed whatever works on it, and nothing of it is left; real processes."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from index_contents import index_contents

from code_indexer.core import removal as removing
from code_indexer.core.projects import add_project, remove_project
from code_indexer.core.services import Services
from code_indexer.core.status import project_status
from code_indexer.errors import IndexBusyError, ProjectNotFoundError
from code_indexer.settings import load_settings
from code_indexer.storage.locks import exclusive_lock, lock_info, lock_is_held
from code_indexer.storage.registry import Registry


@pytest.fixture
def started():
    """Start commands; those that are left at the end are killed."""
    processes = []

    def start(*arguments):
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "code_indexer", *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        processes.append(process)
        return process

    yield start
    for process in processes:
        process.kill()
        process.communicate()


def eventually(question, seconds=60.0):
    deadline = time.monotonic() + seconds
    while not (answer := question()):
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.01)
    return answer


def holder(index_root):
    """The process that holds the only project's lock, once one does and has said so."""
    (path,) = index_root.glob("*.lock") or (index_root / "none",)
    return lock_info(path).get("pid") if lock_is_held(path) else None


def running_pass(index_root):
    return eventually(lambda: any(index_root.glob("*.lock")) and holder(index_root))


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def left_behind(index_root):
    """What is in the index root besides what stays there for ever."""
    stays = {"registry.db", "registry.db-wal", "registry.db-shm", "background.log", "stats.jsonl"}
    names = {path.name for path in index_root.iterdir()} - stays
    return {name for name in names if not name.endswith(".lock")}


def test_a_pass_in_the_background_is_ended_by_the_removal(sources, private_state, run_process):
    run_process("add-project", sources, "--background")
    pid = running_pass(private_state)

    done = run_process("remove-project", sources)

    assert (done.code, done.err) == (0, "")
    assert left_behind(private_state) == set()
    assert eventually(lambda: not is_alive(pid))
    assert run_process("list-projects").out == ""
    assert "Traceback" not in (private_state / "background.log").read_text()


def test_a_pass_of_a_command_is_ended_too_and_says_why(
    sources, private_state, run_process, started
):
    adding = started("add-project", sources)
    running_pass(private_state)

    assert run_process("remove-project", sources).code == 0
    _, errors = adding.communicate(timeout=60)

    assert adding.returncode == 2
    assert "was removed meanwhile" in errors.decode()
    assert left_behind(private_state) == set()


def test_a_background_pass_that_does_not_heed_is_killed(
    sources, private_state, run_process, run_cli, monkeypatch
):
    monkeypatch.setattr(removing, "_SIGNALS", ((0.1, signal.SIGTERM), (0.3, signal.SIGKILL)))
    run_process("add-project", sources, "--background")
    pid = running_pass(private_state)
    os.kill(pid, signal.SIGSTOP)

    assert run_cli("remove-project", sources).code == 0
    assert eventually(lambda: not is_alive(pid))
    assert left_behind(private_state) == set()


def test_what_holds_the_lock_and_is_no_pass_of_ours_is_never_signalled(
    sources, private_state, run_process, monkeypatch
):
    """The note may be old, and its number another process's by now."""
    monkeypatch.setattr(removing, "_SIGNALS", ((0.0, signal.SIGKILL),))
    monkeypatch.setattr(removing, "_PATIENCE_SECONDS", 0.3)
    innocent = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    with Services(load_settings()) as services, innocent:
        project = services.register(str(sources))
        note = {"pid": innocent.pid, "detached": True}
        with (
            exclusive_lock(services.lock_path(project), info=note),
            pytest.raises(IndexBusyError, match="was not given up in"),
        ):
            remove_project(services, str(sources))

        assert innocent.poll() is None
        innocent.kill()
        assert services.projects() == [project]
        assert not list(private_state.glob("*.removal"))


def test_removed_and_added_again_at_once_it_is_indexed_whole(
    sources, tmp_path, private_state, run_process
):
    for _ in range(3):
        run_process("add-project", sources, "--background")
        assert run_process("remove-project", sources).code == 0
    assert run_process("add-project", sources, "--background").code == 0

    with Services(load_settings()) as services:
        project = services.project_at(str(sources))
        eventually(lambda: project_status(services, project).state == "idle")
        present = index_contents(services.manifest_path(project))
    assert left_behind(private_state) == {project.slug}
    with Services(load_settings({"index_root": tmp_path / "fresh"})) as services:
        add_project(services, str(sources))
        assert present == index_contents(services.manifest_path(project))


def test_a_removal_that_is_killed_while_it_waits_leaves_the_pass_alone(
    sources, private_state, run_process, started
):
    adding = started("add-project", sources)
    pid = running_pass(private_state)
    os.kill(pid, signal.SIGSTOP)
    removal = started("remove-project", sources)
    eventually(lambda: any(lock_is_held(path) for path in private_state.glob("*.removal")))

    removal.kill()
    removal.wait()
    os.kill(pid, signal.SIGCONT)
    _, errors = adding.communicate(timeout=120)

    assert (adding.returncode, b"Traceback" in errors) == (0, False)
    assert run_process("remove-project", sources).code == 0
    assert left_behind(private_state) == set()


def test_of_two_removals_at_once_both_are_content(sources, private_state, run_process, started):
    run_process("add-project", sources, "--background")
    running_pass(private_state)

    both = [started("remove-project", sources) for _ in range(2)]
    for one in both:
        one.wait(60)

    # One may have come so late that it found no project any more.
    assert sorted(one.returncode for one in both) in ([0, 0], [0, 2])
    assert left_behind(private_state) == set()


def test_an_index_begun_by_a_reader_after_the_removal_is_taken_back(
    project_dir, write_files, private_state
):
    write_files({"a.py": "def alpha():\n    return 1\n"})
    with Services(load_settings()) as reader, Services(load_settings()) as remover:
        project = reader.register(str(project_dir))
        remove_project(remover, str(project_dir))

        with pytest.raises(ProjectNotFoundError, match="removed meanwhile"):
            reader.manifest(project)

    with suppress(FileNotFoundError):
        assert left_behind(private_state) == set()


def test_an_index_begun_by_a_reader_during_the_removal_is_deleted_as_well(
    project_dir, write_files, private_state, monkeypatch
):
    write_files({"a.py": "def alpha():\n    return 1\n"})
    with Services(load_settings()) as reader, Services(load_settings()) as remover:
        project = reader.register(str(project_dir))
        really = Registry.remove

        def remove(registry, slug):
            reader.manifest(project)  # it is registered still, and its index is gone
            return really(registry, slug)

        monkeypatch.setattr(Registry, "remove", remove)
        remove_project(remover, str(project_dir))

    assert left_behind(private_state) == set()
