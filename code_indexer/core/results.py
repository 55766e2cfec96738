"""What the operations return: typed, the same for every face."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from code_indexer.types import IndexReport, Project, SearchHit

if TYPE_CHECKING:  # a search has no use for these rooms and shall not load them
    from code_indexer.navigation.context import CodeContext
    from code_indexer.navigation.references import FoundUse
    from code_indexer.navigation.symbols import Match
    from code_indexer.storage.structure import FoundSymbol

ProjectState = Literal["idle", "indexing", "interrupted", "failed", "empty", "missing", "damaged"]
"""``idle``: the last pass finished. ``interrupted``: it did not; the next one goes on from there.
``empty``: never indexed. ``missing``: the folder is gone. ``damaged``: the manifest is, or it
cannot be read."""


@dataclass(frozen=True, slots=True)
class ProjectStatus:
    """Everything ``index-status`` knows about one project."""

    project: Project
    state: ProjectState
    files: int = 0
    chunks: int = 0
    symbols: int = 0
    references: int = 0
    embedded_chunks: int = 0
    languages: Mapping[str, int] = field(default_factory=dict)
    """Files by language."""
    skipped: Mapping[str, int] = field(default_factory=dict)
    """Files and folders left out, by reason."""
    skipped_files: tuple[tuple[str, str, str], ...] = ()
    """(path, reason, detail) of what was left out."""
    failed_files: tuple[tuple[str, str], ...] = ()
    """(path, what went wrong)."""
    refused_chunks: tuple[tuple[str, int, int, str], ...] = ()
    """(path, first line, last line, reason) of what the embedder refuses; words still find it."""
    degraded: Mapping[str, int] = field(default_factory=dict)
    """Files without structure, by the reason why."""
    last_indexed: float | None = None
    """Seconds since the epoch when the last pass finished."""
    index_bytes: int = 0
    engine: str = ""
    """What embeds, and with which model."""
    model: str = ""
    """The model whose vectors the index holds; the one of the settings while it holds none."""
    processor: str | None = None
    """What a server's loaded model runs on: ``CPU``, ``GPU`` or a share; None where unknown."""
    progress: str | None = None
    """What a running pass has done."""
    pending_changes: int | None = None
    """Files that the index does not hold as they are; None where nobody has looked."""
    pending_vectors: int = 0
    """Files that wait for vectors; words find them already."""
    percent: int | None = 100
    """How much of the files the index holds as they were at the last scan; None where unknown."""
    problem: str | None = None
    """What is wrong, with the remedy."""
    last_pass: Mapping[str, object] = field(default_factory=dict)
    """Counters of the last pass."""

    @property
    def coverage(self) -> float:
        """Share of the chunks that have vectors, from 0 to 1."""
        return self.embedded_chunks / self.chunks if self.chunks else 1.0


@dataclass(frozen=True, slots=True)
class AddedProject:
    """What ``add-project`` and ``reindex-project`` did."""

    status: ProjectStatus
    created: bool
    report: IndexReport | None = None
    """None when nothing was indexed: it was there already, or it goes on in the background."""
    in_background: bool = False


@dataclass(frozen=True, slots=True)
class SearchedProject:
    """How one project stood when it was searched."""

    project: Project
    state: str
    coverage: float
    pending: int
    """Files that wait for vectors."""
    percent: int | None = 100
    """How much of the files the index holds as they are; None where that is unknown."""


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """Ranked hits, and how far they can be trusted."""

    query: str
    results: tuple[SearchHit, ...]
    mode: Literal["hybrid", "lexical"]
    projects: tuple[SearchedProject, ...]
    warnings: tuple[str, ...] = ()
    confidence: Literal["high", "low"] = "low"
    """``high``: some first hits stand clearly above the rest."""
    left_out: int = 0
    """Hits cut off by ``--adaptive-limit``, and places that ``--max-tokens`` had no room for."""
    tokens: int | None = None
    """What the results come to, estimated, where a budget was given."""


@dataclass(frozen=True, slots=True)
class ProjectSymbol:
    """A symbol and the root of the project it lies in."""

    project: str
    found: "FoundSymbol"


@dataclass(frozen=True, slots=True)
class ProjectReference:
    """A use of a name and the root of the project it lies in."""

    project: str
    use: "FoundUse"


@dataclass(frozen=True, slots=True)
class SymbolsFound:
    """The symbols of a name, from one project or several."""

    query: str
    match: "Match"
    """How they were found: ``substring`` means that nothing has exactly this name."""
    results: tuple[ProjectSymbol, ...]
    total: int
    left_out: int
    suggestions: tuple[str, ...]
    projects: tuple[SearchedProject, ...]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReferencesFound:
    """The uses of a name, from one project or several."""

    query: str
    results: tuple[ProjectReference, ...]
    definitions: tuple[ProjectSymbol, ...]
    """What the name means; several share it where there is more than one."""
    total: int
    by_relationship: Mapping[str, int]
    by_confidence: Mapping[str, int]
    left_out: int
    suggestions: tuple[str, ...]
    projects: tuple[SearchedProject, ...]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CodeContextAnswer:
    """Lines of one file, and the project it lies in."""

    project: Project
    context: "CodeContext"
