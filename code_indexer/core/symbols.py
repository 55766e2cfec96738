"""Operations that turn a name into places: symbols, definitions, references."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from code_indexer.core.asking import Scope, ask_projects, checked_limit, each_file_once
from code_indexer.core.files import with_real_folder
from code_indexer.core.results import (
    ProjectReference,
    ProjectSymbol,
    ReferencesFound,
    SymbolsFound,
)
from code_indexer.core.services import Services
from code_indexer.errors import OutsideProjectError, UsageError
from code_indexer.indexing.progress import ReportProgress, report_nothing
from code_indexer.navigation.context import path_inside
from code_indexer.navigation.names import parse_name
from code_indexer.navigation.references import find_references as references_of_project
from code_indexer.navigation.symbols import Match, SymbolAnswer
from code_indexer.navigation.symbols import find_definition as definitions_of_project
from code_indexer.navigation.symbols import find_symbol as symbols_of_project
from code_indexer.storage.manifest import Manifest
from code_indexer.types import Project, Relationship

_MOST_PLACES = 100_000
_BEST_FIRST: tuple[Match, ...] = ("place", "exact", "any case", "substring", "none")


def find_symbol(
    services: Services,
    name: str,
    scope: Scope,
    *,
    symbol_type: str | None = None,
    limit: int = 20,
    progress: ReportProgress = report_nothing,
) -> SymbolsFound:
    """The symbols that *name* may mean: exact first, then in any case, then as part of a name."""
    return _symbols(
        services,
        name,
        scope,
        lambda manifest, there, most: symbols_of_project(
            manifest, there, symbol_type=symbol_type, limit=most
        ),
        limit=limit,
        progress=progress,
    )


def find_definition(
    services: Services,
    name: str,
    scope: Scope,
    *,
    symbol_type: str | None = None,
    limit: int = 200,
    progress: ReportProgress = report_nothing,
) -> SymbolsFound:
    """The definitions of exactly this name."""
    return _symbols(
        services,
        name,
        scope,
        lambda manifest, there, most: definitions_of_project(
            manifest, there, symbol_type=symbol_type, limit=most
        ),
        limit=limit,
        progress=progress,
    )


def find_references(
    services: Services,
    name: str,
    scope: Scope,
    *,
    relationship: Relationship | None = None,
    limit: int = 25,
    progress: ReportProgress = report_nothing,
) -> ReferencesFound:
    """The places that use *name*, surest first, with the definitions that it may mean."""
    most = checked_limit(limit, most=_MOST_PLACES)
    parse_name(name)
    asked = ask_projects(
        services,
        scope,
        lambda project, manifest: references_of_project(
            manifest, _in_project(name, project, scope), relationship=relationship, limit=most
        ),
        progress,
    )
    answers = [(one.project, one.answer) for one in asked if one.answer is not None]
    results = [ProjectReference(project.root, use) for project, a in answers for use in a.results]
    kept = each_file_once(results, lambda one: (one.project, one.use.found.path))
    shown = set(map(id, kept))
    twice = [one.use for one in results if id(one) not in shown]
    definitions = [
        ProjectSymbol(project.root, found) for project, a in answers for found in a.definitions
    ]
    return ReferencesFound(
        query=name,
        results=tuple(kept[:most]),
        definitions=tuple(each_file_once(definitions, lambda one: (one.project, one.found.path))),
        total=sum(answer.total for _, answer in answers) - len(twice),
        by_relationship=_summed(
            (answer.by_relationship for _, answer in answers),
            but=[use.found.reference.relationship for use in twice],
        ),
        by_confidence=_summed(
            (answer.by_confidence for _, answer in answers),
            but=[use.confidence for use in twice],
        ),
        left_out=sum(answer.left_out for _, answer in answers),
        suggestions=_suggestions(answer.suggestions for _, answer in answers),
        projects=tuple(one.status for one in asked),
        warnings=tuple(one.warning for one in asked if one.warning),
    )


def _symbols(
    services: Services,
    name: str,
    scope: Scope,
    look_up: Callable[[Manifest, str, int], SymbolAnswer],
    *,
    limit: int,
    progress: ReportProgress,
) -> SymbolsFound:
    """The answers of all projects; the way in which the best one was found decides for all.

    *look_up* is given the name as one project understands it, and the number of places.
    """
    most = checked_limit(limit, most=_MOST_PLACES)
    parse_name(name)
    asked = ask_projects(
        services,
        scope,
        lambda project, manifest: look_up(manifest, _in_project(name, project, scope), most),
        progress,
    )
    answers = [(one.project, one.answer) for one in asked if one.answer is not None]
    matches = {answer.match for _, answer in answers}
    match: Match = next((one for one in _BEST_FIRST if one in matches), "none")
    best = [(project, answer) for project, answer in answers if answer.match == match]
    results = [ProjectSymbol(project.root, found) for project, a in best for found in a.results]
    kept = each_file_once(results, lambda one: (one.project, one.found.path))
    return SymbolsFound(
        query=name,
        match=match,
        results=tuple(kept[:most]),
        total=sum(answer.total for _, answer in best) - (len(results) - len(kept)),
        left_out=sum(answer.left_out for _, answer in best),
        suggestions=_suggestions(answer.suggestions for _, answer in answers),
        projects=tuple(one.status for one in asked),
        warnings=tuple(one.warning for one in asked if one.warning),
    )


def _in_project(name: str, project: Project, scope: Scope) -> str:
    """*name*, a ``path:line`` in it relative to the root.

    Answers print paths relative to the working directory, so such a path is understood as well.
    """
    query = parse_name(name)
    if query.path is None:
        return name
    here = os.path.join(scope.working_directory or project.root, query.path)  # noqa: PTH118
    for path in (here, query.path):
        try:
            inside = path_inside(Path(project.root), with_real_folder(path))
        except (OutsideProjectError, UsageError):
            continue
        if os.path.lexists(os.path.join(project.root, inside)):  # noqa: PTH118
            return f"{inside}:{query.line}"
    return name


def _summed(counts: Iterable[Mapping[str, int]], *, but: Iterable[str]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for one in counts:
        total.update(one)
    total.subtract(but)
    return {name: count for name, count in total.items() if count > 0}


def _suggestions(suggestions: Iterable[Sequence[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for names in suggestions for name in names))[:5]
