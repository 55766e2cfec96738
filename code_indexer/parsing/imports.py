"""Imports and includes: which outside names a file brings in, from which module."""

import re
from bisect import bisect_right
from collections.abc import Sequence

from code_indexer.parsing.rules import LanguageRules
from code_indexer.parsing.source import Source
from code_indexer.parsing.symbols import Captures
from code_indexer.types import Reference

Place = tuple[int, int, str]
_TYPE_PART = re.compile(r"\.([A-Z]\w*)")
_QUOTES = "\"'<>` "


def import_references(
    captures: Captures,
    source: Source,
    rules: LanguageRules,
    borders: Sequence[tuple[int, str | None]],
) -> list[Reference]:
    """One reference for each imported name and each alias.

    An alias says what it stands for: ``from x import a as b`` gives ``b`` the qualifier ``x:a``.
    """
    statements = sorted(node.start_byte for node in captures.get("import", ()))
    groups: dict[int, list[Place]] = {start: [] for start in statements}
    for part in ("module", "name", "alias"):
        for node in captures.get(f"import.{part}", ()):
            index = bisect_right(statements, node.start_byte) - 1
            if index >= 0:
                groups[statements[index]].append((node.start_byte, node.end_byte, part))
    references: list[Reference] = []
    for start, places in groups.items():
        index = bisect_right(borders, start, key=lambda border: border[0]) - 1
        enclosing = borders[index][1] if index >= 0 else None
        references += _statement(sorted(places), source, rules, enclosing)
    return references


def _statement(
    places: Sequence[Place], source: Source, rules: LanguageRules, enclosing: str | None
) -> list[Reference]:
    """References of one statement, whose modules, names and aliases are at *places*."""
    named = any(part == "name" for _, _, part in places)
    module = next((_text(source, place) for place in places if place[2] == "module"), None)
    stands_for = module
    found: list[Reference] = []
    for place in places:
        start, end, part = place
        name, qualifier = _text(source, place), stands_for
        if part == "module":
            stands_for = qualifier = name
            if named:
                found += _types_in_module(start, name, source, enclosing)
                continue
            name = rules.module_name(name)
            start += max(0, source.slice(start, end).rfind(name))
        elif part == "name":
            stands_for = f"{module}:{name}" if module else name
            qualifier = module
        line = source.line_of(start)
        column = source.column_of(start, line)
        found.append(Reference(name, line, column, "includes", enclosing, qualifier, "import"))
    return found


def _text(source: Source, place: Place) -> str:
    return source.slice(place[0], place[1]).strip(_QUOTES)


def _types_in_module(
    start: int, module: str, source: Source, enclosing: str | None
) -> list[Reference]:
    """The types that a module's name goes through: ``Outer`` in ``import a.b.Outer.Inner``."""
    found = []
    for part in _TYPE_PART.finditer(module):
        offset = start + part.start(1)
        line = source.line_of(offset)
        column = source.column_of(offset, line)
        before = module[: part.start()] or None
        found.append(Reference(part[1], line, column, "includes", enclosing, before, "import"))
    return found
