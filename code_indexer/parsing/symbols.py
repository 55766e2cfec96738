"""Definitions: what a file's captures say is defined where, under which name."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tree_sitter import Node

from code_indexer.parsing.documentation import doc_comment_above, first_sentence
from code_indexer.parsing.rules import KIND_ORDER, LanguageRules
from code_indexer.parsing.signatures import signature_at
from code_indexer.parsing.source import Source
from code_indexer.types import Symbol

_MAX_HEADER = 4_000
_CLASS_PARTS = (b"public:", b"private:", b"protected:")
_ONLY_WORDS = re.compile(rb"[\w \t]*")
_OPERATOR = re.compile(r"\boperator\b.*", re.DOTALL)
_PLAIN_OWNER = re.compile(r"(?:::)?\w+(?:\s*::\s*\w+)*")
_DEFINING = frozenset({"definition", "declaration"})
_SPACES = frozenset(b" \t\r\n")
_NAMED_ONCE = frozenset({"namespace", "class"})
_CALLABLES = frozenset({"function", "method", "constructor"})
_MIXED = frozenset({"function", "variable"})
_BESIDE_ALIASES = frozenset({"struct", "enum", "function", "variable"})
"""Kinds of what is written in a declaration of a type or variable and does not belong to it."""
_HOLDS_TYPES = frozenset({"type", "field", "variable"})
Captures = Mapping[str, Sequence[Node]]


class Definition(NamedTuple):
    """A symbol with the bytes of its whole definition."""

    start: int
    end: int
    name_start: int
    name_end: int
    symbol: Symbol


@dataclass(slots=True)
class _Container:
    """A node that may hold other definitions: a definition itself, or an unnamed scope."""

    start: int
    end: int
    kind: str | None
    """None for a scope that lends its name and is no symbol, such as a Rust ``impl``."""
    is_void: bool = False
    """It looks like a definition, but the word that begins it is another: what it names is lost."""
    is_declaration: bool = False
    is_alias: bool = False
    """A type, or a field of one, that a ``struct x`` written in it does not belong to."""
    names: list[tuple[int, int]] = field(default_factory=list)
    owner: str = ""
    """What the definition itself writes before its name: a Go receiver, a C++ class."""
    docstring: str = ""
    is_single: bool = False
    """Of the names in it, the first is the one defined."""
    is_mixed: bool = False
    """One declaration of C names variables and functions."""
    lead: str = ""
    """What the qualified name begins with although it is no owner: Terraform's ``var.``."""
    sign: int = -1
    """Where a part of the name stands that is no part of its node: the ``~`` of a destructor."""
    parent: "_Container | None" = None
    qualified: str = ""
    resolved_kind: str = ""


def extract_definitions(
    captures: Captures, source: Source, rules: LanguageRules, path: str
) -> list[Definition]:
    """Every definition among *captures*, in order of place."""
    containers = _containers(captures, source, rules)
    _fill(containers, captures, source, rules)
    extents = _extents(captures)
    test_file = rules.is_test_path(path)
    definitions: list[Definition] = []
    for container in containers:
        name = source.slice(*container.names[0]) if container.names else ""
        container.resolved_kind = _kind(container, name, rules)
        if container.is_void or not container.names or name in rules.statement_words:
            continue
        parent, prefix = _surroundings(container, rules)
        cleaned = rules.owner_name(name) if container.kind is None else rules.clean_name(name)
        prefix = container.lead + prefix
        container.qualified = prefix + cleaned
        if container.kind is not None:
            start = _widened(container, extents, source) if extents else container.start
            definitions += _definitions(
                container, parent, prefix, start, source, rules, test_file=test_file
            )
    return definitions


def joined_clauses(symbols: Sequence[Symbol]) -> list[Symbol]:
    """*symbols* with those joined that follow each other under one name."""
    joined: list[Symbol] = []
    for symbol in symbols:
        last = joined[-1] if joined else None
        if last is not None and last.qualified_name == symbol.qualified_name:
            joined[-1] = last._replace(end_line=symbol.end_line)
        else:
            joined.append(symbol)
    return joined


def _extents(captures: Captures) -> dict[int, list[int]]:
    """Where nodes that belong to a definition begin, by where both end, outermost first."""
    extents: dict[int, list[int]] = {}
    for start, end in sorted(
        (node.start_byte, node.end_byte) for node in captures.get("extent", ())
    ):
        extents.setdefault(end, []).append(start)
    return extents


def _widened(container: _Container, extents: dict[int, list[int]], source: Source) -> int:
    """Where *container* begins with the extents around it, which are used up.

    Else the last method of a decorated class, which ends where the class ends, would take its.
    """
    widened = container.start
    ends = [container.end]
    if source.data[container.end : container.end + 1] == b";":
        ends.append(container.end + 1)
    for end in ends:
        around = extents.get(end, [])
        while around and around[0] < container.start:
            widened = min(widened, around.pop(0))
    return widened


def _containers(captures: Captures, source: Source, rules: LanguageRules) -> list[_Container]:
    """Definitions and scopes, outer before inner, one for each range."""
    words = keywords_at(captures, source) if rules.keywords else {}
    are_kept = rules.keywords or rules.imports_are_definitions
    imports = {} if are_kept else imported_declarations(captures, source, rules)
    # By start and, as the outer comes first, the negative of the end.
    found: dict[tuple[int, int], _Container] = {}
    for capture, nodes in captures.items():
        group, _, kind = capture.partition(".")
        if group not in _DEFINING:
            continue
        declared = group == "declaration"
        alias = kind in _HOLDS_TYPES and rules.types_are_aliases
        for node in nodes:
            start, end = node.start_byte, node.end_byte
            place = (start, -end)
            if kind != "keyword" and start in imports:
                continue
            if alias and kind == "variable" and _is_torn(node, source):
                continue
            if kind == "keyword":
                word = rules.keywords.get(words.get(start, ""))
                kind_or_scope = None if word == "scope" else word
                container = _Container(start, end, kind_or_scope, word is None)
                container.lead = rules.keyword_leads.get(words.get(start, ""), "")
                container.is_single = words.get(start) in rules.single_words
                found[place] = container
                continue
            known = found.get(place)
            is_mixed = (
                rules.types_are_aliases and known is not None and {kind, known.kind} == _MIXED
            )
            if known is None or KIND_ORDER.index(kind) < KIND_ORDER.index(known.kind or kind):
                found[place] = _Container(start, end, kind, kind == "void", declared, alias)
            elif declared:
                known.is_declaration = True
            if is_mixed:
                found[place].is_mixed = found[place].is_alias = True
    for node in captures.get("scope", ()):
        start, end = node.start_byte, node.end_byte
        found.setdefault((start, -end), _Container(start, end, None))
    containers = [found[place] for place in sorted(found)]
    if "tail" in captures:
        _lengthen(containers, captures["tail"], source)
    return containers


def _is_torn(node: Node, source: Source) -> bool:
    """Whether a declaration of C has no end: two words that the grammar does not know as macros."""
    return node.type == "declaration" and not source.data.endswith(b";", 0, node.end_byte)


def _lengthen(containers: Sequence[_Container], tails: Sequence[Node], source: Source) -> None:
    """Let what stands directly before one of *tails* end where that ends."""
    ends: dict[int, int] = {}
    for start, end in sorted(((node.start_byte, node.end_byte) for node in tails), reverse=True):
        before = start
        while before and source.data[before - 1] in _SPACES:
            before -= 1
        ends[before] = ends.get(end, end)
    for container in containers:
        container.end = ends.get(container.end, container.end)


def _fill(
    containers: Sequence[_Container], captures: Captures, source: Source, rules: LanguageRules
) -> None:
    """Give each container its parent, its names, its owner and its docstring.

    Each of these belongs to the innermost container around it.
    """
    marks = sorted(
        {
            (node.start_byte, node.end_byte, capture)
            for capture in ("name", "owner", "qualified", "doc", "sign")
            for node in captures.get(capture, ())
        }
    )
    stack: list[_Container] = []
    position = 0
    for start, end, capture in marks:
        while position < len(containers) and containers[position].start <= start:
            position = _push(containers, position, stack)
        while stack and stack[-1].end <= start:
            stack.pop()
        if not stack:
            continue
        innermost = stack[-1]
        if innermost.is_void and innermost.start == start and len(stack) > 1:
            # It is the word that this call begins with, so the call around it is meant.
            innermost = stack[-2]
        if innermost.is_void or (capture != "doc" and _is_named(innermost)):
            continue
        if capture == "name":
            innermost.names.append((innermost.sign, end) if innermost.sign >= 0 else (start, end))
        elif capture == "sign":
            innermost.sign = start
        elif capture == "owner":
            innermost.owner = rules.owner_name(source.slice(start, end))
        elif capture == "qualified":
            innermost.owner = _owner(source.slice(start, end), rules)
        elif not innermost.docstring:
            text = source.slice(start, end)
            if text.startswith(rules.doc_word):
                innermost.docstring = text.removeprefix(rules.doc_word).lstrip()
    while position < len(containers):
        position = _push(containers, position, stack)


def _is_named(container: _Container) -> bool:
    """Whether a name inside is not its own: a namespace has one, what a macro expands to many.

    In the body of a C++ function, `Thing one(size);` reads like the declaration of another one.
    """
    is_function = container.kind == "function" and not container.is_declaration
    return bool(container.names) and (
        is_function or container.is_single or container.kind in _NAMED_ONCE
    )


def _owner(qualified: str, rules: LanguageRules) -> str:
    """What stands before the last name of a qualified one; ``::`` may stand in its arguments."""
    head = _OPERATOR.sub("operator", qualified)
    owner = rules.owner_name(rules.owner_name(head).rpartition("::")[0])
    # Where the grammar lost its way, a qualified name may begin anywhere.
    return owner if _PLAIN_OWNER.fullmatch(owner) is not None else ""


def _push(containers: Sequence[_Container], position: int, stack: list[_Container]) -> int:
    container = containers[position]
    while stack and stack[-1].end <= container.start:
        stack.pop()
    parent = stack[-1] if stack else None
    while parent is not None and parent.is_void:
        parent = parent.parent
    container.parent = parent
    stack.append(container)
    return position + 1


def _kind(container: _Container, name: str, rules: LanguageRules) -> str:
    """The kind, once the enclosing definition is known: a function in a class is a method."""
    kind = container.kind or "scope"
    parent = container.parent
    inside = parent.resolved_kind if parent is not None else ""
    owned = bool(container.owner) and not rules.owners_are_namespaces
    if kind == "function" and (owned or inside in rules.method_parents):
        kind = "method"
    if not container.names:
        return kind
    if kind == "method" and (
        name in rules.constructors
        or (rules.constructor_is_class_name and _owner_ends(container, name))
    ):
        return "constructor"
    if kind == "variable" and rules.upper_is_constant and name.isupper():
        return "constant"
    return kind


def _owner_ends(container: _Container, name: str) -> bool:
    """Whether the class around a method, or the one that it names, is called *name*."""
    parent = container.parent
    if parent is not None and parent.kind in _CALLABLES and not container.owner:
        return False  # in a class without a name that the function makes
    owner = container.owner or (parent.qualified if parent else "")
    return owner == name or owner.endswith((f"::{name}", f".{name}"))


def _surroundings(container: _Container, rules: LanguageRules) -> tuple[str | None, str]:
    """Qualified name of what encloses a definition, and what stands before its own name in it."""
    outer = _outer(container, rules)
    parent = None if outer is None else outer.qualified
    if container.owner:
        parent = container.owner if parent is None else parent + rules.separator + container.owner
    if parent is None:
        return None, ""
    return parent, parent + _separator(outer, container, rules)


def _outer(container: _Container, rules: LanguageRules) -> _Container | None:
    """What encloses a definition and has a name.

    A field in a constructor belongs to the class; one in a struct that a function makes, to that.
    """
    outer = container.parent
    is_field = container.kind in {"property", "field"}
    while outer is not None and (
        not outer.qualified
        or (is_field and outer.kind in _CALLABLES)
        or (outer.is_alias and container.kind in _BESIDE_ALIASES)
        or (outer.kind == "field" and rules.fields_own_nothing)
    ):
        is_field = is_field and outer.kind is not None
        outer = outer.parent
    return outer


def _separator(outer: _Container | None, container: _Container, rules: LanguageRules) -> str:
    """What stands between a definition and its owner: members may have a sign of their own."""
    in_namespace = outer is not None and outer.kind == "namespace" and not container.owner
    is_member = container.resolved_kind in rules.member_kinds
    if rules.member_separator and is_member and not in_namespace:
        return rules.member_separator
    return rules.separator


def _definitions(
    container: _Container,
    parent: str | None,
    prefix: str,
    start: int,
    source: Source,
    rules: LanguageRules,
    *,
    test_file: bool,
) -> list[Definition]:
    """One definition for each name of *container*."""
    data, line_starts = source.data, source.line_starts
    code_line = bisect_right(line_starts, start)
    # Of a line of a megabyte, with a definition every few characters, a little is enough.
    before = data[max(line_starts[code_line - 1], start - _MAX_HEADER) : start]
    header_start = start
    comment = None
    if not before or before.isspace():
        comment = doc_comment_above(source, code_line, rules)
    elif _ONLY_WORDS.fullmatch(before):
        # A grammar may leave `pub` outside of what it makes public.
        header_start -= len(before)
    start_line, above, attributes = (code_line, "", "") if comment is None else comment
    end_line = bisect_right(line_starts, max(container.start, container.end - 1))
    header_end = min(container.names[0][0], header_start + _MAX_HEADER)
    header = source.slice(header_start, header_end)
    definitions = []
    for name_start, name_end in container.names:
        name = rules.clean_name(source.slice(name_start, name_end))
        if not name or name in rules.blank_names:
            continue
        kind, is_declaration = container.resolved_kind, container.is_declaration
        if container.is_mixed:
            is_function = data[name_end : name_end + 8].lstrip().startswith(b"(")
            kind = "function" if is_function else "variable"
            is_declaration = is_function or "extern" in header.split()
        path, dot, last = name.rpartition(".") if rules.names_are_paths else ("", "", name)
        name_line = bisect_right(line_starts, name_start)
        symbol = Symbol(
            last,
            prefix + name,
            kind,
            start_line,
            end_line,
            name_line,
            parent if not dot else prefix + path,
            _visibility(container, name, header, source, rules),
            test_file or rules.is_test(name, header, parent, attributes),
            is_declaration,
            signature_at(
                source,
                max(line_starts[name_line - 1], start),
                container.end,
                name_start,
                kind,
                rules.body_mark,
            ),
            first_sentence(container.docstring or above),
        )
        definitions.append(Definition(start, container.end, name_start, name_end, symbol))
    return definitions


def _visibility(
    container: _Container, name: str, header: str, source: Source, rules: LanguageRules
) -> str | None:
    """What the definition states, or the part of the class that it stands in."""
    outer = container.parent
    if not rules.classes_have_parts or outer is None or outer.kind not in {"class", "struct"}:
        return rules.visibility(name, header, container.resolved_kind)
    parts = [(source.data.rfind(part, outer.start, container.start), part) for part in _CLASS_PARTS]
    place, part = max(parts)
    if place >= 0:
        return part.decode().rstrip(":")
    return "private" if outer.kind == "class" else "public"


def keywords_at(captures: Captures, source: Source) -> dict[int, str]:
    """The words that may begin a definition or an import, by the offset of their first byte."""
    if source.words is None:
        source.words = {
            node.start_byte: source.slice(node.start_byte, node.end_byte).partition(" ")[0]
            for node in captures.get("keyword", ())
        }
    return source.words


def imported_declarations(
    captures: Captures, source: Source, rules: LanguageRules
) -> dict[int, int]:
    """Start and end of what imports with a word of its own; it is no definition.

    ``const names = require("module")`` binds names as an import does.
    """
    if not rules.import_words or "import.keyword" not in captures:
        return {}
    words = keywords_at(captures, source)
    starts: list[int] = []
    found: dict[int, int] = {}
    for node in captures["import.keyword"]:
        start, end = node.start_byte, node.end_byte
        word = words.get(start)
        if word is None:
            starts = starts or sorted(words)
            index = bisect_left(starts, start)
            word = words[starts[index]] if index < len(starts) and starts[index] < end else ""
        if word in rules.import_words:
            found[start] = max(end, found.get(start, 0))
    return found
