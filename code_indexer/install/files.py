"""Writing other programs' files: whole or not at all, with the old one kept beside."""

import errno
import os
import stat
import tempfile
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from code_indexer.errors import CodeIndexerError
from code_indexer.install.edits import DamagedConfigurationError

BACKUP_SUFFIX = ".before-code-indexer"
_MAX_BYTES = 64 * 1024 * 1024
BY_HAND = "Mend the file and run the command again, or add by hand what --print shows"
_IN_THE_WAY = "Move away what stands in its place"


def read_text(path: Path) -> str | None:
    """The text of a file; None when there is none.

    Raises:
        DamagedConfigurationError: It is not UTF-8.
        CodeIndexerError: It cannot be read.
    """
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):  # reading a pipe would wait for its writer
            raise CodeIndexerError(f"{path} is not a file", hint=_IN_THE_WAY)
        if status.st_size > _MAX_BYTES:
            raise DamagedConfigurationError(
                f"{path} is too large for a configuration file", hint=BY_HAND
            )
        return path.read_bytes().decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except UnicodeDecodeError as error:
        raise DamagedConfigurationError(f"{path} is not UTF-8 text", hint=BY_HAND) from error
    except OSError as error:
        raise _refused(path, "read", error) from error


def backup_of(path: Path) -> Path:
    """Where the file is kept as it was before."""
    return path.with_name(path.name + BACKUP_SUFFIX)


def write_text(path: Path, text: str, *, backup: str | None) -> None:
    """Put *text* in the file's place at once; *backup* is kept beside it, if it is given.

    A symbolic link stays one: the file it leads to is replaced.

    Raises:
        CodeIndexerError: The folder or the file cannot be written.
    """
    target = Path(os.path.realpath(path))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        mode = target.stat().st_mode & 0o7777 if target.exists() else None
        if backup is not None:
            _replace(backup_of(path), backup, mode)
        _replace(target, text, mode)
    except OSError as error:
        raise _refused(path, "written", error) from error


def delete(path: Path, *, up_to: Collection[Path] = ()) -> None:
    """Remove the file, and nothing else: a symbolic link stays, what it leads to goes.

    Folders that are empty without it go too, where they lie below one of *up_to*.

    Raises:
        CodeIndexerError: It cannot be removed.
    """
    try:
        Path(os.path.realpath(path)).unlink(missing_ok=True)
    except OSError as error:
        raise _refused(path, "deleted", error) from error
    kept = {*up_to, *(parent for folder in up_to for parent in folder.parents)}
    for folder in path.parents:
        if folder in kept or not kept.intersection(folder.parents):
            return
        try:
            folder.rmdir()
        except OSError:
            return


def _replace(path: Path, text: str, mode: int | None) -> None:
    """Write beside and rename; a new file is readable for everyone the umask allows."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(text.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o666 & ~_umask() if mode is None else mode)
        Path(name).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


def _umask() -> int:
    value = os.umask(0)
    os.umask(value)
    return value


def _refused(path: Path, what: str, error: OSError) -> CodeIndexerError:
    is_in_the_way = isinstance(error, FileExistsError | NotADirectoryError | IsADirectoryError)
    hint = _IN_THE_WAY if is_in_the_way or error.errno == errno.ELOOP else "Check its permissions"
    return CodeIndexerError(f"{path} cannot be {what}: {error.strerror}", hint=hint)
