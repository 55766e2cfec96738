"""An Ollama-shaped server on loopback: real answers for words, and every fault we know of."""

import contextlib
import hashlib
import json
import math
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from fake_servers import FakeServer, JsonHandler

Fault = Callable[["Handler", dict[str, Any]], bool]
"""Answers an embed request instead of the server, or returns False to let it through."""


@dataclass
class Installed:
    """A model the fake has."""

    name: str
    dimension: int = 64
    digest: str = "d" * 64
    capabilities: list[str] | None = field(default_factory=lambda: ["embedding"])
    context_length: int = 8192
    remote_host: str = ""

    def listed(self) -> dict[str, Any]:
        entry: dict[str, Any] = {"name": self.name, "model": self.name, "digest": self.digest}
        if self.capabilities is not None:
            entry["capabilities"] = self.capabilities
        if self.remote_host:
            entry["remote_host"] = self.remote_host
        return entry


def word_vector(text: str, dimension: int) -> list[float]:
    """Shared words make vectors alike; equal texts have equal ones."""
    values = [0.0] * dimension
    for word in re.findall(r"[A-Za-z]+|[0-9]+", text.lower()):
        digest = hashlib.sha1(word.encode()).digest()
        values[int.from_bytes(digest[:3], "big") % dimension] += 1.0 if digest[3] & 1 else -1.0
    if not any(values):
        values[0] = 1.0
    length = math.sqrt(sum(value * value for value in values))
    return [value / length for value in values]


class FakeOllama(FakeServer):
    """Start with ``with FakeOllama() as ollama``; faults and counters are plain attributes."""

    def __init__(self, *models: Installed, prefix: str = "") -> None:
        super().__init__(Handler, prefix=prefix)
        self.models = list(models) or [Installed("fake-embed:latest")]
        self.fault: Fault | None = None
        self.faults_left: int | None = None
        """How often the fault strikes; None: always."""
        self.good_calls_first = 0
        """Embed requests that are answered well before the fault strikes."""
        self.embedded: list[str] = []
        """Texts of well answered embed requests, in order."""
        self.requests: list[tuple[str, dict[str, Any]]] = []
        self.in_flight = 0
        self.most_in_flight = 0
        self.pull_lines: list[dict[str, Any]] = []
        self.seconds_per_request = 0.0

    def sent(self, path: str) -> list[dict[str, Any]]:
        return [body for seen, body in self.requests if seen == path]

    def batches(self) -> list[list[str]]:
        """The inputs of all embed requests."""
        return [body["input"] for body in self.sent("/api/embed")]

    def find(self, name: str) -> Installed | None:
        wanted = name.lower() if ":" in name else f"{name.lower()}:latest"
        return next((model for model in self.models if model.name.lower() == wanted), None)

    def strikes(self) -> bool:
        """Whether the fault hits this embed request."""
        with self.lock:
            if self.fault is None or self.good_calls_first > 0:
                self.good_calls_first -= 1
                return False
            if self.faults_left is None:
                return True
            self.faults_left -= 1
            return self.faults_left >= 0


class Handler(JsonHandler):
    def error(self, status: int, text: str, headers: dict[str, str] | None = None) -> bool:
        return self.reply(status, {"error": text}, headers=headers)

    def do_GET(self) -> None:  # noqa: N802 - the name that http.server calls
        path = self._path()
        if path == "/api/version":
            self.reply(200, {"version": "0.32.0"})
        elif path == "/api/tags":
            self.reply(200, {"models": [model.listed() for model in self.fake.models]})
        elif path == "/api/ps":
            loaded = [
                {"name": model.name, "size": 1000, "size_vram": 250, "context_length": 4096}
                for model in self.fake.models
            ]
            self.reply(200, {"models": loaded})
        else:
            self.reply(404, b"404 page not found", "text/plain")

    def do_POST(self) -> None:  # noqa: N802 - the same
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = json.loads(raw or b"{}")
        path = self._path()
        with self.fake.lock:
            self.fake.requests.append((path, body))
        if path == "/api/show":
            self._show(body)
        elif path == "/api/pull":
            self._pull(body)
        elif path == "/api/embed":
            with self._counted():
                self._embed(body)
        else:
            self.reply(404, b"404 page not found", "text/plain")

    def _path(self) -> str:
        if not self.path.startswith(self.fake.prefix):
            return "/wrong-prefix"
        return self.path[len(self.fake.prefix) :]

    @contextlib.contextmanager
    def _counted(self) -> Iterator[None]:
        fake = self.fake
        with fake.lock:
            fake.in_flight += 1
            fake.most_in_flight = max(fake.most_in_flight, fake.in_flight)
        try:
            yield
        finally:
            with fake.lock:
                fake.in_flight -= 1

    def _show(self, body: dict[str, Any]) -> None:
        model = self.fake.find(body["model"])
        if model is None:
            self.error(404, f"model '{body['model']}' not found")
            return
        answer: dict[str, Any] = {
            "model_info": {
                "general.architecture": "fake",
                "fake.context_length": model.context_length,
                "fake.embedding_length": model.dimension,
            }
        }
        if model.capabilities is not None:
            answer["capabilities"] = model.capabilities
        self.reply(200, answer)

    def _pull(self, body: dict[str, Any]) -> None:
        lines = self.fake.pull_lines
        self.reply(
            200,
            b"".join(json.dumps(line).encode() + b"\n" for line in lines),
            "application/x-ndjson",
        )
        if any(line.get("status") == "success" for line in lines):
            self.fake.models.append(Installed(f"{body['model']}:latest"))

    def _embed(self, body: dict[str, Any]) -> None:
        fake = self.fake
        if fake.strikes() and fake.fault is not None and fake.fault(self, body):
            return
        model = fake.find(body["model"])
        if model is None:
            self.error(404, f'model "{body["model"]}" not found, try pulling it first')
            return
        time.sleep(fake.seconds_per_request)
        with fake.lock:
            fake.embedded += body["input"]
        self.reply_rows([word_vector(text, model.dimension) for text in body["input"]])

    def reply_rows(self, rows: list[Any]) -> bool:
        tokens = 10 * len(rows)
        return self.reply(200, {"model": "fake", "embeddings": rows, "prompt_eval_count": tokens})

    def good_rows(self, body: dict[str, Any]) -> list[list[float]]:
        dimension = self.fake.models[0].dimension
        return [word_vector(text, dimension) for text in body["input"]]


# Faults


def failing(status: int, text: str, headers: dict[str, str] | None = None) -> Fault:
    """Every request gets this error."""
    return lambda handler, _: handler.error(status, text, headers)


def failing_on(word: str, status: int, text: str) -> Fault:
    """A request that holds *word* in one of its texts gets this error."""

    def fault(handler: Handler, body: dict[str, Any]) -> bool:
        return any(word in one for one in body["input"]) and handler.error(status, text)

    return fault


def too_long(most_chars: int, status: int = 400) -> Fault:
    """A request with a longer text is refused whole, as the real server does."""

    def fault(handler: Handler, body: dict[str, Any]) -> bool:
        return any(len(one) > most_chars for one in body["input"]) and handler.error(
            status, "the input length exceeds the context length"
        )

    return fault


def resetting(handler: Handler, body: dict[str, Any]) -> bool:
    """The connection is reset."""
    return handler.reset()


def hanging(seconds: float) -> Fault:
    """The answer comes much too late."""

    def fault(handler: Handler, body: dict[str, Any]) -> bool:
        time.sleep(seconds)
        return False

    return fault


def login_page(handler: Handler, body: dict[str, Any]) -> bool:
    """A page of HTML with status 200."""
    return handler.reply(200, b"<html>Sign in</html>", "text/html")


def truncated(handler: Handler, body: dict[str, Any]) -> bool:
    """Half of an answer, then the end of the connection."""
    data = json.dumps({"embeddings": handler.good_rows(body)}).encode()
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(len(data)))
    handler.end_headers()
    handler.wfile.write(data[: len(data) // 2])
    handler.close_connection = True
    return True


def malformed(handler: Handler, body: dict[str, Any]) -> bool:
    """JSON that ends early."""
    return handler.reply(200, b'{"model":"x","embeddings":[[0.1,')


def redirecting(handler: Handler, body: dict[str, Any]) -> bool:
    """Somewhere else."""
    return handler.reply(307, b"", headers={"Location": "http://me:secret@192.0.2.1/elsewhere"})


def changed_rows(change: Callable[[list[Any]], list[Any]]) -> Fault:
    """Good rows, changed by *change*."""
    return lambda handler, body: handler.reply_rows(change(list(handler.good_rows(body))))
