"""What is waited for, and how long: one limit for all the projects of a question."""

from dataclasses import replace

import pytest

from code_indexer.core import freshness
from code_indexer.core.asking import Scope, ask_projects
from code_indexer.core.projects import add_project
from code_indexer.core.services import Services
from code_indexer.settings import load_settings


@pytest.fixture
def services():
    with Services(load_settings()) as opened:
        yield opened


@pytest.fixture
def two_projects(services, tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "m.py").write_text("x = 1\n")
        add_project(services, str(tmp_path / name))
    return tmp_path


def warnings_of(services, scope):
    return [asked.warning for asked in ask_projects(services, scope, lambda *_: 1)]


def test_projects_that_there_was_no_time_for_are_answered_unchecked_and_say_so(
    services, two_projects, monkeypatch
):
    clock = iter(range(0, 1000, 10))
    monkeypatch.setattr("code_indexer.core.asking.time.monotonic", lambda: next(clock))

    said = warnings_of(services, Scope(all_projects=True, max_wait=15.0))

    assert said == [
        None,
        f"not looked at for changes, as the time was up: {two_projects}/two",
    ]


def test_with_time_enough_every_project_is_looked_at(services, two_projects):
    assert warnings_of(services, Scope(all_projects=True, max_wait=100.0)) == [None, None]


def test_a_large_first_pass_runs_in_a_process_of_its_own_and_is_waited_for(
    services, tmp_path, monkeypatch
):
    monkeypatch.setattr(freshness, "_FIRST_SCANNED_HERE", 2)
    for number in range(5):
        (tmp_path / f"m{number}.py").write_text(f"def f{number}(): pass\n")
    scope = Scope(projects=(str(tmp_path),), max_wait=60.0)
    seen = []

    (asked,) = ask_projects(
        services, scope, lambda _, manifest: manifest.counts().files, seen.append
    )

    assert (asked.answer, asked.warning, asked.status.percent) == (5, None, 100)
    assert (services.settings.index_root / "background.log").exists()


def test_a_cancelled_question_stops_waiting(services, tmp_path, monkeypatch):
    monkeypatch.setattr(freshness, "_FIRST_SCANNED_HERE", 2)
    for number in range(5):
        (tmp_path / f"m{number}.py").write_text(f"def f{number}(): pass\n")

    class CancelledError(Exception):
        pass

    def cancel(moment):
        raise CancelledError

    scope = replace(Scope(projects=(str(tmp_path),)), max_wait=60.0)
    with pytest.raises(CancelledError):
        ask_projects(services, scope, lambda *_: 1, cancel)
