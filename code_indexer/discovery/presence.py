"""Whether the root of a project is there, or was, as its disk may be away."""

import os
from pathlib import Path

_OF_THE_DISK = frozenset(
    {
        *("lost+found", ".DS_Store", ".Spotlight-V100", ".TemporaryItems", ".Trashes"),
        *(".fseventsd", "$RECYCLE.BIN", "System Volume Information", "Thumbs.db", "desktop.ini"),
    }
)
"""What systems put into the uppermost folder of a disk by themselves."""


def is_forsaken(root: Path) -> bool:
    """Whether a root is missing, cannot be listed, or holds nothing that anybody put there.

    A disk that is not mounted leaves an empty folder, and a new disk brings some things itself.
    """
    try:
        with os.scandir(root) as entries:
            return all(entry.name in _OF_THE_DISK for entry in entries)
    except OSError:
        return True


def folder_at(root: Path) -> tuple[int, int] | None:
    """Which folder lies at *root*, told from any other that may lie there later."""
    try:
        status = root.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
