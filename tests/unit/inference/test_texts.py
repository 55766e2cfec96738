"""The text that is embedded."""

from code_indexer.inference.texts import document_text
from code_indexer.types import Chunk


def test_a_chunk_is_embedded_with_the_symbol_it_lies_in() -> None:
    chunk = Chunk(0, 5, 9, "    return self.token", "Session.refresh", "method")

    assert document_text(chunk, "python") == "Session.refresh\n    return self.token"


def test_a_chunk_outside_any_symbol_is_embedded_as_it_is() -> None:
    assert document_text(Chunk(0, 1, 1, "import os"), "python") == "import os"
