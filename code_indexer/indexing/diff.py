"""What a scan says has changed: set algebra over paths."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from code_indexer.types import FileRecord, FileStamp, FoundFile


@dataclass(frozen=True, slots=True)
class ScanDiff:
    """Every path of the scan and of the manifest, in one of these."""

    added: tuple[FoundFile, ...]
    suspect: tuple[FoundFile, ...]
    """Known, but only reading can tell whether the content is the same."""
    unchanged: tuple[FoundFile, ...]
    deleted: tuple[str, ...]


def diff_scan(
    found: Iterable[FoundFile],
    known: Mapping[str, FileRecord],
    *,
    is_trusted: Callable[[FileStamp, FileStamp], bool],
    reparse: frozenset[str] = frozenset(),
) -> ScanDiff:
    """Sort the scan's files by what has to be done with them.

    *reparse* names known files that must be read whatever their stamps say.
    """
    added: list[FoundFile] = []
    suspect: list[FoundFile] = []
    unchanged: list[FoundFile] = []
    seen = set()
    for file in found:
        seen.add(file.path)
        record = known.get(file.path)
        if record is None:
            added.append(file)
        elif file.path in reparse or not is_trusted(record.stamp, file.stamp):
            suspect.append(file)
        else:
            unchanged.append(file)
    deleted = tuple(path for path in known if path not in seen)
    return ScanDiff(tuple(added), tuple(suspect), tuple(unchanged), deleted)
