"""The vector store on a Qdrant server: one collection per project, checked against the manifest.

A point is believed only when its text is that of the manifest's chunk, so whatever else lies in the
collection (the rest of a pass that died, another machine's checkout) never shows up in an answer.
The manifest keeps a copy of every vector (``file_vectors``), from which lost points are restored.
"""

import json
import logging
import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from code_indexer.errors import CodeIndexerError, ServiceUnavailableError
from code_indexer.storage.manifest import Manifest
from code_indexer.storage.qdrant_collection import (
    RESERVED_POINT,
    SCHEMA,
    CollectionInfo,
    CollectionOptions,
    Collections,
    Ownership,
    foreign_collection,
    newer_schema,
    other_project,
)
from code_indexer.storage.qdrant_points import (
    PATH,
    STAMP,
    Point,
    bodies,
    body_of,
    file_ids_of_keys,
    path_key,
    points_of_file,
    stamp_of,
)
from code_indexer.storage.qdrant_server import (
    BodyTooLargeError,
    CollectionMissingError,
    PathUnknownError,
    QdrantServer,
    StrictModeError,
)
from code_indexer.storage.rows import CHUNK_BITS, path_text
from code_indexer.storage.vectors import ChunkScore, FileVectors, Vector
from code_indexer.transport import RequestFailedError

_log = logging.getLogger(__name__)

META_COLLECTION = "qdrant_collection"
"""Where a manifest keeps the name of the numbered collection that its points lie in."""

_MOST_BYTES = 8_000_000
_PATHS_A_QUERY = 4000
_FILES_A_CHECK = 20_000
_FILES_AT_ONCE = 64
_ROOM_FOR_STALE = 32

Outcome = Literal["ready", "created", "attached", "adopted"]


@dataclass(frozen=True, slots=True)
class StoreCheck:
    """What the collection lacks, and holds beyond what the manifest knows."""

    expected: int
    found: int
    incomplete: tuple[int, ...]
    """Ids of files whose points are missing or of another content."""
    strange: tuple[str, ...]
    """Stamps of points of no known file."""

    @property
    def is_whole(self) -> bool:
        """Whether every vector of the manifest has its point and nothing else is there."""
        return not self.incomplete and not self.strange and self.expected == self.found


@dataclass(frozen=True, slots=True)
class StoreRepair:
    """What a repair did."""

    restored: int = 0
    """Points stored again from the manifest's vectors."""
    removed: int = 0
    """Stamps (files in some version) whose points were deleted."""
    lost: tuple[int, ...] = ()
    """Ids of files whose vectors the manifest does not have either: they are pending now."""


class QdrantVectors:
    """The points of one project; the manifest says which of them count."""

    def __init__(
        self,
        server: QdrantServer,
        manifest: Manifest,
        *,
        collection: str,
        root: str,
        scope: str,
        batch: int = 256,
        options: CollectionOptions | None = None,
    ) -> None:
        """*collection* is the project's (``idx_app``), *scope* its slug."""
        self.collections = Collections(server, options)
        self.alias = collection
        self._server = server
        self._manifest = manifest
        self._database = manifest.database
        self._root = root
        self._scope = scope
        self._batch = batch
        self._most_bytes = _MOST_BYTES
        self._target: str | None = None
        self._owner: Ownership | None = None
        self._known_empty = False
        self._written: set[int] = set()
        self._present: dict[str, tuple[str, str]] = {}
        self._lock = threading.Lock()

    # What every vector store does

    def upsert(self, vectors: Mapping[int, FileVectors]) -> None:
        """Store the points of files (by id), and delete whatever else the files had.

        The files' chunks must be in the manifest already; record the vectors there after this.

        Raises:
            ServiceUnavailableError: Not all of it is certainly stored.
        """
        points = [
            point
            for file_id, of_file in vectors.items()
            for point in points_of_file(self._database, self._point_scope(), file_id, of_file)
        ]
        fresh = [point for point in points if not self._is_present(point)]
        for group in bodies(fresh, most_points=self._batch, most_bytes=self._most_bytes):
            self._store(group)
        # Files that an empty collection gets for the first time have nothing else there.
        if not self._known_empty or not self._written.isdisjoint(vectors):
            self._delete_others(vectors, points)
        self._written.update(vectors)

    def delete(self, file_ids: Collection[int]) -> None:
        """Delete all points of these files, which the manifest must still know.

        Raises:
            ServiceUnavailableError: Not all of them are certainly gone.
        """
        keys = self._keys(file_ids)
        for start in range(0, len(keys), _PATHS_A_QUERY):
            part = keys[start : start + _PATHS_A_QUERY]
            self._delete_where({"must": [{"key": PATH, "match": {"any": part}}]})

    def nearest(
        self, query: Vector, *, limit: int, file_ids: Collection[int] | None = None
    ) -> list[ChunkScore]:
        """The chunks closest to *query* by cosine, best first; equal scores by chunk id.

        Raises:
            ServiceUnavailableError: The server does not answer.
        """
        if limit <= 0 or (file_ids is not None and not file_ids):
            return []
        vector = [round(number, 7) for number in query.tolist()]
        found: list[ChunkScore] = []
        for condition in self._conditions(file_ids):
            found += self._believed(self._query(vector, limit + _ROOM_FOR_STALE, condition))
        found.sort(key=lambda one: (-one.score, one.chunk_id))
        return found[:limit]

    def count(self) -> int:
        """Number of points."""
        reply = self._server.ask(
            "POST",
            f"{self._path()}/points/count",
            {"exact": True, "filter": {"must_not": [{"has_id": [RESERVED_POINT]}]}},
        )
        return int(reply["count"])

    def clear(self) -> None:
        """Delete all points."""
        self._delete_where({"must_not": [{"has_id": [RESERVED_POINT]}]})

    # The collection

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
        return self.collections.switch(self.alias, self._name())

    def discard_others(self) -> None:
        """Delete numbered collections of this project that are not in use: rests of reindexing."""
        in_use = {self._name(), self.collections.aliases().get(self.alias)}
        for name in self.collections.generations(self.alias):
            if name not in in_use:
                info = self.collections.find(name)
                if info is not None and info.ownership is not None:
                    self.collections.delete(name)

    def tune(self) -> bool:
        """After a pass: let the layout follow the size; gives whether it was changed."""
        info = self.collections.find(self._name())
        return info is not None and self.collections.tune(info, info.points)

    def info(self) -> CollectionInfo | None:
        """What the server says of the collection, for the status; None when it is missing."""
        return self.collections.find(self._name())

    def remove(self) -> None:
        """Delete the project's collections, all of them but a stranger's.

        Raises:
            ServiceUnavailableError: The server does not answer; nothing or not all is deleted.
        """
        names = {self._name(), self.collections.aliases().get(self.alias, self.alias)}
        for name in names.union(self.collections.generations(self.alias)):
            info = self.collections.find(name)
            if info is not None and info.ownership is not None:
                self.collections.delete(info.name)

    # Check and repair

    def check(self) -> StoreCheck:
        """Compare the collection with the manifest, file by file.

        Raises:
            CollectionMissingError: It is gone.
            ServiceUnavailableError: The server does not answer.
        """
        expected = self._expected()
        counts = self._counts_by_stamp(len(expected))
        incomplete = tuple(
            file_id for stamp, (file_id, count) in expected.items() if counts.get(stamp, 0) != count
        )
        return StoreCheck(
            expected=sum(count for _, count in expected.values()),
            found=self.count(),
            incomplete=incomplete,
            strange=tuple(stamp for stamp in counts if stamp not in expected),
        )

    def repair(self, report: Callable[[int, int], None] | None = None) -> StoreRepair:
        """Make the collection equal to the manifest, from the manifest's own vectors.

        Nothing is embedded. *report* is told how many files are done, and of how many.

        Raises:
            ServiceUnavailableError: The server does not answer; what is restored stays.
        """
        check = self.check()
        if check.is_whole:
            return StoreRepair()
        self._remove_strange(check)
        restored, lost = 0, []
        for start in range(0, len(check.incomplete), _FILES_AT_ONCE):
            part = check.incomplete[start : start + _FILES_AT_ONCE]
            vectors = self._kept_vectors(part)
            self._known_empty = False
            self.upsert(vectors)
            restored += sum(of_file.present for of_file in vectors.values())
            lost += [file_id for file_id in part if file_id not in vectors]
            if report is not None:
                report(start + len(part), len(check.incomplete))
        if lost:
            self._manifest.mark_embedded(dict.fromkeys(lost, 0))
        return StoreRepair(restored, len(check.strange), tuple(lost))

    # Writing

    def _store(self, points: Sequence[Point]) -> None:
        body = body_of(points)
        try:
            self._server.write("PUT", f"{self._path()}/points?wait=true", body)
        except BodyTooLargeError as error:
            self._store_smaller(points, error, error.limit_bytes or len(body))
        except RequestFailedError as error:
            # A server that stops reading a body it finds too large just ends the connection.
            if not error.again or len(body) < 1_000_000 or len(points) == 1:
                raise
            self._store_smaller(points, error, len(body))

    def _store_smaller(
        self, points: Sequence[Point], error: RequestFailedError, limit: int
    ) -> None:
        if len(points) == 1:
            raise ServiceUnavailableError(
                f"one chunk with its vector is too large for the server: {error.message}",
                hint="Raise service.max_request_size_mb of Qdrant, or the limit of the proxy",
            ) from error
        self._most_bytes = max(min(self._most_bytes, limit * 9 // 10, len(body_of(points)) // 2), 1)
        for group in bodies(points, most_points=self._batch, most_bytes=self._most_bytes):
            self._store(group)

    def _delete_others(self, file_ids: Iterable[int], points: Sequence[Point]) -> None:
        """Delete what else the files had: chunks past their end or without a vector now."""
        keys = self._keys(file_ids)
        if keys:
            self._delete_where(
                {
                    "must": [{"key": PATH, "match": {"any": keys}}],
                    "must_not": [{"has_id": [point.point_id for point in points]}],
                }
            )

    def _delete_where(self, condition: Mapping[str, Any]) -> None:
        body = {"filter": condition}
        self._server.write("POST", f"{self._path()}/points/delete?wait=true", body)

    def _remove_strange(self, check: StoreCheck) -> None:
        for start in range(0, len(check.strange), _PATHS_A_QUERY):
            part = list(check.strange[start : start + _PATHS_A_QUERY])
            self._delete_where({"must": [{"key": STAMP, "match": {"any": part}}]})
        # Points of a stranger's collection that was adopted have no stamp at all.
        self._delete_where(
            {
                "must": [{"is_empty": {"key": STAMP}}],
                "must_not": [{"has_id": [RESERVED_POINT]}],
            }
        )

    # Reading

    def _query(
        self, vector: Sequence[float], limit: int, condition: Mapping[str, Any] | None
    ) -> list[dict[str, Any]]:
        body: dict[str, Any] = {
            "query": vector,
            "limit": limit,
            "with_payload": [PATH, "index", "text_hash"],
            "params": {
                "hnsw_ef": max(128, limit),
                "quantization": {"rescore": True, "oversampling": 2.0},
            },
        }
        if condition is not None:
            body["filter"] = condition
        consistency = self.collections.options.read_consistency
        suffix = f"/points/query?consistency={consistency}" if consistency else "/points/query"
        try:
            reply = self._server.search(self._path() + suffix, body)
        except StrictModeError:
            del body["params"]
            reply = self._server.search(self._path() + suffix, body)
        except CollectionMissingError:
            # A reindex may have replaced the collection since this search began.
            if self._path() == f"/collections/{self.alias}":
                raise
            reply = self._server.search(f"/collections/{self.alias}{suffix}", body)
        return list(reply["points"])

    def _believed(self, points: Sequence[Mapping[str, Any]]) -> list[ChunkScore]:
        """The points that are chunks of the manifest, text and all."""
        places = [(_place_of(point), float(point["score"])) for point in points]
        keys = sorted({place.key for place, _ in places if place is not None})
        file_ids = file_ids_of_keys(self._database, keys)
        wanted = {
            file_ids[place.key] << CHUNK_BITS | place.index: (place.text_hash, score)
            for place, score in places
            if place is not None and place.key in file_ids
        }
        rows = self._database.rows(
            "SELECT chunk_id, text_hash FROM json_each(?) CROSS JOIN chunks ON chunk_id = value",
            (json.dumps(sorted(wanted)),),
        )
        return [
            ChunkScore(chunk_id, wanted[chunk_id][1])
            for chunk_id, text_hash in rows
            if text_hash.hex() == wanted[chunk_id][0]
        ]

    def _conditions(self, file_ids: Collection[int] | None) -> list[dict[str, Any] | None]:
        """Filters that together let the files through; by what is left out where that is less."""
        if file_ids is None:
            return [None]
        keys = self._keys(file_ids)
        if len(keys) > _PATHS_A_QUERY:
            others = self._other_keys(set(file_ids))
            if len(others) <= _PATHS_A_QUERY:
                return [{"must_not": [{"key": PATH, "match": {"any": others}}]}]
        return [
            {"must": [{"key": PATH, "match": {"any": keys[start : start + _PATHS_A_QUERY]}}]}
            for start in range(0, len(keys), _PATHS_A_QUERY)
        ]

    def _keys(self, file_ids: Iterable[int]) -> list[str]:
        rows = self._database.rows(
            "SELECT files.path FROM json_each(?) CROSS JOIN files ON file_id = value",
            (json.dumps(sorted(file_ids)),),
        )
        return [path_key(path_text(row[0])) for row in rows]

    def _other_keys(self, file_ids: set[int]) -> list[str]:
        rows = self._database.rows("SELECT file_id, path FROM files")
        return [path_key(path_text(row[1])) for row in rows if row[0] not in file_ids]

    # What is there

    def _expected(self) -> dict[str, tuple[int, int]]:
        """File id and number of vectors, by stamp."""
        rows = self._database.rows(
            "SELECT file_id, path, content_hash, vector_count FROM files WHERE vector_count > 0"
        )
        return {stamp_of(path_text(row[1]), row[2]): (row[0], row[3]) for row in rows}

    def _counts_by_stamp(self, files: int) -> dict[str, int]:
        limit = max(2 * files + 1000, _FILES_A_CHECK)
        try:
            reply = self._server.search(
                f"{self._path()}/facet", {"key": STAMP, "limit": limit, "exact": True}
            )
        except (PathUnknownError, StrictModeError):
            return self._counts_by_scroll()  # before 1.12, or forbidden
        # A value whose points are all deleted is still listed, with 0.
        return {hit["value"]: int(hit["count"]) for hit in reply["hits"] if hit["count"]}

    def _counts_by_scroll(self) -> dict[str, int]:
        counts: dict[str, int] = {}
        offset = None
        while True:
            body = {"limit": 1000, "offset": offset, "with_payload": [STAMP], "with_vector": False}
            reply = self._server.search(f"{self._path()}/points/scroll", body)
            for point in reply["points"]:
                stamp = (point.get("payload") or {}).get(STAMP)
                if stamp is not None:
                    counts[stamp] = counts.get(stamp, 0) + 1
            offset = reply.get("next_page_offset")
            if offset is None:
                return counts

    def _kept_vectors(self, file_ids: Sequence[int]) -> dict[int, FileVectors]:
        embedder = self._manifest.embedder()
        if embedder is None:
            return {}
        rows = self._database.rows(
            "SELECT file_id, vectors FROM json_each(?) CROSS JOIN file_vectors ON file_id = value",
            (json.dumps(sorted(file_ids)),),
        )
        return {row[0]: FileVectors(embedder.dimension, row[1]) for row in rows}

    # The collection in use

    def _start_new(self, dimension: int, owner: Ownership, points: int) -> None:
        self._target = self.collections.create(self.alias, dimension, owner, points=points)
        self._owner = owner
        self._known_empty = True
        self._written.clear()
        self._remember()

    def _use(self, info: CollectionInfo, owner: Ownership) -> None:
        self._target = info.name
        self._owner = owner
        self._known_empty = False
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
            or (exists is not None and looks_like(self._server, info.name, exists))
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
            self._server, self._manifest, info.name, dimension, scope, trusted=found is not None
        )
        owner = Ownership(owner.root, scope, owner.identity)
        self.collections.set_owner(info, owner)
        self._use(info, owner)
        self._present = imported
        return "attached" if found is not None else "adopted"

    def _check_same_model(self, info: CollectionInfo, identity: str, dimension: int) -> None:
        assert info.ownership is not None
        if info.ownership.schema > SCHEMA:
            raise newer_schema(self.alias)
        if info.dimension != dimension or info.ownership.identity != identity:
            raise CodeIndexerError(
                f"the collection {self.alias} holds vectors of another model"
                f" ({info.dimension} numbers, not {dimension})",
                hint="Run reindex-project, or go back to the model it was indexed with",
            )

    def _remember(self) -> None:
        self._manifest.set_meta({META_COLLECTION: self._target})

    def _name(self) -> str:
        """The collection in use: the one that the manifest knows, else the alias."""
        with self._lock:
            if self._target is None:
                recorded = self._database.value(
                    "SELECT value FROM meta WHERE key = ?", (META_COLLECTION,)
                )
                self._target = recorded or self.alias
            return self._target

    def _path(self) -> str:
        return f"/collections/{self._name()}"

    def _point_scope(self) -> str:
        """What point ids are made with: the owner's slug, also on a second machine."""
        if self._owner is None:
            info = self.collections.find(self._name())
            if info is None or info.ownership is None:
                raise CollectionMissingError(
                    f"the collection {self.alias} is gone", hint="Run reindex-project"
                )
            self._owner = info.ownership
        return self._owner.scope

    def _is_present(self, point: Point) -> bool:
        return self._present.get(point.point_id) == (point.stamp, point.text_hash)


@dataclass(frozen=True, slots=True)
class _Place:
    key: str
    index: int
    text_hash: str


def _place_of(point: Mapping[str, Any]) -> _Place | None:
    payload = point.get("payload") or {}
    key, index, text_hash = (payload.get(field) for field in (PATH, "index", "text_hash"))
    if isinstance(key, str) and isinstance(index, int) and isinstance(text_hash, str):
        return _Place(key, index, text_hash)
    return None
