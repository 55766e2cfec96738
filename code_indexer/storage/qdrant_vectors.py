"""The vector store on a Qdrant server: one collection per project, checked against the manifest.

A point is believed only when its text is that of the manifest's chunk, so whatever else lies in the
collection (the rest of a pass that died, another machine's checkout) never shows up in an answer.
The manifest keeps a copy of every vector (``file_vectors``), from which lost points are restored.
"""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from code_indexer.errors import ServiceUnavailableError
from code_indexer.storage.manifest import Manifest
from code_indexer.storage.qdrant_check import (
    StoreCheck,
    StoreRepair,
    check_collection,
    kept_vectors,
)
from code_indexer.storage.qdrant_collection import (
    RESERVED_POINT,
    CollectionInfo,
    CollectionOptions,
    Collections,
)
from code_indexer.storage.qdrant_in_use import CollectionInUse, Outcome
from code_indexer.storage.qdrant_points import (
    PATH,
    STAMP,
    Point,
    bodies,
    body_of,
    file_ids_of_keys,
    path_key,
    points_of_file,
)
from code_indexer.storage.qdrant_server import (
    BodyTooLargeError,
    CollectionMissingError,
    QdrantServer,
    StrictModeError,
)
from code_indexer.storage.rows import CHUNK_BITS, path_text
from code_indexer.storage.vectors import ChunkScore, FileVectors, Vector
from code_indexer.transport import RequestFailedError

_MOST_BYTES = 8_000_000
_PATHS_A_QUERY = 4000
_FILES_AT_ONCE = 64
_ROOM_FOR_STALE = 32


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
        self._in_use = CollectionInUse(
            self.collections, manifest, alias=collection, root=root, scope=scope
        )
        self._server = server
        self._manifest = manifest
        self._database = manifest.database
        self._batch = batch
        self._most_bytes = _MOST_BYTES
        self._written: set[str] = set()

    @property
    def is_known(self) -> bool:
        """Whether the manifest knows of a collection; asks no server."""
        return self._in_use.is_known

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
            for point in points_of_file(self._database, self._in_use.scope, file_id, of_file)
        ]
        fresh = [point for point in points if not self._is_present(point)]
        for group in bodies(fresh, most_points=self._batch, most_bytes=self._most_bytes):
            self._store(group)
        keys = self._keys(vectors)
        # Files that an empty collection gets for the first time have nothing else there.
        if not self._in_use.is_new or not self._written.isdisjoint(keys):
            self._delete_others(keys, points)
        self._written.update(keys)

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
            f"{self._in_use.path}/points/count",
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

        See :meth:`CollectionInUse.prepare`.
        """
        self._written.clear()
        return self._in_use.prepare(
            identity, dimension, points=points, beside=beside, adopt=adopt, exists=exists
        )

    def activate(self) -> str | None:
        """Let the project's name stand for the collection in use; gives the one to delete."""
        return self._in_use.activate()

    def discard_others(self, replaced: str | None = None) -> None:
        """Delete what reindexing has left: *replaced*, and numbered collections not in use."""
        self._in_use.discard_others(replaced)

    def tune(self) -> bool:
        """After a pass: let the layout follow the size; gives whether it was changed."""
        return self._in_use.tune()

    def info(self) -> CollectionInfo | None:
        """What the server says of the collection, for the status; None when it is missing."""
        return self._in_use.info()

    def remove(self) -> None:
        """Delete the project's collections, and none of a stranger or another project."""
        self._in_use.remove()

    # Check and repair

    def check(self) -> StoreCheck:
        """Compare the collection with the manifest, file by file.

        Raises:
            CollectionMissingError: It is gone.
            ServiceUnavailableError: The server does not answer.
        """
        return check_collection(self._server, self._in_use.path, self._database, self.count())

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
            vectors = kept_vectors(self._manifest, part)
            self._in_use.is_new = False
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
            self._server.write("PUT", f"{self._in_use.path}/points?wait=true", body)
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

    def _delete_others(self, keys: Sequence[str], points: Sequence[Point]) -> None:
        """Delete what else the files had: chunks past their end or without a vector now."""
        if keys:
            self._delete_where(
                {
                    "must": [{"key": PATH, "match": {"any": keys}}],
                    "must_not": [{"has_id": [point.point_id for point in points]}],
                }
            )

    def _delete_where(self, condition: Mapping[str, Any]) -> None:
        body = {"filter": condition}
        self._server.write("POST", f"{self._in_use.path}/points/delete?wait=true", body)

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
            reply = self._server.search(self._in_use.path + suffix, body)
        except StrictModeError:
            del body["params"]
            reply = self._server.search(self._in_use.path + suffix, body)
        except CollectionMissingError:
            # A reindex may have replaced the collection since this search began.
            if self._in_use.path == f"/collections/{self.alias}":
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

    def _is_present(self, point: Point) -> bool:
        return self._in_use.present.get(point.point_id) == (point.stamp, point.text_hash)


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
