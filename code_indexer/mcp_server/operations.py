"""One function per tool: arguments in, an operation of ``core``, an answer out."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TypeAlias

from code_indexer.core import projects, symbols
from code_indexer.core.asking import Scope
from code_indexer.core.code_context import get_code_context
from code_indexer.core.lookup import find_project, near_projects
from code_indexer.core.queries import semantic_search
from code_indexer.core.roots import checked_root
from code_indexer.core.search_request import SearchRequest
from code_indexer.core.services import Services
from code_indexer.core.similar import find_similar
from code_indexer.errors import ProjectNotFoundError, UnsuitableRootError, UsageError
from code_indexer.indexing.progress import ReportProgress
from code_indexer.mcp_server import answers, project_answers
from code_indexer.mcp_server.arguments import Arguments
from code_indexer.mcp_server.documents import Answer

MAX_WAIT_SECONDS = 18.0
"""How long an answer waits for an index, so that it is there within 20 seconds."""

Operation: TypeAlias = Callable[[Services, Arguments, ReportProgress], Answer]


def run_tool(
    services: Services, name: str, arguments: Arguments, progress: ReportProgress
) -> Answer:
    """The answer of a tool to checked arguments.

    Raises:
        CodeIndexerError: There is none; the error says why and what to do.
    """
    return OPERATIONS[name](services, arguments, progress)


def _semantic_search(services: Services, given: Arguments, progress: ReportProgress) -> Answer:
    limit, notes = _capped(given, answers.MAX_HITS)
    request = SearchRequest(
        query=_text(given, "query"),
        scope=_scope(services, given),
        limit=limit,
        file_filters=_globs(_optional(given, "file_filter")),
    )
    return answers.search_answer(semantic_search(services, request, progress=progress), notes)


def _find_symbol(services: Services, given: Arguments, progress: ReportProgress) -> Answer:
    found = symbols.find_symbol(
        services,
        _text(given, "name"),
        _scope(services, given),
        symbol_type=_optional(given, "symbol_type"),
        progress=progress,
    )
    return answers.symbols_answer(found)


def _find_definition(services: Services, given: Arguments, progress: ReportProgress) -> Answer:
    found = symbols.find_definition(
        services, _text(given, "name"), _scope(services, given), progress=progress
    )
    return answers.symbols_answer(found)


def _find_references(services: Services, given: Arguments, progress: ReportProgress) -> Answer:
    limit, notes = _capped(given, answers.MAX_PLACES)
    found = symbols.find_references(
        services,
        _text(given, "name"),
        _scope(services, given),
        relationship=given.get("relationship"),  # type: ignore[arg-type]  # one of its choices
        limit=limit,
        progress=progress,
    )
    return answers.references_answer(found, notes)


def _find_similar(services: Services, given: Arguments, progress: ReportProgress) -> Answer:
    limit, notes = _capped(given, answers.MAX_HITS)
    scope = _scope(services, given)
    answer = find_similar(services, _text(given, "place"), scope, limit=limit, progress=progress)
    return answers.search_answer(
        answer, notes, if_none="describe what you look for to semantic_search"
    )


def _get_code_context(services: Services, given: Arguments, progress: ReportProgress) -> Answer:
    del progress  # the file is read as it is; no index has part in it
    end_line = _number(given, "end_line")
    answer = get_code_context(
        services,
        _text(given, "file"),
        _scope(services, given),
        start_line=_number(given, "start_line"),
        end_line=end_line,
        symbol=_optional(given, "symbol"),
        context_lines=_number(given, "context_lines") or 0,
        only_project_files=True,
    )
    return answers.context_answer(answer, asked_end=end_line)


def _index_status(services: Services, given: Arguments, progress: ReportProgress) -> Answer:
    statuses, warnings = projects.index_status(
        services,
        _project(services, _text(given, "path")),
        max_wait=MAX_WAIT_SECONDS,
        progress=progress,
    )
    return project_answers.status_answer(statuses[0], warnings)


def _list_projects(services: Services, given: Arguments, progress: ReportProgress) -> Answer:
    del given, progress
    return project_answers.listed_answer(projects.list_projects(services))


def _lookup_project(services: Services, given: Arguments, progress: ReportProgress) -> Answer:
    del progress
    path = _text(given, "path")
    status = None
    with suppress(ProjectNotFoundError):
        status = projects.lookup_project(services, _project(services, path))
    if status is None:
        return project_answers.not_registered_answer(path, _what_next(services, path))
    return project_answers.looked_up_answer(status)


def _add_project(services: Services, given: Arguments, progress: ReportProgress) -> Answer:
    path = _text(given, "path")
    if not _is_absolute(path):
        raise UnsuitableRootError(f"not an absolute path: {path!r}", hint=_ABSOLUTE)
    added = projects.add_project(
        services, path, name=_optional(given, "name"), background=True, progress=progress
    )
    return project_answers.added_answer(added, did="registered already; nothing was started")


def _reindex_project(services: Services, given: Arguments, progress: ReportProgress) -> Answer:
    done = projects.reindex_project(
        services,
        _project(services, _text(given, "path")),
        max_wait=MAX_WAIT_SECONDS,
        progress=progress,
    )
    return project_answers.added_answer(done, did="the index was built anew")


def _remove_project(services: Services, given: Arguments, progress: ReportProgress) -> Answer:
    del progress
    status = projects.remove_project(services, _project(services, _text(given, "path")))
    return project_answers.removed_answer(status)


OPERATIONS: Mapping[str, Operation] = {
    "semantic_search": _semantic_search,
    "find_symbol": _find_symbol,
    "find_definition": _find_definition,
    "find_references": _find_references,
    "find_similar": _find_similar,
    "get_code_context": _get_code_context,
    "index_status": _index_status,
    "list_projects": _list_projects,
    "lookup_project": _lookup_project,
    "add_project": _add_project,
    "reindex_project": _reindex_project,
    "remove_project": _remove_project,
}

_ABSOLUTE = "Give the absolute path of the project's folder; list_projects shows what is registered"


def _scope(services: Services, given: Arguments) -> Scope:
    """The project that is named, or all; never the one around the working directory."""
    project = _optional(given, "project")
    if project is None:
        return Scope(all_projects=True, max_wait=MAX_WAIT_SECONDS)
    return Scope(projects=(_project(services, project),), max_wait=MAX_WAIT_SECONDS)


def _project(services: Services, text: str) -> str:
    """*text* itself, unless it could only be meant as a path below the working directory.

    A client starts the server in any folder, so a relative path would mean something by accident.

    Raises:
        ProjectNotFoundError: It is neither an absolute path nor a registered name or slug.
    """
    if _is_absolute(text) or not text or "\0" in text:
        return text
    if "/" not in text and text not in (".", "..", "~"):
        names = {name for one in services.projects() for name in (one.name, one.slug)}
        if text in names and find_project(services, text) is not None:
            return text
        if near := near_projects(services, text):
            raise ProjectNotFoundError(f"no project goes by {text!r}", hint=f"Did you mean {near}?")
    raise ProjectNotFoundError(f"no project goes by {text!r}", hint=_ABSOLUTE)


def _is_absolute(text: str) -> bool:
    return text.startswith(("/", "~/")) or text == "~"


def _what_next(services: Services, path: str) -> str:
    try:
        checked_root(_project(services, path), services.settings)
    except (ProjectNotFoundError, UnsuitableRootError) as error:
        return f"It cannot be: {error.message}. {error.hint}."
    return "A search of that folder, or add_project, registers it."


def _globs(text: str | None) -> tuple[str, ...]:
    """The globs between commas; commas in braces belong to a glob."""
    if text is None:
        return ()
    globs = [""]
    depth = 0
    for character in text:
        depth += (character == "{") - (character == "}")
        if character == "," and depth <= 0:
            globs.append("")
        else:
            globs[-1] += character
    return tuple(glob.strip() for glob in globs if glob.strip())


def _capped(given: Arguments, most: int) -> tuple[int, list[str]]:
    limit = int(given["limit"])
    if limit <= most:
        return limit, []
    return most, [f"limit {limit} is more than the {most} that one answer holds"]


def _text(given: Arguments, name: str) -> str:
    value = given[name]
    if not isinstance(value, str):
        raise UsageError(f"{name} is not text", hint="Give it in quotes")
    return value


def _optional(given: Arguments, name: str) -> str | None:
    return _text(given, name) if name in given else None


def _number(given: Arguments, name: str) -> int | None:
    value = given.get(name)
    return value if isinstance(value, int) else None
