"""The text of one file as parsers see it: bytes, lines and columns."""

from bisect import bisect_right


class Source:
    """UTF-8 bytes with the places of their lines; lines count from 1, columns from 0 in characters."""

    __slots__ = ("_ascii", "_line_starts", "_names", "data", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.data = text.encode("utf-8", "surrogatepass")
        self._ascii = len(self.data) == len(text)
        self._line_starts = line_starts(self.data)
        self._names: dict[bytes, str] = {}

    @property
    def line_count(self) -> int:
        """Number of lines; a last line without its newline counts, an empty one does not."""
        ends_in_newline = self._line_starts[-1] == len(self.data)
        return len(self._line_starts) - ends_in_newline

    def line_of(self, offset: int) -> int:
        """Line that holds the byte at *offset*."""
        return bisect_right(self._line_starts, offset)

    def line_start(self, line: int) -> int:
        """Byte offset of the first byte of *line*."""
        return self._line_starts[line - 1]

    def line_text(self, line: int) -> str:
        """The text of *line* without its newline, or an empty text past the ends."""
        if not 1 <= line <= len(self._line_starts):
            return ""
        start = self._line_starts[line - 1]
        end = self._line_starts[line] if line < len(self._line_starts) else len(self.data)
        return self.data[start:end].decode("utf-8", "replace").rstrip("\r\n")

    def column_of(self, offset: int, line: int) -> int:
        """Column of the byte at *offset*, which lies in *line*."""
        start = self._line_starts[line - 1]
        if self._ascii:
            return offset - start
        return len(self.data[start:offset].decode("utf-8", "replace"))

    def slice(self, start: int, end: int) -> str:
        """The text between two byte offsets."""
        return self.data[start:end].decode("utf-8", "replace")

    def name(self, raw: bytes) -> str:
        """*raw* as text, one object for every place it stands in."""
        known = self._names.get(raw)
        if known is None:
            known = self._names[raw] = raw.decode("utf-8", "replace")
        return known


def line_starts(data: bytes) -> list[int]:
    """Byte offset at which each line begins; the first is 0."""
    starts = [0]
    position = data.find(b"\n")
    while position >= 0:
        starts.append(position + 1)
        position = data.find(b"\n", position + 1)
    return starts
