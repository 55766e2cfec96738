"""The bookkeeping of watches, on real folders and real inotify."""

import contextlib
import random
import shutil
import subprocess
import time

import pytest

from code_indexer.discovery.folders import DiscoveryRules
from code_indexer.discovery.stepwise import FolderWalk
from code_indexer.errors import CodeIndexerError
from code_indexer.watch.events import FolderEvent, NoEventsError, open_inotify
from code_indexer.watch.folders import FolderWatches


@pytest.fixture
def inotify():
    notifier = open_inotify()
    yield notifier
    notifier.close()


@pytest.fixture
def watches(inotify):
    return FolderWatches(inotify)


@pytest.fixture
def add(watches, project_dir):
    def add(root=project_dir):
        watches.add(str(root), lambda: FolderWalk(root, DiscoveryRules()))

    return add


def has_changed(watches, root):
    for _ in range(1000):
        if str(root) in watches.read().changed:
            return True
        time.sleep(0.005)
    return False


def stays_unchanged(watches, root):
    time.sleep(0.02)
    return str(root) not in watches.read().changed


def watched_folders(watches, root):
    return sorted(watches._trees[str(root)].watches)


def test_every_folder_is_watched_but_the_ignored_ones(watches, add, write_files, project_dir):
    write_files(
        {
            "a.py": "",
            "src/deep/b.py": "",
            "node_modules/left/index.js": "",
            "out/c.py": "",
            ".gitignore": "out/\n",
            ".git/HEAD": "ref: refs/heads/main\n",
            "nested/.git/HEAD": "ref: refs/heads/main\n",
            "env/pyvenv.cfg": "",
        }
    )

    add()

    assert watched_folders(watches, project_dir) == ["", "src", "src/deep"]


def test_ignored_folders_take_no_watches(watches, add, write_files, project_dir):
    write_files({f"node_modules/p{i}/index.js": "" for i in range(20)} | {"a.py": ""})

    add()

    assert watches.folder_count(str(project_dir)) == 1


@pytest.mark.parametrize("how", ["write", "append", "delete", "rename", "replace", "link"])
def test_what_changes_content_counts(how, watches, add, write_files, project_dir, tmp_path):
    write_files({"a.py": "x = 1\n", "b.py": "y = 1\n"})
    add()
    file = project_dir / "a.py"

    if how == "write":
        file.write_text("x = 2\n")
    elif how == "append":
        with file.open("a") as opened:
            opened.write("z = 3\n")
    elif how == "delete":
        file.unlink()
    elif how == "rename":
        file.rename(project_dir / "c.py")
    elif how == "replace":
        other = tmp_path / "other"
        other.write_text("x = 3\n")
        other.replace(file)
    else:
        (project_dir / "c.py").hardlink_to(file)

    assert has_changed(watches, project_dir)


def test_reading_counts_for_nothing(watches, add, write_files, project_dir):
    write_files({"a.py": "x = 1\n", "sub/b.py": "y = 1\n"})
    add()

    for _ in range(3):
        for file in project_dir.rglob("*.py"):
            file.read_bytes()

    assert stays_unchanged(watches, project_dir)


@pytest.mark.parametrize(
    "name", [".a.py.swp", "4913", "a.py~", ".#a.py", "debug.log", "photo.png", ".env", "data.csv"]
)
def test_temporaries_and_ignored_files_count_for_nothing(
    name, watches, add, write_files, project_dir
):
    write_files({"a.py": "", ".gitignore": "*.log\n"})
    add()

    (project_dir / name).write_text("something")
    (project_dir / name).unlink()

    assert stays_unchanged(watches, project_dir)


def test_git_and_ignored_folders_count_for_nothing(watches, add, write_files, project_dir):
    write_files({"a.py": "", ".git/HEAD": "ref: refs/heads/main\n", "build/x.py": ""})
    add()

    write_files({".git/index": "DIRC", ".git/refs/heads/main": "0" * 40, "build/y.py": "y = 1\n"})
    write_files({"node_modules/new/index.js": "let x", "__pycache__/a.pyc": "x"})
    shutil.rmtree(project_dir / "node_modules")

    assert stays_unchanged(watches, project_dir)


def test_a_new_empty_folder_is_watched_but_no_change(watches, add, write_files, project_dir):
    write_files({"a.py": ""})
    add()

    (project_dir / "new").mkdir()
    assert stays_unchanged(watches, project_dir)
    (project_dir / "new" / "b.py").write_text("x = 1\n")

    assert has_changed(watches, project_dir)


def test_a_folder_filled_before_its_watch_exists_is_a_change(
    watches, add, write_files, project_dir
):
    write_files({"a.py": ""})
    add()

    write_files({"one/two/three/deep.py": "x = 1\n"})

    assert has_changed(watches, project_dir)
    assert watched_folders(watches, project_dir) == ["", "one", "one/two", "one/two/three"]


def test_a_moved_folder_is_watched_at_its_new_place(watches, add, write_files, project_dir):
    write_files({"a.py": "", "old/sub/b.py": "x = 1\n"})
    add()

    (project_dir / "old").rename(project_dir / "new")
    assert has_changed(watches, project_dir)
    assert watched_folders(watches, project_dir) == ["", "new", "new/sub"]
    stays_unchanged(watches, project_dir)
    (project_dir / "new/sub/b.py").write_text("x = 2\n")

    assert has_changed(watches, project_dir)


def test_a_folder_moved_out_is_watched_no_longer(watches, add, write_files, project_dir, tmp_path):
    write_files({"a.py": "", "old/sub/b.py": "x = 1\n"})
    add()

    (project_dir / "old").rename(tmp_path / "elsewhere")
    assert has_changed(watches, project_dir)
    stays_unchanged(watches, project_dir)
    (tmp_path / "elsewhere/sub/b.py").write_text("x = 2\n")

    assert stays_unchanged(watches, project_dir)
    assert watched_folders(watches, project_dir) == [""]


def test_a_folder_deleted_and_made_again_is_watched(watches, add, write_files, project_dir):
    write_files({"a.py": "", "src/b.py": "x = 1\n"})
    add()

    shutil.rmtree(project_dir / "src")
    write_files({"src/b.py": "x = 2\n"})
    assert has_changed(watches, project_dir)
    stays_unchanged(watches, project_dir)
    (project_dir / "src/b.py").write_text("x = 3\n")

    assert has_changed(watches, project_dir)


def test_a_changed_ignore_file_changes_what_is_watched(watches, add, write_files, project_dir):
    write_files({"a.py": "", "src/b.py": "", "gen/c.py": "", ".gitignore": "gen/\n"})
    add()

    write_files({".gitignore": "src/\n"})

    assert has_changed(watches, project_dir)
    assert watched_folders(watches, project_dir) == ["", "gen"]


def test_a_project_inside_another_hears_its_own_events(watches, add, write_files, project_dir):
    write_files({"a.py": "", "inner/b.py": ""})
    inner = project_dir / "inner"
    add()
    add(inner)

    (inner / "b.py").write_text("x = 1\n")
    time.sleep(0.02)
    both = watches.read().changed
    watches.remove(str(inner))
    (inner / "b.py").write_text("x = 2\n")
    time.sleep(0.02)

    assert both == {str(project_dir), str(inner)}
    assert watches.read().changed == {str(project_dir)}


def test_a_lost_root_is_reported(watches, add, write_files, project_dir, tmp_path):
    write_files({"a.py": ""})
    add()

    project_dir.rename(tmp_path / "away")
    time.sleep(0.02)

    assert str(project_dir) in watches.read().gone


def test_a_root_that_is_not_there_cannot_be_watched(watches, project_dir):
    project_dir.rmdir()

    with pytest.raises((OSError, CodeIndexerError)):
        watches.add(str(project_dir), lambda: FolderWalk(project_dir, DiscoveryRules()))

    assert watches.folder_count(str(project_dir)) == 0


def test_a_linked_folder_is_not_entered(watches, add, write_files, project_dir, tmp_path):
    (tmp_path / "outside" / "deep").mkdir(parents=True)
    write_files({"a.py": ""})
    (project_dir / "link").symlink_to(tmp_path / "outside")

    add()

    assert watched_folders(watches, project_dir) == [""]


class FewWatches:
    """Inotify with a limit of its own, and events that a test makes up."""

    def __init__(self, inner, limit):
        self._inner = inner
        self._held = set()
        self.limit = limit
        self.made_up = []

    def fileno(self):
        return self._inner.fileno()

    def add(self, path):
        watch = self._inner.add(path)
        if watch not in self._held and len(self._held) >= self.limit:
            self._inner.remove(watch)
            raise NoEventsError("the limit is reached")
        self._held.add(watch)
        return watch

    def remove(self, watch):
        self._held.discard(watch)
        self._inner.remove(watch)

    def read(self):
        events, self.made_up = self.made_up, []
        return events or self._inner.read()

    @property
    def held(self):
        return len(self._held)


def test_running_out_of_watches_gives_all_of_the_project_back(inotify, write_files, project_dir):
    write_files({f"d{i}/m.py": "" for i in range(20)})
    few = FewWatches(inotify, 9)
    watches = FolderWatches(few)

    with pytest.raises(NoEventsError):
        watches.add(str(project_dir), lambda: FolderWalk(project_dir, DiscoveryRules()))

    assert few.held == 0


def test_running_out_of_watches_later_is_reported(inotify, write_files, project_dir):
    write_files({"a.py": "", "d0/m.py": ""})
    watches = FolderWatches(FewWatches(inotify, 5))
    watches.add(str(project_dir), lambda: FolderWalk(project_dir, DiscoveryRules()))

    write_files({f"d{i}/m.py": "" for i in range(20)})
    time.sleep(0.02)

    assert set(watches.read().exhausted) == {str(project_dir)}


def test_lost_events_are_made_up_for(inotify, write_files, project_dir):
    write_files({"a.py": "", "old/b.py": "", "same/c.py": ""})
    few = FewWatches(inotify, 100)
    watches = FolderWatches(few)
    watches.add(str(project_dir), lambda: FolderWalk(project_dir, DiscoveryRules()))
    (project_dir / "old").rename(project_dir / "new")
    shutil.rmtree(project_dir / "same")
    write_files({"same/c.py": "", "more/d.py": ""})
    inotify.read()

    few.made_up = [FolderEvent(-1, "overflow")]

    assert watches.read().changed == {str(project_dir)}
    assert watched_folders(watches, project_dir) == ["", "more", "new", "same"]
    inotify.read()
    for name in ("new/b.py", "same/c.py", "more/d.py"):
        (project_dir / name).write_text("x = 1\n")
        assert has_changed(watches, project_dir)


def test_a_commit_that_changes_no_file_counts_for_nothing(watches, add, write_files, project_dir):
    write_files({"a.py": "x = 1\n"})
    git = ["git", "-C", str(project_dir), "-c", "user.name=n", "-c", "user.email=e@x"]
    subprocess.run([*git, "init", "-q"], check=True)
    add()

    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "one"], check=True)

    assert stays_unchanged(watches, project_dir)


def do_something(chance, root, outside, step):
    """One of the things that happen to folders; some of them are not possible just then."""
    folders = [path for path in (root, *root.rglob("*")) if path.is_dir()]
    folder = chance.choice(folders)
    name = chance.choice(["a", "b", "c", "node_modules"])
    with contextlib.suppress(OSError):
        match chance.randrange(7):
            case 0:
                (folder / name).mkdir()
            case 1:
                (folder / name / "x" / "y").mkdir(parents=True)
                (folder / name / "x" / "y" / "f.py").write_text("x = 1\n")
            case 2 if folder != root:
                shutil.rmtree(folder)
            case 3 if folder != root:
                folder.rename(chance.choice(folders) / name)
            case 4 if folder != root:
                folder.rename(outside / f"o{step}")
            case 5:
                chance.choice([*outside.iterdir(), outside / "none"]).rename(folder / name)
            case 6:
                (folder / ".gitignore").write_text(chance.choice(["", "b/\n", "c/\n"]))


@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_done_to_folders_the_right_ones_are_heard(
    seed, watches, add, project_dir, tmp_path
):
    chance = random.Random(seed)
    outside = tmp_path / "outside"
    outside.mkdir()
    add()

    for step in range(40):
        do_something(chance, project_dir, outside, step)
        if chance.random() < 0.3:
            watches.read()
    for _ in range(3):
        time.sleep(0.005)
        watches.read()

    fresh = FolderWalk(project_dir, DiscoveryRules())
    wanted, pending = [], [""]
    while pending:
        folder = pending.pop()
        listing = fresh.enter(folder)
        if listing is not None:
            wanted.append(folder)
            pending += listing.folders
    assert watched_folders(watches, project_dir) == sorted(wanted)
    for folder in wanted:
        (project_dir / folder / "probe.py").write_text("x = 1\n")
        assert has_changed(watches, project_dir), folder
