"""What becomes of the things in one folder: let through, entered, or skipped for a reason."""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from operator import attrgetter
from pathlib import Path
from time import time_ns
from typing import NamedTuple

from code_indexer.discovery import reasons
from code_indexer.discovery.folders import CODEINDEXIGNORE, GITIGNORE, DiscoveryRules, Folder
from code_indexer.discovery.names import (
    BUILT_IN_FOLDERS,
    MINIFIED_MARK,
    NAMES_APART,
    NEVER_ENTERED,
    OFTEN_SOURCE,
    VIRTUAL_ENVIRONMENT_MARK,
    is_binary_name,
    is_credential_name,
    telling_suffix,
)
from code_indexer.discovery.opening import BY_DESCRIPTOR, FOLDER, NO_FOLLOW
from code_indexer.discovery.patterns import as_bytes_text
from code_indexer.discovery.reading import kind_of_mode, read_first_line, skipped_for_error
from code_indexer.discovery.repository import git_folder_of
from code_indexer.discovery.stamps import same_status, stamp_of
from code_indexer.errors import UnsuitableRootError
from code_indexer.languages import LANGUAGES, Language, is_data, is_minified, language_of
from code_indexer.types import FileRecord, FileStamp, FoundFile, SkippedFile


class Parted(NamedTuple):
    """The entries of a folder."""

    plain: list[tuple[os.DirEntry[str], Language]]
    """Files that are let through unless they are too large."""
    others: list[os.DirEntry[str]]
    """Whatever needs a closer look."""


class Judge:
    """Judges what it is shown, and keeps what it found in ``files`` and ``skipped``.

    Unless it is told to *look_inside*, it opens no file to tell its language.
    """

    def __init__(
        self,
        root: Path,
        rules: DiscoveryRules,
        known: Mapping[str, FileRecord] | None = None,
        *,
        look_inside: bool = True,
    ) -> None:
        self.files: list[FoundFile] = []
        self.skipped: list[SkippedFile] = []
        self._root = root
        self._rules = rules
        self._known = known or {}
        self._look_inside = look_inside
        self._languages = telling_suffixes()

    @contextmanager
    def opened(self, folder: Folder) -> Iterator[list[os.DirEntry[str]] | None]:
        """What lies in *folder*, whose ignore files hold from now on; None if it is skipped.

        The entries are in order of their names, and good for as long as the context lasts.

        Raises:
            UnsuitableRootError: It is the root, and cannot be listed.
        """
        opened = self._open(folder)
        try:
            yield None if opened is None else self._listing(folder, opened)
        finally:
            if isinstance(opened, int):
                os.close(opened)

    def judge_entries(
        self, folder: Folder, entries: list[os.DirEntry[str]], pending: list[Folder]
    ) -> None:
        """Judge all *entries* of *folder*; folders to enter are added to *pending*."""
        observed_ns = time_ns()
        plain, others = self.parted(folder, entries)
        for entry, language in plain:
            try:
                status = entry.stat(follow_symlinks=False)
            except OSError as error:
                self._skip_for_error(folder.path + entry.name, error)
                continue
            path = folder.path + entry.name
            if status.st_size <= self._rules.max_file_bytes:
                stamp = stamp_of(status, observed_ns)
                self.files.append(FoundFile(path, stamp, language.name, language.content))
            else:
                self.skipped.append(_too_large(path, status))
        self.judge_closely(folder, others, pending, observed_ns)

    def judge_closely(
        self,
        folder: Folder,
        entries: Iterable[os.DirEntry[str]],
        pending: list[Folder],
        observed_ns: int,
    ) -> None:
        """Judge *entries* of *folder* by everything that is known of them."""
        for entry in entries:
            name = entry.name
            try:
                if not is_utf8_name(name):
                    self._skip_undecodable(folder.path + name)
                elif entry.is_dir(follow_symlinks=False):
                    inner = self.judge_folder(folder, name)
                    if inner is not None:
                        pending.append(inner)
                elif (forced := self.judge_name(folder, name)) is not None:
                    self._judge_status(folder.path + name, entry, observed_ns, forced=forced)
            except OSError as error:
                self._skip_for_error(folder.path + name, error)

    def parted(self, folder: Folder, entries: list[os.DirEntry[str]]) -> Parted:
        """The *entries* that are let through for their names alone, and the others.

        Nearly all files are of the first kind: no rule mentions them, and their suffix tells all
        the rest, see ``telling_suffix``. This loop sees every file of the project at every scan,
        so it calls as little as it can.
        """
        plain: list[tuple[os.DirEntry[str], Language]] = []
        quick_test = folder.git.quick_test() if folder.own.chain.empty else None
        if quick_test is None or folder.only_forced or folder.only_tracked:
            return Parted(plain, entries)
        literals, suffixes, any_glob = quick_test
        languages = self._languages
        others = []
        for entry in entries:
            name = entry.name
            suffix = name[name.rfind(".") :]
            language = languages.get(suffix)
            if (
                language is None
                or suffix in suffixes
                or name in literals
                or (any_glob is not None and any_glob(name) is not None)
                or name.lower() in NAMES_APART
                or MINIFIED_MARK in name
                or name[0] == "."
                or not name.isascii()
                or not entry.is_file(follow_symlinks=False)
            ):
                others.append(entry)
            else:
                plain.append((entry, language))
        return Parted(plain, others)

    def judge_folder(self, folder: Folder, name: str) -> Folder | None:
        """The folder *name* in *folder*, ready to be entered; None if it is skipped."""
        key = as_bytes_text(name)
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
        refusal = _refusal_of_folder(folder, inner, name, key)
        if refusal is None:
            return inner
        # In a folder that is skipped itself, what is in it goes without saying.
        if not folder.only_forced and not folder.only_tracked:
            self.skipped.append(refusal)
        inner.only_forced = True
        return inner if folder.own.chain.names_something_in(folder.key + key) else None

    def judge_name(self, folder: Folder, name: str) -> bool | None:
        """Whether the file *name* is forced into the index; None if its name alone rules it out."""
        key = as_bytes_text(name)
        path = folder.path + name
        own = folder.own.match(key, is_folder=False)
        forced = own is not None and own.pattern.negated
        if own is not None and not forced:
            self.skipped.append(SkippedFile(path, reasons.CODEINDEXIGNORE, own.description))
            return None
        if not forced:
            if folder.only_forced or (folder.only_tracked and not _is_tracked(folder, key)):
                # It goes without saying, but for rules that hold here: an edit of them counts.
                if name == CODEINDEXIGNORE:
                    self.skipped.append(SkippedFile(path, reasons.SKIPPED_FOLDER))
                return None
            git = None if folder.only_tracked else folder.git.match(key, is_folder=False)
            if git is not None and not git.pattern.negated and not _is_tracked(folder, key):
                self.skipped.append(SkippedFile(path, reasons.GITIGNORE, git.description))
                return None
        refusal = _refusal_by_name(path, name, forced=forced)
        if refusal is not None:
            self.skipped.append(refusal)
            return None
        return forced

    def _open(self, folder: Folder) -> int | str | None:
        """A descriptor of the folder, or its path where folders have none."""
        if not BY_DESCRIPTOR:
            return f"{self._root}/{folder.path}"
        flags = os.O_RDONLY | FOLDER
        try:
            if folder.path:
                return os.open(f"{self._root}/{folder.path}", flags | NO_FOLLOW)
            return os.open(self._root, flags)
        except OSError as error:
            if not folder.path:
                raise UnsuitableRootError(
                    f"cannot list {self._root}: {error.strerror}",
                    hint="Check that the folder exists and that you may read it.",
                ) from error
            self._skip_for_error(folder.path, error)
            return None

    def _listing(self, folder: Folder, opened: int | str) -> list[os.DirEntry[str]] | None:
        try:
            # Entries of a descriptor ask for their status without going down the path again.
            with os.scandir(opened) as listing:
                entries = sorted(listing, key=attrgetter("name"))
        except OSError as error:
            self._skip_for_error(folder.path, error)
            return None
        return entries if self._opens(folder, {entry.name for entry in entries}) else None

    def _opens(self, folder: Folder, names: set[str]) -> bool:
        """Whether *folder* is looked through, which holds *names*."""
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

    def _judge_status(
        self, path: str, entry: os.DirEntry[str], observed_ns: int, *, forced: bool
    ) -> None:
        status = entry.stat(follow_symlinks=False)
        reason = kind_of_mode(status.st_mode)
        if reason is not None:
            self.skipped.append(SkippedFile(path, reason))
        elif status.st_size > self._rules.max_file_bytes:
            self.skipped.append(_too_large(path, status))
        elif not forced and is_data(path, status.st_size):
            self.skipped.append(SkippedFile(path, reasons.DATA, "by its size"))
        else:
            self._let_through(path, stamp_of(status, observed_ns))

    def _let_through(self, path: str, stamp: FileStamp) -> None:
        language = language_of(path)
        if language is None and self._look_inside:
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


@cache
def telling_suffixes() -> Mapping[str, Language]:
    """The suffixes that settle everything about a name, with their languages."""
    table: dict[str, Language] = {}
    for suffix in (suffix for language in LANGUAGES.values() for suffix in language.suffixes):
        name = f"x{suffix}"
        language = language_of(name)
        refused = _refusal_by_name(name, name, forced=False) is not None
        if language is not None and not refused and telling_suffix(name) == suffix:
            table[suffix] = language
    return table


def _too_large(path: str, status: os.stat_result) -> SkippedFile:
    return SkippedFile(path, reasons.TOO_LARGE, f"{status.st_size} bytes")


def is_utf8_name(name: str) -> bool:
    """Whether a name as the system gives it is valid UTF-8."""
    if name.isascii():
        return True
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_tracked(folder: Folder, key: str) -> bool:
    return folder.tracked is not None and folder.tracked.hold(folder.key + key)


def _refusal_of_folder(folder: Folder, inner: Folder, name: str, key: str) -> SkippedFile | None:
    if folder.only_forced or (name in BUILT_IN_FOLDERS and name not in OFTEN_SOURCE):
        return SkippedFile(inner.path, reasons.BUILT_IN)
    git = folder.git.match(key, is_folder=True)
    is_ignored = git is not None and not git.pattern.negated
    if not is_ignored and not folder.only_tracked and name not in OFTEN_SOURCE:
        return None
    if folder.tracked is not None and folder.tracked.hold_inside(inner.key):
        inner.only_tracked = True
        return None
    if name in OFTEN_SOURCE:
        return SkippedFile(inner.path, reasons.BUILT_IN)
    return SkippedFile(inner.path, reasons.GITIGNORE, git.description if git else "")


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
