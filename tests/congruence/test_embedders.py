"""The same cases through every embedder."""

import os

import numpy as np
import pytest
from fakes_ollama import FakeOllama

from code_indexer.addresses import ollama_address
from code_indexer.inference.embedded import EmbeddedEmbedder
from code_indexer.inference.embedder import embed_batches
from code_indexer.inference.ollama import OllamaEmbedder
from code_indexer.inference.ollama_server import OllamaServer

LIVE_URL = os.environ.get("CODE_INDEXER_TEST_OLLAMA_URL", "")
LIVE_MODEL = os.environ.get("CODE_INDEXER_TEST_OLLAMA_MODEL", "all-minilm")

TEXTS = [
    "def add_item(cart, item):\n    cart.items.append(item)",
    "class LoginError(Exception): pass",
    "fn refresh_token(session: &Session) -> Token { session.renew() }",
    "SELECT name, total FROM orders WHERE total > 100",
    "größer ∑ 漢字 🙂 'quoted' \\ \t tab",
]


@pytest.fixture(
    scope="module",
    params=["embedded", "fake ollama", pytest.param("live ollama", marks=pytest.mark.live)],
)
def embedder(request):
    if request.param == "embedded":
        yield EmbeddedEmbedder()
    elif request.param == "fake ollama":
        with FakeOllama() as fake:
            yield OllamaEmbedder(OllamaServer(ollama_address(fake.url)), "fake-embed")
    elif not LIVE_URL:
        pytest.skip("CODE_INDEXER_TEST_OLLAMA_URL is not set")
    else:
        yield OllamaEmbedder(OllamaServer(ollama_address(LIVE_URL)), LIVE_MODEL)


def test_documents_are_unit_rows_of_the_stated_width(embedder):
    rows = embedder.embed_documents(TEXTS)

    assert (len(TEXTS), embedder.identity.dimension) == rows.shape
    assert np.float32 == rows.dtype
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-4)


def test_a_query_is_a_unit_vector_of_the_same_width(embedder):
    query = embedder.embed_query("where is the token refreshed?")

    assert (embedder.identity.dimension,) == query.shape
    assert float(np.linalg.norm(query)) == pytest.approx(1.0, abs=1e-4)


def test_the_same_text_has_the_same_vector_wherever_it_stands(embedder):
    alone = embedder.embed_documents([TEXTS[2]])[0]
    among = embedder.embed_documents([*TEXTS, *TEXTS])

    np.testing.assert_allclose(among[2], alone, atol=2e-3)
    np.testing.assert_allclose(among[7], alone, atol=2e-3)


def test_what_is_alike_is_closer_than_what_is_not(embedder):
    rows = embedder.embed_documents(TEXTS)
    query = embedder.embed_query("refresh token session")

    assert 2 == int(np.argmax(rows @ query))


def test_nothing_gives_no_rows(embedder):
    assert (0, embedder.identity.dimension) == embedder.embed_documents([]).shape


def test_a_blank_text_is_a_row_of_zeros(embedder):
    rows = embedder.embed_documents(["", " \n\t", TEXTS[0]])

    assert [0.0, 0.0, 1.0] == pytest.approx(np.linalg.norm(rows, axis=1), abs=1e-4)


def test_a_megabyte_without_a_break_is_no_trouble(embedder):
    rows = embedder.embed_documents(["x" * 1_000_000, "{};" * 100_000, "0123456789" * 50_000])

    assert np.isfinite(rows).all()


def test_batches_hold_the_rows_of_the_whole_in_order(embedder):
    whole = embedder.embed_documents(TEXTS)
    batches = list(embed_batches(embedder, TEXTS))

    assert 0 == batches[0].first
    assert not any(batch.failures for batch in batches)
    np.testing.assert_allclose(
        np.concatenate([batch.vectors for batch in batches]), whole, atol=2e-3
    )
