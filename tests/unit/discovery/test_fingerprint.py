"""When two fingerprints are equal, and when they vouch for the contents."""

import os
import shutil
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from unit.discovery.trees import RULES, write_tree

from code_indexer.discovery import fingerprint
from code_indexer.discovery.fingerprint import take_fingerprint
from code_indexer.errors import UnsuitableRootError

MANY = 1_000_000


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A project with more folders than branches, written long ago."""
    write_tree(
        tmp_path,
        {f"pkg{n // 8}/part{n}/m{i}.py": f"x = {i}\n" for n in range(64) for i in range(3)}
        | {".gitignore": "*.tmp.py\n", "bin/tool": "#!/bin/sh\n", "a.csv": "1\n", "a.py": ""},
    )
    return tmp_path


@pytest.fixture(autouse=True)
def forks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The second processes; there are some although a test run may have several threads."""
    processes: list[int] = []

    def fork() -> int:
        process = real_fork()
        processes.append(process)
        return process

    real_fork = os.fork
    monkeypatch.setattr(os, "fork", fork)
    monkeypatch.setattr(fingerprint, "_may_fork", lambda: True)
    return processes


def digest(root: Path, expected_files: int = 0) -> str:
    return take_fingerprint(root, RULES, expected_files=expected_files).digest


def test_an_untouched_tree_keeps_its_fingerprint(tree):
    assert digest(tree) == digest(tree)


def test_two_processes_take_the_same_fingerprint_as_one(tree, forks):
    assert digest(tree, expected_files=MANY) == digest(tree)
    assert len(forks) == 1


def test_the_first_process_does_it_all_when_the_second_fails(tree, monkeypatch):
    expected = digest(tree)
    mine = os.getpid()
    real_scandir = os.scandir

    def scandir(path: int):
        if os.getpid() != mine:
            raise MemoryError
        return real_scandir(path)

    monkeypatch.setattr(os, "scandir", scandir)

    assert digest(tree, expected_files=MANY) == expected


@pytest.mark.parametrize(
    "change",
    [
        lambda root: (root / "pkg3/part24/m1.py").write_text("x = 11\n"),
        lambda root: (root / "pkg3/part24/new.py").write_text(""),
        lambda root: (root / "pkg3/part24/m1.py").unlink(),
        lambda root: (root / "pkg3/part24/m1.py").rename(root / "pkg3/part24/m9.py"),
        lambda root: (root / "pkg3/part24").rename(root / "pkg3/part99"),
        lambda root: os.utime(root / "pkg3/part24/m1.py", (1, 1)),
        lambda root: (root / "bin/tool").write_text("#!/bin/bash\n"),
        lambda root: (root / ".gitignore").write_text("*.py\n"),
        lambda root: (root / "pkg3/.gitignore").write_text("m1.py\n"),
        lambda root: (root / "pkg3/new.csv").write_text(""),
        lambda root: (root / "pkg3/link.py").symlink_to("part24/m1.py"),
        lambda root: shutil.copytree(root / "pkg3", root / "pkg4/part3"),
    ],
)
def test_every_change_changes_it(tree: Path, change: Callable[[Path], object]) -> None:
    before = digest(tree)

    change(tree)

    assert digest(tree) != before
    assert digest(tree) == digest(tree, expected_files=MANY)


def test_another_size_limit_changes_it(tree):
    before = digest(tree)

    after = take_fingerprint(tree, replace(RULES, max_file_bytes=RULES.max_file_bytes + 1)).digest

    assert after != before


def test_what_happens_in_an_ignored_file_does_not_matter(tree):
    write_tree(tree, {"log.tmp.py": "1", "build/out.py": "1"})
    before = digest(tree)

    write_tree(tree, {"log.tmp.py": "more", "build/new.py": "1"})

    assert digest(tree) == before


def test_it_is_not_settled_in_the_second_of_a_change(tree):
    now = time.time()
    os.utime(tree / "a.py", (now + 5, now + 5))

    assert not take_fingerprint(tree, RULES).settled


def test_it_is_settled_when_all_changes_lie_seconds_back(tree):
    deadline = time.monotonic() + 10
    while not take_fingerprint(tree, RULES).settled and time.monotonic() < deadline:
        time.sleep(0.1)

    assert take_fingerprint(tree, RULES, expected_files=MANY).settled


def test_a_root_that_is_gone_is_an_error(tmp_path):
    with pytest.raises(UnsuitableRootError):
        take_fingerprint(tmp_path / "gone", RULES)


def test_no_process_and_no_descriptor_is_left_behind(tree, forks):
    before = len(list(Path("/dev/fd").iterdir()))

    digest(tree, expected_files=MANY)

    assert len(list(Path("/dev/fd").iterdir())) <= before  # other tests may have ended threads
    with pytest.raises(ChildProcessError):
        os.waitpid(forks[0], os.WNOHANG)
