"""Which folders of the projects are watched, and which of their events are changes of content."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

from code_indexer.discovery.stepwise import Listing
from code_indexer.errors import CodeIndexerError, UnsuitableRootError
from code_indexer.watch.events import FolderEvent, NoEventsError
from code_indexer.watch.temporaries import is_editor_temporary

RULE_FILES = frozenset({".gitignore", ".codeindexignore", ".code-indexer.toml"})


class FolderRules(Protocol):
    """Discovery's judgement, one folder at a time; paths are relative to the root."""

    def enter(self, folder: str) -> Listing | None:
        """What is in the folder (the empty path is the root); None if it is skipped or gone."""

    def passes(self, path: str, *, is_folder: bool) -> bool:
        """Whether the rules let a path through; it need not exist any more."""


class Notifier(Protocol):
    """Watches on single folders: inotify, or a stand-in for it."""

    def fileno(self) -> int:
        """Readable when there are events."""

    def add(self, path: str) -> int:
        """The watch on a folder."""

    def remove(self, watch: int) -> None:
        """Give the watch back."""

    def read(self) -> list[FolderEvent]:
        """The events that are waiting."""

    def close(self) -> None:
        """Give every watch back."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What has happened to the watched projects, by their roots."""

    changed: set[str] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)
    """The root itself was deleted or moved."""
    exhausted: dict[str, NoEventsError] = field(default_factory=dict)
    """There are not enough watches for the folders that came."""


@dataclass(slots=True)
class _Tree:
    """The watched folders of one project."""

    root: str
    make_rules: Callable[[], FolderRules]
    rules: FolderRules
    watches: dict[str, int] = field(default_factory=dict)
    """Path of a folder to its watch."""
    is_changed: bool = False
    is_outdated: bool = False
    """Ignore rules changed or events were lost: which folders to watch must be found out anew."""

    def absolute(self, path: str) -> str:
        return os.path.join(self.root, path) if path else self.root  # noqa: PTH118 - keeps bytes


class FolderWatches:
    """A watch on every folder of the projects that is not ignored."""

    def __init__(self, notifier: Notifier) -> None:
        self._notifier = notifier
        self._trees: dict[str, _Tree] = {}
        # A folder of two projects, one inside the other, has one watch and two places.
        self._places: dict[int, dict[str, str]] = {}

    def fileno(self) -> int:
        """Readable when there are events."""
        return self._notifier.fileno()

    def close(self) -> None:
        """Give every watch back."""
        self._notifier.close()

    def folder_count(self, root: str) -> int:
        """How many folders of the project are watched."""
        tree = self._trees.get(root)
        return len(tree.watches) if tree is not None else 0

    def add(self, root: str, make_rules: Callable[[], FolderRules]) -> None:
        """Watch a project.

        Raises:
            NoEventsError: Its folders are more than may be watched; none of them is then.
            OSError: The root is gone.
        """
        self.remove(root)
        tree = self._trees[root] = _Tree(root, make_rules, make_rules())
        try:
            self._watch(tree, "")
            self._enter(tree, "")
        except (CodeIndexerError, OSError):
            self.remove(root)
            raise

    def remove(self, root: str) -> None:
        """Watch the project no longer."""
        tree = self._trees.get(root)
        if tree is not None:
            self._drop(tree, "")
            del self._trees[root]

    def refresh(self, root: str) -> None:
        """Watch what is to be watched by the rules as they are now, and only that.

        Raises:
            NoEventsError: It is more than may be watched.
        """
        tree = self._trees[root]
        tree.is_outdated = False
        tree.rules = tree.make_rules()
        wanted = self._enter(tree, "", again=True)
        for path in tree.watches.keys() - wanted:
            self._forget(tree, path)

    def read(self) -> Changes:
        """What has happened since the last call."""
        changes = Changes()
        for event in self._notifier.read():
            if event.kind == "overflow":
                for tree in self._trees.values():
                    tree.is_changed = tree.is_outdated = True
            for root, folder in list(self._places.get(event.watch, {}).items()):
                self._judge(self._trees[root], folder, event, changes)
        for tree in self._trees.values():
            if tree.is_outdated:
                self._attempt(tree, partial(self.refresh, tree.root), changes)
            if tree.is_changed:
                changes.changed.add(tree.root)
                tree.is_changed = False
        return changes

    def _judge(self, tree: _Tree, folder: str, event: FolderEvent, changes: Changes) -> None:
        path = f"{folder}/{event.name}" if folder else event.name
        if event.kind == "forgotten":
            self._forget(tree, folder)
        elif event.kind == "self-gone":
            if folder == "":
                changes.gone.add(tree.root)
        elif not event.is_folder:
            self._judge_file(tree, path, event.name)
        elif event.kind == "vanished" and path in tree.watches:
            tree.is_changed = True
            self._drop(tree, path)
        elif event.kind == "appeared" and tree.rules.passes(path, is_folder=True):
            self._attempt(tree, partial(self._appeared, tree, path), changes)

    def _judge_file(self, tree: _Tree, path: str, name: str) -> None:
        if name in RULE_FILES:
            tree.is_changed = tree.is_outdated = True
        elif not tree.is_changed and not is_editor_temporary(name):
            tree.is_changed = tree.rules.passes(path, is_folder=False)

    def _appeared(self, tree: _Tree, path: str) -> None:
        """A new folder: it may have been filled before it could be watched."""
        self._drop(tree, path)
        entered = self._enter(tree, path, changed_by_files=True)
        if not entered:
            # Gone again, perhaps after a pass has seen what was in it.
            tree.is_changed = True

    def _attempt(self, tree: _Tree, action: Callable[[], None], changes: Changes) -> None:
        if tree.root in changes.exhausted:
            return
        try:
            action()
        except NoEventsError as error:
            changes.exhausted[tree.root] = error
        except UnsuitableRootError:
            changes.gone.add(tree.root)

    def _enter(
        self, tree: _Tree, start: str, *, again: bool = False, changed_by_files: bool = False
    ) -> set[str]:
        """Watch *start* and all below it that is not ignored; the paths of these folders.

        Each is watched before it is listed, so nothing falls between the two. *again* renews
        watches that seem to be there: the event that one was lost may itself be lost.
        """
        entered = set()
        pending = [start]
        while pending:
            folder = pending.pop()
            is_new = folder not in tree.watches
            if (is_new or again) and not self._watch_if_possible(tree, folder):
                continue
            listing = tree.rules.enter(folder)
            if listing is None:
                if is_new:
                    self._forget(tree, folder)
                continue
            entered.add(folder)
            pending += listing.folders
            if listing.has_files and changed_by_files:
                tree.is_changed = True
        return entered

    def _watch_if_possible(self, tree: _Tree, folder: str) -> bool:
        try:
            self._watch(tree, folder)
        except OSError:
            return False  # gone again, or closed to us: then it is not indexed either
        return True

    def _watch(self, tree: _Tree, folder: str) -> None:
        watch = self._notifier.add(tree.absolute(folder))
        if tree.watches.get(folder, watch) != watch:
            self._forget(tree, folder)
        places = self._places.setdefault(watch, {})
        # A folder that was moved keeps its watch: only its newest path counts.
        old_path = places.get(tree.root)
        if old_path is not None:
            tree.watches.pop(old_path, None)
        places[tree.root] = folder
        tree.watches[folder] = watch

    def _drop(self, tree: _Tree, folder: str) -> None:
        """Watch *folder* and all below it no longer."""
        below = f"{folder}/" if folder else ""
        for path in [path for path in tree.watches if path == folder or path.startswith(below)]:
            self._forget(tree, path)

    def _forget(self, tree: _Tree, folder: str) -> None:
        watch = tree.watches.pop(folder)
        places = self._places.get(watch, {})
        places.pop(tree.root, None)
        if not places:
            self._places.pop(watch, None)
            self._notifier.remove(watch)
