"""References that a preprocessor has a say in: they are marked, so that nobody is too sure."""

from collections.abc import Iterator, Sequence
from typing import Final

from code_indexer.parsing.source import Source
from code_indexer.parsing.symbols import Definition
from code_indexer.types import Reference

_Place = tuple[int, int]
_END: Final[_Place] = (1 << 62, 0)


def marked_references(
    references: Sequence[Reference], spans: Sequence[tuple[int, int]], source: Source
) -> list[Reference]:
    """*references*, of which those that stand in one of *spans* are marked as preprocessed.

    Args:
        references: Imports first, which stay as they are, then the others in order of place.
        spans: From which byte up to which, by their starts; they may overlap.
        source: What the spans are of.
    """
    marked: list[Reference] = []
    places = _places(spans, source)
    start, end = next(places)
    for reference in references:
        place = reference[1:3]
        if reference[6] != "import":
            while place >= end:
                start, end = next(places)
            if place >= start:
                marked.append(tuple.__new__(Reference, (*reference[:7], True)))
                continue
        marked.append(reference)
    return marked


def replaced_names(definitions: Sequence[Definition], source: Source) -> Iterator[Reference]:
    """Names of definitions that a macro above them replaces: each is a use of the macro."""
    macros: dict[str, int] = {}
    for each in definitions:
        symbol = each.symbol
        if symbol.kind == "macro":
            macros.setdefault(symbol.name, each.start)
    for each in definitions if macros else ():
        symbol = each.symbol
        if symbol.kind != "macro" and macros.get(symbol.name, each.start) < each.start:
            line = symbol.name_line
            column = source.column_of(each.name_start, line)
            yield Reference(
                symbol.name, line, column, "references", symbol.parent, preprocessed=True
            )


def _places(spans: Sequence[tuple[int, int]], source: Source) -> Iterator[tuple[_Place, _Place]]:
    """*spans* as lines and columns, without overlaps; what follows the last lies at no place."""
    reached = 0
    for start, end in spans:
        if end > reached:
            yield _place(max(start, reached), source), _place(end, source)
            reached = end
    while True:
        yield _END, _END


def _place(offset: int, source: Source) -> _Place:
    line = source.line_of(offset)
    return line, source.column_of(offset, line)
