"""Projects that want the same collection of a Qdrant server, through the command line."""

import time

import pytest
from fakes_qdrant import FakeQdrant

from code_indexer.core.projects import reindex_project
from code_indexer.core.services import Services
from code_indexer.errors import CodeIndexerError, ServiceUnavailableError
from code_indexer.settings import load_settings

FILES = {f"f{n}.py": f"def fn_{n}():\n    return 'needle-{n}'\n" for n in range(6)}
DOWN = "http://127.0.0.1:1"
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


def search(run_cli, project, query, *options):
    return run_cli("semantic-search", query, "--project", project, "--json", *options)


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


# Removal while the server is away


def test_a_project_is_removed_while_qdrant_is_down_and_its_collection_by_a_later_pass(
    run_cli, shop, qdrant, tmp_path, monkeypatch
):
    monkeypatch.setenv("QDRANT_URL", DOWN)
    removed = run_cli("remove-project", "shop")
    assert (removed.code, "idx_shop stays" in removed.err) == (0, True)
    assert run_cli("list-projects", "--json").json()["projects"] == []

    monkeypatch.setenv("QDRANT_URL", qdrant.url)
    run_cli("add-project", folder_with(tmp_path, "blog", OTHER))

    assert "idx_shop" not in qdrant.aliases
    assert len(qdrant.collections) == 1


@pytest.mark.parametrize("address", ["", "http://127.0.0.1:1"])
def test_a_project_that_is_added_again_keeps_what_its_removal_left(
    run_cli, shop, qdrant, monkeypatch, address
):
    monkeypatch.setenv("QDRANT_URL", address)
    removed = run_cli("remove-project", "shop", "--json")
    assert "idx_shop" in removed.json()["projects"][0]["problem"]

    monkeypatch.setenv("QDRANT_URL", qdrant.url)
    again = run_cli("add-project", shop, "--name", "shop")

    assert "0 embedded, 6 reused" in again.err
    assert held(qdrant) == {"idx_shop.1": 6}
    assert search(run_cli, shop, "needle-3").json()["mode"] == "hybrid"


def test_a_project_with_a_damaged_index_is_removed_with_its_collection(
    run_cli, shop, qdrant, private_state
):
    (manifest,) = private_state.glob("*/manifest.db")
    manifest.write_bytes(b"damaged " * 1000)

    assert run_cli("remove-project", "shop").code == 0
    assert held(qdrant) == {}


def test_removing_a_project_that_never_had_a_collection_speaks_of_none(
    run_cli, project_dir, write_files
):
    write_files(FILES)
    run_cli("add-project", project_dir)

    removed = run_cli("remove-project", project_dir)

    assert (removed.code, removed.err) == (0, "")


# A collection that was deleted by somebody


def let_stamps_settle(monkeypatch):
    """From now on the files are older than a scan that begins now."""
    monkeypatch.setattr(time, "time_ns", lambda now=time.time_ns: now() + 10_000_000_000)


def lose(qdrant):
    qdrant.collections.clear()
    qdrant.aliases.clear()


def test_the_query_after_the_one_that_finds_the_collection_gone_has_it_restored(
    run_cli, shop, qdrant, monkeypatch
):
    monkeypatch.setenv("STALE_TTL", "10m")
    let_stamps_settle(monkeypatch)
    search(run_cli, shop, "needle-3")
    lose(qdrant)

    first = search(run_cli, shop, "needle-3")
    second = search(run_cli, shop, "needle-3")

    assert (first.code, first.json()["mode"]) == (0, "lexical")
    assert (second.json()["mode"], second.json()["warnings"]) == ("hybrid", [])
    assert list(held(qdrant).values()) == [6]


def test_a_lost_collection_is_noticed_in_a_large_project_where_no_file_changed(
    run_cli, shop, qdrant, monkeypatch
):
    monkeypatch.setattr("code_indexer.indexing.index_pass._FINGERPRINT_FILES", 1)
    let_stamps_settle(monkeypatch)
    search(run_cli, shop, "needle-3")
    lose(qdrant)

    assert search(run_cli, shop, "needle-3").json()["mode"] == "hybrid"
    assert list(held(qdrant).values()) == [6]


def test_nothing_is_said_to_be_left_of_a_collection_that_was_migrated_away(
    run_cli, shop, qdrant, monkeypatch
):
    moved = run_cli("migrate", "--to", "embedded", "--project", "shop")
    monkeypatch.delenv("QDRANT_URL")

    removed = run_cli("remove-project", "shop")

    assert "leave QDRANT_URL unset" in moved.err
    assert (removed.code, removed.err) == (0, "")


def test_removing_a_project_that_never_reached_qdrant_speaks_of_no_collection(
    run_cli, project_dir, write_files, monkeypatch
):
    write_files(FILES)
    monkeypatch.setenv("QDRANT_URL", DOWN)
    monkeypatch.setenv("SERVER_PATIENCE", "0.3")
    run_cli("add-project", project_dir)

    removed = run_cli("remove-project", project_dir)

    assert (removed.code, removed.err) == (0, "")


def test_a_reindex_elsewhere_says_that_a_server_is_down(run_cli, shop, monkeypatch):
    monkeypatch.setenv("QDRANT_URL", DOWN)

    with (
        Services(load_settings()) as services,
        pytest.raises(ServiceUnavailableError, match=DOWN),
    ):
        reindex_project(services, str(shop), max_wait=20)


def test_a_reindex_elsewhere_that_fails_is_not_called_done(run_cli, shop, monkeypatch):
    monkeypatch.setenv("OLLAMA_URL", DOWN)

    with Services(load_settings()) as services:
        monkeypatch.setattr(type(services.engines), "require_servers", lambda _: None)
        with pytest.raises(CodeIndexerError, match="could not be built anew"):
            reindex_project(services, str(shop), max_wait=60)
