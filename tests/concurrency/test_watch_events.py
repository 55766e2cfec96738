"""The watcher on real events, with a pass that only counts."""

import os
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import pytest

pytest.importorskip("watchdog")

from code_indexer.core.freshness import is_root_gone
from code_indexer.discovery.folders import DiscoveryRules
from code_indexer.discovery.stepwise import FolderWalk
from code_indexer.types import IndexReport, Project
from code_indexer.watch.events import open_inotify
from code_indexer.watch.folders import FolderWatches
from code_indexer.watch.watcher import Parts, Periods, Watcher


class CountingWatcher(threading.Thread):
    """Watches one project and counts passes."""

    def __init__(self, root, quiet):
        super().__init__()
        self.project = Project(str(root), "00000000", None, "idx_00000000")
        self.passes = 0
        self.ended = False
        self._inotify = open_inotify()
        parts = Parts(
            list_projects=lambda: [self.project],
            run_pass=self.run_pass,
            make_rules=lambda project: FolderWalk(Path(project.root), DiscoveryRules()),
            take_snapshot=lambda _: {},
            is_root_gone=is_root_gone,
            root_identity=lambda _: 1,
            is_git_busy=lambda root: (root / Path(".git/index.lock")).exists(),
            say=lambda _: None,
        )
        self.watches = FolderWatches(self._inotify)
        self.watcher = Watcher(parts, Periods(quiet, 300.0), self.watches)

    def run_pass(self, _project, _is_turn_over):
        self.passes += 1
        return IndexReport()

    def run(self):
        self.watcher.run(lambda: self.ended)
        self._inotify.close()

    def wait_for(self, passes, patience_seconds=60):
        deadline = time.monotonic() + patience_seconds
        while self.passes < passes and time.monotonic() < deadline:
            time.sleep(0.05)
        assert self.passes >= passes


@pytest.fixture
def watch():
    started = []

    def watch(root, quiet):
        watcher = CountingWatcher(root, quiet)
        started.append(watcher)
        watcher.start()
        watcher.wait_for(1)
        return watcher

    yield watch
    for watcher in started:
        watcher.ended = True
        watcher.join()


@pytest.fixture
def memory_dir(tmp_path):
    """A folder in memory, where there is one: ten thousand files take their time on a disk."""
    memory = Path("/dev/shm")
    if not os.access(memory, os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        yield Path(folder)


@pytest.mark.slow
def test_a_checkout_of_ten_thousand_files_causes_one_pass(memory_dir, watch):
    project_dir = memory_dir
    git = ["git", "-C", str(project_dir), "-c", "user.name=n", "-c", "user.email=e@x"]
    subprocess.run([*git, "init", "-q", "-b", "small"], check=True)
    (project_dir / "a.txt").write_text("one\n")
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "small"], check=True)
    files = b"".join(
        b"M 100644 inline d%d/f%d.txt\ndata 5\n%05d\n" % (i // 100, i, i) for i in range(10_000)
    )
    commit = b"commit refs/heads/large\ncommitter n <e@x> 0 +0000\ndata 1\nl\nfrom small\n" + files
    subprocess.run([*git, "fast-import", "--quiet"], input=commit, check=True)
    watcher = watch(project_dir, 3.0)

    subprocess.run([*git, "checkout", "-q", "large"], check=True)
    watcher.wait_for(2)
    assert watcher.watches.folder_count(str(project_dir)) == 101
    time.sleep(3.5)

    assert watcher.passes == 2


def test_a_file_written_to_again_and_again_gets_few_passes(watch, project_dir):
    file = project_dir / "a.py"
    file.write_text("x = 0\n")
    watcher = watch(project_dir, 0.5)

    for i in range(50):
        file.write_text(f"x = {i}\n")
        time.sleep(0.01)
    watcher.wait_for(2)
    time.sleep(0.6)

    # One, but for a machine so busy that a pause of the writer looks like its end.
    assert watcher.passes - 1 <= 3
