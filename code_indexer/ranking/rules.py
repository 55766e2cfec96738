"""The rules of ranking: each gives chunks a bonus, in units of the best retrieved score."""

from collections.abc import Iterable, Mapping, Sequence

from code_indexer.ranking.fusion import Scores
from code_indexer.ranking.paths import PathFacts, squeezed
from code_indexer.ranking.question import Candidate, FoundDefinition, NamedSymbol

_PRIMARY_KIND_TEXT = """
class interface struct enum trait type function method object protocol record typedef newtype data
macro mixin union module actor constructor
"""
_PRIMARY_KINDS = frozenset(_PRIMARY_KIND_TEXT.split())
_MAX_DEPTH = 8


def best_chunks(candidates: Iterable[Candidate], scores: Mapping[int, float]) -> dict[int, int]:
    """The best chunk of each file."""
    best: dict[int, int] = {}
    for candidate in candidates:
        known = best.get(candidate.file_id)
        if known is None or scores.get(candidate.chunk_id, 0) > scores.get(known, 0):
            best[candidate.file_id] = candidate.chunk_id
    return best


def coherence(
    candidates: Iterable[Candidate], base: Mapping[int, float], best: Mapping[int, int]
) -> Scores:
    """Files with several matching chunks: the share of the file that has the most of them."""
    totals: dict[int, float] = {}
    for candidate in candidates:
        score = base.get(candidate.chunk_id, 0.0)
        totals[candidate.file_id] = totals.get(candidate.file_id, 0.0) + score
    most = max(totals.values(), default=0.0)
    if most <= 0:
        return {}
    return {best[file_id]: total / most for file_id, total in totals.items() if total > 0}


def definition(
    found: Sequence[FoundDefinition],
    names: Sequence[NamedSymbol],
    facts_of: Mapping[int, PathFacts],
) -> Scores:
    """Chunks that define a symbol the query names; more so in a file of the same name."""
    bonuses: Scores = {}
    for match in found:
        facts = facts_of[match.chunk_id]
        for named in names:
            strength = _definition_strength(match, named)
            if strength == 0:
                continue
            if facts.squeezed_stem.rstrip("s") == squeezed(named.name).rstrip("s"):
                strength *= 2
            strength *= 1 - 0.03 * min(facts.depth, _MAX_DEPTH)
            bonuses[match.chunk_id] = max(bonuses.get(match.chunk_id, 0.0), strength)
    return bonuses


def _definition_strength(match: FoundDefinition, named: NamedSymbol) -> float:
    if match.name == named.name:
        strength = named.certainty
    elif match.name.lower() == named.name.lower():
        strength = named.certainty * 0.5
    else:
        return 0.0
    if match.is_declaration or match.kind not in _PRIMARY_KINDS:
        strength *= 0.3
    if named.qualifier and squeezed(named.qualifier) not in squeezed(match.qualified_name):
        strength *= 0.5
    return strength


def file_name_match(
    words: Sequence[str], best: Mapping[int, int], facts_of: Mapping[int, PathFacts]
) -> Scores:
    """Files named after the query: half for the share of its words, half for the name's."""
    asked = set(words)
    bonuses: Scores = {}
    for chunk_id in best.values():
        stem = facts_of[chunk_id].stem_words
        common = len(asked & stem)
        if common:
            bonuses[chunk_id] = 0.5 * common / len(asked) + 0.5 * common / len(stem)
    return bonuses


def directory_match(
    words: Sequence[str], best: Mapping[int, int], facts_of: Mapping[int, PathFacts]
) -> Scores:
    """Files whose folders hold words of the query that their name does not."""
    asked = set(words)
    bonuses: Scores = {}
    for chunk_id in best.values():
        facts = facts_of[chunk_id]
        common = len(asked & facts.directory_words - facts.stem_words)
        if common:
            bonuses[chunk_id] = common / len(asked)
    return bonuses
