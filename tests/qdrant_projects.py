"""A project whose vectors lie in Qdrant, for tests: files as lists of texts, one chunk each."""

import os
from pathlib import Path

import numpy as np
from fakes_ollama import word_vector
from storage_builders import make_rows

from code_indexer.addresses import qdrant_address
from code_indexer.storage.embedded_vectors import quantise
from code_indexer.storage.manifest import EmbedderKey, Manifest
from code_indexer.storage.qdrant_collection import CollectionOptions
from code_indexer.storage.qdrant_server import QdrantServer, QdrantTimes
from code_indexer.storage.qdrant_vectors import QdrantVectors
from code_indexer.storage.vectors import FileVectors

LIVE_URL = os.environ.get("CODE_INDEXER_TEST_QDRANT_URL", "")
DIMENSION = 64
QUICK = QdrantTimes(ask=5, search=5, write=5, retry=1, retry_search=0.5)


def vectors_of(texts, dimension: int = DIMENSION) -> FileVectors:
    """Vectors in which shared words make texts alike."""
    return quantise(np.array([word_vector(text, dimension) for text in texts], np.float32))


def query_of(text: str, dimension: int = DIMENSION):
    return np.array(word_vector(text, dimension), np.float32)


class Project:
    """A manifest and its store."""

    def __init__(
        self,
        url: str,
        folder: Path,
        *,
        collection: str = "idx_app",
        root: str = "/home/me/app",
        scope: str = "aabbccdd",
        dimension: int = DIMENSION,
        model: str = "model-1",
        api_key: str = "",
        batch: int = 256,
        options: CollectionOptions | None = None,
        times: QdrantTimes = QUICK,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.dimension = dimension
        self.model = model
        self.manifest = Manifest.open(folder / "manifest.db")
        self.manifest.set_embedder(EmbedderKey(model, dimension))
        self.server = QdrantServer(
            qdrant_address(url), api_key=api_key, times=times, sleep=lambda _: None
        )
        self.store = QdrantVectors(
            self.server,
            self.manifest,
            collection=collection,
            root=root,
            scope=scope,
            batch=batch,
            options=options,
        )

    def prepare(self, **options) -> str:
        return self.store.prepare(self.model, self.dimension, **options)

    def write(self, files: dict[str, list[str]]) -> list[int]:
        """What the first phase of a pass does."""
        return self.manifest.write_files([make_rows(path, texts) for path, texts in files.items()])

    def embed(self, files: dict[str, list[str]]) -> None:
        """Both phases: rows, then points, then the rows that vouch for them."""
        ids = self.write(files)
        vectors = {
            file_id: vectors_of(texts, self.dimension)
            for file_id, texts in zip(ids, files.values(), strict=True)
        }
        self.store.upsert(vectors)
        self.manifest.set_vectors(vectors)

    def known(self, files: dict[str, list[str]]) -> int:
        """How many of the files' texts need no embedder."""
        hashes = [
            chunk[5]
            for rows in (make_rows(p, t) for p, t in files.items())
            for chunk in rows.chunks
        ]
        return len(self.manifest.known_vectors(hashes))

    def found(self, query: str, *, limit: int = 3, files=None) -> list[tuple[str, int]]:
        """Path and position of the chunks closest to a query."""
        hits = self.store.nearest(query_of(query, self.dimension), limit=limit, file_ids=files)
        return [place(self.manifest, hit.chunk_id) for hit in hits]

    def close(self) -> None:
        self.manifest.close()
        self.server.close()


def place(manifest: Manifest, chunk_id: int) -> tuple[str, int]:
    record = manifest.file_by_id(chunk_id >> 20)
    return record.path, chunk_id & ((1 << 20) - 1)
