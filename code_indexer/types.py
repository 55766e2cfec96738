"""Nouns that two rooms or more share: frozen, without behaviour.

Lines count from 1 and ranges include both ends, everywhere in this package.
Paths of files are relative to the project's root, with ``/`` between the parts.
"""

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

ContentKind = Literal["code", "docs", "config"]
Relationship = Literal["calls", "inherits", "includes", "references"]
Confidence = Literal["exact", "likely", "heuristic"]


@dataclass(frozen=True, slots=True)
class Project:
    """A registered directory."""

    root: str
    """Absolute path, symlinks resolved."""
    slug: str
    """8 hex digits of the hash of the root."""
    name: str | None
    """The user's own name, if one was given."""
    collection: str
    """Name of the vector collection: ``idx_<slug>`` or ``idx_<name>``."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A span of one file that is embedded as one vector."""

    index: int
    """Position in the file, from 0."""
    start_line: int
    end_line: int
    text: str
    """The source text of the span; at most about 1,000 characters."""
    symbol: str | None = None
    """Qualified name of the definition the chunk is, or lies in."""
    kind: str | None = None
    """Kind of that definition."""


class Symbol(NamedTuple):
    """A definition (or a forward declaration) in one file.

    A tuple, like the references below, because a pass makes one for every ten lines.
    """

    name: str
    qualified_name: str
    """With its enclosing symbols, as the language has it: ``Outer.method``, ``pkg::Type::fn``."""
    kind: str
    start_line: int
    """First line of the whole definition, decorators and documentation comment included."""
    end_line: int
    name_line: int
    parent: str | None = None
    """Qualified name of the enclosing symbol."""
    visibility: str | None = None
    """``public``, ``private``, ``protected``, ``internal`` where the language states it."""
    is_test: bool = False
    is_declaration: bool = False
    """A forward declaration: it comes after definitions."""
    signature: str = ""
    """The line that names it, without its body."""
    documentation: str = ""
    """First sentence of its documentation."""


class Reference(NamedTuple):
    """A place that names a symbol.

    A tuple rather than a dataclass: a pass makes millions of them.
    """

    name: str
    line: int
    column: int
    """Column of the name's first character, from 0, in characters."""
    relationship: Relationship
    enclosing: str | None = None
    """Qualified name of the symbol the place lies in."""
    qualifier: str | None = None
    """What stands before the name: the receiver (``self``, ``client``), the path (``pkg::Type``),
    or for an import the module it comes from. A local receiver that is declared with a type has it
    behind a colon: ``client:Client``."""
    shape: Literal["bare", "member", "type", "import"] = "bare"
    """How the place names it: alone, after a member access, as a type, or in an import."""
    preprocessed: bool = False
    """A preprocessor decides whether the place counts and what it means: in C, a branch of a
    conditional, the body of a macro, what a macro is given."""


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """What one parse of a file gives."""

    language: str | None
    chunks: tuple[Chunk, ...] = ()
    symbols: tuple[Symbol, ...] = ()
    references: tuple[Reference, ...] = ()
    degraded: str | None = None
    """Why structure is missing (no grammar, no rules, time limit), if it is."""


@dataclass(frozen=True, slots=True)
class LexicalRow:
    """What the lexical index holds of one chunk: terms with blanks between, by where they stand."""

    body: str
    names: str
    """Of the symbols defined in the chunk."""
    docs: str
    """Of their documentation, and of what the file says of itself."""
    stem: str
    """Of the file's name without its suffix."""
    dirs: str
    """Of the last three folders."""


class FileStamp(NamedTuple):
    """What ``stat`` says of a file, and when it was asked.

    A tuple, like the two below, because every scan makes one for each file.
    """

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    observed_ns: int
    """Wall clock at the time of the stat."""


class FoundFile(NamedTuple):
    """A file that discovery lets through."""

    path: str
    stamp: FileStamp
    language: str | None
    content: ContentKind


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """A file or folder that is not indexed, and the reason (a fixed word, see discovery)."""

    path: str
    reason: str
    detail: str = ""


class FileRecord(NamedTuple):
    """The manifest's row about one file."""

    file_id: int
    path: str
    content_hash: str
    """sha256 of the bytes, in hex."""
    stamp: FileStamp
    language: str | None
    content: ContentKind
    chunk_count: int
    embedded: bool
    """All its chunks have vectors of the present model."""
    error: str | None = None
    """Why the file could not be parsed or embedded."""


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A ranked chunk; a higher score is better."""

    project: str
    """Root of the project."""
    path: str
    start_line: int
    end_line: int
    score: float
    symbol: str | None
    kind: str | None
    language: str | None
    snippet: str
    freshness: Literal["fresh", "corrected", "unverified"] = "unverified"
    also: tuple[tuple[int, int], ...] = ()
    """Other spans of the file that match."""
    signals: tuple[tuple[str, float], ...] = ()
    """What moved it, for ``--explain``."""


@dataclass(frozen=True, slots=True)
class IndexReport:
    """The counters of one index pass."""

    scanned: int = 0
    """Files found and let through: those of the next three together."""
    unchanged: int = 0
    added: int = 0
    changed: int = 0
    deleted: int = 0
    skipped: dict[str, int] = field(default_factory=dict)
    """Files left out, by reason."""
    failed: dict[str, str] = field(default_factory=dict)
    """Path to what went wrong with it."""
    chunks: int = 0
    embedded: int = 0
    """Chunk texts given to the embedder."""
    reused: int = 0
    """Chunk texts whose vectors were known already."""
    seconds: float = 0.0
