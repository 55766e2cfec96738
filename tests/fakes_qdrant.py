"""A Qdrant-shaped server on loopback: collections, points and aliases in memory, and faults."""

import json
import math
import re
import time
import uuid
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

from fake_servers import FakeServer, JsonHandler

Fault = Callable[["Handler", str, bytes], bool]
"""Answers a request instead of the server (method and path, body), or returns False."""


@dataclass
class Collection:
    """One collection."""

    config: dict[str, Any]
    metadata: dict[str, Any]
    points: dict[str, dict[str, Any]] = field(default_factory=dict)
    indexes: list[str] = field(default_factory=list)
    deleted: list[dict[str, Any]] = field(default_factory=list)

    @property
    def vectors(self) -> dict[str, Any]:
        return self.config["params"]["vectors"]


class RefusedError(Exception):
    """An answer that is no success."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status, self.text = status, text


class FakeQdrant(FakeServer):
    """Start with ``with FakeQdrant() as qdrant``; faults and counters are plain attributes."""

    def __init__(self, version: str = "1.19.0", *, prefix: str = "", api_key: str = "") -> None:
        super().__init__(Handler, prefix=prefix)
        self.version = version
        self.api_key = api_key
        self.read_only_key = ""
        self.fault: Fault | None = None
        self.faults_left: int | None = None
        self.collections: dict[str, Collection] = {}
        self.aliases: dict[str, str] = {}
        self.requests: list[str] = []
        self.biggest_body = 0

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(int(part) for part in self.version.split("."))

    def strikes(self) -> bool:
        with self.lock:
            if self.fault is None or self.faults_left == 0:
                return False
            if self.faults_left is not None:
                self.faults_left -= 1
            return True

    def writes(self) -> list[str]:
        """Requests that changed something."""
        return [
            one
            for one in self.requests
            if one.startswith(("PUT", "PATCH", "DELETE")) or "/delete" in one
        ]

    def collection(self, name: str) -> Collection:
        name = self.aliases.get(name, name)
        if name not in self.collections:
            raise RefusedError(404, f"Not found: Collection `{name}` doesn't exist!")
        return self.collections[name]

    # One method per operation

    def create(self, name: str, body: dict[str, Any]) -> bool:
        if name in self.collections:
            raise RefusedError(409, f"Wrong input: Collection `{name}` already exists!")
        if name in self.aliases:
            raise RefusedError(
                400,
                f"Wrong input: Can't create collection with name {name}."
                " Alias with the same name already exists",
            )
        params = {key: value for key, value in body.items() if key in PARAMS}
        config = {"params": params, "quantization_config": body.get("quantization_config")}
        has_metadata = self.numbers >= (1, 16)
        self.collections[name] = Collection(
            config, body.get("metadata", {}) if has_metadata else {}
        )
        return True

    def change(self, name: str, body: dict[str, Any]) -> bool:
        collection = self.collection(name)
        if self.numbers >= (1, 16):
            collection.metadata |= body.get("metadata", {})
        for change in body.get("vectors", {}).values():
            collection.vectors.update(change)
        if "quantization_config" in body:
            new = body["quantization_config"]
            collection.config["quantization_config"] = None if new == "Disabled" else new
        return True

    def describe(self, name: str) -> dict[str, Any]:
        collection = self.collection(name)
        config = dict(collection.config)
        if collection.metadata:
            config["metadata"] = collection.metadata
        return {
            "status": "green",
            "optimizer_status": "ok",
            "points_count": len(collection.points),
            "config": config,
            "payload_schema": {name: {"data_type": "keyword"} for name in collection.indexes},
        }

    def delete(self, name: str) -> bool:
        found = self.collections.pop(name, None)
        self.aliases = {alias: to for alias, to in self.aliases.items() if to != name}
        return found is not None

    def change_aliases(self, body: dict[str, Any]) -> bool:
        for action in body["actions"]:
            made = action["create_alias"]
            self.collection(made["collection_name"])
            if made["alias_name"] in self.collections:
                raise RefusedError(
                    409, f"Wrong input: Collection `{made['alias_name']}` already exists!"
                )
            self.aliases[made["alias_name"]] = made["collection_name"]
        return True

    def upsert(self, name: str, body: dict[str, Any]) -> dict[str, Any]:
        collection = self.collection(name)
        size = collection.vectors["size"]
        for point in body["points"]:
            if not isinstance(point["id"], int):
                uuid.UUID(point["id"])
            if len(point["vector"]) != size:
                raise RefusedError(
                    400,
                    f"Wrong input: Vector dimension error: expected dim: {size},"
                    f" got {len(point['vector'])}",
                )
        for point in body["points"]:
            length = math.sqrt(sum(x * x for x in point["vector"])) or 1.0
            stored = {**point, "vector": [x / length for x in point["vector"]]}
            collection.points[str(point["id"])] = stored
        return {"operation_id": 1, "status": "completed"}

    def delete_points(self, name: str, body: dict[str, Any]) -> dict[str, Any]:
        collection = self.collection(name)
        gone = [one for one, point in collection.points.items() if matches(point, body["filter"])]
        for one in gone:
            collection.deleted.append(collection.points.pop(one))
        return {"operation_id": 1, "status": "completed"}

    def scroll(self, name: str, body: dict[str, Any]) -> dict[str, Any]:
        points = self.collection(name).points
        ids = sorted(one for one in points if body.get("offset") is None or one >= body["offset"])
        ids = [one for one in ids if matches(points[one], body.get("filter"))]
        limit = body.get("limit", 10)
        page = [shown(points[one], body) for one in ids[:limit]]
        return {"points": page, "next_page_offset": ids[limit] if len(ids) > limit else None}

    def retrieve(self, name: str, body: dict[str, Any]) -> list[dict[str, Any]]:
        points = self.collection(name).points
        return [shown(points[one], body) for one in body["ids"] if one in points]

    def count(self, name: str, body: dict[str, Any]) -> dict[str, Any]:
        points = self.collection(name).points.values()
        return {"count": sum(matches(point, body.get("filter")) for point in points)}

    def facet(self, name: str, body: dict[str, Any]) -> dict[str, Any]:
        collection = self.collection(name)
        if body["key"] not in collection.indexes:
            raise RefusedError(
                400, f'Bad request: Index required but not found for "{body["key"]}"'
            )
        values = Counter(
            point["payload"][body["key"]]
            for point in collection.points.values()
            if body["key"] in (point["payload"] or {})
        )
        # Like the real one, it still lists the values of deleted points.
        for point in collection.deleted:
            values[(point["payload"] or {}).get(body["key"], "gone")] += 0
        hits = [{"value": value, "count": n} for value, n in values.most_common(body["limit"])]
        return {"hits": hits}

    def query(self, name: str, body: dict[str, Any]) -> dict[str, Any]:
        collection = self.collection(name)
        vector = body["query"]
        if len(vector) != collection.vectors["size"]:
            raise RefusedError(400, "Wrong input: Vector dimension error: expected dim: x, got y")
        length = math.sqrt(sum(x * x for x in vector)) or 1.0
        scored = [
            (sum(a * b for a, b in zip(vector, point["vector"], strict=True)) / length, point)
            for point in collection.points.values()
            if matches(point, body.get("filter"))
        ]
        scored.sort(key=lambda one: -one[0])
        return {
            "points": [
                {**shown(point, body), "score": score, "version": 1}
                for score, point in scored[: body["limit"]]
            ]
        }


PARAMS = (
    "vectors",
    "shard_number",
    "replication_factor",
    "write_consistency_factor",
    "on_disk_payload",
)


def matches(point: dict[str, Any], condition: dict[str, Any] | None) -> bool:
    """Whether a point passes a filter."""
    if not condition:
        return True
    wanted = all(holds(point, one) for one in condition.get("must", []))
    return wanted and not any(holds(point, one) for one in condition.get("must_not", []))


def holds(point: dict[str, Any], condition: dict[str, Any]) -> bool:
    if "has_id" in condition:
        return str(point["id"]) in condition["has_id"]
    if "is_empty" in condition:
        return (point["payload"] or {}).get(condition["is_empty"]["key"]) is None
    value, match = (point["payload"] or {}).get(condition["key"]), condition["match"]
    return value in match["any"] if "any" in match else value == match["value"]


def shown(point: dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
    """A point with as much of it as the request asks for."""
    wanted = body.get("with_payload", False)
    payload = point.get("payload", {})
    if isinstance(wanted, list):
        payload = {key: payload[key] for key in wanted if key in payload}
    answer = {"id": point["id"], "payload": payload if wanted else None}
    if body.get("with_vector"):
        answer["vector"] = point["vector"]
    return answer


class Handler(JsonHandler):
    def error(self, status: int, text: str, headers: dict[str, str] | None = None) -> bool:
        return self.reply(status, {"status": {"error": text}, "time": 0.0}, headers=headers)

    def answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        fake = self.fake
        parts = urlsplit(self.path)
        with fake.lock:
            fake.requests.append(f"{self.command} {self.path}")
            fake.biggest_body = max(fake.biggest_body, len(body))
        if not parts.path.startswith(fake.prefix):
            self.reply(404, b"", "text/plain")
            return
        path = parts.path[len(fake.prefix) :] or "/"
        if not self._allowed(path, f"{self.command} {path}"):
            return
        if fake.fault is not None and self._hurt(f"{self.command} {path}", body):
            return
        if len(body) > 33_554_432:
            self.error(
                400,
                f"JSON payload ({len(body)} bytes) is larger than allowed (limit: 33554432 bytes)",
            )
            return
        self.perform(path, body, parse_qs(parts.query))

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = answer  # noqa: N815

    def _hurt(self, request: str, body: bytes) -> bool:
        fake = self.fake
        matching = getattr(fake.fault, "matches", None)
        if matching is not None and not re.search(matching, request):
            return False
        return fake.strikes() and fake.fault is not None and fake.fault(self, request, body)

    def _allowed(self, path: str, request: str) -> bool:
        fake = self.fake
        if not fake.api_key or path in ("/", "/healthz", "/readyz"):
            return True
        key = self.headers.get("api-key")
        if key == fake.api_key:
            return True
        if key and key == fake.read_only_key:
            is_read = request.startswith("GET") or path.endswith(READS)
            return is_read or not self.error(403, "Forbidden: Global manage access is required")
        text = (
            b"Invalid API key or JWT"
            if key
            else b"Must provide an API key or an Authorization bearer token"
        )
        return not self.reply(401, text, "text/plain")

    def perform(self, path: str, body: bytes, query: dict[str, list[str]]) -> None:
        """The request itself."""
        if path == "/":
            self.reply(
                200, {"title": "qdrant - vector search engine", "version": self.fake.version}
            )
            return
        try:
            with self.fake.lock:
                result = self._result(path, json.loads(body) if body else {}, query)
        except RefusedError as refusal:
            self.error(refusal.status, refusal.text)
        except (ValueError, KeyError) as error:
            self.error(400, f"Format error in JSON body: {error}")
        else:
            if result is None:
                self.reply(404, b"", "text/plain")
                return
            usage = {"hardware": {"cpu": 1, "payload_io_read": 0}}
            self.reply(200, {"result": result, "status": "ok", "time": 0.001, "usage": usage})

    def _result(self, path: str, body: dict[str, Any], query: dict[str, list[str]]) -> Any:
        fake = self.fake
        if path == "/collections":
            return {"collections": [{"name": name} for name in fake.collections]}
        if path == "/aliases":
            pairs = fake.aliases.items()
            return {"aliases": [{"alias_name": a, "collection_name": c} for a, c in pairs]}
        if path == "/collections/aliases":
            return fake.change_aliases(body)
        match = re.fullmatch(r"/collections/([^/]+)(/.*)?", path)
        if match is None:
            return None
        name, rest = match[1], match[2] or ""
        if rest == "":
            operations = {
                "PUT": lambda: fake.create(name, body),
                "PATCH": lambda: fake.change(name, body),
                "GET": lambda: fake.describe(name),
                "DELETE": lambda: fake.delete(name),
            }
            return operations[self.command]()
        if rest == "/index":
            fake.collection(name).indexes.append(body["field_name"])
            return {"operation_id": 1, "status": "completed"}
        return self._points(name, rest, body, query)

    def _points(
        self, name: str, rest: str, body: dict[str, Any], query: dict[str, list[str]]
    ) -> Any:
        fake = self.fake
        if rest == "/points" and self.command == "PUT":
            assert query.get("wait") == ["true"], "an upsert that does not wait is not stored yet"
            return fake.upsert(name, body)
        operations = {
            "/points": fake.retrieve,
            "/points/delete": fake.delete_points,
            "/points/scroll": fake.scroll,
            "/points/count": fake.count,
            "/points/query": fake.query,
        }
        if fake.numbers >= (1, 12):
            operations["/facet"] = fake.facet
        operation = operations.get(rest)
        return None if operation is None else operation(name, body)


READS = ("/points", "/query", "/scroll", "/count", "/facet")


# Faults


def on(pattern: str, fault: Fault) -> Fault:
    """*fault* for requests whose method and path match *pattern*."""

    def matched(handler: Handler, request: str, body: bytes) -> bool:
        return fault(handler, request, body)

    matched.matches = pattern  # type: ignore[attr-defined]
    return matched


def failing(status: int, text: str, headers: dict[str, str] | None = None) -> Fault:
    """Every request gets this error."""
    return lambda handler, _request, _body: handler.error(status, text, headers)


def plain(status: int, text: str, content_type: str = "text/plain") -> Fault:
    """Every request gets this body, which is not of the server's own form."""
    return lambda handler, _request, _body: handler.reply(status, text.encode(), content_type)


def capped(most_bytes: int, status: int = 400) -> Fault:
    """Bodies above a size are refused."""

    def fault(handler: Handler, _request: str, body: bytes) -> bool:
        if len(body) <= most_bytes:
            return False
        if status == 413:
            return handler.reply(413, b"Payload Too Large", "text/plain")
        return handler.error(
            400,
            f"Payload error: JSON payload ({len(body)} bytes) is larger than allowed"
            f" (limit: {most_bytes} bytes).",
        )

    return fault


def resetting(handler: Handler, _request: str, _body: bytes) -> bool:
    """The connection is reset before anything is done."""
    return handler.reset()


def resetting_after(handler: Handler, request: str, body: bytes) -> bool:
    """The request is carried out, but the answer never arrives."""
    with handler.fake.lock:
        path = request.partition(" ")[2]
        handler._result(path, json.loads(body) if body else {}, {"wait": ["true"]})
    return handler.reset()


def hanging(seconds: float) -> Fault:
    """The answer comes much too late."""

    def fault(_handler: Handler, _request: str, _body: bytes) -> bool:
        time.sleep(seconds)
        return False

    return fault
