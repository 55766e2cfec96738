"""One parse of a file, read three times: chunks, symbols, references."""

from code_indexer.parsing import grammars
from code_indexer.parsing.chunks import chunk_tree
from code_indexer.parsing.references import extract_references
from code_indexer.parsing.rules import RULES
from code_indexer.parsing.source import Source
from code_indexer.parsing.symbols import extract_definitions
from code_indexer.parsing.windows import chunk_windows
from code_indexer.types import Chunk, ParsedFile

CHUNKER_VERSION = 1
EXTRACTOR_VERSION = 1


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
    if language is None or grammars.parser_for(language) is None:
        return ParsedFile(language, chunks=_windows(text), degraded="no grammar")
    source = Source(text)
    try:
        tree = grammars.parse_tree(language, source.data, time_limit_seconds)
    except TimeoutError:
        return ParsedFile(language, chunks=_windows(text), degraded="time limit")
    if tree is None:
        return ParsedFile(language, chunks=_windows(text), degraded="no grammar")
    captures = grammars.captures_of(language, tree.root_node)
    rules = RULES.get(language)
    if captures is None or rules is None:
        chunks = chunk_tree(tree.root_node, source.data, ())
        return ParsedFile(language, chunks=tuple(chunks), degraded="no rules")
    definitions = extract_definitions(captures, source, rules, path)
    references = extract_references(captures, definitions, source, rules)
    symbols = tuple(each.symbol for each in definitions)
    return ParsedFile(
        language,
        chunks=tuple(chunk_tree(tree.root_node, source.data, symbols)),
        symbols=symbols,
        references=tuple(references),
    )


def _windows(text: str) -> tuple[Chunk, ...]:
    return tuple(chunk_windows(text))
