"""The descriptors that a protocol runs on, taken away from everything else in the process."""

import os
import sys
from typing import NamedTuple


class Wire(NamedTuple):
    """Private copies of what were stdin and stdout."""

    incoming: int
    outgoing: int


def take_wire() -> Wire:
    """Stdin and stdout for the protocol alone.

    From now on whatever prints, in this process or in its children, prints to stderr, and whatever
    reads stdin finds its end.
    """
    incoming = _copy(0, os.O_RDONLY)
    outgoing = _copy(1, os.O_WRONLY)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # stderr is closed
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
    if nothing > 2:
        os.close(nothing)
    return Wire(incoming, outgoing)


def _copy(descriptor: int, flags: int) -> int:
    try:
        return _copied(descriptor)
    except OSError:  # closed by whoever started us
        opened = os.open(os.devnull, flags)
        copy = _copied(opened)
        os.close(opened)
        return copy


if sys.platform == "win32":

    def _copied(descriptor: int) -> int:
        return os.dup(descriptor)

else:
    import fcntl

    def _copied(descriptor: int) -> int:
        """A copy that no child inherits, with a number beyond the standard ones."""
        return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 3)
