"""What a Qdrant server is asked, and what each of its refusals means."""

import json
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from code_indexer.addresses import ServerAddress
from code_indexer.errors import CodeIndexerError, ServiceUnavailableError
from code_indexer.transport import (
    Answer,
    NotAnsweredError,
    Patience,
    RequestFailedError,
    Server,
    persist,
)

Json: TypeAlias = Any
"""What the server sends: checked where it is read."""

OLDEST_VERSION = (1, 10)


@dataclass(frozen=True, slots=True)
class QdrantTimes:
    """How long things may take, in seconds."""

    ask: float = 10.0
    """For a question about the server or a collection."""
    search: float = 15.0
    write: float = 90.0
    retry: float = 45.0
    """Time within which a write is repeated, all its pauses included."""
    retry_search: float = 1.0
    """Likewise for a question or a search: while the server is away, each search waits so long."""


class CollectionMissingError(RequestFailedError):
    """The server has no collection of this name."""


class CollectionExistsError(RequestFailedError):
    """A collection or an alias has this name already."""


class BodyTooLargeError(RequestFailedError):
    """The request has more bytes than the server, or a proxy before it, takes."""

    def __init__(self, message: str, *, hint: str, limit_bytes: int | None) -> None:
        super().__init__(message, hint=hint)
        self.limit_bytes = limit_bytes
        """The limit, where the answer names it."""


class StrictModeError(RequestFailedError):
    """The collection's strict mode does not allow the request."""


class PathUnknownError(RequestFailedError):
    """The server has no such operation: it is older, or something else stands there."""


class QdrantServer:
    """One Qdrant server; usable from several threads."""

    def __init__(
        self,
        address: ServerAddress,
        *,
        api_key: str = "",
        times: QdrantTimes | None = None,
        setting: str = "QDRANT_URL",
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._has_key = bool(api_key)
        self.times = times or QdrantTimes()
        self._sleep = sleep
        self._server = Server(
            address,
            service="Qdrant",
            setting=setting,
            headers={"api-key": api_key} if api_key else {},
        )

    @property
    def url(self) -> str:
        """The server's address, without credentials."""
        return self._server.url

    def close(self) -> None:
        """Let go of the connections."""
        self._server.close()

    def version(self) -> tuple[int, ...]:
        """The server's version; empty where it does not say.

        Raises:
            ServiceUnavailableError: It does not answer, or is no Qdrant.
        """
        return version_numbers(self.version_text())

    def version_text(self) -> str:
        """The server's version as it writes it.

        Raises:
            ServiceUnavailableError: It does not answer, or is no Qdrant.
        """
        patience = Patience(seconds=self.times.retry_search, first_pause=0.3)
        reply = persist(
            lambda: self._reply(self._answer("GET", "/", None, self.times.ask)),
            patience,
            sleep=self._sleep,
        )
        return str(reply.get("version", "")) if isinstance(reply, dict) else ""

    def ask(self, method: str, path: str, body: Json = None) -> Json:
        """The result of a question about the server or a collection.

        Raises:
            ServiceUnavailableError: There is none; subclasses say why.
        """
        return self._result(method, path, body, self.times.ask, self.times.retry_search)

    def search(self, path: str, body: Json) -> Json:
        """The result of a search.

        Raises:
            ServiceUnavailableError: There is none; subclasses say why.
        """
        return self._result("POST", path, body, self.times.search, self.times.retry_search)

    def write(self, method: str, path: str, body: Json | bytes = None) -> Json:
        """The result of a change; every change we make may be repeated.

        Raises:
            ServiceUnavailableError: It was not made, or not for certain; subclasses say why.
        """
        return self._result(method, path, body, self.times.write, self.times.retry)

    def _result(
        self, method: str, path: str, body: Json | bytes, seconds: float, retry_seconds: float
    ) -> Json:
        sent = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        patience = Patience(seconds=retry_seconds, first_pause=0.3)

        def attempt() -> Json:
            answer = self._answer(method, path, sent, seconds)
            reply = self._reply(answer)
            if not isinstance(reply, dict) or "result" not in reply:
                raise self._stranger(answer)
            return reply["result"]

        return persist(attempt, patience, sleep=self._sleep)

    def _answer(self, method: str, path: str, body: bytes | None, seconds: float) -> Answer:
        answer = self._server.send(method, path, body, seconds=seconds)
        if answer.status not in (200, 201, 202):
            raise self.failure(answer)
        return answer

    def _reply(self, answer: Answer) -> Json:
        try:
            return json.loads(answer.body)
        except ValueError as error:
            raise self._stranger(answer) from error

    def _stranger(self, answer: Answer) -> RequestFailedError:
        return RequestFailedError(
            f"what answers at {self.url} is not Qdrant ({answer.content_type or 'no type'}):"
            f" {answer.text[:80]}",
            hint="A proxy or a login page may stand in between; check QDRANT_URL",
        )

    def failure(self, answer: Answer) -> CodeIndexerError:
        """What an answer that is no success means."""
        message, is_own = _error_text(answer)
        text = message.lower()
        who = f"Qdrant at {self.url}"
        status = answer.status
        if status == 413 or "larger than allowed" in text:
            return BodyTooLargeError(
                f"{who} refuses a request of this size: {message[:200]}",
                hint="Set UPSERT_BATCH lower, or raise the limit of the server or the proxy",
                limit_bytes=_limit_in(message),
            )
        if status == 401:
            return self._unauthorized()
        if status == 403:
            return RequestFailedError(
                f"{who} forbids it: {message[:200] or 'no reason given'}",
                hint="The API key may be for reading only, or the server is locked for writing",
            )
        if status == 404 and is_own and "collection" in text:
            return CollectionMissingError(
                f"{who} has no such collection: {message[:200]}",
                hint="Search again without --skip-stale-check, or run reindex-project",
            )
        if status == 404:
            return PathUnknownError(
                f"{who} does not know the path it was asked for ({message[:80] or 'empty answer'})",
                hint="Check the path in QDRANT_URL; Qdrant must be 1.10 or later",
            )
        if status == 409 or "alias with the same name already exists" in text:
            return CollectionExistsError(f"{who}: {message[:200]}")
        if status == 429:
            return RequestFailedError(
                f"{who} limits the rate of requests: {message[:200]}",
                hint="Try again later",
                again=True,
                pause=answer.retry_after or 1.0,
            )
        if status == 507 or "no space left" in text or "insufficient storage" in text:
            return RequestFailedError(
                f"the disk of {who} is full: {message[:200]}",
                hint="Free space on the server, then search again: what is done is kept",
            )
        if status == 408:
            return NotAnsweredError(
                f"{who} did not finish in time: {message[:200]}", hint="Try again", again=True
            )
        if 300 <= status < 400:
            return RequestFailedError(
                f"{who} redirects to {answer.location or 'another address'}",
                hint="Set QDRANT_URL to the address it redirects to, if you trust it",
            )
        return self._other_failure(answer, message, is_own=is_own)

    def _unauthorized(self) -> RequestFailedError:
        if self._has_key:
            return RequestFailedError(
                f"Qdrant at {self.url} refuses the API key", hint="Check QDRANT_API_KEY"
            )
        return RequestFailedError(
            f"Qdrant at {self.url} wants an API key", hint="Set QDRANT_API_KEY"
        )

    def _other_failure(self, answer: Answer, message: str, *, is_own: bool) -> CodeIndexerError:
        who = f"Qdrant at {self.url}"
        text = message.lower()
        if answer.status == 400 and "dimension error" in text:
            return ServiceUnavailableError(
                f"{who} holds vectors of another size: {message[:200]}",
                hint="The model was changed: run reindex-project",
            )
        if answer.status == 400 and ("help:" in text or "strict mode" in text):
            return StrictModeError(
                f"the strict mode of {who} does not allow it: {message[:300]}",
                hint="Raise the limit in the collection's strict_mode_config",
            )
        if answer.status in (502, 503, 504):
            what = message if is_own else f"status {answer.status}"
            return RequestFailedError(
                f"{who} is not available now: {what[:200]}", hint="Try again later", again=True
            )
        if answer.status >= 500:
            return RequestFailedError(
                f"{who} failed (status {answer.status}): {message[:300]}",
                hint="Its log says more",
                again=True,
            )
        return RequestFailedError(
            f"{who} refuses the request (status {answer.status}): {message[:300]}",
            hint="" if is_own else "Is it a Qdrant server? Check QDRANT_URL",
        )


def version_numbers(text: str) -> tuple[int, ...]:
    """``1.19.0-dev`` as ``(1, 19, 0)``."""
    found = re.match(r"\d+(\.\d+)*", text)
    return tuple(int(part) for part in found[0].split(".")) if found else ()


def _error_text(answer: Answer) -> tuple[str, bool]:
    """The message of an answer, and whether it has the server's own form."""
    try:
        body = json.loads(answer.body)
    except ValueError:
        return answer.text, False
    status = body.get("status") if isinstance(body, Mapping) else None
    if isinstance(status, Mapping) and "error" in status:
        return str(status["error"]), True
    return answer.text, False


def _limit_in(message: str) -> int | None:
    found = re.search(r"limit: (\d+) bytes", message)
    return int(found[1]) if found else None
