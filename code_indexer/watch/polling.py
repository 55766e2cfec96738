"""The fallback without events: looking at the stamps of all files, again and again."""

from collections.abc import Callable
from dataclasses import dataclass, field

Snapshot = object
"""Differs from an earlier one when the files look different."""

_SHARE_OF_TIME = 0.1
"""Looking takes up at most so much of one processor."""


@dataclass(slots=True)
class Polling:
    """Whether the files of one project look different from the last time."""

    take: Callable[[], Snapshot]
    clock: Callable[[], float]
    period_seconds: float
    _last: Snapshot | None = field(default=None, init=False)
    _next: float = field(default=0.0, init=False)

    @property
    def next_look(self) -> float:
        """When it is time to look again."""
        return self._next

    def has_changed(self) -> bool:
        """Look now; the first look finds nothing, as it has nothing to compare with."""
        started = self.clock()
        snapshot = self.take()
        finished = self.clock()
        pause = max(self.period_seconds, (finished - started) / _SHARE_OF_TIME)
        self._next = finished + pause
        changed = self._last is not None and snapshot != self._last
        self._last = snapshot
        return changed
