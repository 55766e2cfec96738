"""An edit is found by the very next query, and nothing is embedded without need."""

import os
import subprocess
import time
from dataclasses import replace

import pytest

from code_indexer.core.asking import Scope
from code_indexer.core.projects import add_project, index_status, reindex_project
from code_indexer.core.queries import semantic_search
from code_indexer.core.search_request import SearchRequest
from code_indexer.core.services import Services
from code_indexer.discovery import reasons
from code_indexer.indexing import index_pass
from code_indexer.settings import load_settings
from code_indexer.types import SkippedFile


@pytest.fixture
def services():
    with Services(load_settings()) as services:
        yield services


def search(services, project_dir, query, **options):
    scope = Scope(
        projects=(str(project_dir),), skip_stale_check=options.pop("skip_stale_check", False)
    )
    return semantic_search(services, SearchRequest(query=query, scope=scope, **options))


def paths(answer):
    return [hit.path for hit in answer.results]


def last_pass(services, project_dir):
    (status,), _ = index_status(services, str(project_dir), skip_stale_check=True)
    return status.last_pass


def test_an_edit_is_seen_by_the_next_query(services, project_dir, write_files):
    write_files({"a.py": "def alpha():\n    return 1\n"})
    add_project(services, str(project_dir))

    write_files({"a.py": "def bravo():\n    return 2\n"})

    answer = search(services, project_dir, "bravo")
    assert answer.results[0].symbol == "bravo"


def test_an_edit_of_equal_size_and_time_is_seen(services, project_dir, write_files):
    write_files({"s.py": "def alpha_one():\n    return 1\n"})
    file = project_dir / "s.py"
    state = file.stat()
    add_project(services, str(project_dir))

    file.write_text("def bravo_two():\n    return 2\n")
    os.utime(file, ns=(state.st_atime_ns, state.st_mtime_ns))

    assert search(services, project_dir, "bravo_two").results[0].symbol == "bravo_two"


def test_touched_files_are_not_embedded_again(services, project_dir, write_files):
    write_files({f"f{i}.py": f"def f{i}(): return {i}\n" for i in range(40)})
    add_project(services, str(project_dir))

    for file in project_dir.iterdir():
        os.utime(file, (1, 1))
    search(services, project_dir, "f1")

    counters = last_pass(services, project_dir)
    assert (counters["unchanged"], counters["changed"], counters["embedded"]) == (40, 0, 0)


def test_a_renamed_file_is_found_at_its_new_place_and_not_embedded_again(
    services, project_dir, write_files
):
    write_files(
        {"before.py": "def moved():\n    return 1\n", "old/k.py": "def deep():\n    pass\n"}
    )
    add_project(services, str(project_dir))

    (project_dir / "before.py").rename(project_dir / "after.py")
    (project_dir / "old").rename(project_dir / "new")

    assert paths(search(services, project_dir, "moved"))[0] == "after.py"
    counters = last_pass(services, project_dir)
    assert (counters["embedded"], counters["reused"]) == (0, 2)
    assert paths(search(services, project_dir, "deep"))[0] == "new/k.py"


def test_two_files_that_swap_names_swap_their_hits(services, project_dir, write_files):
    write_files({"a.py": "def apple():\n    pass\n", "b.py": "def banana():\n    pass\n"})
    add_project(services, str(project_dir))

    (project_dir / "a.py").rename(project_dir / "c.py")
    (project_dir / "b.py").rename(project_dir / "a.py")
    (project_dir / "c.py").rename(project_dir / "b.py")

    assert paths(search(services, project_dir, "apple"))[0] == "b.py"
    assert last_pass(services, project_dir)["embedded"] == 0


def test_a_branch_switch_and_back_embeds_nothing(services, project_dir, write_files):
    def git(*words):
        identity = ["-c", "user.name=t", "-c", "user.email=t@example.invalid"]
        subprocess.run(["git", *identity, *words], cwd=project_dir, check=True, capture_output=True)

    write_files({"a.py": "def first_branch():\n    return 1\n"})
    git("init", "-q", "-b", "main")
    git("add", "-A")
    git("commit", "-qm", "one")
    add_project(services, str(project_dir))
    git("switch", "-qc", "other")
    write_files({"a.py": "def second_branch():\n    return 2\n"})
    git("commit", "-qam", "two")
    search(services, project_dir, "second_branch")

    git("switch", "-q", "main")

    assert search(services, project_dir, "first_branch").results[0].symbol == "first_branch"
    assert last_pass(services, project_dir)["embedded"] == 0


def test_a_deleted_file_is_gone_from_the_answers(services, project_dir, write_files):
    write_files({"a.py": "def apple(): pass\n", "b.py": "def banana(): pass\n"})
    add_project(services, str(project_dir))

    (project_dir / "a.py").unlink()

    assert "a.py" not in paths(search(services, project_dir, "apple"))


def test_a_file_that_shrinks_loses_its_later_chunks(services, project_dir, write_files):
    def source(count):
        body = "pad " * 150
        return "".join(
            f"def part_{i}():\n    return 'needle-{i:02d} {body}'\n\n" for i in range(count)
        )

    write_files({"shrink.py": source(12)})
    add_project(services, str(project_dir))

    write_files({"shrink.py": source(1)})

    answer = search(services, project_dir, "needle-11", chunks=True)
    assert all("needle-11" not in hit.snippet for hit in answer.results)


def test_without_a_stale_check_hits_are_still_true(services, project_dir, write_files):
    write_files({"a.py": "def apple():\n    return 1\n"})
    add_project(services, str(project_dir))
    write_files({"a.py": "# a line above\n\ndef apple():\n    return 1\n"})

    answer = search(services, project_dir, "apple", skip_stale_check=True)

    (hit,) = answer.results
    lines = (project_dir / "a.py").read_text().splitlines()
    assert hit.freshness == "corrected"
    assert hit.snippet.splitlines() == lines[hit.start_line - 1 : hit.end_line]


def test_an_empty_root_is_not_all_files_deleted(services, project_dir, write_files):
    write_files({"a.py": "def apple(): pass\n"})
    add_project(services, str(project_dir))
    (project_dir / "a.py").unlink()

    (status,), warnings = index_status(services, str(project_dir))

    assert (status.state, status.files) == ("missing", 1)
    assert "gone or empty" in warnings[0]


def test_add_project_again_indexes_nothing(services, project_dir, write_files):
    write_files({"a.py": "def apple(): pass\n"})
    first = add_project(services, str(project_dir))
    write_files({"b.py": "def banana(): pass\n"})

    again = add_project(services, str(project_dir))

    assert first.created
    assert (again.created, again.report, again.status.files) == (False, None, 1)


def test_reindex_builds_the_same_index_anew(services, project_dir, write_files):
    write_files({"a.py": "def apple(): pass\n", "b.md": "# Fruit\n\nAbout apples.\n"})
    before = add_project(services, str(project_dir)).status

    after = reindex_project(services, str(project_dir)).status

    assert (after.files, after.chunks, after.symbols) == (
        before.files,
        before.chunks,
        before.symbols,
    )
    assert search(services, project_dir, "apple").results[0].path == "a.py"


def test_a_large_tree_that_is_as_it_was_is_not_walked_and_an_edit_is_still_seen(
    services, project_dir, write_files, monkeypatch
):
    monkeypatch.setattr(index_pass, "_FINGERPRINT_FILES", 0)
    write_files({"a.py": "def apple(): pass\n", "lib/b.py": "def banana(): pass\n"})
    time.sleep(1.1)  # a stamp is believed once its second is over
    add_project(services, str(project_dir))

    with monkeypatch.context() as patch:
        patch.setattr(index_pass, "walk_files", None)
        assert paths(search(services, project_dir, "banana"))[0] == "lib/b.py"
    write_files({"lib/b.py": "def cherry(): pass\n"})

    assert search(services, project_dir, "cherry").results[0].symbol == "cherry"


def test_files_of_a_folder_that_cannot_be_listed_are_kept(
    services, project_dir, write_files, monkeypatch
):
    write_files({"a.py": "def apple(): pass\n", "lib/b.py": "def banana(): pass\n"})
    add_project(services, str(project_dir))
    walk = index_pass.walk_files

    def walk_without_lib(*arguments):
        scan = walk(*arguments)
        files = [file for file in scan.files if not file.path.startswith("lib/")]
        return replace(scan, files=files, skipped=[SkippedFile("lib/", reasons.UNREADABLE)])

    with monkeypatch.context() as patch:
        patch.setattr(index_pass, "walk_files", walk_without_lib)
        search(services, project_dir, "banana")

    assert paths(search(services, project_dir, "banana", skip_stale_check=True))[0] == "lib/b.py"
