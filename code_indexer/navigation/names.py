"""What a user writes to name a symbol: bare, qualified, or by the place where it stands."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from code_indexer.errors import UsageError
from code_indexer.navigation.forms import DATA_KINDS
from code_indexer.navigation.places import parse_place
from code_indexer.storage.structure import FoundSymbol
from code_indexer.types import Symbol

_SEPARATOR = re.compile(r"::|->|[.#\\/]|(?<=\w):(?=[^\W\d])")
_DECORATION = re.compile(r"^[(*&]+(?=\w)|\)(?=\.)|(?<!operator)\(\)$")
_TYPE_ARGUMENTS = re.compile(r"(?:\[[^\[\]]*\]|<[^<>]*>)(?=\)?(?:\.|::))")
_OPERATOR = re.compile(r"(?P<owner>.*(?:::|[.#]))?(?P<name>operator(?:\s*[^\w\s.#:\\].*|\s+\w.*))")
_BRACKETED_OPERATOR = re.compile(r"\((?P<sign>[^\w\s()]+)\)")


@dataclass(frozen=True, slots=True)
class NameQuery:
    """A name as it was asked for."""

    text: str
    name: str
    """The last part."""
    owner: tuple[str, ...] = ()
    """The parts before it."""
    path: str | None = None
    line: int | None = None
    """Set for ``path:line`` alone."""


def parse_name(text: str) -> NameQuery:
    """What *text* asks for.

    Raises:
        UsageError: It is empty, or holds NUL.
    """
    stripped = text.strip()
    if not stripped or "\0" in stripped:
        raise UsageError("the name is empty", hint="Name a symbol: find-symbol Session")
    place = parse_place(stripped)
    if place is not None and any(mark in place.path for mark in "./"):
        return NameQuery(stripped, stripped, path=place.path, line=place.start_line)
    bracketed = _BRACKETED_OPERATOR.fullmatch(stripped)
    if bracketed is not None:
        return NameQuery(bracketed["sign"], bracketed["sign"])
    bare = _DECORATION.sub("", _TYPE_ARGUMENTS.sub("", stripped)) or stripped
    parts = qualified_parts(bare)
    return NameQuery(stripped, parts[-1], parts[:-1])


def qualified_parts(name: str) -> tuple[str, ...]:
    """The parts of a qualified name in any language's notation; an operator is one part."""
    operator = _OPERATOR.fullmatch(name)
    if operator is not None:
        owners = _SEPARATOR.split(operator["owner"] or "")
        return (*(part for part in owners if part), operator["name"])
    parts = tuple(part for part in _SEPARATOR.split(name) if part)
    return parts or (name,)


def matches_owner(query: NameQuery, found: FoundSymbol, *, ignore_case: bool = False) -> bool:
    """Whether the symbol lies where the qualified name says, its outermost parts left open."""
    return has_owners(query, found.symbol, ignore_case=ignore_case)


def has_owners(query: NameQuery, symbol: Symbol, *, ignore_case: bool = False) -> bool:
    """The same of a symbol whose file is not known."""
    if not query.owner:
        return True
    owners, wanted = qualified_parts(symbol.qualified_name)[:-1], query.owner
    if ignore_case:
        owners = tuple(part.lower() for part in owners)
        wanted = tuple(part.lower() for part in wanted)
    return owners[-len(wanted) :] == wanted


def without_documentation(definitions: Iterable[FoundSymbol]) -> list[FoundSymbol]:
    """The definitions in code; those in documentation alone if there are no others."""
    found = list(definitions)
    return [each for each in found if each.content != "docs"] or found


def is_data_member(found: FoundSymbol) -> bool:
    """Whether the symbol is a field, a property, or a member of an enum."""
    return found.symbol.kind in DATA_KINDS and found.symbol.parent is not None


def without_data_members(definitions: Iterable[FoundSymbol]) -> list[FoundSymbol]:
    """The definitions that a bare name means first: fields and the like yield to all others.

    What documentation holds yields too, be it a heading or a sample of code.
    """
    found = without_documentation(definitions)
    return [each for each in found if not is_data_member(each)] or found
