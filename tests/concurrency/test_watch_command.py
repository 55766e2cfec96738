"""The watcher as people start it: real processes, real inotify, a real index."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("watchdog")

PATIENCE_SECONDS = 60
QUIET_SECONDS = 0.3


def until(condition, what="it"):
    """Wait until *condition* holds; its value."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        value = condition()
        if value:
            return value
        time.sleep(0.05)
    raise AssertionError(f"{what} did not happen in {PATIENCE_SECONDS} s")


class Watching:
    """A watcher in the foreground, and what it says."""

    def __init__(self, log: Path, arguments, environment, prefix=()):
        self._log = log
        with log.open("wb") as output:
            self.process = subprocess.Popen(
                [
                    *prefix,
                    sys.executable,
                    "-P",
                    "-m",
                    "code_indexer",
                    "watch",
                    *map(str, arguments),
                ],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env={**os.environ, "WATCH_DEBOUNCE": str(QUIET_SECONDS), **environment},
            )

    @property
    def said(self):
        return self._log.read_text()

    def passes(self, reason=""):
        return [line for line in self.said.splitlines() if f"pass ({reason}" in line]

    def says(self, text):
        until(lambda: text in self.said or self.process.poll() is not None, f"saying {text!r}")
        assert text in self.said

    def ready(self):
        self.says("pass (start)")
        return self

    def next_pass(self, after):
        """Wait until there are more passes than *after*."""
        until(lambda: len(self.passes()) > after, "another pass")

    def settle(self):
        """Give it the time in which a pass would have come."""
        time.sleep(3 * QUIET_SECONDS)

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        return self.process.wait(timeout=PATIENCE_SECONDS)


@pytest.fixture
def start(tmp_path):
    started = []

    def start(*arguments, prefix=(), **environment):
        log = tmp_path / f"watching-{len(started)}.log"
        watching = Watching(log, arguments, environment, prefix)
        started.append(watching)
        return watching

    yield start
    for watching in started:
        with contextlib.suppress(ProcessLookupError):
            watching.process.kill()
        watching.process.wait()


@pytest.fixture
def knows(run_cli, project_dir):
    """Whether the index knows a name, without a look at the files."""

    def knows(name):
        found = run_cli(
            *("semantic-search", name, "--project", project_dir),
            *("--skip-stale-check", "--json", "--context-lines", "0"),
        )
        assert found.code == 0, found.err
        return any(name in hit["snippet"] for hit in found.json()["results"])

    return knows


@pytest.fixture
def learns(knows):
    """Wait until the index knows a name: one edit may cause two passes, the first in its midst."""
    return lambda name: until(lambda: knows(name), f"knowing {name}")


def test_wat_01_reads_by_anyone_trigger_no_pass(start, write_files, project_dir):
    write_files({f"pkg/m{i}.py": f"def function_{i}(): pass\n" for i in range(20)})
    watching = start(project_dir).ready()

    for _ in range(4):
        for file in project_dir.rglob("*.py"):
            file.read_bytes()
        time.sleep(QUIET_SECONDS)
    watching.settle()

    assert len(watching.passes()) == 1


@pytest.mark.parametrize("limit", ["max_inotify_watches", "max_inotify_instances"])
def test_wat_02_when_watches_run_out_it_says_so_and_polls(
    limit, start, write_files, project_dir, learns
):
    namespace = ["unshare", "-Ur", "sh", "-c"]
    number = 10 if limit == "max_inotify_watches" else 0
    script = f"echo {number} > /proc/sys/user/{limit} && "
    allowed = subprocess.run([*namespace, script + "true"], capture_output=True, check=False)
    if allowed.returncode != 0:
        pytest.skip("user namespaces are not to be had here")
    write_files({f"d{i}/m.py": f"x = {i}\n" for i in range(50)})

    watching = start(project_dir, prefix=[*namespace, f'{script} exec "$@"', "sh"]).ready()
    write_files({"d49/m.py": "def edited_function(): pass\n"})

    learns("edited_function")
    assert watching.said.count(f"{limit} = {number}") == 1


def test_wat_02_without_watchdog_it_says_so_and_polls(
    start, write_files, project_dir, learns, tmp_path
):
    (tmp_path / "hidden/watchdog").mkdir(parents=True)
    (tmp_path / "hidden/watchdog/__init__.py").write_text("raise ImportError\n")
    write_files({"a.py": "x = 1\n"})

    watching = start(project_dir, PYTHONPATH=str(tmp_path / "hidden")).ready()
    write_files({"a.py": "def edited_function(): pass\n"})

    learns("edited_function")
    assert watching.said.count("watchdog is not installed") == 1


def save_by_rename(file, text):
    temporary = file.with_name(f".{file.name}.tmp")
    temporary.write_text(text)
    temporary.replace(file)


def save_by_backup_name(file, text):
    temporary = file.with_name(f"{file.name}~")
    temporary.write_text(text)
    temporary.replace(file)


def save_from_elsewhere(file, text):
    elsewhere = file.parent.parent / "elsewhere.tmp"
    elsewhere.write_text(text)
    shutil.copyfile(elsewhere, file)


def save_like_vim(file, text):
    backup = file.with_name(f"{file.name}~")
    file.rename(backup)
    file.write_text(text)
    backup.unlink()


def save_like_sed(file, text):
    subprocess.run(["sed", "-i", f"1s/.*/{text.strip()}/", str(file)], check=True)


def test_wat_03_an_atomic_save_is_indexed_whatever_its_style(
    start, write_files, project_dir, learns
):
    write_files({"a.py": "def version_zero(): pass\n"})
    start(project_dir).ready()
    styles = [
        save_by_rename,
        save_by_backup_name,
        save_from_elsewhere,
        save_like_vim,
        save_like_sed,
    ]

    for style in styles:
        style(project_dir / "a.py", f"def {style.__name__}_saved(): pass\n")

        learns(f"{style.__name__}_saved")


def test_moved_and_deleted_folders_are_followed(start, write_files, project_dir, knows, learns):
    write_files({"a.py": "x = 1\n", "old/deep/b.py": "def wandering_function(): pass\n"})
    watching = start(project_dir).ready()

    (project_dir / "old").rename(project_dir / "new")
    watching.next_pass(1)
    assert knows("wandering_function")
    write_files({"new/deep/b.py": "def settled_function(): pass\n"})
    learns("settled_function")
    shutil.rmtree(project_dir / "new")

    until(lambda: not knows("settled_function"), "forgetting the function")


def test_a_new_tree_is_indexed_whole(start, write_files, project_dir, learns):
    write_files({"a.py": "x = 1\n"})
    start(project_dir).ready()

    write_files({f"p{i}/q/r/m.py": f"def planted_{i}(): pass\n" for i in range(8)})

    for i in range(8):
        learns(f"planted_{i}")


def test_a_root_that_disappears_keeps_its_index_and_is_taken_up_again(
    start, write_files, project_dir, learns, run_cli, tmp_path
):
    write_files({"a.py": "def steady_function(): pass\n"})
    watching = start(project_dir).ready()

    project_dir.rename(tmp_path / "away")
    watching.says("gone")
    status = run_cli("index-status", project_dir, "--skip-stale-check", "--json").json()
    assert status["projects"][0]["files"] == 1
    (tmp_path / "away" / "a.py").write_text("def returned_function(): pass\n")
    (tmp_path / "away").rename(project_dir)
    learns("returned_function")
    write_files({"a.py": "def last_function(): pass\n"})

    learns("last_function")


def test_what_is_ignored_triggers_no_pass(start, write_files, project_dir):
    write_files({"a.py": "x = 1\n", ".gitignore": "*.log\nout/\n"})
    watching = start(project_dir).ready()

    for i in range(5):
        write_files({"node_modules/p/i.js": f"{i}", "out/x.py": f"x = {i}", "run.log": f"{i}"})
        write_files({".a.py.swp": "swap", ".git/index": f"{i}", "4913": ""})
        time.sleep(QUIET_SECONDS)
    watching.settle()

    assert len(watching.passes()) == 1


def test_a_burst_without_new_content_embeds_nothing(start, write_files, project_dir, run_cli):
    write_files({"a.py": "def same_function(): pass\n"})
    watching = start(project_dir).ready()

    save_by_rename(project_dir / "a.py", "def same_function(): pass\n")
    watching.next_pass(1)

    assert "0 added, 0 changed, 0 deleted" in watching.passes()[-1]


def test_control_c_ends_it_with_success_and_leaves_nothing_behind(
    start, write_files, project_dir, private_state
):
    write_files({"a.py": "x = 1\n"})
    watching = start(project_dir).ready()

    assert watching.stop(signal.SIGINT) == 0
    assert not (private_state / "watch.pid").exists()


def test_a_signal_ends_it_in_the_midst_of_a_pass(start, write_files, project_dir, run_cli):
    write_files({f"m{i}.py": f"def function_{i}(): pass\n" * 20 for i in range(400)})
    watching = start(project_dir)
    watching.says("watching")

    assert watching.stop() == 0
    assert run_cli("index-status", project_dir).code == 0


def test_duration_bounds_it(start, write_files, project_dir, private_state):
    write_files({"a.py": "x = 1\n"})

    watching = start(project_dir, "--duration", "1s")

    assert watching.process.wait(timeout=PATIENCE_SECONDS) == 0
    assert not (private_state / "watch.pid").exists()


def test_all_follows_projects_that_are_added_and_removed(
    start, write_files, project_dir, run_cli, tmp_path
):
    write_files({"a.py": "x = 1\n"})
    other = tmp_path / "other"
    other.mkdir()
    (other / "b.py").write_text("y = 1\n")
    run_cli("add-project", project_dir)
    watching = start("--all").ready()

    run_cli("add-project", other)
    watching.says(f"watching {other}")
    run_cli("remove-project", project_dir)

    watching.says(f"{project_dir} is no longer registered")
    assert watching.process.poll() is None


def test_a_project_that_cannot_be_indexed_pauses_and_the_others_go_on(
    start, write_files, project_dir, run_cli, tmp_path, private_state
):
    write_files({"a.py": "x = 1\n"})
    other = tmp_path / "other"
    other.mkdir()
    (other / "b.py").write_text("y = 1\n")
    slug = run_cli("add-project", project_dir, "--json").json()["projects"][0]["slug"]
    for file in (private_state / slug).iterdir():
        file.write_bytes(b"this is no database" * 500)
    watching = start(project_dir, other)
    watching.says("is paused")

    for i in range(3):
        before = len(watching.passes())
        write_files({"a.py": f"x = {i}\n"})
        (other / "b.py").write_text(f"def busy_{i}(): pass\n")
        watching.next_pass(before)
    watching.settle()

    assert watching.said.count("is paused") == 1
    assert all(str(other) in line for line in watching.passes())
    assert watching.stop() == 0
