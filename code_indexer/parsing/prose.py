"""Sections of documentation, and where it may be cut into chunks."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from code_indexer.parsing.layers import MixedDocument
from code_indexer.parsing.lines import is_blank
from code_indexer.parsing.partition import FREE
from code_indexer.types import Symbol

_DEEPER_HEADING = 0.03
"""Cost of a cut before a heading, for each level below the first."""
_PARAGRAPH = 0.2
_ITEM = 0.3

_LIST_ITEM = re.compile(r"(?:[-+*]|\d{1,3}[.)])[ \t]")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading and where it stands."""

    row: int
    """Position of its first line, from 0."""
    depth: int
    """From 1, the highest."""
    title: str


def prose_document(
    lines: Sequence[str], headings: Sequence[Heading], rows: Iterable[int]
) -> MixedDocument:
    """*lines* as a document whose sections *headings* begin; *rows* are its lines of prose."""
    return MixedDocument(
        lines,
        range(1, len(lines) + 1),
        cuts=section_cuts(lines, headings, rows),
        sections=sections(headings, len(lines)),
    )


def section_cuts(
    lines: Sequence[str], headings: Sequence[Heading], rows: Iterable[int]
) -> dict[int, float]:
    """Positions at which a chunk may begin, with what a cut costs there.

    These are headings, and paragraphs and list items among *rows*.
    """
    cuts: dict[int, float] = {}
    for row in rows:
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
            found[path[-1]] = found[path[-1]]._replace(end_line=heading.row)
            path.pop()
        path.append(position)
        names = [headings[each].title for each in path if headings[each].title]
        line = heading.row + 1
        found.append(
            Symbol(heading.title, " > ".join(names), "section", line, line_count, name_line=line)
        )
    return found
