"""Which terms a search can afford: a term of every second line costs much and tells little."""

from collections.abc import Mapping, Sequence

MAX_POSTINGS = 200_000
"""About a microsecond each; projects of less than some ten thousand chunks never get there."""
_MAX_TERMS = 64
_LEAST = 2


def affordable_terms(terms: Sequence[str], frequencies: Mapping[str, int]) -> list[str]:
    """The rarest of *terms* that stand in at most ``MAX_POSTINGS`` chunks together, at least two.

    They keep their order. Pasted pages are cut down to their rarest words as well.
    """
    known = sorted((term for term in terms if frequencies.get(term)), key=lambda t: frequencies[t])
    kept: set[str] = set()
    total = 0
    for term in known[:_MAX_TERMS]:
        total += frequencies[term]
        if total > MAX_POSTINGS and len(kept) >= _LEAST:
            break
        kept.add(term)
    return [term for term in terms if term in kept]


def affordable_phrases(phrases: Sequence[str], frequencies: Mapping[str, int]) -> list[str]:
    """The phrases whose terms all occur and are rare enough together, the rarest first."""
    costs = {
        phrase: sum(frequencies.get(term, 0) for term in phrase.split())
        for phrase in phrases
        if all(frequencies.get(term) for term in phrase.split())
    }
    kept: list[str] = []
    total = 0
    for phrase in sorted(costs, key=lambda one: costs[one])[:_MAX_TERMS]:
        total += costs[phrase]
        if total > MAX_POSTINGS:
            break
        kept.append(phrase)
    return kept
