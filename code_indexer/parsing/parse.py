"""One parse of a file, read three times: chunks, symbols, references."""

from code_indexer.parsing import grammars
from code_indexer.parsing.source import Source
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
    return ParsedFile(language, chunks=_windows(text))


def _windows(text: str, lines: int = 80, overlap: int = 10) -> tuple[Chunk, ...]:
    """Line windows; windows.chunk_windows replaces them."""
    rows = text.split("\n")
    chunks = []
    for start in range(0, max(1, len(rows)), lines - overlap):
        body = "\n".join(rows[start : start + lines])
        if body.strip():
            chunks.append(
                Chunk(len(chunks), start + 1, start + len(rows[start : start + lines]), body)
            )
        if start + lines >= len(rows):
            break
    return tuple(chunks)
