"""Which chunks hold the query's words as they stand in it: messages, quotations, comments."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from code_indexer.ranking.question import Question
from code_indexer.ranking.strength import term_weights
from code_indexer.ranking.terms import document_terms
from code_indexer.search.cost import affordable_phrases
from code_indexer.search.frames import lines_beside_frames
from code_indexer.storage.manifest import Manifest

_RUN = 4
"""So many words in a row are no accident,"""
_RUN_OF_MESSAGE = 3
"""and fewer in what a program has printed: between its values a message has few words in a row."""
_CHUNKS = 30
"""What stands in more places tells nothing of them."""
_MAX_TERMS = 40
_MAX_LINES = 8
_HALF = _MAX_LINES // 2
_MAX_CHARS = 2000
_PRINTED = re.compile(r"[:'\"`()\[\]<>]|\d")
"""Values, and what messages put around them."""
_VALUE = re.compile(
    r"(\"[^\"]*\"|`[^`]*`|(?<!\w)'[^']*'(?!\w)|\[[^\]]*\]|\([^)]*\)|(?<!\S)\S*[\d/\\]\S*)"
)
"""What is quoted or stands in brackets, numbers and paths."""


@dataclass(frozen=True, slots=True)
class Span:
    """A line of the query, which may stand in one place just as it was asked."""

    terms: tuple[str, ...]
    is_value: tuple[bool, ...]
    """Of each term whether it looks like something that was put into a message."""
    run: int
    """How many of its terms in a row are worth looking for."""


def spans_of(question: Question) -> list[Span]:
    """The lines of the query, unless it is a mere name or path; of a trace those beside frames."""
    is_name = question.shape == "identifier" and len(question.text.split()) == 1
    if is_name or question.shape == "path":
        return []
    is_trace = question.shape == "frame"
    lines = lines_beside_frames(question.text) if is_trace else question.text.splitlines()
    is_printed = question.shape in ("frame", "error") or _PRINTED.search(question.text) is not None
    run = _RUN_OF_MESSAGE if is_printed else _RUN
    # The message stands first or last.
    told = lines if len(lines) <= _MAX_LINES else [*lines[:_HALF], *lines[-_HALF:]]
    spans = (_span(line[:_MAX_CHARS], run) for line in told)
    return list(dict.fromkeys(span for span in spans if len(span.terms) >= run))


def _span(line: str, run: int) -> Span:
    terms: list[str] = []
    is_value: list[bool] = []
    for at, part in enumerate(_VALUE.split(line)):
        of_part = document_terms(part).split()
        terms += of_part
        is_value += [at % 2 == 1] * len(of_part)
    if all(is_value):  # a quotation, and nothing around it
        is_value = [False] * len(terms)
    return Span(tuple(terms[:_MAX_TERMS]), tuple(is_value[:_MAX_TERMS]), run)


def phrase_shares(
    manifest: Manifest,
    spans: Sequence[Span],
    frequencies: Mapping[str, int],
    allowed: Collection[int] | None,
) -> dict[int, float]:
    """The chunks that hold runs of a span's terms, and what share of the span the runs make up.

    Terms count by what they tell. Values count only where they stand in the chunk as well, and so
    do words that the project does not have.
    """
    weights = term_weights(frequencies, manifest.chunk_count())
    runs = {run for span in spans for run in _runs(span)}
    found = {
        run: chunk_ids
        for run in affordable_phrases(sorted(runs), frequencies)
        if len(chunk_ids := manifest.chunks_with_phrase(run, limit=_CHUNKS + 1, file_ids=allowed))
        <= _CHUNKS
    }
    shares: dict[int, float] = {}
    for span in spans:
        of_terms = [weights[term] if frequencies[term] else 0.0 for term in span.terms]
        covered: dict[int, set[int]] = {}
        for at, run in enumerate(_runs(span)):
            for chunk_id in found.get(run, ()):
                covered.setdefault(chunk_id, set()).update(range(at, at + span.run))
        values = {at for at, is_value in enumerate(span.is_value) if is_value}
        for chunk_id, places in covered.items():
            counted = sum(of_terms[at] for at in range(len(of_terms)) if at not in values - places)
            share = sum(of_terms[at] for at in places) / counted
            shares[chunk_id] = max(share, shares.get(chunk_id, 0.0))
    return shares


def _runs(span: Span) -> list[str]:
    """Every run of the span's terms, by where it begins."""
    starts = range(len(span.terms) - span.run + 1)
    return [" ".join(span.terms[at : at + span.run]) for at in starts]
