"""Parsing in other processes, each of which can be killed when one file holds it up.

A worker is ``python -m code_indexer.indexing.worker`` and talks over its own stdin and stdout in
pickled frames. Its stdin closes when this process dies, however it dies, and then it ends too; it
inherits no lock. (A process pool that forks would share the project's flock, and survive a
``kill -9`` of its parent.)
"""

import logging
import os
import pickle
import queue
import select
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import IO

from code_indexer.indexing.jobs import FileJob, PreparedFile, PrepareOptions
from code_indexer.indexing.prepare import failed_file

_LOG = logging.getLogger(__name__)
_BATCH_BYTES = 200_000
_BATCH_FILES = 32
_READY_BATCHES = 3
"""Finished batches that wait for the writer, per worker; more would only fill memory."""
_SIGNALS_SECONDS = 0.5
"""A Ctrl-C that comes just as a wait begins is not seen before the wait ends, so none is long."""
_GRACE_SECONDS = 20.0
"""A worker's own time limits are tried first; this is for a parser that ignores them."""


def prepare_in_workers(
    jobs: Sequence[FileJob], options: PrepareOptions, *, count: int
) -> Iterator[PreparedFile]:
    """Every job's result, in no particular order.

    A file that crashes its worker or holds it up is a failed file; the others go on.
    """
    batches: queue.SimpleQueue[list[FileJob]] = queue.SimpleQueue()
    for batch in _batches(jobs):
        batches.put(batch)
    results: queue.Queue[list[PreparedFile] | BaseException | None] = queue.Queue(
        maxsize=count * _READY_BATCHES
    )
    stop = threading.Event()
    threads = [
        threading.Thread(target=_serve, args=(batches, results, options, stop), daemon=True)
        for _ in range(count)
    ]
    for thread in threads:
        thread.start()
    try:
        running = count
        while running:
            try:
                result = results.get(timeout=_SIGNALS_SECONDS)
            except queue.Empty:
                continue
            if result is None:
                running -= 1
            elif isinstance(result, BaseException):
                raise result
            else:
                yield from result
    finally:
        stop.set()
        while any(thread.is_alive() for thread in threads):
            _drain(results)
            threads[0].join(0.01)
            threads = [thread for thread in threads if thread.is_alive()]


def _drain(results: "queue.Queue[list[PreparedFile] | BaseException | None]") -> None:
    try:
        while True:
            results.get_nowait()
    except queue.Empty:
        return


def _batches(jobs: Iterable[FileJob]) -> Iterator[list[FileJob]]:
    batch: list[FileJob] = []
    size = 0
    for job in jobs:
        batch.append(job)
        size += job.found.stamp.size
        if size >= _BATCH_BYTES or len(batch) >= _BATCH_FILES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _serve(
    batches: "queue.SimpleQueue[list[FileJob]]",
    results: "queue.Queue[list[PreparedFile] | BaseException | None]",
    options: PrepareOptions,
    stop: threading.Event,
) -> None:
    """One thread per worker: hand it batches until there are none."""
    worker: _Worker | None = None
    try:
        while not stop.is_set():
            try:
                batch = batches.get_nowait()
            except queue.Empty:
                break
            worker = worker or _Worker(options)
            answer = worker.prepare(batch, stop)
            if answer is None:
                worker.kill()
                worker = None
                answer = _one_by_one(batch, options, stop)
            results.put(answer)
    except BaseException as error:  # noqa: BLE001 - it is raised again in the caller's thread
        results.put(error)
    finally:
        if worker is not None:
            worker.kill() if stop.is_set() else worker.close()
        results.put(None)


def _one_by_one(
    batch: Sequence[FileJob], options: PrepareOptions, stop: threading.Event
) -> list[PreparedFile]:
    """The same batch again, each file in a worker that it may take down alone."""
    prepared = []
    worker = None
    for job in batch:
        if stop.is_set():
            break
        worker = worker or _Worker(options)
        answer = worker.prepare([job], stop)
        if answer is None:
            worker.kill()
            worker = None
            _LOG.warning("the parser did not survive %s", job.found.path)
            answer = [failed_file(job, options, "the parser crashed or took too long on it")]
        prepared += answer
    if worker is not None:
        worker.close()
    return prepared


class _Worker:
    """One running worker process."""

    def __init__(self, options: PrepareOptions) -> None:
        self._patience = options.time_limit_seconds
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "code_indexer.indexing.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input: IO[bytes] = self._process.stdin
        self._output: IO[bytes] = self._process.stdout
        self._buffer = bytearray()
        self._send(options)

    def prepare(self, batch: list[FileJob], stop: threading.Event) -> list[PreparedFile] | None:
        """The batch's results, or None when the worker died or took too long."""
        if not self._send(batch):
            return None
        deadline = time.monotonic() + _GRACE_SECONDS + self._patience * len(batch)
        frame = self._receive(deadline, stop)
        if frame is None:
            return None
        answer: list[PreparedFile] = pickle.loads(frame)  # noqa: S301 - from our own child
        return answer

    def close(self) -> None:
        """Let it end by itself."""
        self._input.close()
        self._output.close()
        self._process.wait()

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()
        try:
            self._input.close()
        except OSError:
            _LOG.debug("the worker was gone before its input was closed")
        self._output.close()
        self._process.wait()

    def _send(self, message: object) -> bool:
        try:
            write_frame(self._input, message)
        except (BrokenPipeError, OSError):
            return False
        return True

    def _receive(self, deadline: float, stop: threading.Event) -> bytes | None:
        descriptor = self._output.fileno()
        while True:
            if len(self._buffer) >= 8:
                size = int.from_bytes(self._buffer[:8], "big")
                if len(self._buffer) >= 8 + size:
                    frame = bytes(self._buffer[8 : 8 + size])
                    del self._buffer[: 8 + size]
                    return frame
            left = deadline - time.monotonic()
            if left <= 0 or stop.is_set():
                return None
            if not select.select([descriptor], [], [], min(left, 0.2))[0]:
                continue
            data = os.read(descriptor, 1 << 20)
            if not data:
                return None
            self._buffer += data


def write_frame(stream: IO[bytes], message: object) -> None:
    """One length-prefixed pickled message."""
    data = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(len(data).to_bytes(8, "big"))
    stream.write(data)
    stream.flush()


def read_frame(stream: IO[bytes]) -> object | None:
    """The next message, or None at the end."""
    head = stream.read(8)
    if len(head) < 8:
        return None
    return pickle.loads(stream.read(int.from_bytes(head, "big")))  # type: ignore[no-any-return]  # noqa: S301
