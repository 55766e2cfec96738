"""The watcher of registered projects, put together from the parts it needs."""

import sys
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from code_indexer.core.freshness import is_root_gone
from code_indexer.core.passes import run_pass
from code_indexer.core.services import Services
from code_indexer.discovery.fingerprint import take_fingerprint
from code_indexer.discovery.repository import repository_around
from code_indexer.discovery.stepwise import FolderWalk
from code_indexer.identity import file_identity
from code_indexer.indexing.progress import PassProgress, PassSetAsideError
from code_indexer.settings import Settings
from code_indexer.types import IndexReport, Project
from code_indexer.watch.events import NoEventsError, open_inotify, open_observer
from code_indexer.watch.folders import FolderRules, FolderWatches
from code_indexer.watch.observed import ObservedTrees
from code_indexer.watch.polling import Snapshot
from code_indexer.watch.signals import Stop
from code_indexer.watch.watcher import Parts, Periods, Watcher, Watches

_ASK_SECONDS = 0.5


def watch_projects(
    settings: Settings,
    roots: Collection[str] | None,
    say: Callable[[str], None],
    stop: Stop,
    is_kept: Callable[[], bool] = lambda: True,
) -> None:
    """Keep the projects at *roots* fresh, or all that are registered, until told to stop.

    It ends as well when *is_kept* says that another watcher has taken over.
    """

    def is_over() -> bool:
        if stop.is_requested or is_kept():
            return stop.is_requested
        say("another watcher has taken over")
        return True

    registered = _Registered(settings, roots)
    parts = Parts(
        list_projects=registered.projects,
        run_pass=lambda project, is_over: _run_pass(settings, project, is_over, stop),
        make_rules=lambda project: _make_rules(settings, project),
        take_snapshot=lambda project: _take_snapshot(settings, project),
        is_root_gone=is_root_gone,
        root_identity=file_identity,
        is_git_busy=_is_git_busy,
        say=say,
    )
    with _opened_watches() as (watches, problem):
        Watcher(parts, periods_of(settings), watches, problem=problem).run(is_over)


def periods_of(settings: Settings) -> Periods:
    """How long the watcher waits."""
    quiet = settings.watch_quiet_period or settings.watch_debounce
    return Periods(quiet=quiet, sweep=settings.watch_sweep_interval)


class _Registered:
    """The projects to watch, read anew only when the registry has been written to."""

    def __init__(self, settings: Settings, roots: Collection[str] | None) -> None:
        self._settings = settings
        self._roots = roots
        self._stamp: object = None
        self._projects: list[Project] = []

    def projects(self) -> list[Project]:
        stamp = self._present_stamp()
        if self._stamp is None or stamp != self._stamp:
            with Services(self._settings) as services:
                projects = services.projects()
            self._projects = [p for p in projects if self._roots is None or p.root in self._roots]
            self._stamp = stamp
        return self._projects

    def _present_stamp(self) -> object:
        path = self._settings.index_root / "registry.db"
        return tuple(_stamp_of(Path(f"{path}{suffix}")) for suffix in ("", "-wal"))


def _stamp_of(path: Path) -> object:
    try:
        status = path.stat()
    except OSError:
        return None
    return (status.st_ino, status.st_size, status.st_mtime_ns)


def _run_pass(
    settings: Settings, project: Project, is_over: Callable[[], bool], stop: Stop
) -> IndexReport:
    asked = time.monotonic()

    def give_way(moment: PassProgress) -> None:
        nonlocal asked
        now = time.monotonic()
        if moment.phase != "scanning" and now - asked > _ASK_SECONDS:
            asked = now
            if stop.is_requested or is_over():
                raise PassSetAsideError

    # Opened for each pass: a rebuild may have replaced the databases since the last one.
    with Services(settings) as services:
        return run_pass(services, project, progress=give_way)


def _make_rules(settings: Settings, project: Project) -> FolderRules:
    with Services(settings) as services:
        # A file of settings that is half written must not end the watcher; the pass says so.
        return FolderWalk(Path(project.root), services.discovery_rules(project, strict=False))


def _take_snapshot(settings: Settings, project: Project) -> Snapshot:
    with Services(settings) as services:
        rules = services.discovery_rules(project, strict=False)
        return take_fingerprint(Path(project.root), rules).digest


def _is_git_busy(root: str) -> bool:
    repository = repository_around(Path(root))
    return repository is not None and (repository.git_folder / "index.lock").exists()


@contextmanager
def _opened_watches() -> Iterator[tuple[Watches | None, str]]:
    """Where events come from; or nothing, and why."""
    watches: FolderWatches | ObservedTrees
    try:
        if sys.platform == "linux":
            watches = FolderWatches(open_inotify())
        else:
            watches = ObservedTrees(open_observer())
    except NoEventsError as error:
        yield None, f"{error.message}. {error.hint}" if error.hint else error.message
        return
    try:
        yield watches, ""
    finally:
        watches.close()
