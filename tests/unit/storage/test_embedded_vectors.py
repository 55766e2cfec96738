"""Vectors as rows of bytes, searched exactly."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as np_st
from storage_builders import make_rows

from code_indexer.storage import embedded_vectors
from code_indexer.storage.embedded_vectors import dequantise, quantise
from code_indexer.storage.manifest import EmbedderKey, Manifest
from code_indexer.storage.rows import CHUNK_BITS
from code_indexer.storage.vectors import FileVectors


def _units(matrix):
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return np.divide(matrix, lengths, out=np.zeros_like(matrix), where=lengths > 0)


def _random(count, dimension=16, seed=0):
    return np.random.default_rng(seed).standard_normal((count, dimension)).astype(np.float32)


@pytest.fixture
def manifest(tmp_path):
    with Manifest.open(tmp_path / "manifest.db") as opened:
        opened.set_embedder(EmbedderKey("random", 16))
        yield opened


def _write(manifest, *matrices):
    texts = [[f"{at} {n}" for n in range(len(matrix))] for at, matrix in enumerate(matrices)]
    return manifest.write_files(
        [make_rows(f"f{at}.py", one) for at, one in enumerate(texts)], list(map(quantise, matrices))
    )


@given(
    np_st.arrays(
        np.float32,
        st.tuples(st.integers(0, 5), st.integers(1, 9)),
        elements=st.floats(-100, 100, width=32),
    )
)
def test_a_vector_keeps_its_direction(matrix):
    vectors = quantise(matrix)
    back = dequantise(vectors)

    assert matrix.shape == back.shape
    assert (vectors.count, vectors.present) == (len(matrix), len(matrix))
    cosines = np.einsum("ij,ij->i", _units(matrix), back)
    # The squares of smaller numbers are lost in this test's own float32.
    nonzero = np.abs(matrix).max(axis=1, initial=0) > 1e-15
    assert (cosines[nonzero] > 0.99).all()
    assert not back[~matrix.any(axis=1)].any()


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_a_vector_that_is_no_direction_becomes_zero(number):
    matrix = np.array([[number, 1.0], [0.0, 1.0]], np.float32)

    assert [[0.0, 0.0], [0.0, 1.0]] == dequantise(quantise(matrix)).tolist()


def test_records_come_apart_and_together_again():
    vectors = quantise(_random(3))
    one, two, three = vectors.split()

    assert FileVectors(16, one + two + three) == vectors
    assert [one, None, three] == list(FileVectors.of(16, [one, None, three]).split())


def test_a_vector_of_zeros_is_not_a_missing_one():
    vectors = quantise(np.zeros((1, 16), np.float32))

    assert 1 == vectors.present
    assert 0 == FileVectors.of(16, [None]).present


def test_the_nearest_are_those_of_an_exact_search(manifest, monkeypatch):
    monkeypatch.setattr(embedded_vectors, "_BLOCK_VECTORS", 7)
    matrices = [_random(count, seed=count) for count in (5, 1, 12, 3, 20)]
    ids = _write(manifest, *matrices)
    (query,) = _units(_random(1, seed=99))

    found = manifest.vectors().nearest(query, limit=10)

    scores = {
        (file_id << CHUNK_BITS) + at: float(row @ query)
        for file_id, matrix in zip(ids, matrices, strict=True)
        for at, row in enumerate(dequantise(quantise(matrix)))
    }
    expected = sorted(scores, key=lambda chunk_id: -scores[chunk_id])[:10]
    assert expected == [one.chunk_id for one in found]
    assert np.allclose([scores[one] for one in expected], [one.score for one in found], atol=1e-5)


def test_a_vector_finds_itself_with_a_cosine_of_one(manifest):
    matrix = _random(4) * 0.001
    _write(manifest, matrix)

    (best, *_) = manifest.vectors().nearest(_units(matrix)[2], limit=4)
    assert 2 == best.chunk_id & 3
    assert best.score == pytest.approx(1, abs=0.01)


def test_only_the_given_files_are_searched(manifest):
    one, two = _write(manifest, _random(2, seed=1), _random(2, seed=2))

    found = manifest.vectors().nearest(_random(1)[0], limit=9, file_ids={two})
    assert {two} == {hit.chunk_id >> CHUNK_BITS for hit in found}
    assert [] == manifest.vectors().nearest(_random(1)[0], limit=9, file_ids=set())
    assert one != two


def test_an_empty_manifest_has_no_nearest(manifest):
    assert [] == manifest.vectors().nearest(_random(1)[0], limit=9)


def test_a_missing_vector_is_never_near(manifest):
    manifest.write_files(
        [make_rows("a.py", ["x", "y"])],
        [FileVectors.of(16, [None, next(quantise(-_random(1)).split())])],
    )

    scores = [one.score for one in manifest.vectors().nearest(_random(1)[0], limit=9)]
    assert 0 == scores[0]


def test_damaged_lengths_do_not_hide_the_others(manifest):
    bad = bytes([1] * 16) + np.array([np.nan], "<f4").tobytes()
    manifest.write_files([make_rows("a.py", ["x"])], [FileVectors.of(16, [bad])])
    _write(manifest, _random(3))

    (best, *_) = manifest.vectors().nearest(_random(3)[1], limit=1)
    assert 0.9 < best.score


def test_upserts_and_deletes_keep_the_files_state(manifest):
    (file_id,) = _write(manifest, _random(2))
    store = manifest.vectors()
    store.delete([file_id])
    after_delete = (store.count(), len(manifest.pending_files()))
    store.upsert({file_id: quantise(_random(2))})
    after_upsert = (store.count(), len(manifest.pending_files()))
    store.clear()

    assert [(0, 1), (2, 0), (0, 1)] == [
        after_delete,
        after_upsert,
        (store.count(), len(manifest.pending_files())),
    ]
