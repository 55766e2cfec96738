"""A command on a terminal of its own (a pty), and what it has drawn."""

import fcntl
import os
import re
import select
import struct
import subprocess
import sys
import termios
import time

ESCAPE = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|\][^\x1b]*\x1b\\)")
PATIENCE_SECONDS = 60
_END = b"<everything has been read>"


class Terminal:
    """A command on a terminal, and the screen that it has drawn last."""

    def __init__(self, *arguments, columns=120, rows=30, cwd=None, **environment):
        self._ours, self._theirs = os.openpty()
        self.resize(columns, rows)
        self.before = self.mode()
        left_out = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "VISUAL", "EDITOR")
        kept = {name: value for name, value in os.environ.items() if name not in left_out}
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "code_indexer", *map(str, arguments)],
            stdin=self._theirs,
            stdout=self._theirs,
            stderr=self._theirs,
            cwd=cwd,
            env={**kept, "TERM": "xterm-256color", **environment},
            start_new_session=True,
        )
        self._bytes = b""

    def mode(self):
        """How the terminal treats what is typed and printed."""
        return termios.tcgetattr(self._theirs)

    def resize(self, columns, rows):
        fcntl.ioctl(self._theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, keys):
        os.write(self._ours, keys.encode())

    @property
    def drawn(self):
        """Everything that was printed, escape sequences included."""
        return self._bytes.decode(errors="ignore")

    @property
    def frame(self):
        """The rows of the last screen that came whole, with their escape sequences."""
        *before, last = self.drawn.split("\x1b[H")
        is_whole = "\x1b[?25h" in last or len(before) < 2
        return (last if is_whole else before[-1]).split("\r\r\n")

    @property
    def screen(self):
        """The rows of the last screen as one reads them."""
        return [ESCAPE.sub("", line).rstrip() for line in self.frame]

    def until(self, condition):
        """Read what is drawn until *condition* of this terminal holds."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not condition(self):
            assert time.monotonic() < deadline, self.screen
            self._read(0.05)
        return self

    def settled(self):
        """Read until nothing has been drawn for a while."""
        seen = -1
        while seen != len(self._bytes):
            seen = len(self._bytes)
            self._read(0.5)
        return self

    def end(self):
        """The exit code, once the command has ended and all that it drew has been read."""
        self.until(lambda _: self.process.poll() is not None)
        # The kernel hands on what was written a little later, but in order.
        os.write(self._theirs, _END)
        self.until(lambda _: self._bytes.endswith(_END))
        self._bytes = self._bytes.removesuffix(_END)
        return self.process.returncode

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._ours)
        os.close(self._theirs)

    def _read(self, seconds):
        is_ready = select.select([self._ours], [], [], seconds)[0]
        if is_ready:
            self._bytes += os.read(self._ours, 65536)
        return is_ready
