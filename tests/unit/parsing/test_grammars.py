"""Parsing with the grammars."""

import tracemalloc

from code_indexer.parsing.grammars import parse_tree

TEXT = b"def step(value):\n    return value\n\n\n" * 3000


def test_a_parse_holds_on_to_no_text():
    """A server or a watcher parses for weeks."""
    parse_tree("python", TEXT, 5.0)
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        for _ in range(30):
            parse_tree("python", bytes(bytearray(TEXT)), 5.0)
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert after - before < len(TEXT)
