"""Watching where the system gives the events of a whole tree: macOS, Windows."""

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from code_indexer.errors import UnsuitableRootError
from code_indexer.watch.events import TreeObserver
from code_indexer.watch.folders import RULE_FILES, Changes, FolderRules
from code_indexer.watch.temporaries import is_editor_temporary


@dataclass(slots=True)
class _Tree:
    root: str
    make_rules: Callable[[], FolderRules]
    rules: FolderRules
    entered: set[str] = field(default_factory=set)
    """Folders that are not ignored; events from elsewhere do not count."""
    waiting: list[tuple[str, bool]] = field(default_factory=list)
    """Paths that changed, and whether they are folders; another thread adds to it."""


class ObservedTrees:
    """Events of whole trees, of which only those count that discovery lets through."""

    def __init__(self, observer: TreeObserver) -> None:
        self._observer = observer
        self._trees: dict[str, _Tree] = {}
        self._lock = threading.Lock()

    def fileno(self) -> int:
        """Readable when there are events."""
        return self._observer.fileno()

    def close(self) -> None:
        """Stop everything."""
        self._observer.close()

    def folder_count(self, root: str) -> int:
        """How many folders of the project count."""
        tree = self._trees.get(root)
        return len(tree.entered) if tree is not None else 0

    def add(self, root: str, make_rules: Callable[[], FolderRules]) -> None:
        """Watch a project.

        Raises:
            NoEventsError: The system refuses.
        """
        self.remove(root)
        tree = _Tree(root, make_rules, make_rules())

        def tell(path: str, is_folder: bool) -> None:
            with self._lock:
                tree.waiting.append((path, is_folder))

        self._observer.add(root, tell)
        self._trees[root] = tree
        self._enter(tree, "")

    def remove(self, root: str) -> None:
        """Watch it no longer."""
        if self._trees.pop(root, None) is not None:
            self._observer.remove(root)

    def refresh(self, root: str) -> None:
        """Go by the ignore rules as they are now."""
        tree = self._trees[root]
        tree.rules = tree.make_rules()
        tree.entered.clear()
        self._enter(tree, "")

    def read(self) -> Changes:
        """What has happened since the last call."""
        changes = Changes()
        self._observer.drain()
        for tree in self._trees.values():
            with self._lock:
                waiting, tree.waiting = tree.waiting, []
            try:
                # Several of the same path come together.
                for path, is_folder in dict.fromkeys(waiting):
                    self._judge(tree, path, changes, is_folder=is_folder)
            except UnsuitableRootError:
                changes.gone.add(tree.root)
        return changes

    def _judge(self, tree: _Tree, absolute: str, changes: Changes, *, is_folder: bool) -> None:
        path = os.path.relpath(absolute, tree.root)
        if path == ".":
            if not os.path.lexists(tree.root):
                changes.gone.add(tree.root)
            return
        above, _, name = path.rpartition("/")
        if above not in tree.entered:
            return
        if is_folder:
            if path in tree.entered:
                return  # an event about its entries, which have their own
            if tree.rules.passes(path, is_folder=True):
                self._enter(tree, path)
                changes.changed.add(tree.root)
        elif name in RULE_FILES:
            self.refresh(tree.root)
            changes.changed.add(tree.root)
        elif not is_editor_temporary(name) and tree.rules.passes(path, is_folder=False):
            changes.changed.add(tree.root)

    def _enter(self, tree: _Tree, start: str) -> None:
        pending = [start]
        while pending:
            folder = pending.pop()
            listing = tree.rules.enter(folder)
            if listing is not None:
                tree.entered.add(folder)
                pending += listing.folders
