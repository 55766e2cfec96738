"""Lines of a text as this package counts them, and the pieces of a line that is too long.

A line ends with a line feed, alone or after a carriage return. Form feeds, vertical tabs, NEL, the
Unicode separators and lone carriage returns end no line, so ``str.splitlines`` is never used.
"""

from collections.abc import Iterator

CAP = 1_000
"""Characters that no chunk exceeds."""
FULL = 850
"""Characters from which a chunk need not grow: what is larger may be cut inside."""

_SEPARATORS = (". ", "; ", ";", "}", ",", " ")
"""Where a long line is best cut, best first."""


def split_lines(text: str) -> list[str]:
    """The lines of *text* without their ends; what follows the last line feed counts if not empty.

    The carriage return before a line feed is not part of the line, so a file that is converted
    between the two conventions keeps its chunks.
    """
    lines = text.replace("\r\n", "\n").split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def is_blank(line: str) -> bool:
    """Whether nothing of *line* would be worth a chunk."""
    return not line or line.isspace()


def line_pieces(line: str, *, cap: int = CAP) -> Iterator[str]:
    """*line* in consecutive pieces of at most *cap* characters."""
    start = 0
    while len(line) - start > cap:
        end = _piece_end(line, start, start + cap)
        yield line[start:end]
        start = end
    yield line[start:]


def _piece_end(line: str, start: int, limit: int) -> int:
    """Where the piece from *start* ends: behind a separator in its last quarter, or at *limit*."""
    earliest = limit - (limit - start) // 4
    for separator in _SEPARATORS:
        found = line.rfind(separator, earliest, limit)
        if found >= 0:
            return found + len(separator)
    return limit
