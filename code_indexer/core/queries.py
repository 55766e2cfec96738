"""``semantic_search``: the operation that finds code by meaning and by words."""

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from code_indexer.core.asking import Scope, ask_projects, checked_limit
from code_indexer.core.results import SearchAnswer
from code_indexer.core.services import Services
from code_indexer.errors import UsageError
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


def semantic_search(
    services: Services, request: SearchRequest, *, progress: ReportProgress = report_nothing
) -> SearchAnswer:
    """The best hits for a query, from one project or several, each brought up to date first."""
    question = _question(request)

    def ask(project: Project, manifest: Manifest) -> "ProjectAnswer":
        from code_indexer.search.pipeline import search_project

        return search_project(
            manifest,
            question,
            root=project.root,
            vectors=manifest.vectors(),
            query_vector=services.embedder().embed_query(question.query),
            verifier=services.verifier(project),
        )

    asked = ask_projects(services, request.scope, ask, progress)
    answers = [one.answer for one in asked if one.answer is not None]
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
        warnings=tuple(one.warning for one in asked if one.warning),
    )


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
