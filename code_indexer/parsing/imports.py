"""Imports and includes: which outside names a file brings in, from which module."""

from bisect import bisect_right
from collections.abc import Callable

from code_indexer.parsing.rules import LanguageRules
from code_indexer.parsing.source import Source
from code_indexer.parsing.symbols import Captures
from code_indexer.types import Reference


def import_references(
    captures: Captures,
    source: Source,
    rules: LanguageRules,
    enclosing: Callable[[int], str | None],
) -> tuple[list[Reference], set[int]]:
    """One reference per imported name and alias, and the bytes at which imports name something."""
    statements = sorted((node.start_byte, node.end_byte) for node in captures.get("import", ()))
    if not statements:
        return [], set()
    starts = [start for start, _ in statements]
    marks: dict[int, list[tuple[int, int, str]]] = {}
    for capture in ("module", "name", "alias"):
        for node in captures.get(f"import.{capture}", ()):
            index = bisect_right(starts, node.start_byte) - 1
            if index >= 0:
                marks.setdefault(index, []).append((node.start_byte, node.end_byte, capture))
    references: list[Reference] = []
    for index, places in marks.items():
        places.sort()
        references.extend(_statement(places, source, rules, enclosing(starts[index])))
    taken = {start for start, _ in statements}
    for start, end in statements:
        taken.update(range(start, end))
    return references, taken


def _statement(
    places: list[tuple[int, int, str]],
    source: Source,
    rules: LanguageRules,
    enclosing: str | None,
) -> list[Reference]:
    """References of one import statement; *places* are its modules, names and aliases in order."""
    names = [place for place in places if place[2] == "name"]
    modules = [source.slice(start, end).strip("\"'<>` ") for start, end, kind in places if kind == "module"]
    module = modules[0] if modules else None
    found: list[Reference] = []
    stands_for = module
    modules_seen = 0
    for start, end, kind in places:
        text = source.slice(start, end).strip("\"'<>` ")
        if kind == "module":
            modules_seen += 1
            stands_for = text
            if names:
                continue
            qualifier: str | None = text
            name = rules.module_name(text)
            shift = source.slice(start, end).rfind(name)
            start += max(0, shift)
        elif kind == "name":
            name, qualifier = text, module
            stands_for = f"{module}:{name}" if module else name
        else:
            name, qualifier = text, stands_for
        line = source.line_of(start)
        found.append(
            Reference(name, line, source.column_of(start, line), "includes", enclosing, qualifier, "import")
        )
    return found
