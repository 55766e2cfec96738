"""The one watcher of an index root: its lock says whether it lives, its pid file who it is."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from code_indexer.errors import CodeIndexerError, IndexBusyError
from code_indexer.identity import file_identity
from code_indexer.storage.locks import exclusive_lock, lock_holder, lock_is_held

PID_FILE = "watch.pid"
LOG_FILE = "watch.log"

_STOP_SECONDS = 20.0
_STOP_POLL_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class WatcherStatus:
    """The watcher of an index root."""

    is_running: bool
    pid: int | None = None
    since: float | None = None
    """Seconds since 1970."""
    log: Path | None = None
    """Where it writes, if it runs in the background or has done so."""


class HeldPidFile:
    """The locked pid file of this process."""

    def __init__(self, index_root: Path) -> None:
        self._index_root = index_root
        self._path = index_root / PID_FILE
        self._lock: AbstractContextManager[None] | None = None
        self._identity: tuple[int, int] | None = None

    def is_kept(self) -> bool:
        """Whether this process is the watcher still.

        A file that somebody deleted, perhaps with the whole index root, is made again: without it
        nobody could stop this process. False when another watcher was started meanwhile.
        """
        if file_identity(self._path) == self._identity:
            return True
        self._let_go()
        try:
            self.take()
        except CodeIndexerError:
            return False
        return True

    def take(self) -> None:
        """Lock the file and write the number of this process into it.

        Raises:
            IndexBusyError: There is another watcher.
        """
        lock = exclusive_lock(self._path)
        try:
            lock.__enter__()
        except IndexBusyError as error:
            raise _already_running(self._index_root) from error
        self._lock = lock
        # Written into the locked file itself: another file of this name would not be locked.
        self._path.write_text(f"{os.getpid()}\n", encoding="ascii")
        self._identity = file_identity(self._path)

    def give_up(self) -> None:
        """Delete the file, unless it is another watcher's, and release the lock."""
        # Removed while it is locked: whoever opened it meanwhile finds that it is no longer there.
        if self._lock is not None and file_identity(self._path) == self._identity:
            with suppress(OSError):
                self._path.unlink()
        self._let_go()

    def _let_go(self) -> None:
        lock, self._lock = self._lock, None
        if lock is not None:
            lock.__exit__(None, None, None)


@contextmanager
def held_pid_file(index_root: Path) -> Iterator[HeldPidFile]:
    """Be the watcher of *index_root*; the pid file goes when the block ends.

    Raises:
        IndexBusyError: There is another one.
    """
    held = HeldPidFile(index_root)
    held.take()
    try:
        yield held
    finally:
        held.give_up()


def watcher_status(index_root: Path) -> WatcherStatus:
    """Whether a watcher runs; what stale or damaged files say does not count."""
    path = index_root / PID_FILE
    log = index_root / LOG_FILE
    shown_log = log if log.exists() else None
    if not lock_is_held(path):
        return WatcherStatus(is_running=False, log=shown_log)
    since = None
    with suppress(OSError):
        since = path.stat().st_mtime
    return WatcherStatus(is_running=True, pid=_holder(path), since=since, log=shown_log)


def stop_watcher(index_root: Path) -> int | None:
    """End the watcher and wait until it is gone; its pid, or None when none runs.

    Raises:
        CodeIndexerError: It does not end, or cannot be told to.
    """
    status = watcher_status(index_root)
    if not status.is_running:
        return None
    if status.pid is None:
        raise CodeIndexerError(
            "a watcher is running, but its pid is not known", hint="Stop its process by hand"
        )
    try:
        os.kill(status.pid, signal.SIGTERM)
    except ProcessLookupError:
        return status.pid
    except PermissionError as error:
        raise CodeIndexerError(
            f"the watcher (pid {status.pid}) belongs to another user",
            hint="Stop it as that user",
        ) from error
    deadline = time.monotonic() + _STOP_SECONDS
    while lock_is_held(index_root / PID_FILE):
        if time.monotonic() > deadline:
            raise CodeIndexerError(
                f"the watcher (pid {status.pid}) has not stopped in {_STOP_SECONDS:g} s",
                hint=f"End it with: kill -9 {status.pid}. Nothing is lost by that",
            )
        time.sleep(_STOP_POLL_SECONDS)
    return status.pid


def _already_running(index_root: Path) -> IndexBusyError:
    pid = _holder(index_root / PID_FILE)
    return IndexBusyError(
        f"a watcher is running already (pid {pid if pid is not None else 'unknown'})",
        hint="Stop it with: code-indexer watch --stop",
    )


def _holder(path: Path) -> int | None:
    """The process that holds the lock, whatever the file says, where the kernel tells."""
    holder = lock_holder(path)
    return _written_pid(path) if holder is None else holder


def _written_pid(path: Path) -> int | None:
    try:
        pid = int(path.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None
    # 0 and negative numbers mean groups of processes, 1 is the system itself.
    return pid if pid > 1 else None
