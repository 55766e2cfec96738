"""Which files of a project are indexed, and why the others are not.

Git's ignore rules come first, as git applies them: nested ``.gitignore`` files (whether or not the
root is a repository), those above the root up to the top of its repository, ``.git/info/exclude``
and the user's own excludes; files that git tracks are never ignored. ``.codeindexignore`` files
stand above all of them, in the same syntax. A ``!`` rule there brings a file back, or a folder that
is skipped; inside a skipped folder it works only when its path leads there part by part
(``!build/keep.py``, ``!build/**/*.py``), as such folders are not searched otherwise. Nothing
brings in secrets, files that are not text, or what lies behind a symbolic link.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path

from code_indexer.discovery import reasons
from code_indexer.discovery.folders import DiscoveryRules, Folder, root_folder
from code_indexer.discovery.judging import Judge
from code_indexer.discovery.presence import Presence
from code_indexer.types import FileRecord, FoundFile, SkippedFile

__all__ = ["DiscoveryRules", "Scan", "explain_path", "walk_files"]


@dataclass(frozen=True, slots=True)
class Scan:
    """Everything that a walk came across."""

    files: list[FoundFile]
    """In order of their paths."""
    skipped: list[SkippedFile]
    """In order of their paths; a folder ends in a slash and stands for all that is in it."""
    empty_folders: tuple[str, ...] = ()
    """In no order, without a slash at the end: folders that a walk enters and finds nothing in, so
    that no path of the others tells of them."""


def walk_files(
    root: Path, rules: DiscoveryRules, known: Mapping[str, FileRecord] | None = None
) -> Scan:
    """Every file below *root* that is indexed, and all that is left out.

    *known* is what was recorded before: it saves opening unchanged files whose language only their
    first line tells.

    Raises:
        UnsuitableRootError: The root cannot be listed, or went away meanwhile: unmounted, moved,
            emptied. What was not found then may well be there.
    """
    judge = Judge(root, rules, known)
    presence = Presence.of(root, known or ())
    pending = [root_folder(root, rules)]
    empty_folders = []
    while pending:
        folder = pending.pop()
        told = len(judge.files) + len(judge.skipped) + len(pending)
        with judge.opened(folder) as entries:
            if entries is not None:
                judge.judge_entries(folder, entries, pending)
        if told == len(judge.files) + len(judge.skipped) + len(pending):
            empty_folders.append(folder.path.rstrip("/"))
    if judge.files or judge.skipped or known:
        presence.check()
    by_path = attrgetter("path")
    return Scan(
        sorted(judge.files, key=by_path), sorted(judge.skipped, key=by_path), tuple(empty_folders)
    )


def explain_path(root: Path, path: str, rules: DiscoveryRules) -> FoundFile | SkippedFile:
    """What a walk makes of *path*, a file or folder relative to *root*.

    The detail of a skipped one names the rule: file, line and pattern.

    Raises:
        UnsuitableRootError: The root cannot be listed.
    """
    judge = Judge(root, rules)
    folder = root_folder(root, rules)
    path = path.strip("/")
    only_tracked = False
    for part in path.split("/") if path else ():
        only_tracked = only_tracked or folder.only_tracked
        pending: list[Folder] = []
        with judge.opened(folder) as entries:
            if entries is not None:
                named = [entry for entry in entries if entry.name == part]
                if not named:
                    return SkippedFile(path, reasons.VANISHED)
                judge.judge_entries(folder, named, pending)
        if not pending:
            break
        folder = pending[0]
    else:
        only_tracked = False  # it is a folder that is entered itself
    if judge.files:
        return judge.files[0]
    if judge.skipped:
        return SkippedFile(path, judge.skipped[-1].reason, judge.skipped[-1].detail)
    return SkippedFile(path, reasons.SKIPPED_FOLDER if only_tracked else reasons.FOLDER)
