"""Windows of lines: the chunks of a text without a syntax tree.

A window has at most 80 lines and at most ``CAP`` characters, and the next one begins ten
lines before its end. Where the characters end a window first, the overlap shrinks in the same
proportion, an eighth of its lines: ten of twenty lines would embed everything twice.
"""

from collections.abc import Iterator, Sequence

from code_indexer.parsing.lines import CAP, is_blank, line_pieces, split_lines
from code_indexer.types import Chunk

WINDOW_LINES = 80
OVERLAP_LINES = 10


def chunk_windows(text: str) -> list[Chunk]:
    """Overlapping windows that together hold every line of *text* that is not blank."""
    lines = split_lines(text)
    chunks: list[Chunk] = []
    for span in _windows(lines):
        for piece in _pieces(lines, span):
            start, end = span.start + 1, span.stop
            chunks.append(Chunk(index=len(chunks), start_line=start, end_line=end, text=piece))
    return chunks


def _windows(lines: Sequence[str]) -> Iterator[range]:
    """Spans of line positions, blank lines trimmed from both ends."""
    start = 0
    reached = 0
    while (start := _skip_blank(lines, start)) < len(lines):
        stop = _window_stop(lines, start)
        end = _trim_blank(lines, start, stop)
        if end > reached:
            yield range(start, end)
            reached = end
        start = stop if stop >= len(lines) else max(start + 1, stop - _overlap(stop - start))


def _window_stop(lines: Sequence[str], start: int) -> int:
    size = len(lines[start])
    stop = start + 1
    while stop < min(len(lines), start + WINDOW_LINES):
        size += 1 + len(lines[stop])
        if size > CAP:
            break
        stop += 1
    return stop


def _overlap(count: int) -> int:
    return count * OVERLAP_LINES // WINDOW_LINES


def _skip_blank(lines: Sequence[str], start: int) -> int:
    while start < len(lines) and is_blank(lines[start]):
        start += 1
    return start


def _trim_blank(lines: Sequence[str], start: int, stop: int) -> int:
    while stop > start and is_blank(lines[stop - 1]):
        stop -= 1
    return stop


def _pieces(lines: Sequence[str], span: range) -> Iterator[str]:
    if len(span) > 1:
        yield "\n".join(lines[span.start : span.stop])
        return
    for piece in line_pieces(lines[span.start]):
        if not is_blank(piece):
            yield piece
