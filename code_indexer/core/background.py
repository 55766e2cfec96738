"""Passes that run in a process of their own: started, watched, waited for."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from code_indexer.core.services import Services
from code_indexer.errors import IndexCorruptError
from code_indexer.indexing.progress import PassProgress, Phase, ReportProgress
from code_indexer.storage.locks import lock_holder, lock_info, lock_is_held
from code_indexer.types import Project

DETACHED = "detached"
"""Note in a lock file: its holder is a process that does nothing but this pass."""

_POLL_SECONDS = 0.05
_MAX_LOG_BYTES = 1_000_000
_PASSED_ON = ("ollama_url", "qdrant_url", "embed_model")
"""Settings that the new process finds in the environment or a file, unless they were flags."""


@dataclass(frozen=True, slots=True)
class PassMoment:
    """How far the pass that runs on a project has come."""

    phase: Phase = "scanning"
    done: int = 0
    """Files that the index holds as they are; when embedding, chunks with vectors."""
    total: int = 0
    seconds_left: float | None = None
    """At the pace so far; None before that is known."""

    @property
    def percent(self) -> int | None:
        """Whole percent, below 100 while the pass runs; None before that is known."""
        return min(99, 100 * self.done // self.total) if self.total else None

    @property
    def file_percent(self) -> int | None:
        """The same of files alone: while vectors are made, all of them are there."""
        return 100 if self.phase == "embedding" else self.percent

    @property
    def files_left(self) -> int | None:
        """Files that the pass has still to read; None before that is known."""
        if self.phase == "embedding":
            return 0
        return max(0, self.total - self.done) if self.total else None

    @property
    def words(self) -> str:
        """For people: ``37 % (740 of 2000 files)``."""
        if self.percent is None:
            return self.phase
        noun = "chunks have vectors" if self.phase == "embedding" else "files"
        return f"{self.percent} % ({self.done} of {self.total} {noun})"


def start_detached_pass(
    services: Services, project: Project, *, rebuild: bool = False
) -> Callable[[], bool]:
    """Start a process of its own that brings the project up to date and ends.

    Gives a question: whether it still runs.
    """
    settings = services.settings
    settings.index_root.mkdir(mode=0o700, parents=True, exist_ok=True)
    log = settings.index_root / "background.log"
    is_long = log.exists() and log.stat().st_size > _MAX_LOG_BYTES
    with log.open("wb" if is_long else "ab") as output:
        log.chmod(0o600)
        process = subprocess.Popen(
            [
                *(sys.executable, "-P", "-m", "code_indexer"),
                *("--index-root", str(settings.index_root)),
                *_flags(services),
                *("index-in-background", project.slug),
                *(["--rebuild"] if rebuild else []),
            ],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            cwd="/",
        )
    # A server that lives long must not collect processes that nobody has waited for.
    threading.Thread(target=process.wait, daemon=True).start()
    return lambda: process.poll() is None


def signal_detached_pass(services: Services, project: Project, number: int) -> None:
    """Send a signal to the detached pass that holds the project's lock, if such a one does.

    The note in the lock file may be of an earlier holder, whose number another process has now:
    the kernel has to say the same. Where it says nothing, nobody is signalled.
    """
    path = services.lock_path(project)
    note = lock_info(path)
    holder = lock_holder(path)
    if note.get(DETACHED) is True and holder is not None and holder == note.get("pid"):
        with suppress(ProcessLookupError, PermissionError):
            os.kill(holder, number)


def wait_for_pass(
    services: Services,
    project: Project,
    *,
    before: int | None,
    deadline: float,
    is_running: Callable[[], bool] = lambda: False,
    only_if_in_time: bool = False,
    progress: ReportProgress,
) -> bool:
    """Whether a pass ended well by *deadline* (``time.monotonic``), told by the time of its scan.

    It is not waited for once all structure is there and only vectors are missing.

    Args:
        services: What to work with.
        project: Whose index.
        before: When the last complete scan began.
        deadline: When to stop waiting.
        is_running: Whether a process is alive that was started for it; whoever holds the project's
            lock is waited for as well.
        only_if_in_time: Stop as soon as something is there and the pass will not end in time.
        progress: Told how far the pass is.
    """
    while True:
        is_over = not is_running() and not lock_is_held(services.lock_path(project))
        if is_over:  # a damaged manifest may have been replaced
            services.forget_manifest(project)
        if last_scan(services, project) not in (None, before):
            return True
        moment = pass_moment(services, project)
        left = deadline - time.monotonic()
        if is_over or moment.phase == "embedding" or left <= 0:
            return False
        if only_if_in_time and moment.done and (moment.seconds_left or 0.0) > left:
            return False
        progress(PassProgress(moment.phase, moment.done, moment.total))
        time.sleep(_POLL_SECONDS)


def last_scan(services: Services, project: Project) -> int | None:
    """When the last complete scan began; None without one, and where the index is damaged."""
    try:
        return services.last_scan_ns(project)
    except IndexCorruptError:
        services.forget_manifest(project)
        return None


def pass_moment(services: Services, project: Project) -> PassMoment:
    """How far the running pass is, by its journal; nothing is known before its first commit."""
    try:
        journal = services.running_pass(project)
        if journal is None or journal.state != "indexing":
            return PassMoment()
        counters = journal.counters
        if counters.get("phase") == "embedding":
            counts = services.manifest(project).counts()
            return PassMoment("embedding", counts.embedded_chunks, counts.chunks)
    except IndexCorruptError:
        services.forget_manifest(project)
        return PassMoment()
    phase: Phase = "indexing" if counters.get("phase") == "indexing" else "scanning"
    done, total = int(counters.get("done", 0)), int(counters.get("total", 0))
    left = None
    if done and journal.started is not None:
        left = (time.time() - journal.started) * (total - done) / done
    return PassMoment(phase, done, total, left)


def _flags(services: Services) -> list[str]:
    settings = services.settings
    return [
        word
        for name in _PASSED_ON
        if settings.sources.get(name) == "flag"
        for word in (f"--{name.replace('_', '-')}", str(getattr(settings, name)))
    ]
