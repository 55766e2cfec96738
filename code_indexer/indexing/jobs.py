"""What a pass wants of one file, and what it gets; loading these nouns loads no parser."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from code_indexer.types import FileStamp, FoundFile, SkippedFile

if TYPE_CHECKING:
    from code_indexer.storage.rows import FileRows


@dataclass(frozen=True, slots=True)
class FileJob:
    """A file that a pass has to look into."""

    found: FoundFile
    known_hash: str | None = None
    """Content hash of its rows; the same content needs no parse."""


@dataclass(frozen=True, slots=True)
class PrepareOptions:
    """What is the same for every file of a pass."""

    root: str
    max_file_bytes: int
    cpp_headers: bool = False
    time_limit_seconds: float = 5.0


@dataclass(frozen=True, slots=True)
class PreparedFile:
    """What became of a job."""

    path: str
    outcome: Literal["parsed", "unchanged", "skipped"]
    stamp: FileStamp
    content_hash: str = ""
    rows: "FileRows | None" = None
    hashes: tuple[bytes, ...] = ()
    """Hash of the text to embed of each chunk."""
    skipped: SkippedFile | None = None
    error: str | None = None
    """Why a parsed file has no structure."""
