"""Lock files, as one process sees them."""

import errno
import fcntl
import os
import stat

import pytest

from code_indexer.errors import IndexBusyError, StateError
from code_indexer.storage.locks import exclusive_lock, lock_info, lock_is_held


@pytest.fixture
def path(tmp_path):
    return tmp_path / "state" / "0123abcd.lock"


def test_a_lock_is_held_inside_and_free_afterwards(path):
    before = lock_is_held(path)
    with exclusive_lock(path):
        inside = lock_is_held(path)

    assert (False, True, False) == (before, inside, lock_is_held(path))


def test_a_second_holder_is_refused(path):
    with exclusive_lock(path), pytest.raises(IndexBusyError, match="indexing in progress"):
        exclusive_lock(path).__enter__()


def test_who_is_refused_hears_who_holds_the_lock_and_what_to_do(path):
    with (
        exclusive_lock(path, info={"pid": 4711}),
        pytest.raises(IndexBusyError) as refused,
        exclusive_lock(path),
    ):
        pass

    assert refused.value.hint == "Try again when process 4711 has done its work, or end it"


def test_the_refused_one_leaves_the_lock_in_place(path):
    with exclusive_lock(path):
        with pytest.raises(IndexBusyError), exclusive_lock(path):
            pass

        assert lock_is_held(path)


def test_an_error_inside_frees_the_lock(path):
    with pytest.raises(RuntimeError), exclusive_lock(path):
        raise RuntimeError

    assert not lock_is_held(path)


def test_the_file_stays_and_is_private(path):
    with exclusive_lock(path):
        pass

    assert 0o600 == stat.S_IMODE(path.stat().st_mode)
    assert 0o700 == stat.S_IMODE(path.parent.stat().st_mode)


def test_the_holder_leaves_a_note(path):
    with exclusive_lock(path, info={"pid": 7, "why": "a long reason for the first"}):
        first = lock_info(path)
    with exclusive_lock(path, info={"pid": 8}):
        second = lock_info(path)

    assert ({"pid": 7, "why": "a long reason for the first"}, {"pid": 8}) == (first, second)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"[1]", b"{"])
def test_a_note_that_cannot_be_read_is_no_error(path, content):
    path.parent.mkdir()
    path.write_bytes(content)

    assert {} == lock_info(path)


def test_no_file_is_no_lock_and_no_note(path):
    assert (False, {}) == (lock_is_held(path), lock_info(path))
    assert not path.parent.exists()


def test_a_probe_does_not_get_in_the_way(path):
    """A status command holds the lock, shared, until its turn comes again; a pass waits for that."""
    path.parent.mkdir()
    probe = os.open(path, os.O_RDWR | os.O_CREAT)
    fcntl.flock(probe, fcntl.LOCK_SH)
    attempts = []

    def flock(descriptor, operation, real=fcntl.flock):
        attempts.append(operation)
        if len(attempts) == 20:
            real(probe, fcntl.LOCK_UN)
        real(descriptor, operation)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fcntl, "flock", flock)
        with exclusive_lock(path):
            pass
    os.close(probe)

    assert len(attempts) in (20, 21)


def test_a_lock_file_that_was_removed_meanwhile_is_made_anew(path):
    """Else one process would hold the removed file, and another the new one."""
    path.parent.mkdir()
    removed = []

    def flock(descriptor, operation, real=fcntl.flock):
        if not removed:
            removed.append(path.unlink())
        real(descriptor, operation)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fcntl, "flock", flock)
        with exclusive_lock(path):
            assert lock_is_held(path)


@pytest.mark.parametrize("code", [errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP])
def test_a_file_system_without_locks_is_said(path, monkeypatch, code):
    def flock(descriptor, operation):
        raise OSError(code, os.strerror(code))

    path.parent.mkdir()
    path.touch()
    monkeypatch.setattr(fcntl, "flock", flock)

    with pytest.raises(StateError, match="no file locks"), exclusive_lock(path):
        pass
    with pytest.raises(StateError, match="no file locks"):
        lock_is_held(path)


def test_a_lock_that_cannot_be_made_is_said(tmp_path):
    (tmp_path / "file").write_text("in the way")

    with (
        pytest.raises(StateError, match="cannot lock"),
        exclusive_lock(tmp_path / "file" / "x.lock"),
    ):
        pass
    with pytest.raises(StateError, match="cannot lock"):
        lock_is_held(tmp_path / "file" / "x.lock")
