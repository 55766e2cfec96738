"""Removing a project while others may be at work on it: their pass is asked to end, and waited for.

Whoever removes a project holds a second lock, the mark; a pass that sees it held ends at its next
file or batch. Killed, the remover leaves no mark, for the kernel releases it.
"""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path

from code_indexer.core.background import signal_detached_pass
from code_indexer.core.left_collections import delete_collection
from code_indexer.core.services import Services, removed_meanwhile
from code_indexer.errors import IndexBusyError, ProjectNotFoundError
from code_indexer.indexing.progress import PassProgress, PassSetAsideError, ReportProgress
from code_indexer.storage.locks import exclusive_lock, lock_is_held
from code_indexer.types import Project

_PATIENCE_SECONDS = 20.0
_POLL_SECONDS = 0.05
_LOOK_SECONDS = 0.1
_SIGNALS = ((1.0, signal.SIGTERM), (5.0, getattr(signal, "SIGKILL", signal.SIGTERM)))
"""When a detached pass that has not heeded the mark is ended otherwise; it loses nothing by it."""


class PassEndedError(ProjectNotFoundError):
    """The project is removed by another process, which has asked our pass to end."""


class _RemovalSeenError(PassSetAsideError):
    """The mark was seen."""


@contextmanager
def heeding_removal(
    services: Services, project: Project, progress: ReportProgress
) -> Iterator[ReportProgress]:
    """A listener for a pass that does what *progress* does, and ends the pass on a removal.

    Raises:
        PassEndedError: The project is being removed.
    """
    mark = services.removal_path(project.slug)
    looked = 0.0

    def report(moment: PassProgress) -> None:
        nonlocal looked
        now = time.monotonic()
        if now - looked > _LOOK_SECONDS:
            looked = now
            if lock_is_held(mark):
                raise _RemovalSeenError
        progress(moment)

    try:
        report(PassProgress("scanning"))
        yield report
    except _RemovalSeenError as error:
        found = removed_meanwhile(project)
        raise PassEndedError(found.message, hint=found.hint) from error


def wait_for_removal(services: Services, slug: str) -> None:
    """Let a removal that is under way come to its end: what is asked later, holds."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while lock_is_held(services.removal_path(slug)) and time.monotonic() < deadline:
        time.sleep(_POLL_SECONDS)


@contextmanager
def removal(services: Services, project: Project) -> Iterator[None]:
    """Hold the project's lock, if need be by having the pass that holds it ended.

    Raises:
        IndexBusyError: What holds the lock does not end in time.
    """
    started = time.monotonic()
    lock = services.lock_path(project)
    signals = list(_SIGNALS)

    def end_pass() -> None:
        if signals and time.monotonic() - started > signals[0][0]:
            signal_detached_pass(services, project, signals.pop(0)[1])

    with ExitStack() as stack:
        _enter(stack, lambda: _mark(services.removal_path(project.slug)), started, lambda: None)
        _enter(stack, lambda: exclusive_lock(lock, info={"pid": os.getpid()}), started, end_pass)
        yield


def delete_project(services: Services, project: Project) -> str | None:
    """Delete index and registration; the caller holds the project's lock.

    Returns:
        What stays on a server that does not answer, for people.
    """
    left = delete_collection(services, project)
    services.delete_folder(project)
    services.forget_registry()  # a disk that was full may have room now
    services.registry.remove(project.slug)
    # Somebody who still found it registered may have begun a new index in between.
    services.delete_folder(project)
    return left


@contextmanager
def _mark(path: Path) -> Iterator[None]:
    with exclusive_lock(path, info={"pid": os.getpid()}):
        try:
            yield
        finally:
            # While it is held: whoever opened it meanwhile finds that it is no longer there.
            with suppress(OSError):
                path.unlink()


def _enter(
    stack: ExitStack,
    lock: Callable[[], AbstractContextManager[None]],
    started: float,
    when_busy: Callable[[], None],
) -> None:
    while True:
        try:
            stack.enter_context(lock())
        except IndexBusyError as error:
            if time.monotonic() - started > _PATIENCE_SECONDS:
                raise IndexBusyError(
                    f"the index is in use, and was not given up in {_PATIENCE_SECONDS:g} s",
                    hint=error.hint,
                ) from error
        else:
            return
        when_busy()
        time.sleep(_POLL_SECONDS)
