"""Stopping: by a signal, or when the time is over."""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

_Handler = Callable[[int, FrameType | None], None] | signal.Handlers


class StopWatching(KeyboardInterrupt):
    """Raised in the midst of what the watcher does; an index pass takes it as an interrupt."""


@dataclass(slots=True)
class Stop:
    """Whether the watcher was told to stop."""

    is_requested: bool = False


@contextmanager
def stop_on_signals(duration_seconds: float | None, *, hangup_stops: bool = True) -> Iterator[Stop]:
    """Turn SIGINT, SIGTERM and the end of the time into the end of the block.

    Signals that come while the block is left are ignored, so that nothing is left behind.
    """
    stop = Stop()

    def request(_number: int, _frame: FrameType | None) -> None:
        # An exception is lost if it is raised inside a destructor: hence the flag as well.
        stop.is_requested = True
        raise StopWatching

    stopping = [signal.SIGINT, signal.SIGTERM, *_known("SIGALRM")]
    handlers: dict[signal.Signals, _Handler] = dict.fromkeys(stopping, request)
    for number in _known("SIGHUP"):
        handlers[number] = request if hangup_stops else signal.SIG_IGN
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    _interrupt_after(duration_seconds)
    try:
        yield stop
    except StopWatching:
        pass
    finally:
        for number in handlers:
            signal.signal(number, signal.SIG_IGN)
        _interrupt_after(0)
        for number, handler in before.items():
            signal.signal(number, handler)


def _known(name: str) -> list[signal.Signals]:
    """The signal of this name, where the system has it."""
    found = getattr(signal, name, None)
    return [] if found is None else [found]


if sys.platform == "win32":

    def _interrupt_after(seconds: float | None) -> None:
        if seconds:
            timer = threading.Timer(seconds, signal.raise_signal, [signal.SIGINT])
            timer.daemon = True
            timer.start()

else:

    def _interrupt_after(seconds: float | None) -> None:
        """Have SIGALRM sent after so many seconds; 0 takes that back."""
        if seconds is not None:
            signal.setitimer(signal.ITIMER_REAL, seconds if seconds == 0 else max(seconds, 0.001))
