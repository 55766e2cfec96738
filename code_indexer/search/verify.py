"""Verified hits: what is shown stands in the file at this moment, at these lines."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from code_indexer.storage.chunks import ChunkRow
from code_indexer.types import ParsedFile


@dataclass(frozen=True, slots=True)
class PresentFile:
    """A file as it is on the disk now."""

    text: str
    content_hash: str


ReadFile: TypeAlias = Callable[[str], PresentFile | None]
"""The present content of a file by its path; None when it is gone or cannot be read."""

ParseText: TypeAlias = Callable[[str, str, str | None], ParsedFile]
"""The structure of (path, text, language)."""

Freshness: TypeAlias = Literal["fresh", "corrected", "unverified"]


@dataclass(frozen=True, slots=True)
class VerifiedChunk:
    """A chunk with the lines and the text that it has now."""

    chunk: ChunkRow
    start_line: int
    end_line: int
    text: str
    freshness: Freshness


class Verifier:
    """Compares chunks with their files; reads and parses each file at most once."""

    def __init__(self, read_file: ReadFile, parse_text: ParseText) -> None:
        self._read_file = read_file
        self._parse_text = parse_text
        self._present: dict[str, PresentFile | None] = {}
        self._parsed: dict[str, ParsedFile] = {}

    def verified(self, chunk: ChunkRow) -> VerifiedChunk | None:
        """The chunk as it is now; None when it is no longer in its file."""
        present = self._present_file(chunk.path)
        if present is None:
            return None
        if present.content_hash == chunk.content_hash:
            return unverified(chunk, "fresh")
        line = moved_line(chunk.text, present.text, chunk.start_line)
        if line is not None:
            end = line + chunk.end_line - chunk.start_line
            return VerifiedChunk(chunk, line, end, chunk.text, "corrected")
        return self._by_symbol(chunk, present)

    def _present_file(self, path: str) -> PresentFile | None:
        if path not in self._present:
            self._present[path] = self._read_file(path)
        return self._present[path]

    def _by_symbol(self, chunk: ChunkRow, present: PresentFile) -> VerifiedChunk | None:
        """The chunk that the same definition has now: its body was edited."""
        if chunk.symbol is None:
            return None
        parsed = self._parsed.get(chunk.path)
        if parsed is None:
            parsed = self._parse_text(chunk.path, present.text, chunk.language)
            self._parsed[chunk.path] = parsed
        same = [one for one in parsed.chunks if one.symbol == chunk.symbol]
        if not same:
            return None
        now = min(same, key=lambda one: abs(one.start_line - chunk.start_line))
        return VerifiedChunk(chunk, now.start_line, now.end_line, now.text, "corrected")


def unverified(chunk: ChunkRow, freshness: Freshness = "unverified") -> VerifiedChunk:
    """The chunk as it was indexed."""
    return VerifiedChunk(chunk, chunk.start_line, chunk.end_line, chunk.text, freshness)


def moved_line(piece: str, text: str, line: int) -> int | None:
    """The line at which *piece* begins in *text*, the closest one to *line*; None if it is gone.

    It must be whole lines: the piece of a line that still reads the same is not the same code.
    """
    wanted = piece.rstrip()
    if not wanted.strip():
        return None
    starts = _line_starts(wanted, text)
    return min(starts, key=lambda start: abs(start - line), default=None)


def _line_starts(piece: str, text: str) -> Iterable[int]:
    at = text.find(piece)
    line, counted = 1, 0
    while at >= 0:
        line += text.count("\n", counted, at)
        counted = at
        end = at + len(piece)
        if (at == 0 or text[at - 1] == "\n") and text[end : end + 1] in ("", "\n", "\r", " ", "\t"):
            yield line
        at = text.find(piece, at + 1)
