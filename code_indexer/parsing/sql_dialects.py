"""SQL before parsing: what dialects write is spelled as the grammar knows it, byte for byte."""

import re
from collections.abc import Iterable

from code_indexer.types import Reference

_PROCEDURE = re.compile(
    rb"(?<=\bCREATE)(\s+(?:OR\s+(?:REPLACE|ALTER)\s+)?(?:DEFINER\s*=\s*\S+\s+)?)PROCEDURE\b",
    re.IGNORECASE,
)
_ALTER = re.compile(rb"(?<=\bCREATE)\s+OR\s+ALTER(?=\s)", re.IGNORECASE)
_DOMAIN = re.compile(rb"(?<=\bCREATE)(\s+)DOMAIN(\s+[\w.\"]+)([^;]*)", re.IGNORECASE)
_IDENTITY = re.compile(rb"\bIDENTITY\s*\(\s*-?\d+\s*,\s*-?\d+\s*\)|(?<=\()MAX(?=\))", re.IGNORECASE)
# What follows is Transact-SQL, whose statements come in batches.
_BATCH_END = re.compile(rb"^[ \t]*GO[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_SETTING = re.compile(rb"^[ \t]*(?:USE|SET)\b[^\n;=]*$", re.IGNORECASE | re.MULTILINE)
_BRACKETED_TYPE = re.compile(rb"(?<=\])([ \t]+)\[(\w+)\]")
_STORAGE = re.compile(
    rb"\b(?:NON)?CLUSTERED\b|\b(?:TEXTIMAGE_)?ON\s+\[PRIMARY\]|(?<=\])\s+(?:ASC|DESC)\b"
    rb"|\bWITH\s*\(\s*PAD_INDEX[^)]*\)",
    re.IGNORECASE,
)
_NAME = rb"(?:[\w$#]+|\[[^\]\n]+\]|\"[^\"\n]+\")"
_BARE_PARAMETERS = re.compile(
    rb"(\bPROCEDURE\s+%s(?:\s*\.\s*%s)?)(\s+@[^;]*?)(?=\bAS\b)" % (_NAME, _NAME), re.IGNORECASE
)
_QUOTES = frozenset('"`[')
_BRACKETED = re.compile(rb"(?<![\w\]\"])\[([A-Za-z_][\w $#@-]*)\]")


def in_known_sql(data: bytes) -> bytes:
    """*data* with procedures as functions, and names in brackets as names in quotes.

    A domain is a type of which no more than the name is known.
    """
    if _BATCH_END.search(data):
        data = _without_batches(data)
    data = _ALTER.sub(_blanks, data)
    data = _BARE_PARAMETERS.sub(lambda found: found[1] + _blanks(found, 2), data)
    data = _PROCEDURE.sub(rb"\1FUNCTION ", data)
    data = _DOMAIN.sub(
        lambda found: b"%sTYPE  %s%s" % (*found.group(1, 2), _blanks(found, 3)), data
    )
    data = _IDENTITY.sub(_one, data)
    return _BRACKETED.sub(rb'"\1"', data) if b"[" in data else data


def _without_batches(data: bytes) -> bytes:
    """*data* with statements that end where their batch ends, and without how it is stored."""
    data = _BATCH_END.sub(lambda found: b";" + _blanks(found)[1:], data)
    data = _SETTING.sub(_blanks, data)
    data = _BRACKETED_TYPE.sub(rb"\1 \2 ", data)
    return _STORAGE.sub(_blanks, data)


def _blanks(found: re.Match[bytes], group: int = 0) -> bytes:
    """As many blanks as the group is long, and its ends of lines."""
    return re.sub(rb"[^\n]", b" ", found[group])


def _one(found: re.Match[bytes]) -> bytes:
    """A number in place of ``MAX``, and nothing in place of how a column counts itself."""
    return b"001" if found[0][:1] in b"Mm" else _blanks(found)


def with_plain_names(references: Iterable[Reference]) -> list[Reference]:
    """*references*, of which quoted names lose their quotes."""
    return [
        each._replace(name=each.name[1:-1], column=each.column + 1)
        if each.name[0] in _QUOTES
        else each
        for each in references
    ]
