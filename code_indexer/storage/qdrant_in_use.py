"""Which collection a project's points lie in: found, made, taken over, switched to, removed."""

import json
import threading
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import replace
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
from code_indexer.storage.rows import META_COLLECTION, META_OWNER

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
                self._target = self._recorded or self.alias
            return self._target

    @property
    def is_known(self) -> bool:
        """Whether the manifest knows of a collection."""
        return self._target is not None or self._recorded is not None

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
            beside: Make a new one, to replace what is there, without switching (see ``activate``).
            adopt: Take over a collection that is a stranger's or another project's.
            exists: Whether the project has a file, by path; with it a collection that was filled
                under another root is recognised.

        Returns:
            ``attached`` or ``adopted`` when the vectors that were there are now spares of the
            manifest: their texts need not be embedded.

        Raises:
            CollectionTakenError: The collection is not ours.
            ServiceUnavailableError: The server cannot be used.
        """
        owner = Ownership(path_key(self._root), self._scope, identity)
        recorded = self._recorded
        info = self.collections.find(recorded) if recorded else None
        info = info or self.collections.find(self.alias)
        known = info is not None and info.name == recorded and self._is_vouched(info)
        if beside:
            if info is not None and not known:
                self._check_may_take(info, adopt=adopt, exists=exists)
            self._start_new(dimension, owner, points)
            return "created"
        if info is None:
            self._start_new(dimension, owner, points)
            self.activate()
            return "created"
        if not known:
            return self._take(info, owner, dimension, adopt=adopt, exists=exists)
        assert info.ownership is not None
        self._check_same_model(info, identity, dimension)
        found = info.ownership
        if self._is_own(info) and found.root != owner.root:  # the folder was moved
            found = replace(found, root=owner.root)
            self.collections.set_owner(info, found)
            self._remember(found)
        self._use(info, found)
        return "ready"

    def activate(self, *, adopt: bool = False) -> str | None:
        """Let the project's name stand for the collection in use; gives the one to delete.

        Raises:
            CollectionTakenError: A stranger's collection has that name, unless *adopt* is given.
        """
        return self.collections.switch(self.alias, self.name, adopt=adopt)

    def discard_others(self, replaced: str | None = None) -> None:
        """Delete what reindexing has left: *replaced*, and numbered collections not in use.

        Those that another machine fills under the same name just now are left alone.
        """
        in_use = {self.name, self.collections.aliases().get(self.alias)}
        for name in self.collections.generations(self.alias):
            if name not in in_use:
                info = self.collections.find(name)
                if info is not None and (name == replaced or self._is_own(info)):
                    self.collections.delete(name)

    def tune(self) -> bool:
        """After a pass: let the layout follow the size; gives whether it was changed."""
        info = self.collections.find(self.name)
        return info is not None and self.collections.tune(info, info.points)

    def info(self) -> CollectionInfo | None:
        """What the server says of the collection, for the status; None when it is missing."""
        return self.collections.find(self.name)

    def remove(self) -> None:
        """Delete the project's collections, and none of a stranger or another project.

        One that another project or machine took over meanwhile is theirs.

        Raises:
            ServiceUnavailableError: The server does not answer; nothing or not all is deleted.
        """
        remove_collections(self.collections, self.alias, {path_key(self._root), self._written()[0]})
        self._manifest.set_meta({META_COLLECTION: None, META_OWNER: None})
        self._target = None

    @property
    def _recorded(self) -> str | None:
        """The collection that the manifest knows."""
        name = self._database.value("SELECT value FROM meta WHERE key = ?", (META_COLLECTION,))
        return None if name is None else str(name)

    def _written(self) -> tuple[str | None, str | None]:
        """Root and scope of the record that this machine wrote last, before it was moved here."""
        found = self._database.value("SELECT value FROM meta WHERE key = ?", (META_OWNER,))
        root, scope = json.loads(found) if found else (None, None)
        return root, scope

    def _is_own(self, info: CollectionInfo) -> bool:
        """Whether this project, and not another or another machine, took it last."""
        if info.ownership is None:
            return False
        return info.ownership.root in (path_key(self._root), self._written()[0])

    def _is_vouched(self, info: CollectionInfo) -> bool:
        """Whether a collection of the name that the manifest knows is still that collection.

        On a server that was emptied another project may have made one of the same name since.
        """
        if info.ownership is None:
            return False
        scope = self._written()[1]
        return self._is_own(info) or scope is None or info.ownership.scope == scope

    def _start_new(self, dimension: int, owner: Ownership, points: int) -> None:
        self._target = self.collections.create(self.alias, dimension, owner, points=points)
        self._owner = owner
        self.is_new = True
        self._remember(owner)

    def _use(self, info: CollectionInfo, owner: Ownership) -> None:
        self._target = info.name
        self._owner = owner
        self.is_new = False

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
        from code_indexer.storage.qdrant_adoption import import_vectors  # noqa: PLC0415

        self._check_may_take(info, adopt=adopt, exists=exists)
        found = info.ownership
        same_model = found is None or found.identity == owner.identity
        if info.can_hold != dimension or not same_model:
            # Its vectors are of no use; --adopt or the record says that it may be replaced.
            self._start_new(dimension, owner, info.points)
            old = self.activate(adopt=adopt)
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
        self._remember(owner)
        self.present = imported
        return "attached" if found is not None else "adopted"

    def _check_may_take(
        self, info: CollectionInfo, *, adopt: bool, exists: Callable[[str], bool] | None
    ) -> None:
        """Refuse a collection that this manifest does not know, and that is not the project's."""
        from code_indexer.storage.qdrant_adoption import looks_like  # noqa: PLC0415

        found = info.ownership
        if found is not None and found.schema > SCHEMA:
            raise newer_schema(self.alias)
        if adopt or self._is_own(info):
            return
        if found is None:
            raise foreign_collection(self.alias, self.collections.describe(info))
        if exists is None or not looks_like(self.collections.server, info.name, exists):
            raise other_project(self.alias, found.root)

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

    def _remember(self, owner: Ownership) -> None:
        written = json.dumps([owner.root, owner.scope])
        self._manifest.set_meta({META_COLLECTION: self._target, META_OWNER: written})


def remove_collections(
    collections: Collections, alias: str, roots: AbstractSet[str | None]
) -> None:
    """Delete the collections of the project that has, or had, one of these roots.

    Raises:
        ServiceUnavailableError: The server does not answer; nothing or not all is deleted.
    """
    names = {alias, collections.aliases().get(alias, alias)}
    for name in names.union(collections.generations(alias)):
        info = collections.find(name)
        if info is not None and info.ownership is not None and info.ownership.root in roots:
            collections.delete(info.name)
