"""What it means when an Ollama server does not answer with success, as an error that says it."""

import json
from collections.abc import Sequence

from code_indexer.errors import CodeIndexerError, ServiceUnavailableError
from code_indexer.transport import Answer, RequestFailedError

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


def failure(answer: Answer, model: str, *, url: str) -> CodeIndexerError | TextRefusedError:
    """What an answer that is not 200 means; the text says it better than the status."""
    message, is_json = _error_text(answer)
    who = f"Ollama at {url}"
    return (
        _of_text(message.lower(), message, answer.status, model)
        or _of_status(answer, message, who, model, is_json=is_json)
        or _of_runner(answer, message, who, model, is_json=is_json)
    )


def _of_text(
    text: str, message: str, status: int, model: str
) -> CodeIndexerError | TextRefusedError | None:
    """Where the text was refused, or the model cannot embed, whatever the status."""
    if any(sign in text for sign in _TOO_LONG):
        return TextRefusedError(f"longer than the context length of {model}", too_long=True)
    if any(sign in text for sign in _NOT_A_NUMBER):
        return TextRefusedError(f"{model} gives NaN for it: {message}")
    if status == 501 or any(sign in text for sign in _NO_EMBEDDINGS):
        return not_an_embedding_model(model)
    return None


def _of_status(
    answer: Answer, message: str, who: str, model: str, *, is_json: bool
) -> CodeIndexerError | None:
    """Where the status says enough: something on the way, a login, a server that is busy."""
    if 300 <= answer.status < 400:
        return RequestFailedError(
            f"{who} redirects to {answer.location or 'another address'}",
            hint="Set OLLAMA_URL to the address it redirects to, if you trust it",
        )
    if answer.status == 404 and is_json and "model" in message.lower():
        return missing_model(model, ())
    if answer.status == 404:
        return RequestFailedError(
            f"{who} does not know the path it was asked for: {message[:200]}",
            hint="Check the path in OLLAMA_URL; Ollama must be 0.3 or later",
        )
    if answer.status in (401, 403):
        return _forbidden(answer, message, who)
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
    return None


def _forbidden(answer: Answer, message: str, who: str) -> RequestFailedError:
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


def _of_runner(
    answer: Answer, message: str, who: str, model: str, *, is_json: bool
) -> CodeIndexerError | TextRefusedError:
    """Where the model's process failed, for its own reasons or because a text made it."""
    text = message.lower()
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


def pull_failed(model: str, text: str) -> RequestFailedError:
    """The error for a download that the server reports as failed."""
    if "file does not exist" in text or "not found" in text:
        return RequestFailedError(
            f"the registry has no model {model}", hint="Check the spelling of EMBED_MODEL"
        )
    return RequestFailedError(
        f"Ollama could not download {model}: {text[:300]}",
        hint="The machine that Ollama runs on needs the way to the models' registry",
    )


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
