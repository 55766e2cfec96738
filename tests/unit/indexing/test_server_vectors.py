"""Index passes whose embedder or store is a server: what a failure leaves, and what comes after."""

import pytest
from fakes_ollama import FakeOllama, Installed, changed_rows, failing, failing_on, too_long
from fakes_qdrant import FakeQdrant, capped, on, resetting, resetting_after

from code_indexer.addresses import ollama_address, qdrant_address
from code_indexer.discovery.walk import DiscoveryRules
from code_indexer.errors import CodeIndexerError, ServiceUnavailableError
from code_indexer.indexing.identity import recorded_identity
from code_indexer.indexing.index_pass import PassOptions, run_index_pass
from code_indexer.indexing.server_vectors import ServerVectors, StoreWishes
from code_indexer.inference.ollama import OllamaEmbedder
from code_indexer.inference.ollama_server import OllamaServer
from code_indexer.inference.ollama_texts import OllamaTimes
from code_indexer.storage.manifest import Manifest
from code_indexer.storage.qdrant_server import QdrantServer, QdrantTimes
from code_indexer.storage.qdrant_vectors import QdrantVectors

NAN = "failed to encode response: json: unsupported value: NaN"
FILES = {f"f{number}.py": f"def fn_{number}(): return 'needle-{number}'\n" for number in range(30)}


@pytest.fixture
def ollama():
    with FakeOllama(Installed("fake-embed:latest", dimension=512)) as fake:
        yield fake


@pytest.fixture
def qdrant():
    with FakeQdrant() as fake:
        yield fake


class Tool:
    """What a process of the tool does with a project, for one command."""

    def __init__(self, root, state, ollama, qdrant=None, *, model="fake-embed", scope="aabbccdd"):
        self.root, self.scope = root, scope
        self.manifest = Manifest.open(state / "manifest.db")
        times = OllamaTimes(load=5, query=5, longest_batch=5, retry=0.5, retry_query=0.3)
        self.embedder = OllamaEmbedder(
            OllamaServer(ollama_address(ollama if isinstance(ollama, str) else ollama.url)),
            model,
            known=recorded_identity(self.manifest.embedder()),
            times=times,
            sleep=lambda _: None,
        )
        self.store = qdrant and QdrantVectors(
            QdrantServer(
                qdrant_address(qdrant.url),
                times=QdrantTimes(retry=0.5, retry_search=0.3),
                sleep=lambda _: None,
            ),
            self.manifest,
            collection="idx_app",
            root=str(root),
            scope=scope,
        )

    def index(self, now=0.0, **wishes):
        vectors = ServerVectors(
            self.embedder, self.store, wishes=StoreWishes(**wishes), now=lambda: now
        )
        options = PassOptions(str(self.root), DiscoveryRules())
        report = run_index_pass(self.manifest, vectors, options)
        return report, vectors

    def find(self, query):
        """Paths, best first."""
        store = self.store or self.manifest.vectors()
        hits = store.nearest(self.embedder.embed_query(query), limit=3)
        return [self.manifest.file_by_id(hit.chunk_id >> 20).path for hit in hits]

    @property
    def counts(self):
        return self.manifest.counts()


@pytest.fixture
def tool(project_dir, tmp_path, ollama):
    made = []

    def make(qdrant=None, state="state", at=None, root=project_dir, **options):
        folder = tmp_path / state
        folder.mkdir(exist_ok=True)
        made.append(Tool(root, folder, at or ollama, qdrant, **options))
        return made[-1]

    yield make
    for one in made:
        one.manifest.close()


def texts_of(ollama):
    """Texts embedded, the readiness probe left out."""
    return [text for text in ollama.embedded if text != "def add(a, b): return a + b"]


def test_a_pass_embeds_every_text_once_and_everything_is_found(tool, ollama, qdrant, write_files):
    write_files(FILES | {"copy.py": FILES["f3.py"]})
    report, _ = tool(qdrant).index()

    assert (30, 1) == (report.embedded, report.reused)
    assert 30 == len(texts_of(ollama)) == len(set(texts_of(ollama)))
    assert ["f7.py"] == tool(qdrant).find("fn 7 needle")[:1]


def test_inc_02_a_touch_embeds_and_writes_nothing(tool, ollama, qdrant, write_files, project_dir):
    write_files(FILES)
    tool(qdrant).index()
    embedded, writes = len(ollama.embedded), len(qdrant.writes())
    for path in project_dir.iterdir():
        path.touch()
    tool(qdrant).index()

    assert (embedded, writes) == (len(ollama.embedded), len(qdrant.writes()))


def test_inc_03_a_file_that_shrinks_leaves_no_points(tool, qdrant, write_files):
    body = "    value = compute(value)\n" * 30
    write_files({"a.py": "".join(f"def needle_{n}(value):\n{body}\n\n" for n in range(6))})
    tool(qdrant).index()
    write_files({"a.py": f"def needle_0(value):\n{body}"})
    tool(qdrant).index()

    assert tool(qdrant).counts.chunks == tool(qdrant).store.count()


def test_a_renamed_file_is_not_embedded_again(tool, ollama, qdrant, write_files, project_dir):
    write_files(FILES)
    tool(qdrant).index()
    before = len(ollama.embedded)
    (project_dir / "f3.py").rename(project_dir / "moved.py")
    tool(qdrant).index()

    assert before == len(ollama.embedded)
    assert "moved.py" in tool(qdrant).find("fn 3 needle")
    assert tool(qdrant).store.check().is_whole


def test_inc_08_a_failed_pass_keeps_what_was_done_and_the_next_embeds_only_the_rest(
    tool, ollama, qdrant, write_files
):
    write_files(FILES)
    ollama.fault, ollama.good_calls_first = failing(500, "do embedding request: EOF"), 3
    with pytest.raises(ServiceUnavailableError, match="EOF"):
        tool(qdrant).index()
    first = tool(qdrant)
    assert first.manifest.read_pass().state == "failed"
    assert first.manifest.read_pass().finished is None
    assert 0 < first.counts.embedded_chunks < 30
    done = set(texts_of(ollama))

    ollama.fault = None
    ollama.embedded.clear()
    tool(qdrant).index()

    assert set() == done.intersection(texts_of(ollama))
    assert 30 == len(done) + len(texts_of(ollama))
    assert ["f25.py"] == tool(qdrant).find("fn 25 needle")[:1]


def test_inc_14_a_collection_that_was_deleted_is_rebuilt_without_embedding(
    tool, ollama, qdrant, write_files
):
    write_files(FILES)
    tool(qdrant).index()
    before = len(ollama.embedded)
    qdrant.collections.clear()
    qdrant.aliases.clear()
    _, vectors = tool(qdrant).index()

    assert 30 == vectors.repaired
    assert before == len(ollama.embedded)
    assert 30 == tool(qdrant).store.count()


def test_inc_16_a_killed_pass_embeds_nothing_twice(tool, ollama, qdrant, write_files):
    write_files(FILES)
    killed = tool(qdrant)
    killed.embedder._batch = 4

    class Killed(BaseException):
        pass

    def kill(progress):
        if progress.phase == "embedding" and progress.done >= 12:
            raise Killed

    import code_indexer.indexing.server_vectors as module

    flush, module._FLUSH_CHUNKS = module._FLUSH_CHUNKS, 4
    try:
        vectors = ServerVectors(killed.embedder, killed.store)
        with pytest.raises(Killed):
            run_index_pass(
                killed.manifest, vectors, PassOptions(str(killed.root), DiscoveryRules()), kill
            )
    finally:
        module._FLUSH_CHUNKS = flush
    kept = killed.counts.embedded_chunks
    killed.manifest.close()
    ollama.embedded.clear()
    tool(qdrant).index()

    assert kept >= 8
    assert 30 - kept == len(texts_of(ollama))
    assert tool(qdrant).store.check().is_whole


def test_inc_17_qdrant_down_at_first_contact_costs_no_embedding_later(
    tool, ollama, qdrant, write_files
):
    write_files(FILES)
    tool(qdrant).index()
    before = len(ollama.embedded)
    qdrant.fault = resetting
    with pytest.raises(ServiceUnavailableError):
        tool(qdrant).index()
    qdrant.fault = None
    tool(qdrant).index()

    assert before == len(ollama.embedded)
    assert 30 == tool(qdrant).counts.embedded_chunks


@pytest.mark.parametrize("good_first", [0, 1])
def test_inc_17_qdrant_failing_in_the_middle_costs_no_embedding_later(
    tool, ollama, qdrant, write_files, monkeypatch, good_first
):
    monkeypatch.setattr("code_indexer.indexing.server_vectors._FLUSH_CHUNKS", 4)
    write_files(FILES)
    seen = []

    def later(handler, request, body):
        seen.append(request)
        return len(seen) > good_first and handler.error(507, "Insufficient storage")

    qdrant.fault = on("PUT .*/points$", later)
    with pytest.raises(ServiceUnavailableError, match="disk of"):
        tool(qdrant).index()
    before = len(texts_of(ollama))
    assert 0 < before <= 30
    qdrant.fault = None
    report, _ = tool(qdrant).index()

    assert 30 - before == report.embedded
    assert 30 == len(texts_of(ollama)) == len(set(texts_of(ollama)))
    assert tool(qdrant).store.check().is_whole


def test_emb_01_a_text_beyond_the_context_blocks_nothing(tool, ollama, qdrant, write_files):
    ollama.fault = too_long(400)
    long_one = "def long_one():\n" + "    total = total + value\n" * 30
    write_files(FILES | {"long.py": long_one})
    tool(qdrant).index()

    counts = tool(qdrant).counts
    assert counts.chunks == counts.embedded_chunks
    assert max(map(len, ollama.embedded)) <= 400


def test_emb_03_a_refused_chunk_is_set_aside_listed_and_tried_again_after_a_pause(
    tool, ollama, qdrant, write_files
):
    write_files(FILES | {"bad.py": "# POISON POISON POISON\ndef bad():\n    return 1\n"})
    ollama.fault = failing_on("POISON", 500, NAN)
    tool(qdrant).index(now=1000.0)
    (failure,) = tool().manifest.chunk_failures()
    assert "NaN" in failure.reason
    assert 30 == tool(qdrant).store.count()

    requests = len(ollama.batches())
    tool(qdrant).index(now=1001.0)
    assert requests == len(ollama.batches())

    ollama.fault = None
    tool(qdrant).index(now=failure.retry_after + 1)
    assert [] == tool().manifest.chunk_failures()
    assert 31 == tool(qdrant).store.count()


def test_emb_03_a_model_that_only_gives_nan_ends_in_an_error_state(
    tool, ollama, qdrant, write_files
):
    write_files(FILES)
    tool(qdrant).embedder.ensure_ready()
    ollama.fault = failing(500, NAN)
    with pytest.raises(ServiceUnavailableError, match="NaN"):
        tool(qdrant).index()

    assert 0 == tool(qdrant).counts.embedded_chunks
    assert "failed" == tool(qdrant).manifest.read_pass().state


@pytest.mark.parametrize("change", [lambda rows: rows[:-1], lambda rows: rows + rows[:1]])
def test_emb_04_nothing_of_a_shifted_batch_is_stored(tool, ollama, qdrant, write_files, change):
    write_files(FILES)
    ollama.fault, ollama.good_calls_first = changed_rows(change), 1
    with pytest.raises(ServiceUnavailableError):
        tool(qdrant).index()
    ollama.fault = None
    tool(qdrant).index()

    for number in (0, 12, 29):
        assert [f"f{number}.py"] == tool(qdrant).find(f"def fn {number} return needle")[:1]


def test_emb_10_with_no_embedder_the_structure_is_indexed_all_the_same(tool, qdrant, write_files):
    write_files(FILES)
    dead = tool(qdrant, at="http://127.0.0.1:1")
    with pytest.raises(ServiceUnavailableError, match=r"127\.0\.0\.1:1"):
        dead.index()

    assert 30 == dead.counts.files
    assert 1 == len(dead.manifest.symbols_named("fn_7"))


def test_qdr_01_another_model_is_a_stated_condition_until_a_reindex(
    tool, ollama, qdrant, write_files, tmp_path
):
    write_files(FILES)
    tool(qdrant).index()
    ollama.models.append(Installed("other:latest", dimension=96, digest="e" * 64))
    write_files({"new.py": "def brand_new(): return 1\n"})
    before = len(qdrant.collections["idx_app.1"].points)

    for _ in range(2):
        with pytest.raises(CodeIndexerError) as caught:
            tool(qdrant, model="other").index()
        assert "reindex-project" in caught.value.hint
    assert before == len(qdrant.collections["idx_app.1"].points)
    assert 1 == len(tool().manifest.symbols_named("brand_new"))

    rebuilt = tool(qdrant, state="beside", model="other")
    rebuilt.index(beside=True)
    rebuilt.store.activate()
    rebuilt.store.discard_others()
    assert ["idx_app.2"] == list(qdrant.collections)
    assert ["new.py"] == rebuilt.find("brand new")[:1]


def test_qdr_02_a_cap_on_the_body_is_met(tool, qdrant, write_files):
    write_files(FILES)
    qdrant.fault = on("PUT .*/points$", capped(20_000))
    tool(qdrant).index()

    assert 30 == tool(qdrant).store.count()


def test_qdr_09_lost_answers_leave_no_duplicates_and_no_gaps(tool, qdrant, write_files):
    write_files(FILES)
    qdrant.fault, qdrant.faults_left = on("PUT .*/points$", resetting_after), 1
    tool(qdrant).index()

    assert 30 == tool(qdrant).store.count()
    assert tool(qdrant).store.check().is_whole


def test_a_lost_state_folder_is_attached_and_only_changes_are_embedded(
    tool, ollama, qdrant, write_files
):
    write_files(FILES)
    tool(qdrant).index()
    write_files({"f3.py": "def changed(): return 'other'\n"})
    ollama.embedded.clear()

    report, _ = tool(qdrant, state="new-machine").index()

    assert 1 == report.embedded
    assert 1 == len(texts_of(ollama))
    assert tool(qdrant, state="new-machine").store.check().is_whole


def test_ollama_alone_keeps_its_vectors_in_the_manifest(tool, write_files):
    write_files(FILES)
    tool().index()

    assert 30 == tool().counts.embedded_chunks
    assert ["f7.py"] == tool().find("fn 7 needle")[:1]


def test_code_is_embedded_before_tests_and_documents(tool, ollama, write_files):
    write_files(
        {
            "tests/test_a.py": "def test_alpha(): pass\n",
            "notes.md": "# Beta\n\nwords\n",
            "src/core.py": "def gamma(): pass\n",
        }
    )
    tool().index()

    order = [next(w for w in ("alpha", "Beta", "gamma") if w in text) for text in texts_of(ollama)]
    assert ["gamma", "Beta", "alpha"] == order
