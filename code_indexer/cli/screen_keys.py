"""The terminal as a screen with keys: raw input, the other screen buffer, and back to how it was.

Not for Windows, whose consoles have no ``termios``: import it only once that is known.
"""

import os
import select
import signal
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import FrameType

_ENTER = "\x1b[?1049h\x1b[?2004h"  # the other buffer; pasted text comes in brackets
_LEAVE = "\x1b[?2004l\x1b[?25h\x1b[0m\x1b[?1049l"
_ESCAPE_SECONDS = 0.05
"""A lone Escape and the start of an arrow key look the same until so much time is over."""
_PASTE_START, _PASTE_END = b"\x1b[200~", b"\x1b[201~"
_SEQUENCES = {
    b"\x1b[A": "up",
    b"\x1b[B": "down",
    b"\x1b[C": "right",
    b"\x1b[D": "left",
    b"\x1b[H": "home",
    b"\x1b[F": "end",
    b"\x1b[1~": "home",
    b"\x1b[4~": "end",
    b"\x1b[3~": "delete",
    b"\x1b[5~": "page-up",
    b"\x1b[6~": "page-down",
    b"\x1b[Z": "up",
    b"\x1bOA": "up",
    b"\x1bOB": "down",
    b"\x1bOC": "right",
    b"\x1bOD": "left",
    b"\x1bOH": "home",
    b"\x1bOF": "end",
}
_CONTROLS = {
    0x01: "home",
    0x03: "leave",
    0x04: "leave",
    0x05: "end",
    0x08: "backspace",
    0x09: "down",
    0x0A: "enter",
    0x0D: "enter",
    0x0E: "down",
    0x10: "up",
    0x15: "clear",
    0x17: "erase-word",
    0x1A: "suspend",
    0x7F: "backspace",
}


@dataclass(frozen=True, slots=True)
class Key:
    """What was pressed: a name, or ``text`` with what was typed or pasted."""

    name: str
    text: str = ""


def decoded(data: bytes, *, is_all: bool) -> tuple[list[Key], bytes]:
    """The keys of what a terminal sent, and the bytes of one that has not come whole.

    With *is_all* nothing follows for now, so that a lone Escape is that key.
    """
    keys: list[Key] = []
    while data:
        key, length = _first(data, is_all=is_all)
        if length == 0:
            break
        if key is not None:
            keys.append(key)
        data = data[length:]
    return keys, data


def _first(data: bytes, *, is_all: bool) -> tuple[Key | None, int]:
    """The first key and its length; 0 where it has not come whole, no key where it is unknown."""
    if data.startswith(_PASTE_START):
        end = data.find(_PASTE_END)
        if end < 0:
            return None, 0
        pasted = data[len(_PASTE_START) : end].decode("utf-8", "replace")
        return Key("text", " ".join(pasted.split())), end + len(_PASTE_END)
    if data[0] == 0x1B:
        return _escaped(data, is_all=is_all)
    if data[0] < 0x20 or data[0] == 0x7F:
        name = _CONTROLS.get(data[0])
        return None if name is None else Key(name), 1
    length = _character_length(data[0])
    if len(data) < length:
        return None, len(data) if is_all else 0
    text = data[:length].decode("utf-8", "ignore")
    return Key("text", text) if text.isprintable() and text else None, length


def _escaped(data: bytes, *, is_all: bool) -> tuple[Key | None, int]:
    if len(data) == 1:
        return (Key("leave"), 1) if is_all else (None, 0)
    if data[1:2] not in (b"[", b"O"):
        return (Key("leave"), 1) if data[1:2] == b"\x1b" else (None, 2)  # Alt and a key
    for end in range(2, len(data)):
        if 0x40 <= data[end] <= 0x7E:
            name = _SEQUENCES.get(data[: end + 1])
            return None if name is None else Key(name), end + 1
    return None, len(data) if is_all else 0


def _character_length(first: int) -> int:
    return 1 if first < 0xC0 else 2 if first < 0xE0 else 3 if first < 0xF0 else 4


class Screen:
    """The terminal on stdin and stdout, taken over for as long as a block runs."""

    def __init__(self) -> None:
        self._input = sys.stdin.fileno()
        self._before = termios.tcgetattr(self._input)
        # Never closed: a late thread must not wake what has the same number by then.
        self._wake_read, self._wake_write = os.pipe()
        for descriptor in (self._wake_read, self._wake_write):
            os.set_blocking(descriptor, False)
        self._rest = b""

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        with suppress(OSError):
            found = os.get_terminal_size(sys.stdout.fileno())
            if found.columns and found.lines:
                return found.columns, found.lines
        return 80, 24

    def wake(self) -> None:
        """Let :meth:`pressed` return; another thread or a signal may call it."""
        with suppress(OSError):
            os.write(self._wake_write, b"!")

    def pressed(self) -> list[Key]:
        """Wait until keys come, or somebody wakes the screen; a terminal that is gone leaves."""
        wait = _ESCAPE_SECONDS if self._rest else None
        ready, _, _ = select.select([self._input, self._wake_read], [], [], wait)
        if self._wake_read in ready:
            with suppress(OSError):
                os.read(self._wake_read, 4096)
        if self._input not in ready:
            if ready:
                return []
            keys, self._rest = decoded(self._rest, is_all=True)
            return keys
        try:
            data = os.read(self._input, 65536)
        except OSError:
            data = b""
        if not data:
            return [Key("leave")]
        keys, self._rest = decoded(self._rest + data, is_all=False)
        return keys

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Raw keys and a screen of our own inside the block; afterwards all is as it was."""
        handlers = {
            number: signal.signal(number, handler)
            for number, handler in (
                (signal.SIGWINCH, lambda *_: None),
                (signal.SIGTERM, _leave_at_once),
                (signal.SIGHUP, _leave_at_once),
            )
        }
        # A signal wakes pressed() by itself: one that comes just as the wait begins has no handler
        # run for it until the wait ends.
        woken_before = signal.set_wakeup_fd(self._wake_write, warn_on_full_buffer=False)
        self._enter()
        try:
            yield
        finally:
            self._leave()
            signal.set_wakeup_fd(woken_before)
            for number, handler in handlers.items():
                signal.signal(number, handler)

    @contextmanager
    def given_back(self) -> Iterator[None]:
        """The terminal for another program, and ours again after it."""
        self._leave()
        try:
            yield
        finally:
            self._enter()

    def suspend(self) -> None:
        """What Ctrl-Z does elsewhere: stop until the shell says go on."""
        with self.given_back():
            os.kill(os.getpid(), signal.SIGTSTP)

    def _enter(self) -> None:
        mode = termios.tcgetattr(self._input)
        mode[0] &= ~(termios.IXON | termios.ICRNL | termios.INLCR | termios.BRKINT | termios.ISTRIP)
        mode[3] &= ~(termios.ICANON | termios.ECHO | termios.ISIG | termios.IEXTEN)
        mode[6][termios.VMIN], mode[6][termios.VTIME] = 1, 0
        termios.tcsetattr(self._input, termios.TCSADRAIN, mode)
        sys.stdout.write(_ENTER)
        sys.stdout.flush()

    def _leave(self) -> None:
        with suppress(OSError):  # the terminal may be gone
            sys.stdout.write(_LEAVE)
            sys.stdout.flush()
        with suppress(termios.error):
            termios.tcsetattr(self._input, termios.TCSADRAIN, self._before)


def _leave_at_once(number: int, frame: FrameType | None) -> None:
    del frame
    raise SystemExit(128 + number)
