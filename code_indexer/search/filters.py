"""Which files of a project a search may answer with."""

from collections.abc import Collection
from dataclasses import dataclass

from code_indexer.storage.file_filter import FileFilter
from code_indexer.storage.manifest import Manifest


@dataclass(frozen=True, slots=True)
class SearchFilters:
    """What the user restricts a search to; an empty field restricts nothing."""

    globs: tuple[str, ...] = ()
    """A file must match one of those without ``!``, and none of those that start with it."""
    languages: tuple[str, ...] = ()
    contents: tuple[str, ...] = ()
    symbol_kinds: tuple[str, ...] = ()
    """The chunk must be part of a definition of one of these kinds, or hold one."""
    paths: frozenset[str] | None = None
    """Only these files, if given."""

    @property
    def restrict_files(self) -> bool:
        """Whether any field is about files."""
        return bool(self.globs or self.languages or self.contents) or self.paths is not None


def allowed_files(manifest: Manifest, filters: SearchFilters) -> set[int] | None:
    """Ids of the files that *filters* lets through; None for all."""
    if not filters.restrict_files:
        return None
    wanted = tuple(glob for glob in filters.globs if not glob.startswith("!"))
    unwanted = tuple(glob[1:] for glob in filters.globs if len(glob) > 1 and glob.startswith("!"))
    allowed = manifest.matching_files(
        FileFilter(patterns=wanted, languages=filters.languages, contents=filters.contents)
    )
    if unwanted:
        allowed -= manifest.matching_files(FileFilter(patterns=unwanted))
    if filters.paths is not None:
        allowed &= _ids_of(manifest, filters.paths)
    return allowed


def _ids_of(manifest: Manifest, paths: Collection[str]) -> set[int]:
    records = (manifest.file(path) for path in paths)
    return {record.file_id for record in records if record is not None}
