"""``semantic_search``: the operation that finds code by meaning and by words."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from code_indexer.core.asking import Asked, Scope, ask_projects, checked_limit
from code_indexer.core.engines import Dense
from code_indexer.core.results import SearchAnswer
from code_indexer.core.services import Services
from code_indexer.errors import ServiceUnavailableError, UsageError
from code_indexer.indexing.progress import ReportProgress, report_nothing
from code_indexer.languages import LANGUAGES
from code_indexer.storage.manifest import Manifest
from code_indexer.types import Project, SearchHit

if TYPE_CHECKING:
    from code_indexer.search.pipeline import ProjectAnswer, ProjectQuestion

_MAX_QUERY_CHARACTERS = 10_000


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What the user asked."""

    query: str
    scope: Scope = field(default_factory=Scope)
    limit: int = 8
    file_filters: tuple[str, ...] = ()
    """Globs; one that starts with ``!`` excludes."""
    languages: tuple[str, ...] = ()
    content: Literal["code", "docs", "config", "all"] | None = None
    context_lines: int = 0
    chunks: bool = False
    """Every matching chunk by itself, not one hit a file."""
    strict: bool = False
    """A server that is down is an error, not a reason to answer from what is local."""


def semantic_search(
    services: Services, request: SearchRequest, *, progress: ReportProgress = report_nothing
) -> SearchAnswer:
    """The best hits for a query, from one project or several, each brought up to date first."""
    question = _question(request)

    def ask(project: Project, manifest: Manifest) -> _Found:
        return _search(services, project, manifest, question)

    asked = ask_projects(services, request.scope, ask, progress)
    found = [one.answer for one in asked if one.answer is not None]
    answers = [one.answer for one in found]
    if request.strict:
        _require_services(asked, found)
    hits = sorted(
        (hit for answer in answers for hit in answer.hits), key=lambda hit: (-hit.score, hit.path)
    )[: question.limit]
    if request.context_lines:
        hits = [_with_context(hit, request.context_lines, services) for hit in hits]
    return SearchAnswer(
        query=question.query,
        results=tuple(hits),
        mode="hybrid" if any(answer.mode == "hybrid" for answer in answers) else "lexical",
        projects=tuple(one.status for one in asked),
        warnings=_warnings(asked),
    )


@dataclass(frozen=True, slots=True)
class _Found:
    """One project's answer, and why it has no dense half, if it has none."""

    answer: "ProjectAnswer"
    problem: str | None = None
    is_down: bool = False


def _search(
    services: Services, project: Project, manifest: Manifest, question: "ProjectQuestion"
) -> _Found:
    """Dense and lexical; without the dense half when a server is down or the model another."""
    from code_indexer.search.pipeline import search_project

    verifier = services.verifier(project)
    dense = services.engines.dense(project, manifest, question.query)
    try:
        answer = search_project(
            manifest,
            question,
            root=project.root,
            vectors=dense.store,
            query_vector=dense.query_vector,
            verifier=verifier,
        )
    except ServiceUnavailableError as error:
        dense = Dense(problem=error.message, is_down=True)
        answer = search_project(manifest, question, root=project.root, verifier=verifier)
    return _Found(answer, dense.problem, dense.is_down)


def _require_services(asked: Sequence[Asked[_Found]], found: Sequence[_Found]) -> None:
    """What ``--strict`` wants: no answer without all servers.

    Raises:
        ServiceUnavailableError: One of them is down.
    """
    down = [one.warning for one in asked if one.is_down]
    down += [one.problem for one in found if one.is_down]
    for problem in down:
        raise ServiceUnavailableError(
            problem or "a server did not answer",
            hint="Without --strict the answer comes from what is local",
        )


def _warnings(asked: Sequence[Asked[_Found]]) -> tuple[str, ...]:
    said = [one.warning for one in asked]
    said += [
        f"lexical answers only: {one.answer.problem}"
        for one in asked
        if one.answer is not None and one.answer.problem and not one.warning
    ]
    return tuple(dict.fromkeys(one for one in said if one))


def _question(request: SearchRequest) -> "ProjectQuestion":
    """The request, checked.

    Raises:
        UsageError: The query is empty, the limit below 1, or a language unknown.
    """
    from code_indexer.search.filters import SearchFilters
    from code_indexer.search.pipeline import ProjectQuestion

    query = request.query.strip()[:_MAX_QUERY_CHARACTERS]
    if not query:
        raise UsageError("the query is empty", hint="Say what you are looking for")
    languages = tuple(language.lower() for language in request.languages)
    unknown = [language for language in languages if language not in LANGUAGES]
    if unknown:
        raise UsageError(
            f"no such language: {', '.join(unknown)}", hint=f"Known: {', '.join(LANGUAGES)}"
        )
    contents = () if request.content in (None, "all") else (request.content,)
    return ProjectQuestion(
        query=query,
        limit=checked_limit(request.limit),
        filters=SearchFilters(globs=request.file_filters, languages=languages, contents=contents),
        chunks=request.chunks,
    )


def _with_context(hit: SearchHit, lines: int, services: Services) -> SearchHit:
    """The hit with so many lines around it, as the file is now."""
    text = services.read_text(hit.project, hit.path)
    if text is None:
        return hit
    rows = text.split("\n")
    start = max(1, hit.start_line - lines)
    end = min(len(rows), hit.end_line + lines)
    snippet = "\n".join(row.rstrip("\r") for row in rows[start - 1 : end])
    return replace(hit, start_line=start, end_line=end, snippet=snippet)
