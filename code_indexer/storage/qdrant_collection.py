"""The life of a project's collection: whose it is, made, switched to, tuned and deleted.

A project's collection name (``idx_app``) is an alias; the points lie in a collection of that name
with a number (``idx_app.1``), so that a reindex can fill the next one and switch at once.
"""

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from code_indexer.errors import CodeIndexerError, CollectionTakenError
from code_indexer.storage.qdrant_points import INDEXED_FIELDS
from code_indexer.storage.qdrant_server import (
    OLDEST_VERSION,
    CollectionExistsError,
    CollectionMissingError,
    Json,
    QdrantServer,
    version_numbers,
)

_log = logging.getLogger(__name__)

SCHEMA = 1
"""Raised when points change in a way that older releases cannot read."""
RESERVED_POINT = "00000000-0000-4000-8000-00636f646578"
"""Holds the ownership record where the server has no collection metadata (before 1.16)."""
_RECORD = "code_indexer"


@dataclass(frozen=True, slots=True)
class CollectionOptions:
    """How collections are laid out; None leaves it to the server."""

    shard_number: int | None = None
    replication_factor: int | None = None
    write_consistency_factor: int | None = None
    read_consistency: str | None = None
    """``majority``, ``quorum``, ``all`` or a number of replicas that must agree on an answer."""
    compact_above_bytes: int = 500_000_000
    """Raw vectors of more than this lie on disk, with one byte per number in memory."""


@dataclass(frozen=True, slots=True)
class Ownership:
    """What a collection says of itself."""

    root: str
    """Root of the project that filled it."""
    scope: str
    """What its point ids were made with."""
    identity: str
    """Which embedder its vectors come from, in the form of the manifest."""
    schema: int = SCHEMA


@dataclass(frozen=True, slots=True)
class CollectionInfo:
    """What the server says of a collection."""

    name: str
    """Its own name, never an alias."""
    points: int
    """About how many it holds."""
    dimension: int | None
    """None where the vectors are of another form than ours."""
    distance: str | None
    ownership: Ownership | None
    status: str
    """``green``, ``yellow`` (at work), ``grey`` (waits for a change) or ``red``."""
    problem: str | None
    """What its optimiser complains of."""
    on_disk: bool
    quantized: bool
    indexed_fields: tuple[str, ...]

    @property
    def can_hold(self) -> int | None:
        """The dimension of vectors that fit in, None where none of ours do."""
        return self.dimension if self.distance == "Cosine" else None


class Collections:
    """The collections of one server, as far as they are ours."""

    def __init__(self, server: QdrantServer, options: CollectionOptions | None = None) -> None:
        self.server = server
        self.options = options or CollectionOptions()

    def find(self, name: str) -> CollectionInfo | None:
        """The collection that *name* stands for, itself or as an alias.

        Raises:
            ServiceUnavailableError: The server does not say.
        """
        try:
            reply = self.server.ask("GET", f"/collections/{name}")
        except CollectionMissingError:
            return None
        own_name = self.aliases().get(name, name)
        return _info(own_name, reply, self._record(own_name, reply))

    def aliases(self) -> dict[str, str]:
        """Every alias of the server, with the collection it stands for."""
        reply = self.server.ask("GET", "/aliases")
        return {one["alias_name"]: one["collection_name"] for one in reply.get("aliases", [])}

    def generations(self, alias: str) -> list[str]:
        """The numbered collections made for *alias*, oldest first."""
        reply = self.server.ask("GET", "/collections")
        numbers = [
            int(tail)
            for one in reply.get("collections", [])
            for head, _, tail in (one["name"].rpartition("."),)
            if head == alias and tail.isdecimal()
        ]
        return [f"{alias}.{number}" for number in sorted(numbers)]

    def create(self, alias: str, dimension: int, owner: Ownership, *, points: int = 0) -> str:
        """Make the next numbered collection for *alias*, empty and ours; gives its name.

        Args:
            alias: The project's collection name; it is not switched yet.
            dimension: Of the vectors to come.
            owner: The record it gets.
            points: About how many are to come.
        """
        version = self._checked_version()
        existing = self.generations(alias)
        number = int(existing[-1].rpartition(".")[2]) + 1 if existing else 1
        while True:
            name = f"{alias}.{number}"
            try:
                self.server.write(
                    "PUT",
                    f"/collections/{name}?timeout=60",
                    self._layout(dimension, owner, points),
                )
            except CollectionExistsError:
                number += 1  # another machine was quicker
                continue
            break
        try:
            self._finish_creation(name, dimension, owner)
        except CodeIndexerError:
            self.delete(name)
            raise
        _log.info("created the collection %s on Qdrant %s", name, version)
        return name

    def set_owner(self, info: CollectionInfo, owner: Ownership) -> None:
        """Write the record of an existing collection, and the indexes our requests need."""
        missing = [name for name in INDEXED_FIELDS if name not in info.indexed_fields]
        self._create_indexes(info.name, missing)
        self.server.write(
            "PATCH", f"/collections/{info.name}", {"metadata": {_RECORD: asdict(owner)}}
        )
        self._secure_record(info.name, info.dimension or 1, owner)

    def switch(self, alias: str, name: str, *, adopt: bool = False) -> str | None:
        """Let *alias* stand for the collection *name*; gives what it stood for before.

        One action on an existing alias repoints it at once: nobody sees it missing.

        Raises:
            CollectionTakenError: A collection has that name, and nobody said to adopt it.
        """
        before = self.aliases().get(alias)
        action = {"create_alias": {"collection_name": name, "alias_name": alias}}
        try:
            self.server.write("POST", "/collections/aliases", {"actions": [action]})
        except CollectionExistsError:
            # A collection that was adopted bears the bare name: it has to go first. Searches use
            # the numbered name that their manifest knows, and do not notice.
            found = self.find(alias)
            if found is not None and found.ownership is None and not adopt:
                raise foreign_collection(alias, self.describe(found)) from None
            self.delete(alias)
            self.server.write("POST", "/collections/aliases", {"actions": [action]})
            return None
        return before if before != name else None

    def delete(self, name: str) -> None:
        """Delete a collection, if it exists; its aliases go with it."""
        self.server.write("DELETE", f"/collections/{name}?timeout=60")

    def tune(self, info: CollectionInfo, points: int) -> bool:
        """Move a grown collection's vectors to disk, with small copies in memory; or back.

        Returns:
            Whether the layout was changed; the server then rebuilds in the background.
        """
        compact = self._is_compact(info.dimension or 0, points)
        if info.dimension is None or compact == (info.on_disk and info.quantized):
            return False
        if not compact and points * info.dimension * 8 > self.options.compact_above_bytes:
            return False  # near the limit it stays as it is: rebuilding has its price
        self.server.write(
            "PATCH",
            f"/collections/{info.name}?timeout=60",
            {
                "vectors": {"": {"on_disk": compact}},
                "quantization_config": _quantization() if compact else "Disabled",
            },
        )
        return True

    def describe(self, info: CollectionInfo) -> str:
        """What a collection holds, for people who do not expect it."""
        size = "vectors of another form" if info.dimension is None else f"{info.dimension} numbers"
        fields: Sequence[str] = ()
        sample = self.server.ask(
            "POST", f"/collections/{info.name}/points/scroll", {"limit": 1, "with_payload": True}
        )
        for point in sample.get("points", []):
            fields = sorted(point.get("payload") or {})
        shown = f", with the fields {', '.join(fields[:8])}" if fields else ""
        return f"about {info.points} points of {size}{shown}"

    def _checked_version(self) -> str:
        text = self.server.version_text()
        numbers = version_numbers(text)
        if numbers and numbers < OLDEST_VERSION:
            # Not refused: what stands between may report anything, and a query would tell.
            _log.warning(
                "Qdrant at %s says it is version %s; 1.10 or later is needed", self.server.url, text
            )
        return text

    def _is_compact(self, dimension: int, points: int) -> bool:
        return points * dimension * 4 > self.options.compact_above_bytes

    def _layout(self, dimension: int, owner: Ownership, points: int) -> dict[str, Any]:
        compact = self._is_compact(dimension, points)
        layout: dict[str, Any] = {
            "vectors": {"size": dimension, "distance": "Cosine", "on_disk": compact},
            "on_disk_payload": True,
            "metadata": {_RECORD: asdict(owner)},
        }
        if compact:
            layout["quantization_config"] = _quantization()
        for key in ("shard_number", "replication_factor", "write_consistency_factor"):
            value = getattr(self.options, key)
            if value is not None:
                layout[key] = value
        return layout

    def _finish_creation(self, name: str, dimension: int, owner: Ownership) -> None:
        # Before the first point: an index made later is not linked into the graph.
        self._create_indexes(name, INDEXED_FIELDS)
        self._secure_record(name, dimension, owner)

    def _create_indexes(self, name: str, fields: Sequence[str]) -> None:
        for field in fields:
            self.server.write(
                "PUT",
                f"/collections/{name}/index?wait=true",
                {"field_name": field, "field_schema": "keyword"},
            )

    def _secure_record(self, name: str, dimension: int, owner: Ownership) -> None:
        """Where the server dropped the metadata silently, keep the record in a point."""
        config = self.server.ask("GET", f"/collections/{name}").get("config") or {}
        if _RECORD in (config.get("metadata") or {}):
            return
        point = {
            "id": RESERVED_POINT,
            "vector": [1.0] + [0.0] * (dimension - 1),
            "payload": {_RECORD: asdict(owner)},
        }
        self.server.write("PUT", f"/collections/{name}/points?wait=true", {"points": [point]})

    def _record(self, name: str, reply: Json) -> Ownership | None:
        config = reply.get("config") or {}
        record = (config.get("metadata") or {}).get(_RECORD)
        if record is None:
            found = self.server.ask(
                "POST",
                f"/collections/{name}/points",
                {"ids": [RESERVED_POINT], "with_payload": True, "with_vector": False},
            )
            record = ((found or [{}])[0].get("payload") or {}).get(_RECORD)
        return _ownership(record)


def foreign_collection(name: str, description: str) -> CollectionTakenError:
    """The error for a collection that is not ours."""
    return CollectionTakenError(
        f"Qdrant has a collection {name} that code-indexer did not make: it holds {description}",
        hint="Choose another name with --name, or take it over with --adopt",
    )


def other_project(name: str, root: str) -> CollectionTakenError:
    """The error for a collection of another project."""
    return CollectionTakenError(
        f"the collection {name} belongs to the project {root}",
        hint="Choose another name with --name, or take it over with --adopt",
    )


def newer_schema(name: str) -> CollectionTakenError:
    """The error for a collection that a later release wrote."""
    return CollectionTakenError(
        f"the collection {name} was written by a newer code-indexer",
        hint="Upgrade code-indexer, or choose another name with --name",
    )


def _quantization() -> dict[str, Any]:
    return {"scalar": {"type": "int8", "quantile": 0.99, "always_ram": True}}


def _ownership(record: object) -> Ownership | None:
    if not isinstance(record, Mapping):
        return None
    schema = record.get("schema")
    return Ownership(
        root=str(record.get("root", "")),
        scope=str(record.get("scope", "")),
        identity=str(record.get("identity", "")),
        schema=schema if isinstance(schema, int) else 0,
    )


def _info(name: str, reply: Json, owner: Ownership | None) -> CollectionInfo:
    config = reply.get("config") or {}
    params = config.get("params") or {}
    vectors = params.get("vectors") or {}
    ours = isinstance(vectors.get("size"), int)
    optimizer = reply.get("optimizer_status")
    problem = optimizer.get("error") if isinstance(optimizer, Mapping) else None
    quantization = config.get("quantization_config") or vectors.get("quantization_config")
    return CollectionInfo(
        name=name,
        points=int(reply.get("points_count") or 0),
        dimension=vectors["size"] if ours else None,
        distance=vectors.get("distance") if ours else None,
        ownership=owner,
        status=str(reply.get("status", "")),
        problem=json.dumps(problem) if isinstance(problem, Mapping) else problem,
        on_disk=bool(vectors.get("on_disk")) if ours else False,
        quantized=quantization is not None,
        indexed_fields=tuple(reply.get("payload_schema") or ()),
    )
