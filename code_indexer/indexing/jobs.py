"""What a pass wants of one file, and what it gets; loading these nouns loads no parser."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from code_indexer.types import FoundFile, SkippedFile

if TYPE_CHECKING:
    from code_indexer.storage.rows import FileRows

_INLINE_FILES = 24
_INLINE_BYTES = 400_000
"""Less work than this is done without workers: starting them costs more."""


@dataclass(frozen=True, slots=True)
class FileJob:
    """A file that a pass has to look into."""

    found: FoundFile


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
    content_hash: str = ""
    rows: "FileRows | None" = None
    hashes: tuple[bytes, ...] = ()
    """Hash of the text to embed of each chunk."""
    skipped: SkippedFile | None = None
    """Why it has no rows."""
    error: str | None = None
    """Why a parsed file has no structure."""


def is_small(jobs: Sequence[FileJob]) -> bool:
    """Whether the work is so little that no worker is started for it."""
    size = sum(job.found.stamp.size for job in jobs)
    return len(jobs) <= _INLINE_FILES and size <= _INLINE_BYTES
