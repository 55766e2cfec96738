"""Operations that turn a name into places: symbols, definitions, references, source lines."""

import difflib
import os
import posixpath
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from code_indexer.core.asking import Scope, ask_projects, checked_limit, each_file_once
from code_indexer.core.lookup import get_project, searched_projects
from code_indexer.core.results import (
    CodeContextAnswer,
    ProjectReference,
    ProjectSymbol,
    ReferencesFound,
    SymbolsFound,
)
from code_indexer.core.services import Services
from code_indexer.discovery.reasons import DATA, MINIFIED, REASONS, TOO_LARGE, VANISHED
from code_indexer.discovery.walk import explain_path
from code_indexer.errors import OutsideProjectError, UsageError
from code_indexer.indexing.progress import ReportProgress, report_nothing
from code_indexer.navigation.context import get_code_context as context_of_file
from code_indexer.navigation.context import path_inside
from code_indexer.navigation.names import parse_name
from code_indexer.navigation.places import Place, parse_place
from code_indexer.navigation.references import find_references as references_of_project
from code_indexer.navigation.symbols import Match, SymbolAnswer
from code_indexer.navigation.symbols import find_definition as definitions_of_project
from code_indexer.navigation.symbols import find_symbol as symbols_of_project
from code_indexer.storage.manifest import Manifest
from code_indexer.types import Project, Relationship, SkippedFile

_SHOWN_THOUGH_SKIPPED = frozenset({DATA, MINIFIED, TOO_LARGE, VANISHED})
_MOST_PLACES = 100_000
_MOST_PATHS = 50_000
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
    most = checked_limit(limit, most=_MOST_PLACES)
    return _symbols(
        services,
        name,
        scope,
        lambda project, manifest: symbols_of_project(
            manifest, _in_project(name, project, scope), symbol_type=symbol_type, limit=most
        ),
        limit=most,
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
    most = checked_limit(limit, most=_MOST_PLACES)
    return _symbols(
        services,
        name,
        scope,
        lambda project, manifest: definitions_of_project(
            manifest, _in_project(name, project, scope), symbol_type=symbol_type, limit=most
        ),
        limit=most,
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


def get_code_context(
    services: Services,
    file: str,
    scope: Scope,
    *,
    start_line: int | None = None,
    end_line: int | None = None,
    symbol: str | None = None,
    context_lines: int = 0,
    only_project_files: bool = False,
    with_secrets: bool = False,
) -> CodeContextAnswer:
    """Lines of one file of a project, as the file is now; secrets masked unless *with_secrets*.

    The lines may be given with the file as well, as answers print them: ``path:line``,
    ``path:first-last``. With *only_project_files* it does not show what is ignored, installed, or
    of version control.

    Raises:
        OutsideProjectError: The file does not lie inside the project, or is no file of it.
        UsageError: There is no such project, file, line or symbol.
    """
    place = _place_of(services, file, scope)
    if place is not None:
        file = place.path
        if start_line is None and end_line is None and symbol is None:
            start_line, end_line = place.start_line, place.end_line
    project, path = file_in_project(services, file, scope)
    if only_project_files:
        _refuse_foreign(services, project, path)
    _refuse_missing(services, project, path)
    context = context_of_file(
        Path(project.root),
        path,
        start_line=start_line,
        end_line=end_line,
        symbol=symbol,
        context_lines=context_lines,
        cpp_headers=path.endswith(".h") and services.has_cpp(project),
        with_secrets=with_secrets,
    )
    return CodeContextAnswer(project, context)


def _place_of(services: Services, file: str, scope: Scope) -> Place | None:
    """The file and lines that *file* names, unless a file is really called so."""
    place = parse_place(file)
    if place is None:
        return None
    with suppress(UsageError):
        project, path = file_in_project(services, file, scope)
        if os.path.lexists(os.path.join(project.root, path)):  # noqa: PTH118
            return None
    return place


def _refuse_missing(services: Services, project: Project, file: str) -> None:
    """Say which files may have been meant by one that is not there."""
    path = path_inside(Path(project.root), file)
    if os.path.lexists(f"{project.root}/{path}"):
        return
    near: list[str] = []
    if services.last_scan_ns(project) is not None:
        known = services.manifest(project).paths(_MOST_PATHS)
        stems = {one: posixpath.splitext(posixpath.basename(one))[0] for one in known}
        stem = posixpath.splitext(posixpath.basename(path))[0]
        alike = set(difflib.get_close_matches(stem, set(stems.values())))
        among = [one for one in known if stems[one] in alike]
        near = difflib.get_close_matches(path, among, n=3, cutoff=0.0)
    hint = f"Paths are relative to the project's folder, {project.root}"
    if near:
        hint = f"Did you mean {' or '.join(near)}?"
    raise UsageError(f"no such file: {path}", hint=hint)


def _refuse_foreign(services: Services, project: Project, file: str) -> None:
    path = path_inside(Path(project.root), file)
    found = explain_path(Path(project.root), path, services.discovery_rules(project, strict=False))
    if isinstance(found, SkippedFile) and found.reason not in _SHOWN_THOUGH_SKIPPED:
        because = f"{REASONS.get(found.reason, found.reason)}"
        detail = f" ({found.detail})" if found.detail else ""
        raise OutsideProjectError(
            f"not a file of the project: {path}: {because}{detail}",
            hint=f"The project is {project.root}; only files that can be indexed are shown",
        )


def file_in_project(services: Services, file: str, scope: Scope) -> tuple[Project, str]:
    """The project that a file is looked up in, and the file's path for it."""
    if not file or "\0" in file:
        raise UsageError("not a usable path", hint="Give a path relative to the project's root")
    if len(scope.projects) > 1:
        raise UsageError("a file lies in one project", hint="Give --project once")
    if scope.projects:
        return get_project(services, scope.projects[0]), _with_real_folder(file)
    here = scope.working_directory
    if os.path.isabs(file) or (here and os.path.lexists(os.path.join(here, file))):  # noqa: PTH117, PTH118
        absolute = os.path.normpath(os.path.join(here or "/", file))  # noqa: PTH118
        around = services.registry.containing(os.path.realpath(os.path.dirname(absolute)))  # noqa: PTH120
        if around is not None:
            return around.project, _with_real_folder(absolute)
    candidates = searched_projects(
        services, (), all_projects=scope.all_projects, here=scope.working_directory
    )
    if os.path.isabs(file):  # noqa: PTH117
        raise UsageError(
            f"no registered project holds {file}",
            hint="Register its folder with: code-indexer add-project PATH",
        )
    holding = [one for one in candidates if os.path.lexists(f"{one.root}/{file}")]
    if len(holding) > 1:
        roots = ", ".join(one.root for one in holding)
        raise UsageError(f"several projects hold {file}: {roots}", hint="Say which with --project")
    if not holding and len(candidates) > 1:
        raise UsageError(
            f"no registered project holds {file}",
            hint="Give it relative to the project's folder, and say which with --project",
        )
    return (holding or candidates)[0], file


def _with_real_folder(file: str) -> str:
    """An absolute path with the links among its folders resolved, as they are in project roots."""
    if not os.path.isabs(file):  # noqa: PTH117
        return file
    folder, name = os.path.split(os.path.normpath(file))
    return os.path.join(os.path.realpath(folder), name)  # noqa: PTH118


def _symbols(
    services: Services,
    name: str,
    scope: Scope,
    ask: Callable[[Project, Manifest], SymbolAnswer],
    *,
    limit: int,
    progress: ReportProgress,
) -> SymbolsFound:
    """The answers of all projects; the way in which the best one was found decides for all."""
    parse_name(name)
    asked = ask_projects(services, scope, ask, progress)
    answers = [(one.project, one.answer) for one in asked if one.answer is not None]
    matches = {answer.match for _, answer in answers}
    match: Match = next((one for one in _BEST_FIRST if one in matches), "none")
    best = [(project, answer) for project, answer in answers if answer.match == match]
    results = [ProjectSymbol(project.root, found) for project, a in best for found in a.results]
    kept = each_file_once(results, lambda one: (one.project, one.found.path))
    return SymbolsFound(
        query=name,
        match=match,
        results=tuple(kept[:limit]),
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
            inside = path_inside(Path(project.root), _with_real_folder(path))
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
