"""Which folder a user means, and whether it can be a project."""

import os
from pathlib import Path

from code_indexer.discovery.names import BUILT_IN_FOLDERS, NEVER_ENTERED
from code_indexer.errors import UnsuitableRootError
from code_indexer.identity import slashed
from code_indexer.settings import Settings

_LEFT_OUT = NEVER_ENTERED | BUILT_IN_FOLDERS
_OF_THE_SYSTEM = frozenset(
    f"/{name}"
    for name in (
        *("", "bin", "boot", "dev", "home", "lib", "lib64", "private", "run", "sbin", "tmp"),
        *("usr", "var", "Applications", "Library", "System", "Users", "Volumes"),
    )
)
_OF_THE_KERNEL = ("/proc", "/sys")
"""What lies in them is no file on a disk, and there is no end of it."""


def absolute_path(text: str, settings: Settings) -> str:
    """The one spelling of a path: tilde, ``..``, trailing slashes and links resolved.

    Raises:
        UnsuitableRootError: It is no path at all, or relative to a folder that is gone.
    """
    if not text or "\0" in text:
        raise UnsuitableRootError(f"not a path: {text!r}", hint="Name a folder")
    if text == "~" or text.startswith("~/"):
        text = str(settings.home) + text[1:]
    try:
        return slashed(os.path.realpath(text))
    except FileNotFoundError as error:
        raise UnsuitableRootError(
            f"the working directory is gone: {text}", hint="Name the folder by its whole path"
        ) from error


def checked_root(text: str, settings: Settings) -> str:
    """The absolute path of a folder that can be a project.

    Raises:
        UnsuitableRootError: It does not exist, is not a folder, cannot be read, or holds too much:
            the root of the disk, a folder of the system, the home folder, the index root and what
            lies above these two.
    """
    root = absolute_path(text, settings)
    if not os.path.lexists(root):
        raise UnsuitableRootError(f"no such folder: {text}", hint="Check the spelling of the path")
    if not Path(root).is_dir():
        raise UnsuitableRootError(
            f"not a folder: {text}", hint="Name the folder that holds the file"
        )
    if not os.access(root, os.R_OK | os.X_OK):
        raise UnsuitableRootError(
            f"the folder cannot be read: {text}", hint="Check its permissions"
        )
    _refuse_large(root, text, settings)
    return root


def _refuse_large(root: str, text: str, settings: Settings) -> None:
    hint = "Name the project's own folder"
    is_of_the_system = root in _OF_THE_SYSTEM or any(
        is_inside(root, folder) for folder in _OF_THE_KERNEL
    )
    if is_of_the_system or is_inside(slashed(os.path.realpath(settings.home)), root):
        raise UnsuitableRootError(f"{text} is too much for one project", hint=hint)
    index_root = slashed(os.path.realpath(settings.index_root))
    if is_inside(index_root, root):
        raise UnsuitableRootError(
            f"{text} holds the index itself ({index_root}); it is not a project", hint=hint
        )


def holds_more_files(root: str, count: int) -> bool:
    """Whether there are more than *count* files below *root*, left out the usual folders."""
    seen = 0
    pending = [root]
    while pending:
        try:
            with os.scandir(pending.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        if entry.name not in _LEFT_OUT:
                            pending.append(entry.path)
                    else:
                        seen += 1
                    if seen + len(pending) > count:
                        return True
        except OSError:
            continue
    return False


def is_inside(path: str, folder: str) -> bool:
    """Whether absolute *path* is *folder* or lies below it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")
