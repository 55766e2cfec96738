"""Every error that code_indexer raises on purpose.

    CodeIndexerError                      exit 1
    ├── StateError                        exit 1   the state folder cannot be written
    ├── UsageError                        exit 2   the caller can fix it
    │   ├── InvalidSettingError
    │   ├── ProjectNotFoundError
    │   ├── UnsuitableRootError
    │   ├── NameTakenError
    │   ├── OutsideProjectError
    │   └── CollectionTakenError
    ├── ModelChangedError                 exit 1   the vectors are of another model: reindex-project
    ├── ServiceUnavailableError           exit 3   Ollama or Qdrant did not answer
    ├── IndexBusyError                    exit 4   another process holds the project lock
    └── IndexCorruptError                 exit 5   reindex-project repairs it

A message says what happened, and to which file or service; ``hint`` says what to do next.
"""

import difflib
from collections.abc import Collection, Sequence


class CodeIndexerError(Exception):
    """Anything that stops an operation for a reason the user should read."""

    exit_code = 1

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class StateError(CodeIndexerError):
    """The state folder cannot be read or written."""


class UsageError(CodeIndexerError):
    """The request itself is wrong."""

    exit_code = 2


class InvalidSettingError(UsageError):
    """A setting has a value outside its range."""


class ProjectNotFoundError(UsageError):
    """No project goes by this path, slug or name."""


class UnsuitableRootError(UsageError):
    """The folder cannot be a project: missing, a file, the root of the disk, the home folder."""


class NameTakenError(UsageError):
    """Another project already has this name."""


class OutsideProjectError(UsageError):
    """A file was asked for that does not lie inside the project."""


class CollectionTakenError(UsageError):
    """The project's collection on the Qdrant server is not this project's."""


class ModelChangedError(CodeIndexerError):
    """The index holds vectors of another model than the settings name."""


class ServiceUnavailableError(CodeIndexerError):
    """Ollama or Qdrant did not answer, or not in a usable way."""

    exit_code = 3


class IndexBusyError(CodeIndexerError):
    """Another process is indexing the project."""

    exit_code = 4


class IndexCorruptError(CodeIndexerError):
    """A database is damaged."""

    exit_code = 5


def known_words(wrong: Sequence[str], known: Collection[str]) -> str:
    """The hint for words that are none of the *known*: what may have been meant, and what is."""
    near = [
        match for word in wrong for match in difflib.get_close_matches(word.lower(), known, n=1)
    ]
    meant = f"Did you mean {', '.join(dict.fromkeys(near))}? " if near else ""
    return f"{meant}Known: {', '.join(known)}"
