import os

import pytest

from code_indexer.errors import CodeIndexerError, IndexBusyError
from code_indexer.watch.pid_file import (
    PID_FILE,
    held_pid_file,
    stop_watcher,
    watcher_status,
)


@pytest.mark.parametrize("content", ["0", "", "junk", "1", "-1", "99999999999999", "\0\n"])
def test_wat_07_what_a_stale_file_says_does_not_count(content, tmp_path):
    (tmp_path / PID_FILE).write_text(content)
    assert not watcher_status(tmp_path).is_running
    assert stop_watcher(tmp_path) is None

    with held_pid_file(tmp_path):
        assert (tmp_path / PID_FILE).read_text() == f"{os.getpid()}\n"

    assert not (tmp_path / PID_FILE).exists()


def test_a_second_one_is_refused_while_the_first_runs(tmp_path):
    with held_pid_file(tmp_path):
        with pytest.raises(IndexBusyError, match=f"pid {os.getpid()}"), held_pid_file(tmp_path):
            pass
        assert watcher_status(tmp_path).pid == os.getpid()

    with held_pid_file(tmp_path):
        pass


def test_the_file_goes_even_when_something_fails(tmp_path):
    with pytest.raises(KeyboardInterrupt), held_pid_file(tmp_path):
        raise KeyboardInterrupt

    assert not (tmp_path / PID_FILE).exists()
    assert not watcher_status(tmp_path).is_running


def test_without_the_kernels_word_a_number_that_is_no_process_is_not_believed(
    tmp_path, monkeypatch
):
    monkeypatch.setattr("code_indexer.storage.locks.KERNEL_LOCKS", tmp_path / "none")

    with held_pid_file(tmp_path):
        (tmp_path / PID_FILE).write_text("1\n")

        assert watcher_status(tmp_path).pid is None
        with pytest.raises(CodeIndexerError, match="pid is not known"):
            stop_watcher(tmp_path)


def test_a_file_that_was_deleted_is_made_again(tmp_path):
    with held_pid_file(tmp_path) as held:
        (tmp_path / PID_FILE).unlink()

        assert held.is_kept()
        assert watcher_status(tmp_path).pid == os.getpid()
        assert (tmp_path / PID_FILE).read_text() == f"{os.getpid()}\n"

    assert not (tmp_path / PID_FILE).exists()


def test_whoever_was_started_meanwhile_is_the_watcher_from_then_on(tmp_path):
    with held_pid_file(tmp_path) as first:
        (tmp_path / PID_FILE).unlink()
        with held_pid_file(tmp_path) as second:
            assert not first.is_kept()
            first.give_up()

            assert second.is_kept()
            assert watcher_status(tmp_path).is_running
