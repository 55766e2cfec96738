"""A project's vectors in Qdrant: the same promises against a fake and, where there is one, a real server."""

import logging
import uuid

import pytest
from fakes_qdrant import (
    FakeQdrant,
    capped,
    failing,
    hanging,
    on,
    plain,
    resetting,
    resetting_after,
)
from qdrant_projects import LIVE_URL, Project, query_of

from code_indexer.errors import CodeIndexerError, ServiceUnavailableError, UsageError
from code_indexer.identity import point_id
from code_indexer.storage.qdrant_collection import RESERVED_POINT, CollectionOptions
from code_indexer.storage.qdrant_server import CollectionMissingError

FILES = {
    "src/cart.py": ["add item to the cart", "compute the total price", "remove item"],
    "src/login.py": ["check the password of a user", "refresh the session token"],
    "docs/guide.md": ["how to refresh a token"],
}
MANY = {f"src/f{number}.py": [f"def fn_{number}(): return needle {number}"] for number in range(40)}


@pytest.fixture
def project(make_project):
    return make_project()


SERVERS = ["fake 1.19", "fake 1.10", pytest.param("live", marks=pytest.mark.live)]


@pytest.fixture(params=SERVERS)
def anywhere(request, tmp_path):
    """A project on every kind of server we promise to work with, in a collection of its own."""
    name = f"idx_test_{uuid.uuid4().hex[:12]}"
    if request.param == "live":
        if not LIVE_URL:
            pytest.skip("CODE_INDEXER_TEST_QDRANT_URL is not set")
        project = Project(LIVE_URL, tmp_path / "live", collection=name)
        yield project
        project.store.remove()
        project.close()
        return
    with FakeQdrant(f"{request.param[5:]}.0") as fake:
        project = Project(fake.url, tmp_path / "fake", collection=name)
        yield project
        project.close()


# Promises on every server


def test_chunks_are_found_by_likeness_best_first(anywhere):
    anywhere.prepare()
    anywhere.embed(FILES)

    assert [("src/login.py", 1), ("docs/guide.md", 0)] == anywhere.found(
        "refresh session token", limit=2
    )


def test_the_answer_can_be_kept_to_some_files(anywhere):
    anywhere.prepare()
    anywhere.embed(FILES)
    guide = anywhere.manifest.file("docs/guide.md").file_id

    assert [("docs/guide.md", 0)] == anywhere.found("refresh session token", files={guide})
    assert [] == anywhere.found("refresh session token", files=set())


def test_it_answers_as_the_embedded_store_does(anywhere):
    anywhere.prepare()
    anywhere.embed(MANY | FILES)
    query = query_of("needle 7 token")

    embedded = anywhere.manifest.vectors().nearest(query, limit=50)
    remote = anywhere.store.nearest(query, limit=50)

    assert [round(hit.score, 5) for hit in embedded] == [round(hit.score, 5) for hit in remote]
    assert {hit.chunk_id for hit in embedded} == {hit.chunk_id for hit in remote}


def test_a_second_upsert_replaces_and_a_shorter_file_leaves_nothing_behind(anywhere):
    anywhere.prepare()
    anywhere.embed(FILES)
    anywhere.embed({"src/cart.py": ["only this"]})

    assert 4 == anywhere.store.count()
    assert anywhere.store.check().is_whole


def test_a_chunk_without_a_vector_has_no_point(anywhere):
    from qdrant_projects import vectors_of

    from code_indexer.storage.vectors import FileVectors

    anywhere.prepare()
    (file_id,) = anywhere.write({"a.py": ["one", "two", "three"]})
    records = list(vectors_of(["one", "two", "three"]).split())
    vectors = {file_id: FileVectors.of(64, [records[0], None, records[2]])}
    anywhere.store.upsert(vectors)
    anywhere.manifest.set_vectors(vectors)

    assert 2 == anywhere.store.count()
    assert anywhere.store.check().is_whole


def test_deleting_files_deletes_their_points_alone(anywhere):
    anywhere.prepare()
    anywhere.embed(FILES)
    anywhere.store.delete([anywhere.manifest.file("src/cart.py").file_id])

    assert 3 == anywhere.store.count()


def test_points_of_an_older_text_are_never_believed(anywhere):
    anywhere.prepare()
    anywhere.embed(FILES)
    anywhere.write({"src/login.py": ["something else", "another thing"]})

    assert ("src/login.py", 1) not in anywhere.found("refresh the session token", limit=9)


def test_names_that_are_not_utf8_or_hold_signs_are_kept_apart(anywhere):
    files = {
        "a\udcff.py": ["alpha"],
        "b\udcfe.py": ["beta"],
        'quo"te\\.py': ["gamma"],
        "emoji \U0001f600.py": ["delta"],
    }
    anywhere.prepare()
    anywhere.embed(files)

    assert ["a\udcff.py"] == [path for path, _ in anywhere.found("alpha", limit=1)]
    assert ['quo"te\\.py'] == [path for path, _ in anywhere.found("gamma", limit=1)]
    assert anywhere.store.check().is_whole


def test_lost_points_are_noticed_and_restored_without_an_embedder(anywhere):
    anywhere.prepare()
    anywhere.embed(MANY)
    lost = [anywhere.manifest.file(f"src/f{number}.py").file_id for number in (3, 4, 5)]
    anywhere.store.delete(lost)

    assert sorted(lost) == sorted(anywhere.store.check().incomplete)
    assert 3 == anywhere.store.repair().restored
    assert anywhere.store.check().is_whole


def test_points_of_files_that_are_gone_are_removed_by_a_repair(anywhere):
    anywhere.prepare()
    anywhere.embed(FILES)
    anywhere.manifest.delete_files(["src/cart.py"])

    repair = anywhere.store.repair()

    assert (0, 1) == (repair.restored, repair.removed)
    assert 3 == anywhere.store.count()


def test_inc_14_a_deleted_collection_is_made_again_from_the_manifest(anywhere):
    anywhere.prepare()
    anywhere.embed(FILES)
    anywhere.store.collections.delete(anywhere.store.info().name)
    with pytest.raises(CollectionMissingError) as caught:
        anywhere.found("token")
    assert "reindex-project" in caught.value.hint

    again = anywhere.store
    assert "created" == again.prepare(anywhere.model, anywhere.dimension)
    assert 6 == again.repair().restored
    assert [("src/login.py", 1)] == anywhere.found("refresh session token", limit=1)


def test_vectors_that_are_lost_on_both_sides_make_their_files_pending(anywhere):
    anywhere.prepare()
    anywhere.embed(FILES)
    file_id = anywhere.manifest.file("src/cart.py").file_id
    anywhere.store.delete([file_id])
    anywhere.manifest.database.run("DELETE FROM file_vectors WHERE file_id = ?", (file_id,))

    assert (file_id,) == anywhere.store.repair().lost
    assert ["src/cart.py"] == [file.path for file in anywhere.manifest.pending_files()]


def test_a_reindex_fills_a_new_collection_and_switches_at_once(anywhere):
    anywhere.prepare()
    anywhere.embed(FILES)
    before = anywhere.store.info().name

    assert "created" == anywhere.prepare(beside=True)
    anywhere.embed({"new.py": ["brand new"]})
    assert 6 == int(
        anywhere.server.ask("POST", f"/collections/{before}/points/count", {"exact": True})["count"]
    ) - reserved(anywhere)
    old = anywhere.store.activate()
    anywhere.store.discard_others()

    assert before == old
    assert anywhere.store.info().name == anywhere.store.collections.aliases()[anywhere.store.alias]
    assert [anywhere.store.info().name] == anywhere.store.collections.generations(
        anywhere.store.alias
    )


def test_removal_leaves_nothing_of_the_project(anywhere):
    anywhere.prepare()
    anywhere.embed(FILES)
    anywhere.prepare(beside=True)
    anywhere.store.remove()

    assert [] == anywhere.store.collections.generations(anywhere.store.alias)
    assert anywhere.store.alias not in anywhere.store.collections.aliases()


def reserved(project) -> int:
    """1 where the ownership record needs a point of its own."""
    found = project.server.ask(
        "POST", f"/collections/{project.store.alias}/points", {"ids": [RESERVED_POINT]}
    )
    return len(found)


# Whose collection it is


def test_a_lost_state_folder_is_attached_without_embedding(make_project):
    first = make_project()
    first.prepare()
    first.embed(FILES)

    second = make_project("again")
    assert "attached" == second.prepare()
    assert 6 == second.known(FILES)
    before = len(second.store.collections.server.ask("GET", "/collections")["collections"])
    second.embed(FILES)

    assert second.store.check().is_whole
    assert 1 == before


def test_attached_points_are_not_uploaded_again(make_project, qdrant):
    first = make_project()
    first.prepare()
    first.embed(FILES)
    second = make_project("again")
    second.prepare()
    qdrant.requests.clear()
    second.embed(FILES)

    assert [] == [one for one in qdrant.requests if one.startswith("PUT")]
    assert [("src/login.py", 1)] == second.found("refresh session token", limit=1)


def test_only_the_rest_is_uploaded_after_attaching(make_project, qdrant):
    first = make_project()
    first.prepare()
    first.embed(FILES)
    second = make_project("again")
    second.prepare()
    changed = FILES | {"src/cart.py": ["add item to the cart", "something new"]}
    assert 4 == second.known(changed)

    second.embed(changed)
    second.store.repair()

    assert 5 == second.store.count()
    assert second.store.check().is_whole


def test_another_machine_with_another_root_attaches_when_the_files_are_the_same(make_project):
    first = make_project()
    first.prepare()
    first.embed(FILES)
    second = make_project("laptop", root="/Users/me/app", scope="11223344")

    with pytest.raises(UsageError, match="/home/me/app"):
        second.prepare()
    assert "attached" == second.prepare(exists=lambda path: path in FILES)
    second.embed(FILES)

    assert second.store.check().is_whole


def test_another_project_of_the_same_name_is_refused(make_project):
    first = make_project()
    first.prepare()
    first.embed(FILES)
    other = make_project("other", root="/home/me/other", scope="55667788")

    with pytest.raises(UsageError, match="belongs to the project"):
        other.prepare(exists=lambda path: path == "README.md")
    assert 6 == first.store.count()


def test_a_collection_of_another_model_is_replaced_when_it_is_attached(make_project):
    first = make_project(model="model-1")
    first.prepare()
    first.embed(FILES)
    second = make_project("again", model="model-2")

    assert "created" == second.prepare()
    assert 0 == second.known(FILES)
    assert 0 == second.store.count()


def strange(qdrant, points=(), *, size=64, distance="Cosine"):
    qdrant.create("idx_app", {"vectors": {"size": size, "distance": distance}})
    if points:
        qdrant.upsert("idx_app", {"points": list(points)})


def old_point(path, index, text, scope="aabbccdd", vector_text=None):
    return {
        "id": point_id(scope, path, index),
        "vector": query_of(vector_text or text).tolist(),
        "payload": {"file_path": path, "chunk_index": index, "content": text},
    }


def test_a_strangers_collection_is_refused_with_what_it_holds(project, qdrant):
    strange(qdrant, [old_point("a.py", 0, "alpha")])

    with pytest.raises(UsageError) as caught:
        project.prepare()

    assert "about 1 points of 64 numbers" in caught.value.message
    assert "chunk_index, content, file_path" in caught.value.message
    assert "--adopt" in caught.value.hint
    assert 1 == len(qdrant.collections["idx_app"].points)


def test_adopting_keeps_points_whose_id_and_text_agree_and_replaces_the_rest(project, qdrant):
    strange(
        qdrant,
        [
            old_point("src/cart.py", 0, "add item to the cart"),
            old_point("src/cart.py", 1, "an older text"),
            {**old_point("src/login.py", 0, "check the password of a user"), "id": 7},
            {"id": 8, "vector": [1.0] * 64, "payload": None},
        ],
    )

    assert "adopted" == project.prepare(adopt=True)
    assert 1 == project.known(FILES)
    project.embed(FILES)
    project.store.repair()

    assert 6 == project.store.count()
    assert project.store.check().is_whole
    assert "ready" == project.prepare()


@pytest.mark.parametrize(("size", "distance"), [(32, "Cosine"), (64, "Euclid")])
def test_adopting_a_collection_of_another_form_replaces_it(project, qdrant, size, distance):
    strange(qdrant, size=size, distance=distance)

    assert "created" == project.prepare(adopt=True)
    project.embed(FILES)

    assert 6 == project.store.count()
    assert "idx_app.1" == qdrant.aliases["idx_app"]


def test_removing_a_project_never_deletes_a_strangers_collection(project, qdrant):
    strange(qdrant)
    project.store.remove()

    assert ["idx_app"] == list(qdrant.collections)


def test_a_reindex_of_an_adopted_collection_ends_with_the_alias(project, qdrant):
    strange(qdrant)
    project.prepare(adopt=True)
    project.embed(FILES)
    project.prepare(beside=True)
    project.embed(FILES)
    project.store.activate()

    assert {"idx_app": "idx_app.1"} == qdrant.aliases
    assert ["idx_app.1"] == list(qdrant.collections)


def test_qdr_01_another_dimension_or_model_is_said_before_anything_is_written(make_project, qdrant):
    first = make_project()
    first.prepare()
    first.embed(FILES)
    before = len(qdrant.writes())

    for change in ({"dimension": 96}, {"model": "model-2"}):
        settings = {"dimension": 64, "model": "model-1"} | change
        with pytest.raises(CodeIndexerError) as caught:
            first.store.prepare(settings["model"], settings["dimension"])
        assert "another model" in caught.value.message
        assert "reindex-project" in caught.value.hint

    assert before == len(qdrant.writes())


def test_qdr_01_a_query_of_another_size_is_a_stated_condition(project):
    project.prepare()
    project.embed(FILES)

    with pytest.raises(ServiceUnavailableError, match="another size") as caught:
        project.store.nearest(query_of("x", 32), limit=3)

    assert "reindex-project" in caught.value.hint


# Layout


def test_indexes_exist_before_the_first_point(project, qdrant):
    project.prepare()
    project.embed(FILES)
    order = [one.partition("?")[0] for one in qdrant.requests if one.startswith("PUT")]

    assert order.index("PUT /collections/idx_app.1/index") < order.index(
        "PUT /collections/idx_app.1/points"
    )


def test_a_large_collection_is_on_disk_and_quantized_from_the_start(project, qdrant):
    project.prepare(points=5_000_000)

    info = project.store.info()
    assert (True, True) == (info.on_disk, info.quantized)


def test_a_collection_that_grew_is_moved_to_disk_after_a_pass(make_project):
    project = make_project(options=CollectionOptions(compact_above_bytes=500))
    project.prepare()
    project.embed(FILES)
    assert not project.store.info().quantized

    assert project.store.tune()
    assert (True, True) == (project.store.info().on_disk, project.store.info().quantized)
    assert not project.store.tune()


def test_cluster_settings_reach_the_server(make_project, qdrant):
    options = CollectionOptions(
        shard_number=6,
        replication_factor=2,
        write_consistency_factor=2,
        read_consistency="majority",
    )
    project = make_project(options=options)
    project.prepare()
    project.embed(FILES)
    project.found("token")

    params = qdrant.collections["idx_app.1"].config["params"]
    assert (6, 2, 2) == (
        params["shard_number"],
        params["replication_factor"],
        params["write_consistency_factor"],
    )
    assert qdrant.requests[-1].endswith("/points/query?consistency=majority")


# Sizes


def test_qdr_02_requests_are_bounded_by_bytes_as_well_as_by_count(make_project, qdrant):
    project = make_project(batch=5000)
    project.prepare()
    project.store._most_bytes = 5_000
    project.embed(MANY)

    assert qdrant.biggest_body <= 6_000
    assert 40 == project.store.count()


@pytest.mark.parametrize("status", [400, 413])
def test_qdr_02_a_refused_size_is_split_and_remembered(make_project, qdrant, status):
    project = make_project(batch=5000)
    project.prepare()
    qdrant.fault = on("PUT .*/points$", capped(4_000, status))
    project.embed(MANY)
    refused = qdrant.requests.count("PUT /collections/idx_app.1/points?wait=true")
    project.embed({path: [f"{texts[0]} changed"] for path, texts in MANY.items()})

    assert 40 == project.store.count()
    assert qdrant.requests.count("PUT /collections/idx_app.1/points?wait=true") <= 2 * refused


def test_qdr_02_a_single_point_that_is_too_large_is_said(project, qdrant):
    project.prepare()
    qdrant.fault = on("PUT .*/points$", capped(100))

    with pytest.raises(ServiceUnavailableError, match="one chunk with its vector is too large"):
        project.embed(FILES)


def test_upserts_hold_at_most_the_number_that_was_set(make_project, qdrant):
    project = make_project(batch=7)
    project.prepare()
    project.embed(MANY)

    assert 6 == qdrant.requests.count("PUT /collections/idx_app.1/points?wait=true")


# Versions


def test_qdr_03_an_old_version_is_one_line_and_no_reason_to_stop(make_project, caplog, capfd):
    with FakeQdrant("1.9.0") as old, caplog.at_level(logging.WARNING):
        project = make_project("old", url=old.url)
        project.prepare()
        project.embed(FILES)
        assert project.found("token")

    assert 1 == len(caplog.records)
    assert "1.9.0" in caplog.text
    assert ("", "") == capfd.readouterr()


def test_qdr_03_a_search_asks_the_query_endpoint_alone(project, qdrant):
    project.prepare()
    project.embed(FILES)
    qdrant.requests.clear()
    project.found("token")

    assert ["POST /collections/idx_app.1/points/query"] == qdrant.requests


# Servers that fail


def test_qdr_09_an_upsert_whose_answer_is_lost_is_repeated_without_duplicates(project, qdrant):
    project.prepare()
    qdrant.fault, qdrant.faults_left = on("PUT .*/points$", resetting_after), 1
    project.embed(FILES)

    assert 6 == project.store.count()
    assert project.store.check().is_whole


@pytest.mark.parametrize(
    "fault",
    [
        resetting,
        failing(503, "Shard temporarily unavailable"),
        failing(408, "Timeout: Operation 'update' timed out after 60s"),
        failing(429, "Rate limit", {"Retry-After": "1"}),
        failing(500, "Service internal error: 1 out of 2 shards failed to apply operation"),
        plain(502, "<html>Bad Gateway</html>", "text/html"),
    ],
    ids=["reset", "503", "408", "429", "500", "502"],
)
def test_a_passing_fault_is_repeated_until_it_passes(make_project, qdrant, fault):
    from code_indexer.storage.qdrant_server import QdrantTimes

    project = make_project(times=QdrantTimes(retry=30))
    project.prepare()
    qdrant.fault, qdrant.faults_left = on("PUT .*/points$", fault), 2
    project.embed(FILES)

    assert 6 == project.store.count()


@pytest.mark.parametrize("request_line", ["GET /$", "GET /aliases", "PUT .*/index", "PUT /coll"])
def test_a_reset_while_the_collection_is_made_is_no_reason_to_stop(project, qdrant, request_line):
    qdrant.fault, qdrant.faults_left = on(request_line, resetting), 1

    assert "created" == project.prepare()


@pytest.mark.parametrize(
    ("fault", "message", "hint"),
    [
        (plain(401, "Must provide an API key"), "wants an API key", "QDRANT_API_KEY"),
        (failing(403, "Forbidden: Global access is required"), "forbids it", "reading only"),
        (failing(408, "Timeout"), "did not finish in time", ""),
        (failing(429, "Rate limit exceeded", {"Retry-After": "9"}), "limits the rate", "later"),
        (failing(507, "Insufficient storage: Disk usage is at 91%"), "disk of", "Free space"),
        (
            failing(500, "Service internal error: No space left on device: WAL buffer size"),
            "disk of",
            "Free space",
        ),
        (failing(503, "Shard temporarily unavailable"), "not available now", "later"),
        (
            failing(400, 'Limit exceeded 256 > 100 for "upsert". Help: raise it'),
            "strict mode",
            "strict_mode_config",
        ),
        (failing(500, "Service internal error: fake"), "failed (status 500)", "log"),
        (plain(200, "<html>Sign in</html>", "text/html"), "is not Qdrant", "QDRANT_URL"),
        (plain(302, ""), "redirects", "QDRANT_URL"),
        (resetting, "broke off", "QDRANT_URL"),
    ],
)
def test_every_refusal_of_a_write_has_its_own_message(project, qdrant, fault, message, hint):
    project.prepare()
    qdrant.fault = on("PUT .*/points$", fault)

    with pytest.raises(ServiceUnavailableError) as caught:
        project.embed(FILES)

    assert message in caught.value.message
    assert hint in caught.value.hint
    assert 0 == project.manifest.counts().embedded_chunks


def test_a_wrong_api_key_is_told_from_a_missing_one(make_project):
    with FakeQdrant(api_key="right") as guarded:
        with pytest.raises(ServiceUnavailableError, match="wants an API key"):
            make_project("a", url=guarded.url).prepare()
        with pytest.raises(ServiceUnavailableError, match="refuses the API key"):
            make_project("b", url=guarded.url, api_key="wrong").prepare()
        project = make_project("c", url=guarded.url, api_key="right")
        project.prepare()
        project.embed(FILES)
        guarded.read_only_key = "reader"
        reader = make_project("c2", url=guarded.url, api_key="reader")

        assert 6 == reader.store.count()
        with pytest.raises(ServiceUnavailableError, match="forbids it"):
            reader.store.clear()


def test_a_path_prefix_is_kept(make_project):
    with FakeQdrant(prefix="/qdrant") as behind:
        project = make_project("p", url=behind.url)
        project.prepare()
        project.embed(FILES)

        assert [("src/login.py", 1)] == project.found("refresh session token", limit=1)
        with pytest.raises(ServiceUnavailableError) as caught:
            make_project("q", url=f"http://127.0.0.1:{behind.port}").prepare()
        assert "QDRANT_URL" in caught.value.hint


def test_inc_17_a_server_that_is_down_loses_nothing_that_was_known(project, qdrant):
    project.prepare()
    project.embed(FILES)
    qdrant.fault = resetting

    with pytest.raises(ServiceUnavailableError):
        project.found("token")
    qdrant.fault = None

    assert 6 == project.known(FILES)
    assert "ready" == project.prepare()
    assert project.store.check().is_whole


def test_a_server_that_hangs_is_given_up(make_project, qdrant):
    from code_indexer.storage.qdrant_server import QdrantTimes

    project = make_project(times=QdrantTimes(search=0.2, retry_search=0.1))
    project.prepare()
    qdrant.fault = on("/query", hanging(1))

    with pytest.raises(ServiceUnavailableError, match="did not answer within"):
        project.found("token")


def test_a_search_during_a_reindex_falls_back_to_the_alias(make_project, qdrant):
    project = make_project()
    project.prepare()
    project.embed(FILES)
    old = make_project("app").store  # another process: it knows idx_app.1 from the manifest
    assert old._in_use.name == "idx_app.1"
    project.prepare(beside=True)
    project.embed(FILES)
    project.store.activate()
    project.store.discard_others()

    assert 3 == len(old.nearest(query_of("token"), limit=3))


def test_strict_mode_that_forbids_search_parameters_is_met_without_them(project, qdrant):
    project.prepare()
    project.embed(FILES)

    def strict(handler, request, body):
        return b"hnsw_ef" in body and handler.error(
            400, 'Limit exceeded 128 > 64 for "hnsw_ef". Help: lower it'
        )

    qdrant.fault = on("/query", strict)

    assert [("src/login.py", 1)] == project.found("refresh session token", limit=1)


def test_rests_of_an_interrupted_reindex_are_discarded_by_the_next(project, qdrant):
    project.prepare()
    project.embed(FILES)
    project.prepare(beside=True)  # dies here
    project.prepare(beside=True)
    project.embed(FILES)
    project.store.activate()
    project.store.discard_others()

    assert ["idx_app.3"] == list(qdrant.collections)
