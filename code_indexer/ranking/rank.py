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


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What the stages of retrieval found, each list best first."""

    lexical: Sequence[int] = ()
    dense: Sequence[int] = ()
    definitions: Sequence[FoundDefinition] = ()


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
        board.add(
            "file name",
            rules.file_name_match(question.words, best, facts_of),
            unit * weights.file_name,
        )
        board.add(
            "folder",
            rules.directory_match(question.words, best, facts_of),
            unit * weights.directory,
        )
    board.scale("path", _penalties(board.scores, facts_of, question, weights))
    return board


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
