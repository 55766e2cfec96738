"""The rows of the lexical index: what a file's chunks say, by where they say it."""

from collections import defaultdict
from collections.abc import Sequence

from code_indexer.ranking.terms import document_terms
from code_indexer.types import Chunk, LexicalRow, ParsedFile, Symbol

LEXICAL_VERSION = 1
"""Raised when the rows of a file change: stored ones must then be made again."""

_DIRECTORIES = 3


def lexical_rows(path: str, language: str | None, parsed: ParsedFile) -> list[LexicalRow]:
    """One row per chunk of the file, in their order."""
    del language  # terms are the same in every language
    stem, directories = path_fields(path)
    symbols_of = _symbols_by_chunk(parsed.chunks, parsed.symbols)
    return [
        LexicalRow(
            body=document_terms(chunk.text),
            names=document_terms(" ".join(symbol.name for symbol in symbols_of[chunk.index])),
            docs=document_terms(
                " ".join(symbol.documentation for symbol in symbols_of[chunk.index])
            ),
            stem=stem,
            dirs=directories,
        )
        for chunk in parsed.chunks
    ]


def path_fields(path: str) -> tuple[str, str]:
    """The terms of a file's name without its suffix, and those of its last folders."""
    *directories, name = path.split("/")
    stem = name.rpartition(".")[0] or name
    return document_terms(stem), document_terms(" ".join(directories[-_DIRECTORIES:]))


def _symbols_by_chunk(
    chunks: Sequence[Chunk], symbols: Sequence[Symbol]
) -> defaultdict[int, list[Symbol]]:
    """The symbols whose name stands in each chunk; declarations are no definitions."""
    found: defaultdict[int, list[Symbol]] = defaultdict(list)
    named = sorted((s for s in symbols if not s.is_declaration), key=lambda s: s.name_line)
    at = 0
    for chunk in sorted(chunks, key=lambda c: (c.start_line, c.end_line)):
        while at < len(named) and named[at].name_line <= chunk.end_line:
            if named[at].name_line >= chunk.start_line:
                found[chunk.index].append(named[at])
            at += 1
    return found
