"""Files that have to be parsed become rows and vectors, batch by batch, up to the index's limit."""

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from code_indexer.discovery import reasons
from code_indexer.indexing.index_size import IndexSize
from code_indexer.indexing.jobs import FileJob, PreparedFile, PrepareOptions, is_small
from code_indexer.indexing.progress import PassProgress, ReportProgress
from code_indexer.indexing.vectors import VectorWriter
from code_indexer.storage.manifest import Manifest
from code_indexer.types import FileRecord, SkippedFile

_FLUSH_CHUNKS = 3000
_FLUSH_SECONDS = 1.5


@dataclass(slots=True)
class Tally:
    """Counters that grow while a pass runs."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    deleted: int = 0
    chunks: int = 0
    left_out: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    skipped: list[SkippedFile] = field(default_factory=list)

    def count(self, prepared: PreparedFile, record: FileRecord | None) -> None:
        """Count a file that was written, of which *record* was known before."""
        self.chunks += len(prepared.hashes)
        if prepared.error is not None:
            self.failed[prepared.path] = prepared.error
        if record is None:
            self.added += 1
        elif record.content_hash in ("", prepared.content_hash):
            self.unchanged += 1  # parsed again by a newer extractor
        else:
            self.changed += 1

    def leave_out(self, jobs: Sequence[FileJob]) -> None:
        """Count files for which the index has no room."""
        self.left_out += len(jobs)
        self.skipped += [SkippedFile(job.found.path, reasons.INDEX_FULL) for job in jobs]


class BatchWriter:
    """Parses and stores the files of one pass."""

    def __init__(
        self,
        manifest: Manifest,
        vectors: VectorWriter,
        size: IndexSize,
        tally: Tally,
        *,
        known: Mapping[str, FileRecord],
        prepare: PrepareOptions,
        workers: int,
        note: Callable[[], None],
        check_disk: Callable[[], None],
        progress: ReportProgress,
    ) -> None:
        """*note* is called within each transaction, *check_disk* between them."""
        self._manifest = manifest
        self._vectors = vectors
        self._size = size
        self._tally = tally
        self._known = known
        self._prepare = prepare
        self._workers = workers
        self._note = note
        self._check_disk = check_disk
        self._progress = progress

    def write(self, jobs: Sequence[FileJob]) -> list[str]:
        """Parse and store every job, with known files first where there is a limit.

        Gives known files that can no longer be read as text.
        """
        if not self._size.is_limited:
            return self._write_all(jobs)
        gone = self._write_all([job for job in jobs if job.found.path in self._known])
        added = {job.found.path: job for job in jobs if job.found.path not in self._known}
        return gone + self._write_all(list(added.values()), waiting_for=added)

    def _write_all(
        self, jobs: Sequence[FileJob], *, waiting_for: dict[str, FileJob] | None = None
    ) -> list[str]:
        """The same without a limit.

        The jobs in *waiting_for* are taken out of it when they are done, and left out of the index
        once that is full.
        """
        gone: list[str] = []
        batch: list[PreparedFile] = []
        waiting = 0
        flushed = time.monotonic()
        for done, prepared in enumerate(self._prepared(jobs), start=1):
            if waiting_for is not None:
                if self._size.is_full(waiting):  # by an estimate
                    self._flush(batch)
                    batch, waiting, flushed = [], 0, time.monotonic()
                if self._size.is_full(0):
                    self._tally.leave_out(list(waiting_for.values()))
                    break
                del waiting_for[prepared.path]
            if prepared.skipped is not None:
                self._tally.skipped.append(prepared.skipped)
                if prepared.path in self._known:
                    gone.append(prepared.path)
                continue
            batch.append(prepared)
            waiting += len(prepared.hashes)
            if waiting >= _FLUSH_CHUNKS or time.monotonic() - flushed > _FLUSH_SECONDS:
                self._flush(batch)
                batch, waiting, flushed = [], 0, time.monotonic()
                self._check_disk()
            self._progress(PassProgress("indexing", done, len(jobs), self._tally.chunks + waiting))
        self._flush(batch)
        return gone

    def _prepared(self, jobs: Sequence[FileJob]) -> Iterator[PreparedFile]:
        if not jobs:
            return iter(())
        # Only now: a pass that finds nothing to do shall load no parser.
        # Windows cannot wait for a pipe and a time at once, so no worker could be given up there.
        if is_small(jobs) or sys.platform == "win32":
            from code_indexer.indexing.prepare import prepare_file

            return (prepare_file(job, self._prepare) for job in jobs)
        from code_indexer.indexing.workers import prepare_in_workers

        return prepare_in_workers(jobs, self._prepare, count=max(1, self._workers))

    def _flush(self, batch: Sequence[PreparedFile]) -> None:
        """One transaction: all rows of these files and, with a fast embedder, their vectors."""
        if not batch:
            return
        with self._manifest.transaction():
            vectors = self._vectors.for_batch(self._manifest, batch)
            self._manifest.write_files(
                [prepared.rows for prepared in batch if prepared.rows is not None], vectors
            )
            for prepared in batch:
                self._tally.count(prepared, self._known.get(prepared.path))
            self._note()
