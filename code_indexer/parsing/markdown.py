"""The headings of a Markdown text.

Code in fences is an illustration: it stays with its section and defines nothing.
"""

import re
from collections.abc import Iterator, Sequence

from code_indexer.parsing.lines import is_blank
from code_indexer.parsing.prose import Heading

_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})(.*)")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*))?$")
_UNDERLINE = re.compile(r" {0,3}(=+|-{2,})[ \t]*$")
_NO_TITLE = re.compile(r"\s*(?:[-+*>|:]|\d+[.)]\s|```|~~~|$)")
_CLOSING_MARKS = re.compile(r"[ \t]+#+[ \t]*$|[ \t]*\{[^{}]*\}[ \t]*$")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)")
_MARKUP = re.compile(r"[`*]+")
_TITLE_CAP = 120


def markdown_headings(lines: Sequence[str]) -> list[Heading]:
    """The headings of a Markdown text, in order, those in fences left out."""
    headings: list[Heading] = []
    paragraph = False
    for row in prose_rows(lines):
        line = lines[row]
        marked = _HEADING.match(line)
        underline = _UNDERLINE.match(line) if paragraph else None
        if marked:
            headings.append(Heading(row, len(marked[1]), _title(marked[2] or "")))
        elif underline:
            depth = 1 if underline[1].startswith("=") else 2
            headings.append(Heading(row - 1, depth, _title(lines[row - 1])))
        paragraph = not marked and not underline and not _NO_TITLE.match(line)
    return headings


def prose_rows(lines: Sequence[str]) -> Iterator[int]:
    """Positions of the lines that are not code or front matter; the line that opens a fence is."""
    start = _after_front_matter(lines)
    fence = ""
    for row in range(start, len(lines)):
        found = _FENCE.match(lines[row])
        if not fence:
            yield row
            # A back-quoted line with another back-quote behind it is a code span.
            if found and not (found[1][0] == "`" and "`" in found[2]):
                fence = found[1]
        elif found and found[1].startswith(fence) and is_blank(found[2]):
            fence = ""


def _title(text: str) -> str:
    text = _CLOSING_MARKS.sub("", text)
    return _MARKUP.sub("", _LINK.sub(r"\1", text)).strip()[:_TITLE_CAP]


def _after_front_matter(lines: Sequence[str]) -> int:
    if not lines or lines[0].rstrip() not in {"---", "+++"}:
        return 0
    mark = lines[0].rstrip()
    for row in range(1, len(lines)):
        if lines[row].rstrip() == mark:
            return row + 1
    return 0
