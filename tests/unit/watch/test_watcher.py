"""The loop, with a clock that jumps, made-up events and a pass that only counts."""

from dataclasses import dataclass, field

import pytest

from code_indexer.errors import IndexBusyError, ProjectNotFoundError, ServiceUnavailableError
from code_indexer.identity import collection_name, slug_of
from code_indexer.indexing.progress import PassSetAsideError
from code_indexer.types import IndexReport, Project
from code_indexer.watch.events import NoEventsError
from code_indexer.watch.folders import Changes
from code_indexer.watch.watcher import Parts, Periods, Watcher

QUIET, SWEEP = 3.0, 300.0


def make_project(root):
    return Project(root, slug_of(root), None, collection_name(slug_of(root), None))


@dataclass
class FakeWatches:
    """Events are what the test puts into ``coming``: a moment, and what is heard then."""

    world: "World"
    refused: set[str] = field(default_factory=set)
    watched: set[str] = field(default_factory=set)
    refreshed: list[str] = field(default_factory=list)

    def fileno(self):
        return 0

    def add(self, root, _make_rules):
        if root in self.refused:
            raise NoEventsError("the limit is reached", hint="Raise it")
        self.watched.add(root)

    def remove(self, root):
        self.watched.discard(root)

    def refresh(self, root):
        self.refreshed.append(root)

    def folder_count(self, _root):
        return 1

    def read(self):
        changes = Changes()
        while self.world.coming and self.world.coming[0][0] <= self.world.now:
            heard = self.world.coming.pop(0)[1]
            if heard[0] == "/":
                changes.changed.add(heard)
            else:
                changes.gone.add(heard.removeprefix("gone "))
        return changes


class World:
    """Everything around the watcher."""

    def __init__(self, *roots, with_events=True, quiet=QUIET):
        self.now = 0.0
        self.projects = [make_project(root) for root in roots]
        self.coming = []
        self.passes = []
        self.said = []
        self.gone = set()
        self.identities = {}
        self.files = {}
        self.failures = {}
        self.pass_seconds = 0.0
        self.work = {}
        """Seconds of a long pass that are left, by project."""
        self.git_busy_until = 0.0
        self.watches = FakeWatches(self) if with_events else None
        parts = Parts(
            list_projects=lambda: self.projects,
            run_pass=self.run_pass,
            make_rules=lambda _: None,
            take_snapshot=lambda _: dict(self.files),
            is_root_gone=lambda root: root in self.gone,
            root_identity=lambda root: None if root in self.gone else self.identities.get(root, 1),
            is_git_busy=lambda _: self.now < self.git_busy_until,
            say=self.said.append,
            clock=lambda: self.now,
            wait=self.wait,
        )
        self.watcher = Watcher(parts, Periods(quiet, SWEEP), self.watches, problem="no watchdog")

    def wait(self, descriptors, seconds):
        end = self.now + max(seconds, 0.0)
        if descriptors and self.coming and self.coming[0][0] < end:
            end = max(self.now, self.coming[0][0])
        self.now = end

    def run_pass(self, project, is_turn_over):
        self.passes.append((round(self.now, 2), project.root))
        self.now += self.pass_seconds
        while self.work.get(project.root, 0.0) > 0:
            self.now += 1.0
            self.work[project.root] -= 1.0
            if is_turn_over():
                raise PassSetAsideError
        error = self.failures.get(project.root)
        if error is not None:
            raise error
        return IndexReport()

    def run_until(self, end):
        self.watcher.run(lambda: self.now >= end)

    def moments(self, root="/a"):
        return [moment for moment, passed in self.passes if passed == root]


def test_there_is_one_pass_at_the_start_and_none_without_events():
    world = World("/a")

    world.run_until(SWEEP - 1)

    assert world.moments() == [0.0]


def test_without_any_project_it_says_that_it_waits_for_one():
    world = World()

    world.run_until(10)

    assert ["no project is registered yet; those that are added will be watched"] == world.said


def test_a_sweep_comes_after_its_interval_and_renews_the_watches():
    world = World("/a")

    world.run_until(2 * SWEEP + 10)

    assert world.moments() == [0.0, SWEEP, 2 * SWEEP]
    assert world.watches.refreshed == ["/a", "/a"]


def test_a_change_is_followed_by_a_pass_after_the_quiet_period():
    world = World("/a")
    world.coming = [(20.0, "/a")]

    world.run_until(60)

    assert len(world.moments()) == 2
    assert 23.0 <= world.moments()[1] <= 23.2


def test_a_long_burst_gets_one_pass():
    world = World("/a")
    world.coming = [(20 + i / 100, "/a") for i in range(1000)]

    world.run_until(100)

    assert len(world.moments()) == 2


def test_a_pass_waits_until_git_is_done():
    world = World("/a")
    world.git_busy_until = 50.0
    world.coming = [(float(moment), "/a") for moment in (20, 21, 30, 45)]

    world.run_until(100)

    assert len(world.moments()) == 2
    assert 50.0 <= world.moments()[1] <= 50.0 + QUIET


def test_a_lock_that_git_left_behind_holds_up_nothing_for_ever():
    world = World("/a")
    world.git_busy_until = 1e9
    world.coming = [(20.0, "/a")]

    world.run_until(SWEEP - 1)

    assert len(world.moments()) == 2


def test_a_tree_that_never_rests_is_indexed_all_the_same():
    world = World("/a")
    world.coming = [(float(i), "/a") for i in range(10, 130)]

    world.run_until(130)

    assert 4 <= len(world.moments()) <= 6


def test_a_pass_puts_off_the_next_sweep():
    world = World("/a")
    world.coming = [(SWEEP - 20, "/a")]

    world.run_until(2 * SWEEP - 20)

    assert len(world.moments()) == 2


def test_projects_take_turns():
    world = World("/a", "/b", "/c", quiet=1.0)
    world.pass_seconds = 5.0
    world.coming = [(i / 2, root) for i in range(200) for root in ("/a", "/b", "/c")]

    world.run_until(100)

    order = [root for _, root in world.passes]
    assert order[:9] == ["/a", "/b", "/c"] * 3


def test_a_long_pass_makes_room_for_the_others_and_goes_on():
    world = World("/a", "/b")
    world.work = {"/a": 100.0}
    world.coming = [(30.0, "/b"), (70.0, "/b")]

    world.run_until(130)

    assert world.work == {"/a": 0.0}
    assert world.moments("/b") == [21.0, 42.0, 73.0]
    assert world.moments("/a") == [0.0, 21.0, 42.0, 73.0]
    assert [text for text in world.said if "takes turns" in text] == [
        "pass (start) /a: it takes long, and takes turns"
    ]


def test_a_long_pass_that_nobody_waits_for_runs_to_its_end():
    world = World("/a", "/b")
    world.run_until(10)
    world.work = {"/a": 100.0}
    world.coming = [(20.0, "/a")]

    world.run_until(200)

    assert len(world.moments("/a")) == 2


def test_events_are_heard_during_a_long_pass():
    """The kernel keeps only so many of them."""
    world = World("/a")
    world.work = {"/a": 10.0}
    world.coming = [(float(second), "/a") for second in range(1, 9)]

    world.run_until(5)

    assert world.coming == []


def test_a_project_that_is_removed_during_its_pass_is_not_called_a_failure():
    world = World("/a")
    world.run_until(1)
    world.failures["/a"] = ProjectNotFoundError("/a was removed meanwhile")
    world.coming = [(2.0, "/a")]
    world.run_until(5.5)
    world.projects = []

    world.run_until(10)

    assert not any("paused" in text for text in world.said)
    assert world.said[-1] == "/a is no longer registered and no longer watched"


def test_a_busy_project_is_tried_again_in_silence():
    world = World("/a")
    world.failures["/a"] = IndexBusyError("indexing in progress")
    world.run_until(10)
    tried = len(world.passes)
    world.failures.clear()
    world.run_until(20)

    assert tried == 4
    assert not any("paused" in text for text in world.said)


def test_a_service_that_is_down_is_said_once_and_tried_less_and_less_often():
    world = World("/a", "/b")
    world.failures["/a"] = ServiceUnavailableError("Ollama does not answer", hint="Start it")

    world.run_until(SWEEP)

    assert [text for text in world.said if "Ollama" in text] == [
        "/a is paused and tried again now and then: Ollama does not answer (Start it)"
    ]
    assert world.moments("/a")[:5] == [0.0, 5.0, 15.0, 35.0, 75.0]
    assert world.moments("/b") == [0.0]


def test_a_service_that_is_back_is_said_once():
    world = World("/a")
    world.failures["/a"] = ServiceUnavailableError("Ollama does not answer")
    world.run_until(20)
    world.failures.clear()

    world.run_until(200)

    assert world.said.count("/a goes on") == 1


def test_a_pass_that_fails_for_any_reason_does_not_end_the_watcher():
    world = World("/a", "/b")
    world.failures["/a"] = RuntimeError("surprise")

    world.run_until(4)

    assert world.moments("/b") == [0.0]
    assert any("RuntimeError: surprise" in text for text in world.said)


def test_a_root_that_is_gone_is_left_alone_and_said_once():
    world = World("/a")
    world.run_until(10)
    world.gone.add("/a")
    world.coming = [(11.0, "gone /a")]

    world.run_until(2 * SWEEP)

    assert world.moments() == [0.0]
    assert len([text for text in world.said if "gone" in text]) == 1
    assert world.watches.watched == set()


def test_a_root_that_returns_is_indexed_and_watched_again():
    world = World("/a")
    world.gone.add("/a")
    world.run_until(50)
    world.gone.clear()

    world.run_until(60)

    assert len(world.moments()) == 1
    assert world.watches.watched == {"/a"}


def test_another_folder_in_the_place_of_the_root_is_indexed_and_watched():
    world = World("/a")
    world.run_until(10)
    world.identities["/a"] = 2
    world.watches.watched.clear()

    world.run_until(20)

    assert len(world.moments()) == 2
    assert world.watches.watched == {"/a"}


def test_without_events_files_are_looked_at_every_quiet_period():
    world = World("/a", with_events=False)
    world.run_until(20)
    world.files["x.py"] = 1

    world.run_until(24)

    assert len(world.moments()) == 2
    assert world.said[0] == "no watchdog; checking the files every 3 s instead"


def test_a_project_that_runs_out_of_watches_is_looked_at_and_the_others_are_watched():
    world = World("/a", "/b")
    world.watches.refused.add("/a")
    world.run_until(20)
    world.files["x.py"] = 1

    world.run_until(SWEEP - 1)

    assert len(world.moments("/a")) == 2
    assert len(world.moments("/b")) == 1
    assert len([text for text in world.said if "the limit is reached" in text]) == 1


def test_projects_that_come_and_go_are_followed():
    world = World("/a")
    world.run_until(10)
    world.projects = [make_project("/b")]

    world.run_until(2 * SWEEP - 20)

    assert world.moments("/a") == [0.0]
    assert len(world.moments("/b")) == 2
    assert world.watches.watched == {"/b"}


@pytest.mark.parametrize("heard", ["/a", "gone /a"])
def test_late_events_of_a_project_that_is_no_longer_watched_do_no_harm(heard):
    world = World("/a")
    world.run_until(10)
    world.projects = []
    world.run_until(20)
    world.coming = [(21.0, heard)]

    world.run_until(30)

    assert world.moments() == [0.0]


def test_an_idle_watcher_wakes_once_in_a_quiet_period():
    world = World("/a")
    world.run_until(10)
    waits = []
    wait = world.wait

    def counted(descriptors, seconds):
        if descriptors:
            waits.append(seconds)
        wait(descriptors, seconds)

    object.__setattr__(world.watcher._parts, "wait", counted)

    world.run_until(SWEEP - 1)

    assert len(waits) <= SWEEP / QUIET
