"""What an Ollama server is asked, and what each of its answers means."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from code_indexer.addresses import ServerAddress
from code_indexer.inference.ollama_failures import (
    RunnerFailedError,
    TextRefusedError,
    failure,
    pull_failed,
)
from code_indexer.transport import Answer, Patience, RequestFailedError, Server, persist

_ASK_SECONDS = 10.0
# Short: while a server is away, every search waits so long before it answers without it.
_ASK_PATIENCE = Patience(seconds=1.0, first_pause=0.3)
_PULL_LINE_SECONDS = 300.0
_PULL_PATIENCE = Patience(seconds=3600.0, first_pause=1.0, tries=5)


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """A model that the server has."""

    name: str
    digest: str
    """Names the exact weights; empty where the server does not say."""
    capabilities: tuple[str, ...] | None
    """None where the server does not say."""
    remote: bool
    """The server passes its requests on to another machine."""


@dataclass(frozen=True, slots=True)
class ModelDetails:
    """What the server knows of one model."""

    capabilities: tuple[str, ...] | None
    context_length: int | None
    remote: bool


@dataclass(frozen=True, slots=True)
class ModelPlacement:
    """Where a loaded model lives."""

    size_bytes: int
    gpu_bytes: int
    context_length: int | None

    @property
    def processor(self) -> str:
        """``CPU``, ``GPU`` or a share, as people say it."""
        if self.size_bytes <= 0 or self.gpu_bytes >= self.size_bytes:
            return "GPU"
        if self.gpu_bytes <= 0:
            return "CPU"
        return f"{100 - round(100 * self.gpu_bytes / self.size_bytes)} % CPU"


@dataclass(frozen=True, slots=True)
class PullProgress:
    """How far the download of a model is."""

    status: str
    completed_bytes: int
    total_bytes: int


@dataclass(frozen=True, slots=True)
class EmbedAnswer:
    """The rows of one request, as the server sent them."""

    rows: list[Any]
    prompt_tokens: int
    load_seconds: float


def full_name(model: str) -> str:
    """The name under which two ways to write a model are the same: with its tag, in lower case."""
    name = model.strip().lower().removeprefix("library/")
    return name if ":" in name.rsplit("/", 1)[-1] else f"{name}:latest"


def short_name(model: str) -> str:
    """The shortest way to write the same model."""
    return full_name(model).removesuffix(":latest")


def is_cloud_name(model: str) -> bool:
    """Whether the name alone says that the model runs in somebody's cloud."""
    tag = full_name(model).rsplit(":", 1)[-1]
    return tag == "cloud" or tag.endswith("-cloud")


class OllamaServer:
    """One Ollama server; usable from several threads."""

    def __init__(
        self,
        address: ServerAddress,
        *,
        api_key: str = "",
        headers: Mapping[str, str] | None = None,
        setting: str = "OLLAMA_URL",
    ) -> None:
        bearer = {"authorization": f"Bearer {api_key}"} if api_key else {}
        self._server = Server(
            address, service="Ollama", setting=setting, headers={**bearer, **(headers or {})}
        )

    @property
    def url(self) -> str:
        """The server's address, without credentials."""
        return self._server.url

    def close(self) -> None:
        """Let go of the connections."""
        self._server.close()

    def version(self) -> str:
        """The server's version.

        Raises:
            ServiceUnavailableError: It does not answer.
        """
        return str(self._ask("GET", "/api/version").get("version", ""))

    def models(self) -> list[InstalledModel]:
        """The models that the server has.

        Raises:
            ServiceUnavailableError: It does not answer, or is no Ollama.
        """
        listed = self._ask("GET", "/api/tags").get("models")
        return [_installed(entry) for entry in listed or [] if isinstance(entry, dict)]

    def details(self, model: str) -> ModelDetails:
        """What the server knows of *model*.

        Raises:
            ServiceUnavailableError: It does not answer, or does not have the model.
        """
        answer = self._ask("POST", "/api/show", {"model": model}, model=model)
        info = answer.get("model_info")
        lengths = [
            value
            for key, value in (info if isinstance(info, dict) else {}).items()
            if key.endswith(".context_length") and isinstance(value, int) and value > 0
        ]
        set_length = re.search(r"^num_ctx\s+(\d+)", str(answer.get("parameters")), re.MULTILINE)
        if set_length:
            lengths.append(int(set_length[1]))
        return ModelDetails(
            capabilities=_words(answer.get("capabilities")),
            context_length=min(lengths, default=None),
            remote=bool(answer.get("remote_host") or answer.get("remote_model")),
        )

    def placement(self, model: str) -> ModelPlacement | None:
        """Where *model* is loaded, or None when it is not, or the server does not say."""
        try:
            listed = self._ask("GET", "/api/ps").get("models")
        except RequestFailedError:
            return None  # nice to know, never a reason to stop
        for entry in listed or []:
            if isinstance(entry, dict) and full_name(str(entry.get("name", ""))) == full_name(
                model
            ):
                return ModelPlacement(
                    size_bytes=_whole(entry.get("size")),
                    gpu_bytes=_whole(entry.get("size_vram")),
                    context_length=_whole(entry.get("context_length")) or None,
                )
        return None

    def context_length(self, model: str) -> int | None:
        """Tokens that one text may have, if the server says so; ask once the model is loaded."""
        placement = self.placement(model)
        try:
            stated = self.details(model).context_length
        except RequestFailedError:
            stated = None
        known = [placement.context_length if placement else None, stated]
        return min((length for length in known if length), default=None)

    def pull(self, model: str, report: Callable[[PullProgress], None]) -> None:
        """Have the server download *model*.

        Raises:
            ServiceUnavailableError: It cannot; what it got so far is kept by the server.
        """
        persist(lambda: self._pull_once(model, report), _PULL_PATIENCE)

    def _pull_once(self, model: str, report: Callable[[PullProgress], None]) -> None:
        body = json.dumps({"model": model, "stream": True}).encode()
        last = ""
        with self._server.lines("POST", "/api/pull", body, seconds=_PULL_LINE_SECONDS) as opened:
            answer, lines = opened
            if answer.status != 200:
                raise failure(answer, model, url=self.url)
            for line in lines:
                step = _loaded(line)
                if "error" in step:
                    # Comes with status 200: the first line is sent before the registry is asked.
                    raise pull_failed(model, str(step["error"]))
                last = str(step.get("status", ""))
                report(PullProgress(last, _whole(step.get("completed")), _whole(step.get("total"))))
        if last != "success":
            raise RequestFailedError(
                f"Ollama at {self.url} broke off the download of {model}", again=True
            )

    def embed(self, request: Mapping[str, Any], *, seconds: float) -> EmbedAnswer:
        """The rows for the ``input`` of *request*; their number and content are not checked yet.

        Raises:
            TextRefusedError: A text of the input is the reason.
            RunnerFailedError: The model's process failed; a text may be the reason.
            RequestFailedError: The server is the reason.
        """
        body = json.dumps(request).encode()
        answer = self._server.send("POST", "/api/embed", body, seconds=seconds)
        if answer.status != 200:
            raise failure(answer, str(request.get("model", "")), url=self.url)
        reply = self._json(answer)
        rows = reply.get("embeddings")
        if not isinstance(rows, list):
            raise RequestFailedError(
                f"Ollama at {self.url} answered without embeddings: {answer.text[:200]}",
                hint="Is it an Ollama server?",
            )
        return EmbedAnswer(
            rows=rows,
            prompt_tokens=_whole(reply.get("prompt_eval_count")),
            load_seconds=_whole(reply.get("load_duration")) / 1e9,
        )

    def _ask(
        self, method: str, path: str, body: Mapping[str, Any] | None = None, *, model: str = ""
    ) -> dict[str, Any]:
        sent = None if body is None else json.dumps(body).encode()

        def attempt() -> dict[str, Any]:
            answer = self._server.send(method, path, sent, seconds=_ASK_SECONDS)
            if answer.status != 200:
                error = failure(answer, model, url=self.url)
                if isinstance(error, TextRefusedError):
                    raise RequestFailedError(f"Ollama at {self.url}: {error.reason}")
                raise error
            return self._json(answer)

        return persist(attempt, _ASK_PATIENCE)

    def _json(self, answer: Answer) -> dict[str, Any]:
        try:
            reply = json.loads(answer.body)
        except ValueError as error:
            what = f"({answer.content_type or 'no type'}): {answer.text[:80]}"
            if "json" in answer.content_type:
                raise RunnerFailedError(
                    f"Ollama at {self.url} answered with broken JSON {what}",
                    hint="Its log says more",
                    again=True,
                ) from error
            raise RequestFailedError(
                f"Ollama at {self.url} answered with something that is not JSON {what}",
                hint="A proxy or a login page may stand in between; check OLLAMA_URL",
            ) from error
        if not isinstance(reply, dict):
            raise RequestFailedError(f"Ollama at {self.url} answered with a {type(reply).__name__}")
        return reply


def _installed(entry: Mapping[str, Any]) -> InstalledModel:
    return InstalledModel(
        name=str(entry.get("name") or entry.get("model") or ""),
        digest=str(entry.get("digest") or ""),
        capabilities=_words(entry.get("capabilities")),
        remote=bool(entry.get("remote_host") or entry.get("remote_model")),
    )


def _words(value: object) -> tuple[str, ...] | None:
    return tuple(str(word) for word in value) if isinstance(value, list) else None


def _whole(value: object) -> int:
    return int(value) if isinstance(value, int | float) and value > 0 else 0


def _loaded(line: str) -> dict[str, Any]:
    try:
        step = json.loads(line)
    except ValueError:
        return {}
    return step if isinstance(step, dict) else {}
