"""A parsed file as rows, made in the worker that parsed it: pure, and cheap to send on."""

import json
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from code_indexer.storage.packed_references import name_key, pack_references
from code_indexer.types import Chunk, FoundFile, LexicalRow, ParsedFile, Reference, Symbol

CHUNK_BITS = 20
MAX_CHUNKS = 1 << CHUNK_BITS
META_COLLECTION = "qdrant_collection"
"""Where a manifest keeps the name of the numbered collection that its points lie in."""
META_OWNER = "qdrant_owner"
"""Where it keeps the root and the scope of the record that this machine wrote there."""
_SIGNED_LIMIT = 1 << 63


class Terms(NamedTuple):
    """A LexicalRow as it is written: a plain tuple is quicker to send, to pack and to bind."""

    body: str
    names: str
    docs: str
    stem: str
    dirs: str


@dataclass(frozen=True, slots=True)
class FileRows:
    """Everything the manifest keeps of one file, but for its vectors."""

    path: bytes
    file: tuple[Any, ...]
    """The columns of ``files`` from content_hash to error."""
    chunks: tuple[tuple[Any, ...], ...]
    """Per chunk the columns of ``chunks`` after its id."""
    symbols: tuple[tuple[Any, ...], ...]
    """Per symbol the columns of ``symbols`` after its id."""
    references: bytes
    imports: bytes
    name_keys: tuple[int, ...]
    """Under which names ``reference_names`` leads to the file, sorted."""
    lexical: tuple[Terms, ...]
    lexical_packed: bytes
    """The same rows, as they are kept to be able to delete them."""

    @property
    def content_hash(self) -> str:
        """sha256 of the file's bytes, in hex."""
        return str(self.file[0])

    @property
    def texts(self) -> tuple[tuple[str, str | None], ...]:
        """Per chunk, its text and the qualified name of its symbol."""
        return tuple((chunk[2], chunk[3]) for chunk in self.chunks)

    @property
    def text_hashes(self) -> tuple[bytes, ...]:
        """Per chunk, the hash of the text that is embedded."""
        return tuple(chunk[5] for chunk in self.chunks)


def pack_file(
    found: FoundFile,
    content_hash: str,
    parsed: ParsedFile,
    lexical: Sequence[LexicalRow],
    text_hashes: Sequence[bytes],
    error: str | None = None,
) -> FileRows:
    """The rows of one file; *lexical* and *text_hashes* hold one entry per chunk."""
    chunks, references = parsed.chunks, parsed.references
    if not len(chunks) == len(lexical) == len(text_hashes) < MAX_CHUNKS:
        raise ValueError(f"{len(chunks)} chunks, {len(lexical)} lexical rows, {len(text_hashes)}")
    imports = [reference for reference in references if reference.shape == "import"]
    others = [reference for reference in references if reference.shape != "import"]
    terms = tuple(map(_terms, lexical))
    stamp = found.stamp
    return FileRows(
        path=path_bytes(found.path),
        file=(
            content_hash,
            *map(signed, (stamp.size, stamp.mtime_ns, stamp.ctime_ns, stamp.inode)),
            signed(stamp.observed_ns),
            found.language,
            found.content,
            len(chunks),
            len(parsed.symbols),
            len(references),
            parsed.degraded,
            error,
        ),
        chunks=tuple(map(_chunk_row, chunks, text_hashes)),
        symbols=tuple(map(_symbol_row, parsed.symbols)),
        references=pack_references(others),
        imports=pack_references(imports),
        name_keys=_name_keys(references),
        lexical=terms,
        lexical_packed=_pack_lexical(terms),
    )


def unpack_lexical(packed: bytes) -> list[Terms]:
    """The lexical rows of a file, exactly as they were written."""
    if not packed:
        return []
    columns = json.loads(zlib.decompress(packed))
    return [Terms(*row) for row in zip(*columns, strict=True)]


def path_bytes(path: str) -> bytes:
    """A path as the system spells it: names need not be UTF-8."""
    return path.encode("utf-8", "surrogateescape")


def path_text(path: bytes) -> str:
    """The inverse of :func:`path_bytes`."""
    return path.decode("utf-8", "surrogateescape")


def writable(text: str) -> str:
    """*text*, with a sign in place of lone surrogates, which SQLite cannot hold."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


def signed(number: int) -> int:
    """*number* as SQLite can hold it: inodes of some file systems need all 64 bits."""
    return (number + _SIGNED_LIMIT) % (2 * _SIGNED_LIMIT) - _SIGNED_LIMIT


def unsigned(number: int) -> int:
    """The inverse of :func:`signed`, for numbers that are never negative."""
    return number % (2 * _SIGNED_LIMIT)


def _chunk_row(chunk: Chunk, text_hash: bytes) -> tuple[Any, ...]:
    symbol = None if chunk.symbol is None else writable(chunk.symbol)
    text = writable(chunk.text)
    return (chunk.start_line, chunk.end_line, text, symbol, chunk.kind, text_hash)


def _terms(row: LexicalRow) -> Terms:
    fields = (row.body, row.names, row.docs, row.stem, row.dirs)
    return Terms(*map(writable, fields))


def _symbol_row(symbol: Symbol) -> tuple[Any, ...]:
    name = writable(symbol.name)
    return (
        name,
        name.lower(),
        writable(symbol.qualified_name),
        symbol.kind,
        symbol.start_line,
        symbol.end_line,
        symbol.name_line,
        None if symbol.parent is None else writable(symbol.parent),
        symbol.visibility,
        int(symbol.is_test),
        int(symbol.is_declaration),
        writable(symbol.signature),
        writable(symbol.documentation),
    )


def _name_keys(references: Iterable[Reference]) -> tuple[int, ...]:
    names = {reference.name for reference in references}
    return tuple(sorted(set(map(name_key, names))))


def _pack_lexical(rows: Sequence[Terms]) -> bytes:
    """Column by column, so that equal values lie together."""
    if not rows:
        return b""
    columns = list(zip(*rows, strict=True))
    return zlib.compress(json.dumps(columns, separators=(",", ":")).encode(), 1)
