"""Vectors that take their time or lie elsewhere: structure first, then batch by batch."""

import json
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from code_indexer.errors import CodeIndexerError
from code_indexer.indexing.identity import embedder_key
from code_indexer.indexing.prepare import PreparedFile
from code_indexer.indexing.progress import PassProgress, ReportProgress
from code_indexer.inference.embedder import (
    BatchEmbedder,
    EmbeddedBatch,
    Embedder,
    EmbedderIdentity,
    embed_batches,
)
from code_indexer.inference.texts import document_text
from code_indexer.storage.embedded_vectors import quantise
from code_indexer.storage.manifest import EmbedderKey, Manifest, PendingFile
from code_indexer.storage.pass_journal import ChunkFailure
from code_indexer.storage.vectors import FileVectors

if TYPE_CHECKING:
    from code_indexer.storage.qdrant_vectors import QdrantVectors

_log = logging.getLogger(__name__)

_WINDOW_CHUNKS = 2000
"""Chunks whose texts and vectors are held at once."""
_FLUSH_CHUNKS = 256
_FLUSH_SECONDS = 5.0
_FIRST_PAUSE = 600.0
"""Seconds before a chunk that was refused is tried again; doubled each time, up to a day."""
_LAST_PARTS = frozenset(
    {"test", "tests", "testing", "spec", "specs", "__tests__", "fixtures", "testdata", "vendor"}
    | {"third_party", "generated", "example", "examples", "docs", "benchmarks", "legacy"}
)


@dataclass(frozen=True, slots=True)
class StoreWishes:
    """What the user wants of a store elsewhere."""

    beside: bool = False
    """Fill a new collection, and leave the present one to the searches until the end."""
    adopt: bool = False
    exists: Callable[[str], bool] | None = None
    """Whether the project has a file, by path."""


class ServerVectors:
    """For an embedder or a store on a server: a pass commits all structure before it asks them."""

    def __init__(
        self,
        embedder: Embedder,
        store: "QdrantVectors | None" = None,
        *,
        wishes: StoreWishes | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        """Without *store* the vectors lie in the manifest; with one, it keeps a copy there."""
        self._embedder = embedder
        self._store = store
        self._wishes = wishes or StoreWishes()
        self._now = now
        self.embedded = 0
        self.reused = 0
        self.repaired = 0
        """Points restored from the manifest."""

    def start(self, manifest: Manifest) -> None:
        """Nothing: a server that is down must not keep the structure from being indexed."""

    def for_batch(
        self, manifest: Manifest, batch: Sequence[PreparedFile]
    ) -> list[FileVectors | None]:
        """None of them yet."""
        del manifest
        return [None] * len(batch)

    def forget(self, manifest: Manifest, paths: Sequence[str]) -> None:
        """Nothing now: points of unknown files are never believed, and ``finish`` removes them."""

    def finish(self, manifest: Manifest, progress: ReportProgress) -> None:
        """Give vectors to every file that waits for them, the most useful first.

        Raises:
            ServiceUnavailableError: A server failed; what was done is committed.
            CodeIndexerError: The index holds vectors of another model.
        """
        pending = sorted(manifest.pending_files(), key=_usefulness)
        key = manifest.embedder()
        if pending or key is None:
            # Only now: what needs no embedding must not fail because the embedder is away.
            key = embedder_key(self._embedder.identity)
            settle_embedder(manifest, key)
        self._prepare_store(manifest, key)
        _Embedding(self, manifest, pending, progress).run()
        if self._store is not None:
            # Deleted files, and those that were cut into fewer chunks, have left points behind.
            if self._store.count() != manifest.counts().embedded_chunks:
                self._store.repair()
            self._store.tune()

    def _prepare_store(self, manifest: Manifest, key: EmbedderKey) -> None:
        if self._store is None:
            return
        outcome = self._store.prepare(
            key.key,
            key.dimension,
            points=manifest.counts().chunks,
            beside=self._wishes.beside,
            adopt=self._wishes.adopt,
            exists=self._wishes.exists,
        )
        if outcome in ("ready", "created") and self._store.count() != (
            manifest.counts().embedded_chunks
        ):
            self.repaired = self._store.repair().restored

    def embed(self, texts: Sequence[str]) -> Iterator[EmbeddedBatch]:
        """The vectors of texts, counted."""
        for batch in embed_batches(self._embedder, texts):
            self.embedded += len(batch.vectors) - len(batch.failures)
            yield batch

    @property
    def texts_per_second(self) -> float:
        """The embedder's speed, 0 where it is no matter."""
        embedder = self._embedder
        return embedder.texts_per_second if isinstance(embedder, BatchEmbedder) else 0.0

    def commit(
        self,
        manifest: Manifest,
        vectors: dict[int, FileVectors],
        failures: Sequence[ChunkFailure],
    ) -> None:
        """Points first, then the rows that vouch for them."""
        if self._store is not None:
            self._store.upsert(vectors)
        with manifest.transaction():
            manifest.set_vectors(vectors)
            manifest.record_chunk_failures(failures)

    def retry_time(self, attempts: int) -> float:
        """When a chunk that was refused so often may be tried again."""
        return self._now() + min(_FIRST_PAUSE * 2.0 ** min(attempts - 1, 10), 86_400.0)

    def is_due(self, failure: ChunkFailure) -> bool:
        """Whether a refused chunk may be tried again now."""
        return failure.retry_after <= self._now()


def recorded_identity(key: EmbedderKey | None) -> EmbedderIdentity | None:
    """The embedder that a manifest remembers, so that its server need not be asked for it."""
    if key is None:
        return None
    try:
        return EmbedderIdentity(**json.loads(key.key))
    except (TypeError, ValueError):
        return None  # of a release that wrote it in another form


def settle_embedder(manifest: Manifest, key: EmbedderKey) -> None:
    """Record the embedder of a manifest that has none yet.

    Raises:
        CodeIndexerError: It has vectors of another one: hours of work are not thrown away unasked.
    """
    present = manifest.embedder()
    if present is None or (present != key and not manifest.counts().embedded_chunks):
        manifest.set_embedder(key)
    elif present != key:
        raise CodeIndexerError(
            f"the index holds vectors of another model ({present.dimension} numbers,"
            f" the present one has {key.dimension})",
            hint="Run reindex-project, or go back to the model it was indexed with",
        )


@dataclass(slots=True)
class _OpenFile:
    """A file of the window, and what its chunks have so far."""

    file_id: int
    hashes: list[bytes]
    waiting: set[bytes]
    """Texts that are still to be embedded."""


class _Embedding:
    """The second phase of one pass."""

    def __init__(
        self,
        engine: ServerVectors,
        manifest: Manifest,
        pending: Sequence[PendingFile],
        progress: ReportProgress,
    ) -> None:
        self._engine = engine
        self._manifest = manifest
        self._pending = pending
        self._progress = progress
        embedder = manifest.embedder()
        assert embedder is not None
        self._dimension = embedder.dimension
        self._refused = {one.chunk_id: one for one in manifest.chunk_failures()}
        self._total = sum(file.chunk_count for file in pending)
        self._done = 0

    def run(self) -> None:
        for window in _windows(self._pending):
            self._embed_window(window)

    def _embed_window(self, window: Sequence[PendingFile]) -> None:
        texts: dict[bytes, str] = {}
        files = []
        resting: set[int] = set()
        for pending in window:
            stored = self._manifest.chunk_texts(pending.file_id)
            files.append(
                _OpenFile(pending.file_id, [one.text_hash for one in stored], waiting=set())
            )
            for one in stored:
                refused = self._refused.get(one.chunk_id)
                if refused is not None and not self._engine.is_due(refused):
                    resting.add(one.chunk_id)
                else:
                    texts[one.text_hash] = document_text(one.chunk, pending.language)
        records: dict[bytes, bytes | None] = dict(
            self._manifest.known_vectors([one for file in files for one in file.hashes])
        )
        unknown = [one for one in texts if one not in records]
        wanted = set(unknown)
        for file in files:
            file.waiting = wanted.intersection(file.hashes)
        counts = {pending.file_id: pending.vector_count for pending in window}
        # A file whose missing chunks rest, and that has all else, is as it was.
        files = [
            file
            for file in files
            if file.waiting or sum(one in records for one in file.hashes) != counts[file.file_id]
        ]
        chunks = sum(len(file.hashes) for file in files)
        self._engine.reused += chunks - len(unknown) - len(resting)
        self._embed_files(files, unknown, texts, records)

    def _embed_files(
        self,
        files: list[_OpenFile],
        unknown: Sequence[bytes],
        texts: dict[bytes, str],
        records: dict[bytes, bytes | None],
    ) -> None:
        reasons: dict[bytes, str] = {}
        ready = [file for file in files if not file.waiting]
        open_files = [file for file in files if file.waiting]
        flushed = time.monotonic()
        try:
            for batch in self._engine.embed([texts[one] for one in unknown]):
                hashes = unknown[batch.first : batch.first + len(batch.vectors)]
                failed = {failure.index: failure.reason for failure in batch.failures}
                for index, record in enumerate(quantise(batch.vectors).split()):
                    if index in failed:
                        reasons[hashes[index]] = failed[index]
                    else:
                        records[hashes[index]] = record
                open_files, complete = _advanced(open_files, set(hashes))
                ready += complete
                waiting = sum(len(file.hashes) for file in ready)
                if waiting >= _FLUSH_CHUNKS or time.monotonic() - flushed > _FLUSH_SECONDS:
                    self._flush(ready, records, reasons)
                    ready, flushed = [], time.monotonic()
                self._report(waiting)
        except CodeIndexerError:
            # What was embedded of files that are not complete is kept as well.
            self._flush(ready + open_files, records, reasons)
            raise
        self._flush(ready, records, reasons)
        self._report(0)

    def _flush(
        self,
        files: Sequence[_OpenFile],
        records: dict[bytes, bytes | None],
        reasons: dict[bytes, str],
    ) -> None:
        if not files:
            return
        vectors = {
            file.file_id: FileVectors.of(self._dimension, [records.get(one) for one in file.hashes])
            for file in files
        }
        failures = [
            self._failure(stored.chunk_id, reasons[stored.text_hash])
            for file in files
            if not reasons.keys().isdisjoint(file.hashes)
            for stored in self._manifest.chunk_texts(file.file_id)
            if stored.text_hash in reasons
        ]
        self._engine.commit(self._manifest, vectors, failures)
        self._done += sum(len(file.hashes) for file in files)

    def _failure(self, chunk_id: int, reason: str) -> ChunkFailure:
        before = self._refused.get(chunk_id)
        attempts = 1 if before is None else before.attempts + 1
        return ChunkFailure(chunk_id, reason, attempts, self._engine.retry_time(attempts))

    def _report(self, waiting: int) -> None:
        done = self._done + waiting
        self._progress(PassProgress("embedding", done, self._total, done))


def _advanced(
    files: Sequence[_OpenFile], hashes: set[bytes]
) -> tuple[list[_OpenFile], list[_OpenFile]]:
    """Files that wait on, and those that are complete, after these texts were answered."""
    still_open: list[_OpenFile] = []
    complete: list[_OpenFile] = []
    for file in files:
        file.waiting -= hashes
        (still_open if file.waiting else complete).append(file)
    return still_open, complete


def _usefulness(file: PendingFile) -> tuple[int, int, int]:
    """Sorts what people look for first to the front: code, not of tests, changed lately."""
    parts = PurePosixPath(file.path.lower()).parts
    is_aside = not _LAST_PARTS.isdisjoint(parts[:-1]) or "test" in parts[-1]
    return (int(is_aside), int(file.content != "code"), -file.mtime_ns)


def _windows(files: Sequence[PendingFile]) -> Iterator[list[PendingFile]]:
    window: list[PendingFile] = []
    size = 0
    for file in files:
        window.append(file)
        size += file.chunk_count
        if size >= _WINDOW_CHUNKS:
            yield window
            window, size = [], 0
    if window:
        yield window
