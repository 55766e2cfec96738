"""A project that another process removes, or removes and adds again, while this one works on it."""

import shutil

import pytest

from code_indexer.core.asking import Scope, ask_projects
from code_indexer.core.projects import add_project, index_status, remove_project
from code_indexer.core.queries import semantic_search
from code_indexer.core.search_request import SearchRequest
from code_indexer.core.services import Services
from code_indexer.errors import IndexBusyError, ProjectNotFoundError, StateError
from code_indexer.settings import load_settings


@pytest.fixture
def services(project_dir, write_files):
    write_files({"a.py": "def alpha():\n    return 1\n"})
    with Services(load_settings()) as services:
        add_project(services, str(project_dir))
        yield services


@pytest.fixture
def elsewhere():
    """What another process would work with."""
    with Services(load_settings()) as services:
        yield services


def test_a_pass_writes_to_the_index_that_is_there_now(
    services, elsewhere, project_dir, write_files
):
    remove_project(elsewhere, str(project_dir))
    add_project(elsewhere, str(project_dir))
    elsewhere.close()

    write_files({"b.py": "def bravo():\n    return 2\n"})
    request = SearchRequest("bravo", Scope(projects=(str(project_dir),)))
    assert semantic_search(services, request).results[0].path == "b.py"

    with Services(load_settings()) as later:
        request = SearchRequest("bravo", Scope(projects=(str(project_dir),), skip_stale_check=True))
        assert semantic_search(later, request).results[0].path == "b.py"


def test_a_question_about_a_project_that_goes_meanwhile_is_a_wrong_request(
    services, elsewhere, project_dir
):
    def ask(project, manifest):
        remove_project(elsewhere, str(project_dir))
        raise StateError("disk I/O error")

    with pytest.raises(ProjectNotFoundError, match="removed meanwhile"):
        ask_projects(services, Scope(projects=(str(project_dir),)), ask)


def test_a_question_is_asked_again_when_the_index_was_replaced(services, elsewhere, project_dir):
    asked = []

    def ask(project, manifest):
        asked.append(manifest.path)
        if len(asked) == 1:
            remove_project(elsewhere, str(project_dir))
            add_project(elsewhere, str(project_dir))
            raise StateError("disk I/O error")
        return sorted(manifest.files())

    (one,) = ask_projects(services, Scope(projects=(str(project_dir),)), ask)

    assert (one.answer, len(asked)) == (["a.py"], 2)


def test_an_error_of_an_index_that_is_still_there_is_told(services, project_dir):
    def ask(project, manifest):
        raise StateError("disk I/O error")

    with pytest.raises(StateError, match="disk I/O error"):
        ask_projects(services, Scope(projects=(str(project_dir),)), ask)


def test_the_state_of_a_project_that_goes_meanwhile_is_a_wrong_request(
    services, elsewhere, project_dir, monkeypatch
):
    def gone(*arguments, **options):
        remove_project(elsewhere, str(project_dir))
        raise StateError("disk I/O error")

    monkeypatch.setattr("code_indexer.core.projects.ensure_fresh", gone)
    with pytest.raises(ProjectNotFoundError, match="removed meanwhile"):
        index_status(services, str(project_dir))


def test_an_index_is_never_seen_half_removed(services, project_dir, monkeypatch, private_state):
    (project,) = services.projects()
    seen = []
    really = shutil.rmtree

    def rmtree(folder, **options):
        seen.append((private_state / project.slug).exists())
        really(folder, **options)

    monkeypatch.setattr(shutil, "rmtree", rmtree)
    remove_project(services, str(project_dir))

    assert seen == [False]
    assert [path.name for path in private_state.iterdir() if path.is_dir()] == []


def test_a_removal_that_was_killed_is_ended_by_the_next(services, project_dir, private_state):
    (project,) = services.projects()
    leftover = private_state / f"{project.slug}.removed-1"
    leftover.mkdir()
    (leftover / "manifest.db").write_bytes(b"what was left")

    remove_project(services, str(project_dir))

    assert not leftover.exists()


def test_a_removal_that_was_killed_is_ended_by_an_addition_too(
    services, project_dir, private_state
):
    (project,) = services.projects()
    remove_project(services, str(project_dir))
    leftover = private_state / f"{project.slug}.removed-1"
    leftover.mkdir()

    add_project(services, str(project_dir))

    assert not leftover.exists()


def test_a_search_of_all_projects_does_without_one_that_goes_meanwhile(
    services, elsewhere, project_dir, tmp_path
):
    other = tmp_path / "other"
    other.mkdir()
    (other / "b.py").write_text("def bravo():\n    return 2\n")
    add_project(services, str(other))

    def ask(project, manifest):
        if project.root == str(project_dir):
            remove_project(elsewhere, str(project_dir))
            raise ProjectNotFoundError("removed meanwhile")
        return sorted(manifest.files())

    (one,) = ask_projects(services, Scope(all_projects=True), ask)

    assert one.answer == ["b.py"]


def test_an_addition_holds_against_removals_and_another_pass(
    services, elsewhere, project_dir, monkeypatch
):
    """Removed twice before the pass could begin, and then another process is quicker."""
    remove_project(services, str(project_dir))
    errors = [ProjectNotFoundError("gone"), ProjectNotFoundError("gone"), IndexBusyError("busy")]

    def run_pass(services, project, **options):
        error = errors.pop(0)
        if isinstance(error, ProjectNotFoundError):
            services.registry.remove(project.slug)
        raise error

    monkeypatch.setattr("code_indexer.core.projects.run_pass", run_pass)
    added = add_project(services, str(project_dir))

    assert (added.in_background, errors) == (True, [])
    assert [one.root for one in elsewhere.projects()] == [str(project_dir)]
