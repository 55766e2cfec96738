"""The type that a declaration states for a name, read from the text around the name.

It is asked for every local name, so it is one match of a pattern and no look at the tree. What it
cannot read (a tuple, a function type, an inferred type) has no type here.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

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
    wrappers: frozenset[bytes] = frozenset()
    """Types that lend the members of another one, which is not to be read: ``unique_ptr``."""


_TYPE_THEN_NAME = re.compile(
    rb"[\s*&]*(?:\.\.\.)?[\s*&?]*(?:\][^\[\]]*\[\s*)*" + _GENERIC_BACKWARDS + rb"(\w+)"
)
_NEW = rb"\s*=\s*new\s+(?:\w+(?:\.|::))*(?P<made>\w+)"


def _colon(before: bytes = rb"(?!)", behind: bytes = b"", mark: bytes = rb"\??\s*:\s*") -> bytes:
    """A colon and the type behind it; *before* is what may precede it and lends its members."""
    return mark + rb"(?:" + before + rb")*+(?:\w+(?:\.|::)(?=\w))*+(\w++)" + behind


_COLON = _colon()
_NO_UNION = rb"(?![ \t]*(?:<[^<>]*>|\[[^\[\]]*\])*\s*\|\s*+(?!(?:None|null|undefined)\b))"
"""One of several types says nothing; that there may be nothing does not count."""
_RUST_BOXES = rb"Arc|Box|Cow|MutexGuard|Pin|Rc|Ref|RefMut|RwLockReadGuard|RwLockWriteGuard"
_RUST_COLON = _colon(
    rb"&|'\w+\s|mut\s|dyn\s|impl\s|(?:\w+::)*(?:" + _RUST_BOXES + rb")<(?:\s*'\w+\s*,\s*)?"
)
_RUST_BOXED = rb"\s*=\s*(?:(?:\w+::)*(?:Arc|Box|Rc)::new\()+(?:\w+::)*([A-Z]\w*)\s*(?:\(|::|\{)"
_SWIFT_COLON = _colon(rb"(?:any|borrowing|consuming|inout|isolated|sending|some)\s|@\w+\s")
_TYPESCRIPT_COLON = _colon(
    rb"readonly\s|(?:Awaited|NonNullable|Partial|Readonly|Required)<|(?:null|undefined)\s*\|\s*",
    _NO_UNION,
)
# A colon at the end of a line begins a block: `with open(path) as file:`.
_PYTHON_COLON = _colon(
    rb"[\"']|(?:\w+\.)*(?:Annotated|ClassVar|Final|Optional|[Tt]ype)\[|None\s*\|\s*",
    _NO_UNION,
    rb"[ \t]*:[ \t]*",
)
_CPP_WRAPPERS = frozenset(
    b"auto_ptr const_iterator intrusive_ptr iterator not_null optional raw_ptr ref_ptr "
    b"scoped_ptr scoped_refptr shared_ptr unique_ptr".split()
)
_CONSTRUCTED = (
    rb"\s*=\s*(?:await\s+|try[?!]?\s+)?(?:\w+(?:\.|::))*(?P<made>[A-Z]\w*)"
    rb"\s*(?:\(|::(?!\w*builder\b)|\{|<[\w, ]*>\()"
)
_ARGUMENTS = re.compile(rb"(?:[\w:]|<[^<>(){};]*>)*\s?[({]")
_BRACKETS = re.compile(rb"[()\[\]{}]|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'")
_FAR = 2_000
"""Arguments are followed for so many bytes."""
_GOES_ON = re.compile(
    rb"(?:\?|!!?|\.await\b|\.unwrap\(\)|\.expect\(\"[^\"\n]*\"\))*+"
    rb"(?:\s*\.(?!\.)|\s*->|\s*\?\.|[ \t]*\[|[ \t]+(?:or|and|if)\b)"
)
"""Matches what makes something else of an object behind the brackets that it is made with."""
_LITERAL = rb"\s*=\s*([\[\"'`])"

_BEFORE = TypePlaces(_TYPE_THEN_NAME, re.compile(_NEW))
_AFTER = TypePlaces(after=re.compile(_COLON + rb"|" + _CONSTRUCTED))
_TYPESCRIPT = TypePlaces(
    after=re.compile(_TYPESCRIPT_COLON + rb"|" + _NEW + rb"|" + _LITERAL),
    wrappers=frozenset(b"keyof typeof unique".split()),
)

TYPE_PLACES: Mapping[str, TypePlaces] = {
    "java": _BEFORE,
    "csharp": _BEFORE,
    "c": _BEFORE,
    "cpp": replace(_BEFORE, wrappers=_CPP_WRAPPERS),
    "python": TypePlaces(
        re.compile(rb"\s+sa\s+\)[^()]*\((\w*[A-Z])|(\*\*?)"),
        re.compile(
            _PYTHON_COLON + rb"|" + _CONSTRUCTED + rb"|\s*=\s*([{\[\"'])"
            rb"|\s*=\s*(dict|list|set|tuple|str|frozenset|defaultdict|deque)\("
        ),
        untyped=b"lambda",
        wrappers=frozenset({b"Union"}),
    ),
    "go": TypePlaces(
        after=re.compile(
            rb"\s+\*?(?:\w+\.)?([A-Za-z_]\w*)(?=[\s,)=\n\[])"
            rb"|(?:\s*,\s*\w+)*\s*:=\s*&?(?:\w+\.)?(?!struct\b|interface\b)([A-Za-z_]\w*)\{"
            rb"|\s*:=\s*new\((?:\w+\.)?(\w+)\)"
        )
    ),
    "typescript": _TYPESCRIPT,
    "tsx": _TYPESCRIPT,
    "javascript": TypePlaces(after=re.compile(_NEW + rb"|" + _LITERAL)),
    "php": TypePlaces(
        # Not across lines: a comment may end there.
        re.compile(rb"\$?[ \t]*&?(?:\.\.\.)?[ \t]*(\w++)(?![\w\\]*\|)"),
        re.compile(rb"\s*=\s*new\s+(?:\\?\w+\\)*(?P<made>\w+)"),
        wrappers=frozenset(b"abstract class global mixed".split()),
    ),
    "rust": TypePlaces(
        after=re.compile(_RUST_COLON + rb"|" + _RUST_BOXED + rb"|" + _CONSTRUCTED),
        wrappers=frozenset({b"Arc", b"Box", b"Rc"}),
    ),
    "kotlin": _AFTER,
    "swift": TypePlaces(
        after=re.compile(_SWIFT_COLON + rb"|" + _CONSTRUCTED),
        wrappers=frozenset({b"XCTUnwrap"}),
    ),
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
            if name in places.wrappers:
                return None
            if name not in _NO_TYPES:
                return _LITERALS.get(name, name)
    if places.after is not None:
        found = places.after.match(data, end)
        if found is not None:
            name = found.group(found.lastindex or 0)
            if name in places.wrappers or (
                found.lastgroup == "made" and not _is_kept(data, found.end("made"))
            ):
                return None
            if name not in _NO_TYPES and not (places.untyped and _is_untyped(places, data, start)):
                return _LITERALS.get(name, name)
    return None


def _is_kept(data: bytes, start: int) -> bool:
    """Whether what is made of the type that ends at *start* is the value, not a member of it."""
    arguments = _ARGUMENTS.match(data, start)
    if arguments is None:
        return True
    depth = 0
    for token in _BRACKETS.finditer(data, arguments.end() - 1, arguments.end() + _FAR):
        if token[0] in b"([{":
            depth += 1
        elif token[0] in b")]}":
            depth -= 1
        if depth == 0:
            return _GOES_ON.match(data, token.end()) is None
    return True


def _is_untyped(places: TypePlaces, data: bytes, start: int) -> bool:
    """Whether the name at *start* is a parameter of a lambda."""
    line = data[data.rfind(b"\n", 0, start) + 1 : start]
    word = line.rfind(places.untyped)
    return word >= 0 and b":" not in line[word:]
