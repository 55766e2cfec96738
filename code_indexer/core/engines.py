"""Which engines a project works with: what embeds, and where its vectors lie.

The settings choose: an address means a server, none the embedded default. A project remembers what
it was indexed with; a difference is said, with what to run, and never mixed.
"""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from code_indexer.errors import ModelChangedError, ServiceUnavailableError
from code_indexer.indexing.identity import embedder_key, recorded_identity
from code_indexer.indexing.notes import QUERY_UNANSWERED
from code_indexer.indexing.staleness import is_within_ttl
from code_indexer.settings import Settings
from code_indexer.storage.manifest import Manifest
from code_indexer.types import Project

if TYPE_CHECKING:
    from code_indexer.indexing.server_vectors import StoreWishes
    from code_indexer.indexing.vectors import VectorWriter
    from code_indexer.inference.embedder import Embedder, Vector
    from code_indexer.inference.ollama import OllamaEmbedder
    from code_indexer.storage.qdrant_server import QdrantServer
    from code_indexer.storage.qdrant_vectors import QdrantVectors
    from code_indexer.storage.vectors import VectorStore

_IMPATIENT_SECONDS = 30.0
"""So long after a query that was not answered the next ones are given less time."""


@dataclass(frozen=True, slots=True)
class Dense:
    """The dense half of a search, or why there is none."""

    store: "VectorStore | None" = None
    query_vector: "Vector | None" = None
    problem: str | None = None
    is_down: bool = False
    """A server did not answer."""
    is_unanswered: bool = False
    """The embedder let the query wait for all the time it was given."""


class Engines:
    """The models and stores of one process; each is loaded or connected at first use."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._embedder: Embedder | None = None
        self._query_vectors: dict[str, Vector] = {}

    @property
    def embeds_on_server(self) -> bool:
        """Whether texts are sent to Ollama."""
        return bool(self._settings.ollama_url)

    @property
    def stores_on_server(self) -> bool:
        """Whether vectors are sent to Qdrant."""
        return bool(self._settings.qdrant_url)

    def embedder(self, manifest: Manifest | None = None) -> "Embedder":
        """The model; *manifest* remembers facts that its server need not be asked for."""
        if self._embedder is None:
            if self.embeds_on_server:
                self._embedder = self._ollama(manifest)
            else:
                from code_indexer.inference.embedded import EmbeddedEmbedder

                self._embedder = EmbeddedEmbedder()
        return self._embedder

    def writer(
        self, project: Project, manifest: Manifest, wishes: "StoreWishes | None" = None
    ) -> "VectorWriter":
        """What gives vectors to a pass."""
        if not self.embeds_on_server and not self.stores_on_server:
            from code_indexer.indexing.vectors import InlineVectors
            from code_indexer.inference.embedder import EMBEDDED

            return InlineVectors(EMBEDDED, self.embedder)
        from code_indexer.indexing.server_vectors import ServerVectors

        store = self.qdrant(project, manifest) if self.stores_on_server else None
        return ServerVectors(self.embedder(manifest), store, wishes=wishes)

    def dense(self, project: Project, manifest: Manifest, query: str) -> Dense:
        """What the dense half of a search needs."""
        recorded = manifest.embedder()
        if recorded is None:
            return Dense()
        mismatch = self.mismatch(project, manifest)
        if mismatch is not None:
            return Dense(problem=_in_words(mismatch))
        ollama, was_impatient = None, False
        try:
            embedder = self.embedder(manifest)
            ollama = self.ollama(manifest)
            if ollama is not None and not ollama.is_impatient and _is_impatient(manifest):
                ollama.be_impatient()
            was_impatient = ollama is not None and ollama.is_impatient
            if embedder_key(embedder.identity) != recorded:
                return Dense(problem=_in_words(model_changed(project.root)))
            if query not in self._query_vectors:
                self._query_vectors[query] = embedder.embed_query(query)
            store: VectorStore = manifest.vectors()
            if self.stores_on_server:
                found = self.qdrant(project, manifest)
                # Until a pass has made or taken over a collection, there is what lies here.
                store = found if found.is_known else store
        except ServiceUnavailableError as error:
            unanswered = ollama is not None and ollama.is_impatient and not was_impatient
            return Dense(problem=_in_words(error), is_down=True, is_unanswered=unanswered)
        return Dense(store, self._query_vectors[query])

    def mismatch(self, project: Project, manifest: Manifest) -> ModelChangedError | None:
        """What is wrong when the project was indexed with another model; asks no server."""
        recorded = recorded_identity(manifest.embedder())
        if recorded is None or not manifest.counts().embedded_chunks:
            return None
        wanted = self._wanted_model()
        present = (recorded.engine, recorded.model)
        if present == wanted or (present[0] == wanted[0] == "embedded"):
            return None
        return model_changed(project.root, present=present, wanted=wanted)

    def _wanted_model(self) -> tuple[str, str]:
        if not self.embeds_on_server:
            return "embedded", "code-static-256"
        from code_indexer.inference.ollama_server import short_name

        return "ollama", short_name(self._settings.embed_model or _default_model())

    def qdrant(self, project: Project, manifest: Manifest) -> "QdrantVectors":
        """The project's points on the Qdrant server of the settings."""
        from code_indexer.storage.qdrant_collection import CollectionOptions
        from code_indexer.storage.qdrant_vectors import QdrantVectors

        settings = self._settings
        return QdrantVectors(
            self.qdrant_server(),
            manifest,
            collection=project.collection,
            root=project.root,
            scope=project.slug,
            batch=settings.upsert_batch,
            options=CollectionOptions(
                shard_number=settings.qdrant_shards or None,
                replication_factor=settings.qdrant_replicas or None,
                write_consistency_factor=settings.qdrant_write_consistency or None,
                read_consistency=settings.qdrant_read_consistency or None,
                compact_above_bytes=settings.qdrant_compact_above,
            ),
        )

    def qdrant_server(self) -> "QdrantServer":
        """The Qdrant server of the settings."""
        from code_indexer.addresses import qdrant_address
        from code_indexer.storage.qdrant_server import QdrantServer, QdrantTimes

        settings = self._settings
        times = QdrantTimes(write=settings.qdrant_timeout, retry=settings.server_patience)
        address = qdrant_address(settings.qdrant_url)
        return QdrantServer(address, api_key=settings.qdrant_api_key, times=times)

    def require_servers(self) -> None:
        """Ask the servers of the settings, where there are any, whether they can be used.

        Raises:
            ServiceUnavailableError: One cannot.
        """
        if self.embeds_on_server:
            self.embedder().identity  # noqa: B018 - asks the server
        if self.stores_on_server:
            self.qdrant_server().ask("GET", "/aliases")

    def is_collection_lost(self, error: ServiceUnavailableError) -> bool:
        """Whether *error* says that the server has no such collection (any more)."""
        if not self.stores_on_server:
            return False
        from code_indexer.storage.qdrant_server import CollectionMissingError

        return isinstance(error, CollectionMissingError)

    def ollama(self, manifest: Manifest | None = None) -> "OllamaEmbedder | None":
        """The Ollama model of the settings, where there is one."""
        if not self.embeds_on_server:
            return None
        from code_indexer.inference.ollama import OllamaEmbedder

        embedder = self.embedder(manifest)
        return embedder if isinstance(embedder, OllamaEmbedder) else None

    def processor(self) -> str | None:
        """What Ollama's loaded model runs on; None where there is none, or it cannot be asked."""
        from code_indexer.errors import CodeIndexerError

        ollama = self.ollama()
        try:
            placement = ollama.placement() if ollama is not None else None
        except CodeIndexerError:
            return None
        return placement.processor if placement is not None else None

    def model_of(self, manifest: Manifest) -> str:
        """Name of the model that an index has its vectors of, or will have."""
        recorded = recorded_identity(manifest.embedder())
        return self._wanted_model()[1] if recorded is None else recorded.model

    def words(self) -> str:
        """The engines, for people."""
        embeds = "code-static-256, embedded"
        if self.embeds_on_server:
            embeds = f"{self._settings.embed_model or _default_model()} by Ollama"
        stores = "Qdrant" if self.stores_on_server else "the manifest"
        return f"{embeds}; vectors in {stores}"

    def _ollama(self, manifest: Manifest | None) -> "OllamaEmbedder":
        from code_indexer.addresses import ollama_address
        from code_indexer.inference.ollama import OllamaEmbedder
        from code_indexer.inference.ollama_server import OllamaServer
        from code_indexer.inference.ollama_texts import OllamaTimes
        from code_indexer.inference.prompts import prompts_for

        settings = self._settings
        model = settings.embed_model or _default_model()
        return OllamaEmbedder(
            OllamaServer(ollama_address(settings.ollama_url), api_key=settings.ollama_api_key),
            model,
            known=recorded_identity(manifest.embedder()) if manifest is not None else None,
            prompts=prompts_for(
                model,
                query=settings.embed_query_prompt or None,
                document=settings.embed_document_prompt or None,
            ),
            batch=settings.embed_batch,
            allow_cloud=settings.allow_cloud_models,
            times=OllamaTimes(retry=settings.server_patience),
        )


def model_changed(
    root: str, *, present: tuple[str, str] = ("", ""), wanted: tuple[str, str] = ("", "")
) -> ModelChangedError:
    """The error for an index whose vectors are of another model than the settings name.

    *present* and *wanted* are engine and model, where they differ.
    """
    difference = "of another model than the settings name"
    if present != wanted:
        difference = f"of {present[1]} ({present[0]}); the settings name {wanted[1]} ({wanted[0]})"
    return ModelChangedError(
        f"the index of {root} holds vectors {difference}",
        hint=f"Run: code-indexer reindex-project {root}   (or go back to the former model)",
    )


def _is_impatient(manifest: Manifest) -> bool:
    """Whether a query of this project was not answered a moment ago."""
    noted = int(manifest.meta().get(QUERY_UNANSWERED, 0))
    return is_within_ttl(noted, time.time_ns(), _IMPATIENT_SECONDS)


def _in_words(error: ServiceUnavailableError | ModelChangedError) -> str:
    return f"{error.message} ({error.hint})" if error.hint else error.message


def _default_model() -> str:
    from code_indexer.inference.ollama import DEFAULT_MODEL

    return DEFAULT_MODEL
