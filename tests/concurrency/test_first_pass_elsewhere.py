"""Somebody else's first pass is waited for: there is nothing to answer from before it ends."""

import subprocess
import sys
from contextlib import suppress

import pytest

from code_indexer.core.services import Services
from code_indexer.settings import load_settings

HOLDER = """
import sys
from pathlib import Path
from code_indexer.storage.locks import exclusive_lock

with exclusive_lock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def holder(project_dir, write_files):
    """A process that holds the lock of a project that nothing is known of yet."""
    write_files({"shop.py": "def cart_total(items):\n    return sum(items)\n"})
    with Services(load_settings()) as services:
        lock = services.lock_path(services.register(str(project_dir)))
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(lock)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "held\n"
    yield process
    with suppress(BrokenPipeError):
        process.communicate(timeout=60)


def test_a_question_during_the_first_pass_of_another_process_has_an_answer(project_dir, holder):
    question = subprocess.Popen(
        [
            *(sys.executable, "-P", "-m", "code_indexer", "semantic-search", "cart total"),
            *("--project", str(project_dir), "--jsonl"),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with suppress(subprocess.TimeoutExpired):
        question.wait(timeout=2)  # it has come to the lock by then, or comes to it later
    holder.communicate("go on\n", timeout=60)

    answer, errors = question.communicate(timeout=60)

    assert question.returncode == 0
    assert '"path":"shop.py"' in answer, errors


def test_the_status_tells_of_the_first_pass_of_another_process_and_waits_for_nothing(
    project_dir, holder, run_cli
):
    done = run_cli("index-status", project_dir)

    assert done.code == 0
    assert "indexing in progress" in done.err
    assert holder.poll() is None
