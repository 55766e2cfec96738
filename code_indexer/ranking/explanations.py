"""The signals of a hit in words: where it came from, and what moved it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from code_indexer.ranking.rank import FACTOR_STAGES

SOURCES: Mapping[str, str] = {
    "lexical": "words",
    "dense": "meaning",
    "phrase": "phrase",
    "definition": "definition",
    "mention": "path",
}
"""The stages that find hits, and a word for each; all other stages only move what was found."""

REASONS: Mapping[str, str] = {
    "lexical": "holds words of the query",
    "dense": "is close to the query in meaning",
    "phrase": "holds the query, or part of it, word for word",
    "definition": "defines what the query names",
    "sole definition": "nothing else defines just that",
    "rare words": "holds words of the query that stand almost nowhere else",
    "mention": "lies in a file that the query names",
    "path": "kind of file (test, example, vendored, generated, legacy)",
    "content": "kind of content (code, documentation, configuration)",
    "copy": "says just what a better place says",
    "coherence": "how much of the file matches, all places together",
    "closeness": "the file is among the closest in meaning",
    "bears name": "the file bears the name",
    "chunk symbol": "its symbol has words of the query",
    "file name": "the file's name has words of the query",
    "first word": "the file is called like the query's first word",
    "subject": "the file is called like what the query begins with",
    "folder": "the folder's name has words of the query",
    "parent": "the folder is called like a word of the query",
    "symbol names": "symbols of the file have words of the query",
}
"""What each stage means to whoever reads the answer."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One signal in words."""

    stage: str
    words: str
    value: float
    is_factor: bool
    """It was multiplied, and is contained in what was added; else it was added."""

    @property
    def amount(self) -> str:
        """``+0.1234`` or ``×0.60``."""
        return f"×{self.value:.2f}" if self.is_factor else f"{self.value:+.4f}"


def reasons(signals: Iterable[tuple[str, float]]) -> list[Reason]:
    """All signals in words: what was added first, the largest first, then the factors."""
    found = [
        Reason(stage, REASONS.get(stage, stage), value, stage in FACTOR_STAGES)
        for stage, value in signals
    ]
    return sorted(found, key=lambda reason: (reason.is_factor, -abs(reason.value)))


def sources(signals: Iterable[tuple[str, float]]) -> list[str]:
    """How the hit was found: ``words``, ``meaning``, ``phrase``, ``definition``, ``path``."""
    return list(dict.fromkeys(SOURCES[stage] for stage, _ in signals if stage in SOURCES))


def explanation(score: float, signals: Iterable[tuple[str, float]]) -> list[str]:
    """A paragraph about one hit: its score and where it came from, then a line for each signal."""
    listed = list(signals)
    found_by = ", ".join(sources(listed))
    lines = [f"score {score:.4f}" + (f", found by {found_by}" if found_by else "")]
    lines += [f"  {one.amount:>8}  {one.words} [{one.stage}]" for one in reasons(listed)]
    return lines
