"""What every format's editor takes and refuses."""

import io
from collections.abc import Mapping
from dataclasses import dataclass, field

from code_indexer.errors import CodeIndexerError

SERVER_NAME = "code-indexer"


class DamagedConfigurationError(CodeIndexerError):
    """An existing file is not valid, or not shaped as expected; it is left alone."""


@dataclass(frozen=True, slots=True)
class ServerEntry:
    """How an agent starts the server."""

    command: str
    """Absolute path of the program: applications have no shell's PATH."""
    arguments: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)


def changed_unexpectedly() -> DamagedConfigurationError:
    """The error for an edit whose result is not what was meant; nothing has been written."""
    return DamagedConfigurationError(
        "the file is written in a way that cannot be edited safely",
        hint="Add the entry by hand; --print shows it",
    )


def lines_of(text: str) -> list[str]:
    """The lines of *text* with their ends; nothing but a line feed ends one."""
    return io.StringIO(text, newline="\n").readlines()
