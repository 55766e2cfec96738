"""What a document of several languages is made of.

It is a list of lines with one layer per language: a text of the same lines in which everything
that is not of this language is blank. So what a parser says of a layer holds in the document:
lines, columns, and how several scripts or cells belong together.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from code_indexer.types import Symbol


@dataclass(frozen=True, slots=True)
class Layer:
    """What one language has in a mixed document."""

    language: str
    text: str
    """The lines of the document; what is of another language is blank."""


@dataclass(frozen=True, slots=True)
class MixedDocument:
    """The lines of a document, and what is known of them before any parser has seen them."""

    lines: Sequence[str]
    places: Sequence[int]
    """The number of each line in its file. It rises, but the lines of a notebook leave gaps."""
    layers: Sequence[Layer] = ()
    cuts: Mapping[int, float] = field(default_factory=dict)
    """Where chunks may begin, as ``partition.cut_lines`` takes it."""
    sections: Sequence[Symbol] = ()
    """What names a chunk in which nothing is defined."""
