"""The loop that runs index passes when files change: several projects, one at a time."""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from code_indexer.errors import CodeIndexerError, IndexBusyError, ProjectNotFoundError
from code_indexer.indexing.progress import PassSetAsideError
from code_indexer.types import IndexReport, Project
from code_indexer.watch.debounce import Debounce, longer_pause
from code_indexer.watch.events import NoEventsError, wait_readable
from code_indexer.watch.folders import Changes, FolderRules
from code_indexer.watch.polling import Polling, Snapshot

_LOG = logging.getLogger(__name__)

_GATHER_SECONDS = 0.05
"""Events come in crowds: the first of them is given a moment for the others to join."""

_LONGEST_HOLD_SECONDS = 120.0
"""A lock of git that is older was left behind by a git that died."""

_TURN_SECONDS = 20.0
"""For so long a pass has the watcher for itself, even when others are due."""

Reason = Literal["start", "changes", "sweep", "return"]


class Watches(Protocol):
    """Where events come from."""

    def fileno(self) -> int:
        """Readable when there are events."""

    def add(self, root: str, make_rules: Callable[[], FolderRules]) -> None:
        """Watch a project."""

    def remove(self, root: str) -> None:
        """Watch it no longer."""

    def refresh(self, root: str) -> None:
        """Watch what is to be watched by the rules as they are now."""

    def read(self) -> Changes:
        """What has happened since the last call."""

    def folder_count(self, root: str) -> int:
        """How many folders of the project are watched."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What the watcher works with."""

    list_projects: Callable[[], Sequence[Project]]
    """The projects to watch now; it is asked again and again, so it must be cheap."""
    run_pass: Callable[[Project, Callable[[], bool]], IndexReport]
    """Asks now and then whether its turn is over, and raises PassSetAsideError then."""
    make_rules: Callable[[Project], FolderRules]
    take_snapshot: Callable[[Project], Snapshot]
    is_root_gone: Callable[[str], bool]
    """Missing, unreadable or empty."""
    root_identity: Callable[[str], object]
    """Changes when another folder takes the place of the root."""
    is_git_busy: Callable[[str], bool]
    """Whether git is changing the working tree."""
    say: Callable[[str], None]
    clock: Callable[[], float] = time.monotonic
    wait: Callable[[list[int], float], None] = wait_readable


@dataclass(frozen=True, slots=True)
class Periods:
    """How long the watcher waits, in seconds."""

    quiet: float
    sweep: float


@dataclass(slots=True)
class _Watched:
    """How one project stands."""

    project: Project
    debounce: Debounce
    identity: object = None
    polling: Polling | None = None
    """Set when there are no events of it."""
    is_gone: bool = False
    wanted: Reason | None = "start"
    """A pass is due without waiting for quiet."""
    next_sweep: float = 0.0
    paused_until: float = 0.0
    held_since: float | None = None
    """Since when git keeps a pass from starting."""
    pause_seconds: float | None = None
    is_set_aside: bool = False
    """Its last pass made room for others and is to go on."""
    problem: str | None = None
    """Why the last pass failed: the class of its error."""
    last_run: float = field(default=float("-inf"))

    @property
    def root(self) -> str:
        return self.project.root

    def due_at(self) -> float | None:
        """When the next pass is to start; None while the folder is gone."""
        if self.is_gone:
            return None
        moments = [self.next_sweep]
        if self.wanted is not None:
            moments.append(self.last_run + self.debounce.quiet_seconds)
        after_quiet = self.debounce.due_at()
        if after_quiet is not None:
            moments.append(after_quiet)
        return max(min(moments), self.paused_until)

    def reason(self, now: float) -> Reason:
        """Why a pass starts now."""
        if self.wanted is not None:
            return self.wanted
        return "changes" if self.debounce.is_due(now) else "sweep"


class Watcher:
    """Runs a pass for each project at the start, after changes, and now and then."""

    def __init__(
        self, parts: Parts, periods: Periods, watches: Watches | None, *, problem: str = ""
    ) -> None:
        self._parts = parts
        self._periods = periods
        self._watches = watches
        self._no_events = problem
        self._watched: dict[str, _Watched] = {}
        self._next_look = 0.0

    def run(self, is_stopped: Callable[[], bool]) -> None:
        """Watch until *is_stopped* says so, or an exception ends it."""
        if self._watches is None:
            self._parts.say(
                f"{self._no_events}; checking the files every {self._periods.quiet:g} s instead"
            )
        if not self._parts.list_projects():
            self._parts.say("no project is registered yet; those that are added will be watched")
        while not is_stopped():
            self.step()

    def step(self) -> None:
        """Wait for the next event or moment, and do what is due; at most one pass."""
        self._look_at_roots()
        self._read_events()
        self._poll()
        watched = self._next_due()
        if watched is not None:
            self._pass(watched)
        else:
            self._sleep()

    def _sleep(self) -> None:
        now = self._parts.clock()
        moments = [self._next_look]
        for watched in self._watched.values():
            if watched.polling is not None and not watched.is_gone:
                moments.append(watched.polling.next_look)
            due = watched.due_at()
            if due is not None:
                moments.append(due)
        descriptors = [] if self._watches is None else [self._watches.fileno()]
        self._parts.wait(descriptors, min(moments) - now)
        if self._parts.clock() < min(moments):
            self._parts.wait([], _GATHER_SECONDS)

    def _look_at_roots(self) -> None:
        """Which projects there are, and whether their folders are where they were."""
        now = self._parts.clock()
        if now < self._next_look:
            return
        self._next_look = now + self._periods.quiet
        projects = {project.root: project for project in self._parts.list_projects()}
        for root in self._watched.keys() - projects.keys():
            self._stop(root)
        for root, project in projects.items():
            if root not in self._watched:
                self._start(project)
            else:
                self._look_at(self._watched[root])

    def _start(self, project: Project) -> None:
        watched = _Watched(
            project,
            Debounce(self._periods.quiet),
            next_sweep=self._parts.clock() + self._periods.sweep,
        )
        self._watched[project.root] = watched
        if self._parts.is_root_gone(project.root):
            self._lose(watched)
        else:
            self._listen(watched)

    def _stop(self, root: str) -> None:
        del self._watched[root]
        if self._watches is not None:
            self._watches.remove(root)
        self._parts.say(f"{root} is no longer registered and no longer watched")

    def _look_at(self, watched: _Watched) -> None:
        identity = self._parts.root_identity(watched.root)
        if watched.is_gone:
            if not self._parts.is_root_gone(watched.root):
                self._parts.say(f"{watched.root} is back")
                watched.is_gone = False
                watched.wanted = "return"
                self._listen(watched)
        elif identity is None:
            self._lose(watched)
        elif identity != watched.identity:
            # Another folder stands in its place; the watches still follow the old one.
            watched.debounce.note(self._parts.clock())
            self._listen(watched)

    def _lose(self, watched: _Watched) -> None:
        watched.is_gone = True
        if self._watches is not None:
            self._watches.remove(watched.root)
        self._parts.say(
            f"{watched.root} is gone or empty; its index is kept as it was until it is back"
        )

    def _listen(self, watched: _Watched) -> None:
        """Events of the project, or polling when there are none."""
        watched.identity = self._parts.root_identity(watched.root)
        watched.polling = None
        if self._watches is None:
            self._poll_instead(watched)
            return
        project = watched.project
        try:
            self._watches.add(watched.root, lambda: self._parts.make_rules(project))
        except NoEventsError as error:
            self._exhausted(watched, error)
        except (OSError, CodeIndexerError):
            self._lose(watched)
        else:
            folders = self._watches.folder_count(watched.root)
            self._parts.say(f"watching {watched.root} ({folders} folders)")

    def _exhausted(self, watched: _Watched, error: NoEventsError) -> None:
        if self._watches is not None:
            self._watches.remove(watched.root)
        hint = f" {error.hint}." if error.hint else ""
        self._parts.say(
            f"{error.message}: {watched.root} is checked every {self._periods.quiet:g} s"
            f" instead.{hint}"
        )
        self._poll_instead(watched)

    def _poll_instead(self, watched: _Watched) -> None:
        project = watched.project
        watched.polling = Polling(
            lambda: self._parts.take_snapshot(project), self._parts.clock, self._periods.quiet
        )
        # What happened between the last event and the first look is not known.
        watched.wanted = watched.wanted or "changes"

    def _read_events(self) -> None:
        if self._watches is None:
            return
        changes = self._watches.read()
        now = self._parts.clock()
        for root in changes.changed & self._watched.keys():
            self._watched[root].debounce.note(now)
        for root in changes.exhausted.keys() & self._watched.keys():
            self._exhausted(self._watched[root], changes.exhausted[root])
        if changes.gone:
            self._next_look = now
            self._look_at_roots()

    def _poll(self) -> None:
        now = self._parts.clock()
        for watched in self._watched.values():
            polling = watched.polling
            if polling is None or watched.is_gone or polling.next_look > now:
                continue
            try:
                if polling.has_changed():
                    watched.wanted = watched.wanted or "changes"
            except CodeIndexerError:
                self._next_look = now  # the root cannot be listed

    def _next_due(self) -> _Watched | None:
        """Of the projects that are due, the one whose last pass is longest ago."""
        now = self._parts.clock()
        due = []
        for watched in self._watched.values():
            moment = watched.due_at()
            if moment is not None and moment <= now:
                due.append(watched)
        return min(due, key=lambda one: (one.last_run, one.is_set_aside), default=None)

    def _pass(self, watched: _Watched) -> None:
        if self._parts.is_root_gone(watched.root):
            self._lose(watched)
            return
        now = self._parts.clock()
        reason = watched.reason(now)
        if reason == "changes" and self._waits_for_git(watched, now):
            return
        if reason == "sweep" and self._watches is not None and watched.polling is None:
            self._refresh(watched)
        watched.wanted = None
        watched.debounce.begin_pass(now)
        watched.last_run = now
        try:
            report = self._parts.run_pass(watched.project, self._turn_of(watched))
        except PassSetAsideError:
            watched.wanted = reason
            if not watched.is_set_aside:
                self._parts.say(f"pass ({reason}) {watched.root}: it takes long, and takes turns")
            watched.is_set_aside = True
        except IndexBusyError:
            # Another process indexes it; what it does not see is seen afterwards.
            watched.wanted = reason
        except ProjectNotFoundError:
            # It was removed; if that was not carried through, the next look still finds it.
            watched.wanted = reason
            self._next_look = now
        except CodeIndexerError as error:
            self._pause(watched, reason, error)
        except Exception as error:  # noqa: BLE001 - one project must not end the others
            self._pause(watched, reason, error)
        else:
            self._succeeded(watched, reason, report)
        watched.next_sweep = self._parts.clock() + self._periods.sweep

    def _turn_of(self, watched: _Watched) -> Callable[[], bool]:
        """Tells a pass that runs whether it is to make room for another project's."""
        began: float | None = None

        def is_over() -> bool:
            nonlocal began
            self._read_events()  # the kernel holds only so many
            now = self._parts.clock()
            if began is None:  # a turn in which files were only looked for would get nowhere
                began = now
            if now - began < _TURN_SECONDS:
                return False
            self._look_at_roots()
            self._poll()
            due = self._next_due()
            return due is not None and due is not watched

        return is_over

    def _waits_for_git(self, watched: _Watched, now: float) -> bool:
        """A checkout may pause for longer than the quiet period: one pass comes when it is done."""
        if not self._parts.is_git_busy(watched.root):
            watched.held_since = None
            return False
        if watched.held_since is None:
            watched.held_since = now
        watched.paused_until = now + self._periods.quiet
        return now - watched.held_since < _LONGEST_HOLD_SECONDS

    def _refresh(self, watched: _Watched) -> None:
        assert self._watches is not None
        try:
            self._watches.refresh(watched.root)
        except NoEventsError as error:
            self._exhausted(watched, error)
        except CodeIndexerError:
            self._next_look = self._parts.clock()  # the root cannot be listed

    def _pause(self, watched: _Watched, reason: Reason, error: Exception) -> None:
        watched.pause_seconds = longer_pause(watched.pause_seconds)
        watched.paused_until = self._parts.clock() + watched.pause_seconds
        watched.wanted = reason
        problem = type(error).__name__
        if problem == watched.problem:
            return
        watched.problem = problem
        text = f"{problem}: {error}"
        if isinstance(error, CodeIndexerError):
            text = error.message + (f" ({error.hint})" if error.hint else "")
        else:
            _LOG.error("a pass failed", exc_info=error)
        self._parts.say(f"{watched.root} is paused and tried again now and then: {text}")

    def _succeeded(self, watched: _Watched, reason: Reason, report: IndexReport) -> None:
        if watched.problem is not None:
            self._parts.say(f"{watched.root} goes on")
        watched.problem = watched.pause_seconds = None
        watched.is_set_aside = False
        counts = f"{report.added} added, {report.changed} changed, {report.deleted} deleted"
        self._parts.say(f"pass ({reason}) {watched.root}: {counts}, {report.seconds:.2f} s")
