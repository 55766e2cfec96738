"""A name becomes the places that use it, grouped by the definition that each most likely means."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from code_indexer.navigation.aliases import uses_of_aliases
from code_indexer.navigation.confidence import CONFIDENCE_ORDER
from code_indexer.navigation.hierarchy import Hierarchy
from code_indexer.navigation.knowledge import Knowledge
from code_indexer.navigation.modules import may_be_known, names_of_modules
from code_indexer.navigation.names import NameQuery, parse_name, without_data_members
from code_indexer.navigation.outside import uses_from_outside
from code_indexer.navigation.packages import package_of_file
from code_indexer.navigation.receivers import field_type
from code_indexer.navigation.resolution import ResolvedReference, resolve_references
from code_indexer.navigation.symbols import best_first, find_symbol, named, suggest_names
from code_indexer.ranking.paths import path_facts
from code_indexer.storage.manifest import Manifest
from code_indexer.storage.structure import FoundReference, FoundSymbol
from code_indexer.types import Confidence, Reference, Relationship, Symbol

_ALL_FILES = 10_000_000
_MACRO_DEPTH = 2
_C_LANGUAGES = frozenset({"c", "cpp", "objc", "cuda"})


@dataclass(frozen=True, slots=True)
class FoundUse:
    """One place that uses a name."""

    found: FoundReference
    confidence: Confidence
    definitions: tuple[FoundSymbol, ...]
    """What it means; several where they are as likely, none for a name from outside."""
    through: str | None = None
    """The macro that brings the name in, where the place itself does not hold it."""


@dataclass(frozen=True, slots=True)
class ReferencesAnswer:
    """The uses of a name, surest first."""

    query: str
    results: tuple[FoundUse, ...] = ()
    definitions: tuple[FoundSymbol, ...] = ()
    """What the name means in this project."""
    total: int = 0
    by_relationship: Mapping[str, int] = field(default_factory=dict)
    by_confidence: Mapping[str, int] = field(default_factory=dict)
    left_out: int = 0
    """Uses of fields and the like that share the name; their owner's name before it gives them."""
    suggestions: tuple[str, ...] = ()


def find_references(
    manifest: Manifest, name: str, *, relationship: Relationship | None = None, limit: int = 25
) -> ReferencesAnswer:
    """The places that use *name*: bare, qualified, or ``path:line`` of its definition.

    A name that the project does not define may be one from outside: its uses have no definition.

    Raises:
        UsageError: *name* is empty.
    """
    query = parse_name(name)
    uses: list[FoundUse] = []
    left_out = 0
    if query.path is not None:
        chosen = list(find_symbol(manifest, name).results)
    else:
        chosen = _definitions(manifest, query)
    wanted = chosen if query.owner or query.path else without_data_members(chosen)
    if chosen:
        uses, left_out = _meant(_uses_of(manifest, chosen[0].symbol.name), wanted)
    elif query.path is None:
        found = uses_from_outside(manifest, query)
        uses = [FoundUse(place, confidence, ()) for place, confidence in found]
    if not chosen and not uses:
        return ReferencesAnswer(query.text, suggestions=suggest_names(manifest, query))
    kept = sorted((use for use in uses if _is_wanted(use, relationship)), key=_rank)
    return ReferencesAnswer(
        query.text,
        tuple(kept[:limit]),
        tuple(best_first(wanted)),
        len(kept),
        Counter(use.found.reference.relationship for use in kept),
        Counter(use.confidence for use in kept),
        left_out,
    )


def _definitions(manifest: Manifest, query: NameQuery) -> list[FoundSymbol]:
    found = named(manifest, query, ignore_case=False)
    return found or named(manifest, query, ignore_case=True)


def _uses_of(manifest: Manifest, name: str) -> list[FoundUse]:
    definitions = manifest.symbols_named(name)
    references = list(manifest.references_named(name))
    resolved = resolve_references(definitions, references, _knowledge(manifest))
    uses = [FoundUse(each.found, each.confidence, each.definitions) for each in resolved]
    uses += _through_aliases(manifest, resolved)
    return uses + _through_macros(manifest, resolved)


def _through_aliases(manifest: Manifest, resolved: Iterable[ResolvedReference]) -> list[FoundUse]:
    """What files use under the alias that they import it by, where the import says what it means.

    They are likely at most: the place itself holds another name.
    """
    found: dict[tuple[int, int, int], FoundUse] = {}
    imports_of = cache(manifest.imports_of)
    for each in resolved:
        if each.found.reference.shape != "import" or each.confidence == "heuristic":
            continue
        for place in uses_of_aliases(each.found, imports_of, manifest.references_of_file):
            key = (place.file_id, place.reference.line, place.reference.column)
            found[key] = FoundUse(place, "likely", each.definitions)
    return list(found.values())


def _knowledge(manifest: Manifest) -> Knowledge:
    """What the manifest knows of the project, each thing read when it is first asked for."""
    symbols_named = cache(manifest.symbols_named)

    @cache
    def module_names() -> frozenset[str]:
        return names_of_modules(manifest.paths(_ALL_FILES))

    return Knowledge(
        imports_of=manifest.imports_of,
        knows_module=lambda module: may_be_known(module, module_names()),
        package_of=lambda definition: package_of_file(manifest, definition),
        field_type=lambda receiver, found: field_type(receiver, found, symbols_named),
        hierarchy=Hierarchy(symbols_named, manifest.references_of_file),
    )


def _meant(uses: Sequence[FoundUse], wanted: Sequence[FoundSymbol]) -> tuple[list[FoundUse], int]:
    """The uses that may mean one of *wanted*, and how many mean something else alone."""
    chosen = set(wanted)
    # Uses of one meaning share their definitions, which are many for a common name.
    fitting: dict[int, tuple[FoundSymbol, ...]] = {}
    kept = []
    for use in uses:
        key = id(use.definitions)
        if key not in fitting:
            fitting[key] = tuple(each for each in use.definitions if each in chosen)
        if fitting[key]:
            kept.append(FoundUse(use.found, use.confidence, fitting[key], use.through))
    return kept, len(uses) - len(kept)


def _is_wanted(use: FoundUse, relationship: Relationship | None) -> bool:
    return relationship in (None, use.found.reference.relationship)


def _rank(use: FoundUse) -> tuple[int, bool, bool, str, int, int]:
    found = use.found
    return (
        CONFIDENCE_ORDER[use.confidence],
        use.through is not None,
        not path_facts(found.path).classes.isdisjoint({"test", "generated", "vendored"}),
        found.path,
        found.reference.line,
        found.reference.column,
    )


def _through_macros(manifest: Manifest, resolved: Iterable[ResolvedReference]) -> list[FoundUse]:
    """Uses of the C macros whose bodies name what is looked for, and of macros that use those.

    Which of several definitions of a macro is in force is unknown: every one must name it.
    """
    found: list[FoundUse] = []
    seen: set[str] = set()
    pending = [(each.found, each.definitions) for each in resolved if _may_be_expanded(each)]
    for _ in range(_MACRO_DEPTH):
        following = []
        for macro, definitions in _macros_around(manifest, pending):
            if macro.name in seen:
                continue
            seen.add(macro.name)
            for use in manifest.references_named(macro.name):
                if use.language not in _C_LANGUAGES or use.reference.shape == "import":
                    continue
                following.append((use, definitions))
                if _expands(macro, use.reference) and not _lies_in_macro(manifest, use):
                    found.append(FoundUse(use, "likely", definitions, macro.name))
        pending = following
    return found


def _may_be_expanded(resolved: ResolvedReference) -> bool:
    """Whether the place may lie in the body of a macro, and names no macro itself."""
    return (
        resolved.found.language in _C_LANGUAGES
        and resolved.found.reference.preprocessed
        and any(each.symbol.kind != "macro" for each in resolved.definitions)
    )


def _expands(macro: Symbol, reference: Reference) -> bool:
    """Whether the place is one where *macro* is replaced: one with parameters must be called."""
    has_parameters = macro.signature.partition(macro.name)[2][:1] == "("
    return reference.relationship == "calls" or not has_parameters


def _lies_in_macro(manifest: Manifest, found: FoundReference) -> bool:
    """Whether the place is part of another macro, where nothing is replaced yet."""
    enclosing = found.reference.enclosing
    if enclosing is None or not found.reference.preprocessed:
        return False
    place = [(found.path, found.reference.line)]
    around = manifest.symbols_named(enclosing.rpartition("::")[2])
    return any(each.symbol.kind == "macro" and _holds(each, place) for each in around)


def _macros_around(
    manifest: Manifest, places: Iterable[tuple[FoundReference, tuple[FoundSymbol, ...]]]
) -> Iterator[tuple[Symbol, tuple[FoundSymbol, ...]]]:
    """The macros of which every body holds one of *places*, with what that place means."""
    lines: dict[str, list[tuple[str, int]]] = {}
    meanings: dict[str, tuple[FoundSymbol, ...]] = {}
    for place, definitions in places:
        if place.reference.enclosing is not None:
            name = place.reference.enclosing.rpartition("::")[2]
            lines.setdefault(name, []).append((place.path, place.reference.line))
            meanings.setdefault(name, definitions)
    for name, named_at in lines.items():
        macros = [each for each in manifest.symbols_named(name) if each.symbol.kind == "macro"]
        if macros and all(_holds(each, named_at) for each in macros):
            yield macros[0].symbol, meanings[name]


def _holds(macro: FoundSymbol, places: Iterable[tuple[str, int]]) -> bool:
    symbol = macro.symbol
    return any(
        path == macro.path and symbol.start_line <= line <= symbol.end_line for path, line in places
    )
