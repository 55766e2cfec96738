"""SQL before parsing: what dialects write is spelled as the grammar knows it, byte for byte."""

import re
from collections.abc import Iterable

from code_indexer.types import Reference

_PROCEDURE = re.compile(
    rb"(?<=\bCREATE)(\s+(?:OR\s+(?:REPLACE|ALTER)\s+)?(?:DEFINER\s*=\s*\S+\s+)?)PROCEDURE\b",
    re.IGNORECASE,
)
_QUOTES = frozenset('"`[')
_BRACKETED = re.compile(rb"(?<![\w\]\"])\[([A-Za-z_][\w $#@-]*)\]")


def in_known_sql(data: bytes) -> bytes:
    """*data* with procedures as functions, and names in brackets as names in quotes."""
    data = _PROCEDURE.sub(rb"\1FUNCTION ", data)
    return _BRACKETED.sub(rb'"\1"', data) if b"[" in data else data


def with_plain_names(references: Iterable[Reference]) -> list[Reference]:
    """*references*, of which quoted names lose their quotes."""
    return [
        each._replace(name=each.name[1:-1], column=each.column + 1)
        if each.name[0] in _QUOTES
        else each
        for each in references
    ]
