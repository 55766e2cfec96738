"""Where to cut lines into chunks: the cheapest partition, found by dynamic programming.

The idea is that of breaking a paragraph into lines (Knuth and Plass, 1981): every place where a
chunk may begin has a cost, every chunk has a cost by its size, and the sum is made minimal. It
takes time in proportion to the number of places.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from code_indexer.parsing.lines import CAP, FULL

FREE = 0.0
"""Cost of a cut between two definitions that stand apart."""
FORCED = -100.0
"""Cost of a cut that is always made."""

_WANTED_SIZE = 600
"""Characters from which a chunk is large enough."""
_OVERSIZE = 0.5
"""Cost of a chunk at the cap."""
_JOIN = 0.15
"""Cost of a chunk that runs over a place where a cut would be free."""

_INSIDE = 0.7
"""Cost of a cut at a line of which nothing is known."""
_AT_BLANK = 0.4
"""The same behind a line without a word."""
_BESIDE_BRACKET = 0.9
"""The same behind a line that opens something, or before one that closes it."""
_GRAIN = 40
"""Characters of the smallest part that is worth a place of its own: it bounds the work."""
_OPENERS = ("{", "(", "[", ":", "/*", "/**")
_CLOSERS = (")", "}", "]", "end", "</", "*/")


def _size_costs() -> list[float]:
    small = [(1 - size / _WANTED_SIZE) ** 2 for size in range(_WANTED_SIZE)]
    good = [0.0] * (FULL - _WANTED_SIZE)
    span = CAP - FULL
    large = [_OVERSIZE * size / span for size in range(span + 1)]
    return [*small, *good, *large]


_SIZE_COSTS = _size_costs()
"""By size in characters, up to the cap."""


def cut_lines(lines: Sequence[str], cuts: Mapping[int, float]) -> list[range]:
    """Consecutive spans of *lines* (positions from 0) that hold all of them.

    No span of several lines has more than ``CAP`` characters.

    Args:
        lines: The lines, without their ends.
        cuts: Positions at which a span may begin, with what that costs: 0 is a good place.
    """
    if not lines:
        return []
    offsets = [*accumulate((len(line) + 1 for line in lines), initial=0)]
    if offsets[-1] <= CAP and min(cuts.values(), default=FREE) > FORCED:
        return [range(len(lines))]
    places = _places(lines, cuts, offsets)
    starts = _cheapest(places, offsets)
    return [
        range(start, stop) for start, stop in zip(starts, [*starts[1:], len(lines)], strict=True)
    ]


@dataclass(slots=True)
class _Places:
    """Where spans may begin: positions of lines in order, the first of all, and their costs."""

    rows: list[int] = field(default_factory=list)
    costs: list[float] = field(default_factory=list)

    def add(self, row: int, stop: int, cost: float, offsets: Sequence[int]) -> None:
        """Add *row*, unless what it begins, up to *stop*, is small and can go with the last."""
        optional = bool(self.rows) and FORCED < cost >= self.costs[-1]
        if optional and offsets[stop] - offsets[self.rows[-1]] <= _GRAIN:
            return
        self.rows.append(row)
        self.costs.append(cost)


def _places(lines: Sequence[str], cuts: Mapping[int, float], offsets: Sequence[int]) -> _Places:
    """The positions of *cuts*, and every line of what is too large between two of them."""
    places = _Places()
    known = sorted(row for row in cuts if 0 < row < len(lines))
    for start, stop in zip([0, *known], [*known, len(lines)], strict=True):
        cost = cuts.get(start, FREE)
        if offsets[stop] - offsets[start] <= FULL:
            places.add(start, stop, cost, offsets)
            continue
        places.add(start, start + 1, cost, offsets)
        for row in range(start + 1, stop):
            places.add(row, row + 1, _line_cost(lines, row), offsets)
    return places


def _line_cost(lines: Sequence[str], row: int) -> float:
    above = lines[row - 1].strip()
    if lines[row].lstrip().startswith(_CLOSERS) or above.endswith(_OPENERS):
        return _BESIDE_BRACKET
    return _INSIDE if any(map(str.isalnum, above)) else _AT_BLANK


def _cheapest(places: _Places, offsets: Sequence[int]) -> list[int]:
    """The positions at which the spans of the cheapest partition begin.

    ``least[k]`` is the cost of the best partition that ends at place ``k``, less what running over
    the places before would have cost: so the cost of a span is one look-up and one addition.
    """
    rows, costs = places.rows, places.costs
    ends = [offsets[row] for row in rows[1:]] + [offsets[-1]]
    begins = [offsets[row] for row in rows]
    least = [costs[0]]
    previous = [0]
    first = 0
    for place, end in enumerate(ends):
        while first < place and end - begins[first] > CAP:
            first += 1
        best, chosen = _best_begin(first, place, end, begins, least)
        previous.append(chosen)
        if place + 1 < len(rows):
            cost = costs[place + 1]
            least.append(best + cost - max(0.0, _JOIN - cost))
    return _trace(rows, previous)


def _best_begin(
    first: int, place: int, end: int, begins: Sequence[int], least: Sequence[float]
) -> tuple[float, int]:
    """Cost and begin of the best partition up to *end*, *place* being the last part of it.

    The last span begins at *first* or later: from there on it does not exceed the cap.
    """
    chosen = place
    best = least[place] + _SIZE_COSTS[min(end - begins[place], CAP)]
    for begin in range(place - 1, first - 1, -1):
        cost = least[begin] + _SIZE_COSTS[end - begins[begin]]
        if cost < best:
            best, chosen = cost, begin
    return best, chosen


def _trace(rows: Sequence[int], previous: Sequence[int]) -> list[int]:
    starts: list[int] = []
    place = len(rows)
    while place > 0:
        place = previous[place]
        starts.append(rows[place])
    starts.reverse()
    return starts
