"""Whether the root of a project is there, or was, as its disk may be away."""

import os
from collections.abc import Sized
from pathlib import Path

from code_indexer.errors import UnsuitableRootError

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


def never_held_anything(root: Path, known: Sized) -> bool:
    """Whether there is nothing that could go away, at *root* or among the *known* files of it."""
    return not known and is_forsaken(root)


def folder_at(root: Path) -> tuple[int, int] | None:
    """Which folder lies at *root*, told from any other that may lie there later."""
    try:
        status = root.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def check_presence(root: Path, before: tuple[int, int] | None) -> None:
    """See to it that what was not found below *root* can be taken as deleted.

    Raises:
        UnsuitableRootError: The folder is not the one of *before* (see :func:`folder_at`), or it is
            forsaken: unmounted, moved, emptied meanwhile.
    """
    if folder_at(root) != before or is_forsaken(root):
        raise UnsuitableRootError(
            f"{root} went away, or another folder took its place, while it was looked at",
            hint="Ask again when it is there",
        )
