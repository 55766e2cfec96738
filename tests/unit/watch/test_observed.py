"""Events of whole trees, as macOS gives them; watchdog's observer stands in for it here."""

import time

import pytest

from code_indexer.discovery.folders import DiscoveryRules
from code_indexer.discovery.stepwise import FolderWalk
from code_indexer.watch.events import open_observer
from code_indexer.watch.observed import ObservedTrees

# watchdog's own thread warns of a race between its two ways to hear of a new folder, and recovers.
pytestmark = pytest.mark.filterwarnings("ignore:Callback with id:RuntimeWarning")


@pytest.fixture
def trees(project_dir, write_files):
    write_files({"a.py": "", "src/b.py": "", "out/c.py": "", ".gitignore": "out/\n*.log\n"})
    watches = ObservedTrees(open_observer())
    watches.add(str(project_dir), lambda: FolderWalk(project_dir, DiscoveryRules()))
    yield watches
    watches.close()


def has_changed(trees, root, within_seconds=30.0):
    deadline = time.monotonic() + within_seconds
    while time.monotonic() < deadline:
        if str(root) in trees.read().changed:
            return True
        time.sleep(0.01)
    return False


def test_a_written_file_counts(trees, project_dir):
    (project_dir / "src/b.py").write_text("x = 1\n")

    assert has_changed(trees, project_dir)


def test_a_file_in_a_new_folder_counts(trees, project_dir, write_files):
    write_files({"new/deep/d.py": "x = 1\n"})

    assert has_changed(trees, project_dir)


def test_reading_and_what_is_ignored_count_for_nothing(trees, project_dir, write_files):
    (project_dir / "a.py").read_bytes()
    write_files({"out/c.py": "x = 1\n", "run.log": "x", ".a.py.swp": "x", "node_modules/i.js": "x"})

    assert not has_changed(trees, project_dir, within_seconds=0.3)


def test_a_changed_ignore_file_holds_from_then_on(trees, project_dir, write_files):
    write_files({".gitignore": "src/\n"})
    assert has_changed(trees, project_dir)
    while has_changed(trees, project_dir, within_seconds=0.5):
        pass  # one write makes several events

    write_files({"src/b.py": "x = 2\n"})
    assert not has_changed(trees, project_dir, within_seconds=0.3)
    write_files({"out/c.py": "x = 2\n"})

    assert has_changed(trees, project_dir)


def test_a_removed_project_is_silent(trees, project_dir):
    trees.remove(str(project_dir))

    (project_dir / "a.py").write_text("x = 1\n")

    assert not has_changed(trees, project_dir, within_seconds=0.3)
