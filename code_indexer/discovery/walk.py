"""Which files of a project are indexed, and why the others are not.

Git's ignore rules come first, as git applies them: nested ``.gitignore`` files (whether or not the
root is a repository), those above the root up to the top of its repository, ``.git/info/exclude``
and the user's own excludes; files that git tracks are never ignored. ``.codeindexignore`` files
stand above all of them, in the same syntax. A ``!`` rule there brings a file back, or a folder that
is skipped; inside a skipped folder it works only when its path leads there part by part
(``!build/keep.py``, ``!build/**/*.py``), as such folders are not searched otherwise. Nothing
brings in secrets, files that are not text, or what lies behind a symbolic link.
"""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import time_ns

from code_indexer.discovery import reasons
from code_indexer.discovery.folders import (
    CODEINDEXIGNORE,
    GITIGNORE,
    DiscoveryRules,
    Folder,
    root_folder,
)
from code_indexer.discovery.names import (
    BUILT_IN_FOLDERS,
    NEVER_ENTERED,
    VIRTUAL_ENVIRONMENT_MARK,
    is_binary_name,
    is_credential_name,
)
from code_indexer.discovery.patterns import as_bytes_text
from code_indexer.discovery.reading import kind_of_mode, read_first_line, skipped_for_error
from code_indexer.discovery.repository import git_folder_of
from code_indexer.discovery.stamps import same_status, stamp_of
from code_indexer.errors import UnsuitableRootError
from code_indexer.languages import is_data, is_minified, language_of
from code_indexer.types import FileRecord, FileStamp, FoundFile, SkippedFile

__all__ = ["DiscoveryRules", "Scan", "explain_path", "walk_files"]


@dataclass(frozen=True, slots=True)
class Scan:
    """Everything that a walk came across."""

    files: list[FoundFile]
    """In order of their paths."""
    skipped: list[SkippedFile]
    """In order of their paths; a folder ends in a slash and stands for all that is in it."""


def walk_files(
    root: Path, rules: DiscoveryRules, known: Mapping[str, FileRecord] | None = None
) -> Scan:
    """Every file below *root* that is indexed, and all that is left out.

    *known* is what was recorded before: it saves opening unchanged files whose language only their
    first line tells.

    Raises:
        UnsuitableRootError: The root cannot be listed.
    """
    walk = _Walk(root, rules, known or {})
    walk.run()
    walk.files.sort(key=lambda file: file.path)
    walk.skipped.sort(key=lambda file: file.path)
    return Scan(walk.files, walk.skipped)


def explain_path(root: Path, path: str, rules: DiscoveryRules) -> FoundFile | SkippedFile:
    """What a walk makes of *path*, a file or folder relative to *root*.

    The detail of a skipped one names the rule: file, line and pattern.

    Raises:
        UnsuitableRootError: The root cannot be listed.
    """
    return _Walk(root, rules, {}).explain(path.strip("/"))


class _Walk:
    def __init__(self, root: Path, rules: DiscoveryRules, known: Mapping[str, FileRecord]) -> None:
        self.files: list[FoundFile] = []
        self.skipped: list[SkippedFile] = []
        self._root = root
        self._rules = rules
        self._known = known

    def run(self) -> None:
        pending = [root_folder(self._root, self._rules)]
        while pending:
            folder = pending.pop()
            entries = self._entries(folder)
            if entries is not None and self._prepare(folder, entries):
                self._judge_entries(folder, entries, pending)

    def explain(self, path: str) -> FoundFile | SkippedFile:
        folder = root_folder(self._root, self._rules)
        for part in path.split("/") if path else ():
            entries = self._entries(folder)
            if entries is None or not self._prepare(folder, entries):
                break
            entry = next((entry for entry in entries if entry.name == part), None)
            if entry is None:
                return SkippedFile(path, reasons.VANISHED)
            pending: list[Folder] = []
            self._judge_entries(folder, [entry], pending)
            if not pending:
                break
            folder = pending[0]
        if self.files:
            return self.files[0]
        if self.skipped:
            return SkippedFile(path, self.skipped[-1].reason, self.skipped[-1].detail)
        return SkippedFile(path, reasons.FOLDER)

    def _entries(self, folder: Folder) -> list[os.DirEntry[str]] | None:
        try:
            with os.scandir(f"{self._root}/{folder.path}") as entries:
                return list(entries)
        except OSError as error:
            if not folder.path:
                raise UnsuitableRootError(
                    f"cannot list {self._root}: {error.strerror}",
                    hint="Check that the folder exists and that you may read it.",
                ) from error
            self._skip_for_error(folder.path, error)
            return None

    def _prepare(self, folder: Folder, entries: list[os.DirEntry[str]]) -> bool:
        """Whether *folder* is looked through, now with the rules of its own ignore files."""
        names = {entry.name for entry in entries}
        if folder.path and not folder.forced and not folder.only_forced:
            refusal = self._boundary(folder, names)
            if refusal is not None:
                self.skipped.append(refusal)
                if not folder.own.chain.names_something_in(folder.key[:-1]):
                    return False
                folder.only_forced = True
        if GITIGNORE in names or CODEINDEXIGNORE in names:
            folder.read_ignore_files(self._root / folder.path, names, folder.path)
        return True

    def _boundary(self, folder: Folder, names: set[str]) -> SkippedFile | None:
        """Why nothing in *folder* belongs to the project, judging by what it holds."""
        if ".git" in names and git_folder_of(self._root / folder.path) is not None:
            return SkippedFile(folder.path, reasons.NESTED_CHECKOUT)
        if VIRTUAL_ENVIRONMENT_MARK in names:
            return SkippedFile(folder.path, reasons.BUILT_IN, "a Python environment")
        return None

    def _judge_entries(
        self, folder: Folder, entries: Iterable[os.DirEntry[str]], pending: list[Folder]
    ) -> None:
        observed_ns = time_ns()
        for entry in entries:
            name = key = entry.name
            if not name.isascii():
                key = as_bytes_text(name)
                if not _is_utf8(name):
                    self._skip_undecodable(folder.path + name)
                    continue
            try:
                if entry.is_dir(follow_symlinks=False):
                    inner = self._judge_folder(folder, name, key)
                    if inner is not None:
                        pending.append(inner)
                else:
                    self._judge_file(folder, entry, key, observed_ns)
            except OSError as error:
                self._skip_for_error(folder.path + name, error)

    def _judge_folder(self, folder: Folder, name: str, key: str) -> Folder | None:
        """The folder *name* in *folder*, ready to be entered; None if it is skipped."""
        inner = folder.below(name, key)
        if name in NEVER_ENTERED:
            self.skipped.append(SkippedFile(inner.path, reasons.BUILT_IN))
            return None
        own = folder.own.match(key, is_folder=True)
        if own is not None:
            if own.pattern.negated:
                inner.forced = True
                return inner
            self.skipped.append(SkippedFile(inner.path, reasons.CODEINDEXIGNORE, own.description))
            return None
        refusal = self._refusal_of_folder(folder, inner, name, key)
        if refusal is None:
            return inner
        # In a folder that is skipped itself, what is in it goes without saying.
        if not folder.only_forced and not folder.only_tracked:
            self.skipped.append(refusal)
        inner.only_forced = True
        return inner if folder.own.chain.names_something_in(folder.key + key) else None

    def _refusal_of_folder(
        self, folder: Folder, inner: Folder, name: str, key: str
    ) -> SkippedFile | None:
        if name in BUILT_IN_FOLDERS or folder.only_forced:
            return SkippedFile(inner.path, reasons.BUILT_IN)
        git = folder.git.match(key, is_folder=True)
        if not folder.only_tracked and (git is None or git.pattern.negated):
            return None
        if folder.tracked is not None and folder.tracked.hold_inside(inner.key):
            inner.only_tracked = True
            return None
        return SkippedFile(inner.path, reasons.GITIGNORE, git.description if git else "")

    def _judge_file(
        self, folder: Folder, entry: os.DirEntry[str], key: str, observed_ns: int
    ) -> None:
        name = entry.name
        path = folder.path + name
        own = folder.own.match(key, is_folder=False)
        forced = own is not None and own.pattern.negated
        if own is not None and not forced:
            self.skipped.append(SkippedFile(path, reasons.CODEINDEXIGNORE, own.description))
            return
        if not forced:
            if folder.only_forced or (folder.only_tracked and not _is_tracked(folder, key)):
                return
            git = None if folder.only_tracked else folder.git.match(key, is_folder=False)
            if git is not None and not git.pattern.negated and not _is_tracked(folder, key):
                self.skipped.append(SkippedFile(path, reasons.GITIGNORE, git.description))
                return
        refusal = _refusal_by_name(path, name, forced=forced)
        if refusal is None:
            refusal = self._judge_status(path, entry, observed_ns, forced=forced)
        if refusal is not None:
            self.skipped.append(refusal)

    def _judge_status(
        self, path: str, entry: os.DirEntry[str], observed_ns: int, *, forced: bool
    ) -> SkippedFile | None:
        status = entry.stat(follow_symlinks=False)
        reason = kind_of_mode(status.st_mode)
        if reason is not None:
            return SkippedFile(path, reason)
        if status.st_size > self._rules.max_file_bytes:
            return SkippedFile(path, reasons.TOO_LARGE, f"{status.st_size} bytes")
        if not forced and is_data(path, status.st_size):
            return SkippedFile(path, reasons.DATA)
        self._let_through(path, stamp_of(status, observed_ns))
        return None

    def _let_through(self, path: str, stamp: FileStamp) -> None:
        language = language_of(path)
        if language is None:
            record = self._known.get(path)
            if record is not None and same_status(record.stamp, stamp):
                self.files.append(FoundFile(path, stamp, record.language, record.content))
                return
            language = language_of(path, read_first_line(self._root, path))
        if language is None:
            self.files.append(FoundFile(path, stamp, None, "code"))
        else:
            self.files.append(FoundFile(path, stamp, language.name, language.content))

    def _skip_undecodable(self, path: str) -> None:
        shown = os.fsencode(path).decode("utf-8", "backslashreplace")
        self.skipped.append(SkippedFile(shown, reasons.UNDECODABLE_NAME))

    def _skip_for_error(self, path: str, error: OSError) -> None:
        skipped = skipped_for_error(path, error)
        # What vanishes while one looks was never there.
        if skipped.reason != reasons.VANISHED:
            self.skipped.append(skipped)


def _is_tracked(folder: Folder, key: str) -> bool:
    return folder.tracked is not None and folder.tracked.hold(folder.key + key)


def _refusal_by_name(path: str, name: str, *, forced: bool) -> SkippedFile | None:
    lower = name.lower()
    if is_credential_name(lower):
        return SkippedFile(path, reasons.CREDENTIALS, "by its name")
    if name == ".git":
        return SkippedFile(path, reasons.BUILT_IN)
    if is_binary_name(lower):
        return SkippedFile(path, reasons.BINARY, "by its name")
    if forced:
        return None
    if is_data(path):
        return SkippedFile(path, reasons.DATA)
    return SkippedFile(path, reasons.MINIFIED, "by its name") if is_minified(path) else None


def _is_utf8(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
