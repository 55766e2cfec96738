"""Events of the file system; the only importer of watchdog.

On Linux watchdog's bindings of inotify are used, not its observers: an observer watches whole
trees, with the folders that git ignores, and since 7.1 it says nothing when watches run out.
"""

import contextlib
import ctypes
import errno
import os
import select
import struct
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from code_indexer.errors import CodeIndexerError
from code_indexer.extras import install_command

inotify: Any = None
observers: Any = None
try:
    if sys.platform == "linux":
        from watchdog.observers import inotify_c as inotify
    from watchdog import observers
except Exception:  # noqa: BLE001, S110 - not installed, or not made for this system
    pass

EventKind = Literal["written", "appeared", "vanished", "self-gone", "overflow", "forgotten"]


_HEADER = struct.Struct("iIII")
_READ_BYTES = 1 << 18
_LIMITS = {
    "watches": ("fs.inotify.max_user_watches", "user.max_inotify_watches"),
    "instances": ("fs.inotify.max_user_instances", "user.max_inotify_instances"),
}
_SYSCTL = Path("/proc/sys")


class NoEventsError(CodeIndexerError):
    """Changes cannot be heard of, or not all of them."""


@dataclass(frozen=True, slots=True)
class FolderEvent:
    """Something happened to an entry of a watched folder."""

    watch: int
    """Of the folder; -1 for an overflow, which is about all."""
    kind: EventKind
    name: str = ""
    is_folder: bool = False


class Inotify:
    """One inotify instance: watches on single folders, without a thread.

    Reading a file is no event here: the mask asks for changes only.
    """

    def __init__(self) -> None:
        self._constants = inotify.InotifyConstants
        self._mask = _mask(self._constants)
        self._descriptor: int = inotify.inotify_init()
        if self._descriptor < 0:
            raise _no_instance(ctypes.get_errno())
        os.set_inheritable(self._descriptor, False)
        os.set_blocking(self._descriptor, False)

    def fileno(self) -> int:
        """Readable when there are events."""
        return self._descriptor

    def add(self, path: str) -> int:
        """The watch on a folder; the same number again when it is watched already.

        Raises:
            NoEventsError: The limit of watches is reached.
            OSError: The folder is gone or closed to us.
        """
        watch: int = inotify.inotify_add_watch(self._descriptor, os.fsencode(path), self._mask)
        if watch >= 0:
            return watch
        code = ctypes.get_errno()
        if code in (errno.ENOSPC, errno.ENOMEM):
            raise _limit_reached("watches", 1_048_576)
        raise OSError(code, os.strerror(code), path)

    def remove(self, watch: int) -> None:
        """Give the watch back; it may be gone by itself."""
        inotify.inotify_rm_watch(self._descriptor, watch)

    def read(self) -> list[FolderEvent]:
        """The events that are waiting."""
        events: list[FolderEvent] = []
        while True:
            try:
                data = os.read(self._descriptor, _READ_BYTES)
            except BlockingIOError:
                return events
            events += self._events(data)
            if len(data) < _READ_BYTES // 2:
                return events

    def close(self) -> None:
        """Give every watch back."""
        os.close(self._descriptor)

    def _events(self, data: bytes) -> list[FolderEvent]:
        events = []
        place = 0
        while place < len(data):
            watch, mask, _, length = _HEADER.unpack_from(data, place)
            place += _HEADER.size
            name = data[place : place + length].rstrip(b"\0")
            place += length
            kind = self._kind(mask)
            is_folder = bool(mask & self._constants.IN_ISDIR)
            events.append(FolderEvent(watch, kind, os.fsdecode(name), is_folder))
        return events

    def _kind(self, mask: int) -> EventKind:
        known = self._constants
        if mask & known.IN_Q_OVERFLOW:
            return "overflow"
        if mask & known.IN_IGNORED:
            return "forgotten"
        if mask & (known.IN_DELETE_SELF | known.IN_MOVE_SELF | known.IN_UNMOUNT):
            return "self-gone"
        if mask & (known.IN_CREATE | known.IN_MOVED_TO):
            return "appeared"
        if mask & (known.IN_DELETE | known.IN_MOVED_FROM):
            return "vanished"
        return "written"


def _mask(known: Any) -> int:  # noqa: ANN401 - a class of numbers
    """What can change content. A new name alone cannot count as written: a file is written after.

    IN_MODIFY hears of files that stay open, IN_CLOSE_WRITE of those written through a mapping.
    """
    mask: int = known.IN_MODIFY | known.IN_CLOSE_WRITE | known.IN_CREATE | known.IN_DELETE
    mask |= known.IN_MOVED_FROM | known.IN_MOVED_TO | known.IN_DELETE_SELF | known.IN_MOVE_SELF
    return mask | int(known.IN_ONLYDIR | known.IN_DONT_FOLLOW | known.IN_EXCL_UNLINK)


def _no_instance(code: int) -> NoEventsError:
    if code in (errno.EMFILE, errno.ENFILE):
        return _limit_reached("instances", 1024)
    return NoEventsError(f"inotify cannot be used: {os.strerror(code)}")


def _limit_reached(noun: str, advised: int) -> NoEventsError:
    """The error that names the lowest of the limits on *noun*: that one holds."""
    found = {}
    for name in _LIMITS[noun]:
        with contextlib.suppress(OSError, ValueError):
            found[name] = int((_SYSCTL / name.replace(".", "/")).read_text(encoding="ascii"))
    message = f"the limit of inotify {noun} is reached"
    if not found:
        return NoEventsError(message)
    name = min(found, key=lambda name: found[name])
    return NoEventsError(
        f"{message} ({name} = {found[name]})",
        hint=f"Raise it with: sudo sysctl {name}={max(advised, 2 * found[name])}",
    )


def open_inotify() -> Inotify:
    """An inotify instance.

    Raises:
        NoEventsError: watchdog is not installed, this is not Linux, or no instance is left.
    """
    if inotify is None:
        raise NoEventsError("watchdog is not installed", hint=_install_hint())
    try:
        return Inotify()
    except AttributeError as error:
        raise NoEventsError(f"this version of watchdog cannot be used: {error}") from error


class TreeObserver:
    """Events of whole trees, on systems that give them for a tree at no cost per folder."""

    def __init__(self) -> None:
        self._readable, self._writable = os.pipe()
        os.set_blocking(self._readable, False)
        os.set_blocking(self._writable, False)
        self._observer = observers.Observer()
        self._observer.start()
        self._scheduled: dict[str, Any] = {}

    def fileno(self) -> int:
        """Readable when there are events."""
        return self._readable

    def add(self, root: str, tell: Callable[[str, bool], None]) -> None:
        """Call *tell* with every path that changes below *root*, and whether it is a folder.

        It is called in another thread.
        """
        observer_handler = _Handler(tell, self._wake)
        try:
            self._scheduled[root] = self._observer.schedule(observer_handler, root, recursive=True)
        except OSError as error:
            raise NoEventsError(f"changes cannot be watched: {error}") from error

    def remove(self, root: str) -> None:
        """Stop the events of *root*."""
        watch = self._scheduled.pop(root, None)
        if watch is not None:
            with contextlib.suppress(KeyError, OSError):
                self._observer.unschedule(watch)

    def drain(self) -> None:
        """Make ``fileno`` unreadable until the next event."""
        with contextlib.suppress(BlockingIOError):
            while os.read(self._readable, 4096):
                pass

    def close(self) -> None:
        """Stop everything."""
        self._observer.stop()
        self._observer.join(timeout=5)
        os.close(self._readable)
        os.close(self._writable)

    def _wake(self) -> None:
        with contextlib.suppress(OSError):
            os.write(self._writable, b"!")


class _Handler:
    """What watchdog's observer calls."""

    def __init__(self, tell: Callable[[str, bool], None], wake: Callable[[], None]) -> None:
        self._tell = tell
        self._wake = wake

    def dispatch(self, event: Any) -> None:  # noqa: ANN401 - watchdog's own class
        if event.event_type in ("opened", "closed_no_write"):
            return
        for path in (event.src_path, getattr(event, "dest_path", "")):
            if path:
                self._tell(os.fsdecode(path), event.is_directory)
        self._wake()


def open_observer() -> TreeObserver:
    """Events of whole trees.

    Raises:
        NoEventsError: watchdog is not installed.
    """
    if observers is None:
        raise NoEventsError("watchdog is not installed", hint=_install_hint())
    return TreeObserver()


def wait_readable(descriptors: list[int], timeout_seconds: float) -> None:
    """Sleep until one of *descriptors* is readable, or the time is over."""
    select.select(descriptors, [], [], max(timeout_seconds, 0.0))


def _install_hint() -> str:
    return f"Install watchdog with: {install_command('watch')} (or pip install watchdog)"
