"""Syntax units to chunks: capped, in order, without overlap, each with its symbol.

No table of languages is needed. A node that fits stays whole; a larger one may be cut where one of
its named children begins a line. How dear such a cut is depends on how deep it lies, whether a
definition begins there, and whether a blank line stands before it; ``partition`` picks the cheapest
set. Only nodes that are larger are ever opened, so the leaves of the tree are not touched.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from tree_sitter import Node

from code_indexer.parsing.lines import CAP, FULL, is_blank, line_pieces, split_lines
from code_indexer.parsing.partition import cut_lines
from code_indexer.types import Chunk, Symbol

_LEVEL_COST = 0.12
"""Cost of a cut for each level that it lies deeper."""
_DEEPEST = 5
_NO_BLANK = 0.2
"""Added where no blank line stands before the cut."""
_DEFINITION = 0.3
"""The part of the cost that is left where a definition begins."""
_HEADED = 0.06
"""Added where a comment stands above the blank line."""
_BOUND = 0.6
"""Cost of a cut between a definition and its comment or decorator, a header and its body."""
_LITTLE = 4
"""A definition that fills less than a quarter of a chunk does not name it when inside another."""
_PARTS_PER_LINE = 12
"""With more children than this per line, a node is a table of data: any line is a good cut."""
_ATTACHING = ("comment", "decorator", "attribute", "annotation", "pragma")
"""Parts of the names of node types that belong to what follows them."""


def chunk_tree(root: Node, text: str, symbols: Sequence[Symbol] = ()) -> list[Chunk]:
    """Chunks that together hold every line of *text* that is not blank.

    Args:
        root: Root of the tree that was made from *text*, errors and all.
        text: The whole file.
        symbols: Definitions in *text*.
    """
    lines = split_lines(text)
    return chunk_lines(lines, tree_cuts(root, lines, symbols), symbols)


def chunk_lines(
    lines: Sequence[str],
    cuts: Mapping[int, float],
    symbols: Sequence[Symbol] = (),
    *,
    places: Sequence[int] | None = None,
    sections: Sequence[Symbol] = (),
) -> list[Chunk]:
    """Chunks of *lines*, which begin at *cuts* (positions from 0, with their cost) where that pays.

    Args:
        lines: The lines, without their ends.
        cuts: As ``cut_lines`` takes them.
        symbols: Definitions, their lines counted in *lines*, from 1.
        places: The number of each line in its file, rising; by default 1, 2, 3…
        sections: What names a chunk in which nothing is defined; numbered as *symbols* are.
    """
    numbers = range(1, len(lines) + 1) if places is None else places
    definitions, headings = _Owners(symbols), _Owners(sections)
    chunks: list[Chunk] = []
    for span in cut_lines(lines, cuts):
        filled = _without_blank_ends(lines, span)
        if not filled:
            continue
        begin, stop = filled.start + 1, filled.stop
        owner = definitions.owner_of(begin, stop) or headings.owner_of(begin, stop)
        name, kind = (owner.qualified_name, owner.kind) if owner else (None, None)
        start, end = numbers[begin - 1], numbers[stop - 1]
        for text in span_texts(lines, filled):
            chunks.append(Chunk(len(chunks), start, end, text, name, kind))
    return chunks


def span_texts(lines: Sequence[str], span: range) -> list[str]:
    """The text of *span*; a single line that is too long gives several."""
    if len(span) > 1:
        return ["\n".join(lines[span.start : span.stop])]
    line = lines[span.start]
    if len(line) <= CAP:
        return [line]
    return [piece for piece in line_pieces(line) if not is_blank(piece)]


def _without_blank_ends(lines: Sequence[str], span: range) -> range:
    start, stop = span.start, span.stop
    while start < stop and is_blank(lines[start]):
        start += 1
    while stop > start and is_blank(lines[stop - 1]):
        stop -= 1
    return range(start, stop)


def tree_cuts(root: Node, lines: Sequence[str], symbols: Sequence[Symbol] = ()) -> dict[int, float]:
    """Positions in *lines* at which a chunk may begin, with what a cut costs there."""
    units = _find_units(root)
    definitions = {symbol.start_line - 1 for symbol in symbols}
    for symbol in symbols:
        units.bound.update(range(symbol.start_line, symbol.name_line))
    cuts: dict[int, float] = {}
    for row, level in units.levels.items():
        if not 0 < row < len(lines):
            continue
        cost = _LEVEL_COST * level
        if not is_blank(lines[row - 1]):
            cost += _NO_BLANK
        elif row in units.headed:
            cost += _HEADED
        if row in definitions:
            cost *= _DEFINITION
        cuts[row] = max(cost, _BOUND) if row in units.bound else cost
    return cuts


@dataclass(frozen=True, slots=True)
class _Units:
    """Where the units of a tree begin; rows count from 0."""

    levels: dict[int, int] = field(default_factory=dict)
    """How deep the unit that begins at a row lies."""
    bound: set[int] = field(default_factory=set)
    """Rows of units that belong to the lines just above: a comment, a decorator, a header."""
    headed: set[int] = field(default_factory=set)
    """Rows of units with a comment above, behind a blank line: it may be a title."""


def _find_units(root: Node) -> _Units:
    units = _Units()
    stack = [(root, 0)]
    has_header = False
    while stack:
        node, level = stack.pop()
        rows = node.end_point[0] - node.start_point[0] + 1
        if node.child_count <= _PARTS_PER_LINE * rows:
            begun, large = _read_children(node, level, units, has_header=has_header)
            has_header = True
            inner = level + 1 if begun > 1 and level < _DEEPEST else level
            stack.extend((child, inner) for child in large)
    return units


def _read_children(
    node: Node, level: int, units: _Units, *, has_header: bool
) -> tuple[int, list[Node]]:
    """How many units begin in *node* on a line of their own, and its large children."""
    begun = 0
    large: list[Node] = []
    last_row = node.start_point[0]
    first = True
    leading = False
    for child in node.children:
        row = child.start_point[0]
        end_row, end_column = child.end_point
        if end_column == 0 and end_row > row:
            end_row -= 1  # the nodes of some grammars include the line feed
        begins = row > last_row
        if begins and child.is_named:
            begun += 1
            units.levels.setdefault(row, level)
            if leading or (begun == 1 and has_header):
                (units.bound if row == last_row + 1 else units.headed).add(row)
        leading = (begins or leading or first) and _attaches(child.type)
        first = False
        last_row = max(last_row, end_row)
        if last_row > row and child.end_byte - child.start_byte > FULL:
            large.append(child)
    return begun, large


@cache
def _attaches(node_type: str) -> bool:
    return any(part in node_type for part in _ATTACHING)


class _Owners:
    """Finds the symbol of one span after another, from the top of a file to its end."""

    def __init__(self, symbols: Sequence[Symbol]) -> None:
        self._waiting = sorted(
            symbols, key=lambda symbol: (symbol.start_line, -symbol.end_line), reverse=True
        )
        self._open: list[Symbol] = []

    def owner_of(self, start_line: int, end_line: int) -> Symbol | None:
        """The definition that fills most of the span; the innermost around it, if that is little.

        A definition whose end lies in the span counts like one that begins there.
        """
        around: Symbol | None = None
        largest: Symbol | None = None
        most = 0
        for symbol in self._open_in(start_line, end_line):
            if symbol.start_line < start_line and symbol.end_line >= end_line:
                around = symbol
                continue
            shared = min(symbol.end_line, end_line) - max(symbol.start_line, start_line) + 1
            if shared > most:
                largest, most = symbol, shared
        if around is not None and most * _LITTLE < end_line - start_line + 1:
            return around
        return largest or around

    def _open_in(self, start_line: int, end_line: int) -> list[Symbol]:
        """The definitions that share a line with the span, outer before inner."""
        still = [symbol for symbol in self._open if symbol.end_line >= start_line]
        while self._waiting and self._waiting[-1].start_line <= end_line:
            symbol = self._waiting.pop()
            if symbol.end_line >= start_line:
                still.append(symbol)
        self._open = still
        return still
