"""Opening the registry, so that a lost or damaged one is never taken for one without projects."""

import os
from collections.abc import Iterator
from pathlib import Path

from code_indexer.errors import IndexCorruptError
from code_indexer.identity import looks_like_slug
from code_indexer.storage.registry import REGISTRY_FILE, REPAIR_HINT, Registry

_CHECKED_BYTES = 1 << 20
"""Up to this size the whole file is checked each time: it takes a fraction of a millisecond."""


def open_registry(index_root: Path) -> Registry:
    """The registry under *index_root*, made where there is no index yet.

    Raises:
        IndexCorruptError: It is damaged, or lost: there are indexes, and nothing says whose.
        StateError: It cannot be read or written.
    """
    path = index_root / REGISTRY_FILE
    if _is_lost(path):
        raise IndexCorruptError(
            f"{path} is empty or gone, and there are indexes beside it", hint=REPAIR_HINT
        )
    registry = Registry.open(index_root)
    try:
        damage = registry.integrity_check() if path.stat().st_size <= _CHECKED_BYTES else []
    except OSError:  # deleted since
        damage = []
    if damage:
        registry.close()
        raise IndexCorruptError(f"{path} is damaged ({damage[0]})", hint=REPAIR_HINT)
    return registry


def index_folders(index_root: Path) -> Iterator[Path]:
    """The folders of *index_root* that hold an index, by name."""
    for folder in sorted(index_root.iterdir()) if index_root.is_dir() else ():
        manifest = folder / "manifest.db"
        # Where one may not look there is none that could be told from others.
        if looks_like_slug(folder.name) and os.path.isfile(manifest):  # noqa: PTH113
            yield folder


def _is_lost(path: Path) -> bool:
    """Whether there is none though there are indexes, all of which are made after it."""
    # Once more in the end: another process may be making the first of both meanwhile.
    return _is_empty(path) and any(index_folders(path.parent)) and _is_empty(path)


def _is_empty(path: Path) -> bool:
    try:
        return path.stat().st_size == 0
    except FileNotFoundError:
        return True
    except OSError:
        return False
