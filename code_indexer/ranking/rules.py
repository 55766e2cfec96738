"""The rules of ranking: each gives chunks a bonus, in units of the best retrieved score."""

import math
import re
from collections.abc import Container, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache

from code_indexer.ranking.fusion import Scores
from code_indexer.ranking.paths import PathFacts, squeezed
from code_indexer.ranking.question import Candidate, FoundDefinition, NamedSymbol
from code_indexer.ranking.stems import stem
from code_indexer.ranking.terms import word_terms
from code_indexer.storage.vectors import ChunkScore

_KIND_WORTH = {
    1.0: "class interface struct enum trait protocol record object actor union mixin newtype data",
    0.9: "function macro type typedef",
    0.7: "method module",
}
"""What a definition of a kind is worth when its name is asked for; other kinds get the least."""
_WORTH_OF_KIND = {kind: worth for worth, kinds in _KIND_WORTH.items() for kind in kinds.split()}
_LEAST_WORTH = 0.3
_UNIQUENESS = {1: 2.0, 2: 1.4}
"""What a name among other words gains when so many files define it."""
_GENERIC_WORD_TEXT = """
utils helper impl common base abstract default internal core manager service type factory main index
"""
_GENERIC_WORDS = frozenset(stem(word) for word in _GENERIC_WORD_TEXT.split())
"""Words in a file's name that do not say what the file is about."""
_LONG_DEFINITION = 200
_PHRASE_POWER = 2
_RARE_WORDS_POWER = 6
_QUALIFIERS = re.compile(r"^.*[.:#/](?=.)", re.DOTALL)
_OWNERS = re.compile(r"::|->|[.#:/\\]")
_MAX_DEPTH = 8
_STEP = 0.1


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


def closeness(
    candidates: Mapping[int, Candidate], dense: Sequence[ChunkScore], best: Mapping[int, int]
) -> Scores:
    """How close the closest chunk of each file is to the query, from 0 to 1 among all found."""
    if not dense:
        return {}
    top, bottom = dense[0].score, dense[-1].score
    closest: Scores = {}
    for found in dense:
        chunk_id = best[candidates[found.chunk_id].file_id]
        if chunk_id not in closest:
            closest[chunk_id] = (found.score - bottom) / (top - bottom) if top > bottom else 0.0
    return closest


def rare_words(shares: Mapping[int, float]) -> Scores:
    """Places that almost alone hold much of the query.

    The power lets it count for most of the query and next to nothing for one odd word of several.
    """
    return {chunk_id: share**_RARE_WORDS_POWER for chunk_id, share in shares.items()}


def phrase(shares: Mapping[int, float]) -> Scores:
    """Places that hold the query word for word; a small part of it may stand there by chance."""
    return {chunk_id: share**_PHRASE_POWER for chunk_id, share in shares.items()}


def in_order(mentioned: Sequence[int]) -> Scores:
    """1 for the first, falling so that places named in an order keep it."""
    return {chunk_id: 1 / (1 + _STEP * rank) for rank, chunk_id in enumerate(mentioned)}


def definition(
    found: Sequence[FoundDefinition],
    names: Sequence[NamedSymbol],
    facts_of: Mapping[int, PathFacts],
    file_of: Mapping[int, int],
) -> Scores:
    """Chunks that define a symbol the query names; more so in a file of the same name.

    A name among other words says most when few files define it.
    """
    exact = {match.name for match in found}
    places = _defining_files(found, file_of)
    bonuses: Scores = {}
    for match in found:
        facts = facts_of[match.chunk_id]
        for named in names:
            strength = _definition_strength(match, named, exact, facts)
            if strength == 0:
                continue
            if named.certainty < 1:
                strength *= _UNIQUENESS.get(len(places.get(named.name, ())), 1.0)
            if facts.squeezed_stem.rstrip("s") == squeezed(named.name).rstrip("s"):
                strength *= 2
            strength *= 1 - 0.03 * min(facts.depth, _MAX_DEPTH)
            bonuses[match.chunk_id] = max(bonuses.get(match.chunk_id, 0.0), strength)
    return bonuses


def sole_definition(
    found: Sequence[FoundDefinition],
    names: Sequence[NamedSymbol],
    facts_of: Mapping[int, PathFacts],
) -> Scores:
    """The one place that defines just what the query is."""
    exact = {match.name for match in found}
    places = {
        match.chunk_id
        for match in found
        for named in names
        if (match.name == named.name or named.name not in exact)
        and not match.is_declaration
        and (
            named.qualifier is None
            or _qualifier_worth(squeezed(named.qualifier), match, facts_of[match.chunk_id]) == 1
        )
    }
    return dict.fromkeys(places, 1.0) if len(places) == 1 else {}


def _defining_files(
    found: Sequence[FoundDefinition], file_of: Mapping[int, int]
) -> dict[str, set[int]]:
    """The files that define each name as more than a field or a variable."""
    places: dict[str, set[int]] = {}
    for match in found:
        if match.kind in _WORTH_OF_KIND and not match.is_declaration:
            places.setdefault(match.name, set()).add(file_of[match.chunk_id])
    return places


def _definition_strength(
    match: FoundDefinition, named: NamedSymbol, exact: Container[str], facts: PathFacts
) -> float:
    if match.name == named.name:
        strength = named.certainty
    elif match.name.lower() == named.name.lower():
        # Another letter case is a slip of the pen only when nothing is spelled as in the query.
        strength = named.certainty * (0.1 if named.name in exact else 0.8)
    elif squeezed(match.name) == squeezed(named.name):
        # Looked for only where nothing is spelled as in the query.
        strength = named.certainty * 0.8
    else:
        return 0.0
    strength *= _WORTH_OF_KIND.get(match.kind, _LEAST_WORTH)
    if match.is_declaration:
        strength *= _LEAST_WORTH
    if named.qualifier:
        strength *= _qualifier_worth(squeezed(named.qualifier), match, facts)
    # Of several definitions of a name, the one that says most.
    return strength * (0.8 + 0.2 * min(match.line_count, _LONG_DEFINITION) / _LONG_DEFINITION)


def _qualifier_worth(qualifier: str, match: FoundDefinition, facts: PathFacts) -> float:
    """How well a definition lies where its qualified name says.

    Packages and modules are named by folders and files.
    """
    owners = _OWNERS.split(squeezed(match.qualified_name))[:-1]
    if qualifier in owners:
        return 1.0
    if not owners and qualifier in (facts.squeezed_stem, facts.squeezed_parent):
        return 1.0
    return 0.75 if any(qualifier in owner for owner in owners) else 0.5


def file_name_match(
    words: Mapping[str, float], best: Mapping[int, int], facts_of: Mapping[int, PathFacts]
) -> Scores:
    """Files named after the query: half for the share of its words, half for the name's."""
    asked = sum(words.values())
    bonuses: Scores = {}
    for chunk_id in best.values():
        stem_words = facts_of[chunk_id].stem_words
        common = words.keys() & stem_words
        if common:
            share = sum(words[word] for word in common) / asked
            telling = len(stem_words - _GENERIC_WORDS | common)
            bonuses[chunk_id] = 0.5 * share + 0.5 * len(common) / telling
    return bonuses


def is_named(words: AbstractSet[str], facts: PathFacts) -> bool:
    """Whether the query holds most of the words in the file's name, numbers aside."""
    of_name = {word for word in facts.stem_words if word.isalpha()}
    return len(of_name & words) > len(of_name) / 2


def directory_match(
    words: Mapping[str, float], best: Mapping[int, int], facts_of: Mapping[int, PathFacts]
) -> Scores:
    """Files whose folders hold words of the query that their name does not."""
    asked = sum(words.values())
    bonuses: Scores = {}
    for chunk_id in best.values():
        facts = facts_of[chunk_id]
        common = (words.keys() & facts.directory_words) - facts.stem_words
        if common:
            bonuses[chunk_id] = sum(words[word] for word in common) / asked
    return bonuses


def names_file(
    words: Container[str], best: Mapping[int, int], facts_of: Mapping[int, PathFacts]
) -> Scores:
    """Files whose name holds any of *words*."""
    return {
        chunk_id: 1.0
        for chunk_id in best.values()
        if any(word in words for word in facts_of[chunk_id].stem_words)
    }


def bears_name(
    names: Sequence[NamedSymbol], best: Mapping[int, int], facts_of: Mapping[int, PathFacts]
) -> Scores:
    """Files called like a symbol that the query names, whatever they define."""
    wanted = {squeezed(named.name): named.certainty for named in names}
    return {
        chunk_id: wanted[stem_name]
        for chunk_id in best.values()
        if (stem_name := facts_of[chunk_id].squeezed_stem) in wanted
    }


def chunk_symbol_match(words: Sequence[str], candidates: Iterable[Candidate]) -> Scores:
    """Chunks whose own symbol is named with the query's words."""
    asked = frozenset(words)
    bonuses: Scores = {}
    for candidate in candidates:
        if candidate.symbol is None:
            continue
        parts = _name_parts(candidate.symbol)
        common = len(asked & parts)
        if common:
            bonuses[candidate.chunk_id] = 2 * common / (len(asked) + len(parts))
    return bonuses


@lru_cache(maxsize=20_000)
def _name_parts(symbol: str) -> frozenset[str]:
    """Stems of the last component of a qualified name."""
    return frozenset(word_terms(_QUALIFIERS.sub("", symbol)))


def leads_query(
    words: Sequence[str], best: Mapping[int, int], facts_of: Mapping[int, PathFacts]
) -> Scores:
    """Files whose whole name is what the query begins with: its subject."""
    bonuses: Scores = {}
    for chunk_id in best.values():
        stem_words = facts_of[chunk_id].stem_words
        telling = stem_words - _GENERIC_WORDS or stem_words
        if telling and telling == frozenset(words[: len(telling)]):
            bonuses[chunk_id] = 1.0
    return bonuses


def names_parent(
    words: Container[str], best: Mapping[int, int], facts_of: Mapping[int, PathFacts]
) -> Scores:
    """Files in a folder whose name holds any of *words*."""
    return {
        chunk_id: 1.0
        for chunk_id in best.values()
        if any(word in words for word in facts_of[chunk_id].parent_words)
    }


def symbol_name_match(words: Sequence[str], names: Iterable[str]) -> float:
    """How much of what a file defines is named with the query's words.

    The logarithm of the number of names of which at least half the parts are asked for: files
    define what they are about under many names.
    """
    asked = frozenset(words)
    # Most stems begin like their words do, so this spares most names the stemming.
    starts = tuple(word[:3] for word in asked)
    count = 0
    for name in frozenset(names):
        lowered = name.lower()
        if any(start in lowered for start in starts):
            parts = frozenset(word_terms(name))
            count += 2 * len(parts & asked) >= max(1, len(parts))
    return math.log1p(count)
