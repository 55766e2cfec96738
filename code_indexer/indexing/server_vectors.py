"""Vectors that take their time or lie elsewhere: structure first, then batch by batch."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from code_indexer.errors import CodeIndexerError
from code_indexer.indexing.identity import embedder_key, settle_embedder
from code_indexer.indexing.progress import PassProgress, PassSetAsideError, ReportProgress
from code_indexer.indexing.vectors import grouped
from code_indexer.inference.embedder import (
    BatchEmbedder,
    EmbeddedBatch,
    Embedder,
    embed_batches,
)
from code_indexer.inference.texts import document_text
from code_indexer.storage.embedded_vectors import quantise
from code_indexer.storage.file_records import PendingFile
from code_indexer.storage.manifest import EmbedderKey, Manifest
from code_indexer.storage.pass_journal import ChunkFailure
from code_indexer.storage.vectors import FileVectors

if TYPE_CHECKING:
    from code_indexer.indexing.jobs import PreparedFile
    from code_indexer.storage.qdrant_vectors import QdrantVectors

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
        self, manifest: Manifest, batch: Sequence["PreparedFile"]
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
            ModelChangedError: The index holds vectors of another model.
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

    def embed(self, texts: Sequence[str], is_wanted: Callable[[], bool]) -> Iterator[EmbeddedBatch]:
        """The vectors of texts, counted."""
        for batch in embed_batches(self._embedder, texts, is_wanted=is_wanted):
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


@dataclass(slots=True)
class _OpenFile:
    """A file that is being embedded."""

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
        self._refused = {one.chunk_id: one for one in manifest.chunk_failures()}
        self._total = sum(file.chunk_count for file in pending)
        self._done = 0

    def run(self) -> None:
        for pending in grouped(self._pending):
            self._embed(pending)

    def _embed(self, pending: Sequence[PendingFile]) -> None:
        files, texts, resting = self._read(pending)
        hashes = [one for file in files for one in file.hashes]
        records: dict[bytes, bytes | None] = dict(self._manifest.known_vectors(hashes))
        unknown = [one for one in texts if one not in records]
        for file in files:
            file.waiting = set(unknown).intersection(file.hashes)
        counts = {file.file_id: file.vector_count for file in pending}
        # A file whose missing chunks rest, and that has all else, is as it was.
        files = [
            file
            for file in files
            if file.waiting or sum(one in records for one in file.hashes) != counts[file.file_id]
        ]
        self._engine.reused += sum(len(file.hashes) for file in files) - len(unknown) - resting
        window = _Window(self._engine, self._manifest, files, records, self._refused)
        try:
            for batch in self._engine.embed(
                [texts[one] for one in unknown], lambda: window.trouble is None
            ):
                window.take(batch, unknown[batch.first : batch.first + len(batch.vectors)])
                window.flush_if_due()
                self._report(window.done)
        except (CodeIndexerError, PassSetAsideError):
            window.flush(whole=False)
            window.rescue()
            raise
        window.flush()
        window.rescue()
        if window.trouble is not None:
            raise window.trouble
        self._done += window.done
        self._report(0)

    def _read(
        self, pending: Sequence[PendingFile]
    ) -> tuple[list[_OpenFile], dict[bytes, str], int]:
        """The files, the texts that may be embedded by their hash, and how many chunks rest."""
        files = []
        texts: dict[bytes, str] = {}
        resting = 0
        for file in pending:
            stored = self._manifest.chunk_texts(file.file_id)
            files.append(_OpenFile(file.file_id, [one.text_hash for one in stored], set()))
            for one in stored:
                refused = self._refused.get(one.chunk_id)
                if refused is not None and not self._engine.is_due(refused):
                    resting += 1
                else:
                    texts[one.text_hash] = document_text(one.chunk, file.language)
        return files, texts, resting

    def _report(self, in_window: int) -> None:
        done = self._done + in_window
        self._progress(PassProgress("embedding", done, self._total, done))


class _Window:
    """Some files that are embedded together: what they have, what is ready, what went wrong."""

    def __init__(
        self,
        engine: ServerVectors,
        manifest: Manifest,
        files: Sequence[_OpenFile],
        records: dict[bytes, bytes | None],
        refused: Mapping[int, ChunkFailure],
    ) -> None:
        self.trouble: CodeIndexerError | None = None
        """Why nothing more can be stored."""
        self.done = 0
        """Chunks whose files are complete."""
        self._engine = engine
        self._manifest = manifest
        self._records = records
        self._refused = refused
        self._fresh: set[bytes] = set()
        self._reasons: dict[bytes, str] = {}
        self._ready = [file for file in files if not file.waiting]
        self._open = [file for file in files if file.waiting]
        self._flushed = time.monotonic()

    def take(self, batch: EmbeddedBatch, hashes: Sequence[bytes]) -> None:
        """Note what a batch gave for the texts with these hashes."""
        reasons = {failure.index: failure.reason for failure in batch.failures}
        for index, record in enumerate(quantise(batch.vectors).split()):
            if index in reasons:
                self._reasons[hashes[index]] = reasons[index]
            else:
                self._records[hashes[index]] = record
                self._fresh.add(hashes[index])
        still_open: list[_OpenFile] = []
        for file in self._open:
            file.waiting.difference_update(hashes)
            (still_open if file.waiting else self._ready).append(file)
            self.done += 0 if file.waiting else len(file.hashes)
        self._open = still_open

    def flush_if_due(self) -> None:
        """Commit once enough is ready, or time has passed."""
        ready = sum(len(file.hashes) for file in self._ready)
        if ready >= _FLUSH_CHUNKS or time.monotonic() - self._flushed > _FLUSH_SECONDS:
            self.flush()

    def flush(self, *, whole: bool = True) -> None:
        """Commit the files that are ready; with ``whole=False`` the others as far as they are."""
        if not whole:
            self._ready += self._open
            self._open = []
        self._flushed = time.monotonic()
        if self.trouble is not None or not self._ready:
            return
        embedder = self._manifest.embedder()
        assert embedder is not None
        vectors = {
            file.file_id: FileVectors.of(
                embedder.dimension, [self._records.get(one) for one in file.hashes]
            )
            for file in self._ready
        }
        try:
            self._engine.commit(self._manifest, vectors, self._failures())
        except CodeIndexerError as error:
            self.trouble = error
        else:
            self._ready = []

    def rescue(self) -> None:
        """Keep what was embedded and could not be stored, so that it is not embedded again."""
        spares = {
            one: record
            for file in (*self._ready, *self._open)
            for one in self._fresh.intersection(file.hashes)
            if (record := self._records[one]) is not None
        }
        if spares:
            self._manifest.keep_spares(list(spares.items()))

    def _failures(self) -> list[ChunkFailure]:
        failures = []
        for file in self._ready:
            if self._reasons.keys().isdisjoint(file.hashes):
                continue
            for stored in self._manifest.chunk_texts(file.file_id):
                if stored.text_hash in self._reasons:
                    before = self._refused.get(stored.chunk_id)
                    attempts = 1 if before is None else before.attempts + 1
                    reason = self._reasons[stored.text_hash]
                    after = self._engine.retry_time(attempts)
                    failures.append(ChunkFailure(stored.chunk_id, reason, attempts, after))
        return failures


def _usefulness(file: PendingFile) -> tuple[int, int, int]:
    """Sorts what people look for first to the front: code, not of tests, changed lately."""
    parts = PurePosixPath(file.path.lower()).parts
    is_aside = not _LAST_PARTS.isdisjoint(parts[:-1]) or "test" in parts[-1]
    return (int(is_aside), int(file.content != "code"), -file.mtime_ns)
