"""By which of its definitions a chunk is named in an answer."""

from collections.abc import Iterable

from code_indexer.ranking.question import Question
from code_indexer.ranking.terms import document_terms
from code_indexer.storage.chunks import ChunkRow
from code_indexer.types import Symbol

_ASKED_BY_NAME = 100


def name_of_hit(
    chunk: ChunkRow, symbols: Iterable[Symbol], question: Question
) -> tuple[str | None, str | None]:
    """Qualified name and kind of the definition in the chunk that answers the question best.

    A chunk may hold several small definitions. Where none has a word of the question in its name,
    the chunk keeps its own symbol.
    """
    best, best_score = None, 0
    for symbol in symbols:
        if not chunk.start_line <= symbol.name_line <= chunk.end_line:
            continue
        score = _likeness(symbol, question)
        is_own = symbol.qualified_name == chunk.symbol
        if score > best_score or (score == best_score > 0 and is_own):
            best, best_score = symbol, score
    if best is None:
        return chunk.symbol, chunk.kind
    return best.qualified_name, best.kind


def _likeness(symbol: Symbol, question: Question) -> int:
    asked = {named.name.casefold() for named in question.names}
    if symbol.name.casefold() in asked:
        return _ASKED_BY_NAME
    return len(set(document_terms(symbol.name).split()).intersection(question.terms))
