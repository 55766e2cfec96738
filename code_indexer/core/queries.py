"""``semantic_search``: the operation that finds code by meaning and by words."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from code_indexer.core.asking import Asked, ask_projects, checked_limit, each_file_once
from code_indexer.core.engines import Dense
from code_indexer.core.freshness import doubt_vectors, note_unanswered
from code_indexer.core.results import SearchAnswer
from code_indexer.core.search_request import SearchRequest, question_of
from code_indexer.core.services import Services
from code_indexer.core.usage import record_search
from code_indexer.errors import ServiceUnavailableError, UsageError
from code_indexer.indexing.progress import ReportProgress, report_nothing
from code_indexer.ranking.confidence import adaptive_count, confidence
from code_indexer.storage.manifest import Manifest
from code_indexer.types import Project, SearchHit

if TYPE_CHECKING:
    from code_indexer.search.pipeline import ProjectAnswer, ProjectQuestion

_MASKED = "****"


def semantic_search(
    services: Services, request: SearchRequest, *, progress: ReportProgress = report_nothing
) -> SearchAnswer:
    """The best hits for a query, from one project or several, each brought up to date first."""
    started = time.monotonic()
    answer = search_unrecorded(services, request, progress=progress)
    record_search(services, answer, time.monotonic() - started)
    return answer


def search_unrecorded(
    services: Services, request: SearchRequest, *, progress: ReportProgress = report_nothing
) -> SearchAnswer:
    """The same, for searches that no user asked for by itself."""
    question = question_of(request)
    asked = ask_projects(
        services,
        request.scope,
        lambda project, manifest: _ask(services, project, manifest, question, request),
        progress,
    )
    for one in asked:
        if one.answer is not None and one.answer.is_lost:
            doubt_vectors(services, one.project, one.answer.problem or "")
        if one.answer is not None and one.answer.is_unanswered:
            note_unanswered(services, one.project)
    found = [one.answer for one in asked if one.answer is not None]
    answers = [one.answer for one in found]
    if request.strict:
        _require_services(asked, found)
    _require_any([one.refusal for one in found])
    ranked = each_file_once(
        sorted(
            (hit for answer in answers for hit in answer.hits),
            key=lambda hit: (-hit.score, hit.path),
        ),
        lambda hit: (hit.project, hit.path),
    )
    hits = ranked[: checked_limit(request.limit)]
    if request.context_lines:
        hits = [_with_context(hit, request.context_lines, services) for hit in hits]
    fitted = _fitted(
        services,
        request,
        SearchAnswer(
            query=question.query,
            results=tuple(hits),
            mode="hybrid" if any(answer.mode == "hybrid" for answer in answers) else "lexical",
            projects=tuple(one.status for one in asked),
            warnings=(*_warnings(asked), *_filtered_out(found, request)),
            confidence=confidence([hit.score for hit in ranked]),
        ),
        scores=[hit.score for hit in ranked],
    )
    if not request.with_secrets:
        return fitted
    return replace(fitted, results=tuple(_unmasked(hit, services) for hit in fitted.results))


def _fitted(
    services: Services, request: SearchRequest, answer: SearchAnswer, *, scores: Sequence[float]
) -> SearchAnswer:
    """The answer as short as the user wants it, with a count of what was left out."""
    if request.adaptive_limit:
        kept = answer.results[: adaptive_count(scores)]
        left_out = len(answer.results) - len(kept)
        answer = replace(answer, results=kept, left_out=left_out)
    if request.max_tokens is None:
        return answer
    from code_indexer.core.budget import fit_hits

    fitted = fit_hits(
        answer.results, request.max_tokens, lambda hit: _lines(services, hit.project, hit.path)
    )
    return replace(
        answer,
        results=fitted.hits,
        tokens=fitted.tokens,
        left_out=answer.left_out + fitted.left_out,
    )


@dataclass(frozen=True, slots=True)
class _Found:
    """One project's answer, and why it has no dense half, if it has none."""

    answer: "ProjectAnswer"
    problem: str | None = None
    is_down: bool = False
    is_lost: bool = False
    """The collection is gone from the server."""
    is_unanswered: bool = False
    refusal: UsageError | None = None
    """Why this project cannot be asked so."""
    has_files: bool = True
    """Whether the filters let any file through."""


def _ask(
    services: Services,
    project: Project,
    manifest: Manifest,
    question: "ProjectQuestion",
    request: SearchRequest,
) -> _Found:
    """One project's part, with the filters that depend on the project."""
    from code_indexer.search.filters import allowed_files
    from code_indexer.search.pipeline import ProjectAnswer

    filters = replace(question.filters, globs=_below(project.root, question.filters.globs))
    if request.changed is not None:
        from code_indexer.discovery.changes import changed_files

        try:
            changed = changed_files(Path(project.root), request.changed)
        except UsageError as error:
            return _Found(ProjectAnswer((), "lexical"), refusal=error)
        filters = replace(filters, paths=changed)
    question = replace(question, filters=filters)
    found = _search(services, project, manifest, question, request.mode)
    if not found.answer.hits and filters.restrict_files:
        return replace(found, has_files=bool(allowed_files(manifest, filters)))
    if not filters.symbol_kinds:
        return found
    hits = tuple(_of_kind(hit, manifest, filters.symbol_kinds) for hit in found.answer.hits)
    return replace(found, answer=replace(found.answer, hits=hits))


def _below(root: str, globs: Sequence[str]) -> tuple[str, ...]:
    """Globs relative to the root; a shell completes paths to absolute ones."""
    return tuple(
        f"{'!' * glob.startswith('!')}/{bare[len(root) + 1 :]}"
        if (bare := glob.removeprefix("!")).startswith(f"{root}/")
        else glob
        for glob in globs
    )


def _of_kind(hit: SearchHit, manifest: Manifest, kinds: Sequence[str]) -> SearchHit:
    """The hit under the name of what was asked for, where that is not what fills most of it."""
    file = manifest.file(hit.path)
    if hit.kind in kinds or file is None:
        return hit
    inside = [
        symbol
        for symbol in manifest.symbols_of_file(file.file_id)
        if symbol.kind in kinds and hit.start_line <= symbol.name_line <= hit.end_line
    ]
    largest = max(inside, key=lambda one: one.end_line - one.start_line, default=None)
    if largest is None:
        return hit
    return replace(hit, symbol=largest.qualified_name, kind=largest.kind)


def _search(
    services: Services,
    project: Project,
    manifest: Manifest,
    question: "ProjectQuestion",
    mode: Literal["hybrid", "lexical"],
) -> _Found:
    """Dense and lexical; without the dense half when a server is down or the model another."""
    from code_indexer.search.pipeline import search_project

    verifier = services.verifier(project)
    dense, is_lost = Dense(), False
    if mode == "hybrid":
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
        hint = f" ({error.hint})" if error.hint else ""
        dense = Dense(problem=f"{error.message}{hint}", is_down=True)
        is_lost = services.engines.is_collection_lost(error)
        answer = search_project(manifest, question, root=project.root, verifier=verifier)
    return _Found(answer, dense.problem, dense.is_down, is_lost, dense.is_unanswered)


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


def _require_any(refusals: Sequence[UsageError | None]) -> None:
    """At least one project has to be asked; those that cannot be are a warning beside it.

    Raises:
        UsageError: None of them can be asked so.
    """
    for refusal in refusals if all(refusals) else ():
        if refusal is not None:
            raise refusal


def _warnings(asked: Sequence[Asked[_Found]]) -> tuple[str, ...]:
    said = [one.warning for one in asked]
    said += [
        f"lexical answers only: {one.answer.problem}"
        for one in asked
        if one.answer is not None
        and one.answer.problem
        and (not one.warning or (one.answer.is_down and not one.is_down))
    ]
    said += [
        one.answer.refusal.message
        for one in asked
        if one.answer is not None and one.answer.refusal is not None
    ]
    return tuple(dict.fromkeys(one for one in said if one))


def _filtered_out(found: Sequence[_Found], request: SearchRequest) -> tuple[str, ...]:
    """Say so where the filters left nothing to search, as a misspelled one does."""
    if not found or any(one.has_files or one.refusal for one in found):
        return ()
    given = [f"file filter {glob!r}" for glob in request.file_filters]
    given += [f"language {word}" for word in request.languages]
    given += [f"content {request.content}"] if request.content not in (None, "all") else []
    given += ["changed files only"] if request.changed is not None else []
    return (f"no indexed file passes the filters: {', '.join(given)}",)


def _with_context(hit: SearchHit, lines: int, services: Services) -> SearchHit:
    """The hit with so many lines around it, as the file is now."""
    rows = _lines(services, hit.project, hit.path)
    if rows is None:
        return hit
    start = max(1, hit.start_line - lines)
    end = min(len(rows), hit.end_line + lines)
    return replace(hit, start_line=start, end_line=end, snippet="\n".join(rows[start - 1 : end]))


def _unmasked(hit: SearchHit, services: Services) -> SearchHit:
    """The hit with the lines of its file, which are not masked as those of the index are."""
    rows = _lines(services, hit.project, hit.path, with_secrets=True)
    if rows is None or _MASKED not in hit.snippet:
        return hit
    return replace(hit, snippet="\n".join(rows[hit.start_line - 1 : hit.end_line]))


def _lines(
    services: Services, root: str, path: str, *, with_secrets: bool = False
) -> list[str] | None:
    """The lines of a file as it is now; None when it cannot be read."""
    text = services.read_text(root, path, with_secrets=with_secrets)
    return None if text is None else [row.rstrip("\r") for row in text.split("\n")]
