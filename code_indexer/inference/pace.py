"""How fast a server is, as seen so far, and how much to ask of it at once."""

import threading
import time
from collections.abc import Sequence

_FIRST_BATCH = 4
_REQUEST_SECONDS = 10.0
"""A query waits behind the request that is being worked at, so none should take longer."""
_LEAST_TIMEOUT = 60.0
_SLOWEST = 60.0
"""Characters a second that are expected before anything was seen: a large model on a CPU."""
_WAITING_BEHIND = 2
_PATIENCE = 4


class Pace:
    """The speed of one server; usable from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._speed = 0.0
        self._texts = 0
        self._seconds = 0.0
        self._last_end = 0.0

    @property
    def texts_per_second(self) -> float:
        """The mean so far; 0 before the first batch."""
        return self._texts / self._seconds if self._seconds else 0.0

    def note(self, texts: Sequence[str], started: float) -> None:
        """Count a finished batch; time that two batches share is counted once."""
        now = time.monotonic()
        with self._lock:
            spent = max(now - max(started, self._last_end), 1e-4)
            self._last_end = now
            self._texts += len(texts)
            self._seconds += spent
            seen = _cost(texts) / spent
            self._speed = 0.6 * self._speed + 0.4 * seen if self._speed else seen

    def slow_down(self) -> None:
        """Believe half the speed from now on."""
        with self._lock:
            self._speed /= 2

    def batch_size(self, texts: Sequence[str], position: int, most: int) -> int:
        """How many texts from *position* on make a request that is neither long nor wasteful."""
        most = min(most, len(texts) - position)
        if not self._speed:
            return min(_FIRST_BATCH, most)
        budget = self._speed * _REQUEST_SECONDS
        size = 1
        budget -= _cost(texts[position : position + 1])
        while size < most and budget > 0:
            budget -= _cost(texts[position + size : position + size + 1])
            size += 1
        return size

    def timeout(self, texts: Sequence[str], longest: float) -> float:
        """Seconds to wait: several times what *texts* should take behind another batch."""
        expected = _WAITING_BEHIND * _cost(texts) / (self._speed or _SLOWEST)
        return min(_LEAST_TIMEOUT + _PATIENCE * expected, longest)


def _cost(texts: Sequence[str]) -> int:
    return sum(len(text) + 30 for text in texts)
