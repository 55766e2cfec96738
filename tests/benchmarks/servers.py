"""What we reach of a server against a bare loop: texts a second of Ollama, points of Qdrant.

usage: servers.py texts|points [--rounds N] [--url URL] [--model NAME] [--dimension N]

Both take turns in each round, which goes first changes, and the median of the rounds' ratios
counts: a busy machine slows both. What is made on the server is deleted again.
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import numpy as np

from code_indexer.addresses import ollama_address, qdrant_address
from code_indexer.identity import point_id
from code_indexer.inference.ollama import OllamaEmbedder
from code_indexer.inference.ollama_server import OllamaServer
from code_indexer.parsing.parse import parse_file
from code_indexer.storage.embedded_vectors import quantise
from code_indexer.storage.manifest import EmbedderKey, Manifest
from code_indexer.storage.qdrant_server import QdrantServer
from code_indexer.storage.qdrant_vectors import QdrantVectors
from code_indexer.storage.rows import META_COLLECTION

sys.path.insert(0, str(Path(__file__).parents[1]))
from storage_builders import make_rows

SOURCE = Path(__file__).parents[2] / "code_indexer"
BATCH = 48
POINTS_A_REQUEST = 256


def main() -> None:
    """Print a line for each round, and the median."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["texts", "points"])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--url", default="")
    parser.add_argument("--model", default="all-minilm")
    parser.add_argument("--dimension", type=int, default=384)
    given = parser.parse_args()
    if given.what == "texts":
        ours, bare = texts_runs(given.url or "http://127.0.0.1:11434", given.model)
    else:
        ours, bare = points_runs(given.url or "http://127.0.0.1:6333", given.dimension)
    compare(ours, bare, given.rounds)


def compare(ours: Callable[[], float], bare: Callable[[], float], rounds: int) -> None:
    """Both in turns; each gives what it reached a second."""
    ratios = []
    for number in range(rounds):
        if number % 2:
            reached, limit = ours(), bare()
        else:
            limit, reached = bare(), ours()
        ratios.append(reached / limit)
        print(f"ours {reached:8.1f}/s   bare {limit:8.1f}/s   {ratios[-1]:.2f}", flush=True)
    print(f"median ratio {statistics.median(ratios):.2f}")


def source_texts() -> list[str]:
    """Chunks of this program, as a pass would cut them."""
    return [
        chunk.text
        for path in sorted(SOURCE.rglob("*.py"))
        for chunk in parse_file(path.name, path.read_text(encoding="utf-8"), "python").chunks
    ]


def texts_runs(url: str, model: str) -> tuple[Callable[[], float], Callable[[], float]]:
    """Embedding the same two batches with us and without."""
    texts = [text[:800] for text in source_texts()[: 2 * BATCH]]

    def ours() -> float:
        embedder = OllamaEmbedder(OllamaServer(ollama_address(url)), model, batch=BATCH)
        embedder.ensure_ready()
        started = time.monotonic()
        count = sum(len(batch.vectors) for batch in embedder.embed_batches(texts))
        return count / (time.monotonic() - started)

    # Each text as we send it, so that both give the server the same work.
    sent: list[str] = []
    spy = OllamaServer(ollama_address(url))
    embed = spy.embed

    def note(request: Any, *, seconds: float) -> Any:
        sent.extend(request["input"])
        return embed(request, seconds=seconds)

    spy.embed = note  # type: ignore[method-assign]
    list(OllamaEmbedder(spy, model, batch=BATCH).embed_batches(texts))
    # Behind the text that told the dimension.
    work = sent[1:]

    def bare() -> float:
        started = time.monotonic()
        for start in range(0, len(work), BATCH):
            body = {"model": model, "input": work[start : start + BATCH], "keep_alive": "30m"}
            post(f"{url}/api/embed", body)
        return len(work) / (time.monotonic() - started)

    return ours, bare


def points_runs(url: str, dimension: int) -> tuple[Callable[[], float], Callable[[], float]]:
    """Storing the same points with us and without, each time in a new collection."""
    files = max(100, 500_000 // dimension)
    random = np.random.default_rng(7)
    texts = (source_texts() * 10)[: 8 * files]
    rows = random.standard_normal((len(texts), dimension)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    manifest = Manifest.open(Path(tempfile.mkdtemp()) / "manifest.db")
    manifest.set_embedder(EmbedderKey("bench", dimension))
    ids = manifest.write_files(
        [make_rows(f"src/f{n}.py", texts[8 * n : 8 * n + 8]) for n in range(files)]
    )
    vectors = {one: quantise(rows[8 * n : 8 * n + 8]) for n, one in enumerate(ids)}

    def ours() -> float:
        server = QdrantServer(qdrant_address(url))
        store = QdrantVectors(
            server, manifest, collection=new_name(), root="/bench", scope="0badcafe"
        )
        manifest.set_meta({META_COLLECTION: None})
        store.prepare("bench", dimension)
        started = time.monotonic()
        for start in range(0, len(ids), POINTS_A_REQUEST // 8):
            store.upsert({one: vectors[one] for one in ids[start : start + POINTS_A_REQUEST // 8]})
        reached = len(texts) / (time.monotonic() - started)
        assert store.count() == len(texts)
        store.remove()
        return reached

    def bare() -> float:
        place = f"{url}/collections/{new_name()}"
        post(place, {"vectors": {"size": dimension, "distance": "Cosine"}}, "PUT")
        for field in ("path", "stamp"):
            post(
                f"{place}/index?wait=true", {"field_name": field, "field_schema": "keyword"}, "PUT"
            )
        started = time.monotonic()
        for start in range(0, len(texts), POINTS_A_REQUEST):
            points = [
                {
                    "id": point_id("bench", f"src/f{n // 8}.py", n % 8),
                    "vector": rows[n].tolist(),
                    "payload": {
                        "path": f"src/f{n // 8}.py",
                        "stamp": f"f{n // 8}",
                        "text": texts[n],
                    },
                }
                for n in range(start, min(start + POINTS_A_REQUEST, len(texts)))
            ]
            post(f"{place}/points?wait=true", {"points": points}, "PUT")
        reached = len(texts) / (time.monotonic() - started)
        post(place, None, "DELETE")
        return reached

    return ours, bare


def new_name() -> str:
    """A collection that nobody has."""
    return f"idx_test_{uuid.uuid4().hex[:12]}"


def post(url: str, body: object, method: str = "POST") -> Any:
    """The answer to one request."""
    request = Request(
        url, json.dumps(body).encode(), {"content-type": "application/json"}, method=method
    )
    with urlopen(request, timeout=600) as answer:
        return json.load(answer)


if __name__ == "__main__":
    main()
