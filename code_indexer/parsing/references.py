"""References: every place in a file that names something defined elsewhere than in a local scope.

Queries say which nodes are names and what is special about some of them. What stands directly
before and after a name (a member mark and its receiver, the bracket of a call) is read from the
bytes: that costs a tenth of another capture.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Mapping, Sequence
from operator import attrgetter, itemgetter
from typing import Final, Literal

from code_indexer.parsing.declared_types import declared_type
from code_indexer.parsing.imports import import_references
from code_indexer.parsing.preprocessor import names_in
from code_indexer.parsing.rules import LanguageRules
from code_indexer.parsing.source import Source
from code_indexer.parsing.symbols import Captures, Definition, keywords_at
from code_indexer.types import Reference, Relationship

Spans = list[tuple[int, int]]
_Local = tuple[int, int, bytes | None]
"""From where to where a local name counts, and the type that it is declared with."""
_Shape = Literal["bare", "member", "type", "import"]
_Meaning = tuple[Relationship | None, _Shape]
"""What a capture says; without a relationship, the text behind the name decides it."""

_INLINE_BLANKS: Final = frozenset(b" \t")
_BLANKS: Final = frozenset(b" \t\r\n")
# Through map() these cost half of what a comprehension does.
_START_OF: Final = attrgetter("start_byte")
_END_OF: Final = attrgetter("end_byte")
_NO_RECEIVERS: Final = frozenset(
    b"as await case else in is let not or and return throw try where yield".split()
)
"""Words before a member of something that the compiler knows: Swift's ``case .ready``."""
_FEW_SPANS: Final = 8
"""Up to so many are asked one after the other."""
_FAR: Final = 1 << 62
_PLAIN_NAME: Final[_Meaning] = (None, "bare")
_MEANINGS: Final[Mapping[str, _Meaning]] = {
    "reference": _PLAIN_NAME,
    "reference.member": (None, "member"),
    "reference.type": ("references", "type"),
    "reference.call": ("calls", "bare"),
    "reference.inherit": ("inherits", "type"),
    "reference.component": ("calls", "bare"),
    "reference.closing": ("references", "bare"),
}
"""What captures say of a name; the later counts where several are true of one."""
_NO_REFERENCE: Final = ("ignore", "binding", "global")
"""Captures of names that bind or label something."""


def extract_references(
    captures: Captures,
    definitions: Sequence[Definition],
    source: Source,
    rules: LanguageRules,
    further_names: Sequence[tuple[int, int]] = (),
) -> list[Reference]:
    """Every reference among *captures*: imports first, then the others, in order of place.

    *further_names* are the starts and ends of names that the tree does not show.
    """
    borders = _borders(definitions)
    references, whole_names = import_references(captures, source, rules, borders)
    names = {definition.name_start for definition in definitions}
    places, tags = _places(captures, source, rules, further_names)
    unmeant = _unmeant(captures, source, rules)
    unmeant |= names
    starts = sorted(places.keys() - unmeant)
    backwards = source.data[::-1]
    if rules.promoted_are_parameters:
        fields = ("field", "property")
        names = {each.name_start for each in definitions if each.symbol.kind not in fields}
    hidden = _local_spans(captures, source.data, backwards, names, rules)
    whole_names += [(node.start_byte, node.end_byte) for node in captures.get("package", ())]
    whole_names += [
        (definition.name_start, definition.name_end)
        for definition in definitions
        if not definition.symbol.name.isidentifier()
    ]
    starts = _outside(starts, whole_names)
    references += _references(starts, places, tags, hidden, borders, source, backwards, rules)
    return references


def _places(
    captures: Captures,
    source: Source,
    rules: LanguageRules,
    further_names: Sequence[tuple[int, int]],
) -> tuple[dict[int, int], dict[int, _Meaning]]:
    """Where names stand (start to end), and what the tree says of some of them."""
    places = dict(further_names)
    for node in captures.get("macro.body", ()):
        places.update(names_in(source.data, node.start_byte, node.end_byte))
    tags: dict[int, _Meaning] = {}
    for capture, meaning in _MEANINGS.items():
        if capture in captures:
            nodes = captures[capture]
            found = dict(zip(map(_START_OF, nodes), map(_END_OF, nodes), strict=True))
            if len(found) < len(nodes):
                # Where a parser adds what is missing, it has no length; the name itself counts.
                found = dict(sorted((node.start_byte, node.end_byte) for node in nodes))
            places |= found
            if meaning is not _PLAIN_NAME:
                tags |= dict.fromkeys(found, meaning)
    if rules.argument_words:
        places |= _arguments(captures, source, rules, tags)
    return places, tags


def _unmeant(captures: Captures, source: Source, rules: LanguageRules) -> set[int]:
    """Where names stand that bind or label something, and words of the language."""
    unmeant: set[int] = set()
    for capture in _NO_REFERENCE:
        if capture in captures:
            unmeant.update(map(_START_OF, captures[capture]))
    tags = ("reference.component", "reference.closing")
    for node in (node for tag in tags for node in captures.get(tag, ())):
        # In JSX, <row> is a tag and <Row> a component.
        if not source.data[node.start_byte : node.start_byte + 1].isupper():
            unmeant.add(node.start_byte)
    words = rules.import_words.union(rules.keywords)
    if words:
        spelled = keywords_at(captures, source)
        unmeant.update(start for start, word in spelled.items() if word in words)
    return unmeant


def _outside(starts: list[int], spans: Sequence[tuple[int, int]]) -> list[int]:
    """*starts*, which are in order, without those that lie in any of *spans*."""
    for start, end in spans:
        first = bisect_left(starts, start)
        del starts[first : bisect_left(starts, end, first)]
    return starts


def _borders(definitions: Sequence[Definition]) -> list[tuple[int, str | None]]:
    """Each offset from which another definition is the innermost one, with its qualified name."""
    borders: list[tuple[int, str | None]] = []
    stack: list[Definition] = []
    for definition in sorted(definitions, key=lambda each: (each.start, -each.end)):
        while stack and stack[-1].end <= definition.start:
            end = stack.pop().end
            borders.append((end, stack[-1].symbol.qualified_name if stack else None))
        if stack and (stack[-1].start, stack[-1].end) == (definition.start, definition.end):
            # One statement defines several names: the first stands for all.
            continue
        stack.append(definition)
        borders.append((definition.start, definition.symbol.qualified_name))
    while stack:
        end = stack.pop().end
        borders.append((end, stack[-1].symbol.qualified_name if stack else None))
    return borders


def _spans(captures: Captures, *names: str) -> Spans:
    return sorted(
        (node.start_byte, node.end_byte) for name in names for node in captures.get(name, ())
    )


def _arguments(
    captures: Captures, source: Source, rules: LanguageRules, tags: dict[int, _Meaning]
) -> dict[int, int]:
    """Commands that are the first argument of another one; *tags* learns that they are calls."""
    words = sorted(keywords_at(captures, source).items())
    starts = [start for start, _ in words]
    found: dict[int, int] = {}
    for node in captures.get("reference.argument", ()):
        index = bisect_right(starts, node.start_byte) - 1
        if index >= 0 and words[index][1] in rules.argument_words:
            found[node.start_byte] = node.end_byte
            tags[node.start_byte] = _MEANINGS["reference.call"]
    return found


def _local_spans(
    captures: Captures,
    data: bytes,
    backwards: bytes,
    named: Collection[int],
    rules: LanguageRules,
) -> dict[bytes, list[_Local]]:
    """Where each local name hides everything else of its name.

    A binding counts in its innermost scope; one outside all scopes is no local name. A barrier,
    such as the body of a class, keeps what is bound directly in it from being local.
    """
    everywhere: list[_Local] = [(0, len(data), None)]
    hidden = {word.encode(): everywhere for word in rules.special_words}
    nodes = captures.get("binding", ())
    bindings = sorted(zip(map(_START_OF, nodes), map(_END_OF, nodes), strict=True))
    if not bindings:
        return hidden
    barriers = {node.start_byte for node in captures.get("local.barrier", ())}
    scopes = sorted(
        (node.start_byte, -node.end_byte)
        for name in ("local.scope", "local.barrier")
        for node in captures.get(name, ())
    )
    scopes.append((len(data) + 1, 0))
    types = rules.type_places
    shared = _shared_names(captures, data, scopes)
    stack: list[tuple[int, int]] = []
    position = 0
    for start, end in bindings:
        while scopes[position][0] <= start:
            stack.append(scopes[position])
            position += 1
        while stack and -stack[-1][1] <= start:
            stack.pop()
        if not stack or stack[-1][0] in barriers or start in named:
            continue
        scope_start, scope_end = stack[-1]
        name = data[start:end]
        if shared and (name, scope_start) in shared:
            continue
        declared = None if types is None else declared_type(types, data, backwards, start, end)
        span = (scope_start if rules.hoisted else start, -scope_end, declared)
        known = hidden.get(name)
        if known is None:
            hidden[name] = [span]
        elif known[-1] != span:
            known.append(span)
    return {
        name: spans if len(spans) <= _FEW_SPANS else _merged(spans)
        for name, spans in hidden.items()
    }


def _merged(spans: Sequence[_Local]) -> list[_Local]:
    """The same places in rising order, without overlap; where some overlap, the type is lost."""
    merged: list[_Local] = []
    for start, end, declared in sorted(spans, key=itemgetter(0, 1)):
        if merged and start < merged[-1][1]:
            first, last, _ = merged[-1]
            merged[-1] = (first, max(last, end), None)
        else:
            merged.append((start, end, declared))
    return merged


def _shared_names(
    captures: Captures, data: bytes, scopes: Sequence[tuple[int, int]]
) -> set[tuple[bytes, int]]:
    """Names that a scope declares to be those of an outer one, with the start of that scope."""
    shared = set()
    for start, end in _spans(captures, "global"):
        around = [scope for scope in scopes if scope[0] <= start < -scope[1]]
        if around:
            shared.add((data[start:end], around[-1][0]))
    return shared


class _Names(dict[bytes, str]):
    """Names as text, one object for all places of a name."""

    def __missing__(self, raw: bytes) -> str:
        name = self[raw] = raw.decode("utf-8", "replace")
        return name


def _references(
    starts: Sequence[int],
    places: dict[int, int],
    tags: dict[int, _Meaning],
    hidden: dict[bytes, list[_Local]],
    borders: Sequence[tuple[int, str | None]],
    source: Source,
    backwards: bytes,
    rules: LanguageRules,
) -> list[Reference]:
    """The references at *starts*, whose ends are in *places*.

    One loop over millions of names: offsets of lines and of enclosing definitions move along with
    it, and nothing is called for a name that turns out to be local.
    """
    references: list[Reference] = []
    data = source.data + b"\0\0\0"
    path_before = _path_finder(source.data, backwards, rules)
    mark_ends, call_marks, is_ascii = rules.mark_ends, rules.call_marks, source.is_ascii
    line_starts = [*source.line_starts, len(data)]
    line, line_start, line_end = 1, 0, line_starts[1]
    next_border = iter([*borders, (len(data), None)]).__next__
    enclosing: str | None = None
    border, inner = next_border()
    names = _Names()
    path_start = path_end = 0
    for start in starts:
        end = places[start]
        raw = data[start:end]
        if not raw:
            # What a parser adds where something is missing has no length.
            continue
        relationship, shape = tags.get(start, _PLAIN_NAME)
        before = data[start - 1]
        marked = before in mark_ends or (before in _BLANKS and data[start - 2] in _BLANKS)
        member = path_before(start, path_start, path_end) if marked else None
        qualifier = None
        path_start, path_end = start, end
        if member is not None:
            path, path_start = member
            if path is not None:
                qualifier = names[path]
                if path in hidden:
                    qualifier += _stated_type(start, hidden[path])
            if shape == "bare":
                shape = "member"
        elif rules.names_are_paths and b"." in raw.rstrip(b"."):
            owner = raw.rstrip(b".").rpartition(b".")[0]
            qualifier, raw, shape = names[owner], raw[len(owner) + 1 :], "member"
            start += len(owner) + 1  # noqa: PLW2901  # the last of its names is the one meant
        elif (
            raw in hidden
            and shape != "member"
            and not (rules.calls_are_functions and data.startswith(b"(", end))
            and _span_around(start, hidden[raw])
        ):
            continue
        if relationship is None:
            while (after := data[end]) in _INLINE_BLANKS:
                end += 1
            relationship = "calls" if after in call_marks else "references"
        while start >= line_end:
            line += 1
            line_start, line_end = line_end, line_starts[line]
        while start >= border:
            enclosing = inner
            border, inner = next_border()
        column = start - line_start if is_ascii else source.column_of(start, line)
        # The constructor of a named tuple takes twice as long as a plain tuple's.
        values = (names[raw], line, column, relationship, enclosing, qualifier, shape, False)
        references.append(tuple.__new__(Reference, values))
    return references


def _path_finder(
    data: bytes, backwards: bytes, rules: LanguageRules
) -> Callable[[int, int, int], tuple[bytes | None, int] | None]:
    """A function that tells of a name where the path in front of its member mark begins.

    It takes the start of the name, and start and end of the path that the name before it ends. It
    gives that path, or None where no plain one is, with the start of the path that the name itself
    ends; nothing without a member mark.
    """
    receiver, marks, path_bytes = rules.receiver.match, rules.marks, rules.path_bytes
    size = len(data)

    def path_before(start: int, path_start: int, path_end: int) -> tuple[bytes | None, int] | None:
        if data[path_end:start] in marks and (
            path_start == 0 or data[path_start - 1] not in path_bytes
        ):
            # In a chain of members, all but the last of the path is known.
            path = data[path_start:path_end]
            if not path.translate(None, path_bytes):
                return path, path_start
        found = receiver(backwards, size - start)
        if found is None:
            return None
        if b"\n" in found[0] and _ends_comment(found, rules):
            # What seems to be the receiver is the end of a comment; so is the mark before it,
            # unless it stands directly before the name: `build() // see there\n  .run()`.
            return (None, start) if data[start - 1] in rules.mark_ends else None
        if not found.lastindex:
            return None, start
        path = found[found.lastindex][::-1]
        if path in _NO_RECEIVERS:
            return None, start
        if path.endswith(b")"):
            return b"super", start
        gap = data[size - found.start(found.lastindex) : start]
        return path, size - found.end() if gap in marks else start

    return path_before


def _ends_comment(found: re.Match[bytes], rules: LanguageRules) -> bool:
    """Whether a receiver, found in reversed text, begins on a line that ends in a comment."""
    line_start = found.string.find(b"\n", found.end())
    backwards = found.string[found.start() : line_start if line_start >= 0 else None]
    line = backwards.rpartition(b"\n")[2][::-1]
    return any(mark in line for mark in rules.comment_starts)


def _span_around(offset: int, spans: Sequence[_Local]) -> _Local | None:
    """The innermost of *spans* around *offset*: the last, for they are in order of their names."""
    if len(spans) > _FEW_SPANS:
        index = bisect_right(spans, offset, key=itemgetter(0)) - 1
        return spans[index] if index >= 0 and offset < spans[index][1] else None
    for span in reversed(spans):
        if span[0] <= offset < span[1]:
            return span
    return None


def _stated_type(offset: int, spans: list[_Local]) -> str:
    """A colon and the type that a local receiver is declared with, if it states one."""
    span = _span_around(offset, spans)
    if span is None or span[2] is None:
        return ""
    return ":" + span[2].decode("utf-8", "replace")
