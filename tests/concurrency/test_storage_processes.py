"""Locks and databases between real processes that are killed, forked and started together."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from storage_builders import make_rows, open_manifest, vectors_of

from code_indexer.errors import IndexBusyError
from code_indexer.storage.locks import exclusive_lock, lock_is_held
from code_indexer.storage.manifest import Manifest

_PRELUDE = """
import os, sys, time
from pathlib import Path
sys.path[:0] = {paths!r}
from code_indexer.errors import IndexBusyError
from code_indexer.storage.locks import exclusive_lock
from code_indexer.storage.manifest import Manifest
from code_indexer.storage.registry import Registry
from storage_builders import EMBEDDER, make_rows, vectors_of
folder = Path({folder!r})
def wait_for(name):
    while not (folder / name).exists():
        time.sleep(0.001)
"""


@pytest.fixture
def start(tmp_path):
    """Start a program; every one is ended with the test."""
    running = []
    tests = Path(__file__).parents[1]

    def run(program: str) -> subprocess.Popen:
        prelude = _PRELUDE.format(paths=[str(tests), str(tests.parent)], folder=str(tmp_path))
        process = subprocess.Popen(
            [sys.executable, "-c", prelude + textwrap.dedent(program)],
            stdout=subprocess.PIPE,
            text=True,
        )
        running.append(process)
        return process

    yield run
    for process in running:
        process.kill()
        process.wait()
        process.stdout.close()


def begin_together(processes, folder):
    """Let all go on once each of them waits for it."""
    for process in processes:
        assert "waiting\n" == process.stdout.readline()
    (folder / "go").touch()


def test_a_killed_holder_frees_the_lock(start, tmp_path):
    path = tmp_path / "p.lock"
    holder = start(
        """
        with exclusive_lock(folder / "p.lock"):
            print("held", flush=True)
            time.sleep(60)
        """
    )
    assert "held\n" == holder.stdout.readline()
    with pytest.raises(IndexBusyError), exclusive_lock(path):
        pass

    holder.kill()
    holder.wait()

    with exclusive_lock(path):
        assert lock_is_held(path)


def test_a_forked_child_does_not_outlive_its_parents_lock(start, tmp_path):
    """A worker that hangs must not keep the project locked after its pass was killed."""
    path = tmp_path / "p.lock"
    parent = start(
        """
        with exclusive_lock(folder / "p.lock"):
            child = os.fork()
            if child == 0:
                os.close(1)
                time.sleep(60)
                os._exit(0)
            print(child, flush=True)
            time.sleep(60)
        """
    )
    child = int(parent.stdout.readline())
    try:
        held_while_both_live = lock_is_held(path)
        parent.kill()
        parent.wait()
        # The child lets go of its copy as soon as it runs for the first time.
        deadline = time.monotonic() + 20
        while lock_is_held(path) and time.monotonic() < deadline:
            time.sleep(0.01)

        assert (True, False) == (held_while_both_live, lock_is_held(path))
        os.kill(child, 0)
    finally:
        os.kill(child, signal.SIGKILL)


def test_a_child_that_leaves_the_block_does_not_free_the_parents_lock(start, tmp_path):
    parent = start(
        """
        with exclusive_lock(folder / "p.lock"):
            child = os.fork()
            if child == 0:
                sys.exit()
            os.waitpid(child, 0)
            print("child is gone", flush=True)
            time.sleep(60)
        """
    )
    assert "child is gone\n" == parent.stdout.readline()

    assert lock_is_held(tmp_path / "p.lock")


def test_of_many_processes_one_gets_the_lock(start, tmp_path):
    processes = [
        start(
            """
            print("waiting", flush=True)
            wait_for("go")
            try:
                with exclusive_lock(folder / "p.lock"):
                    print("held", flush=True)
                    wait_for("all have answered")
            except IndexBusyError:
                print("busy", flush=True)
            """
        )
        for _ in range(5)
    ]
    begin_together(processes, tmp_path)
    answers = sorted(process.stdout.readline() for process in processes)
    (tmp_path / "all have answered").touch()

    assert ["busy\n"] * 4 + ["held\n"] == answers


def test_databases_that_are_made_by_many_at_once_are_made_once(start, tmp_path):
    processes = [
        start(
            f"""
            print("waiting", flush=True)
            wait_for("go")
            with Registry.open(folder) as registry, Manifest.open(folder / "manifest.db") as manifest:
                registry.add("/work/app{number % 2}", now=1.0)
                manifest.set_embedder(EMBEDDER)
                manifest.write_files([make_rows("f{number}.py", ["text {number}"])])
                print("done")
            """
        )
        for number in range(6)
    ]
    begin_together(processes, tmp_path)
    answers = [process.communicate(timeout=60)[0].strip() for process in processes]

    assert ["done"] * 6 == answers
    with Manifest.open(tmp_path / "manifest.db") as manifest:
        assert [f"f{number}.py" for number in range(6)] == sorted(manifest.files())
        assert [] == manifest.integrity_check()


def test_readers_see_whole_batches_while_a_writer_writes(start, tmp_path):
    open_manifest(tmp_path).close()
    writer = start(
        """
        with Manifest.open(folder / "manifest.db") as manifest:
            for batch in range(25):
                texts = [f"batch{batch} text{n}" for n in range(20)]
                with manifest.transaction():
                    for n, text in enumerate(texts):
                        manifest.write_files([make_rows(f"f{n}.py", [text])], [vectors_of([text])])
        """
    )
    seen = set()
    has_ended = False
    with Manifest.open(tmp_path / "manifest.db", read_only=True) as reader:
        while not has_ended:
            has_ended = writer.poll() is not None  # what it has written last is read too
            with reader.snapshot():
                files = reader.files()
                ids = [file.file_id << 20 for file in files.values()]
                batches = {row.text.split()[0] for row in reader.chunks_by_id(ids).values()}
                counts = {name: reader.document_frequencies([name])[name] for name in batches}
            seen |= batches
            assert len(files) in {0, 20}
            assert len(batches) <= 1
            assert set(counts.values()) <= {20}

    assert writer.returncode == 0
    assert "batch24" in seen


@pytest.mark.parametrize("delay", [0.0, 0.02, 0.05, 0.1, 0.2, 0.3])
def test_a_killed_writer_leaves_a_committed_state(start, tmp_path, delay):
    writer = start(
        """
        with Manifest.open(folder / "manifest.db") as manifest:
            manifest.set_embedder(EMBEDDER)
            for batch in range(10_000):
                texts = [f"batch{batch} text{n} " * 20 for n in range(30)]
                with manifest.transaction():
                    manifest.write_files(
                        [make_rows(f"f{n}.py", [text]) for n, text in enumerate(texts)],
                        [vectors_of([text]) for text in texts],
                    )
                print(batch, flush=True)
        """
    )
    writer.stdout.readline()
    time.sleep(delay)
    writer.kill()
    printed = writer.stdout.read().split()

    with Manifest.open(tmp_path / "manifest.db") as manifest:
        manifest.check_quickly()
        ids = [file.file_id << 20 for file in manifest.files().values()]
        (batch,) = {row.text.split()[0] for row in manifest.chunks_by_id(ids).values()}
        last = int(printed[-1]) if printed else 0
        assert int(batch.removeprefix("batch")) >= last
        assert 30 == manifest.document_frequencies([batch])[batch]
        assert [] == manifest.integrity_check()
        manifest.write_files([make_rows("f0.py", ["after"])], [vectors_of(["after"])])
        assert [] == manifest.integrity_check()
