"""What a look at the times of files, their folders and their neighbours' folders notices."""

import os

import pytest

from code_indexer.indexing.staleness import anything_touched

SECOND = 1_000_000_000


@pytest.fixture
def later(project_dir, write_files):
    """A moment at which everything in the project is old."""
    write_files({"a.py": "a = 1\n", "deep/er/b.bin": b"\0", "deep/er/c/d.txt": "text\n"})
    return project_dir.stat().st_ctime_ns + 60 * SECOND


def touch(path, moment):
    os.utime(path, ns=(moment, moment))


def test_nothing_is_touched_when_everything_is_older(project_dir, later):
    assert not anything_touched(
        str(project_dir), ["a.py", "deep/er/b.bin"], later, neighbours=["deep/er/c/d.txt"]
    )


@pytest.mark.parametrize("changed", ["a.py", "deep/er/b.bin", "deep/er", "deep", "deep/er/c", "."])
def test_a_newer_file_or_folder_is_noticed(project_dir, later, changed):
    touch(project_dir / changed, later)

    assert anything_touched(
        str(project_dir), ["a.py", "deep/er/b.bin"], later, neighbours=["deep/er/c/d.txt"]
    )


def test_a_neighbour_itself_is_not_looked_at(project_dir, later):
    touch(project_dir / "deep/er/c", later)
    touch(project_dir / "deep/er/c/d.txt", later)

    assert not anything_touched(
        str(project_dir), ["a.py"], later, neighbours=["deep/er/c/", "deep/gone"]
    )
