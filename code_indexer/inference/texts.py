"""The exact text of a chunk that is given to an embedder."""

from code_indexer.types import Chunk


def document_text(chunk: Chunk, language: str | None) -> str:
    """The text whose hash is the key of the chunk's vector.

    The symbol says what a chunk from the middle of a function is part of. The file's path is never
    in it: a renamed file keeps its vectors, and ranking compares the query with the path itself.
    """
    del language  # the code shows it
    return named_text(chunk.text, chunk.symbol)


def named_text(text: str, symbol: str | None) -> str:
    """The same, of what a stored chunk says."""
    return f"{symbol}\n{text}" if symbol else text
