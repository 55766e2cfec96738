"""One incremental update of a project's index: scan, diff, parse, embed, store."""

import json
import os
import shutil
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from code_indexer.discovery import reasons
from code_indexer.discovery.fingerprint import Fingerprint, take_fingerprint
from code_indexer.discovery.outside import look_outside
from code_indexer.discovery.presence import Presence
from code_indexer.discovery.reading import read_source
from code_indexer.discovery.stamps import stamp_is_trusted
from code_indexer.discovery.walk import DiscoveryRules, walk_files
from code_indexer.errors import CodeIndexerError, StateError
from code_indexer.indexing.batches import BatchWriter, Tally
from code_indexer.indexing.diff import ScanDiff, diff_scan
from code_indexer.indexing.identity import is_structure_of, structure_meta
from code_indexer.indexing.index_size import IndexSize
from code_indexer.indexing.jobs import FileJob, PrepareOptions, is_small
from code_indexer.indexing.notes import (
    CPP_HEADERS,
    EMPTY_FOLDERS,
    FINGERPRINT,
    LAST_SCAN,
    OUTSIDE_RULES,
)
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

_FINGERPRINT_FILES = 3000
"""From so many files on a pass first asks for the tree's fingerprint."""
_EMPTY_FOLDERS = 2000
"""Most of them that are remembered."""


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
        self._tally = Tally()

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
        root = Path(self._options.root)
        presence = Presence.of(root, known)
        scan = walk_files(root, self._options.rules, known)
        cpp_headers = any(file.language == "cpp" for file in scan.files)
        outdated = self._outdated(known, cpp_headers=cpp_headers)
        diff = diff_scan(scan.files, known, is_trusted=stamp_is_trusted, reparse=outdated)
        self._scanned = len(scan.files)
        self._tally.unchanged = len(diff.unchanged)
        self._tally.skipped = list(scan.skipped)
        jobs = self._jobs(diff, known, outdated)
        if self._size.is_still_full():
            jobs = self._known_only(jobs, known)
        if self._options.only_small and not is_small(jobs):
            raise LargePassError
        if not is_small(jobs):
            self._note("indexing")
        gone = self._writer(known, cpp_headers=cpp_headers).write(jobs)
        deleted = [*self._really_deleted(diff.deleted), *gone]
        if jobs or deleted:
            presence.check()
        self._delete(deleted)
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
        self._tally.leave_out([job for job in jobs if job.found.path not in known])
        return [job for job in jobs if job.found.path in known]

    def _writer(self, known: Mapping[str, FileRecord], *, cpp_headers: bool) -> BatchWriter:
        options = self._options
        return BatchWriter(
            self._manifest,
            self._vectors,
            self._size,
            self._tally,
            known=known,
            prepare=PrepareOptions(
                options.root, options.rules.max_file_bytes, cpp_headers=cpp_headers
            ),
            workers=options.workers,
            note=lambda: self._note("indexing"),
            check_disk=self._check_disk,
            progress=self._progress,
        )

    def _note(self, phase: str) -> None:
        """Tell other processes how much of the project the index holds by now."""
        tally = self._tally
        done = tally.unchanged + tally.added + tally.changed
        counters = {"phase": phase, "done": done, "total": self._scanned}
        self._manifest.write_pass(replace(self._journal, counters=counters))

    def _delete(self, paths: Sequence[str]) -> None:
        if not paths:
            return
        with self._manifest.transaction():
            self._vectors.forget(self._manifest, paths)
            self._manifest.delete_files(paths)
        self._tally.deleted += len(paths)

    def _really_deleted(self, paths: Sequence[str]) -> list[str]:
        """*paths* without what could not be looked at, and what is below it: it may be there."""
        sealed = {one.path for one in self._tally.skipped if one.reason == reasons.UNREADABLE}
        folders = tuple(path for path in sealed if path.endswith("/") or not path)
        return [path for path in paths if path not in sealed and not path.startswith(folders)]

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
