"""The order of a search's chunks: what was retrieved, fused, and moved by the rules."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from code_indexer.ranking import rules
from code_indexer.ranking.fusion import Scores, reciprocal_ranks, summed
from code_indexer.ranking.paths import PathFacts, path_facts, path_penalty
from code_indexer.ranking.question import Candidate, FoundDefinition, Question


@dataclass(frozen=True, slots=True)
class RankingWeights:
    """How much each stage counts. Found by measuring: see ``docs/benchmarks.md``."""

    lexical: float = 1.0
    dense: float = 0.6
    dense_for_names: float = 0.12
    """When the query is a name."""
    coherence: float = 0.30
    definition: float = 2.0
    file_name: float = 0.585
    directory: float = 0.24
    penalty_strength: float = 0.6
    docs: float = 0.55
    """Factor for documentation when the query is about code."""
    config: float = 0.5
    code_for_docs: float = 0.8
    """Factor for code when the query is about documentation."""


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What the stages of retrieval found, each list best first."""

    lexical: Sequence[int] = ()
    dense: Sequence[int] = ()
    definitions: Sequence[FoundDefinition] = ()
    word_weights: Mapping[str, float] = field(default_factory=dict)
    """How telling each of the query's words is: rare ones more."""


@dataclass(slots=True)
class Board:
    """Scores of one query, and what each stage added to them."""

    scores: Scores = field(default_factory=dict)
    signals: dict[int, list[tuple[str, float]]] = field(default_factory=dict)

    def add(self, stage: str, bonuses: Mapping[int, float], weight: float = 1.0) -> None:
        """Add *weight* times each bonus."""
        for chunk_id, bonus in bonuses.items():
            if value := weight * bonus:
                self.scores[chunk_id] = self.scores.get(chunk_id, 0.0) + value
                self.signals.setdefault(chunk_id, []).append((stage, value))

    def scale(self, stage: str, factors: Mapping[int, float]) -> None:
        """Multiply each chunk's score."""
        for chunk_id, factor in factors.items():
            if factor != 1.0:
                self.scores[chunk_id] *= factor
                self.signals.setdefault(chunk_id, []).append((stage, factor))


def rank(
    question: Question,
    retrieved: Retrieved,
    candidates: Mapping[int, Candidate],
    weights: RankingWeights = RankingWeights(),
) -> Board:
    """The score of every candidate, higher is better."""
    board = Board()
    is_name = question.shape == "identifier" and question.names[0].certainty == 1
    dense = weights.dense_for_names if is_name else weights.dense
    parts = {
        "lexical": reciprocal_ranks(_known(retrieved.lexical, candidates), weight=weights.lexical),
        "dense": reciprocal_ranks(_known(retrieved.dense, candidates), weight=dense),
    }
    base = summed(parts.values())
    for stage, part in parts.items():
        board.add(stage, part)
    unit = max(base.values(), default=1.0)
    facts_of = {chunk_id: path_facts(one.path) for chunk_id, one in candidates.items()}
    best = rules.best_chunks(candidates.values(), base)
    board.add(
        "coherence", rules.coherence(candidates.values(), base, best), unit * weights.coherence
    )
    board.add(
        "definition",
        rules.definition(
            [found for found in retrieved.definitions if found.chunk_id in candidates],
            question.names,
            facts_of,
        ),
        unit * weights.definition,
    )
    if not is_name:
        words = retrieved.word_weights or dict.fromkeys(question.words, 1.0)
        board.add(
            "file name",
            rules.file_name_match(words, best, facts_of),
            unit * weights.file_name,
        )
        board.add(
            "folder",
            rules.directory_match(words, best, facts_of),
            unit * weights.directory,
        )
    board.scale("path", _penalties(board.scores, facts_of, question, weights))
    board.scale("content", _content_factors(board.scores, candidates, question, weights))
    return board


def _content_factors(
    chunk_ids: Iterable[int],
    candidates: Mapping[int, Candidate],
    question: Question,
    weights: RankingWeights,
) -> Scores:
    """Code first, unless the query reads like a question to the documentation."""
    factors = (
        {"docs": 1.0, "code": weights.code_for_docs, "config": weights.config}
        if question.content == "docs"
        else {"docs": weights.docs, "code": 1.0, "config": weights.config}
    )
    return {chunk_id: factors[candidates[chunk_id].content] for chunk_id in chunk_ids}


def _known(ranked: Iterable[int], candidates: Mapping[int, Candidate]) -> list[int]:
    return [chunk_id for chunk_id in ranked if chunk_id in candidates]


def _penalties(
    chunk_ids: Iterable[int],
    facts_of: Mapping[int, PathFacts],
    question: Question,
    weights: RankingWeights,
) -> Scores:
    return {
        chunk_id: path_penalty(
            facts_of[chunk_id], ignored=question.wants, strength=weights.penalty_strength
        )
        for chunk_id in chunk_ids
    }
