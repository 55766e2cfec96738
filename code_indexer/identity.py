"""What tells things apart: slugs, collection names, hashes, point ids, files of the system."""

import hashlib
import os
import re
import uuid
from pathlib import Path

from code_indexer.errors import UsageError

_POINT_NAMESPACE = uuid.UUID("6d1f1a1e-6a0c-5a43-9a53-7f0b7f6d2c11")
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_SLUG = re.compile(r"[0-9a-f]{8}")


def slashed(path: str) -> str:
    """A path of the system with ``/`` between its parts, as every path in an index has it."""
    return path if os.sep == "/" else path.replace(os.sep, "/")


def file_identity(path: str | Path) -> tuple[int, int] | None:
    """Which file or folder lies at *path*, told from any other that may lie there later.

    None where there is none, or it may not be looked at.
    """
    try:
        status = os.stat(path)  # noqa: PTH116 - a root may hold undecodable bytes
    except OSError:
        return None
    return status.st_dev, status.st_ino


def slug_of(root: str) -> str:
    """8 hex digits that stand for the absolute path *root*."""
    return hashlib.sha256(root.encode("utf-8", "surrogateescape")).hexdigest()[:8]


def looks_like_slug(text: str) -> bool:
    """Whether *text* has the form of a slug."""
    return _SLUG.fullmatch(text) is not None


def checked_name(name: str) -> str:
    """*name* itself, when it may name a project.

    Raises:
        UsageError: It holds other characters than letters, digits, ``_`` and ``-``, or is too long.
    """
    if _NAME.fullmatch(name) is None:
        raise UsageError(
            f"not a usable project name: {name!r}",
            hint="Use 1 to 64 of the characters A-Z a-z 0-9 _ -",
        )
    return name


def collection_name(slug: str, name: str | None) -> str:
    """Name of the project's vector collection."""
    return f"idx_{name or slug}"


def content_hash(data: bytes) -> str:
    """sha256 of a file's bytes, in hex."""
    return hashlib.sha256(data).hexdigest()


def text_hash(text: str) -> bytes:
    """16 bytes that stand for the exact text given to an embedder."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def point_id(slug: str, path: str, chunk_index: int) -> str:
    """Id of a chunk's point; it depends on the place alone, so an upsert replaces."""
    return str(uuid.uuid5(_POINT_NAMESPACE, f"{slug}|{path}|{chunk_index}"))
