"""A name becomes a place: exact first, then without regard to case, then as part of a name."""

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from code_indexer.errors import UsageError, known_words
from code_indexer.navigation.modules import ModuleMatch, match_module
from code_indexer.navigation.names import (
    NameQuery,
    matches_owner,
    parse_name,
    qualified_parts,
    without_data_members,
    without_documentation,
)
from code_indexer.navigation.packages import in_their_packages
from code_indexer.ranking.paths import path_facts
from code_indexer.storage.manifest import Manifest
from code_indexer.storage.structure import FoundSymbol

SYMBOL_KINDS = (
    "function",
    "method",
    "constructor",
    "class",
    "struct",
    "enum",
    "interface",
    "trait",
    "protocol",
    "type",
    "namespace",
    "module",
    "macro",
    "constant",
    "variable",
    "field",
    "property",
    "section",
)
MAX_SUBSTRING_RESULTS = 100
_SUGGESTIONS = 5
_ALIKE = 0.8
"""How much of two names must agree."""
_WORDS = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")

Match = Literal["exact", "any case", "substring", "place", "none"]


@dataclass(frozen=True, slots=True)
class SymbolAnswer:
    """The symbols of a name, best first."""

    query: str
    match: Match
    """How they were found."""
    results: tuple[FoundSymbol, ...] = ()
    total: int = 0
    """How many there are; for ``substring`` at most ``MAX_SUBSTRING_RESULTS`` are counted."""
    left_out: int = 0
    """Fields, declarations and samples that ``find_definition`` leaves to ``find_symbol``."""
    suggestions: tuple[str, ...] = ()
    """Names that are nearly the one asked for, when nothing matches."""


def find_symbol(
    manifest: Manifest, name: str, *, symbol_type: str | None = None, limit: int = 100
) -> SymbolAnswer:
    """The symbols that *name* may mean.

    Args:
        manifest: Of the project.
        name: Bare, qualified, or ``path:line``.
        symbol_type: Kinds to keep, with commas between.
        limit: How many results at most.

    Raises:
        UsageError: *name* is empty, or *symbol_type* is no kind.
    """
    query = parse_name(name)
    kinds = _checked_kinds(symbol_type)
    if query.path is not None:
        return _answer(query, "place", _at_place(manifest, query, kinds), limit)
    for match, ignore_case in (("exact", False), ("any case", True)):
        found = _kept(named(manifest, query, ignore_case=ignore_case), kinds)
        if found:
            return _answer(query, "exact" if match == "exact" else "any case", found, limit)
    similar = _kept(_substring(manifest, query), kinds)
    if similar:
        return _answer(query, "substring", similar, limit, keep_order=True)
    return SymbolAnswer(query.text, "none", suggestions=suggest_names(manifest, query))


def find_definition(
    manifest: Manifest, name: str, *, symbol_type: str | None = None, limit: int = 100
) -> SymbolAnswer:
    """The definitions of exactly this name.

    Forward declarations are left out when there is a definition, and fields, properties and members
    of enums when something else has the name too, unless *symbol_type* or an owner asks for them.

    Raises:
        UsageError: *name* is empty, or *symbol_type* is no kind.
    """
    query = parse_name(name)
    kinds = _checked_kinds(symbol_type)
    if query.path is not None:
        return _answer(query, "place", _at_place(manifest, query, kinds), limit)
    found = _kept(named(manifest, query, ignore_case=False), kinds)
    if not found:
        return SymbolAnswer(query.text, "none", suggestions=suggest_names(manifest, query))
    chosen = without_documentation(found)
    if not kinds and not query.owner:
        chosen = without_data_members(found)
    chosen = [each for each in chosen if not each.symbol.is_declaration] or chosen
    answer = _answer(query, "exact", chosen, limit)
    left_out = len(found) - len(chosen)
    return SymbolAnswer(answer.query, "exact", answer.results, answer.total, left_out)


def suggest_names(manifest: Manifest, query: NameQuery) -> tuple[str, ...]:
    """Names of the project that look like the one asked for."""
    words = sorted(_WORDS.findall(query.name), key=len, reverse=True)[:2]
    pieces = dict.fromkeys([*words, query.name[:4], query.name[-4:]])
    names: dict[str, str] = {}
    for piece in pieces:
        if len(piece) > 2:
            for each in manifest.symbols_like(piece, limit=MAX_SUBSTRING_RESULTS):
                names.setdefault(each.symbol.name.lower(), each.symbol.name)
    close = difflib.get_close_matches(query.name.lower(), names, n=_SUGGESTIONS, cutoff=_ALIKE)
    return tuple(names[each] for each in close)


def best_first(found: Iterable[FoundSymbol]) -> list[FoundSymbol]:
    """Definitions before declarations, product code before tests, generated code last."""
    return sorted(found, key=_rank)


def _rank(found: FoundSymbol) -> tuple[bool, int, bool, str, int]:
    symbol = found.symbol
    classes = path_facts(found.path).classes
    if "generated" in classes or "vendored" in classes:
        place = 3
    elif symbol.is_test or "test" in classes or found.content == "docs":
        place = 2
    else:
        place = 1 if "example" in classes or "legacy" in classes else 0
    return symbol.is_declaration, place, symbol.parent is not None, found.path, symbol.name_line


def _answer(
    query: NameQuery,
    match: Match,
    found: Sequence[FoundSymbol],
    limit: int,
    *,
    keep_order: bool = False,
) -> SymbolAnswer:
    ordered = list(found) if keep_order else best_first(found)
    return SymbolAnswer(query.text, match, tuple(ordered[:limit]), len(ordered))


def named(manifest: Manifest, query: NameQuery, *, ignore_case: bool) -> list[FoundSymbol]:
    """Symbols of this name; a name that holds a separator may also be one name as it stands.

    What stands before the name are its owners, or else the package or module that defines it.
    """
    whole = manifest.symbols_named(query.text, ignore_case=ignore_case)
    if whole or query.text == query.name:
        return whole
    found = manifest.symbols_named(query.name, ignore_case=ignore_case)
    owned = [each for each in found if matches_owner(query, each, ignore_case=ignore_case)]
    return (
        owned
        or in_their_packages(manifest, query, found, ignore_case=ignore_case)
        or [each for each in found if _in_module(query, each, ignore_case=ignore_case)]
    )


def _in_module(query: NameQuery, found: FoundSymbol, *, ignore_case: bool) -> bool:
    """Whether the outer parts of the name are the file, or a folder that it lies in."""
    owners = qualified_parts(found.symbol.qualified_name)[:-1]
    module = query.owner[: len(query.owner) - len(owners)]
    inner = NameQuery(query.text, query.name, query.owner[len(module) :])
    if not module or not matches_owner(inner, found, ignore_case=ignore_case):
        return False
    name, path = "/".join(module), found.path
    if ignore_case:
        name, path = name.lower(), path.lower()
    return match_module(name, "", path) is not ModuleMatch.NONE


def _substring(manifest: Manifest, query: NameQuery) -> list[FoundSymbol]:
    found = manifest.symbols_like(query.name, limit=MAX_SUBSTRING_RESULTS)
    return [each for each in found if matches_owner(query, each)]


def _at_place(manifest: Manifest, query: NameQuery, kinds: frozenset[str]) -> list[FoundSymbol]:
    """What is defined at ``path:line``: a name on the line itself, or what encloses it."""
    record = manifest.file(query.path or "")
    if record is None or query.line is None:
        return []
    symbols = manifest.symbols_of_file(record.file_id)
    named = [symbol for symbol in symbols if symbol.name_line == query.line]
    around = manifest.symbol_at(record.path, query.line)
    chosen = named or ([around] if around else [])
    found = [
        FoundSymbol(record.file_id, record.path, record.language, record.content, symbol)
        for symbol in chosen
    ]
    return _kept(found, kinds)


def _kept(found: Iterable[FoundSymbol], kinds: frozenset[str]) -> list[FoundSymbol]:
    return [each for each in found if not kinds or each.symbol.kind in kinds]


def _checked_kinds(symbol_type: str | None) -> frozenset[str]:
    kinds = frozenset(part.strip().lower() for part in (symbol_type or "").split(",") if part)
    unknown = sorted(kinds.difference(SYMBOL_KINDS))
    if unknown:
        raise UsageError(
            f"no such symbol type: {', '.join(unknown)}",
            hint=known_words(unknown, SYMBOL_KINDS),
        )
    return kinds
