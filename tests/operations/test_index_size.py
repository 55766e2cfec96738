"""MAX_INDEX_BYTES: an index that grows no further says what it left out, and stays true."""

import pytest

from code_indexer.core.asking import Scope
from code_indexer.core.projects import add_project, index_status, reindex_project
from code_indexer.core.queries import semantic_search
from code_indexer.core.search_request import SearchRequest
from code_indexer.core.services import Services
from code_indexer.indexing import staleness
from code_indexer.settings import load_settings

FILES = 60
LIMIT = 400_000


@pytest.fixture
def project(project_dir, write_files):
    write_files({f"m{number:02}.py": source(number) for number in range(FILES)})
    return str(project_dir)


def source(number, version=0):
    return "".join(
        f"def step_{number}_{part}_{version}(value):\n"
        + "".join(f"    value += word_{number}_{line} * {part}\n" for line in range(30))
        + "    return value\n\n\n"
        for part in range(4)
    )


@pytest.fixture
def open_services(monkeypatch):
    opened = []

    def open_them(limit):
        monkeypatch.setenv("MAX_INDEX_BYTES", str(limit))
        opened.append(Services(load_settings()))
        return opened[-1]

    yield open_them
    for services in opened:
        services.close()


def status_of(services, project):
    (status,), _ = index_status(services, project)
    return status


def left_out(status):
    return [path for path, reason, _ in status.skipped_files if reason == "index-full"]


def test_an_index_stops_growing_at_its_limit_and_names_what_it_left_out(open_services, project):
    services = open_services(LIMIT)
    status = add_project(services, project).status

    assert 10 < status.files < FILES
    assert status.skipped["index-full"] == FILES - status.files == len(left_out(status))
    assert services.manifest(status.project).used_bytes() < 1.05 * LIMIT
    assert "MAX_INDEX_BYTES" in status.problem
    assert f"{FILES - status.files} files" in status.problem


def test_every_answer_says_that_files_are_left_out(open_services, project):
    services = open_services(LIMIT)
    add_project(services, project)

    answer = semantic_search(services, SearchRequest("step", Scope(projects=(project,))))

    assert "MAX_INDEX_BYTES" in answer.warnings[0]
    assert answer.results


def test_a_limit_that_was_raised_holds_for_the_next_query(open_services, project, monkeypatch):
    monkeypatch.setenv("STALE_TTL", "600")
    monkeypatch.setattr(staleness, "_SLACK_NS", 0)
    add_project(open_services(LIMIT), project)

    status = status_of(open_services(100 * LIMIT), project)

    assert (status.files, left_out(status)) == (FILES, [])


def test_what_is_indexed_stays_up_to_date(open_services, project, write_files):
    services = open_services(LIMIT)
    add_project(services, project)

    write_files({"m00.py": source(0, version=7)})

    (hit, *_) = semantic_search(
        services, SearchRequest("step_0_1_7", Scope(projects=(project,)))
    ).results
    assert hit.path == "m00.py"


def test_a_pass_over_a_full_index_parses_nothing(open_services, project):
    services = open_services(LIMIT)
    first = add_project(services, project).status

    again = status_of(services, project)

    assert (again.last_pass["added"], again.last_pass["chunks"]) == (0, 0)
    assert (again.files, left_out(again)) == (first.files, left_out(first))


def test_room_that_files_leave_is_used(open_services, project, project_dir):
    services = open_services(LIMIT)
    files = add_project(services, project).status.files
    indexed = sorted(project_dir.iterdir())[:files]

    for path in indexed[: files // 2]:
        path.unlink()
    status_of(services, project)  # the pages are free once they are gone

    assert status_of(services, project).files > files // 2 + 3


def test_a_higher_limit_lets_everything_in(open_services, project):
    add_project(open_services(LIMIT), project)

    status = status_of(open_services(100 * LIMIT), project)

    assert (status.files, status.problem, left_out(status)) == (FILES, None, [])


def test_no_limit_is_the_default(open_services, project):
    assert add_project(open_services(""), project).status.files == FILES


def test_a_reindex_keeps_to_the_limit(open_services, project):
    add_project(open_services(0), project)

    status = reindex_project(open_services(LIMIT), project).status

    assert 10 < status.files < FILES
