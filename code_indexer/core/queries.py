"""Operations that find code."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from code_indexer.core.freshness import Freshness, ensure_fresh
from code_indexer.core.lookup import searched_projects
from code_indexer.core.results import SearchAnswer, SearchedProject
from code_indexer.core.services import Services
from code_indexer.errors import IndexCorruptError, UsageError
from code_indexer.indexing.progress import ReportProgress, report_nothing
from code_indexer.languages import LANGUAGES
from code_indexer.types import Project, SearchHit

if TYPE_CHECKING:
    from code_indexer.search.pipeline import ProjectQuestion

MAX_LIMIT = 1000
_MAX_QUERY_CHARACTERS = 10_000


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What the user asked."""

    query: str
    projects: tuple[str, ...] = ()
    all_projects: bool = False
    working_directory: str | None = None
    limit: int = 8
    file_filters: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    content: Literal["code", "docs", "config", "all"] | None = None
    context_lines: int = 0
    chunks: bool = False
    max_wait: float | None = None
    skip_stale_check: bool = False


def checked_limit(limit: int) -> int:
    """*limit*, at most ``MAX_LIMIT``.

    Raises:
        UsageError: It is below 1.
    """
    if limit < 1:
        raise UsageError(
            f"the limit is {limit}", hint=f"It takes a whole number from 1 to {MAX_LIMIT}"
        )
    return min(limit, MAX_LIMIT)


def semantic_search(
    services: Services, request: SearchRequest, *, progress: ReportProgress = report_nothing
) -> SearchAnswer:
    """The best hits for a query, from one project or several, each brought up to date first."""
    query = _checked_query(request.query)
    limit = checked_limit(request.limit)
    projects = searched_projects(
        services,
        request.projects,
        all_projects=request.all_projects,
        here=request.working_directory,
    )
    question = _question(request, query, limit)
    searched = [_search_one(services, project, question, request, progress) for project in projects]
    hits = sorted(
        (hit for one in searched for hit in one.hits), key=lambda hit: (-hit.score, hit.path)
    )[:limit]
    if request.context_lines:
        hits = [_with_context(hit, request.context_lines, services) for hit in hits]
    return SearchAnswer(
        query=query,
        results=tuple(hits),
        mode="hybrid" if any(one.mode == "hybrid" for one in searched) else "lexical",
        projects=tuple(one.status for one in searched),
        warnings=tuple(one.warning for one in searched if one.warning),
    )


@dataclass(frozen=True, slots=True)
class _Searched:
    """One project's part of an answer."""

    status: SearchedProject
    hits: tuple[SearchHit, ...] = ()
    mode: str = "lexical"
    warning: str | None = None


def _checked_query(query: str) -> str:
    stripped = query.strip()
    if not stripped:
        raise UsageError("the query is empty", hint="Say what you are looking for")
    return stripped[:_MAX_QUERY_CHARACTERS]


def _question(request: SearchRequest, query: str, limit: int) -> "ProjectQuestion":
    from code_indexer.search.filters import SearchFilters
    from code_indexer.search.pipeline import ProjectQuestion

    unknown = [language for language in request.languages if language.lower() not in LANGUAGES]
    if unknown:
        raise UsageError(
            f"no such language: {', '.join(unknown)}", hint=f"Known: {', '.join(LANGUAGES)}"
        )
    return ProjectQuestion(
        query=query,
        limit=limit,
        filters=SearchFilters(
            globs=request.file_filters,
            languages=tuple(language.lower() for language in request.languages),
            contents=() if request.content in (None, "all") else (request.content,),
        ),
        chunks=request.chunks,
    )


def _search_one(
    services: Services,
    project: Project,
    question: "ProjectQuestion",
    request: SearchRequest,
    progress: ReportProgress,
) -> _Searched:
    """Bring one project up to date and ask it; a damaged index is no reason to ask no other."""
    from code_indexer.search.pipeline import search_project

    alone = len(request.projects) == 1
    try:
        freshness = ensure_fresh(
            services,
            project,
            skip=request.skip_stale_check,
            max_wait=request.max_wait,
            progress=progress,
        )
        manifest = services.manifest(project)
        store = manifest.vectors()
        answer = search_project(
            manifest,
            question,
            root=project.root,
            vectors=store,
            query_vector=services.embedder().embed_query(question.query),
            verifier=services.verifier(project),
        )
        counts = manifest.counts()
    except IndexCorruptError as error:
        if alone:
            raise
        return _Searched(
            SearchedProject(project, "damaged", 0.0, 0), warning=f"{error.message}. {error.hint}"
        )
    coverage = counts.embedded_chunks / counts.chunks if counts.chunks else 1.0
    return _Searched(
        SearchedProject(project, _state_words(freshness), coverage, counts.pending_files),
        answer.hits,
        answer.mode,
        freshness.warning,
    )


def _state_words(freshness: Freshness) -> str:
    return "idle" if freshness.state in ("fresh", "unchecked") else freshness.state


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
