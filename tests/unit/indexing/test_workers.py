"""Worker processes: a file that takes its parser down is a failed file, and the others go on."""

from contextlib import suppress
from pathlib import Path

import pytest

from code_indexer.discovery.walk import DiscoveryRules, walk_files
from code_indexer.indexing import workers
from code_indexer.indexing.jobs import FileJob, PrepareOptions
from code_indexer.indexing.workers import prepare_in_workers

SABOTAGE = """
import os, time
import code_indexer.indexing.prepare as prepare
parse_file = prepare.parse_file
def sabotaged(path, *arguments, **options):
    if path == "boom.py":
        os.abort()
    if path == "stuck.py":
        time.sleep(600)
    if path == "noisy.py":
        print("a library prints to stdout")
    if path == "raises.py":
        raise RecursionError("too deep")
    return parse_file(path, *arguments, **options)
prepare.parse_file = sabotaged
"""


@pytest.fixture
def prepared(project_dir, write_files, tmp_path, monkeypatch):
    """Index so many workers' results of files, with a parser that misbehaves on some names."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(SABOTAGE)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))

    def run(*names, count=2):
        write_files({name: f"def of_{name[:-3]}():\n    return 1\n" for name in names})
        scan = walk_files(project_dir, DiscoveryRules())
        options = PrepareOptions(str(project_dir), 1 << 20, time_limit_seconds=0.1)
        jobs = [FileJob(file) for file in scan.files]
        results = list(prepare_in_workers(jobs, options, count=count))
        return {result.path: result for result in results}

    return run


def test_every_file_comes_back_once(prepared):
    names = [f"f{number}.py" for number in range(100)]

    results = prepared(*names)

    assert results.keys() == set(names)
    assert all(len(result.hashes) == 1 for result in results.values())


@pytest.mark.parametrize("name", ["boom.py", "stuck.py"])
def test_a_file_that_crashes_or_stalls_the_parser_fails_alone(prepared, name, monkeypatch):
    monkeypatch.setattr(workers, "_GRACE_SECONDS", 8.0)  # long enough for a worker to start in

    results = prepared(name, "a.py", "b.py", "z.py")

    assert results.keys() == {name, "a.py", "b.py", "z.py"}
    assert "crashed or took too long" in results[name].error
    assert results[name].content_hash
    assert len(results[name].hashes) == 1  # its words can be found all the same
    assert [results[other].error for other in ("a.py", "b.py", "z.py")] == [None] * 3


def test_what_a_library_prints_does_not_disturb_the_answers(prepared):
    results = prepared("noisy.py", "a.py")

    assert [result.error for result in results.values()] == [None, None]


def test_an_exception_of_the_parser_is_the_error_of_its_file(prepared):
    results = prepared("raises.py", "a.py")

    assert results["raises.py"].error == "RecursionError: too deep"
    assert results["a.py"].error is None


def test_a_caller_that_stops_early_leaves_no_worker_behind(prepared, project_dir, write_files):
    prepared("a.py")
    write_files({f"m{number}.py": "x = 1\n" for number in range(200)})
    scan = walk_files(project_dir, DiscoveryRules())
    jobs = [FileJob(file) for file in scan.files]
    options = PrepareOptions(str(project_dir), 1 << 20)
    before = _children()

    results = prepare_in_workers(jobs, options, count=2)
    next(results)
    results.close()

    assert _children() <= before


def _children():
    """Those of this process, among them what earlier tests have left to run in the background."""
    children = set()
    for listing in Path("/proc/self/task").glob("*/children"):
        with suppress(FileNotFoundError, ProcessLookupError):  # a thread that has ended meanwhile
            children |= set(listing.read_text().split())
    return children
