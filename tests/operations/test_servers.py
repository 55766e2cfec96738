"""The command line with Ollama and Qdrant behind it: chosen by settings, honest when they fail."""

import time

import pytest
from fakes_ollama import FakeOllama, Installed, failing, failing_on
from fakes_qdrant import FakeQdrant

from code_indexer.inference.ollama_server import OllamaServer
from code_indexer.transport import NotAnsweredError

FILES = {f"f{n}.py": f"def fn_{n}():\n    return 'needle-{n}'\n" for n in range(12)}
DOWN = "http://127.0.0.1:1"


@pytest.fixture
def ollama(monkeypatch):
    with FakeOllama(Installed("fake-embed:latest", dimension=64)) as fake:
        monkeypatch.setenv("OLLAMA_URL", fake.url)
        monkeypatch.setenv("EMBED_MODEL", "fake-embed")
        monkeypatch.setenv("SERVER_PATIENCE", "0.3")
        yield fake


@pytest.fixture
def qdrant(monkeypatch):
    with FakeQdrant() as fake:
        monkeypatch.setenv("QDRANT_URL", fake.url)
        yield fake


@pytest.fixture
def project(project_dir, write_files):
    write_files(FILES)
    return project_dir


def status(run_cli, project):
    return run_cli("index-status", project, "--json", "--skip-stale-check").json()["projects"][0]


def search(run_cli, project, *options):
    return run_cli("semantic-search", "needle-7", "--project", project, "--json", *options)


def test_a_project_is_embedded_by_ollama_and_stored_in_qdrant(run_cli, project, ollama, qdrant):
    done = run_cli("add-project", project, "--name", "shop", "--json")

    assert done.code == 0
    assert qdrant.aliases.keys() == {"idx_shop"}
    answer = search(run_cli, project).json()
    assert (answer["mode"], answer["results"][0]["path"]) == ("hybrid", "f7.py")


def test_inc_17_with_qdrant_down_a_search_answers_lexically_and_embeds_nothing_again(
    run_cli, project, ollama, qdrant, monkeypatch
):
    run_cli("add-project", project)
    texts = len(ollama.embedded)
    monkeypatch.setenv("QDRANT_URL", DOWN)

    answer = search(run_cli, project)

    assert answer.code == 0
    assert answer.json()["mode"] == "lexical"
    assert answer.json()["results"][0]["path"] == "f7.py"
    assert DOWN in answer.json()["warnings"][0]
    monkeypatch.setenv("QDRANT_URL", qdrant.url)
    assert search(run_cli, project).json()["mode"] == "hybrid"
    assert [text for text in ollama.embedded[texts:] if "needle-7" not in text] == []


def test_strict_makes_a_server_that_is_down_an_error(run_cli, project, ollama, monkeypatch):
    run_cli("add-project", project)
    monkeypatch.setenv("OLLAMA_URL", DOWN)

    done = search(run_cli, project, "--strict")

    assert done.code == 3
    assert DOWN in done.json()["error"]["message"]


def test_emb_10_without_the_embedder_structure_is_indexed_and_names_are_found(
    run_cli, project, ollama, monkeypatch
):
    monkeypatch.setenv("OLLAMA_URL", DOWN)

    added = run_cli("add-project", project)

    assert added.code == 3
    assert DOWN in added.err
    assert run_cli("find-definition", "fn_3", "--project", project).out.startswith(
        f"{project}/f3.py:1: function fn_3"
    )
    found = status(run_cli, project)
    assert (found["state"], found["files"], found["embedded_chunks"]) == ("failed", 12, 0)
    assert DOWN in found["problem"]


def test_inc_08_a_pass_that_failed_goes_on_with_exactly_the_missing_chunks(
    run_cli, project, ollama, monkeypatch
):
    monkeypatch.setenv("EMBED_BATCH", "4")
    ollama.fault, ollama.good_calls_first = failing(500, "do embedding request: EOF"), 2
    failed = run_cli("add-project", project)
    before = set(ollama.embedded)
    ollama.fault = None

    again = run_cli("add-project", project)

    assert (failed.code, again.code) == (3, 0)
    assert not before.intersection(ollama.embedded[len(before) :]) - {"def add(a, b): return a + b"}
    found = status(run_cli, project)
    assert (found["state"], found["embedded_chunks"]) == ("idle", 12)


def test_qdr_01_another_model_is_a_stated_condition_until_the_project_is_reindexed(
    run_cli, project, ollama, qdrant, monkeypatch
):
    ollama.models.append(Installed("other-embed:latest", dimension=96))
    run_cli("add-project", project)
    monkeypatch.setenv("EMBED_MODEL", "other-embed")

    answer = search(run_cli, project)

    assert (answer.code, answer.json()["mode"]) == (0, "lexical")
    assert "reindex-project" in answer.json()["warnings"][0]
    problem = status(run_cli, project)["problem"]
    assert "fake-embed" in problem
    assert "other-embed" in problem
    assert run_cli("reindex-project", project).code == 0
    assert search(run_cli, project).json()["mode"] == "hybrid"
    assert len(qdrant.collections) == 1


def test_an_index_of_a_server_is_not_thrown_away_when_its_address_is_no_longer_set(
    run_cli, project, ollama, write_files, monkeypatch
):
    run_cli("add-project", project)
    monkeypatch.delenv("OLLAMA_URL")
    write_files({"new.py": "def brand_new():\n    return 1\n"})

    found = run_cli("find-definition", "brand_new", "--project", project)

    assert found.out.startswith(f"{project}/new.py:1")
    assert search(run_cli, project).json()["mode"] == "lexical"
    assert status(run_cli, project)["embedded_chunks"] == 12


def test_vectors_move_to_qdrant_and_back_without_embedding(
    run_cli, project, ollama, qdrant, monkeypatch
):
    monkeypatch.delenv("QDRANT_URL")
    run_cli("add-project", project, "--name", "shop")
    texts = len(ollama.embedded)
    monkeypatch.setenv("QDRANT_URL", qdrant.url)

    there = run_cli("migrate", "--to", "qdrant", "--all", "--json")
    moved = sum(len(one.points) for one in qdrant.collections.values())
    back = run_cli("migrate", "--to", "embedded", "--all", "--json")

    assert (there.code, back.code, moved) == (0, 0, 12)
    assert qdrant.collections == {}
    assert len(ollama.embedded) == texts


def test_removing_a_project_deletes_its_collection_and_no_other(run_cli, project, ollama, qdrant):
    run_cli("add-project", project, "--name", "shop")
    assert qdrant.collections

    done = run_cli("remove-project", "shop")

    assert (done.code, qdrant.collections) == (0, {})


def test_a_missing_model_is_named_with_the_command_that_pulls_it(
    run_cli, project, ollama, monkeypatch
):
    monkeypatch.setenv("EMBED_MODEL", "absent-model")

    done = run_cli("add-project", project)

    assert done.code == 3
    assert "ollama pull absent-model" in done.err


def test_emb_03_a_chunk_that_the_model_refuses_is_listed_and_words_still_find_it(
    run_cli, project, ollama, write_files
):
    write_files({"bad.py": "# POISON POISON POISON\ndef poisoned():\n    return 1\n"})
    ollama.fault = failing_on("POISON", 500, "failed to encode response: unsupported value: NaN")

    added = run_cli("add-project", project)

    assert added.code == 0
    (refused,) = status(run_cli, project)["refused_chunks"]
    assert (refused["path"], refused["start_line"]) == ("bad.py", 1)
    assert "NaN" in refused["reason"]
    assert f"no vector:     bad.py:1-3: {refused['reason']}" in run_cli("status", project).out
    found = run_cli("semantic-search", "poisoned", "--project", project, "--json").json()
    assert found["results"][0]["path"] == "bad.py"


def let_embedding_hang(monkeypatch):
    """The seconds that each request will be given, none of which is really waited for."""
    waited = []

    def hang(_server, request, *, seconds):
        waited.append(seconds)
        raise NotAnsweredError(f"no answer within {seconds} s", again=True)

    monkeypatch.setattr(OllamaServer, "embed", hang)
    return waited


def test_not_every_search_waits_long_for_an_embedder_that_hangs(
    run_cli, project, ollama, monkeypatch
):
    run_cli("add-project", project)

    with monkeypatch.context() as patched:
        waited = let_embedding_hang(patched)
        answers = [search(run_cli, project) for _ in range(3)]
    later = search(run_cli, project)

    assert [(0, "lexical")] * 3 == [(one.code, one.json()["mode"]) for one in answers]
    assert [30.0, 3.0, 3.0] == waited
    assert later.json()["mode"] == "hybrid"


def test_after_a_while_an_embedder_that_hung_is_given_all_the_time_again(
    run_cli, project, ollama, monkeypatch
):
    run_cli("add-project", project)

    waited = let_embedding_hang(monkeypatch)
    search(run_cli, project)
    search(run_cli, project)
    monkeypatch.setattr(time, "time_ns", lambda now=time.time_ns: now() + 31_000_000_000)
    search(run_cli, project)

    assert [30.0, 3.0, 30.0] == waited
