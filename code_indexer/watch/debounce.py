"""When a pass is due: events and times in, "now" out; nothing here looks at a clock or a file."""

from dataclasses import dataclass

_FIRST_PAUSE_SECONDS = 5.0
_LONGEST_PAUSE_SECONDS = 60.0
_LONGEST_BURST_SECONDS = 30.0
_LONGEST_BURST_PERIODS = 10


@dataclass(slots=True)
class Debounce:
    """Waits for quiet after a burst of events, though not for ever.

    Invariant: two passes it calls for are at least *quiet_seconds* apart.
    """

    quiet_seconds: float
    _first_event: float | None = None
    _last_event: float | None = None
    _last_pass: float | None = None

    @property
    def longest_burst_seconds(self) -> float:
        """A burst that goes on longer than this gets a pass before it ends."""
        return max(_LONGEST_BURST_SECONDS, _LONGEST_BURST_PERIODS * self.quiet_seconds)

    def note(self, now: float) -> None:
        """Something changed."""
        if self._first_event is None:
            self._first_event = now
        self._last_event = now

    def due_at(self) -> float | None:
        """When the next pass is to start; None when nothing has changed."""
        if self._first_event is None or self._last_event is None:
            return None
        due = min(
            self._last_event + self.quiet_seconds, self._first_event + self.longest_burst_seconds
        )
        if self._last_pass is None:
            return due
        return max(due, self._last_pass + self.quiet_seconds)

    def is_due(self, now: float) -> bool:
        """Whether a pass is to start."""
        due = self.due_at()
        return due is not None and due <= now

    def begin_pass(self, now: float) -> None:
        """A pass starts, for whatever reason: it covers every event so far."""
        self._first_event = self._last_event = None
        self._last_pass = now


def longer_pause(seconds: float | None) -> float:
    """How long to leave alone what failed after a pause of *seconds*, or for the first time."""
    if seconds is None:
        return _FIRST_PAUSE_SECONDS
    return min(seconds * 2, _LONGEST_PAUSE_SECONDS)
