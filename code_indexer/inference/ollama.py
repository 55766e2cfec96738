"""The embedder behind an Ollama server: one model, checked before its first use."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from typing import Any

import numpy as np

from code_indexer.errors import CodeIndexerError, ServiceUnavailableError
from code_indexer.inference.embedder import (
    EmbeddedBatch,
    EmbedderIdentity,
    Matrix,
    TextFailure,
    Vector,
)
from code_indexer.inference.lengths import shortened
from code_indexer.inference.ollama_failures import (
    cloud_model,
    missing_model,
    not_an_embedding_model,
)
from code_indexer.inference.ollama_server import (
    InstalledModel,
    ModelPlacement,
    OllamaServer,
    PullProgress,
    full_name,
    is_cloud_name,
    short_name,
)
from code_indexer.inference.ollama_texts import OllamaTexts, OllamaTimes
from code_indexer.inference.prompts import Prompts, prompts_for
from code_indexer.transport import RequestFailedError

DEFAULT_MODEL = "qwen3-embedding:8b"
# A pooled embedding must fit one physical batch of 2,048 tokens, and some versions crash beyond.
_MOST_TOKENS = 1500
# So much of a short context is filled by estimate: two texts in a thousand are longer even so.
_FILLED = 0.85
# One is worked at, the other waits at the server: it has nothing to gain from more.
_IN_FLIGHT = 2


class OllamaEmbedder:
    """A model on an Ollama server; nothing is asked of the server before the first use."""

    def __init__(
        self,
        server: OllamaServer,
        model: str = DEFAULT_MODEL,
        *,
        known: EmbedderIdentity | None = None,
        prompts: Prompts | None = None,
        batch: int = 48,
        allow_cloud: bool = False,
        keep_alive: str | int = "30m",
        options: Mapping[str, int] | None = None,
        times: OllamaTimes | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """*known* is what an index recorded of its model: if unchanged, no text is tried."""
        self.server = server
        self.model = short_name(model)
        self._name = model.strip()
        self._known = known
        self._prompts = prompts or prompts_for(model)
        self._batch = batch
        self._allow_cloud = allow_cloud
        constant: dict[str, Any] = {"truncate": False, "keep_alive": keep_alive}
        if options:
            # Other options than the loaded model's make the server load it again: always the same.
            constant["options"] = dict(options)
        self._texts = OllamaTexts(server, self._name, constant, times or OllamaTimes(), sleep)
        self._identity: EmbedderIdentity | None = None

    @property
    def identity(self) -> EmbedderIdentity:
        """Which model this is; asks the server at first use.

        Raises:
            ServiceUnavailableError: The server or the model cannot be used.
        """
        return self._identity or self.ensure_ready()

    @property
    def texts_per_second(self) -> float:
        """The speed seen so far; 0 before the first answer."""
        return self._texts.pace.texts_per_second

    @property
    def is_impatient(self) -> bool:
        """Whether a query was not answered a moment ago, so that the next are given less time."""
        return self._texts.is_impatient

    def be_impatient(self) -> None:
        """Give queries less time for a while: another process was not answered."""
        self._texts.be_impatient()

    def ensure_ready(self) -> EmbedderIdentity:
        """Check that the server answers and has this model, and that it embeds.

        Raises:
            ServiceUnavailableError: With what is wrong, and what to do about it.
        """
        self._refuse_cloud_name()
        installed = self._installed_model()
        known = self._known
        if known and (known.model, known.digest) == (self.model, installed.digest):
            dimension = known.dimension
        else:
            self._check_capability(installed)
            dimension = self._texts.asked_dimension()
        self._texts.dimension = dimension
        self._identity = EmbedderIdentity(
            engine="ollama",
            model=self.model,
            digest=installed.digest,
            dimension=dimension,
            prompt_version=self._prompts.version,
        )
        return self._identity

    def pull(self, report: Callable[[PullProgress], None]) -> None:
        """Have the server download the model, unless it is there.

        Raises:
            ServiceUnavailableError: It cannot.
        """
        self._refuse_cloud_name()
        if self._find(self.server.models()) is None:
            self.server.pull(self._name, report)

    def placement(self) -> ModelPlacement | None:
        """Where the model is loaded: on the GPU, on the CPU, or None while it is not."""
        return self.server.placement(self.model)

    def embed_query(self, text: str) -> Vector:
        """A unit vector of shape ``(dimension,)``.

        Raises:
            ServiceUnavailableError: There is no vector for it now.
        """
        self.identity  # noqa: B018 - asks the server, once
        return self._texts.query_row(shortened(self._prompts.query_text(text), _MOST_TOKENS))

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Unit rows ``(count, dimension)``; a blank text is a zero row.

        Raises:
            ServiceUnavailableError: The server stopped answering, or refuses one of the texts.
        """
        batches = list(self.embed_batches(texts))
        for batch in batches:
            for failure in batch.failures:
                raise ServiceUnavailableError(f"a text could not be embedded: {failure.reason}")
        if not batches:
            return np.zeros((0, self.identity.dimension), np.float32)
        return np.concatenate([batch.vectors for batch in batches])

    def embed_batches(
        self, texts: Sequence[str], *, is_wanted: Callable[[], bool] = lambda: True
    ) -> Iterator[EmbeddedBatch]:
        """The rows of *texts* in order, batch by batch as they come.

        Once *is_wanted* says no, no more is begun; what is under way is still given out. A text
        that the model refuses is a failure of its batch, with the reason. When the server stops
        answering, what was done before is still given out before the error.

        Raises:
            ServiceUnavailableError: The server stopped answering, or cannot be used.
        """
        if not texts:
            return
        self.identity  # noqa: B018 - asks the server, once
        limit = self._most_tokens()
        waiting: deque[Future[EmbeddedBatch]] = deque()
        position = 0
        while True:
            while position < len(texts) and len(waiting) < _IN_FLIGHT and is_wanted():
                size = self._texts.pace.batch_size(texts, position, self._batch)
                part = texts[position : position + size]
                waiting.append(_in_background(self._embed_part, position, part, limit))
                position += size
            if not waiting:
                return
            try:
                batch = waiting.popleft().result()
            except CodeIndexerError:
                # Others in flight may have been answered: embedded texts are not thrown away.
                yield from _successes(waiting)
                raise
            yield batch

    def _embed_part(self, first: int, texts: Sequence[str], limit: int) -> EmbeddedBatch:
        started = time.monotonic()
        vectors = np.zeros((len(texts), self.identity.dimension), np.float32)
        worded = [index for index, text in enumerate(texts) if text.strip()]
        sent = [shortened(self._prompts.document_text(texts[index]), limit) for index in worded]
        failures = []
        for index, row in zip(worded, self._texts.rows(sent), strict=True):
            if isinstance(row, str):
                failures.append(TextFailure(index, row))
            else:
                vectors[index] = row
        self._texts.pace.note(texts, started)
        return EmbeddedBatch(first, vectors, tuple(failures))

    def _refuse_cloud_name(self) -> None:
        if not self._allow_cloud and is_cloud_name(self.model):
            raise cloud_model(self.model)

    def _installed_model(self) -> InstalledModel:
        models = self.server.models()
        found = self._find(models)
        if found is None:
            raise missing_model(self._name, [short_name(model.name) for model in models])
        if found.remote and not self._allow_cloud:
            raise cloud_model(self.model)
        return found

    def _find(self, models: Sequence[InstalledModel]) -> InstalledModel | None:
        wanted = full_name(self.model)
        return next((model for model in models if full_name(model.name) == wanted), None)

    def _check_capability(self, installed: InstalledModel) -> None:
        """Ask before embedding: a chat model would be loaded whole only to fail."""
        try:
            details = self.server.details(self._name)
        except RequestFailedError:
            return  # the text that is tried next tells as well
        if details.remote and not self._allow_cloud:
            raise cloud_model(self.model)
        capabilities = details.capabilities or installed.capabilities
        if capabilities and "embedding" not in capabilities:
            raise not_an_embedding_model(self.model)

    def _most_tokens(self) -> int:
        if self._texts.context_length is None:
            self._texts.context_length = self.server.context_length(self._name)
        if self._texts.context_length is None:
            return _MOST_TOKENS
        return min(_MOST_TOKENS, int(self._texts.context_length * _FILLED))


def _in_background(
    embed: Callable[[int, Sequence[str], int], EmbeddedBatch],
    first: int,
    texts: Sequence[str],
    limit: int,
) -> "Future[EmbeddedBatch]":
    """A call in a thread that ends with the process: Ctrl-C must not wait for a server."""
    future: Future[EmbeddedBatch] = Future()

    def call() -> None:
        try:
            future.set_result(embed(first, texts, limit))
        except BaseException as error:  # noqa: BLE001 - it is raised where the result is asked for
            future.set_exception(error)

    threading.Thread(target=call, name="embed", daemon=True).start()
    return future


def _successes(waiting: "deque[Future[EmbeddedBatch]]") -> Iterator[EmbeddedBatch]:
    for future in waiting:
        if future.exception() is None:
            yield future.result()
