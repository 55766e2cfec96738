"""How a pass gets its vectors: at once with the rows, or afterwards in batches of their own."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from code_indexer.errors import ModelChangedError
from code_indexer.indexing.identity import embedder_key, is_embedded, settle_embedder
from code_indexer.indexing.progress import PassProgress, ReportProgress
from code_indexer.inference.embedder import Embedder, EmbedderIdentity
from code_indexer.inference.texts import document_text, named_text
from code_indexer.storage.file_records import PendingFile
from code_indexer.storage.manifest import Manifest
from code_indexer.storage.vectors import FileVectors

if TYPE_CHECKING:
    from code_indexer.indexing.jobs import PreparedFile

_GROUP_CHUNKS = 2000


class VectorWriter(Protocol):
    """What a pass asks of an engine."""

    embedded: int
    """Texts given to the embedder so far."""
    reused: int
    """Texts whose vectors were known."""

    def start(self, manifest: Manifest) -> None:
        """A pass begins: settle which model the manifest's vectors are of."""
        ...

    def for_batch(
        self, manifest: Manifest, batch: Sequence["PreparedFile"]
    ) -> list[FileVectors | None]:
        """Per file of the batch, the vectors to store in the same transaction; None: later."""
        ...

    def forget(self, manifest: Manifest, paths: Sequence[str]) -> None:
        """These files are about to be deleted from the manifest."""
        ...

    def finish(self, manifest: Manifest, progress: ReportProgress) -> None:
        """Give vectors to every file that waits for them."""
        ...


class InlineVectors:
    """For the embedded model: faster than the disk, so rows and vectors are committed together."""

    def __init__(self, identity: EmbedderIdentity, load: Callable[[], Embedder]) -> None:
        """*load* gives the embedder of that identity once there is a text to embed."""
        self._load = load
        self._key = embedder_key(identity)
        self._is_other = False
        self.embedded = 0
        self.reused = 0

    def start(self, manifest: Manifest) -> None:
        """Vectors of another embedded model go; the pass makes new ones in seconds.

        Those of a server's model stay: hours of work are not thrown away unasked.
        """
        try:
            settle_embedder(manifest, self._key)
        except ModelChangedError:
            self._is_other = not is_embedded(manifest.embedder())
            if not self._is_other:
                manifest.set_embedder(self._key)

    def for_batch(
        self, manifest: Manifest, batch: Sequence["PreparedFile"]
    ) -> list[FileVectors | None]:
        """The vectors of every file of the batch."""
        if self._is_other:
            return [None] * len(batch)
        texts = {
            text_hash: named_text(text, symbol)
            for prepared in batch
            if prepared.rows is not None
            for text_hash, (text, symbol) in zip(prepared.hashes, prepared.rows.texts, strict=True)
        }
        records = self._records(manifest, texts, sum(len(prepared.hashes) for prepared in batch))
        return [
            FileVectors.of(
                self._key.dimension, [records[text_hash] for text_hash in prepared.hashes]
            )
            for prepared in batch
        ]

    def forget(self, manifest: Manifest, paths: Sequence[str]) -> None:
        """Nothing: the manifest deletes a file's vectors with the file."""

    def finish(self, manifest: Manifest, progress: ReportProgress) -> None:
        """Embed what another model left without vectors.

        Raises:
            ModelChangedError: The index holds vectors of a server's model.
        """
        if self._is_other:
            settle_embedder(manifest, self._key)
        pending = manifest.pending_files()
        total = sum(file.chunk_count for file in pending)
        done = 0
        for group in grouped(pending):
            with manifest.transaction():
                for file in group:
                    stored = manifest.chunk_texts(file.file_id)
                    texts = {
                        one.text_hash: document_text(one.chunk, file.language) for one in stored
                    }
                    records = self._records(manifest, texts, len(stored))
                    vectors = FileVectors.of(
                        self._key.dimension,
                        [records[one.text_hash] for one in stored],
                    )
                    manifest.set_vectors({file.file_id: vectors})
                    done += len(stored)
            progress(PassProgress("embedding", done, total, done))

    def _records(
        self, manifest: Manifest, texts: dict[bytes, str], chunk_count: int
    ) -> dict[bytes, bytes | None]:
        """A stored record for every text hash; only unknown texts are embedded, each once."""
        records: dict[bytes, bytes | None] = dict(manifest.known_vectors(texts))
        unknown = [text_hash for text_hash in texts if text_hash not in records]
        if unknown:
            from code_indexer.storage.embedded_vectors import quantise

            matrix = self._load().embed_documents([texts[text_hash] for text_hash in unknown])
            records.update(zip(unknown, quantise(matrix).split(), strict=True))
            self.embedded += len(unknown)
        self.reused += chunk_count - len(unknown)
        return records


def grouped(files: Iterable[PendingFile]) -> Iterator[list[PendingFile]]:
    """*files* in groups of some thousand chunks: what is held and committed at once."""
    group: list[PendingFile] = []
    size = 0
    for file in files:
        group.append(file)
        size += file.chunk_count
        if size >= _GROUP_CHUNKS:
            yield group
            group, size = [], 0
    if group:
        yield group
