"""The embedded model against the numbers that were written down when it was trained."""

import gc
import hashlib
import json
import weakref
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from code_indexer.inference import embedded
from code_indexer.inference.embedded import EmbeddedEmbedder

EXPECTED = json.loads((Path(__file__).parent / "test_vectors.json").read_text())


@cache
def _shared() -> EmbeddedEmbedder:
    return EmbeddedEmbedder()


@pytest.fixture(scope="module")
def embedder() -> EmbeddedEmbedder:
    return _shared()


@pytest.mark.parametrize("vector", EXPECTED["vectors"], ids=lambda v: v["text"][:30])
def test_a_text_gets_the_published_vector(
    embedder: EmbeddedEmbedder, vector: dict[str, Any]
) -> None:
    first = embedder.embed_query(vector["text"])[:16]

    assert np.abs(first - np.array(vector["first16"])).max() <= 0.0002


@pytest.mark.parametrize("pair", EXPECTED["pairs"], ids=lambda p: p["a"][:30])
def test_a_pair_gets_the_published_similarity(
    embedder: EmbeddedEmbedder, pair: dict[str, Any]
) -> None:
    a, b = embedder.embed_documents([pair["a"], pair["b"]])

    assert float(a @ b) == pytest.approx(pair["cosine"], abs=0.0005)


def test_the_digest_is_that_of_the_shipped_weights() -> None:
    weights = Path(embedded.__file__).parent / "data" / f"{embedded.MODEL_NAME}.npz"

    assert hashlib.sha256(weights.read_bytes()).hexdigest() == embedded.MODEL_DIGEST


def test_a_text_without_words_is_a_zero_row(embedder: EmbeddedEmbedder) -> None:
    assert not embedder.embed_documents(["", " \n\t", "!!!", "日本語"]).any()
    assert not embedder.embed_query("...").any()


def test_no_texts_give_an_empty_matrix(embedder: EmbeddedEmbedder) -> None:
    assert embedder.embed_documents([]).shape == (0, 256)


def test_only_the_first_sub_words_of_a_text_count(embedder: EmbeddedEmbedder) -> None:
    start = "a_" * 1200
    cut, whole = embedder.embed_documents([start + "Zebra" * 50, start])

    assert np.allclose(cut, whole)


def test_the_batch_a_text_is_in_does_not_change_its_vector(embedder: EmbeddedEmbedder) -> None:
    texts = [f"def handler_{n}(request, qzxv{n % 7}): return {n}" for n in range(1100)]
    together = embedder.embed_documents(texts)

    assert np.allclose(together[[0, 1050]], embedder.embed_documents([texts[0], texts[1050]]))


@settings(max_examples=60, deadline=None)
@given(st.text(st.characters(codec=None)))
def test_a_query_and_a_document_of_the_same_text_agree(text: str) -> None:
    embedder = _shared()

    assert np.allclose(embedder.embed_query(text), embedder.embed_documents([text])[0], atol=1e-5)


def test_a_model_that_nobody_holds_is_freed_at_once():
    """A server makes one for each pass; 50 MB must not wait for the garbage collector."""
    gc.disable()
    try:
        model = EmbeddedEmbedder()
        model.embed_documents(["def alpha(): pass"])
        alive = weakref.ref(model)
        del model

        assert alive() is None
    finally:
        gc.enable()


def test_few_texts_and_many_give_the_same_vectors(monkeypatch):
    texts = [f"def step_{n}(value): return value * {n}" for n in range(20)]
    few = EmbeddedEmbedder().embed_documents(texts)

    monkeypatch.setattr(embedded, "_FEW_ROWS", 0)

    assert np.array_equal(few, EmbeddedEmbedder().embed_documents(texts))
