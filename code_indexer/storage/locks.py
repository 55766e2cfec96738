"""Lock files: held by a process, released by the kernel when it dies."""

import errno
import json
import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from code_indexer.errors import IndexBusyError, StateError
from code_indexer.storage.file_locks import take_lock

_UNSUPPORTED = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL}

_TRIES = 5
_PAUSE_SECONDS = 0.01
_PROBE_PATIENCE_SECONDS = 2.0
"""Who only asks whether the lock is held has it, shared, for some microseconds; on a busy machine
for as long as it is not its turn."""

KERNEL_LOCKS = Path("/proc/locks")

_held: set[int] = set()


def _forget_in_child() -> None:
    """Close a forked child's copies: flock lasts until the last of them is closed.

    Closing a copy does not release the parent's lock. Programs that are started afresh lose their
    copies, as Python lets none inherit them.
    """
    for descriptor in _held:
        with suppress(OSError):
            os.close(descriptor)
    _held.clear()


if sys.platform != "win32":
    os.register_at_fork(after_in_child=_forget_in_child)


@contextmanager
def exclusive_lock(path: Path, *, info: Mapping[str, Any] | None = None) -> Iterator[None]:
    """Hold the lock file at *path*; *info* is kept in it for others to read.

    The file stays behind on purpose: removing it would let two processes lock two different files
    of the same name.

    Raises:
        IndexBusyError: Another process holds it.
        StateError: The file cannot be made, or its file system has no locks.
    """
    descriptor = _acquire(path)
    _held.add(descriptor)
    try:
        # The note is a courtesy: a full disk must not keep a pass from cleaning up.
        with suppress(OSError):
            os.ftruncate(descriptor, 0)
            os.lseek(descriptor, 0, os.SEEK_SET)
            os.write(descriptor, json.dumps(dict(info or {})).encode())
        yield
    finally:
        if descriptor in _held:
            _held.discard(descriptor)
            os.close(descriptor)


def lock_is_held(path: Path) -> bool:
    """Whether some process holds the lock file at *path*, at this moment."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise _state_error(path, error) from error
    try:
        take_lock(descriptor, shared=True)
    except BlockingIOError:
        return True
    except OSError as error:
        raise _state_error(path, error) from error
    finally:
        os.close(descriptor)
    return False


def lock_info(path: Path) -> dict[str, Any]:
    """What the present or last holder left in the lock file; empty when it is unreadable."""
    try:
        found = json.loads(path.read_bytes() or b"{}")
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def lock_holder(path: Path) -> int | None:
    """The process that holds the lock file at *path*, in the kernel's own words.

    None where no process holds it, and where the kernel does not tell.
    """
    if sys.platform == "win32":
        return None
    try:
        status = path.stat()
        locks = KERNEL_LOCKS.read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    # A line: "1: FLOCK  ADVISORY  WRITE 1234 08:01:5678 0 EOF", with device numbers in hex.
    place = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}:{status.st_ino}"
    for line in locks:
        words = line.split()
        if words[1:2] == ["FLOCK"] and words[3:4] == ["WRITE"] and words[5:6] == [place]:
            pid = int(words[4])
            if pid > 0:
                return pid
    return None


def _acquire(path: Path) -> int:
    refused: BlockingIOError | None = None
    tries = 0
    patient_until = time.monotonic() + _PROBE_PATIENCE_SECONDS
    while tries < _TRIES:
        descriptor = _open(path)
        try:
            take_lock(descriptor)
            if _is_file_at(descriptor, path):
                return descriptor
            os.close(descriptor)
            refused = None
            tries += 1
        except BlockingIOError as error:
            os.close(descriptor)
            refused = error
            tries += lock_is_held(path) or time.monotonic() > patient_until
            time.sleep(_PAUSE_SECONDS)
        except OSError as error:
            os.close(descriptor)
            raise _state_error(path, error) from error
    if refused is None:
        raise IndexBusyError(f"the lock file {path} is replaced again and again")
    holder = lock_info(path).get("pid")
    who = f"process {holder}" if isinstance(holder, int) else "the other process"
    raise IndexBusyError(
        "indexing in progress", hint=f"Try again when {who} has done its work, or end it"
    ) from refused


def _open(path: Path) -> int:
    flags = os.O_RDWR | os.O_CREAT
    try:
        if not path.parent.is_dir():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return os.open(path, flags, 0o600)
    except OSError as error:
        raise _state_error(path, error) from error


def _is_file_at(descriptor: int, path: Path) -> bool:
    """The state folder may have been removed by hand between open and flock."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def _state_error(path: Path, error: OSError) -> StateError:
    if error.errno in _UNSUPPORTED:
        return StateError(
            f"the file system of {path} has no file locks",
            hint="Choose an --index-root on a local disk.",
        )
    return StateError(
        f"cannot lock {path}: {error.strerror}",
        hint="Check the permissions of the state folder, or choose another --index-root.",
    )
