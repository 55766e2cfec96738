"""The progress bar of an index pass: on stderr, and on a terminal only."""

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
    """A listener that draws, for as long as the block runs."""
    if session.quiet or not is_fancy(sys.stderr):
        yield report_nothing
        return
    bar = _Bar()
    try:
        yield bar.show
    finally:
        bar.close()


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
        unit = "chunks" if moment.phase == "embedding" else "files"
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
