"""The text of one file as parsers see it: bytes, lines and columns."""

import re
from bisect import bisect_right

_NEWLINE = re.compile(b"\n")


class Source:
    """UTF-8 bytes and where their lines start; columns count from 0, in characters."""

    __slots__ = ("data", "is_ascii", "line_starts", "text", "words")

    def __init__(self, text: str) -> None:
        self.text = text
        self.data = text.encode("utf-8", "surrogatepass")
        self.is_ascii = len(self.data) == len(text)
        self.line_starts = line_starts(self.data)
        self.words: dict[int, str] | None = None
        """Words that may begin a definition or an import, once they are asked for."""

    @property
    def line_count(self) -> int:
        """Number of lines; a last line without its newline counts, an empty one does not."""
        ends_in_newline = self.line_starts[-1] == len(self.data)
        return len(self.line_starts) - ends_in_newline

    def line_of(self, offset: int) -> int:
        """Line that holds the byte at *offset*."""
        return bisect_right(self.line_starts, offset)

    def line_start(self, line: int) -> int:
        """Byte offset of the first byte of *line*."""
        return self.line_starts[line - 1]

    def column_of(self, offset: int, line: int) -> int:
        """Column of the byte at *offset*, which lies in *line*."""
        start = self.line_starts[line - 1]
        if self.is_ascii:
            return offset - start
        return len(self.data[start:offset].decode("utf-8", "replace"))

    def slice(self, start: int, end: int) -> str:
        """The text between two byte offsets."""
        if self.is_ascii:
            return self.text[start:end]
        return self.data[start:end].decode("utf-8", "replace")


def line_starts(data: bytes) -> list[int]:
    """Byte offset at which each line begins; the first is 0."""
    starts = [0]
    starts.extend(found.end() for found in _NEWLINE.finditer(data))
    return starts
