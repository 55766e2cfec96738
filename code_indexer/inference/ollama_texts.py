"""From texts to checked vectors, one request at a time: what is bad is found, the rest goes on."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from code_indexer.errors import ServiceUnavailableError
from code_indexer.inference.embedder import Vector
from code_indexer.inference.lengths import estimated_tokens, shortened
from code_indexer.inference.ollama_failures import (
    RunnerFailedError,
    TextRefusedError,
)
from code_indexer.inference.ollama_server import (
    EmbedAnswer,
    OllamaServer,
)
from code_indexer.inference.pace import Pace
from code_indexer.transport import NotAnsweredError, Patience, persist

# A constant short text that every embedding model can embed: it tells the dimension, and later
# whether a failure is the text's fault or the server's.
PROBE = "def add(a, b): return a + b"
SHORTER = (0.6, 0.35, 0.15)
"""Parts of a refused text that are tried in its place."""

# A text estimated at less than this part of the context is never the one that is too long.
_SURELY_FITS = 0.8
_RUNNER_TRIES = 3


@dataclass(frozen=True, slots=True)
class OllamaTimes:
    """How long things may take, in seconds."""

    load: float = 180.0
    """Until a model that is not loaded yet has answered its first request."""
    query: float = 30.0
    """For one query; a model that is not loaded yet may take so long."""
    query_again: float = 3.0
    """For one that soon follows a query that was not answered: not each waits that long."""
    query_pause: float = 30.0
    """How long that is."""
    longest_batch: float = 900.0
    retry: float = 45.0
    """Time within which one request is repeated, all its pauses included."""
    retry_query: float = 2.0


class OllamaTexts:
    """Embeds texts with one model; usable from several threads."""

    def __init__(
        self,
        server: OllamaServer,
        model: str,
        constant: Mapping[str, Any],
        times: OllamaTimes,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """*constant* goes with every request."""
        self.dimension = 0
        """Of the vectors; 0 until it is known."""
        self.context_length: int | None = None
        self.pace = Pace()
        self._impatient_until = 0.0
        self._server = server
        self._model = model
        self._constant = constant
        self._times = times
        self._sleep = sleep

    def rows(self, texts: Sequence[str]) -> "list[Vector | str]":
        """A unit vector for each text, or the reason why there is none.

        Raises:
            ServiceUnavailableError: The server or the model as a whole fails.
        """
        return self._rows(texts, runner_tries=_RUNNER_TRIES, may_time_out=True)

    @property
    def is_impatient(self) -> bool:
        """Whether a query was not answered a moment ago, so that the next are given less time."""
        return time.monotonic() < self._impatient_until

    def be_impatient(self) -> None:
        """Give queries less time for a while."""
        self._impatient_until = time.monotonic() + self._times.query_pause

    def query_row(self, text: str) -> Vector:
        """The unit vector of a query, shortened where the model refuses the whole.

        Raises:
            ServiceUnavailableError: There is none, for now or for good.
        """
        was_impatient = self.is_impatient
        seconds = self._times.query_again if was_impatient else self._times.query
        try:
            row = self._query_row(text, seconds)
        except NotAnsweredError:
            if not was_impatient:  # else it would never be given its whole time again
                self.be_impatient()
            raise
        self._impatient_until = 0.0
        return row

    def _query_row(self, text: str, seconds: float) -> Vector:
        patience = Patience(seconds=self._times.retry_query, first_pause=0.3)
        whole = estimated_tokens(text)
        reason = ""
        for part in (1.0, *SHORTER):
            sent = text if part == 1.0 else shortened(text, int(part * whole))
            try:
                return self._request([sent], seconds, patience)[0]
            except TextRefusedError as error:
                reason = error.reason
        raise ServiceUnavailableError(f"Ollama cannot embed this query: {reason}")

    def asked_dimension(self) -> int:
        """The true width of the model's vectors; this loads the model.

        Raises:
            ServiceUnavailableError: It cannot embed.
        """
        patience = Patience(seconds=self._times.retry, tries=3)
        try:
            return len(self._request([PROBE], self._times.load, patience)[0])
        except TextRefusedError as error:
            raise ServiceUnavailableError(
                f"{self._model} cannot embed: {error.reason}",
                hint="Set EMBED_MODEL to another embedding model",
            ) from error

    # What is done about each kind of failure

    def _rows(
        self, texts: Sequence[str], *, runner_tries: int, may_time_out: bool
    ) -> "list[Vector | str]":
        if not texts:
            return []
        try:
            rows = self._batch_request(texts, runner_tries)
        except TextRefusedError as error:
            if len(texts) > 1:
                return self._rows_in_parts(texts, error)
            return [self._shortened_row(texts[0], error)]
        except RunnerFailedError as error:
            # The server may be failing, or a text may make it fail: a harmless text decides.
            self._check_alive(error)
            return [error.message] if len(texts) == 1 else self._rows_in_parts(texts, None)
        except NotAnsweredError:
            self.pace.slow_down()
            if len(texts) == 1 or not may_time_out:
                raise
            return self._rows_in_halves(texts, runner_tries=runner_tries, may_time_out=False)
        return list(rows)

    def _rows_in_parts(
        self, texts: Sequence[str], error: TextRefusedError | None
    ) -> "list[Vector | str]":
        """The rows of a batch in which some text is refused."""
        suspects = self._suspects(texts, error)
        if not 0 < len(suspects) < len(texts):
            return self._rows_in_halves(texts, runner_tries=1, may_time_out=True)
        parts: dict[bool, Iterator[Vector | str]] = {}
        for suspected in (False, True):
            part = [text for i, text in enumerate(texts) if (i in suspects) == suspected]
            parts[suspected] = iter(self._rows(part, runner_tries=1, may_time_out=True))
        return [next(parts[index in suspects]) for index in range(len(texts))]

    def _rows_in_halves(
        self, texts: Sequence[str], *, runner_tries: int, may_time_out: bool
    ) -> "list[Vector | str]":
        half = len(texts) // 2
        return [
            row
            for part in (texts[:half], texts[half:])
            for row in self._rows(part, runner_tries=runner_tries, may_time_out=may_time_out)
        ]

    def _suspects(self, texts: Sequence[str], error: TextRefusedError | None) -> set[int]:
        """Positions of the texts that may be too long for the model, if that is the trouble."""
        if error is None or not error.too_long or self.context_length is None:
            return set()
        limit = self.context_length * _SURELY_FITS
        return {index for index, text in enumerate(texts) if estimated_tokens(text) > limit}

    def _shortened_row(self, text: str, error: TextRefusedError) -> "Vector | str":
        """The row of a shorter start of a text that was refused, or the reason to set it aside."""
        whole = estimated_tokens(text)
        reason = error.reason
        for part in SHORTER if error.too_long else SHORTER[:1]:
            cut = shortened(text, int(whole * part))
            if cut == text or not cut.strip():
                continue
            try:
                row = self._batch_request([cut], 1)[0]
            except TextRefusedError as again:
                reason = again.reason
            except RunnerFailedError as again:
                reason = again.message
            else:
                return row
        return self._set_aside(reason)

    def _set_aside(self, reason: str) -> str:
        """The reason, unless a harmless text is refused as well: then it is the model's fault."""
        self._check_alive(ServiceUnavailableError(f"Ollama refuses every text: {reason}"))
        return reason

    def _check_alive(self, error: ServiceUnavailableError) -> None:
        """Raise *error* when not even a harmless text can be embedded."""
        try:
            self._batch_request([PROBE], 1)
        except TextRefusedError as refusal:
            raise ServiceUnavailableError(
                f"{self._model} cannot embed any text: {refusal.reason}",
                hint="Try the model by hand, or set EMBED_MODEL to another one and reindex",
            ) from error
        except ServiceUnavailableError:
            raise error from None

    # One request

    def _batch_request(self, texts: Sequence[str], runner_tries: int) -> list[Vector]:
        seconds = self.pace.timeout(texts, self._times.longest_batch)
        patience = Patience(seconds=self._times.retry)
        return self._request(texts, seconds, patience, runner_tries=runner_tries)

    def _request(
        self, texts: Sequence[str], seconds: float, patience: Patience, *, runner_tries: int = 2
    ) -> list[Vector]:
        """Checked unit rows for *texts*, from one request that is repeated while that may help."""
        failures = 0

        def attempt() -> EmbedAnswer:
            nonlocal failures
            request = {"model": self._model, "input": list(texts), **self._constant}
            try:
                return self._server.embed(request, seconds=seconds)
            except NotAnsweredError as error:
                error.again = False  # the same again would take as long: the caller asks for less
                raise
            except RunnerFailedError as error:
                failures += 1
                error.again = failures < runner_tries
                raise

        return self._checked(persist(attempt, patience, sleep=self._sleep).rows, len(texts))

    def _checked(self, rows: Sequence[Any], count: int) -> list[Vector]:
        if len(rows) != count:
            raise TextRefusedError(
                f"Ollama gave {len(rows)} vectors for {count} texts of {self._model}"
            )
        checked = [_unit_row(row, self._model) for row in rows]
        widths = {len(row) for row in checked}
        if len(widths) > 1:
            raise TextRefusedError(f"{self._model} gave vectors of different lengths")
        if self.dimension and widths != {self.dimension}:
            raise ServiceUnavailableError(
                f"{self._model} now gives vectors of {widths.pop()} numbers, the index holds"
                f" {self.dimension}",
                hint="The model was changed: run reindex-project",
            )
        return checked


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
