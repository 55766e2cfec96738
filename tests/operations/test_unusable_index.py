"""An index that cannot be read or begun: said, and no reason to leave other projects alone."""

import sqlite3

import pytest

from code_indexer.core.asking import Scope
from code_indexer.core.projects import add_project, index_status, list_projects, remove_project
from code_indexer.core.queries import semantic_search
from code_indexer.core.search_request import SearchRequest
from code_indexer.core.services import Services
from code_indexer.errors import StateError
from code_indexer.settings import load_settings


@pytest.fixture
def services():
    with Services(load_settings()) as services:
        yield services


@pytest.fixture
def strange(services, project_dir, write_files, private_state):
    """A project whose manifest is of a release to come."""
    write_files({"a.py": "def alpha():\n    return 1\n"})
    project = add_project(services, str(project_dir)).status.project
    services.close()
    connection = sqlite3.connect(private_state / project.slug / "manifest.db")
    connection.execute("PRAGMA user_version = 999")
    connection.close()
    return project


@pytest.fixture
def other(services, tmp_path):
    folder = tmp_path / "other"
    folder.mkdir()
    (folder / "b.py").write_text("def bravo():\n    return 2\n")
    return add_project(services, str(folder)).status.project


def search(services, query, **scope):
    return semantic_search(services, SearchRequest(query=query, scope=Scope(**scope)))


def test_the_other_projects_answer_and_a_warning_names_the_unreadable_one(services, strange, other):
    answer = search(services, "bravo", all_projects=True)

    assert [hit.path for hit in answer.results] == ["b.py"]
    assert strange.slug in answer.warnings[0]


def test_the_only_project_asked_is_an_error(services, strange):
    with pytest.raises(StateError, match="newer"):
        search(services, "alpha", projects=(strange.root,))


def test_lists_and_states_say_which_index_cannot_be_read(services, strange, other):
    statuses, warnings = index_status(services, None)

    expected = {strange.root: "damaged", other.root: "idle"}
    assert expected == {one.project.root: one.state for one in statuses}
    assert expected == {one.project.root: one.state for one in list_projects(services)}
    assert "newer" in warnings[0]


def test_a_project_that_cannot_be_read_can_be_removed(services, strange):
    remove_project(services, strange.root)

    assert list_projects(services) == []


def test_a_first_pass_without_room_on_the_disk_is_an_error_and_not_an_empty_answer(
    services, project_dir, write_files, monkeypatch
):
    write_files({"a.py": "def alpha():\n    return 1\n"})
    monkeypatch.setenv("MIN_FREE_DISK", "1000000GB")

    with (
        Services(load_settings()) as cramped,
        pytest.raises(StateError, match="free on the disk"),
    ):
        search(cramped, "alpha", projects=(str(project_dir),))
    (status,), _ = index_status(services, str(project_dir))
    assert status.state == "idle"


def test_a_later_pass_without_room_answers_from_what_is_indexed(
    services, project_dir, write_files, monkeypatch
):
    write_files({"a.py": "def alpha():\n    return 1\n"})
    add_project(services, str(project_dir))
    write_files({"b.py": "def bravo():\n    return 1\n"})
    monkeypatch.setenv("MIN_FREE_DISK", "1000000GB")

    with Services(load_settings()) as cramped:
        answer = search(cramped, "alpha", projects=(str(project_dir),))

    assert answer.results[0].path == "a.py"
    assert "free on the disk" in answer.warnings[0]
