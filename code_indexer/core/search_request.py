"""What a user may ask of a search, and the question that it becomes once it is checked."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from code_indexer.core.asking import Scope, checked_limit
from code_indexer.errors import UsageError, known_words
from code_indexer.languages import LANGUAGES, languages_called
from code_indexer.ranking.confidence import COMPARED

if TYPE_CHECKING:
    from code_indexer.search.pipeline import ProjectQuestion

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
    symbol_types: tuple[str, ...] = ()
    """Kinds of symbols; a hit is part of one, or holds one."""
    changed: str | None = None
    """Only files that differ from this revision of git; an empty one is the last commit."""
    adaptive_limit: bool = False
    """Only the hits above the largest drop in the scores."""
    max_tokens: int | None = None
    """The answer's size: neighbouring places are merged, and what does not fit is left out."""
    mode: Literal["hybrid", "lexical"] = "hybrid"
    with_secrets: bool = False
    """Do not mask them."""


def checked_request(request: SearchRequest) -> SearchRequest:
    """*request* itself.

    Raises:
        UsageError: It cannot be asked, whatever the project.
    """
    question_of(request)
    return request


def question_of(request: SearchRequest) -> "ProjectQuestion":
    """What each project is asked, checked.

    Raises:
        UsageError: The query is empty, a limit below 1, a language or kind of symbol unknown, or a
            revision could be an option of git.
    """
    from code_indexer.search.filters import SearchFilters
    from code_indexer.search.pipeline import ProjectQuestion

    query = request.query.strip()[:_MAX_QUERY_CHARACTERS]
    if not query:
        raise UsageError("the query is empty", hint="Say what you are looking for")
    if request.max_tokens is not None and request.max_tokens < 1:
        raise UsageError(f"the budget is {request.max_tokens} tokens", hint="It takes 1 or more")
    if request.changed is not None:
        from code_indexer.discovery.changes import checked_revision

        checked_revision(request.changed)
    contents = () if request.content in (None, "all") else (request.content,)
    return ProjectQuestion(
        query=query,
        # The scores beyond a short page tell how far its hits stand out.
        limit=max(checked_limit(request.limit), COMPARED),
        filters=SearchFilters(
            globs=request.file_filters,
            languages=_checked_languages(request.languages),
            contents=contents,
            symbol_kinds=_checked_kinds(request.symbol_types),
        ),
        chunks=request.chunks,
    )


def _checked_languages(words: Sequence[str]) -> tuple[str, ...]:
    """The languages, whatever people call them.

    Raises:
        UsageError: There is no such language.
    """
    unknown = [word for word in words if not languages_called(word)]
    if unknown:
        raise UsageError(
            f"no such language: {', '.join(map(repr, unknown))}",
            hint=known_words(unknown, LANGUAGES),
        )
    return tuple(dict.fromkeys(name for word in words for name in languages_called(word)))


def _checked_kinds(types: Sequence[str]) -> tuple[str, ...]:
    """The kinds of symbols; commas may stand between them.

    Raises:
        UsageError: There is no such kind.
    """
    kinds = [word.strip().lower() for one in types for word in one.split(",") if word.strip()]
    if not kinds:
        return ()
    from code_indexer.navigation.symbols import SYMBOL_KINDS

    unknown = [kind for kind in kinds if kind not in SYMBOL_KINDS]
    if unknown:
        raise UsageError(
            f"no such symbol type: {', '.join(unknown)}", hint=known_words(unknown, SYMBOL_KINDS)
        )
    return tuple(dict.fromkeys(kinds))
