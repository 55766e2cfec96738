"""What a project has for a query: chunks found by words, meaning, phrases, names and paths."""

from collections.abc import Mapping

from code_indexer.inference.embedder import Vector
from code_indexer.ranking.paths import usual_classes
from code_indexer.ranking.question import Candidate, FoundDefinition, PathMention, Question
from code_indexer.ranking.rank import Retrieved
from code_indexer.ranking.strength import term_weights
from code_indexer.ranking.terms import other_notations
from code_indexer.search.cost import affordable_terms
from code_indexer.search.filters import SearchFilters
from code_indexer.search.phrases import phrase_shares, spans_of
from code_indexer.storage.manifest import Manifest
from code_indexer.storage.vectors import VectorStore

_RARE_CHUNKS = 4
_SAMPLED_PATHS = 200
_MENTIONS = 10
_CALLABLE = frozenset({"function", "method", "constructor", "macro"})
_FILES_PER_MENTION = 5
_MAX_DEPTH = 20
_DEFINITIONS_PER_NAME = 100
_NAMES = 8


def retrieve(
    manifest: Manifest,
    read: Question,
    allowed: set[int] | None,
    vectors: VectorStore | None,
    query_vector: "Vector | None",
    *,
    count: int,
) -> Retrieved:
    """What each stage of retrieval finds for the question, at most *count* by words and meaning."""
    spans = spans_of(read)
    wanted = {*read.terms, *(term for span in spans for term in span.terms)}
    frequencies = manifest.document_frequencies(wanted)
    weights = term_weights({term: frequencies[term] for term in read.terms}, manifest.chunk_count())
    terms = affordable_terms(read.terms, frequencies)
    lexical = manifest.lexical_match(terms, limit=count, file_ids=allowed)
    dense = (
        vectors.nearest(query_vector, limit=count, file_ids=allowed)
        if vectors is not None and query_vector is not None and query_vector.any()
        else []
    )
    return Retrieved(
        lexical=lexical,
        dense=dense,
        definitions=_definitions(manifest, read, allowed),
        rare_words=_rare_words(manifest, weights, frequencies, allowed),
        phrases=phrase_shares(manifest, spans, frequencies, allowed),
        mentioned=_mentioned(manifest, read, allowed),
        usual_classes=usual_classes(manifest.sample_paths(_SAMPLED_PATHS)),
        term_weights=weights,
    )


def _rare_words(
    manifest: Manifest,
    weights: Mapping[str, float],
    frequencies: Mapping[str, int],
    allowed: set[int] | None,
) -> dict[int, float]:
    """The chunks with words that stand in very few, and what share of the query these are."""
    known = {term: weight for term, weight in weights.items() if frequencies[term]}
    total = sum(known.values())
    shares: dict[int, float] = {}
    for term, weight in known.items():
        if frequencies[term] <= _RARE_CHUNKS:
            for found in manifest.lexical_match([term], limit=_RARE_CHUNKS, file_ids=allowed):
                shares[found.chunk_id] = shares.get(found.chunk_id, 0.0) + weight / total
    return shares


def _mentioned(manifest: Manifest, read: Question, allowed: set[int] | None) -> list[int]:
    """The chunks at the places that the query names, in its order."""
    found = (
        _mentioned_chunk(manifest, file_id, mention)
        for mention in read.paths[:_MENTIONS]
        for file_id in _files_mentioned(manifest, mention.path)
        if allowed is None or file_id in allowed
    )
    return list(dict.fromkeys(chunk_id for chunk_id in found if chunk_id is not None))


def _mentioned_chunk(manifest: Manifest, file_id: int, mention: PathMention) -> int | None:
    """Where in the file the mention points to.

    Traces come from other versions of the code: a function that they name tells more than the
    line, unless it holds the line.
    """
    if mention.line is None:
        return manifest.first_chunk(file_id)
    line = asked = mention.line
    named = [one for one in manifest.symbols_of_file(file_id) if one.name in mention.names]
    called = [one for one in named if one.kind in _CALLABLE] or named
    if called and not any(one.start_line <= line <= one.end_line for one in called):
        line = min((one.name_line for one in called), key=lambda each: abs(each - asked))
    return manifest.chunk_near(file_id, line)


def _files_mentioned(manifest: Manifest, path: str) -> list[int]:
    """Files that end like *path*: traces of other machines have folders in front that we lack."""
    parts = [part for part in path.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    for start in range(min(len(parts), _MAX_DEPTH)):
        found = manifest.file_ids_by_path("/".join(parts[start:]), limit=_FILES_PER_MENTION)
        if found:
            return found
    return []


def _definitions(
    manifest: Manifest, read: Question, allowed: set[int] | None
) -> list[FoundDefinition]:
    """The chunks in which symbols stand that the query names."""
    found = []
    for named in read.names[:_NAMES]:
        symbols = manifest.symbols_named(named.name, ignore_case=True) or [
            one
            for name in other_notations(named.name)
            for one in manifest.symbols_named(name, ignore_case=True)
        ]
        in_scope = [one for one in symbols if allowed is None or one.file_id in allowed]
        for one in in_scope[:_DEFINITIONS_PER_NAME]:
            chunk_id = manifest.chunk_at(one.file_id, one.symbol.name_line)
            if chunk_id is not None:
                symbol = one.symbol
                found.append(
                    FoundDefinition(
                        chunk_id,
                        symbol.name,
                        symbol.qualified_name,
                        symbol.kind,
                        symbol.is_declaration,
                        symbol.end_line - symbol.start_line + 1,
                    )
                )
    return found


def candidates_of(
    manifest: Manifest, retrieved: Retrieved, filters: SearchFilters
) -> dict[int, Candidate]:
    """Every retrieved chunk that still exists and is of a wanted kind."""
    scored = (*retrieved.lexical, *retrieved.dense)
    ids = {found.chunk_id for found in scored}
    ids.update(found.chunk_id for found in retrieved.definitions)
    ids.update(retrieved.mentioned)
    ids.update(retrieved.phrases)
    places = manifest.chunk_places(ids)
    if kinds := filters.symbol_kinds:
        wanted = manifest.chunks_defining(places, kinds)
        wanted.update(chunk_id for chunk_id, place in places.items() if place.kind in kinds)
        places = {chunk_id: place for chunk_id, place in places.items() if chunk_id in wanted}
    return {
        chunk_id: Candidate(
            chunk_id,
            place.file_id,
            place.path,
            place.language,
            place.content,
            place.start_line,
            place.end_line,
            place.symbol,
            place.kind,
        )
        for chunk_id, place in places.items()
    }
