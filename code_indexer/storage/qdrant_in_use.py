"""Which collection a project's points lie in: found, made, taken over, switched to, removed."""

import threading
from collections.abc import Callable
from typing import Literal

from code_indexer.errors import ModelChangedError
from code_indexer.storage.manifest import Manifest
from code_indexer.storage.qdrant_collection import (
    SCHEMA,
    CollectionInfo,
    Collections,
    Ownership,
    foreign_collection,
    newer_schema,
    other_project,
)
from code_indexer.storage.qdrant_points import path_key
from code_indexer.storage.qdrant_server import CollectionMissingError

META_COLLECTION = "qdrant_collection"
"""Where a manifest keeps the name of the numbered collection that its points lie in."""

Outcome = Literal["ready", "created", "attached", "adopted"]


class CollectionInUse:
    """The collection that one manifest vouches for."""

    def __init__(
        self, collections: Collections, manifest: Manifest, *, alias: str, root: str, scope: str
    ) -> None:
        """*alias* is the project's collection name (``idx_app``), *scope* its slug."""
        self.collections = collections
        self.alias = alias
        self.is_new = False
        """It was made by this object, so that only this object's points lie in it."""
        self.present: dict[str, tuple[str, str]] = {}
        """Stamp and text hash of points that were taken over, by their id."""
        self._manifest = manifest
        self._database = manifest.database
        self._root = root
        self._scope = scope
        self._target: str | None = None
        self._owner: Ownership | None = None
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """The collection in use: the one that the manifest knows, else the alias."""
        with self._lock:
            if self._target is None:
                recorded = self._database.value(
                    "SELECT value FROM meta WHERE key = ?", (META_COLLECTION,)
                )
                self._target = recorded or self.alias
            return self._target

    @property
    def path(self) -> str:
        """Where its operations are found on the server."""
        return f"/collections/{self.name}"

    @property
    def scope(self) -> str:
        """What point ids are made with: the owner's slug, also on a second machine."""
        if self._owner is None:
            info = self.collections.find(self.name)
            if info is None or info.ownership is None:
                raise CollectionMissingError(
                    f"the collection {self.alias} is gone", hint="Run reindex-project"
                )
            self._owner = info.ownership
        return self._owner.scope

    def prepare(
        self,
        identity: str,
        dimension: int,
        *,
        points: int = 0,
        beside: bool = False,
        adopt: bool = False,
        exists: Callable[[str], bool] | None = None,
    ) -> Outcome:
        """Make sure, before a pass, that there is a collection for these vectors and it is ours.

        Args:
            identity: Which embedder the vectors come from (``EmbedderKey.key``).
            dimension: Of the vectors.
            points: About how many are expected.
            beside: Make a new one whatever there is, without switching to it (see ``activate``).
            adopt: Take over a collection that is a stranger's or another project's.
            exists: Whether the project has a file, by path; with it a collection that was filled
                under another root is recognised.

        Returns:
            ``attached`` or ``adopted`` when the vectors that were there are now spares of the
            manifest: their texts need not be embedded.

        Raises:
            UsageError: The collection is not ours.
            ServiceUnavailableError: The server cannot be used.
        """
        owner = Ownership(path_key(self._root), self._scope, identity)
        if beside:
            self._start_new(dimension, owner, points)
            return "created"
        recorded = self._database.value("SELECT value FROM meta WHERE key = ?", (META_COLLECTION,))
        info = self.collections.find(recorded) if recorded else None
        info = info or self.collections.find(self.alias)
        if info is None:
            self._start_new(dimension, owner, points)
            self.activate()
            return "created"
        known = info.name == recorded and info.ownership is not None
        if not known:
            return self._take(info, owner, dimension, adopt=adopt, exists=exists)
        assert info.ownership is not None
        self._check_same_model(info, identity, dimension)
        self._use(info, info.ownership)
        return "ready"

    def activate(self) -> str | None:
        """Let the project's name stand for the collection in use; gives the one to delete."""
        return self.collections.switch(self.alias, self.name)

    def discard_others(self) -> None:
        """Delete numbered collections of this project that are not in use: rests of reindexing."""
        in_use = {self.name, self.collections.aliases().get(self.alias)}
        for name in self.collections.generations(self.alias):
            if name not in in_use:
                info = self.collections.find(name)
                if info is not None and info.ownership is not None:
                    self.collections.delete(name)

    def tune(self) -> bool:
        """After a pass: let the layout follow the size; gives whether it was changed."""
        info = self.collections.find(self.name)
        return info is not None and self.collections.tune(info, info.points)

    def info(self) -> CollectionInfo | None:
        """What the server says of the collection, for the status; None when it is missing."""
        return self.collections.find(self.name)

    def remove(self) -> None:
        """Delete the project's collections, all of them but a stranger's.

        Raises:
            ServiceUnavailableError: The server does not answer; nothing or not all is deleted.
        """
        names = {self.name, self.collections.aliases().get(self.alias, self.alias)}
        for name in names.union(self.collections.generations(self.alias)):
            info = self.collections.find(name)
            if info is not None and info.ownership is not None:
                self.collections.delete(info.name)

    def _start_new(self, dimension: int, owner: Ownership, points: int) -> None:
        self._target = self.collections.create(self.alias, dimension, owner, points=points)
        self._owner = owner
        self.is_new = True
        self._remember()

    def _use(self, info: CollectionInfo, owner: Ownership) -> None:
        self._target = info.name
        self._owner = owner
        self.is_new = False
        self._remember()

    def _take(
        self,
        info: CollectionInfo,
        owner: Ownership,
        dimension: int,
        *,
        adopt: bool,
        exists: Callable[[str], bool] | None,
    ) -> Outcome:
        """Make a collection that this manifest does not know the project's own, or refuse it."""
        from code_indexer.storage.qdrant_adoption import import_vectors, looks_like  # noqa: PLC0415

        found = info.ownership
        if found is not None and found.schema > SCHEMA:
            raise newer_schema(self.alias)
        is_ours = found is not None and (
            found.root == owner.root
            or (exists is not None and looks_like(self.collections.server, info.name, exists))
        )
        if not is_ours and not adopt:
            if found is not None:
                raise other_project(self.alias, found.root)
            raise foreign_collection(self.alias, self.collections.describe(info))
        same_model = found is None or found.identity == owner.identity
        if info.can_hold != dimension or not same_model:
            # Its vectors are of no use; --adopt or the record says that it may be replaced.
            self._start_new(dimension, owner, info.points)
            old = self.activate()
            if old is not None:
                self.collections.delete(old)
            return "created"
        scope = owner.scope if found is None else found.scope
        imported = import_vectors(
            self.collections.server,
            self._manifest,
            info.name,
            dimension,
            scope,
            trusted=found is not None,
        )
        owner = Ownership(owner.root, scope, owner.identity)
        self.collections.set_owner(info, owner)
        self._use(info, owner)
        self.present = imported
        return "attached" if found is not None else "adopted"

    def _check_same_model(self, info: CollectionInfo, identity: str, dimension: int) -> None:
        assert info.ownership is not None
        if info.ownership.schema > SCHEMA:
            raise newer_schema(self.alias)
        if info.dimension != dimension or info.ownership.identity != identity:
            raise ModelChangedError(
                f"the collection {self.alias} holds vectors of another model"
                f" ({info.dimension} numbers, not {dimension})",
                hint="Run reindex-project, or go back to the model it was indexed with",
            )

    def _remember(self) -> None:
        self._manifest.set_meta({META_COLLECTION: self._target})
