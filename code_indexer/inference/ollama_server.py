"""What an Ollama server is asked, and what each of its answers means."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from code_indexer.addresses import ServerAddress
from code_indexer.errors import CodeIndexerError, ServiceUnavailableError
from code_indexer.transport import Answer, Patience, RequestFailedError, Server, persist

_ASK_SECONDS = 10.0
# Short: while a server is away, every search waits so long before it answers without it.
_ASK_PATIENCE = Patience(seconds=1.0, first_pause=0.3)
_PULL_LINE_SECONDS = 300.0
_PULL_PATIENCE = Patience(seconds=3600.0, first_pause=1.0, tries=5)

# All matched in lower case: the wording changed over the server's versions, the gist did not.
_TOO_LONG = (
    "exceeds the context length",
    "exceeds maximum context length",
    "exceed context",
    "cannot be truncated further",
    "too large to process",
)
_NOT_A_NUMBER = ("nan or inf", "unsupported value: nan", "unsupported value: +inf", "value: -inf")
_RUNNER_DIED = (
    "eof",
    "connection refused",
    "connection reset",
    "broken pipe",
    "unexpected server status",
    "no longer running",
    "process has terminated",
)
_NO_EMBEDDINGS = ("does not support embeddings", "start it with --embeddings")
_NO_MEMORY = ("requires more system memory", "out of memory", "cudamalloc failed")


class TextRefusedError(Exception):
    """The server works, but not for (one of) the texts it was given."""

    def __init__(self, reason: str, *, too_long: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.too_long = too_long


class RunnerFailedError(RequestFailedError):
    """The model's process failed: for its own reasons, or because a text made it."""


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
                raise self.failure(answer, model)
            for line in lines:
                step = _loaded(line)
                if "error" in step:
                    # Comes with status 200: the first line is sent before the registry is asked.
                    raise _pull_failed(model, str(step["error"]))
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
            raise self.failure(answer, str(request.get("model", "")))
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

    def failure(self, answer: Answer, model: str) -> CodeIndexerError | TextRefusedError:
        """What an answer that is not 200 means; the text says it better than the status."""
        message, is_json = _error_text(answer)
        text = message.lower()
        who = f"Ollama at {self.url}"
        if any(sign in text for sign in _TOO_LONG):
            return TextRefusedError(f"longer than the context length of {model}", too_long=True)
        if any(sign in text for sign in _NOT_A_NUMBER):
            return TextRefusedError(f"{model} gives NaN for it: {message}")
        if answer.status == 501 or any(sign in text for sign in _NO_EMBEDDINGS):
            return not_an_embedding_model(model)
        if 300 <= answer.status < 400:
            return RequestFailedError(
                f"{who} redirects to {answer.location or 'another address'}",
                hint="Set OLLAMA_URL to the address it redirects to, if you trust it",
            )
        if answer.status == 404 and is_json and "model" in text:
            return missing_model(model, ())
        if answer.status == 404:
            return RequestFailedError(
                f"{who} does not know the path it was asked for: {message[:200]}",
                hint="Check the path in OLLAMA_URL; Ollama must be 0.3 or later",
            )
        if answer.status in (401, 403):
            return self._forbidden(answer, message)
        if answer.status == 407:
            return RequestFailedError(
                f"a proxy before {who} wants a login (407)", hint="Add the host to NO_PROXY"
            )
        if answer.status in (408, 425, 429, 499, 502, 503, 504):
            what = message if is_json and message else f"status {answer.status}"
            return RequestFailedError(
                f"{who} is busy or starting: {what[:200]}",
                hint="Try again later",
                again=True,
                pause=answer.retry_after,
            )
        if any(sign in text for sign in _NO_MEMORY):
            return RequestFailedError(
                f"{who} has too little memory for {model}: {message[:300]}",
                hint="Use a smaller model, or unload others (ollama ps, ollama stop)",
            )
        if answer.status >= 500 or any(sign in text for sign in _RUNNER_DIED):
            return RunnerFailedError(
                f"{who} failed (status {answer.status}): {message[:300]}",
                hint="Its log says more (journalctl -u ollama, or ollama serve in a terminal)",
                again=True,
            )
        if answer.status == 400 and is_json:
            # Since 0.13 every failure of the model's process is a 400, so this may be any of them.
            return TextRefusedError(f"{model}: {message[:300]}")
        return RequestFailedError(
            f"{who} answered {answer.status}: {message[:200]}", hint="Is it an Ollama server?"
        )

    def _forbidden(self, answer: Answer, message: str) -> RequestFailedError:
        who = f"Ollama at {self.url}"
        if answer.status == 403 and not message:
            return RequestFailedError(
                f"{who} refuses the host name it is called by (403)",
                hint="Start Ollama with OLLAMA_HOST=0.0.0.0, or let the proxy before it set"
                " the Host header to localhost:11434",
            )
        return RequestFailedError(
            f"{who} refuses access ({answer.status}): {message[:200] or 'no reason given'}",
            hint="Put user:password@ into OLLAMA_URL, or set OLLAMA_API_KEY",
        )

    def _ask(
        self, method: str, path: str, body: Mapping[str, Any] | None = None, *, model: str = ""
    ) -> dict[str, Any]:
        sent = None if body is None else json.dumps(body).encode()

        def attempt() -> dict[str, Any]:
            answer = self._server.send(method, path, sent, seconds=_ASK_SECONDS)
            if answer.status != 200:
                failure = self.failure(answer, model)
                if isinstance(failure, TextRefusedError):
                    raise RequestFailedError(f"Ollama at {self.url}: {failure.reason}")
                raise failure
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


def missing_model(model: str, installed: Sequence[str]) -> ServiceUnavailableError:
    """The error for a model that the server does not have."""
    others = f" (it has {', '.join(installed[:6])})" if installed else ""
    return ServiceUnavailableError(
        f"Ollama does not have the model {model}{others}",
        hint=f"Run: ollama pull {model}   (or pass --pull)",
    )


def not_an_embedding_model(model: str) -> ServiceUnavailableError:
    """The error for a model that cannot embed."""
    return ServiceUnavailableError(
        f"{model} is not an embedding model",
        hint="Set EMBED_MODEL to one that is, such as qwen3-embedding:8b or nomic-embed-text",
    )


def cloud_model(model: str) -> ServiceUnavailableError:
    """The error for a model that would carry code out of the network."""
    return ServiceUnavailableError(
        f"{model} runs in a cloud: your code would leave this network",
        hint="Choose a local model, or set ALLOW_CLOUD_MODELS=1 if that is what you want",
    )


def _pull_failed(model: str, text: str) -> RequestFailedError:
    if "file does not exist" in text or "not found" in text:
        return RequestFailedError(
            f"the registry has no model {model}", hint="Check the spelling of EMBED_MODEL"
        )
    return RequestFailedError(
        f"Ollama could not download {model}: {text[:300]}",
        hint="The machine that Ollama runs on needs the way to the models' registry",
    )


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


def _error_text(answer: Answer) -> tuple[str, bool]:
    """The message of an error body, and whether the body was the server's own JSON."""
    try:
        body = json.loads(answer.body)
    except ValueError:
        return answer.text, False
    error = body.get("error") if isinstance(body, dict) else None
    if isinstance(error, dict):
        error = error.get("message")
    return (str(error), True) if error is not None else (answer.text, False)
