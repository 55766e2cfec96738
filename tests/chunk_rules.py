"""What holds for the chunks of every file, whatever is in it."""

from collections.abc import Sequence
from itertools import pairwise

from code_indexer.parsing.lines import CAP, is_blank, split_lines
from code_indexer.types import Chunk


def assert_well_formed(chunks: Sequence[Chunk]) -> None:
    """Numbered from 0, in order, capped, none of them blank."""
    assert [chunk.index for chunk in chunks] == list(range(len(chunks)))
    assert all(1 <= chunk.start_line <= chunk.end_line for chunk in chunks)
    starts = [chunk.start_line for chunk in chunks]
    assert starts == sorted(starts)
    assert max((len(chunk.text) for chunk in chunks), default=0) <= CAP
    assert not any(is_blank(chunk.text) for chunk in chunks)


def assert_holds_every_line(text: str, chunks: Sequence[Chunk]) -> None:
    """Every line that is not blank lies in a chunk, and a chunk has the text of its lines."""
    lines = split_lines(text)
    held: dict[int, str] = {}
    for chunk in chunks:
        span = range(chunk.start_line, chunk.end_line + 1)
        if len(span) == 1:
            held[chunk.start_line] = held.get(chunk.start_line, "") + chunk.text
            continue
        assert chunk.text == "\n".join(lines[chunk.start_line - 1 : chunk.end_line])
        held.update((line, lines[line - 1]) for line in span)
    for number, line in enumerate(lines, 1):
        if not is_blank(line):
            assert number in held, f"line {number} is in no chunk"
    for number, text_held in held.items():
        # A long line may lie in overlapping windows, and lose pieces that are blank.
        assert "".join(lines[number - 1].split()) in "".join(text_held.split())


def assert_apart(chunks: Sequence[Chunk]) -> None:
    """No two chunks share a line, but the pieces of one that is too long."""
    for former, latter in pairwise(chunks):
        pieces = former.start_line == former.end_line == latter.start_line == latter.end_line
        assert pieces or former.end_line < latter.start_line
