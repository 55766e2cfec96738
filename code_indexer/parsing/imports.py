"""Imports and includes: which outside names a file brings in, from which module."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple

from code_indexer.parsing.rules import LanguageRules
from code_indexer.parsing.source import Source
from code_indexer.parsing.symbols import Captures, imported_declarations
from code_indexer.types import Reference

Place = tuple[int, int, str]
_PARTS = ("module", "name", "alias", "path", "package", "everything")
_MODULES = frozenset({"module", "package"})
_QUOTES = "\"'<>` "
_TYPE_PART = re.compile(r"\.([A-Z]\w*)")
_PATH_END = re.compile(r"(?:::|[.\\/])(?=[^.:\\/]+$)")
_TREE_TOKEN = re.compile(r"[\w$*]+|=>|[{},]|::|\.")
_WILDCARDS = frozenset({"*", "_"})
_TREE_HEAD = re.compile(r"\s*(?:pub(?:\([^)]*\))?\s+)?(?:use|import)\s+")


class _Imported(NamedTuple):
    """One name that an import gives to the file."""

    name: str
    offset: int
    qualifier: str


def import_references(
    captures: Captures,
    source: Source,
    rules: LanguageRules,
    borders: Sequence[tuple[int, str | None]],
) -> tuple[list[Reference], list[tuple[int, int]]]:
    """One reference for each imported name and each alias, and where imports name something.

    An alias says what it stands for: ``from x import a as b`` gives ``b`` the qualifier ``x:a``.
    An import of everything is one of ``*``.
    """
    found: list[_Imported] = []
    spans: list[tuple[int, int]] = []
    for places in _statements(captures, source, rules):
        found += _statement(places, source, rules)
        spans += [(start, end) for start, end, _ in places]
    for node in captures.get("import.tree", ()):
        start, end = node.start_byte, node.end_byte
        found += _tree(source.slice(start, end), start)
        spans.append((start, end))
    references = []
    border_starts = [start for start, _ in borders]
    for name, offset, qualifier in sorted(found, key=itemgetter(1)):
        if not name.strip():
            continue
        index = bisect_right(border_starts, offset) - 1
        enclosing = borders[index][1] if index >= 0 else None
        line = source.line_of(offset)
        column = source.column_of(offset, line)
        references.append(Reference(name, line, column, "includes", enclosing, qualifier, "import"))
    return references, spans


def _statements(captures: Captures, source: Source, rules: LanguageRules) -> Iterator[list[Place]]:
    """The parts of each import statement, in order."""
    statements = {node.start_byte: node.end_byte for node in captures.get("import", ())}
    statements |= imported_declarations(captures, source, rules)
    starts: list[int] = []
    for start in sorted(statements):
        # A call that a declaration imports with is a part of it.
        if not starts or statements[starts[-1]] <= start:
            starts.append(start)
    groups: dict[int, list[Place]] = {start: [] for start in starts}
    for part in _PARTS:
        for node in captures.get(f"import.{part}", ()):
            index = bisect_right(starts, node.start_byte) - 1
            if index >= 0 and node.end_byte <= statements[starts[index]]:
                groups[starts[index]].append((node.start_byte, node.end_byte, part))
    for places in groups.values():
        yield sorted(places)


def _statement(
    places: Sequence[Place], source: Source, rules: LanguageRules
) -> Iterator[_Imported]:
    """What one statement imports, whose modules, names and aliases are at *places*."""
    parts = [part for _, _, part in places]
    named = "name" in parts
    packages = {places[at][0] for at, part in enumerate(parts) if part == "package"}
    texts = [_without_quotes(source.slice(start, end)) for start, end, _ in places]
    module = next((text for text, part in zip(texts, parts, strict=True) if part in _MODULES), "")
    stands_for = module
    if named and "alias" in parts[: parts.index("name")]:
        # `const alias = require("module").name`
        stands_for = f"{module}:{texts[parts.index('name')]}"
    own_name = "" if named else rules.module_name(module)
    is_hidden = False
    for (start, end, part), text in zip(places, texts, strict=True):
        if part == "path" and start not in packages:
            before, name = _split_path(text)
            stands_for = f"{before}:{name}"
            yield _Imported(name, start + text.rfind(name), before)
        elif part in _MODULES:
            stands_for = text
            if named:
                yield from _types_in_module(start, text)
                continue
            name = rules.module_name(text)
            yield _Imported(name, start + max(0, source.slice(start, end).rfind(name)), text)
        elif part == "name" and is_hidden:
            continue
        elif part == "name":
            stands_for = f"{module}:{text}" if module else text
            yield _Imported(text, start, module or text)
        elif part == "alias" and text in (stands_for.rpartition(":")[2], own_name):
            # `from a import b as b` says that others may import it from here.
            continue
        elif part == "alias":
            yield _Imported(text, start, stands_for)
        elif part == "everything":
            yield _Imported("*", start, module)
            # Haskell names behind `hiding` what it does not import.
            is_hidden = True


def _without_quotes(text: str) -> str:
    """*text* without quotes around it; a sign at its end alone is a part of the name."""
    if text[:1] in _QUOTES:
        return text.strip(_QUOTES)
    return text.partition("<")[0] if text.endswith(">") else text


def _split_path(path: str) -> tuple[str, str]:
    found = _PATH_END.search(path)
    return (path[: found.start()], path[found.end() :]) if found else (path, path)


def _types_in_module(start: int, module: str) -> Iterator[_Imported]:
    """The types that a module's name goes through: ``Outer`` in ``import a.b.Outer.Inner``."""
    for part in _TYPE_PART.finditer(module):
        yield _Imported(part[1], start + part.start(1), module[: part.start()])


def _tree(text: str, offset: int) -> Iterator[_Imported]:
    """What an import with nested braces gives: ``use a::{b::{self, C as D}, e::*}``."""
    head = _TREE_HEAD.match(text)
    begin = head.end() if head else 0
    separator = "::" if "::" in text else "."
    prefixes: list[list[str]] = [[]]
    path: list[str] = []
    last: _Imported | None = None
    at = begin
    # After an alias or a closing brace, what was named has been given already.
    given = False
    for token in _TREE_TOKEN.finditer(text, begin):
        word = token.group()
        if word in {"as", "=>", ",", "}", "{"}:
            leaf = None
            if word != "{" and not given:
                leaf = _leaf(prefixes[-1], path, offset + at, separator)
            if leaf is not None:
                yield leaf
                last = leaf
            if word == "{":
                prefixes.append([*prefixes[-1], *path])
            elif word == "}" and len(prefixes) > 1:
                prefixes.pop()
            path, given = [], word not in {",", "{"}
        elif word not in {"::", "."}:
            if word != "self":
                at = token.start()
            if given and last is not None:
                yield _Imported(word, offset + at, f"{last.qualifier}:{last.name}")
            path.append(word)
    leaf = None if given else _leaf(prefixes[-1], path, offset + at, separator)
    if leaf is not None:
        yield leaf


def _leaf(
    prefix: Sequence[str], path: Sequence[str], offset: int, separator: str
) -> _Imported | None:
    """The import that ends a path; ``self`` means the module before it."""
    if not path:
        return None
    parts = [*prefix, *path]
    if parts[-1] in _WILDCARDS:
        return _Imported("*", offset, separator.join(parts[:-1]))
    if parts[-1] == "self" and len(parts) > 1:
        parts.pop()
        return _Imported(parts[-1], offset, separator.join(parts))
    return _Imported(parts[-1], offset, separator.join(parts[:-1]) or parts[-1])
