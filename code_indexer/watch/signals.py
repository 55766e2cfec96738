"""Stopping: by a signal, or when the time is over."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType


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

    numbers = [signal.SIGINT, signal.SIGTERM, signal.SIGALRM]
    if hangup_stops:
        numbers.append(signal.SIGHUP)
    else:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    before = {number: signal.signal(number, request) for number in numbers}
    if duration_seconds is not None:
        signal.setitimer(signal.ITIMER_REAL, max(duration_seconds, 0.001))
    try:
        yield stop
    except StopWatching:
        pass
    finally:
        for number in numbers:
            signal.signal(number, signal.SIG_IGN)
        signal.setitimer(signal.ITIMER_REAL, 0)
    for number, handler in before.items():
        signal.signal(number, handler)
