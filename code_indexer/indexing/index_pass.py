"""One incremental update of a project's index: scan, diff, parse, embed, store."""

import json
import os
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from code_indexer.discovery import reasons
from code_indexer.discovery.fingerprint import Fingerprint, take_fingerprint
from code_indexer.discovery.outside import look_outside
from code_indexer.discovery.reading import read_source
from code_indexer.discovery.stamps import stamp_is_trusted
from code_indexer.discovery.walk import DiscoveryRules, walk_files
from code_indexer.errors import CodeIndexerError, StateError
from code_indexer.indexing.diff import ScanDiff, diff_scan
from code_indexer.indexing.identity import (
    CPP_HEADERS,
    EMPTY_FOLDERS,
    FINGERPRINT,
    LAST_SCAN,
    OUTSIDE_RULES,
    is_structure_of,
    structure_meta,
)
from code_indexer.indexing.index_size import IndexSize
from code_indexer.indexing.jobs import FileJob, PreparedFile, PrepareOptions
from code_indexer.indexing.progress import (
    PassProgress,
    PassSetAsideError,
    ReportProgress,
    report_nothing,
)
from code_indexer.indexing.vectors import VectorWriter
from code_indexer.storage.manifest import Manifest
from code_indexer.storage.pass_journal import PassRecord
from code_indexer.types import FileRecord, FileStamp, IndexReport, SkippedFile

_INLINE_FILES = 24
_INLINE_BYTES = 400_000
"""Less work than this is done here: starting workers costs more."""
_FINGERPRINT_FILES = 3000
"""From so many files on a pass first asks for the tree's fingerprint."""
_EMPTY_FOLDERS = 2000
"""Most of them that are remembered."""
_FLUSH_CHUNKS = 3000
_FLUSH_SECONDS = 1.5


@dataclass(frozen=True, slots=True)
class PassOptions:
    """What a pass needs to know besides the manifest and the embedder."""

    root: str
    rules: DiscoveryRules
    workers: int = 1
    min_free_disk: int = 0
    """Bytes that must stay free where the manifest lies."""
    max_index_bytes: int = 0
    """Size of the manifest from which no further files are taken in; 0 sets no limit."""
    only_structure: bool = False
    """Leave vectors to a later pass: a server is known to be down."""
    only_small: bool = False
    """Leave it undone, with :class:`LargePassError`, when it is more than a moment's work."""


class LargePassError(Exception):
    """The pass was left undone because it is large and only a small one was wanted."""


def run_index_pass(
    manifest: Manifest,
    vectors: VectorWriter,
    options: PassOptions,
    progress: ReportProgress = report_nothing,
) -> IndexReport:
    """Make the index of ``options.root`` equal to its files; the caller holds the project's lock.

    Structure is committed in batches, each file with all its rows; a pass that dies is taken up by
    the next one where it stood.

    Raises:
        StateError: The disk is full, or will soon be.
        LargePassError: ``only_small`` was wanted, and there is much to do; nothing was changed.
        ServiceUnavailableError: A server that embeds or stores vectors does not answer.
    """
    before = manifest.read_pass()
    journal = PassRecord("indexing", pid=os.getpid(), started=time.time())
    manifest.write_pass(journal)
    try:
        report = _Pass(manifest, vectors, options, progress, journal).run()
    except LargePassError:
        manifest.write_pass(before)
        raise
    except PassSetAsideError:
        # Without a process: it was not killed, and what it left needs no check.
        manifest.write_pass(replace(journal, pid=None))
        raise
    except CodeIndexerError as error:
        # A full disk refuses this note as well; the error is what the user has to see.
        with suppress(CodeIndexerError):
            manifest.write_pass(replace(journal, state="failed", error=_in_words(error)))
        raise
    manifest.write_pass(
        replace(journal, state="idle", finished=time.time(), counters=asdict(report))
    )
    return report


def _in_words(error: CodeIndexerError) -> str:
    return f"{error.message}. {error.hint}" if error.hint else error.message


def _noted(empty_folders: Sequence[str]) -> str:
    """The folders as the manifest keeps them; null where it is cheaper to scan again."""
    return json.dumps(empty_folders if len(empty_folders) <= _EMPTY_FOLDERS else None)


def _is_small(jobs: Sequence[FileJob]) -> bool:
    size = sum(job.found.stamp.size for job in jobs)
    return len(jobs) <= _INLINE_FILES and size <= _INLINE_BYTES


@dataclass(slots=True)
class _Tally:
    """Counters that grow while the pass runs."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    deleted: int = 0
    chunks: int = 0
    left_out: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    skipped: list[SkippedFile] = field(default_factory=list)


class _Pass:
    """The state of one index pass."""

    def __init__(
        self,
        manifest: Manifest,
        vectors: VectorWriter,
        options: PassOptions,
        progress: ReportProgress,
        journal: PassRecord,
    ) -> None:
        self._manifest = manifest
        self._vectors = vectors
        self._options = options
        self._progress = progress
        self._journal = journal
        self._size = IndexSize(manifest, options.max_index_bytes)
        self._scanned = 0
        self._tally = _Tally()

    def run(self) -> IndexReport:
        started = time.monotonic()
        scan_started_ns = time.time_ns()
        self._check_disk()
        self._progress(PassProgress("scanning"))
        self._prepare_manifest()
        outside = look_outside(Path(self._options.root), self._options.rules).digest
        fingerprint = self._fingerprint()
        if self._is_as_recorded(fingerprint):
            self._manifest.set_meta({LAST_SCAN: str(scan_started_ns), OUTSIDE_RULES: outside})
            report = self._nothing_changed(time.monotonic() - started)
            self._finish()  # a store elsewhere may have lost what it had
            return report
        known = self._manifest.files()
        scan = walk_files(Path(self._options.root), self._options.rules, known)
        cpp_headers = any(file.language == "cpp" for file in scan.files)
        outdated = self._outdated(known, cpp_headers=cpp_headers)
        diff = diff_scan(scan.files, known, is_trusted=stamp_is_trusted, reparse=outdated)
        self._scanned = len(scan.files)
        self._tally.unchanged = len(diff.unchanged)
        self._tally.skipped = list(scan.skipped)
        jobs = self._jobs(diff, known, outdated)
        if self._size.is_still_full():
            jobs = self._known_only(jobs, known)
        if self._options.only_small and not _is_small(jobs):
            raise LargePassError
        if not _is_small(jobs):
            self._note("indexing")
        prepare = PrepareOptions(
            self._options.root, self._options.rules.max_file_bytes, cpp_headers=cpp_headers
        )
        gone = self._write_within_limit(jobs, prepare, known)
        self._delete([*self._really_deleted(diff.deleted), *gone])
        if self._manifest.pending_files():
            self._note("embedding")
        self._record(
            {
                LAST_SCAN: str(scan_started_ns),
                OUTSIDE_RULES: outside,
                EMPTY_FOLDERS: _noted(scan.empty_folders),
                CPP_HEADERS: str(int(cpp_headers)),
                FINGERPRINT: fingerprint.digest if fingerprint and fingerprint.settled else None,
            }
        )
        self._finish()
        return self._report(time.monotonic() - started)

    def _finish(self) -> None:
        if not self._options.only_structure:
            self._vectors.finish(self._manifest, self._progress)

    def _check_disk(self) -> None:
        folder = self._manifest.path.parent
        free = shutil.disk_usage(folder).free
        if free < self._options.min_free_disk:
            raise StateError(
                f"only {free // 1_000_000} MB are free on the disk of {folder}; indexing stopped",
                hint="Free some space, set MIN_FREE_DISK lower, or choose another --index-root",
            )

    def _prepare_manifest(self) -> None:
        """Settle which versions and which model the rows and vectors written from now on are of.

        Rows of other versions lose their content hash: no file has that, so each is parsed again,
        by this pass or, if it dies, by the next. Texts that stay the same keep their vectors.
        """
        if not is_structure_of(self._manifest.meta()):
            with self._manifest.transaction():
                self._manifest.mark_outdated()
                self._manifest.set_meta(structure_meta())
        self._vectors.start(self._manifest)

    def _outdated(self, known: Mapping[str, FileRecord], *, cpp_headers: bool) -> frozenset[str]:
        """Known files that must be parsed again although they may not have changed."""
        outdated = {path for path, record in known.items() if not record.content_hash}
        if self._manifest.meta().get(CPP_HEADERS) != str(int(cpp_headers)):
            outdated |= {path for path in known if path.endswith(".h")}
        return frozenset(outdated)

    def _jobs(
        self, diff: ScanDiff, known: Mapping[str, FileRecord], outdated: frozenset[str]
    ) -> list[FileJob]:
        """What has to be parsed; suspects whose content is the same only get new stamps."""
        jobs = [FileJob(file) for file in diff.added]
        stamps: dict[str, FileStamp] = {}
        for file in diff.suspect:
            record = known[file.path]
            if file.path in outdated or record.language != file.language:
                jobs.append(FileJob(file))
                continue
            source = read_source(
                Path(self._options.root), file.path, self._options.rules.max_file_bytes
            )
            if isinstance(source, SkippedFile) or source.content_hash != record.content_hash:
                jobs.append(FileJob(file))
            else:
                stamps[file.path] = source.stamp
                self._tally.unchanged += 1
        if stamps:
            with self._manifest.transaction():
                self._manifest.update_stamps(stamps)
        return jobs

    def _known_only(
        self, jobs: Sequence[FileJob], known: Mapping[str, FileRecord]
    ) -> list[FileJob]:
        """The jobs of files that the index holds; the others find no room in it."""
        self._leave_out([job for job in jobs if job.found.path not in known])
        return [job for job in jobs if job.found.path in known]

    def _leave_out(self, jobs: Sequence[FileJob]) -> None:
        self._tally.left_out += len(jobs)
        self._tally.skipped += [SkippedFile(job.found.path, reasons.INDEX_FULL) for job in jobs]

    def _write_within_limit(
        self, jobs: Sequence[FileJob], prepare: PrepareOptions, known: Mapping[str, FileRecord]
    ) -> list[str]:
        """The same as :meth:`_write_all`, with known files first where there is a limit."""
        if not self._size.is_limited:
            return self._write_all(jobs, prepare, known)
        gone = self._write_all([job for job in jobs if job.found.path in known], prepare, known)
        added = {job.found.path: job for job in jobs if job.found.path not in known}
        return gone + self._write_all(list(added.values()), prepare, known, waiting_for=added)

    def _write_all(
        self,
        jobs: Sequence[FileJob],
        prepare: PrepareOptions,
        known: Mapping[str, FileRecord],
        *,
        waiting_for: dict[str, FileJob] | None = None,
    ) -> list[str]:
        """Parse and store every job; gives known files that can no longer be read as text.

        The jobs in *waiting_for* are taken out of it when they are done, and left out of the index
        once that is full.
        """
        gone: list[str] = []
        batch: list[PreparedFile] = []
        waiting = 0
        flushed = time.monotonic()
        for done, prepared in enumerate(self._prepared(jobs, prepare), start=1):
            if waiting_for is not None:
                if self._size.is_full(waiting):  # by an estimate
                    self._flush(batch, known)
                    batch, waiting, flushed = [], 0, time.monotonic()
                if self._size.is_full(0):
                    self._leave_out(list(waiting_for.values()))
                    break
                del waiting_for[prepared.path]
            if prepared.outcome == "skipped":
                assert prepared.skipped is not None
                self._tally.skipped.append(prepared.skipped)
                if prepared.path in known:
                    gone.append(prepared.path)
                continue
            batch.append(prepared)
            waiting += len(prepared.hashes)
            if waiting >= _FLUSH_CHUNKS or time.monotonic() - flushed > _FLUSH_SECONDS:
                self._flush(batch, known)
                batch, waiting, flushed = [], 0, time.monotonic()
                self._check_disk()
            self._progress(PassProgress("indexing", done, len(jobs), self._tally.chunks + waiting))
        self._flush(batch, known)
        return gone

    def _prepared(self, jobs: Sequence[FileJob], prepare: PrepareOptions) -> Iterator[PreparedFile]:
        if not jobs:
            return iter(())
        # Only now: a pass that finds nothing to do shall load no parser.
        # Windows cannot wait for a pipe and a time at once, so no worker could be given up there.
        if _is_small(jobs) or sys.platform == "win32":
            from code_indexer.indexing.prepare import prepare_file

            return (prepare_file(job, prepare) for job in jobs)
        from code_indexer.indexing.workers import prepare_in_workers

        return prepare_in_workers(jobs, prepare, count=max(1, self._options.workers))

    def _flush(self, batch: Sequence[PreparedFile], known: Mapping[str, FileRecord]) -> None:
        """One transaction: all rows of these files and, with a fast embedder, their vectors."""
        if not batch:
            return
        with self._manifest.transaction():
            vectors = self._vectors.for_batch(self._manifest, batch)
            self._manifest.write_files(
                [prepared.rows for prepared in batch if prepared.rows is not None], vectors
            )
            for prepared in batch:
                self._count(prepared, known)
            self._note("indexing")

    def _note(self, phase: str) -> None:
        """Tell other processes how much of the project the index holds by now."""
        tally = self._tally
        done = tally.unchanged + tally.added + tally.changed
        counters = {"phase": phase, "done": done, "total": self._scanned}
        self._manifest.write_pass(replace(self._journal, counters=counters))

    def _count(self, prepared: PreparedFile, known: Mapping[str, FileRecord]) -> None:
        record = known.get(prepared.path)
        assert prepared.rows is not None
        self._tally.chunks += len(prepared.hashes)
        if prepared.error is not None:
            self._tally.failed[prepared.path] = prepared.error
        if record is None:
            self._tally.added += 1
        elif record.content_hash in ("", prepared.content_hash):
            self._tally.unchanged += 1  # parsed again by a newer extractor
        else:
            self._tally.changed += 1

    def _delete(self, paths: Sequence[str]) -> None:
        if not paths:
            return
        with self._manifest.transaction():
            self._vectors.forget(self._manifest, paths)
            self._manifest.delete_files(paths)
        self._tally.deleted += len(paths)

    def _really_deleted(self, paths: Sequence[str]) -> list[str]:
        """*paths* without those in folders that could not be listed: they may well be there."""
        sealed = tuple(one.path for one in self._tally.skipped if one.reason == reasons.UNREADABLE)
        return [path for path in paths if not path.startswith(sealed)]

    def _fingerprint(self) -> Fingerprint | None:
        """Of a large tree, all names and times: much cheaper than a walk when nothing changed."""
        expected = self._manifest.file_count()
        if expected < _FINGERPRINT_FILES:
            return None
        root = Path(self._options.root)
        return take_fingerprint(root, self._options.rules, expected_files=expected)

    def _is_as_recorded(self, fingerprint: Fingerprint | None) -> bool:
        if fingerprint is None or not fingerprint.settled or self._size.may_take_more():
            return False
        meta = self._manifest.meta()
        is_same = meta.get(FINGERPRINT) == fingerprint.digest and EMPTY_FOLDERS in meta
        return is_same and not self._manifest.pending_files()

    def _nothing_changed(self, seconds: float) -> IndexReport:
        files = self._manifest.file_count()
        skipped = self._manifest.skipped_counts()
        return IndexReport(scanned=files, unchanged=files, skipped=skipped, seconds=seconds)

    def _record(self, meta: Mapping[str, str | None]) -> None:
        """What the next pass, and the user, want to know of this one."""
        with self._manifest.transaction():
            self._manifest.replace_skipped(self._tally.skipped)
            self._manifest.replace_failed(self._failures())
            self._manifest.set_meta({**meta, **self._size.record(self._tally.left_out)})

    def _failures(self) -> list[SkippedFile]:
        """Every file that has an error, also those which failed in an earlier pass."""
        return [
            SkippedFile(record.path, "failed", record.error)
            for record in self._manifest.files().values()
            if record.error is not None
        ]

    def _report(self, seconds: float) -> IndexReport:
        tally = self._tally
        return IndexReport(
            scanned=tally.unchanged + tally.added + tally.changed,
            unchanged=tally.unchanged,
            added=tally.added,
            changed=tally.changed,
            deleted=tally.deleted,
            skipped=dict(Counter(skipped.reason for skipped in tally.skipped)),
            failed=tally.failed,
            chunks=tally.chunks,
            embedded=self._vectors.embedded,
            reused=self._vectors.reused,
            seconds=seconds,
        )
