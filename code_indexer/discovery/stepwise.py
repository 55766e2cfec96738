"""The judgement of a walk, one folder at a time, for those who keep watch."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from code_indexer.discovery.folders import DiscoveryRules, Folder, root_folder
from code_indexer.discovery.judging import Judge, is_utf8_name


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
        self._judge = Judge(root, rules)
        self._entered: dict[str, Folder] = {}

    def enter(self, path: str) -> Listing | None:
        """What is in the folder (the empty path is the root); None if it is skipped or gone."""
        folder = self._folder(path)
        if folder is None:
            return None
        with self._judge.opened(folder) as entries:
            self._judge.skipped.clear()
            if entries is None:
                return None
            self._entered[path] = folder
            return self._listing(path, entries)

    def passes(self, path: str, *, is_folder: bool) -> bool:
        """Whether rules and names let *path* through; it need not exist (any more)."""
        above, _, name = path.rpartition("/")
        folder = self._entered.get(above)
        if folder is None or not is_utf8_name(name):
            return False
        if is_folder:
            passes = self._judge.judge_folder(folder, name) is not None
        else:
            passes = self._judge.judge_name(folder, name) is not None
        self._judge.skipped.clear()
        return passes

    def _listing(self, path: str, entries: Iterable[os.DirEntry[str]]) -> Listing:
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

    def _folder(self, path: str) -> Folder | None:
        if not path:
            return root_folder(self._root, self._rules)
        above, _, name = path.rpartition("/")
        folder = self._entered.get(above)
        if folder is None or not is_utf8_name(name):
            return None
        return self._judge.judge_folder(folder, name)
