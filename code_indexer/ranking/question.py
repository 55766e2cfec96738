"""What ranking knows about a query, and what it knows about the chunks that may answer it."""

from dataclasses import dataclass
from typing import Literal

from code_indexer.types import ContentKind

QueryShape = Literal["identifier", "path", "literal", "error", "frame", "mixed", "prose"]


@dataclass(frozen=True, slots=True)
class NamedSymbol:
    """An identifier that the query names."""

    name: str
    """Its last component."""
    qualifier: str | None
    """What stands before the name: ``Session`` in ``Session.close``."""
    certainty: float
    """1 when the query is nothing but this name, less when it is one word of several."""


@dataclass(frozen=True, slots=True)
class PathMention:
    """A file or folder that the query names."""

    path: str
    line: int | None = None
    names: tuple[str, ...] = ()
    """What stands beside the place; the name of the function is likely among it."""


@dataclass(frozen=True, slots=True)
class Question:
    """A query, read once."""

    text: str
    shape: QueryShape
    terms: tuple[str, ...]
    """Of the lexical index, each once."""
    words: tuple[str, ...]
    """Stems of the telling words, without whole identifiers."""
    names: tuple[NamedSymbol, ...] = ()
    paths: tuple[PathMention, ...] = ()
    literals: tuple[str, ...] = ()
    """What stood in quotation marks."""
    wants: frozenset[str] = frozenset()
    """Classes of paths that the query asks for by name (``test``, ``example``, ...)."""
    content: ContentKind = "code"
    """Which kind of content it is likely about."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk that some stage retrieved."""

    chunk_id: int
    file_id: int
    path: str
    language: str | None
    content: ContentKind
    start_line: int
    end_line: int
    symbol: str | None
    kind: str | None


@dataclass(frozen=True, slots=True)
class FoundDefinition:
    """A symbol whose name the query names, and the chunk it stands in."""

    chunk_id: int
    name: str
    qualified_name: str
    kind: str
    is_declaration: bool
    line_count: int = 1
    """Lines of the whole definition."""
