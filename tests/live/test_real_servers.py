"""One project through real servers: a real Ollama with an embedding model, and a real Qdrant."""

import os
import uuid

import pytest

from code_indexer.addresses import ollama_address, qdrant_address
from code_indexer.discovery.walk import DiscoveryRules
from code_indexer.errors import ServiceUnavailableError
from code_indexer.indexing.identity import recorded_identity
from code_indexer.indexing.index_pass import PassOptions, run_index_pass
from code_indexer.indexing.server_vectors import ServerVectors, StoreWishes
from code_indexer.inference.ollama import OllamaEmbedder
from code_indexer.inference.ollama_server import OllamaServer
from code_indexer.storage.manifest import Manifest
from code_indexer.storage.qdrant_server import QdrantServer
from code_indexer.storage.qdrant_vectors import QdrantVectors

pytestmark = pytest.mark.live

OLLAMA_URL = os.environ.get("CODE_INDEXER_TEST_OLLAMA_URL", "")
OLLAMA_MODEL = os.environ.get("CODE_INDEXER_TEST_OLLAMA_MODEL", "all-minilm")
QDRANT_URL = os.environ.get("CODE_INDEXER_TEST_QDRANT_URL", "")
FILES = {
    "src/session.py": "def refresh_session_token(session):\n    return session.renew()\n",
    "src/cart.py": "def total_price(cart):\n    return sum(item.price for item in cart)\n",
    "src/mail.go": "package mail\n\nfunc SendMail(to string) error {\n\treturn dial(to)\n}\n",
    "README.md": "# Shop\n\nA small shop with a cart and mail.\n",
    # Far beyond the context of a small model, and dense.
    "data/table.py": "TABLE = {\n"
    + "".join(f'    "k{n}": 0x{n * 7919:08x},\n' for n in range(300))
    + "}\n",
}


@pytest.fixture
def collection():
    if not (OLLAMA_URL and QDRANT_URL):
        pytest.skip("CODE_INDEXER_TEST_OLLAMA_URL and CODE_INDEXER_TEST_QDRANT_URL are not set")
    return f"idx_test_{uuid.uuid4().hex[:12]}"


class Tool:
    """What one command works with."""

    def __init__(self, root, state, collection):
        state.mkdir(exist_ok=True)
        self.root = root
        self.manifest = Manifest.open(state / "manifest.db")
        self.embedder = OllamaEmbedder(
            OllamaServer(ollama_address(OLLAMA_URL)),
            OLLAMA_MODEL,
            known=recorded_identity(self.manifest.embedder()),
        )
        self.store = QdrantVectors(
            QdrantServer(qdrant_address(QDRANT_URL)),
            self.manifest,
            collection=collection,
            root=str(root),
            scope="0badcafe",
        )

    def index(self, **wishes):
        vectors = ServerVectors(self.embedder, self.store, wishes=StoreWishes(**wishes))
        report = run_index_pass(
            self.manifest, vectors, PassOptions(str(self.root), DiscoveryRules())
        )
        return report, vectors

    def find(self, query):
        hits = self.store.nearest(self.embedder.embed_query(query), limit=3)
        return [self.manifest.file_by_id(hit.chunk_id >> 20).path for hit in hits]


def test_a_project_lives_its_life(project_dir, tmp_path, write_files, collection):
    write_files(FILES)
    tool = Tool(project_dir, tmp_path / "state", collection)
    try:
        report, _ = tool.index()
        assert report.embedded == tool.manifest.counts().chunks == tool.store.count()
        assert tool.find("where is the session token refreshed?")[0] == "src/session.py"
        assert tool.embedder.placement() is not None

        (project_dir / "src/cart.py").rename(project_dir / "src/basket.py")
        report, _ = tool.index()
        assert report.embedded == 0
        assert "src/basket.py" in tool.find("price of everything in the cart")

        tool.store.collections.delete(tool.store.info().name)
        with pytest.raises(ServiceUnavailableError):
            tool.find("token")
        report, vectors = Tool(project_dir, tmp_path / "state", collection).index()
        assert (0, tool.manifest.counts().chunks) == (report.embedded, vectors.repaired)

        again = Tool(project_dir, tmp_path / "other-machine", collection)
        report, _ = again.index()
        assert report.embedded == 0
        assert again.store.check().is_whole
        assert "src/mail.go" in again.find("func SendMail error dial")

        beside = Tool(project_dir, tmp_path / "rebuild", collection)
        beside.index(beside=True)
        beside.store.activate()
        beside.store.discard_others()
        assert len(beside.store.collections.generations(collection)) == 1
        assert beside.store.check().is_whole
    finally:
        tool.store.remove()
    assert tool.store.collections.generations(collection) == []


def test_a_model_that_is_missing_is_said_with_the_line_to_run(tmp_path, collection):
    tool = Tool(tmp_path, tmp_path / "state", collection)
    embedder = OllamaEmbedder(tool.embedder.server, "no-such-model:latest")

    with pytest.raises(ServiceUnavailableError) as caught:
        embedder.ensure_ready()

    assert "ollama pull no-such-model" in caught.value.hint


def test_a_download_that_cannot_be_made_is_an_error(collection):
    embedder = OllamaEmbedder(OllamaServer(ollama_address(OLLAMA_URL)), "no-such-model")

    with pytest.raises(ServiceUnavailableError, match="no-such-model"):
        embedder.pull(lambda _: None)
