"""The same cases through every vector store, held against a plain computation."""

import itertools
import uuid

import numpy as np
import pytest
from fakes_qdrant import FakeQdrant
from qdrant_projects import DIMENSION, LIVE_URL, Project, place, query_of, vectors_of

from code_indexer.storage.embedded_vectors import dequantise

FILES = {
    f"{folder}/{name}.py": [f"{verb} the {name} of a {folder}" for verb in verbs]
    for (folder, name), verbs in zip(
        itertools.product(("cart", "user", "order", "token"), ("total", "name", "list", "cache")),
        itertools.cycle([("add", "remove"), ("refresh",), ("find", "sort", "check", "count")]),
        strict=False,
    )
}
QUERIES = ["refresh the token cache", "count users", "sort the order list", "zebra"]


@pytest.fixture(
    params=["embedded", "fake 1.19", "fake 1.10", pytest.param("live", marks=pytest.mark.live)]
)
def project(request, tmp_path):
    """A project on one kind of store; ``store`` is what the cases ask."""
    name = f"idx_test_{uuid.uuid4().hex[:12]}"
    if request.param == "live" and not LIVE_URL:
        pytest.skip("CODE_INDEXER_TEST_QDRANT_URL is not set")
    if request.param == "live":
        made = Project(LIVE_URL, tmp_path, collection=name)
        made.prepare()
        yield made
        made.store.remove()
        made.close()
        return
    version = "1.19.0" if request.param == "embedded" else f"{request.param[5:]}.0"
    with FakeQdrant(version) as fake:
        made = Project(fake.url, tmp_path, collection=name)
        if request.param == "embedded":
            made.store = made.manifest.vectors()
        else:
            made.prepare()
        yield made
        made.close()


def plain(files, query, *, only=None):
    """Every chunk with its cosine, best first."""
    scores = []
    for path, texts in files.items():
        if only is None or path in only:
            rows = dequantise(vectors_of(texts)) @ query_of(query)
            scores += [((path, index), float(score)) for index, score in enumerate(rows)]
    return sorted(scores, key=lambda one: -one[1])


def asked(project, query, *, limit, only=None):
    ids = None if only is None else {project.manifest.file(path).file_id for path in only}
    hits = project.store.nearest(query_of(query), limit=limit, file_ids=ids)
    return [(place(project.manifest, hit.chunk_id), hit.score) for hit in hits]


def assert_same(expected, actual, limit):
    """Equal up to the order of ties, and up to which of the last ties are in."""
    expected_scores = [score for _, score in expected[:limit]]
    np.testing.assert_allclose([score for _, score in actual], expected_scores, atol=2e-5)
    by_place = dict(expected)
    assert len({where for where, _ in actual}) == len(actual)
    for where, score in actual:
        assert score == pytest.approx(by_place[where], abs=2e-5)


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("limit", [1, 5, 1000])
def test_the_nearest_chunks_are_those_of_a_plain_computation(project, query, limit):
    project.embed(FILES)

    assert_same(plain(FILES, query), asked(project, query, limit=limit), limit)


@pytest.mark.parametrize("query", QUERIES[:2])
def test_so_they_are_among_some_files(project, query):
    project.embed(FILES)
    only = {path for path in FILES if path.startswith(("user/", "token/"))}

    assert_same(plain(FILES, query, only=only), asked(project, query, limit=6, only=only), 6)


def test_so_they_are_after_changes_and_deletions(project):
    project.embed(FILES)
    files = dict(FILES)
    project.embed({"cart/total.py": ["refresh the token cache twice"]})
    files["cart/total.py"] = ["refresh the token cache twice"]
    gone = ["user/name.py", "token/list.py"]
    project.store.delete([project.manifest.file(path).file_id for path in gone])
    project.manifest.delete_files(gone)
    for path in gone:
        del files[path]

    assert_same(plain(files, QUERIES[0]), asked(project, QUERIES[0], limit=9), 9)
    assert project.store.count() == sum(map(len, files.values()))


def test_an_empty_store_answers_nothing(project):
    assert [] == project.store.nearest(query_of("x"), limit=5)
    assert 0 == project.store.count()


def test_a_cleared_store_is_empty(project):
    project.embed(FILES)
    project.store.clear()

    assert [] == project.store.nearest(query_of("total"), limit=5)


def test_scores_do_not_depend_on_the_length_of_the_query(project):
    project.embed(FILES)
    query = query_of("sort the order list")

    once = project.store.nearest(query, limit=5)
    assert DIMENSION == len(query)
    assert once == project.store.nearest(query.copy(), limit=5)
