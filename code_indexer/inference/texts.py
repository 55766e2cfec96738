"""The exact text of a chunk that is given to an embedder."""

from code_indexer.types import Chunk


def document_text(chunk: Chunk, language: str | None) -> str:
    """The text whose hash is the key of the chunk's vector.

    It never holds the file's path: a renamed file keeps its vectors. Ranking compares the query
    with the path on its own.
    """
    del language
    return chunk.text
