"""The type that a declaration states for a name, read from the text around the name.

It is asked for every local name, so it is one match of a pattern and no look at the tree. What it
cannot read (a tuple, a function type, an inferred type) has no type here.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

_GENERIC_BACKWARDS = rb"(?:>(?:[^<>;(){}]|>(?:[^<>;(){}]|>[^<>;(){}]*<)*<)*<\s*)?"
_NO_TYPES = frozenset(
    b"var let val auto const final return new in out ref case else static final mut await yield "
    b"any unknown Any object dynamic private public protected readonly as and or from".split()
)

_LITERALS = {
    b"{": b"dict",
    b"[": b"list",
    b'"': b"str",
    b"'": b"str",
    b"`": b"str",
    b"*": b"tuple",
    b"**": b"dict",
}
"""What a literal, or a sign before a parameter, makes of a name."""


@dataclass(frozen=True, slots=True)
class TypePlaces:
    """Where a language writes the type of a name."""

    before: re.Pattern[bytes] | None = None
    """Matches the text before the name, reversed; its group is the type, reversed."""
    after: re.Pattern[bytes] | None = None
    """Matches the text behind the name; a group is the type."""
    untyped: bytes = b""
    """A word whose colon is followed by no type."""


_TYPE_THEN_NAME = re.compile(
    rb"[\s*&]*(?:\.\.\.)?[\s*&?]*(?:\][^\[\]]*\[\s*)*" + _GENERIC_BACKWARDS + rb"(\w+)"
)
_NEW = rb"\s*=\s*new\s+(?:\w+(?:\.|::))*(\w+)"
_COLON = (
    rb"\??\s*:\s*(?:&|'\w+\s|mut\s|dyn\s|inout\s|readonly\s|\"|Optional\[)*(?:\w+(?:\.|::))*(\w+)"
)
# A colon at the end of a line begins a block: `with open(path) as file:`.
_COLON_ON_LINE = _COLON.replace(rb"\??\s*:\s*", rb"[ \t]*:[ \t]*")
_CONSTRUCTED = (
    rb"\s*=\s*(?:await\s+|try[?!]?\s+)?(?:\w+(?:\.|::))*([A-Z]\w*)\s*(?:\(|::|\{|<[\w, ]*>\()"
)
_LITERAL = rb"\s*=\s*([\[\"'`])"

_BEFORE = TypePlaces(_TYPE_THEN_NAME, re.compile(_NEW))
_AFTER = TypePlaces(after=re.compile(_COLON + rb"|" + _CONSTRUCTED))

TYPE_PLACES: Mapping[str, TypePlaces] = {
    "java": _BEFORE,
    "csharp": _BEFORE,
    "c": _BEFORE,
    "cpp": _BEFORE,
    "python": TypePlaces(
        re.compile(rb"\s+sa\s+\)[^()]*\((\w*[A-Z])|(\*\*?)"),
        re.compile(
            _COLON_ON_LINE + rb"|" + _CONSTRUCTED + rb"|\s*=\s*([{\[\"'])"
            rb"|\s*=\s*(dict|list|set|tuple|str|frozenset|defaultdict|deque)\("
        ),
        untyped=b"lambda",
    ),
    "go": TypePlaces(
        after=re.compile(
            rb"\s+\*?(?:\w+\.)?([A-Za-z_]\w*)(?=[\s,)=\n\[])"
            rb"|(?:\s*,\s*\w+)*\s*:=\s*&?(?:\w+\.)?([A-Z]\w*)\{"
            rb"|\s*:=\s*new\((?:\w+\.)?(\w+)\)"
        )
    ),
    "typescript": TypePlaces(after=re.compile(_COLON + rb"|" + _NEW + rb"|" + _LITERAL)),
    "tsx": TypePlaces(after=re.compile(_COLON + rb"|" + _NEW + rb"|" + _LITERAL)),
    "javascript": TypePlaces(after=re.compile(_NEW + rb"|" + _LITERAL)),
    "php": TypePlaces(
        re.compile(rb"\$?\s*&?(?:\.\.\.)?\s*(\w++)(?![\w\\]*\|)"),
        re.compile(rb"\s*=\s*new\s+(?:\\?\w+\\)*(\w+)"),
    ),
    "rust": _AFTER,
    "kotlin": _AFTER,
    "swift": _AFTER,
    "scala": TypePlaces(after=re.compile(_COLON + rb"|" + _NEW)),
}


def declared_type(
    places: TypePlaces, data: bytes, backwards: bytes, start: int, end: int
) -> bytes | None:
    """The last part of the type that the name from *start* to *end* of *data* is declared with.

    *backwards* is *data* reversed.
    """
    if places.before is not None:
        found = places.before.match(backwards, len(backwards) - start)
        if found is not None:
            name = found.group(found.lastindex or 0)[::-1]
            if name not in _NO_TYPES:
                return _LITERALS.get(name, name)
    if places.after is not None:
        found = places.after.match(data, end)
        if found is not None:
            name = found.group(found.lastindex or 0)
            if name not in _NO_TYPES and not (places.untyped and _is_untyped(places, data, start)):
                return _LITERALS.get(name, name)
    return None


def _is_untyped(places: TypePlaces, data: bytes, start: int) -> bool:
    """Whether the name at *start* is a parameter of a lambda."""
    line = data[data.rfind(b"\n", 0, start) + 1 : start]
    word = line.rfind(places.untyped)
    return word >= 0 and b":" not in line[word:]
