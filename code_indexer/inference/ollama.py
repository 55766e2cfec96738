"""The embedder behind an Ollama server: batches, patience, and one bad text never stops the rest."""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
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
from code_indexer.inference.lengths import estimated_tokens, shortened
from code_indexer.inference.ollama_server import (
    EmbedAnswer,
    InstalledModel,
    ModelPlacement,
    OllamaServer,
    PullProgress,
    RunnerFailedError,
    TextRefusedError,
    cloud_model,
    full_name,
    is_cloud_name,
    missing_model,
    not_an_embedding_model,
    short_name,
)
from code_indexer.inference.prompts import Prompts, prompts_for
from code_indexer.transport import NotAnsweredError, Patience, persist

_log = logging.getLogger(__name__)

DEFAULT_MODEL = "qwen3-embedding:8b"
# A constant short text that every embedding model can embed: it tells the dimension, and later
# whether a failure is the text's fault or the server's.
_PROBE = "def add(a, b): return a + b"
# A pooled embedding must fit one physical batch of 2,048 tokens, and some versions crash beyond.
_MOST_TOKENS = 1500
# The estimate is an upper one: 1.4 times a short context is about what really fits.
_ESTIMATE_SLACK = 1.4
_FIRST_BATCH = 4
_REQUEST_SECONDS = 10.0
_IN_FLIGHT = 2
_REFUSALS_IN_A_ROW = 8
_SHORTER = (0.6, 0.35, 0.15)


@dataclass(frozen=True, slots=True)
class OllamaTimes:
    """How long things may take, in seconds."""

    load: float = 180.0
    """Until a model that is not loaded yet has answered its first request."""
    query: float = 60.0
    """For one query."""
    longest_batch: float = 900.0
    retry: float = 45.0
    """Time within which one request is repeated, all its pauses included."""
    retry_query: float = 4.0


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
        """*known* is what an index recorded of this model: its dimension is then not asked again."""
        self.server = server
        self.model = short_name(model)
        self._name = model.strip()
        self._known = known
        self._prompts = prompts or prompts_for(model)
        self._batch = batch
        self._allow_cloud = allow_cloud
        self._constant: dict[str, Any] = {"truncate": False, "keep_alive": keep_alive}
        if options:
            # Other options than the loaded model's make the server load it again: always the same.
            self._constant["options"] = dict(options)
        self._times = times or OllamaTimes()
        self._sleep = sleep
        self._identity: EmbedderIdentity | None = None
        self._context_length: int | None = None
        self._pace = _Pace()
        self._refusals = 0
        self._lock = threading.Lock()

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
        return self._pace.texts_per_second

    def ensure_ready(self) -> EmbedderIdentity:
        """Check that the server answers and has this model, and that it embeds.

        Raises:
            ServiceUnavailableError: With what is wrong, and what to do about it.
        """
        if not self._allow_cloud and is_cloud_name(self.model):
            raise cloud_model(self.model)
        installed = self._installed_model()
        known = self._known
        if known and (known.model, known.digest) == (self.model, installed.digest):
            dimension = known.dimension
        else:
            self._check_capability(installed)
            dimension = self._asked_dimension()
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
        if not self._allow_cloud and is_cloud_name(self.model):
            raise cloud_model(self.model)
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
        identity = self.identity
        sent = shortened(self._prompts.query_text(text), _MOST_TOKENS)
        patience = Patience(seconds=self._times.retry_query, first_pause=0.3)
        for part in (1.0, *_SHORTER):
            try:
                cut = shortened(sent, int(part * estimated_tokens(sent))) if part < 1 else sent
                row = self._request([cut], identity.dimension, self._times.query, patience)[0]
            except TextRefusedError as error:
                refusal = error
            else:
                return row
        raise ServiceUnavailableError(f"Ollama cannot embed this query: {refusal.reason}")

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

    def embed_batches(self, texts: Sequence[str]) -> Iterator[EmbeddedBatch]:
        """The rows of *texts* in order, batch by batch as they come.

        A text that the model refuses is a failure of its batch, with the reason. When the server
        stops answering, what was done before is still given out before the error.

        Raises:
            ServiceUnavailableError: The server stopped answering, or cannot be used.
        """
        dimension = self.identity.dimension
        limit = self._most_tokens()
        waiting: deque[Future[EmbeddedBatch]] = deque()
        position = 0
        while position < len(texts) or waiting:
            while position < len(texts) and len(waiting) < _IN_FLIGHT:
                size = self._pace.batch_size(texts, position, self._batch)
                part = texts[position : position + size]
                waiting.append(_in_background(self._embed_part, position, part, dimension, limit))
                position += size
            try:
                batch = waiting.popleft().result()
            except CodeIndexerError:
                # Others in flight may have been answered: embedded texts are not thrown away.
                yield from _successes(waiting)
                raise
            yield batch

    # One batch

    def _embed_part(
        self, first: int, texts: Sequence[str], dimension: int, limit: int
    ) -> EmbeddedBatch:
        started = time.monotonic()
        vectors = np.zeros((len(texts), dimension), np.float32)
        worded = [index for index, text in enumerate(texts) if text.strip()]
        sent = [shortened(self._prompts.document_text(texts[index]), limit) for index in worded]
        failures = []
        for index, row in zip(worded, self._rows(sent, dimension), strict=True):
            if isinstance(row, str):
                failures.append(TextFailure(index, row))
            else:
                vectors[index] = row
        self._pace.note(texts, started)
        return EmbeddedBatch(first, vectors, tuple(failures))

    def _rows(
        self, texts: Sequence[str], dimension: int, *, tries: int = 3, may_time_out: bool = True
    ) -> "list[Vector | str]":
        """A row for each text, or the reason why there is none."""
        if not texts:
            return []
        patience = Patience(seconds=self._times.retry)
        seconds = self._pace.timeout(texts, self._times.longest_batch)
        try:
            rows = self._request(texts, dimension, seconds, patience, runner_tries=tries)
        except TextRefusedError as error:
            if len(texts) > 1:
                return self._rows_in_parts(texts, dimension, error)
            return [self._shortened_row(texts[0], dimension, error)]
        except RunnerFailedError as error:
            # The server may be failing, or this text may make it fail: a harmless text decides.
            self._check_alive(error)
            if len(texts) > 1:
                return self._rows_in_parts(texts, dimension, None)
            return [self._set_aside(error.message)]
        except NotAnsweredError:
            self._pace.slow_down()
            if len(texts) == 1 or not may_time_out:
                raise
            half = len(texts) // 2
            return [
                row
                for part in (texts[:half], texts[half:])
                for row in self._rows(part, dimension, may_time_out=False)
            ]
        self._refusals = 0
        return list(rows)

    def _rows_in_parts(
        self, texts: Sequence[str], dimension: int, error: TextRefusedError | None
    ) -> "list[Vector | str]":
        """The rows of a batch in which some text is refused."""
        suspects = set(self._suspects(texts, error))
        if 0 < len(suspects) < len(texts):
            rest = [text for index, text in enumerate(texts) if index not in suspects]
            rest_rows = iter(self._rows(rest, dimension))
            suspected = [text for index, text in enumerate(texts) if index in suspects]
            suspect_rows = iter(self._rows(suspected, dimension))
            return [
                next(suspect_rows if index in suspects else rest_rows)
                for index in range(len(texts))
            ]
        half = len(texts) // 2
        return [
            *self._rows(texts[:half], dimension, tries=1),
            *self._rows(texts[half:], dimension, tries=1),
        ]

    def _suspects(self, texts: Sequence[str], error: TextRefusedError | None) -> list[int]:
        """Positions of the texts that may be too long for the model, if that is the trouble."""
        if error is None or not error.too_long or self._context_length is None:
            return []
        limit = self._context_length
        return [index for index, text in enumerate(texts) if estimated_tokens(text) > limit]

    def _shortened_row(self, text: str, dimension: int, error: TextRefusedError) -> "Vector | str":
        """The row of a shorter start of a text that was refused, or the reason to set it aside."""
        whole = estimated_tokens(text)
        reason = error.reason
        for part in _SHORTER if error.too_long else _SHORTER[:1]:
            cut = shortened(text, int(whole * part))
            if cut == text or not cut.strip():
                continue
            try:
                rows = self._rows_once([cut], dimension)
            except TextRefusedError as again:
                reason = again.reason
            except RunnerFailedError as again:
                reason = again.message
            else:
                self._refusals = 0
                return rows[0]
        return self._set_aside(reason)

    def _set_aside(self, reason: str) -> str:
        """The reason, unless so many texts were refused in a row that the model must be broken."""
        with self._lock:
            self._refusals += 1
            many = self._refusals % _REFUSALS_IN_A_ROW == 0
        if many:
            self._check_alive(ServiceUnavailableError(f"Ollama refuses every text: {reason}"))
        return reason

    def _check_alive(self, error: ServiceUnavailableError) -> None:
        """Raise *error* when not even a harmless text can be embedded."""
        try:
            self._rows_once([_PROBE], self.identity.dimension)
        except TextRefusedError as refusal:
            raise ServiceUnavailableError(
                f"{self.model} cannot embed any text: {refusal.reason}",
                hint="Try the model by hand, or set EMBED_MODEL to another one and reindex",
            ) from error
        except ServiceUnavailableError:
            raise error from None

    def _rows_once(self, texts: Sequence[str], dimension: int) -> list[Vector]:
        seconds = self._pace.timeout(texts, self._times.longest_batch)
        patience = Patience(seconds=self._times.retry)
        return self._request(texts, dimension, seconds, patience, runner_tries=1)

    def _request(
        self,
        texts: Sequence[str],
        dimension: int,
        seconds: float,
        patience: Patience,
        *,
        runner_tries: int = 2,
    ) -> list[Vector]:
        """Checked unit rows for *texts*, from one request that is repeated while that may help."""
        failures = 0

        def attempt() -> EmbedAnswer:
            nonlocal failures
            try:
                return self._ask(texts, seconds)
            except (RunnerFailedError, NotAnsweredError) as error:
                failures += 1
                # Neither is cured by waiting alone: a text may be what kills the model.
                error.again = failures < runner_tries and not isinstance(error, NotAnsweredError)
                raise

        return self._checked(persist(attempt, patience, sleep=self._sleep).rows, texts, dimension)

    def _ask(self, texts: Sequence[str], seconds: float) -> EmbedAnswer:
        request: dict[str, Any] = {"model": self._name, "input": list(texts), **self._constant}
        return self.server.embed(request, seconds=seconds)

    def _checked(self, rows: Sequence[Any], texts: Sequence[str], dimension: int) -> list[Vector]:
        if len(rows) != len(texts):
            raise TextRefusedError(
                f"Ollama gave {len(rows)} vectors for {len(texts)} texts of {self.model}"
            )
        checked = [_unit_row(row, self.model) for row in rows]
        widths = {len(row) for row in checked}
        if len(widths) == 1 and widths != {dimension}:
            raise ServiceUnavailableError(
                f"{self.model} now gives vectors of {widths.pop()} numbers, the index holds"
                f" {dimension}",
                hint="The model was changed: run reindex-project",
            )
        if widths != {dimension}:
            raise TextRefusedError(f"{self.model} gave vectors of different lengths")
        return checked

    # Readiness

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
        details = self.server.details(self._name)
        self._context_length = details.context_length
        if details.remote and not self._allow_cloud:
            raise cloud_model(self.model)
        capabilities = details.capabilities or installed.capabilities
        if capabilities and "embedding" not in capabilities:
            raise not_an_embedding_model(self.model)

    def _asked_dimension(self) -> int:
        """The true width of the model's vectors; loads the model."""
        patience = Patience(seconds=self._times.retry, tries=3)
        try:
            answer = persist(
                lambda: self._ask([_PROBE], self._times.load), patience, sleep=self._sleep
            )
            if len(answer.rows) != 1:
                raise TextRefusedError(f"it gave {len(answer.rows)} vectors for one text")  # noqa: TRY301
            return len(_unit_row(answer.rows[0], self.model))
        except TextRefusedError as error:
            raise ServiceUnavailableError(
                f"{self.model} cannot embed: {error.reason}",
                hint="Set EMBED_MODEL to another embedding model",
            ) from error

    def _most_tokens(self) -> int:
        if self._context_length is None:
            self._context_length = self.server.details(self._name).context_length
        if self._context_length is None:
            return _MOST_TOKENS
        return min(_MOST_TOKENS, int(self._context_length * _ESTIMATE_SLACK))


class _Pace:
    """How fast the server is, as seen so far; tells how much to ask for at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._bytes_per_second = 0.0
        self._texts = 0
        self._seconds = 0.0
        self._last_end = 0.0

    @property
    def texts_per_second(self) -> float:
        return self._texts / self._seconds if self._seconds else 0.0

    def note(self, texts: Sequence[str], started: float) -> None:
        """Count a finished batch; time that two batches share is counted once."""
        now = time.monotonic()
        with self._lock:
            spent = max(now - max(started, self._last_end), 1e-4)
            self._last_end = now
            self._texts += len(texts)
            self._seconds += spent
            seen = _cost(texts) / spent
            known = self._bytes_per_second
            self._bytes_per_second = seen if not known else 0.6 * known + 0.4 * seen

    def slow_down(self) -> None:
        """Believe half the speed from now on."""
        with self._lock:
            self._bytes_per_second /= 2

    def batch_size(self, texts: Sequence[str], position: int, most: int) -> int:
        """How many texts from *position* on make a request of reasonable length."""
        if not self._bytes_per_second:
            return min(_FIRST_BATCH, most, len(texts) - position)
        budget = self._bytes_per_second * _REQUEST_SECONDS
        size = 0
        while size < most and position + size < len(texts) and (budget > 0 or size == 0):
            budget -= _cost(texts[position + size : position + size + 1])
            size += 1
        return size

    def timeout(self, texts: Sequence[str], longest: float) -> float:
        """Seconds to wait for *texts*: several times what they should take behind another batch."""
        speed = self._bytes_per_second or 60.0
        return min(60.0 + 4 * _IN_FLIGHT * _cost(texts) / speed, longest)


def _cost(texts: Sequence[str]) -> int:
    return sum(len(text) + 30 for text in texts)


def _unit_row(row: object, model: str) -> Vector:
    try:
        values = np.asarray(row)
    except ValueError as error:
        raise TextRefusedError(f"{model} gave something that is no vector") from error
    if values.ndim != 1 or values.dtype.kind not in "fi" or not len(values):
        raise TextRefusedError(f"{model} gave something that is no vector")
    with np.errstate(over="ignore"):
        vector: Vector = values.astype(np.float32)
    length = float(np.linalg.norm(vector))
    if not np.isfinite(length):
        raise TextRefusedError(f"{model} gives NaN or infinity for it")
    if length == 0.0:
        raise TextRefusedError(f"{model} gives a vector of zeros for it")
    unit: Vector = vector / np.float32(length)
    return unit


def _in_background(
    embed: Callable[[int, Sequence[str], int, int], EmbeddedBatch],
    first: int,
    texts: Sequence[str],
    dimension: int,
    limit: int,
) -> "Future[EmbeddedBatch]":
    """A call in a thread that does not keep the process alive: Ctrl-C must not wait for a server."""
    future: Future[EmbeddedBatch] = Future()

    def call() -> None:
        try:
            future.set_result(embed(first, texts, dimension, limit))
        except BaseException as error:  # noqa: BLE001 - it is raised where the result is asked for
            future.set_exception(error)

    threading.Thread(target=call, name="embed", daemon=True).start()
    return future


def _successes(waiting: "deque[Future[EmbeddedBatch]]") -> Iterator[EmbeddedBatch]:
    for future in waiting:
        if future.exception() is None:
            yield future.result()
