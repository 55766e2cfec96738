"""The judgement of a walk, one folder at a time, for those who keep watch."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from code_indexer.discovery.folders import DiscoveryRules, Folder, root_folder
from code_indexer.discovery.patterns import as_bytes_text
from code_indexer.discovery.walk import _Walk


@dataclass(frozen=True, slots=True)
class Listing:
    """What is let through directly in one folder."""

    folders: tuple[str, ...] = ()
    """Paths of the folders to enter, relative to the root, without a slash at the end."""
    has_files: bool = False


class FolderWalk:
    """Says of folders and files whether a walk would come to them.

    It opens no file but the ignore files. The rules of a folder are read when it is entered, and
    the folder above it must have been entered before.
    """

    def __init__(self, root: Path, rules: DiscoveryRules) -> None:
        self._root = root
        self._rules = rules
        self._walk: Any = _Walk(root, rules, {})
        self._entered: dict[str, Folder] = {}

    def enter(self, path: str) -> Listing | None:
        """What is in the folder (the empty path is the root); None if it is skipped or gone."""
        folder = self._folder(path)
        entries = self._walk._entries(folder) if folder is not None else None  # noqa: SLF001
        if entries is None or not self._walk._prepare(folder, entries):  # noqa: SLF001
            return None
        assert folder is not None
        self._entered[path] = folder
        folders = []
        has_files = False
        for entry in entries:
            inner = f"{path}/{entry.name}" if path else entry.name
            try:
                is_folder = entry.is_dir(follow_symlinks=False)
            except OSError:
                continue
            if is_folder and self.passes(inner, is_folder=True):
                folders.append(inner)
            has_files = has_files or (not is_folder and self.passes(inner, is_folder=False))
        return Listing(tuple(folders), has_files)

    def passes(self, path: str, *, is_folder: bool) -> bool:
        """Whether rules and names let *path* through; it need not exist (any more)."""
        above, _, name = path.rpartition("/")
        folder = self._entered.get(above)
        key = _key(name)
        if folder is None or key is None:
            return False
        if is_folder:
            passes = self._walk._judge_folder(folder, name, key) is not None  # noqa: SLF001
        else:
            passes = self._reaches_the_disk(folder, name, key)
        self._walk.skipped.clear()
        return passes

    def _reaches_the_disk(self, folder: Folder, name: str, key: str) -> bool:
        """Whether nothing is left to ask about a file but what ``stat`` says of it."""
        try:
            self._walk._judge_file(folder, _NameOnly(name), key, 0)  # noqa: SLF001
        except _AskedError:
            return True
        return False

    def _folder(self, path: str) -> Folder | None:
        if not path:
            return root_folder(self._root, self._rules)
        above, _, name = path.rpartition("/")
        folder = self._entered.get(above)
        key = _key(name)
        if folder is None or key is None:
            return None
        inner: Folder | None = self._walk._judge_folder(folder, name, key)  # noqa: SLF001
        return inner


class _AskedError(Exception):
    pass


@dataclass(frozen=True, slots=True)
class _NameOnly:
    """An entry of a folder of which only the name is known."""

    name: str

    def stat(self, *, follow_symlinks: bool = True) -> NoReturn:
        raise _AskedError(follow_symlinks)


def _key(name: str) -> str | None:
    """*name* in bytes text; None if it is not valid UTF-8, as such names are skipped."""
    try:
        os.fsencode(name).decode()
    except UnicodeDecodeError:
        return None
    return as_bytes_text(name)
