"""When a finished scan is believed, and what a look at the times notices."""

import os
import time

from hypothesis import given
from hypothesis import strategies as st

from code_indexer.discovery.stamps import stamp_is_trusted
from code_indexer.indexing.diff import diff_scan
from code_indexer.indexing.staleness import anything_touched, is_within_ttl
from code_indexer.types import FileRecord, FileStamp, FoundFile

SECOND = 1_000_000_000


def test_a_scan_is_believed_for_the_ttl_and_never_when_it_lies_in_the_future():
    assert is_within_ttl(100 * SECOND, 159 * SECOND, 60)
    assert not is_within_ttl(100 * SECOND, 160 * SECOND, 60)
    assert not is_within_ttl(100 * SECOND, 99 * SECOND, 60)
    assert not is_within_ttl(None, 0, 60)


def test_an_edit_a_new_file_a_rename_and_a_deletion_show_by_their_times(project_dir, write_files):
    write_files({"a.py": "1", "lib/b.py": "2", "lib/deep/c.py": "3"})
    paths = ["a.py", "lib/b.py", "lib/deep/c.py"]
    time.sleep(1.05)  # the slack for coarse file systems
    since = time.time_ns() + SECOND

    def touched():
        return anything_touched(str(project_dir), paths, since)

    assert not touched()
    os.utime(project_dir / "lib", ns=(since, since))  # a new file or a rename in a folder
    assert touched()
    os.utime(project_dir / "lib", (1, 1))
    os.utime(project_dir / "lib/deep/c.py", ns=(since, since))  # an edit
    assert touched()
    os.utime(project_dir / "lib/deep/c.py", (1, 1))
    assert anything_touched(str(project_dir), [*paths, "gone.py"], since)


STAMPS = st.builds(FileStamp, *(st.integers(1, 3) for _ in range(4)), st.just(10 * SECOND))
NAMES = st.sets(st.sampled_from("abcdefgh"))


@given(NAMES, NAMES, st.data())
def test_a_diff_puts_every_path_of_both_sides_in_one_place(on_disk, known, data):
    found = [FoundFile(name, data.draw(STAMPS), "python", "code") for name in sorted(on_disk)]
    records = {
        name: FileRecord(1, name, "hash", data.draw(STAMPS), "python", "code", 1, True)
        for name in known
    }

    diff = diff_scan(found, records, is_trusted=stamp_is_trusted)

    parts = [[file.path for file in part] for part in (diff.added, diff.suspect, diff.unchanged)]
    assert sorted(path for part in parts for path in part) == sorted(on_disk)
    assert set(parts[0]) == on_disk - known
    assert set(diff.deleted) == known - on_disk
    assert all(
        records[name].stamp[:4] == file.stamp[:4] for file in diff.unchanged for name in file.path
    )
