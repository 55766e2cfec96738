"""The manifest: everything we know of one project's files, in one SQLite database."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from code_indexer.errors import IndexCorruptError, StateError
from code_indexer.storage import (
    chunks,
    counts,
    file_records,
    lexical,
    pass_journal,
    retrieval,
    structure,
)
from code_indexer.storage.database import Database, open_database
from code_indexer.storage.file_filter import FileFilter, matching_files
from code_indexer.storage.integrity import check_quickly, find_damage
from code_indexer.storage.known_vectors import (
    adopt_vectors,
    drop_spares_of,
    known_vectors,
    spare_vectors_of,
    trim_spares,
)
from code_indexer.storage.migrations import MANIFEST_STEPS
from code_indexer.storage.rows import FileRows, path_bytes
from code_indexer.storage.vectors import ChunkScore, FileVectors
from code_indexer.storage.writing import clear_vectors, delete_rows, write_rows, write_vectors
from code_indexer.types import (
    FileRecord,
    FileStamp,
    Reference,
    Relationship,
    SkippedFile,
    Symbol,
)

if TYPE_CHECKING:
    from code_indexer.storage.embedded_vectors import EmbeddedVectors

REPAIR_HINT = "Run 'code-indexer reindex-project' on the project to rebuild it."
SPARE_LIMIT = 100_000
_EMBEDDER = "embedder"


@dataclass(frozen=True, slots=True)
class EmbedderKey:
    """Which embedder all vectors of a manifest come from."""

    key: str
    """Engine, model, digest and prompt version, in any form that differs when they do."""
    dimension: int


class Manifest:
    """The open manifest of one project; a context manager."""

    def __init__(self, database: Database, *, spare_limit: int = SPARE_LIMIT) -> None:
        self._database = database
        self._spare_limit = spare_limit

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        read_only: bool = False,
        spare_limit: int = SPARE_LIMIT,
        cache_bytes: int = 16 << 20,
    ) -> Self:
        """The manifest at *path*; without *read_only* it is created if missing.

        Raises:
            IndexCorruptError: It is damaged.
            StateError: It cannot be read or written.
        """
        database = open_database(
            path,
            MANIFEST_STEPS,
            read_only=read_only,
            hint=REPAIR_HINT,
            cache_bytes=cache_bytes,
        )
        return cls(database, spare_limit=spare_limit)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the database; closing twice is allowed."""
        self._database.close()

    def is_in_place(self) -> bool:
        """Whether its file still lies at its path, neither deleted nor replaced."""
        return self._database.is_in_place()

    @property
    def path(self) -> Path:
        """Where it lies."""
        return self._database.path

    @property
    def created(self) -> bool:
        """It was missing or empty when it was opened."""
        return self._database.created

    # Transactions

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit everything inside, or nothing; inside another one it is a savepoint."""
        with self._database.transaction():
            yield

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let everything read inside come from one committed state."""
        with self._database.snapshot():
            yield

    # Facts about the whole

    @property
    def database(self) -> Database:
        """For the other modules of this room."""
        return self._database

    def meta(self) -> dict[str, str]:
        """All recorded facts."""
        return dict(self._database.rows("SELECT key, value FROM meta"))

    def set_meta(self, values: Mapping[str, str | None]) -> None:
        """Record facts; None forgets one."""
        with self._database.transaction():
            self._database.run_many(
                "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)",
                [(key, value) for key, value in values.items() if value is not None],
            )
            self._database.run_many(
                "DELETE FROM meta WHERE key = ?",
                [(key,) for key, value in values.items() if value is None],
            )

    def counts(self) -> counts.ManifestCounts:
        """How much it holds; reads the rows of ``files`` alone."""
        return counts.count_all(self._database)

    def file_count(self) -> int:
        """Number of files, at once."""
        return counts.file_count(self._database)

    def pending_count(self) -> int:
        """Number of files whose chunks do not all have vectors, at once."""
        return counts.pending_count(self._database)

    def coverage(self) -> float | None:
        """The share of the chunks that have vectors; None where there are no chunks."""
        return counts.coverage(self._database)

    def used_bytes(self) -> int:
        """Size of what it holds, without the room that deleted rows have left."""
        return counts.used_bytes(self._database)

    def degraded_counts(self) -> dict[str, int]:
        """Number of files without structure, by the reason why."""
        return counts.degraded_counts(self._database)

    def check_quickly(self) -> None:
        """Look where damage shows at once; some milliseconds.

        Raises:
            IndexCorruptError: Something is wrong.
        """
        check_quickly(self._database)

    def integrity_check(self) -> list[str]:
        """Everything that is wrong, page by page and row by row; about a second per 200 MB."""
        try:
            embedder = self.embedder()
            dimension = None if embedder is None else embedder.dimension
            return find_damage(self._database, dimension=dimension)
        except IndexCorruptError as error:
            return [error.message]

    # Files

    def files(self) -> dict[str, FileRecord]:
        """All files, by path."""
        return file_records.all_files(self._database)

    def paths(self, limit: int) -> list[str]:
        """Some of the files, at most *limit*."""
        return file_records.some_paths(self._database, limit)

    def file(self, path: str) -> FileRecord | None:
        """One file."""
        return file_records.file_by_path(self._database, path)

    def file_by_id(self, file_id: int) -> FileRecord | None:
        """One file."""
        return file_records.file_by_id(self._database, file_id)

    def matching_files(self, wanted: FileFilter) -> set[int]:
        """Ids of the files that a filter lets through."""
        return matching_files(self._database, wanted)

    def write_files(
        self, files: Sequence[FileRows], vectors: Sequence[FileVectors | None] | None = None
    ) -> list[int]:
        """Write files, each path once, in place of all that was known of them; gives their new ids.

        Vectors which go become spares; files without vectors are pending.
        """
        if len({rows.path for rows in files}) < len(files):
            raise ValueError("a path is given twice")
        vectors = [None] * len(files) if vectors is None else vectors
        with self._database.transaction():
            self._clear([rows.path for rows in files])
            file_ids = write_rows(self._database, files)
            self._write_vectors(dict(zip(file_ids, vectors, strict=True)))
            trim_spares(self._database, self._spare_limit)
        return file_ids

    def delete_files(self, paths: Collection[str]) -> None:
        """Forget files; their vectors become spares."""
        with self._database.transaction():
            self._clear([path_bytes(path) for path in paths])
            trim_spares(self._database, self._spare_limit)

    def mark_outdated(self) -> None:
        """Let every file lose its content hash, so that the next pass parses it again."""
        file_records.mark_outdated(self._database)

    def update_stamps(self, stamps: Mapping[str, FileStamp]) -> None:
        """Record stamps of files whose content is what it was."""
        with self._database.transaction():
            file_records.update_stamps(self._database, stamps)

    # Chunks and their vectors

    def chunks_by_id(self, chunk_ids: Collection[int]) -> dict[int, chunks.ChunkRow]:
        """The chunks that still exist, by id."""
        return chunks.chunks_by_id(self._database, chunk_ids)

    def chunk_texts(self, file_id: int) -> list[chunks.StoredChunk]:
        """The chunks of a file, in order."""
        return chunks.chunks_of_file(self._database, file_id)

    def chunk_places(self, chunk_ids: Collection[int]) -> dict[int, retrieval.ChunkPlace]:
        """Where the chunks that still exist lie, by id; quicker than with their texts."""
        return retrieval.chunk_places(self._database, chunk_ids)

    def chunk_at(self, file_id: int, line: int) -> int | None:
        """The chunk of a file that holds *line*."""
        return retrieval.chunk_at(self._database, file_id, line)

    def chunk_near(self, file_id: int, line: int) -> int | None:
        """The chunk of a file that holds *line*, else the one before it, else the first."""
        return retrieval.chunk_near(self._database, file_id, line)

    def chunks_defining(self, chunk_ids: Collection[int], kinds: Collection[str]) -> set[int]:
        """Those of the chunks in which a symbol of one of *kinds* is named."""
        return retrieval.chunks_defining(self._database, chunk_ids, kinds)

    def symbol_names(self, file_ids: Collection[int]) -> dict[int, list[str]]:
        """The names that files (by id) define, each once per file."""
        return retrieval.symbol_names(self._database, file_ids)

    def file_ids_by_path(self, path: str, *, limit: int) -> list[int]:
        """Files whose path is *path*, or ends with it after a ``/``."""
        return retrieval.file_ids_by_path(self._database, path, limit=limit)

    def first_chunk(self, file_id: int) -> int | None:
        """The first chunk of a file."""
        return retrieval.first_chunk(self._database, file_id)

    def chunk_count(self) -> int:
        """Number of chunks."""
        return counts.chunk_count(self._database)

    def sample_paths(self, count: int) -> list[str]:
        """Paths of about *count* files, spread over the whole project."""
        return retrieval.sample_paths(self._database, count)

    def embedder(self) -> EmbedderKey | None:
        """Which embedder the vectors come from, once it was set."""
        found = self.meta().get(_EMBEDDER)
        with self._database.reading_values():
            return None if found is None else EmbedderKey(*json.loads(found))

    def set_embedder(self, embedder: EmbedderKey) -> None:
        """Record the embedder; another one than before makes all vectors useless: they go."""
        if embedder == self.embedder():
            return
        with self._database.transaction():
            self.clear_vectors()
            self.set_meta({_EMBEDDER: json.dumps([embedder.key, embedder.dimension])})

    def vectors(self) -> "EmbeddedVectors":
        """The embedded vector store; this loads numpy."""
        from code_indexer.storage.embedded_vectors import EmbeddedVectors  # noqa: PLC0415

        return EmbeddedVectors(self._database)

    def known_vectors(self, text_hashes: Collection[bytes]) -> dict[bytes, bytes]:
        """Records (see FileVectors) of the texts that were embedded before, by their hash."""
        embedder = self.embedder()
        if embedder is None:
            return {}
        return known_vectors(self._database, text_hashes, dimension=embedder.dimension)

    def adopt_vectors(self, old: Path) -> int:
        """Take the vectors of the manifest at *old*, which may be damaged, as spares; how many.

        Only if they come from the same embedder; none if nothing can be read.
        """
        embedder = self.embedder()
        try:
            with Manifest.open(old, read_only=True) as source:
                if embedder is None or source.embedder() != embedder:
                    return 0
                with self._database.transaction():
                    adopted = adopt_vectors(
                        self._database, source.database, dimension=embedder.dimension
                    )
                    trim_spares(self._database, self._spare_limit)
                    return adopted
        except (IndexCorruptError, StateError):
            return 0

    def pending_files(self) -> list[file_records.PendingFile]:
        """The files whose chunks do not all have vectors, by id."""
        return file_records.pending_files(self._database)

    def set_vectors(self, vectors: Mapping[int, FileVectors]) -> None:
        """Write the vectors of files (by id); those with missing ones stay pending."""
        with self._database.transaction():
            self._write_vectors(vectors)

    def mark_embedded(self, vector_counts: Mapping[int, int]) -> None:
        """Record how many chunks of each file (by id) have vectors in a store elsewhere."""
        with self._database.transaction():
            file_records.mark_embedded(self._database, vector_counts)

    def clear_vectors(self) -> None:
        """Forget all vectors, spares too; every file with chunks is pending."""
        with self._database.transaction():
            clear_vectors(self._database)

    def keep_spares(self, records: Sequence[tuple[bytes, bytes]]) -> None:
        """Keep records of texts (by hash) that came from elsewhere, however many, until used.

        As long as this object lives they are not trimmed: the next pass is to find them.
        """
        with self._database.transaction():
            self._database.run_many(
                "INSERT OR REPLACE INTO spare_vectors (text_hash, vector) VALUES (?, ?)", records
            )
        self._spare_limit += len(records)

    def record_chunk_failures(self, failures: Sequence[pass_journal.ChunkFailure]) -> None:
        """Remember which chunks the embedder refused."""
        with self._database.transaction():
            pass_journal.record_chunk_failures(self._database, failures)

    def chunk_failures(self) -> list[pass_journal.ChunkFailure]:
        """The chunks that the embedder refused and has not embedded since."""
        return pass_journal.read_chunk_failures(self._database)

    # Symbols and references

    def symbols_named(self, name: str, *, ignore_case: bool = False) -> list[structure.FoundSymbol]:
        """All symbols of exactly this (last) name, by path and line."""
        return structure.symbols_named(self._database, name, ignore_case=ignore_case)

    def symbols_like(self, part: str, *, limit: int) -> list[structure.FoundSymbol]:
        """Symbols whose name holds *part*, letter case aside, the closest first."""
        return structure.symbols_like(self._database, part, limit=limit)

    def symbols_of_file(self, file_id: int) -> list[Symbol]:
        """The symbols of a file, in the order in which it was parsed."""
        return structure.symbols_of_file(self._database, file_id)

    def symbol_at(self, path: str, line: int) -> Symbol | None:
        """The innermost symbol around a line."""
        record = self.file(path)
        if record is None:
            return None
        return structure.symbol_at(self._database, record.file_id, line)

    def references_named(
        self, name: str, relationship: Relationship | None = None
    ) -> Iterator[structure.FoundReference]:
        """The places that name *name*, by path and line."""
        return structure.references_named(self._database, name, relationship)

    def references_of_file(self, file_id: int) -> list[Reference]:
        """All references that a file makes, in its order."""
        return structure.references_of_file(self._database, file_id)

    def imports_of(self, file_id: int) -> list[Reference]:
        """What a file imports, in its order."""
        return structure.imports_of(self._database, file_id)

    def all_imports(self) -> Iterator[structure.FoundReference]:
        """What every file imports, by path."""
        return structure.all_imports(self._database)

    # Terms

    def lexical_match(
        self,
        terms: Sequence[str],
        *,
        limit: int,
        weights: lexical.Weights = lexical.EVEN_WEIGHTS,
        file_ids: Collection[int] | None = None,
    ) -> list[ChunkScore]:
        """Chunks that hold any of *terms*, by BM25, best first."""
        return lexical.lexical_match(
            self._database, terms, limit=limit, weights=weights, file_ids=file_ids
        )

    def chunks_with_phrase(
        self, phrase: str, *, limit: int, file_ids: Collection[int] | None = None
    ) -> list[int]:
        """Some *limit* chunks that hold the terms of *phrase* one after the other."""
        return lexical.chunks_with_phrase(self._database, phrase, limit=limit, file_ids=file_ids)

    def document_frequencies(self, terms: Collection[str]) -> dict[str, int]:
        """In how many chunks each of *terms* stands; 0 for the unknown."""
        return lexical.document_frequencies(self._database, terms)

    # Passes

    def read_pass(self) -> pass_journal.PassRecord:
        """The present or last index pass."""
        return pass_journal.read_pass(self._database)

    def write_pass(self, record: pass_journal.PassRecord) -> None:
        """Replace the journal, but for the end of the last complete pass."""
        pass_journal.write_pass(self._database, record)

    def skipped(self) -> list[SkippedFile]:
        """The files that the last scan left out, in the order given."""
        return pass_journal.read_skipped(self._database)

    def skipped_counts(self) -> dict[str, int]:
        """Their numbers, by reason."""
        return pass_journal.skipped_counts(self._database)

    def replace_skipped(self, skipped: Sequence[SkippedFile]) -> None:
        """Say which files the last scan left out."""
        pass_journal.replace_skipped(self._database, skipped)

    def failed(self) -> list[SkippedFile]:
        """The files that the last pass could not index, in the order given."""
        return pass_journal.read_failed(self._database)

    def replace_failed(self, failed: Sequence[SkippedFile]) -> None:
        """Say which files the last pass could not index."""
        pass_journal.replace_failed(self._database, failed)

    def _clear(self, paths: Sequence[bytes]) -> None:
        """Take out all rows of these files."""
        file_ids = [
            int(file_id)
            for path in paths
            if (
                file_id := self._database.value("SELECT file_id FROM files WHERE path = ?", (path,))
            )
            is not None
        ]
        embedder = self.embedder()
        if embedder is not None:
            spare_vectors_of(self._database, file_ids, dimension=embedder.dimension)
        delete_rows(self._database, file_ids)

    def _write_vectors(self, vectors: Mapping[int, FileVectors | None]) -> None:
        self._check_shape(vectors)
        write_vectors(self._database, vectors)
        drop_spares_of(
            self._database,
            [file_id for file_id, of_file in vectors.items() if of_file is not None],
        )

    def _check_shape(self, vectors: Mapping[int, FileVectors | None]) -> None:
        embedder = self.embedder()
        for file_id, of_file in vectors.items():
            if of_file is None:
                continue
            count = self._database.value(
                "SELECT chunk_count FROM files WHERE file_id = ?", (file_id,)
            )
            if embedder is None or of_file.dimension != embedder.dimension:
                raise ValueError(f"vectors of {of_file.dimension} dimensions, not of {embedder}")
            if of_file.count != count:
                raise ValueError(f"{of_file.count} vectors for {count} chunks")
