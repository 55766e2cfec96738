"""The search of one project: retrieve, fuse and rank, verify, and show."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from code_indexer.inference.embedder import Vector
from code_indexer.ranking.paths import is_test_tool
from code_indexer.ranking.question import Candidate, Question
from code_indexer.ranking.rank import (
    FACTOR_STAGES,
    Board,
    RankingWeights,
    Retrieved,
    add_symbol_names,
    asks_for_name,
    rank,
)
from code_indexer.ranking.strength import answer_strength, comparable_factor, coverage
from code_indexer.ranking.terms import document_terms
from code_indexer.search.filters import SearchFilters, allowed_files
from code_indexer.search.naming import name_of_hit
from code_indexer.search.query import read_query
from code_indexer.search.retrieval import candidates_of, retrieve
from code_indexer.search.verify import VerifiedChunk, Verifier, unverified
from code_indexer.storage.chunks import ChunkRow
from code_indexer.storage.manifest import Manifest
from code_indexer.storage.vectors import VectorStore
from code_indexer.types import SearchHit

_CANDIDATES = 300
_OF_A_KIND = 8
_FILES_BY_NAMES = 60
_ALSO = 5
_COMPARED = 4
"""Times the limit: so many hits are looked at for copies of others."""
_LEADERS = 5
# Chunk texts are read for a few more hits than asked for: verification may drop some.
_SPARE_HITS = 4


@dataclass(frozen=True, slots=True)
class ProjectQuestion:
    """What one project is asked."""

    query: str
    limit: int = 8
    filters: SearchFilters = field(default_factory=SearchFilters)
    chunks: bool = False
    """Every matching chunk by itself, not one hit a file."""
    weights: RankingWeights = field(default_factory=RankingWeights)


@dataclass(frozen=True, slots=True)
class ProjectAnswer:
    """What one project answers."""

    hits: tuple[SearchHit, ...]
    mode: Literal["hybrid", "lexical"]


def search_project(
    manifest: Manifest,
    question: ProjectQuestion,
    *,
    root: str,
    vectors: VectorStore | None = None,
    query_vector: "Vector | None" = None,
    verifier: Verifier | None = None,
) -> ProjectAnswer:
    """The best hits of one project, best first.

    Args:
        manifest: The project's manifest.
        question: What is looked for.
        root: The project's root, to be named in the hits.
        vectors: The project's vectors; without them the answer is lexical.
        query_vector: The query's vector, of the model that made *vectors*.
        verifier: Compares every hit with its file; without it hits are ``unverified``.
    """
    read = read_query(question.query)
    allowed = allowed_files(manifest, question.filters)
    # Of what a kind of symbol is asked for, most candidates may be of another.
    count = _CANDIDATES * (_OF_A_KIND if question.filters.symbol_kinds else 1)
    retrieved = retrieve(manifest, read, allowed, vectors, query_vector, count=count)
    if is_test_tool(root):
        retrieved = replace(retrieved, usual_classes=retrieved.usual_classes | {"test"})
    candidates = candidates_of(manifest, retrieved, question.filters)
    board = rank(read, retrieved, candidates, question.weights)
    if not asks_for_name(read):
        names = manifest.symbol_names(board.leading_files(_FILES_BY_NAMES))
        add_symbol_names(board, read, names, question.weights)
    groups = _groups(board, candidates, chunks=question.chunks)
    copies = _copies(manifest, groups[: _COMPARED * question.limit])
    if copies:
        board.scale("copy", dict.fromkeys(copies, question.weights.copy))
        groups = _groups(board, candidates, chunks=question.chunks)
    shown = _shown_groups(manifest, groups, verifier, question.limit)
    factor = _factor(read, retrieved, board, shown) if shown else 0.0
    return ProjectAnswer(
        tuple(_hit(manifest, read, root, group, board, factor) for group in shown),
        "hybrid" if retrieved.dense else "lexical",
    )


def _groups(board: Board, candidates: Mapping[int, Candidate], *, chunks: bool) -> list[list[int]]:
    """Chunks that make one hit each, best hit first, the chunk to show first in it."""
    order = sorted(board.scores, key=lambda chunk_id: (-board.scores[chunk_id], chunk_id))
    if chunks:
        return [[chunk_id] for chunk_id in order]
    by_file: dict[int, list[int]] = {}
    for chunk_id in order:
        by_file.setdefault(candidates[chunk_id].file_id, []).append(chunk_id)
    return list(by_file.values())


def _copies(manifest: Manifest, groups: Sequence[Sequence[int]]) -> set[int]:
    """The chunks of the groups that would show the same text as a better one."""
    rows = manifest.chunks_by_id([group[0] for group in groups])
    shown: set[str] = set()
    copies: set[int] = set()
    for group in groups:
        row = rows.get(group[0])
        if row is None:
            continue
        if row.text in shown:
            copies.update(group)
        shown.add(row.text)
    return copies


def _shown_groups(
    manifest: Manifest, groups: Sequence[list[int]], verifier: Verifier | None, limit: int
) -> list[list[VerifiedChunk]]:
    """The chunks of the first hits as they are now; hits of which nothing is left are passed."""
    kept: list[list[VerifiedChunk]] = []
    for start in range(0, len(groups), limit + _SPARE_HITS):
        portion = [group[: _ALSO + 1] for group in groups[start : start + limit + _SPARE_HITS]]
        rows = manifest.chunks_by_id([chunk_id for group in portion for chunk_id in group])
        for group in portion:
            shown = list(_verified((rows[one] for one in group if one in rows), verifier))
            if shown:
                kept.append(shown)
            if len(kept) == limit:
                return kept
    return kept


def _verified(rows: Iterable[ChunkRow], verifier: Verifier | None) -> Iterator[VerifiedChunk]:
    for row in rows:
        shown = unverified(row) if verifier is None else verifier.verified(row)
        if shown is not None:
            yield shown


def _factor(
    read: Question,
    retrieved: Retrieved,
    board: Board,
    shown: Sequence[Sequence[VerifiedChunk]],
) -> float:
    """What makes the scores comparable with those of other projects."""
    leaders = [group[0].chunk for group in shown[:_LEADERS]]
    similarity = {found.chunk_id: found.score for found in retrieved.dense}
    defined = {match.chunk_id for match in retrieved.definitions}
    strength = answer_strength(
        [
            coverage(document_terms(f"{chunk.path}\n{chunk.text}").split(), retrieved.term_weights)
            for chunk in leaders
        ],
        [similarity.get(chunk.chunk_id, 0.0) for chunk in leaders],
        has_definition=asks_for_name(read) and any(one.chunk_id in defined for one in leaders),
    )
    return comparable_factor(board.unit, strength)


def _hit(
    manifest: Manifest,
    read: Question,
    root: str,
    shown: Sequence[VerifiedChunk],
    board: Board,
    factor: float,
) -> SearchHit:
    first = shown[0]
    chunk = first.chunk
    symbol, kind = name_of_hit(chunk, manifest.symbols_of_file(chunk.file_id), read)
    return SearchHit(
        project=root,
        path=chunk.path,
        start_line=first.start_line,
        end_line=first.end_line,
        score=round(board.scores[chunk.chunk_id] * factor, 6),
        symbol=symbol,
        kind=kind,
        language=chunk.language,
        snippet=first.text,
        freshness=first.freshness,
        also=tuple((other.start_line, other.end_line) for other in shown[1:]),
        signals=_signals(board.signals.get(chunk.chunk_id, ()), factor),
    )


def _signals(signals: Iterable[tuple[str, float]], factor: float) -> tuple[tuple[str, float], ...]:
    """What was added, in the units of the score; factors as they are."""
    return tuple(
        (stage, round(value if stage in FACTOR_STAGES else value * factor, 6))
        for stage, value in signals
    )
