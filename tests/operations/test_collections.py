"""Projects that want the same collection of a Qdrant server, through the command line."""

import pytest
from fakes_qdrant import FakeQdrant

FILES = {f"f{n}.py": f"def fn_{n}():\n    return 'needle-{n}'\n" for n in range(6)}
OTHER = {f"post{n}.py": f"def post_{n}():\n    return 'entry-{n}'\n" for n in range(6)}


@pytest.fixture
def qdrant(monkeypatch):
    with FakeQdrant() as fake:
        monkeypatch.setenv("QDRANT_URL", fake.url)
        monkeypatch.setenv("SERVER_PATIENCE", "0.3")
        yield fake


@pytest.fixture
def shop(run_cli, project_dir, write_files, qdrant):
    """A project with the name shop."""
    write_files(FILES)
    assert run_cli("add-project", project_dir, "--name", "shop").code == 0
    return project_dir


@pytest.fixture
def second_machine(monkeypatch, tmp_path):
    """From now on, commands are run with an index root of their own."""
    monkeypatch.setenv("INDEX_ROOT", str(tmp_path / "second-machine"))


def folder_with(tmp_path, name, files):
    folder = tmp_path / name
    folder.mkdir()
    for path, text in files.items():
        (folder / path).write_text(text)
    return folder


def held(qdrant):
    return {name: len(one.points) for name, one in qdrant.collections.items()}


def search(run_cli, project, query):
    return run_cli("semantic-search", query, "--project", project, "--json")


@pytest.fixture
def blog(shop, second_machine, run_cli, tmp_path):
    """Another project that was refused the same name on a second machine."""
    folder = folder_with(tmp_path, "blog", OTHER)
    refused = run_cli("add-project", folder, "--name", "shop")
    assert (refused.code, str(shop) in refused.err) == (2, True)
    return folder


def test_a_project_that_is_refused_its_collection_is_searched_all_the_same(run_cli, blog):
    answer = search(run_cli, blog, "entry-3")

    assert answer.code == 0
    assert answer.json()["mode"] == "lexical"
    assert answer.json()["results"][0]["path"] == "post3.py"
    assert "belongs to the project" in answer.json()["warnings"][0]
    assert run_cli("find-definition", "post_2", "--project", blog).code == 0


def test_the_status_says_that_the_collection_is_refused(run_cli, blog):
    found = run_cli("index-status", blog, "--json")

    (status,) = found.json()["projects"]
    assert (found.code, status["state"]) == (0, "failed")
    assert "--name" in status["problem"]


@pytest.mark.parametrize("command", ["reindex-project", "remove-project"])
def test_what_a_refused_project_does_leaves_the_others_points_alone(run_cli, blog, qdrant, command):
    before = held(qdrant)

    run_cli(command, blog)

    assert held(qdrant) == before


def test_another_name_is_the_way_out_of_a_refusal(run_cli, blog, qdrant):
    done = run_cli("add-project", blog, "--name", "blog")

    assert done.code == 0
    assert held(qdrant) == {"idx_shop.1": 6, "idx_blog.1": 6}
    assert search(run_cli, blog, "entry-3").json()["mode"] == "hybrid"


def test_a_strangers_collection_outlives_a_reindex(run_cli, project_dir, write_files, qdrant):
    write_files(FILES)
    qdrant.create("idx_shop", {"vectors": {"size": 4, "distance": "Dot"}})
    run_cli("add-project", project_dir, "--name", "shop")

    done = run_cli("reindex-project", project_dir)

    assert (done.code, "--adopt" in done.err) == (2, True)
    assert held(qdrant) == {"idx_shop": 0}


def test_two_machines_share_a_collection_and_each_follows_the_others_reindex(
    run_cli, shop, qdrant, tmp_path, monkeypatch
):
    first = str(tmp_path / "first-machine")
    monkeypatch.setenv("INDEX_ROOT", first)
    run_cli("add-project", shop, "--name", "shop")
    folder = folder_with(tmp_path, "checkout", FILES)
    monkeypatch.setenv("INDEX_ROOT", str(tmp_path / "second-machine"))
    added = run_cli("add-project", folder, "--name", "shop")
    assert "0 embedded, 6 reused" in added.err
    run_cli("reindex-project", folder)

    monkeypatch.setenv("INDEX_ROOT", first)
    answer = search(run_cli, shop, "needle-3")

    assert (answer.json()["mode"], answer.json()["warnings"]) == ("hybrid", [])
    assert held(qdrant) == {"idx_shop.2": 6}
