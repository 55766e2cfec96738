"""References: every place in a file that names something defined elsewhere than in a local scope.

Queries say which nodes are names and what is special about some of them. What stands directly
before and after a name (a member mark and its receiver, the bracket of a call) is read from the
bytes: that costs a tenth of another capture.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from typing import Final, Literal

from code_indexer.parsing.imports import import_references
from code_indexer.parsing.preprocessor import names_in
from code_indexer.parsing.rules import LanguageRules
from code_indexer.parsing.source import Source
from code_indexer.parsing.symbols import Captures, Definition, keywords_at
from code_indexer.types import Reference, Relationship

_BLANKS: Final = frozenset(b" \t\r\n")
_PLAIN: Final = "reference"
_SPECIAL: Final = ("reference.member", "reference.type", "reference.call", "reference.inherit")
"""The later counts where several are true of one name."""
_NO_REFERENCE: Final = ("ignore", "binding", "global", "import.name", "import.alias")
"""Captures of names that bind or label something."""
_MODULES: Final = ("import.module", "import.path", "import.package", "import.tree", "package")

Spans = list[tuple[int, int]]
Shape = Literal["bare", "member", "type", "import"]


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
    references = import_references(captures, source, rules, borders)
    names = {definition.name_start for definition in definitions}
    places, tags = _places(captures, source, rules, further_names)
    starts = sorted(places.keys() - _unmeant(captures, source, rules) - names)
    hidden = _local_spans(captures, source.data, names, rules)
    references += _references(
        _without_modules(starts, captures), places, tags, hidden, borders, source, rules
    )
    return references


def _places(
    captures: Captures,
    source: Source,
    rules: LanguageRules,
    further_names: Sequence[tuple[int, int]],
) -> tuple[dict[int, int], dict[int, str]]:
    """Where names stand (start to end), and what the tree says of some of them."""
    places = dict(further_names)
    for node in captures.get("macro.body", ()):
        places.update(names_in(source.data, node.start_byte, node.end_byte))
    tags: dict[int, str] = {}
    for capture in (_PLAIN, *_SPECIAL):
        if capture in captures:
            nodes = captures[capture]
            places |= {node.start_byte: node.end_byte for node in nodes}
            if capture != _PLAIN:
                tags |= dict.fromkeys([node.start_byte for node in nodes], capture)
    if rules.argument_words:
        places |= _arguments(captures, source, rules, tags)
    return places, tags


def _unmeant(captures: Captures, source: Source, rules: LanguageRules) -> set[int]:
    """Where names stand that bind or label something, and words of the language."""
    unmeant: set[int] = set()
    for capture in _NO_REFERENCE:
        if capture in captures:
            unmeant.update([node.start_byte for node in captures[capture]])
    words = rules.import_words.union(rules.keywords, rules.special_words)
    if words:
        spelled = keywords_at(captures, source)
        unmeant.update(start for start, word in spelled.items() if word in words)
    return unmeant


def _without_modules(starts: list[int], captures: Captures) -> list[int]:
    """*starts* in order without those that lie in the name of a module."""
    for capture in _MODULES:
        for node in captures.get(capture, ()):
            first = bisect_left(starts, node.start_byte)
            del starts[first : bisect_left(starts, node.end_byte, first)]
    return starts


def _borders(definitions: Sequence[Definition]) -> list[tuple[int, str | None]]:
    """Each offset from which another definition is the innermost one, with its qualified name."""
    borders: list[tuple[int, str | None]] = []
    stack: list[Definition] = []
    for definition in sorted(definitions, key=lambda each: (each.start, -each.end)):
        while stack and stack[-1].end <= definition.start:
            end = stack.pop().end
            borders.append((end, stack[-1].symbol.qualified_name if stack else None))
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
    captures: Captures, source: Source, rules: LanguageRules, tags: dict[int, str]
) -> dict[int, int]:
    """Commands that are the first argument of another one; *tags* learns that they are calls."""
    words = sorted(keywords_at(captures, source).items())
    starts = [start for start, _ in words]
    found: dict[int, int] = {}
    for node in captures.get("reference.argument", ()):
        index = bisect_right(starts, node.start_byte) - 1
        if index >= 0 and words[index][1] in rules.argument_words:
            found[node.start_byte] = node.end_byte
            tags[node.start_byte] = "reference.call"
    return found


def _local_spans(
    captures: Captures, data: bytes, named: Collection[int], rules: LanguageRules
) -> dict[bytes, Spans]:
    """Where each local name hides everything else of its name.

    A binding counts in its innermost scope; one outside all scopes is no local name. A barrier,
    such as the body of a class, keeps what is bound directly in it from being local.
    """
    bindings = sorted(
        (start, node.end_byte)
        for node in captures.get("binding", ())
        if (start := node.start_byte) not in named
    )
    if not bindings:
        return {}
    barriers = {node.start_byte for node in captures.get("local.barrier", ())}
    scopes = sorted(
        (node.start_byte, -node.end_byte)
        for name in ("local.scope", "local.barrier")
        for node in captures.get(name, ())
    )
    scopes.append((len(data) + 1, 0))
    shared = _shared_names(captures, data, scopes)
    hidden: dict[bytes, Spans] = {}
    stack: list[tuple[int, int]] = []
    position = 0
    for start, end in bindings:
        while scopes[position][0] <= start:
            stack.append(scopes[position])
            position += 1
        while stack and -stack[-1][1] <= start:
            stack.pop()
        if not stack or stack[-1][0] in barriers:
            continue
        scope_start, scope_end = stack[-1]
        name = data[start:end]
        if shared and (name, scope_start) in shared:
            continue
        span = (scope_start if rules.hoisted else start, -scope_end)
        known = hidden.get(name)
        if known is None:
            hidden[name] = [span]
        elif known[-1] != span:
            known.append(span)
    return hidden


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


def _references(
    starts: Sequence[int],
    places: dict[int, int],
    tags: dict[int, str],
    hidden: dict[bytes, Spans],
    borders: Sequence[tuple[int, str | None]],
    source: Source,
    rules: LanguageRules,
) -> list[Reference]:
    """The references at *starts*, whose ends are in *places*.

    One loop over millions of names: offsets of lines and of enclosing definitions move along with
    it, and nothing is called for a name that turns out to be local.
    """
    references: list[Reference] = []
    data = source.data + b"\0\0\0"
    size = len(source.data)
    backwards = source.data[::-1]
    receiver = rules.receiver.match
    mark_ends, call_marks = rules.mark_ends, rules.call_marks
    line_starts = [*source.line_starts, size + 1]
    line, line_start, line_end = 1, 0, line_starts[1]
    next_border = iter([*borders, (size + 1, None)]).__next__
    enclosing: str | None = None
    border, inner = next_border()
    names: dict[bytes, str] = {}
    ascii_only = source.is_ascii
    for start in starts:
        tag = tags.get(start)
        raw = data[start : places[start]]
        before = data[start - 1]
        qualifier = None
        shape: Shape = "member" if tag == "reference.member" else "bare"
        if before in mark_ends or (before in _BLANKS and data[start - 2] in _BLANKS):
            found = receiver(backwards, size - start)
            if found is not None:
                shape = "member"
                path = found.group(1)
                qualifier = path[::-1].decode("utf-8", "replace") if path else None
        if shape == "bare" and hidden:
            spans = hidden.get(raw)
            if spans is not None:
                for first, last in spans:
                    if first <= start < last:
                        break
                else:
                    spans = None
                if spans is not None:
                    continue
        relationship: Relationship = "references"
        if tag is None or tag == "reference.member":
            after = places[start]
            while data[after] in b" \t":
                after += 1
            if data[after] in call_marks:
                relationship = "calls"
        elif tag == "reference.type":
            shape = "type"
        elif tag == "reference.inherit":
            relationship, shape = "inherits", "type"
        else:
            relationship = "calls"
        while start >= line_end:
            line += 1
            line_start, line_end = line_end, line_starts[line]
        while start >= border:
            enclosing = inner
            border, inner = next_border()
        name = names.get(raw)
        if name is None:
            name = names[raw] = raw.decode("utf-8", "replace")
        column = start - line_start if ascii_only else source.column_of(start, line)
        references.append(Reference(name, line, column, relationship, enclosing, qualifier, shape))
    return references
