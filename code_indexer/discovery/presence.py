"""Whether the root of a project is there, or was, as its disk may be away."""

import os
from collections.abc import Sized
from dataclasses import dataclass
from pathlib import Path

from code_indexer.errors import UnsuitableRootError
from code_indexer.identity import file_identity

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


@dataclass(frozen=True, slots=True)
class Presence:
    """A root as it was when one began to look at it."""

    root: Path
    identity: tuple[int, int] | None
    can_go_away: bool
    """False where there was nothing, at the root or among the files known of it."""

    @classmethod
    def of(cls, root: Path, known: Sized) -> "Presence":
        """The root as it is now; *known* are the files recorded of it."""
        return cls(root, file_identity(root), bool(known) or not is_forsaken(root))

    def check(self) -> None:
        """See to it that what was not found below the root since can be taken as deleted.

        Raises:
            UnsuitableRootError: Another folder lies there, or it is forsaken: unmounted, moved,
                emptied meanwhile.
        """
        if not self.can_go_away:
            return
        if file_identity(self.root) != self.identity or is_forsaken(self.root):
            raise UnsuitableRootError(
                f"{self.root} went away, or another folder took its place, while it was looked at",
                hint="Ask again when it is there",
            )
