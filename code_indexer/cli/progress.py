"""What an index pass does, on stderr: a bar on a terminal, words for who wants them."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from code_indexer.cli.session import Session, is_fancy
from code_indexer.indexing.progress import PassProgress, ReportProgress, report_nothing

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from code_indexer.core.services import Services

_PATIENCE_SECONDS = 0.3
"""A pass that is done sooner shows no bar."""


@contextmanager
def progress_on(session: Session) -> Iterator[ReportProgress]:
    """A listener that draws or tells, for as long as the block runs."""
    shown: _Bar | _Words
    if session.quiet:
        yield report_nothing
        return
    if session.verbose:
        shown = _Words(session)
    elif is_fancy(sys.stderr):
        shown = _Bar()
    else:
        yield report_nothing
        return
    try:
        yield shown.show
    finally:
        shown.close()


class _Words:
    """A line for each phase of a pass when it ends, and how long all of it took."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._started = time.monotonic()
        self._last: PassProgress | None = None

    def show(self, moment: PassProgress) -> None:
        """Tell of the phase before, where another has begun."""
        if self._last is not None and self._last.phase != moment.phase:
            self._tell(self._last)
        self._last = moment

    def close(self) -> None:
        """Tell of the last phase, and of the time."""
        if self._last is not None:
            self._tell(self._last)
        self._session.note(f"took {time.monotonic() - self._started:.2f} s")

    def _tell(self, moment: PassProgress) -> None:
        counts = f": {moment.done} of {moment.total} {_unit(moment)}" if moment.total else ""
        self._session.note(f"{moment.phase}{counts}")


def _unit(moment: PassProgress) -> str:
    return "chunks" if moment.phase == "embedding" else "files"


class _Bar:
    """A rich progress bar that appears once it is worth it."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._phase_started = self._started
        self._phase = ""
        self._drawn: tuple[Progress, TaskID] | None = None

    def show(self, moment: PassProgress) -> None:
        """Draw the present state."""
        now = time.monotonic()
        if moment.phase != self._phase:
            self._phase, self._phase_started = moment.phase, now
        if now - self._started < _PATIENCE_SECONDS:
            return
        if self._drawn is None:
            self._drawn = _open_bar()
        progress, task = self._drawn
        unit = _unit(moment)
        rate = moment.done / max(now - self._phase_started, 0.001)
        counts = f"{moment.done}/{moment.total} {unit}, {moment.chunks} chunks"
        progress.update(
            task,
            description=moment.phase,
            completed=moment.done,
            total=moment.total or None,
            detail=f"{counts}, {rate:.0f} {unit}/s" if moment.total else "",
        )

    def close(self) -> None:
        """Take the bar away."""
        if self._drawn is not None:
            self._drawn[0].stop()


def _open_bar() -> "tuple[Progress, TaskID]":
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[detail]}"),
        TimeRemainingColumn(compact=True),
        console=Console(stderr=True),
        transient=True,
    )
    progress.start()
    return progress, progress.add_task("", detail="")


def pull_model(session: Session, services: "Services") -> None:
    """Have Ollama download the model that is missing, with a bar on a terminal."""
    ollama = services.engines.ollama()
    if ollama is None:
        return
    if session.quiet or not is_fancy(sys.stderr):
        ollama.pull(lambda _: None)
        return
    progress, task = _open_bar()
    try:
        ollama.pull(
            lambda moment: progress.update(
                task,
                description=f"pulling {ollama.model}",
                completed=moment.completed_bytes,
                total=moment.total_bytes or None,
                detail=moment.status,
            )
        )
    finally:
        progress.stop()
