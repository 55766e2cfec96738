import json
import logging
import threading
import time

import numpy as np
import pytest
from fakes_ollama import (
    FakeOllama,
    Handler,
    Installed,
    changed_rows,
    failing,
    failing_on,
    hanging,
    login_page,
    malformed,
    redirecting,
    resetting,
    too_long,
    truncated,
    word_vector,
)

from code_indexer.addresses import ollama_address
from code_indexer.errors import ServiceUnavailableError
from code_indexer.inference.embedder import EmbedderIdentity, embed_batches
from code_indexer.inference.ollama import OllamaEmbedder
from code_indexer.inference.ollama_server import OllamaServer
from code_indexer.inference.ollama_texts import PROBE, OllamaTimes
from code_indexer.inference.prompts import Prompts

TEXTS = [f"def fn_{number}(): return 'needle-{number}'" for number in range(30)]
NAN = "failed to encode response: json: unsupported value: NaN"


@pytest.fixture
def ollama():
    with FakeOllama() as fake:
        yield fake


def embedder_of(fake, model="fake-embed", *, times=None, **options):
    times = times or OllamaTimes(load=5, query=5, longest_batch=5, retry=1, retry_query=0.5)
    server = OllamaServer(ollama_address(fake.url))
    options.setdefault("sleep", lambda _: None)
    return OllamaEmbedder(server, model, times=times, **options)


def embed(embedder, texts):
    """All vectors, and the reason of each failed text."""
    vectors, failures = [], {}
    for batch in embedder.embed_batches(texts):
        vectors.append(batch.vectors)
        failures |= {batch.first + failure.index: failure.reason for failure in batch.failures}
    return np.concatenate(vectors), failures


def expected_rows(texts, dimension=64):
    return np.array([word_vector(text, dimension) for text in texts], np.float32)


# What is sent


def test_texts_come_back_as_unit_rows_in_their_order(ollama):
    vectors, failures = embed(embedder_of(ollama), TEXTS)

    np.testing.assert_allclose(vectors, expected_rows(TEXTS), atol=1e-6)
    assert {} == failures


def test_every_request_has_the_same_options(ollama):
    embedder = embedder_of(ollama, options={"num_ctx": 2048}, keep_alive="1h")
    embed(embedder, TEXTS)
    embedder.embed_query("needle")

    for body in ollama.sent("/api/embed"):
        assert (False, "1h", {"num_ctx": 2048}) == (
            body["truncate"],
            body["keep_alive"],
            body["options"],
        )


def test_batches_hold_at_most_the_number_that_was_set(ollama):
    embed(embedder_of(ollama, batch=7), TEXTS)

    assert max(map(len, ollama.batches())) <= 7


def test_batches_shrink_when_the_server_is_slow(ollama):
    ollama.seconds_per_request = 0.2
    embedder = embedder_of(ollama)
    embedder._texts.pace._speed = 20.0
    embed(embedder, TEXTS[:6])

    assert max(map(len, ollama.batches()[1:3])) < 6


def test_at_most_two_requests_are_in_flight(ollama):
    embedder = embedder_of(ollama, batch=3)
    embedder.ensure_ready()

    def wait_for_another(_handler, _body):
        deadline = time.monotonic() + 4  # less than the embedder waits
        while ollama.most_in_flight < 2 and time.monotonic() < deadline:
            time.sleep(0.005)
        return False

    ollama.fault = wait_for_another
    ollama.seconds_per_request = 0.03
    embed(embedder, TEXTS)

    assert 2 == ollama.most_in_flight


def test_blank_texts_are_zero_rows_and_never_sent(ollama):
    vectors, failures = embed(embedder_of(ollama), ["", "a", "  \n", "b"])

    assert [0, 1, 0, 1] == [round(float(np.linalg.norm(row))) for row in vectors]
    assert {} == failures
    assert not any(text.strip() == "" for batch in ollama.batches() for text in batch)


def test_prompts_surround_documents_and_queries(ollama):
    embedder = embedder_of(ollama, prompts=Prompts(query="find {text}", document="doc {text}"))
    embedder.embed_documents(["alpha"])
    embedder.embed_query("beta")

    assert ["doc alpha", "find beta"] == ollama.embedded[-2:]


def test_a_dense_text_is_cut_before_it_is_sent(ollama):
    embed(embedder_of(ollama), ["0123456789" * 400, "漢字" * 2000])

    longest = max(len(text) for batch in ollama.batches() for text in batch)
    assert longest <= 1500


def test_any_embedder_gives_batches(ollama):
    batches = list(embed_batches(embedder_of(ollama), TEXTS[:3]))

    assert [0] == [batch.first for batch in batches]
    assert batches[0].vectors.shape == (3, 64)


# Readiness


def test_the_identity_holds_digest_and_true_dimension(ollama):
    identity = embedder_of(ollama, prompts=Prompts()).identity

    assert EmbedderIdentity("ollama", "fake-embed", "d" * 64, 64, Prompts().version) == identity


def test_a_known_model_is_not_asked_for_its_dimension_again(ollama):
    identity = embedder_of(ollama).identity
    before = len(ollama.batches())

    assert identity == embedder_of(ollama, known=identity).identity
    assert before == len(ollama.batches())


def test_other_weights_under_the_same_name_are_another_identity(ollama):
    known = embedder_of(ollama).identity
    ollama.models[0].digest = "e" * 64

    assert known != embedder_of(ollama, known=known).identity


def test_emb_06_the_bare_name_and_latest_are_the_same_model(ollama):
    names = ["fake-embed", "fake-embed:latest", "Fake-Embed", "library/fake-embed"]
    identities = {embedder_of(ollama, name, prompts=Prompts()).identity for name in names[:3]}

    assert 1 == len(identities)


def test_emb_06_a_missing_model_is_said_at_once_with_the_pull_command(ollama):
    with pytest.raises(ServiceUnavailableError) as caught:
        embedder_of(ollama, "qwen3-embedding:8b").ensure_ready()

    assert "does not have the model qwen3-embedding:8b" in caught.value.message
    assert "fake-embed" in caught.value.message
    assert "ollama pull qwen3-embedding:8b" in caught.value.hint
    assert [] == ollama.batches()


def test_emb_06_a_model_that_vanishes_stops_with_the_pull_command(ollama):
    embedder = embedder_of(ollama)
    embedder.ensure_ready()
    ollama.fault = failing(404, 'model "fake-embed" not found, try pulling it first')

    with pytest.raises(ServiceUnavailableError) as caught:
        embed(embedder, TEXTS)

    assert "ollama pull fake-embed" in caught.value.hint


def test_a_chat_model_is_refused_before_it_is_loaded():
    with FakeOllama(Installed("llama3:8b", capabilities=["completion"])) as ollama:
        with pytest.raises(ServiceUnavailableError, match="not an embedding model"):
            embedder_of(ollama, "llama3:8b").ensure_ready()

        assert [] == ollama.batches()


def test_an_old_server_without_capabilities_is_tried():
    with FakeOllama(Installed("old:latest", capabilities=None, digest="")) as ollama:
        assert 64 == embedder_of(ollama, "old").identity.dimension


@pytest.mark.parametrize("name", ["gpt-oss:120b-cloud", "embed:cloud"])
def test_cloud_models_are_refused_by_their_name(ollama, name):
    with pytest.raises(ServiceUnavailableError, match="cloud"):
        embedder_of(ollama, name).ensure_ready()

    assert [] == ollama.requests


def test_a_model_that_is_passed_on_to_another_host_is_refused_unless_allowed():
    model = Installed("far:latest", remote_host="https://example.com")
    with FakeOllama(model) as ollama:
        with pytest.raises(ServiceUnavailableError, match="cloud"):
            embedder_of(ollama, "far").ensure_ready()

        assert 64 == embedder_of(ollama, "far", allow_cloud=True).identity.dimension


def test_a_server_that_knows_less_about_its_models_is_no_reason_to_stop(ollama, monkeypatch):
    monkeypatch.setattr("fakes_ollama.Handler._show", lambda handler, _: handler.reply(200, b"hi"))
    get = Handler.do_GET
    monkeypatch.setattr(
        "fakes_ollama.Handler.do_GET",
        lambda handler: (
            handler.reply(200, b"Ollama is running", "text/plain")
            if handler.path == "/api/ps"
            else get(handler)
        ),
    )
    vectors, failures = embed(embedder_of(ollama), TEXTS)

    assert (30, {}) == (len(vectors), failures)


def test_pull_reports_progress_and_ends_with_the_model_present(ollama):
    ollama.pull_lines = [
        {"status": "pulling manifest"},
        {"status": "pulling 0123456789ab", "total": 100, "completed": 40},
        {"status": "pulling 0123456789ab", "total": 100, "completed": 100},
        {"status": "success"},
    ]
    seen = []
    embedder = embedder_of(ollama, "new-model")
    embedder.pull(seen.append)

    assert (40, 100) in [(step.completed_bytes, step.total_bytes) for step in seen]
    assert 64 == embedder.identity.dimension


def test_pull_of_an_unknown_name_fails_although_the_status_is_200(ollama):
    ollama.pull_lines = [
        {"status": "pulling manifest"},
        {"error": "pull model manifest: file does not exist"},
    ]

    with pytest.raises(ServiceUnavailableError, match="no model nonsense"):
        embedder_of(ollama, "nonsense").pull(lambda _: None)


def test_the_share_on_the_processor_is_told(ollama):
    assert "75 % CPU" == embedder_of(ollama).placement().processor


# Bad texts


def test_emb_01_a_text_that_is_too_long_is_shortened_and_the_rest_is_untouched(ollama):
    long_text = "alpha beta " * 80
    ollama.fault = too_long(600)
    texts = [*TEXTS[:10], long_text, *TEXTS[10:20]]

    vectors, failures = embed(embedder_of(ollama), texts)

    assert {} == failures
    np.testing.assert_allclose(vectors[:10], expected_rows(TEXTS[:10]), atol=1e-6)
    np.testing.assert_allclose(vectors[11:], expected_rows(TEXTS[10:20]), atol=1e-6)
    assert 1.0 == pytest.approx(float(np.linalg.norm(vectors[10])))


def test_emb_01_a_refused_length_is_not_repeated_as_if_it_could_pass(ollama):
    ollama.fault = too_long(40)
    texts = ["short", "x " * 400]

    embed(embedder_of(ollama), texts)

    batches = [tuple(batch) for batch in ollama.batches() if batch != [PROBE]]
    assert len(batches) == len(set(batches))


def test_emb_01_a_text_that_never_fits_is_set_aside_with_context_length_and_model(ollama):
    ollama.fault = failing_on("huge", 400, "the input length exceeds the context length")

    vectors, failures = embed(embedder_of(ollama), ["a", "huge " * 20, "b"])

    assert [1] == list(failures)
    assert "context length of fake-embed" in failures[1]
    assert 0.0 == float(np.linalg.norm(vectors[1]))


def test_emb_03_a_text_that_gives_nan_is_found_and_set_aside(ollama):
    ollama.fault = failing_on("POISON", 500, NAN)
    texts = [*TEXTS[:12], "POISON " * 9, *TEXTS[12:]]

    vectors, failures = embed(embedder_of(ollama), texts)

    assert [12] == list(failures)
    assert "NaN" in failures[12]
    assert np.isfinite(vectors).all()
    np.testing.assert_allclose(vectors[13:], expected_rows(TEXTS[12:]), atol=1e-6)


@pytest.mark.parametrize("bare", [False, True])
def test_emb_03_a_model_that_always_gives_nan_stops_the_pass_after_bounded_tries(ollama, bare):
    embedder = embedder_of(ollama)
    embedder.ensure_ready()
    before = len(ollama.batches())
    nothing = [float("nan")] * 64
    ollama.fault = changed_rows(lambda rows: [nothing] * len(rows)) if bare else failing(500, NAN)

    with pytest.raises(ServiceUnavailableError, match="NaN"):
        embed(embedder, TEXTS * 10)

    assert len(ollama.batches()) - before < 80


@pytest.mark.parametrize(
    "change",
    [lambda rows: rows[:-1], lambda rows: rows + rows[:1], lambda _: []],
    ids=["fewer", "more", "none"],
)
def test_emb_04_a_wrong_number_of_vectors_never_shifts_a_text_to_anothers_vector(ollama, change):
    embedder = embedder_of(ollama)
    embedder.ensure_ready()
    ollama.fault = changed_rows(change)

    with pytest.raises(ServiceUnavailableError, match="vectors for"):
        embed(embedder, TEXTS)


def test_emb_04_a_batch_with_a_wrong_count_is_asked_again_in_parts(ollama):
    embedder = embedder_of(ollama)
    embedder.ensure_ready()
    ollama.fault = changed_rows(lambda rows: rows[:-1] if len(rows) > 1 else rows)

    vectors, failures = embed(embedder, TEXTS)

    assert {} == failures
    np.testing.assert_allclose(vectors, expected_rows(TEXTS), atol=1e-6)


@pytest.mark.parametrize(
    "row", [[0.0] * 64, ["0.1"] * 64, [], None, [[0.1]] * 64, [1e39] * 64, {"a": 1}]
)
def test_a_row_that_is_no_vector_is_never_taken(ollama, row):
    ollama.fault = lambda handler, body: handler.reply_rows(
        [
            row if "BAD" in text else good
            for text, good in zip(body["input"], handler.good_rows(body), strict=True)
        ]
    )

    vectors, failures = embed(embedder_of(ollama), [*TEXTS[:5], "BAD " * 9, *TEXTS[5:10]])

    assert [5] == list(failures)
    assert 0.0 == float(np.linalg.norm(vectors[5]))
    np.testing.assert_allclose(vectors[6:], expected_rows(TEXTS[5:10]), atol=1e-6)


def test_a_text_that_kills_the_model_is_told_from_a_server_that_is_failing(ollama):
    ollama.fault = failing_on("KILLER", 400, 'do embedding request: Post "x": EOF')

    _, failures = embed(embedder_of(ollama), [*TEXTS[:9], "KILLER", *TEXTS[9:12]])

    assert [9] == list(failures)


def test_inc_08_a_failing_server_stops_the_pass_and_keeps_what_was_done(ollama):
    embedder = embedder_of(ollama, batch=5)
    embedder.ensure_ready()
    ollama.fault = failing(500, "do embedding request: EOF")
    ollama.good_calls_first = 2
    done = []

    batches = embedder.embed_batches(TEXTS)
    with pytest.raises(ServiceUnavailableError, match="EOF"):
        done.extend(batches)

    assert sum(len(batch.vectors) for batch in done) == len(ollama.embedded) - 1
    assert not any(batch.failures for batch in done)


def test_a_model_that_changed_its_dimension_is_a_stated_condition(ollama):
    embedder = embedder_of(ollama)
    embedder.ensure_ready()
    ollama.models[0].dimension = 96

    with pytest.raises(ServiceUnavailableError) as caught:
        embed(embedder, TEXTS)

    assert "96" in caught.value.message
    assert "64" in caught.value.message
    assert "reindex-project" in caught.value.hint


# A server that misbehaves


@pytest.mark.parametrize(
    "fault",
    [
        failing(503, "server busy, please try again.  maximum pending requests exceeded"),
        failing(400, 'do embedding request: Post "http://127.0.0.1:1/v1/embeddings": EOF'),
        failing(502, "bad gateway"),
        failing(429, "slow down", {"Retry-After": "1"}),
        resetting,
        truncated,
        malformed,
    ],
    ids=["503", "EOF", "502", "429", "reset", "truncated", "malformed"],
)
def test_a_passing_fault_is_repeated_until_it_passes(ollama, fault):
    embedder = embedder_of(ollama, times=OllamaTimes(retry=30))
    embedder.ensure_ready()
    ollama.fault, ollama.faults_left = fault, 1

    vectors, failures = embed(embedder, TEXTS)

    assert {} == failures
    np.testing.assert_allclose(vectors, expected_rows(TEXTS), atol=1e-6)


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (failing(503, "server busy"), "busy"),
        (resetting, "broke off"),
        (login_page, "not JSON"),
        (redirecting, "redirects to http://192.0.2.1/elsewhere"),
        (failing(401, "unauthorized"), "refuses access"),
        (failing(501, "this model does not support embeddings"), "not an embedding model"),
        (failing(500, "model requires more system memory (9 GiB)"), "too little memory"),
    ],
)
def test_a_lasting_fault_stops_with_what_it_is(ollama, fault, message):
    embedder = embedder_of(ollama, times=OllamaTimes(retry=0.3), sleep=time.sleep)
    embedder.ensure_ready()
    ollama.fault = fault

    with pytest.raises(ServiceUnavailableError) as caught:
        embed(embedder, TEXTS)

    assert message in caught.value.message
    assert "secret" not in caught.value.message


def test_a_server_that_hangs_is_given_up(ollama):
    embedder = embedder_of(ollama, times=OllamaTimes(longest_batch=0.2, retry=0.2))
    embedder.ensure_ready()
    ollama.fault = hanging(2)

    with pytest.raises(ServiceUnavailableError, match="did not answer within"):
        embed(embedder, TEXTS)


def test_nothing_listening_is_said_with_the_address_in_seconds():
    server = OllamaServer(ollama_address("http://127.0.0.1:1"))

    with pytest.raises(ServiceUnavailableError) as caught:
        OllamaEmbedder(server, "fake-embed").embed_query("x")

    assert "http://127.0.0.1:1" in caught.value.message
    assert "OLLAMA_URL" in caught.value.hint


def test_an_empty_403_is_explained(ollama):
    embedder = embedder_of(ollama)
    embedder.ensure_ready()
    ollama.fault = lambda handler, _: handler.reply(403, b"", "text/plain")

    with pytest.raises(ServiceUnavailableError, match="host name"):
        embedder.embed_query("x")


def test_a_path_prefix_is_kept_and_a_wrong_one_is_not_called_a_missing_model():
    with FakeOllama(prefix="/ollama") as ollama:
        assert 64 == embedder_of(ollama).identity.dimension

        ollama.prefix = "/other"
        server = OllamaServer(ollama_address(f"http://127.0.0.1:{ollama.port}/ollama"))
        with pytest.raises(ServiceUnavailableError) as caught:
            OllamaEmbedder(server, "fake-embed").ensure_ready()

        assert "OLLAMA_URL" in caught.value.hint


def test_emb_07_proxies_of_the_environment_never_capture_loopback(ollama, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)

    assert 64 == embedder_of(ollama).identity.dimension


def test_emb_07_for_other_hosts_the_proxy_is_honoured_and_named(monkeypatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    server = OllamaServer(ollama_address("http://ollama.invalid:11434"))

    with pytest.raises(ServiceUnavailableError) as caught:
        server.version()

    assert "HTTP_PROXY" in caught.value.message
    assert "NO_PROXY" in caught.value.hint


def test_emb_07_a_socks_proxy_without_its_package_is_no_traceback(monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("all_proxy", "socks5://127.0.0.1:9")

    with pytest.raises(ServiceUnavailableError, match="ALL_PROXY"):
        OllamaServer(ollama_address("http://ollama.invalid:11434"))


@pytest.mark.parametrize("no_proxy", ["gpu.example", ".example", "10.0.0.0/8,gpu.example"])
def test_emb_07_no_proxy_is_honoured(monkeypatch, no_proxy):
    from code_indexer.transport import _proxy_for

    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", no_proxy)

    assert _proxy_for(ollama_address("gpu.example")) is None


def test_credentials_of_the_address_are_sent_and_not_shown(ollama):
    seen = []
    address = ollama_address(f"http://me:hush@127.0.0.1:{ollama.port}")
    embedder = OllamaEmbedder(OllamaServer(address), "fake-embed")

    def fault(handler, body):
        seen.append(handler.headers["Authorization"])
        return handler.error(401, "no")

    ollama.fault = fault
    with pytest.raises(ServiceUnavailableError) as caught:
        embedder.ensure_ready()

    assert ["Basic bWU6aHVzaA=="] == seen
    assert "hush" not in caught.value.message


def test_requests_are_not_logged_at_the_usual_level(ollama, caplog):
    with caplog.at_level(logging.INFO):
        embedder_of(ollama).embed_query("secret words")

    assert [] == [record for record in caplog.records if "secret" in record.getMessage()]


def test_an_interrupted_consumer_does_not_wait_for_the_server(ollama):
    embedder = embedder_of(ollama)
    embedder.ensure_ready()
    is_asked, may_answer = threading.Event(), threading.Event()

    def wait(_handler, _body):
        is_asked.set()
        may_answer.wait(60)
        return False

    ollama.fault = wait
    threading.Thread(target=lambda: next(embedder.embed_batches(TEXTS)), daemon=True).start()
    assert is_asked.wait(60)
    waiting = [thread.daemon for thread in threading.enumerate() if thread.name == "embed"]
    may_answer.set()

    assert waiting
    assert all(waiting)


def test_speed_is_known_after_the_first_batch(ollama):
    embedder = embedder_of(ollama)
    assert 0.0 == embedder.texts_per_second

    embed(embedder, TEXTS)

    assert embedder.texts_per_second > 0
    assert json.dumps(embedder.texts_per_second)
