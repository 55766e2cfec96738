"""The sections of a Markdown text, and where it may be cut into chunks.

Code in fences is an illustration: it stays with its section and defines nothing.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from code_indexer.parsing.lines import is_blank
from code_indexer.parsing.partition import FREE
from code_indexer.types import Symbol

_DEEPER_HEADING = 0.03
"""Cost of a cut before a heading, for each level below the first."""
_PARAGRAPH = 0.2
_ITEM = 0.3

_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})(.*)")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*))?$")
_UNDERLINE = re.compile(r" {0,3}(=+|-{2,})[ \t]*$")
_NO_TITLE = re.compile(r"\s*(?:[-+*>|:]|\d+[.)]\s|```|~~~|$)")
_LIST_ITEM = re.compile(r"(?:[-+*]|\d{1,3}[.)])[ \t]")
_CLOSING_MARKS = re.compile(r"[ \t]+#+[ \t]*$|[ \t]*\{[^{}]*\}[ \t]*$")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)")
_MARKUP = re.compile(r"[`*]+")
_TITLE_CAP = 120


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading and where it stands."""

    row: int
    """Position of its first line, from 0."""
    depth: int
    """1 to 6."""
    title: str


def find_headings(lines: Sequence[str]) -> list[Heading]:
    """The headings of a Markdown text, in order, those in fences left out."""
    headings: list[Heading] = []
    paragraph = False
    for row in _rows_outside_fences(lines):
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


def section_cuts(lines: Sequence[str], headings: Sequence[Heading]) -> dict[int, float]:
    """Positions at which a chunk of Markdown may begin, with what a cut costs there."""
    cuts: dict[int, float] = {}
    for row in _rows_outside_fences(lines):
        if is_blank(lines[row]):
            continue
        if row and is_blank(lines[row - 1]):
            cuts[row] = _PARAGRAPH
        elif _LIST_ITEM.match(lines[row]):
            cuts[row] = _ITEM
    for heading in headings:
        cuts[heading.row] = FREE + _DEEPER_HEADING * (heading.depth - 1)
    return cuts


def sections(headings: Sequence[Heading], line_count: int) -> list[Symbol]:
    """One symbol of kind ``section`` per heading, named by the headings above it and its own.

    A section ends before the next heading of the same or a higher level.
    """
    found: list[Symbol] = []
    path: list[int] = []
    for position, heading in enumerate(headings):
        while path and headings[path[-1]].depth >= heading.depth:
            found[path[-1]] = replace(found[path[-1]], end_line=heading.row)
            path.pop()
        path.append(position)
        names = [headings[each].title for each in path if headings[each].title]
        line = heading.row + 1
        found.append(
            Symbol(heading.title, " > ".join(names), "section", line, line_count, name_line=line)
        )
    return found


def _title(text: str) -> str:
    text = _CLOSING_MARKS.sub("", text)
    return _MARKUP.sub("", _LINK.sub(r"\1", text)).strip()[:_TITLE_CAP]


def _rows_outside_fences(lines: Sequence[str]) -> Iterator[int]:
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


def _after_front_matter(lines: Sequence[str]) -> int:
    if not lines or lines[0].rstrip() not in {"---", "+++"}:
        return 0
    mark = lines[0].rstrip()
    for row in range(1, len(lines)):
        if lines[row].rstrip() == mark:
            return row + 1
    return 0
