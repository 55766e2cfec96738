"""References: every place in a file that names something defined elsewhere than in a local scope."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from code_indexer.parsing.imports import import_references
from code_indexer.parsing.rules import LanguageRules
from code_indexer.parsing.source import Source
from code_indexer.parsing.symbols import Captures, Definition
from code_indexer.types import Reference, Relationship

_BLANK = b" \t\r\n"
_WORD_BYTES = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$@.:?>-")
_MAX_QUALIFIER = 80

Spans = list[tuple[int, int]]


def extract_references(
    captures: Captures,
    definitions: Sequence[Definition],
    source: Source,
    rules: LanguageRules,
) -> list[Reference]:
    """Every reference among *captures*, in order of place."""
    enclosing = _Enclosing(definitions)
    references, imported = import_references(captures, source, rules, enclosing.of)
    taken = _starts(captures, "name", "ignore", "binding", "global") | imported
    hidden = _local_spans(captures, source, rules)
    references.extend(_named(captures, taken, hidden, enclosing, source, rules))
    references.sort(key=lambda each: (each.line, each.column))
    return references


def _starts(captures: Captures, *names: str) -> set[int]:
    return {node.start_byte for name in names for node in captures.get(name, ())}


def _spans(captures: Captures, *names: str) -> Spans:
    return sorted((node.start_byte, node.end_byte) for name in names for node in captures.get(name, ()))


def _local_spans(captures: Captures, source: Source, rules: LanguageRules) -> dict[bytes, Spans]:
    """Where each local name hides everything else of its name.

    A binding counts in its innermost scope; one outside all scopes is no local name.
    """
    data = source.data
    scopes = [(start, -end, True) for start, end in _spans(captures, "local.scope")]
    scopes += [(start, -end, False) for start, end in _spans(captures, "local.barrier")]
    scopes.sort()
    shared = {
        (data[start:end], _innermost(scopes, start)) for start, end in _spans(captures, "global")
    }
    hidden: dict[bytes, Spans] = {}
    stack: list[tuple[int, int, bool]] = []
    position = 0
    for start, end in _spans(captures, "binding"):
        while position < len(scopes) and scopes[position][0] <= start:
            while stack and -stack[-1][1] <= scopes[position][0]:
                stack.pop()
            stack.append(scopes[position])
            position += 1
        while stack and -stack[-1][1] <= start:
            stack.pop()
        if not stack or not stack[-1][2]:
            continue
        name = data[start:end]
        if shared and (name, stack[-1]) in shared:
            continue
        visible_from = stack[-1][0] if rules.hoisted else start
        hidden.setdefault(name, []).append((visible_from, -stack[-1][1]))
    return hidden


def _innermost(
    scopes: Sequence[tuple[int, int, bool]], offset: int
) -> tuple[int, int, bool] | None:
    around = [scope for scope in scopes if scope[0] <= offset < -scope[1]]
    return around[-1] if around else None


class _Enclosing:
    """Which definition a place lies in; asked from the start of the file to its end."""

    def __init__(self, definitions: Sequence[Definition]) -> None:
        self._definitions = sorted(definitions, key=lambda each: (each.start, -each.end))
        self._starts = [each.start for each in self._definitions]
        self._parents: list[int] = []
        stack: list[int] = []
        for index, definition in enumerate(self._definitions):
            while stack and self._definitions[stack[-1]].end <= definition.start:
                stack.pop()
            self._parents.append(stack[-1] if stack else -1)
            stack.append(index)

    def of(self, offset: int) -> str | None:
        """Qualified name of the innermost definition around *offset*."""
        index = bisect_left(self._starts, offset + 1) - 1
        while index >= 0 and self._definitions[index].end <= offset:
            index = self._parents[index]
        return self._definitions[index].symbol.qualified_name if index >= 0 else None


def _named(
    captures: Captures,
    taken: set[int],
    hidden: dict[bytes, Spans],
    enclosing: _Enclosing,
    source: Source,
    rules: LanguageRules,
) -> Iterable[Reference]:
    calls = _starts(captures, "reference.call")
    inherits = _starts(captures, "reference.inherit")
    types = _starts(captures, "reference.type")
    members = _starts(captures, "reference.member")
    data, size = source.data, len(source.data)
    line_of, column_of, name_of, enclosed_by = (
        source.line_of, source.column_of, source.name, enclosing.of,
    )
    marks, call_marks = rules.member_marks, rules.call_marks
    mark_ends = frozenset(mark[-1] for mark in marks)
    places = set(_spans(captures, *(name for name in captures if name.partition(".")[0] == "reference")))
    for start, end in sorted(places):
        if start in taken:
            continue
        raw = data[start:end]
        before = start - 1
        while before >= 0 and data[before] in _BLANK:
            before -= 1
        qualifier = None
        shape = "bare"
        if start in members or (before >= 0 and data[before] in mark_ends and _is_mark(data, before, marks)):
            shape = "member"
            qualifier = qualifier_before(source, before, marks)
        else:
            spans = hidden.get(raw)
            if spans is not None and any(first <= start < last for first, last in spans):
                continue
        relationship: Relationship = "references"
        if start in inherits:
            relationship, shape = "inherits", "type"
        elif start in types:
            shape = "type"
        elif start in calls:
            relationship = "calls"
        else:
            after = end
            while after < size and data[after] in b" \t":
                after += 1
            if after < size and data[after] in call_marks:
                relationship = "calls"
        line = line_of(start)
        yield Reference(name_of(raw), line, column_of(start, line), relationship, enclosed_by(start), qualifier, shape)


def _is_mark(data: bytes, at: int, marks: Sequence[bytes]) -> bool:
    """Whether a member mark ends at *at*; ``..`` is a range, ``...`` a spread."""
    if data[at] == 0x2E and at > 0 and data[at - 1] == 0x2E:
        return False
    return any(data.endswith(mark, max(0, at + 1 - len(mark)), at + 1) for mark in marks)


def qualifier_before(source: Source, mark_end: int, marks: Sequence[bytes]) -> str | None:
    """The receiver whose member mark ends at *mark_end*, where it is a plain path of names."""
    data = source.data
    end = mark_end + 1
    for mark in marks:
        if data.endswith(mark, max(0, end - len(mark)), end):
            end -= len(mark)
            break
    start = end
    floor = max(0, end - _MAX_QUALIFIER)
    while start > floor and data[start - 1] in _WORD_BYTES:
        start -= 1
    return source.name(data[start:end]) if start < end else None
