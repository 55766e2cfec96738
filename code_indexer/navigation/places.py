"""Places as answers print them, and as compilers and grep do: a path and its lines."""

import re
from dataclasses import dataclass

_PLACE = re.compile(
    r"(?P<path>.*?[^:]):(?P<start>[0-9]{1,9})(?:-(?P<end>[0-9]{1,9})|:[0-9]{1,9})?", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Place:
    """Lines of a file."""

    path: str
    start_line: int
    end_line: int


def parse_place(text: str) -> Place | None:
    """What ``path:line``, ``path:line:column`` or ``path:first-last`` names; None for no place."""
    found = _PLACE.fullmatch(text)
    if found is None or int(found["start"]) < 1:
        return None
    start = int(found["start"])
    return Place(found["path"], start, int(found["end"] or start))
