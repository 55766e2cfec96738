"""One file from disk to database rows: read, hash, parse, terms. Runs in worker processes too."""

import logging
from pathlib import Path

from code_indexer.discovery.reading import SourceText, read_source
from code_indexer.identity import text_hash
from code_indexer.indexing.jobs import FileJob, PreparedFile, PrepareOptions
from code_indexer.inference.texts import document_text
from code_indexer.parsing.parse import parse_file
from code_indexer.parsing.windows import chunk_windows
from code_indexer.ranking.documents import lexical_rows
from code_indexer.storage.rows import pack_file
from code_indexer.types import FoundFile, ParsedFile, SkippedFile

_LOG = logging.getLogger(__name__)


def prepare_file(job: FileJob, options: PrepareOptions) -> PreparedFile:
    """Read, parse and pack one file; whatever is wrong with it is said in the result."""
    found = job.found
    source = read_source(Path(options.root), found.path, options.max_file_bytes)
    if isinstance(source, SkippedFile):
        return PreparedFile(found.path, skipped=source)
    error = None
    try:
        parsed = parse_file(
            found.path,
            source.text,
            found.language,
            cpp_headers=options.cpp_headers,
            time_limit_seconds=options.time_limit_seconds,
        )
    except Exception as problem:  # noqa: BLE001 - one bad file never stops a pass
        _LOG.exception("cannot parse %s", found.path)
        error = f"{type(problem).__name__}: {problem}"
        parsed = _without_structure(found, source)
    return _packed(found, source, parsed, error)


def failed_file(job: FileJob, options: PrepareOptions, error: str) -> PreparedFile:
    """The result of a job whose parser did not come back; its content is not parsed again."""
    source = read_source(Path(options.root), job.found.path, options.max_file_bytes)
    if isinstance(source, SkippedFile):
        return PreparedFile(job.found.path, skipped=source)
    return _packed(job.found, source, _without_structure(job.found, source), error)


def _without_structure(found: FoundFile, source: SourceText) -> ParsedFile:
    """Windows of lines: what a parser cannot read is found by its words all the same."""
    chunks = tuple(chunk_windows(source.text))
    return ParsedFile(found.language, chunks=chunks, degraded="parser failed")


def _packed(
    found: FoundFile, source: SourceText, parsed: ParsedFile, error: str | None
) -> PreparedFile:
    hashes = tuple(text_hash(document_text(chunk, parsed.language)) for chunk in parsed.chunks)
    seen = FoundFile(found.path, source.stamp, found.language, found.content)
    lexical = lexical_rows(found.path, found.language, parsed)
    rows = pack_file(seen, source.content_hash, parsed, lexical, hashes, error)
    return PreparedFile(found.path, source.content_hash, rows, hashes, error=error)
