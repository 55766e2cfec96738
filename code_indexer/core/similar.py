"""``find_similar``: the code that is most like the code at one place."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from code_indexer.core.asking import Asked, Scope, ask_projects, checked_limit, each_file_once
from code_indexer.core.files import file_in_project
from code_indexer.core.results import SearchAnswer
from code_indexer.core.services import Services
from code_indexer.errors import ServiceUnavailableError, UsageError
from code_indexer.indexing.progress import ReportProgress, report_nothing
from code_indexer.navigation.context import path_inside
from code_indexer.navigation.places import parse_place
from code_indexer.ranking.confidence import COMPARED, confidence
from code_indexer.ranking.strength import coverage, term_weights
from code_indexer.ranking.terms import document_terms
from code_indexer.search.verify import VerifiedChunk
from code_indexer.storage.chunks import ChunkRow
from code_indexer.storage.file_filter import FileFilter
from code_indexer.storage.manifest import EmbedderKey, Manifest
from code_indexer.types import Project, SearchHit

if TYPE_CHECKING:
    from code_indexer.inference.embedder import Vector
    from code_indexer.storage.vectors import VectorStore

_CANDIDATES = 60
_TERMS = 30
"""The rarest terms of the example that are looked up."""
_MEANING = 0.75
"""The share of the score that is closeness in meaning; the rest are terms in common."""


@dataclass(frozen=True, slots=True)
class Example:
    """The chunk that others are compared with."""

    project: Project
    chunk: ChunkRow
    terms: frozenset[str]
    vector: "Vector | None" = None
    embedder: EmbedderKey | None = None
    """Which embedder the vector comes from."""


def find_similar(
    services: Services,
    place: str,
    scope: Scope,
    *,
    limit: int = 8,
    progress: ReportProgress = report_nothing,
) -> SearchAnswer:
    """The chunks most like the one at *place*, ``path:line``; that one itself is left out.

    They come from the project of the place, or from every one where *scope* names all.

    Raises:
        UsageError: There is no such place, or it holds no code.
    """
    most = checked_limit(limit)
    path, line = _parsed(place)
    project, file = file_in_project(services, path, scope)
    relative = path_inside(Path(project.root), file)
    alone = replace(scope, projects=(project.root,), all_projects=False)
    (source,) = ask_projects(
        services,
        alone,
        lambda _, manifest: _example(services, project, manifest, relative, line),
        progress,
    )
    example = source.answer
    if example is None:
        raise UsageError(source.warning or f"nothing is known about {place}")
    asked = ask_projects(
        services,
        scope if scope.all_projects else replace(alone, skip_stale_check=True),
        lambda one, manifest: _alike(services, one, manifest, example, max(most, COMPARED)),
        progress,
    )
    return _answer(place, most, asked, [source.warning], (project.root, relative))


@dataclass(frozen=True, slots=True)
class _Alike:
    """What one project holds."""

    hits: tuple[SearchHit, ...]
    by_meaning: bool
    problem: str | None = None


def _answer(
    place: str,
    limit: int,
    asked: Sequence[Asked[_Alike]],
    said: Sequence[str | None],
    example: tuple[str, str],
) -> SearchAnswer:
    answers = [one.answer for one in asked if one.answer is not None]
    ranked = each_file_once(
        sorted(
            (
                hit
                for answer in answers
                for hit in answer.hits
                # In a project inside the example's own it is no copy, but the example itself.
                if hit.project == example[0]
                or f"{hit.project}/{hit.path}" != f"{example[0]}/{example[1]}"
            ),
            key=lambda hit: (-hit.score, hit.project, hit.path, hit.start_line),
        ),
        lambda hit: (hit.project, hit.path),
    )
    warnings = [*said, *(one.warning for one in asked), *(answer.problem for answer in answers)]
    return SearchAnswer(
        query=place,
        results=tuple(ranked[:limit]),
        mode="hybrid" if any(answer.by_meaning for answer in answers) else "lexical",
        projects=tuple(one.status for one in asked),
        warnings=tuple(dict.fromkeys(warning for warning in warnings if warning)),
        confidence=confidence([hit.score for hit in ranked]),
    )


def _parsed(place: str) -> tuple[str, int]:
    found = parse_place(place)
    if found is None:
        raise UsageError(f"not a place: {place!r}", hint="Write it as PATH:LINE, lines from 1")
    return found.path, found.start_line


def _example(
    services: Services, project: Project, manifest: Manifest, path: str, line: int
) -> Example:
    """The chunk at a line, with its vector if it has one.

    Raises:
        UsageError: The file is not indexed, or has no chunk there.
    """
    file = manifest.file(path)
    if file is None:
        raise UsageError(
            f"{path} is not indexed", hint=f"Ask for the reason with: code-indexer why {path}"
        )
    stored = manifest.chunk_texts(file.file_id)
    # A blank line belongs to no chunk; what stands above it is meant.
    around = [one for one in stored if one.chunk.start_line <= line] or stored[:1]
    lines = (services.read_text(project.root, path) or "").removesuffix("\n").count("\n") + 1
    if not around or line > lines:
        raise UsageError(f"{path} has no line {line} with code", hint=f"It has {lines} lines")
    chosen = next((one for one in around if one.chunk.end_line >= line), around[-1])
    chunk = manifest.chunks_by_id([chosen.chunk_id])[chosen.chunk_id]
    terms = frozenset(document_terms(chunk.text).split())
    vector = _known_vector(manifest, chosen.text_hash)
    return Example(project, chunk, terms, vector, manifest.embedder())


def _known_vector(manifest: Manifest, text_hash: bytes) -> "Vector | None":
    embedder = manifest.embedder()
    record = manifest.known_vectors([text_hash]).get(text_hash) if embedder else None
    if embedder is None or record is None:
        return None
    from code_indexer.storage.embedded_vectors import dequantise
    from code_indexer.storage.vectors import FileVectors

    vector: Vector = dequantise(FileVectors(embedder.dimension, record))[0]
    return vector


def _alike(
    services: Services, project: Project, manifest: Manifest, example: Example, limit: int
) -> _Alike:
    allowed = manifest.matching_files(FileFilter(contents=(example.chunk.content,)))
    frequencies = manifest.document_frequencies(example.terms)
    weights = term_weights(frequencies, manifest.chunk_count())
    count = max(_CANDIDATES, 2 * limit)
    similar, problem = _close_in_meaning(services, project, manifest, example, allowed, count)
    rarest = sorted(weights, key=lambda term: (-weights[term], term))
    known = [term for term in rarest if frequencies[term]][:_TERMS]
    shared = manifest.lexical_match(known, limit=count, file_ids=allowed)
    rows = manifest.chunks_by_id({*similar, *(found.chunk_id for found in shared)})
    signals = {
        row.chunk_id: _signals(row, similar, weights)
        for row in rows.values()
        if not _is_example(project, row, example)
    }
    best_first = sorted(signals, key=lambda one: (-sum(signals[one].values()), one))
    hits = _verified(services, project, [(rows[one], signals[one]) for one in best_first], limit)
    return _Alike(tuple(hits), bool(similar), problem)


def _verified(
    services: Services,
    project: Project,
    rows: Sequence[tuple[ChunkRow, Mapping[str, float]]],
    limit: int,
) -> list[SearchHit]:
    """The first *limit* chunks that are still there, as they are now."""
    verifier = services.verifier(project)
    hits: list[SearchHit] = []
    for row, signals in rows:
        now = verifier.verified(row) if len(hits) < limit else None
        if now is not None:
            hits.append(_hit(project, now, signals))
    return hits


def _close_in_meaning(
    services: Services,
    project: Project,
    manifest: Manifest,
    example: Example,
    allowed: set[int],
    count: int,
) -> tuple[dict[int, float], str | None]:
    """Cosines by chunk, and why there are none, if there are none."""
    if example.vector is None:
        return {}, "compared by words only: the place has no vector yet"
    if manifest.embedder() != example.embedder:
        return {}, f"compared by words only: {project.root} was indexed with another model"
    try:
        store: VectorStore = manifest.vectors()
        if services.engines.stores_on_server:
            store = services.engines.qdrant(project, manifest)
        nearest = store.nearest(example.vector, limit=count, file_ids=allowed)
    except ServiceUnavailableError as error:
        return {}, f"compared by words only: {error.message}"
    return {found.chunk_id: found.score for found in nearest}, None


def _signals(
    row: ChunkRow, similar: Mapping[int, float], weights: Mapping[str, float]
) -> dict[str, float]:
    """What makes the score, which is the same scale in every project: 1 is the same code."""
    in_common = coverage(frozenset(document_terms(row.text).split()), weights)
    # What is not among the closest is at most as close as the last of them.
    meaning = similar.get(row.chunk_id, min(similar.values(), default=0.0))
    share = _MEANING if similar else 0.0
    return {"dense": share * meaning, "lexical": (1 - share) * in_common}


def _hit(project: Project, now: VerifiedChunk, signals: Mapping[str, float]) -> SearchHit:
    return SearchHit(
        project=project.root,
        path=now.chunk.path,
        start_line=now.start_line,
        end_line=now.end_line,
        score=round(sum(signals.values()), 6),
        symbol=now.chunk.symbol,
        kind=now.chunk.kind,
        language=now.chunk.language,
        snippet=now.text,
        freshness=now.freshness,
        signals=tuple((stage, round(value, 6)) for stage, value in signals.items() if value),
    )


def _is_example(project: Project, row: ChunkRow, example: Example) -> bool:
    """Whether the chunk is the example, or overlaps it, as windows do."""
    chunk = example.chunk
    return (
        project.slug == example.project.slug
        and row.file_id == chunk.file_id
        and (
            row.chunk_id == chunk.chunk_id
            or not (row.end_line < chunk.start_line or row.start_line > chunk.end_line)
        )
    )
