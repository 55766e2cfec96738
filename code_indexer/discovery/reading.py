"""One source file as text, or why it is not read.

Nothing that is opened here can block, and no symbolic link is followed on the way.
"""

import errno
import os
import stat
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from time import time_ns

from code_indexer.discovery import reasons
from code_indexer.discovery.names import is_credential_name
from code_indexer.discovery.opening import (
    BY_DESCRIPTOR,
    BYTES,
    FOLDER,
    NO_FOLLOW,
    NO_WAIT,
    ON_THE_WAY,
)
from code_indexer.discovery.redaction import redact
from code_indexer.discovery.stamps import stamp_of
from code_indexer.identity import content_hash
from code_indexer.languages import language_of
from code_indexer.types import FileStamp, SkippedFile

_UTF8_BOM = b"\xef\xbb\xbf"
_UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")
_KEY_HEADS = ("-----BEGIN ", "PuTTY-User-Key-File-", "openssh-key-v1")
_KEY_HEAD_CHARACTERS = 400
_FIRST_LINE_BYTES = 256
_OPEN_FILE = os.O_RDONLY | NO_FOLLOW | NO_WAIT | BYTES

# A bundle squeezed into a few lines: no chunk of it says anything to a reader.
_SQUEEZED_LANGUAGES = frozenset({"javascript", "css"})
_SQUEEZED_BYTES = 20_000
_SQUEEZED_BYTES_A_LINE = 2_000


@dataclass(frozen=True, slots=True)
class SourceText:
    """The content of one file."""

    text: str
    """Decoded from UTF-8, without a byte order mark; line ends are as in the file.

    Secrets in it are masked, unless they were asked for.
    """
    content_hash: str
    """sha256 of the bytes as they lie on the disk, in hex."""
    stamp: FileStamp
    """Taken before the bytes were read, so it is never younger than the text."""


class _NotReadError(Exception):
    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.detail = detail


def read_source(
    root: Path, path: str, max_bytes: int, *, with_secrets: bool = False
) -> SourceText | SkippedFile:
    """The text of the file at *path* below *root*, or the reason why it is skipped."""
    try:
        observed_ns = time_ns()
        data, status = _read_bytes(root, path, max_bytes)
        text = _decoded(path, data)
    except _NotReadError as refusal:
        return SkippedFile(path, refusal.reason, refusal.detail)
    except OSError as error:
        return skipped_for_error(path, error)
    shown = text if with_secrets else redact(text)
    return SourceText(shown, content_hash(data), stamp_of(status, observed_ns))


def read_first_line(root: Path, path: str) -> bytes:
    """The first line of a file below *root*, as far as it matters; empty if it cannot be read."""
    try:
        descriptor = _open_below(root, path)
    except (_NotReadError, OSError, ValueError):
        return b""
    try:
        return os.read(descriptor, _FIRST_LINE_BYTES).partition(b"\n")[0]
    except OSError:
        return b""
    finally:
        os.close(descriptor)


def skipped_for_error(path: str, error: OSError) -> SkippedFile:
    """What an error of the system means for the file or folder at *path*."""
    if error.errno in {errno.ENOENT, errno.ENOTDIR, errno.ESTALE}:
        return SkippedFile(path, reasons.VANISHED)
    if error.errno == errno.ELOOP:
        return SkippedFile(path, reasons.SYMLINK)
    if error.errno == errno.ENAMETOOLONG:
        return SkippedFile(path, reasons.NAME_TOO_LONG)
    if error.errno in {errno.ENXIO, errno.ENODEV}:
        return SkippedFile(path, reasons.SPECIAL_FILE)
    return SkippedFile(path, reasons.UNREADABLE, error.strerror or type(error).__name__)


def kind_of_mode(mode: int) -> str | None:
    """The reason why something of this file mode is not read; None for a regular file."""
    if stat.S_ISREG(mode):
        return None
    if stat.S_ISLNK(mode):
        return reasons.SYMLINK
    return reasons.FOLDER if stat.S_ISDIR(mode) else reasons.SPECIAL_FILE


def _read_bytes(root: Path, path: str, max_bytes: int) -> tuple[bytes, os.stat_result]:
    if is_credential_name(path[path.rfind("/") + 1 :].lower()):
        raise _NotReadError(reasons.CREDENTIALS, "by its name")
    descriptor = _open_below(root, path)
    try:
        status = os.fstat(descriptor)
        reason = kind_of_mode(status.st_mode)
        if reason is not None:
            raise _NotReadError(reason)
        if status.st_size > max_bytes:
            raise _NotReadError(reasons.TOO_LARGE, f"{status.st_size} bytes")
        data = _read_up_to(descriptor, max_bytes + 1)
    finally:
        os.close(descriptor)
    if len(data) > max_bytes:
        raise _NotReadError(reasons.TOO_LARGE, "it is growing")
    return data, status


def _read_up_to(descriptor: int, limit: int) -> bytes:
    pieces = []
    while limit > 0 and (piece := os.read(descriptor, min(limit, 1 << 20))):
        pieces.append(piece)
        limit -= len(piece)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def _open_below(root: Path, path: str) -> int:
    """A descriptor of the regular file at *path*, reached from *root* folder by folder."""
    parts = path.split("/")
    if path.startswith("/") or not all(parts) or not {".", ".."}.isdisjoint(parts) or "\0" in path:
        raise _NotReadError(reasons.OUTSIDE_ROOT)
    if not BY_DESCRIPTOR:
        return _open_by_path(root, parts)
    folder = os.open(root, FOLDER | ON_THE_WAY)
    try:
        for part in parts[:-1]:
            folder = _step_into(folder, part, path)
        # A device may react to being opened, so its kind is asked first.
        status = os.stat(parts[-1], dir_fd=folder, follow_symlinks=False)
        reason = kind_of_mode(status.st_mode)
        if reason is not None:
            raise _NotReadError(reason)
        return os.open(parts[-1], _OPEN_FILE, dir_fd=folder)
    finally:
        os.close(folder)


def _open_by_path(root: Path, parts: list[str]) -> int:
    """The same where folders have no descriptors: a link put there meanwhile would be followed."""
    way = root
    for part in parts:
        if os.sep != "/" and (os.sep in part or ":" in part):
            raise _NotReadError(reasons.OUTSIDE_ROOT)
        way /= part
        mode = way.lstat().st_mode
        if stat.S_ISLNK(mode):
            raise _NotReadError(reasons.SYMLINK)
    reason = kind_of_mode(mode)
    if reason is not None:
        raise _NotReadError(reason)
    return os.open(way, _OPEN_FILE)


def _step_into(folder: int, part: str, path: str) -> int:
    """The descriptor of a folder in *folder*, which is closed once that is open."""
    try:
        inner = os.open(part, FOLDER | NO_FOLLOW | ON_THE_WAY, dir_fd=folder)
    except OSError as error:
        if error.errno in {errno.ENOTDIR, errno.ELOOP} and _is_link(folder, part):
            way = PurePosixPath(*PurePosixPath(path).parts[: path.split("/").index(part) + 1])
            raise _NotReadError(reasons.SYMLINK, f"{way} is a symbolic link") from error
        raise
    os.close(folder)
    return inner


def _is_link(folder: int, part: str) -> bool:
    try:
        return stat.S_ISLNK(os.stat(part, dir_fd=folder, follow_symlinks=False).st_mode)
    except OSError:
        return False


def _decoded(path: str, data: bytes) -> str:
    if data.startswith(_UTF16_BOMS):
        raise _NotReadError(reasons.NOT_UTF8, "UTF-16")
    if b"\0" in data:
        raise _NotReadError(reasons.BINARY, "it holds a NUL byte")
    try:
        text = data.removeprefix(_UTF8_BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        byte = error.object[error.start]
        raise _NotReadError(reasons.NOT_UTF8, f"byte 0x{byte:02x} in line {line}") from error
    if _opens_like_a_key(text):
        raise _NotReadError(reasons.CREDENTIALS, "it begins like a private key")
    if _is_squeezed(path, data):
        raise _NotReadError(reasons.MINIFIED, "its lines are thousands of characters long")
    return text


def _opens_like_a_key(text: str) -> bool:
    head = text[:_KEY_HEAD_CHARACTERS].lstrip()
    if not head.startswith(_KEY_HEADS):
        return False
    first_line = head.partition("\n")[0]
    return "PRIVATE KEY" in first_line or not first_line.startswith("-----")


def _is_squeezed(path: str, data: bytes) -> bool:
    if len(data) < _SQUEEZED_BYTES or len(data) < _SQUEEZED_BYTES_A_LINE * (data.count(b"\n") + 1):
        return False
    language = language_of(path)
    return language is not None and language.name in _SQUEEZED_LANGUAGES
