"""``why``: what stands between a file and an answer, or where it stands in it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from code_indexer.core.asking import Scope, ask_projects
from code_indexer.core.files import file_in_project
from code_indexer.core.queries import search_unrecorded
from code_indexer.core.results import SearchedProject
from code_indexer.core.search_request import SearchRequest, checked_request
from code_indexer.core.services import Services
from code_indexer.discovery.reasons import REASONS, VANISHED
from code_indexer.discovery.walk import explain_path
from code_indexer.errors import UsageError
from code_indexer.indexing.progress import ReportProgress, report_nothing
from code_indexer.navigation.context import path_inside
from code_indexer.ranking.terms import document_terms, is_stop_word, word_terms
from code_indexer.storage.manifest import Manifest
from code_indexer.types import FileRecord, Project, SearchHit, SkippedFile

_DEPTH = 1000
_WORD = re.compile(r"\w+")

Standing = Literal["found", "outranked", "indexed", "skipped", "failed", "pending", "missing"]
"""``found``: it has a rank. ``outranked``: it is indexed, but not among the candidates of the
query. ``indexed``: no query was given. ``skipped``: a rule leaves it out. ``failed``: it could not
be read or parsed. ``pending``: a pass has still to come to it. ``missing``: there is no such file.
"""


@dataclass(frozen=True, slots=True)
class FileReasons:
    """Why a file is or is not in the answer to a query."""

    project: Project
    path: str
    query: str | None
    standing: Standing
    reason: str = ""
    """In words: the rule, the failure, what is missing."""
    detail: str = ""
    """Of a rule: the file, the line and the pattern."""
    language: str | None = None
    content: str | None = None
    chunks: int = 0
    has_vectors: bool = False
    rank: int | None = None
    """From 1, among the files that answer the query."""
    ranked: int = 0
    """How many files do."""
    mode: Literal["hybrid", "lexical"] | None = None
    """How the query was answered."""
    best: SearchHit | None = None
    """The chunk that speaks for the file, with its signals."""
    words_held: tuple[str, ...] = ()
    """The words of the query that stand in the file or in its path, in any form."""
    words_lacked: tuple[str, ...] = ()
    projects: tuple[SearchedProject, ...] = ()
    warnings: tuple[str, ...] = ()


def why(
    services: Services,
    path: str,
    query: str | None,
    scope: Scope,
    *,
    progress: ReportProgress = report_nothing,
) -> FileReasons:
    """Why the file at *path* is or is not in the answer to *query*; without one, in the index.

    Raises:
        UsageError: There is no such project, or the path does not lie in it.
    """
    request = None
    if query is not None:
        request = checked_request(SearchRequest(query=query, limit=_DEPTH))
    project, file = file_in_project(services, path, scope)
    relative = path_inside(Path(project.root), file)
    alone = replace(scope, projects=(project.root,), all_projects=False)
    (asked,) = ask_projects(
        services,
        alone,
        lambda _, manifest: _reasons(services, project, manifest, relative, query),
        progress,
    )
    about = asked.answer
    if about is None:
        raise UsageError(asked.warning or f"nothing is known about {path}")
    about = replace(
        about, projects=(asked.status,), warnings=(asked.warning,) if asked.warning else ()
    )
    if request is None or not about.chunks:
        return about
    return _ranked(services, about, replace(request, scope=replace(alone, skip_stale_check=True)))


def _reasons(
    services: Services, project: Project, manifest: Manifest, path: str, query: str | None
) -> FileReasons:
    """What the index says of the file."""
    record = manifest.file(path)
    about = FileReasons(project, path, query, "indexed")
    if record is None:
        return _outside(services, about, manifest)
    held, lacked = _words(manifest, record, query or "")
    return replace(
        about,
        standing="failed" if record.error else "indexed",
        reason=record.error or ("" if record.chunk_count else "it holds no text"),
        language=record.language,
        content=record.content,
        chunks=record.chunk_count,
        has_vectors=record.embedded and record.chunk_count > 0,
        words_held=held,
        words_lacked=lacked,
    )


def _outside(services: Services, about: FileReasons, manifest: Manifest) -> FileReasons:
    """Why a file is not in the index."""
    failed = next((one for one in manifest.failed() if one.path == about.path), None)
    if failed is not None:
        return replace(about, standing="failed", reason=failed.detail or failed.reason)
    found = explain_path(
        Path(about.project.root), about.path, services.discovery_rules(about.project)
    )
    # What only the content tells, a pass has noted down.
    noted = next((one for one in manifest.skipped() if one.path == about.path), None)
    if not isinstance(found, SkippedFile) and noted is not None:
        found = noted
    if not isinstance(found, SkippedFile):
        return replace(
            about,
            standing="pending",
            reason="no index pass has come to it yet",
            language=found.language,
            content=found.content,
        )
    words = REASONS.get(found.reason, found.reason)
    if found.reason == VANISHED:
        return replace(about, standing="missing", reason=words)
    return replace(about, standing="skipped", reason=words, detail=found.detail)


def _ranked(services: Services, about: FileReasons, request: SearchRequest) -> FileReasons:
    """Where an indexed file stands in the answer."""
    answer = search_unrecorded(services, request)
    paths = [hit.path for hit in answer.results]
    about = replace(
        about,
        ranked=len(paths),
        mode=answer.mode,
        warnings=tuple(dict.fromkeys((*about.warnings, *answer.warnings))),
    )
    if about.path in paths:
        rank = paths.index(about.path)
        return replace(about, standing="found", rank=rank + 1, best=answer.results[rank])
    alone = search_unrecorded(services, replace(request, file_filters=(about.path,)))
    best = next((hit for hit in alone.results if hit.path == about.path), None)
    reason = (
        "other files hold more of the query, or are closer to it in meaning"
        if best is not None
        else "it holds no word of the query"
    )
    return replace(about, standing="outranked", reason=about.reason or reason, best=best)


def _words(
    manifest: Manifest, record: FileRecord, query: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words of the query that the file holds, in any form, and those that it lacks."""
    chunks = manifest.chunk_texts(record.file_id)
    texts: Sequence[str] = [record.path, *(one.chunk.text for one in chunks)]
    terms = set(document_terms("\n".join(texts)).split())
    wanted = [word for word in dict.fromkeys(_WORD.findall(query)) if not is_stop_word(word)]
    held = tuple(word for word in wanted if terms.issuperset(word_terms(word)))
    return held, tuple(word for word in wanted if word not in held)
