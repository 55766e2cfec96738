"""The headings of reStructuredText and AsciiDoc."""

import re
from collections.abc import Sequence

from code_indexer.parsing.lines import is_blank
from code_indexer.parsing.prose import Heading

_ADORNMENT = re.compile(r"([!-/:-@[-`{-~])\1+[ \t]*$")
_SHORTEST_ADORNMENT = 4
"""A shorter one must be at least as long as its title."""
_ROLE = re.compile(r":[\w:+.-]+:`([^`<]*)[^`]*`")
_MARKUP = re.compile(r"[`*]+")

_ASCIIDOC_HEADING = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*)$")
_DELIMITER = re.compile(r"(-{4,}|\.{4,}|/{4,}|\+{4,}|`{3,})[ \t]*\w*[ \t]*$")

_TITLE_CAP = 120


def rst_headings(lines: Sequence[str]) -> list[Heading]:
    """The headings of a reStructuredText, in order.

    What depth a style of adornment means is settled by the order in which styles appear.
    """
    headings: list[Heading] = []
    styles: list[str] = []
    reached = 0
    for row in range(1, len(lines)):
        adornment = lines[row].rstrip()
        title = lines[row - 1].strip()
        if row - 1 < reached or not _underlines(adornment, title):
            continue
        above = lines[row - 2].rstrip() if row >= reached + 2 else ""
        if above not in {"", adornment} or (not above and lines[row - 1][0].isspace()):
            continue
        style = adornment[0] * (2 if above else 1)
        if style not in styles:
            styles.append(style)
        first_row = row - 2 if above else row - 1
        headings.append(Heading(first_row, styles.index(style) + 1, _plain(title)))
        reached = row + 1
    return headings


def rst_rows(lines: Sequence[str]) -> list[int]:
    """Positions of lines that are not indented: what is belongs to the line above."""
    return [row for row, line in enumerate(lines) if line[:1].strip()]


def asciidoc_headings(lines: Sequence[str]) -> list[Heading]:
    """The headings of an AsciiDoc text, those in delimited blocks left out."""
    return [
        Heading(row, len(found[1]), _plain(found[2]))
        for row in asciidoc_rows(lines)
        if (found := _ASCIIDOC_HEADING.match(lines[row]))
    ]


def asciidoc_rows(lines: Sequence[str]) -> list[int]:
    """Positions of lines outside of delimited blocks; the line that opens one counts."""
    rows: list[int] = []
    delimiter = ""
    for row, line in enumerate(lines):
        found = _DELIMITER.match(line)
        if not delimiter:
            rows.append(row)
            delimiter = found[1] if found else ""
        elif found and found[1] == delimiter:
            delimiter = ""
    return rows


def _underlines(adornment: str, title: str) -> bool:
    if is_blank(title) or not _ADORNMENT.match(adornment) or _ADORNMENT.match(title):
        return False
    return len(adornment) >= min(len(title), _SHORTEST_ADORNMENT)


def _plain(title: str) -> str:
    return _MARKUP.sub("", _ROLE.sub(r"\1", title)).strip()[:_TITLE_CAP]
