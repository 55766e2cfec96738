"""Small projects that can be searched, written and parsed in the test itself."""

import weakref
from pathlib import Path

from code_indexer.identity import content_hash, text_hash
from code_indexer.inference.embedded import EmbeddedEmbedder
from code_indexer.inference.texts import document_text
from code_indexer.languages import language_of
from code_indexer.parsing.parse import parse_file
from code_indexer.ranking.documents import lexical_rows
from code_indexer.search.pipeline import ProjectAnswer, ProjectQuestion, search_project
from code_indexer.search.verify import PresentFile, Verifier
from code_indexer.storage.embedded_vectors import EmbeddedVectors, quantise
from code_indexer.storage.manifest import EmbedderKey, Manifest
from code_indexer.storage.rows import pack_file
from code_indexer.storage.vectors import FileVectors
from code_indexer.types import FileStamp, FoundFile

_STAMP = FileStamp(1, 1, 1, 1, 1)
EMBEDDER = EmbeddedEmbedder()


class SearchableProject:
    """Sources in memory and their manifest; edits are not indexed unless asked."""

    def __init__(self, folder: Path, files: dict[str, str]) -> None:
        self.files = dict(files)
        self.manifest = Manifest.open(folder / "manifest.db")
        weakref.finalize(self, self.manifest.close)
        self.manifest.set_embedder(EmbedderKey("test", 256))
        for path, text in files.items():
            self.index(path, text)

    def index(self, path: str, text: str) -> None:
        """Parse, embed and store one file."""
        self.files[path] = text
        language = language_of(path)
        name = language.name if language else None
        parsed = parse_file(path, text, name)
        texts = [document_text(chunk, name) for chunk in parsed.chunks]
        found = FoundFile(path, _STAMP, name, language.content if language else "code")
        rows = pack_file(
            found,
            content_hash(text.encode()),
            parsed,
            lexical_rows(path, name, parsed),
            [text_hash(text) for text in texts],
        )
        vectors = FileVectors.of(256, list(quantise(EMBEDDER.embed_documents(texts)).split()))
        self.manifest.write_files([rows], [vectors])

    def search(self, query: str, *, dense: bool = True, **options: object) -> ProjectAnswer:
        """The pipeline's answer, verified against the sources as they are now."""
        return search_project(
            self.manifest,
            ProjectQuestion(query=query, **options),  # type: ignore[arg-type]
            root="/project",
            vectors=EmbeddedVectors(self.manifest.database) if dense else None,
            query_vector=EMBEDDER.embed_query(query) if dense else None,
            verifier=Verifier(self._present, parse_file),
        )

    def paths(self, query: str, **options: object) -> list[str]:
        """The paths of the hits, best first."""
        return [hit.path for hit in self.search(query, **options).hits]

    def _present(self, path: str) -> PresentFile | None:
        text = self.files.get(path)
        return None if text is None else PresentFile(text, content_hash(text.encode()))
