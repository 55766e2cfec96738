"""The order of a search's chunks: what was retrieved, fused, and moved by the rules."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from code_indexer.ranking import rules
from code_indexer.ranking.fusion import Scores, reciprocal_ranks, summed
from code_indexer.ranking.paths import (
    PathFacts,
    headers_of_sources,
    older_versions,
    path_facts,
    path_penalty,
)
from code_indexer.ranking.question import Candidate, FoundDefinition, Question
from code_indexer.storage.vectors import ChunkScore

FACTOR_STAGES = frozenset({"path", "content", "copy"})
"""The signals that are factors; all others were added."""
_HOW = frozenset({"how", "why", "explain", "describe", "overview"})


@dataclass(frozen=True, slots=True)
class RankingWeights:
    """How much each stage counts. Found by measuring: see ``docs/benchmarks.md``."""

    lexical: float = 1.0
    dense: float = 0.9
    dense_for_names: float = 0.12
    """When the query is a name."""
    coherence: float = 0.30
    coherence_for_how: float = 0.46
    """When the query asks how something works: such answers are spread over a file."""
    closeness: float = 0.15
    definition: float = 1.7
    sole_definition: float = 2.5
    file_name: float = 0.585
    directory: float = 0.24
    first_word: float = 0.1
    subject: float = 0.1
    parent: float = 0.19
    symbol_names: float = 0.136
    bears_name: float = 1.0
    chunk_symbol: float = 0.1
    phrase: float = 4.0
    rare_words: float = 5.0
    """A place that alone holds most of what the query says is the answer, be it a test."""
    mention: float = 3.0
    """A file that the query names comes first."""
    penalty_strength: float = 0.6
    docs: float = 0.55
    """Factor for documentation when the query is about code."""
    config: float = 0.5
    code_for_docs: float = 0.5
    """Factor for code when the query is about documentation."""
    copy: float = 0.5
    """Factor for a place that says just what a better one says."""


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What the stages of retrieval found, each list best first."""

    lexical: Sequence[ChunkScore] = ()
    dense: Sequence[ChunkScore] = ()
    definitions: Sequence[FoundDefinition] = ()
    rare_words: Mapping[int, float] = field(default_factory=dict)
    """The share of the query, by what its words tell, that almost only this chunk holds."""
    phrases: Mapping[int, float] = field(default_factory=dict)
    """The share of the query, or of what it quotes, that a chunk holds word for word."""
    mentioned: Sequence[int] = ()
    """Chunks of the files, at the lines, that the query names."""
    usual_classes: frozenset[str] = frozenset()
    """Classes of paths that are no exception in this project."""
    term_weights: Mapping[str, float] = field(default_factory=dict)
    """How much each term of the query tells."""


@dataclass(slots=True)
class Board:
    """Scores of one query, and what each stage did to them."""

    best: dict[int, int]
    """The chunk of each file that bonuses of the whole file go to."""
    unit: float
    """The best score of retrieval, in which bonuses are counted."""
    scores: Scores = field(default_factory=dict)
    factors: Scores = field(default_factory=dict)
    signals: dict[int, list[tuple[str, float]]] = field(default_factory=dict)

    def add(
        self, stage: str, bonuses: Mapping[int, float], weight: float, *, in_any_file: bool = False
    ) -> None:
        """Add *weight* times each bonus, times the factors that the chunk has already.

        With *in_any_file* without them: what only one place has is there whatever file it lies in.
        """
        for chunk_id, bonus in bonuses.items():
            factor = 1.0 if in_any_file else self.factors.get(chunk_id, 1.0)
            if value := weight * bonus * factor:
                self.scores[chunk_id] = self.scores.get(chunk_id, 0.0) + value
                self.signals.setdefault(chunk_id, []).append((stage, value))

    def scale(self, stage: str, factors: Mapping[int, float]) -> None:
        """Multiply each chunk's score, and all that is added later."""
        for chunk_id, factor in factors.items():
            if factor != 1.0:
                self.scores[chunk_id] = self.scores.get(chunk_id, 0.0) * factor
                self.factors[chunk_id] = self.factors.get(chunk_id, 1.0) * factor
                signals = [
                    (name, value if name in FACTOR_STAGES else value * factor)
                    for name, value in self.signals.get(chunk_id, ())
                ]
                self.signals[chunk_id] = [*signals, (stage, factor)]

    def leading_files(self, count: int) -> list[int]:
        """The files of the best chunks, best first."""
        order = sorted(self.best, key=lambda file_id: -self.scores.get(self.best[file_id], 0.0))
        return order[:count]


def rank(
    question: Question,
    retrieved: Retrieved,
    candidates: Mapping[int, Candidate],
    weights: RankingWeights = RankingWeights(),
) -> Board:
    """The score of every candidate, higher is better."""
    is_name = asks_for_name(question)
    found = _among(retrieved, candidates)
    dense_weight = weights.dense_for_names if is_name else weights.dense
    parts = {
        "lexical": reciprocal_ranks(_ids(found.lexical), weight=weights.lexical),
        "dense": reciprocal_ranks(_ids(found.dense), weight=dense_weight),
    }
    base = summed(parts.values())
    facts_of = {chunk_id: path_facts(one.path) for chunk_id, one in candidates.items()}
    defined = rules.definition(
        found.definitions,
        question.names,
        facts_of,
        {chunk_id: one.file_id for chunk_id, one in candidates.items()},
    )
    best = rules.best_chunks(candidates.values(), base)
    if is_name:
        # The place of a file that answers a name is where the file defines it.
        best |= rules.best_chunks((candidates[chunk_id] for chunk_id in defined), defined)
    board = Board(best, max(base.values(), default=1.0))
    ignored = question.wants | found.usual_classes
    board.scale("path", _penalties(candidates, facts_of, question, ignored, weights))
    board.scale("content", _content_factors(candidates, facts_of, question, weights))
    for stage, part in parts.items():
        board.add(stage, part, 1.0)
    unit = board.unit
    asks_how = question.text.partition(" ")[0].lower() in _HOW
    for stage, bonuses, weight in (
        ("phrase", rules.phrase(_telling_phrases(question, found, candidates)), weights.phrase),
        ("mention", rules.in_order(found.mentioned), weights.mention),
        (
            "coherence",
            rules.coherence(candidates.values(), base, best),
            weights.coherence_for_how if asks_how else weights.coherence,
        ),
        ("closeness", rules.closeness(candidates, found.dense, best), weights.closeness),
        ("definition", defined, weights.definition),
    ):
        board.add(stage, bonuses, unit * weight)
    if is_name:
        _add_name_stages(board, question, found, facts_of, weights)
    else:
        _add_word_stages(board, question, found, candidates, facts_of, weights)
    return board


def _among(retrieved: Retrieved, candidates: Mapping[int, Candidate]) -> Retrieved:
    """What was found of the candidates alone."""
    return replace(
        retrieved,
        lexical=[one for one in retrieved.lexical if one.chunk_id in candidates],
        dense=[one for one in retrieved.dense if one.chunk_id in candidates],
        definitions=[one for one in retrieved.definitions if one.chunk_id in candidates],
        rare_words={one: share for one, share in retrieved.rare_words.items() if one in candidates},
        phrases={one: share for one, share in retrieved.phrases.items() if one in candidates},
        mentioned=[one for one in retrieved.mentioned if one in candidates],
    )


def _telling_phrases(
    question: Question, found: Retrieved, candidates: Mapping[int, Candidate]
) -> Mapping[int, float]:
    """Phrases of the documentation count only for questions to it, and for what is quoted.

    It repeats the very words that people ask with, and says where nothing is.
    """
    if question.shape != "prose" or question.content == "docs":
        return found.phrases
    return {
        chunk_id: share
        for chunk_id, share in found.phrases.items()
        if candidates[chunk_id].content != "docs"
    }


def _add_name_stages(
    board: Board,
    question: Question,
    found: Retrieved,
    facts_of: Mapping[int, PathFacts],
    weights: RankingWeights,
) -> None:
    """What counts when the query is a name and nothing else."""
    board.add(
        "sole definition",
        rules.sole_definition(found.definitions, question.names, facts_of),
        board.unit * weights.sole_definition,
        in_any_file=True,
    )
    board.add(
        "bears name",
        rules.bears_name(question.names, board.best, facts_of),
        board.unit * weights.bears_name,
    )


def _add_word_stages(
    board: Board,
    question: Question,
    found: Retrieved,
    candidates: Mapping[int, Candidate],
    facts_of: Mapping[int, PathFacts],
    weights: RankingWeights,
) -> None:
    """What counts when the query is made of words."""
    rare_words = rules.rare_words(found.rare_words)
    board.add("rare words", rare_words, board.unit * weights.rare_words, in_any_file=True)
    if not question.words:
        return
    best = board.best
    words = dict.fromkeys(question.words, 1.0)
    first = dict.fromkeys(question.words[:1], 1.0)
    for stage, bonuses, weight in (
        (
            "chunk symbol",
            rules.chunk_symbol_match(question.words, candidates.values()),
            weights.chunk_symbol,
        ),
        ("file name", rules.file_name_match(words, best, facts_of), weights.file_name),
        ("first word", rules.names_file(first, best, facts_of), weights.first_word),
        ("subject", rules.leads_query(question.words, best, facts_of), weights.subject),
        ("folder", rules.directory_match(words, best, facts_of), weights.directory),
        ("parent", rules.names_parent(words, best, facts_of), weights.parent),
    ):
        board.add(stage, bonuses, board.unit * weight)


def add_symbol_names(
    board: Board,
    question: Question,
    names: Mapping[int, Sequence[str]],
    weights: RankingWeights = RankingWeights(),
) -> None:
    """Let the symbols that files (by id) define speak for them."""
    bonuses = {
        board.best[file_id]: bonus
        for file_id, of_file in names.items()
        if (bonus := rules.symbol_name_match(question.words, of_file))
    }
    board.add("symbol names", bonuses, board.unit * weights.symbol_names)


def asks_for_name(question: Question) -> bool:
    """Whether the query is nothing but the name of a symbol."""
    return question.shape == "identifier" and question.names[0].certainty == 1


def _content_factors(
    candidates: Mapping[int, Candidate],
    facts_of: Mapping[int, PathFacts],
    question: Question,
    weights: RankingWeights,
) -> Scores:
    """Code first, unless the query reads like a question to the documentation.

    Settings are asked for by the names of their files.
    """
    factors = {"docs": weights.docs, "code": 1.0, "config": weights.config}
    if question.content == "docs":
        factors |= {"docs": 1.0, "code": weights.code_for_docs}
    elif question.content == "config":
        factors["config"] = 1.0
    words = frozenset(question.words)
    return {
        chunk_id: 1.0
        if one.content == "config" and rules.is_named(words, facts_of[chunk_id])
        else factors[one.content]
        for chunk_id, one in candidates.items()
    }


def _ids(ranked: Iterable[ChunkScore]) -> list[int]:
    return [found.chunk_id for found in ranked]


def _penalties(
    candidates: Mapping[int, Candidate],
    facts_of: Mapping[int, PathFacts],
    question: Question,
    ignored: frozenset[str],
    weights: RankingWeights,
) -> Scores:
    paths = {one.path for one in candidates.values()}
    beside = dict.fromkeys(headers_of_sources(paths), frozenset({"declaration"}))
    beside |= {
        path: beside.get(path, frozenset()) | {"older"}
        for path in older_versions(paths, question.text)
    }
    return {
        chunk_id: path_penalty(
            facts,
            # What documentation is worth is said by its content, not by its folder.
            ignored=ignored if candidates[chunk_id].content == "code" else ignored | {"docs"},
            beside=beside.get(candidates[chunk_id].path, frozenset()),
            strength=weights.penalty_strength,
        )
        for chunk_id, facts in facts_of.items()
    }
