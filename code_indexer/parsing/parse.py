"""One parse of a file, read three times: chunks, symbols, references."""

from collections.abc import Sequence
from dataclasses import dataclass

from tree_sitter import Node

from code_indexer.parsing import grammars
from code_indexer.parsing.chunks import chunk_lines, chunk_tree, tree_cuts
from code_indexer.parsing.embedded import mixed_document
from code_indexer.parsing.fences import fenced_code
from code_indexer.parsing.layers import MixedDocument
from code_indexer.parsing.made_names import with_made_names
from code_indexer.parsing.preprocessed import marked_references, replaced_names
from code_indexer.parsing.preprocessor import Layers, is_cpp_header, split_layers
from code_indexer.parsing.references import extract_references
from code_indexer.parsing.repairs import repaired
from code_indexer.parsing.rules import RULES
from code_indexer.parsing.sections import with_sections
from code_indexer.parsing.source import Source
from code_indexer.parsing.sql_dialects import in_known_sql, with_plain_names
from code_indexer.parsing.symbols import extract_definitions, joined_clauses
from code_indexer.parsing.windows import chunk_windows
from code_indexer.types import ParsedFile, Reference, Symbol

_PREPROCESSED = frozenset({"c", "cpp", "objc", "cuda"})


def parse_file(
    path: str,
    text: str,
    language: str | None,
    *,
    cpp_headers: bool = False,
    time_limit_seconds: float = 5.0,
) -> ParsedFile:
    """Chunks, symbols and references of the file at *path*, which holds *text*.

    *cpp_headers* says that the project has C++, so that ``.h`` files are C++.
    """
    if language == "c" and is_cpp_header(path, text, cpp_project=cpp_headers):
        language = "cpp"
    document = mixed_document(text, language, time_limit_seconds=time_limit_seconds)
    if document is not None:
        return _parse_mixed(path, document, language, time_limit_seconds)
    degraded = "no grammar"
    structure = None
    try:
        structure = _structure_of(path, text, language, time_limit_seconds)
    except TimeoutError:
        degraded = "time limit"
    if structure is None:
        return ParsedFile(language, chunks=tuple(chunk_windows(text)), degraded=degraded)
    return ParsedFile(
        language,
        chunks=tuple(chunk_tree(structure.root, text, structure.symbols)),
        symbols=tuple(structure.symbols),
        references=tuple(structure.references),
        degraded=structure.degraded,
    )


@dataclass(frozen=True, slots=True)
class _Structure:
    """What the tree of one text says."""

    root: Node
    symbols: Sequence[Symbol] = ()
    references: Sequence[Reference] = ()
    degraded: str | None = None


def _structure_of(
    path: str, text: str, language: str | None, time_limit_seconds: float
) -> _Structure | None:
    """The structure of *text*, or None without a grammar.

    Raises:
        TimeoutError: Parsing took longer than the limit.
    """
    if language is None or grammars.parser_for(language) is None:
        return None
    source = Source(text)
    layers = _layers_of(source.data, language)
    tree = grammars.parse_tree(language, layers.code, time_limit_seconds)
    if tree is None:
        return None
    captures = grammars.captures_of(language, tree.root_node)
    if captures is not None and layers.directives is not None:
        rest = grammars.parse_tree(language, layers.directives, time_limit_seconds)
        more = grammars.captures_of(language, rest.root_node) if rest is not None else None
        for capture, nodes in (more or {}).items():
            captures[capture] = captures.get(capture, []) + nodes
    rules = RULES.get(language)
    if captures is None or rules is None:
        return _Structure(tree.root_node, degraded="no rules")
    named = with_made_names(captures, source, rules.makers) if rules.makers else captures
    definitions = extract_definitions(named, source, rules, path)
    if rules.has_sections:
        definitions = with_sections(definitions, captures, source)
    references = extract_references(named, definitions, source, rules, layers.names)
    if layers.unsure:
        references = marked_references(references, layers.unsure, source)
        references += replaced_names(definitions, source)
    if language == "sql":
        references = with_plain_names(references)
    symbols = [each.symbol for each in definitions]
    if rules.clauses_are_one:
        symbols = joined_clauses(symbols)
    return _Structure(tree.root_node, symbols, references)


def _layers_of(data: bytes, language: str) -> Layers:
    """What parsers see of *data*: what no grammar knows is out of the way."""
    if language in _PREPROCESSED:
        return split_layers(data)
    return Layers(in_known_sql(data) if language == "sql" else repaired(data, language))


def _parse_mixed(
    path: str, document: MixedDocument, language: str | None, time_limit_seconds: float
) -> ParsedFile:
    """The layers of *document*, each parsed on its own, and chunks across them."""
    symbols: list[Symbol] = []
    references: list[Reference] = []
    cuts: dict[int, float] = {}
    degraded = None
    for layer in document.layers:
        try:
            structure = _structure_of(path, layer.text, layer.language, time_limit_seconds)
        except TimeoutError:
            degraded = "time limit"
            continue
        if structure is not None:
            cuts.update(tree_cuts(structure.root, document.lines, structure.symbols))
            symbols += structure.symbols
            references += structure.references
    chunks = chunk_lines(
        document.lines,
        {**cuts, **document.cuts},
        symbols,
        places=document.places,
        sections=document.sections,
    )
    symbols += document.sections
    if language == "markdown":
        symbols, references = _with_fenced_code(
            path, document, symbols, references, time_limit_seconds
        )
    places = document.places
    return ParsedFile(
        language,
        chunks=tuple(chunks),
        symbols=tuple(_symbol_at(symbol, places) for symbol in symbols),
        references=tuple(each._replace(line=places[each.line - 1]) for each in references),
        degraded=degraded,
    )


def _with_fenced_code(
    path: str,
    document: MixedDocument,
    symbols: list[Symbol],
    references: list[Reference],
    time_limit_seconds: float,
) -> tuple[list[Symbol], list[Reference]]:
    """*symbols* and *references* with those of the code in a document's fences."""
    for layer in fenced_code(document.lines):
        try:
            structure = _structure_of(path, layer.text, layer.language, time_limit_seconds)
        except TimeoutError:
            continue
        if structure is not None:
            symbols = [*symbols, *structure.symbols]
            references = [*references, *structure.references]
    return symbols, references


def _symbol_at(symbol: Symbol, places: Sequence[int]) -> Symbol:
    """*symbol* with the lines of a document turned into those of its file."""
    return symbol._replace(
        start_line=places[symbol.start_line - 1],
        end_line=places[symbol.end_line - 1],
        name_line=places[symbol.name_line - 1],
    )
