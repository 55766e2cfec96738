"""The progress bar of an index pass: on stderr, and on a terminal only."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from code_indexer.cli.session import Session, is_fancy
from code_indexer.indexing.progress import PassProgress, ReportProgress, report_nothing

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
        self._progress: object | None = None
        self._task: object | None = None

    def show(self, moment: PassProgress) -> None:
        now = time.monotonic()
        if moment.phase != self._phase:
            self._phase, self._phase_started = moment.phase, now
        if now - self._started < _PATIENCE_SECONDS:
            return
        from rich.progress import Progress

        if self._progress is None:
            self._progress = _open_bar()
            self._task = self._progress.add_task(moment.phase, detail="")
        progress = self._progress
        assert isinstance(progress, Progress)
        rate = moment.done / max(now - self._phase_started, 0.001)
        unit = "chunks" if moment.phase == "embedding" else "files"
        progress.update(
            self._task,  # type: ignore[arg-type]  # rich's own integer type
            description=moment.phase,
            completed=moment.done,
            total=moment.total or None,
            detail=f"{moment.done}/{moment.total} {unit}, {moment.chunks} chunks, {rate:.0f} {unit}/s",
        )

    def close(self) -> None:
        from rich.progress import Progress

        if isinstance(self._progress, Progress):
            self._progress.stop()


def _open_bar() -> "Progress":  # type: ignore[name-defined]  # noqa: F821 - rich loads when a bar shows
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
    return progress
