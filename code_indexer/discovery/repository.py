"""The git repository around a folder, as far as it says what is ignored.

Read from git's own files, so that no git program is needed and none is run.
"""

import os
import stat
from bisect import bisect_left
from dataclasses import dataclass
from pathlib import Path

from code_indexer.discovery.opening import BYTES, NO_FOLLOW, NO_WAIT
from code_indexer.discovery.split_index import shared_part

_MAX_BYTES = 4 * 1024 * 1024
_MAX_INDEX_BYTES = 512 * 1024 * 1024
_MAX_INCLUDES = 10
_LINK = b"link\0"
"""The mark of a split index, with the first byte of a size; elsewhere in one it does no harm, but a
whole index is taken apart for it."""


@dataclass(frozen=True, slots=True)
class Repository:
    """Where a working tree keeps what git knows of it."""

    top: Path
    """Its uppermost folder."""
    git_folder: Path
    """Holds the index; for a worktree it lies inside the main repository's."""
    common_folder: Path
    """Holds ``info/exclude`` and ``config``, shared by all worktrees."""


def repository_around(folder: Path) -> Repository | None:
    """The repository whose working tree holds *folder*, an absolute path."""
    for top in (folder, *folder.parents):
        git_folder = git_folder_of(top)
        if git_folder is not None:
            return Repository(top, git_folder, _common_folder(git_folder))
    return None


def git_folder_of(top: Path) -> Path | None:
    """The git folder of the checkout whose uppermost folder is *top*; None if it is no checkout."""
    entry = top / ".git"
    try:
        if stat.S_ISDIR(entry.stat().st_mode):
            return entry if (entry / "HEAD").is_file() or (entry / "HEAD").is_symlink() else None
    except OSError:
        return None
    content = read_small_file(str(entry))
    if content is None or not content.startswith(b"gitdir:"):
        return None
    return top / os.fsdecode(content.removeprefix(b"gitdir:").strip())


def _common_folder(git_folder: Path) -> Path:
    content = read_small_file(str(git_folder / "commondir"))
    return git_folder / os.fsdecode(content.strip()) if content is not None else git_folder


def read_small_file(path: str, *, follow: bool = True, max_bytes: int = _MAX_BYTES) -> bytes | None:
    """The bytes of a regular file; None if there is none, or it cannot be read, or is too large."""
    flags = os.O_RDONLY | NO_WAIT | BYTES | (0 if follow else NO_FOLLOW)
    try:
        descriptor = os.open(path, flags)
    except OSError:
        return None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size > max_bytes:
            return None
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            return file.read(max_bytes)
    except OSError:
        return None
    finally:
        os.close(descriptor)


def global_excludes_file(home: Path | None, config_home: Path | None) -> Path | None:
    """The ignore file that the user's git configuration names, or its default place.

    *config_home* is ``$XDG_CONFIG_HOME``, if that is set.
    """
    base = config_home or (home / ".config" if home is not None else None)
    candidates = [Path("/etc/gitconfig")]
    if base is not None:
        candidates.append(base / "git" / "config")
    if home is not None:
        candidates.append(home / ".gitconfig")
    setting = None
    for candidate in candidates:
        found = excludes_setting(candidate, home)
        setting = found if found is not None else setting
    if setting is not None:
        return Path(setting) if setting else None
    return base / "git" / "ignore" if base is not None else None


def excludes_setting(config: Path, home: Path | None, depth: int = 0) -> str | None:
    """What a git configuration file says of ``core.excludesFile``: a path, ``""`` for none at all.

    ``[include]`` is followed, ``[includeIf]`` is not.
    """
    content = read_small_file(str(config))
    if content is None or depth > _MAX_INCLUDES:
        return None
    setting = None
    for key, value in _config_entries(content.decode("utf-8", "surrogateescape")):
        if key == "core.excludesfile":
            setting = _expanded(value, config, home) if value else ""
        elif key == "include.path" and value:
            included = Path(_expanded(value, config, home))
            found = excludes_setting(included, home, depth + 1)
            setting = found if found is not None else setting
    return setting


def _expanded(value: str, config: Path, home: Path | None) -> str:
    if value.startswith("~/") and home is not None:
        return str(home / value[2:])
    return str(config.parent / value)


def _config_entries(text: str) -> list[tuple[str, str]]:
    """Every ``section.key`` in lower case with its value, in order."""
    entries = []
    section = ""
    lines = iter(text.removeprefix("\ufeff").splitlines())
    for raw in lines:
        line = raw.strip()
        if line.startswith("["):
            head, _, line = line[1:].partition("]")
            section = head.strip().lower()
            line = line.strip()
        if not line or line[0] in "#;":
            continue
        key, _, value = line.partition("=")
        while (len(value) - len(value.rstrip("\\"))) % 2:
            value = value[:-1] + next(lines, "")
        entries.append((f"{section}.{key.strip().lower()}", _config_value(value)))
    return entries


def _config_value(text: str) -> str:
    """A value without its quotes, escapes and comment."""
    characters = []
    quoted = False
    at = 0
    text = text.strip()
    kept = 0
    while at < len(text):
        character = text[at]
        if character == '"':
            quoted = not quoted
        elif character == "\\" and at + 1 < len(text):
            at += 1
            characters.append({"n": "\n", "t": "\t", "b": "\b"}.get(text[at], text[at]))
            kept = len(characters)
        elif character in "#;" and not quoted:
            break
        else:
            characters.append(character)
            if quoted or not character.isspace():
                kept = len(characters)
        at += 1
    return "".join(characters[:kept])


class TrackedFiles:
    """The paths in git's index: ignore rules do not apply to them.

    The index is read when it is first asked for, and taken apart only when a path seems to occur
    in it: most ignored files and folders do not.
    """

    def __init__(self, index: Path) -> None:
        self._index = index
        self._content: bytes | None = None
        self._paths: list[bytes] | None = None
        self._questions = 0

    def hold(self, path: str) -> bool:
        """Whether *path* (relative to the top, as ``as_bytes_text`` makes it) is tracked."""
        key = path.encode("latin-1")
        if not self._may_occur(key):
            return False
        paths = self._all()
        place = bisect_left(paths, key)
        return place < len(paths) and paths[place] == key

    def hold_inside(self, folder: str) -> bool:
        """Whether a path below *folder* (with its slash) is tracked."""
        key = folder.encode("latin-1")
        if not self._may_occur(key):
            return False
        paths = self._all()
        place = bisect_left(paths, key)
        return place < len(paths) and paths[place].startswith(key)

    def _may_occur(self, key: bytes) -> bool:
        if self._content is None:
            self._content = _read_index(self._index)
            if _LINK in self._content:
                self._all()
        if self._paths is not None or not self._content:
            return bool(self._content)
        # From version 4 on the paths are shortened and cannot be searched for.
        self._questions += 1
        if self._content[7] > 3 or self._questions > 32:
            return True
        return key in self._content

    def _all(self) -> list[bytes]:
        if self._paths is None:
            self._paths = index_paths(self._content or b"", self._index.parent)
        return self._paths


def _read_index(path: Path) -> bytes:
    content = read_small_file(str(path), max_bytes=_MAX_INDEX_BYTES)
    return content if content and content.startswith(b"DIRC") and len(content) > 12 else b""


def index_paths(content: bytes, folder: Path | None = None) -> list[bytes]:
    """All paths in the bytes of an index file, sorted; none when it cannot be understood.

    The format is described in git's ``gitformat-index``; an entry has 40 bytes of stat data, the
    object's hash, 2 bytes of flags (2 more when extended) and the path. *folder* is where the
    shared part of a split index lies.
    """
    version = int.from_bytes(content[4:8], "big")
    count = int.from_bytes(content[8:12], "big")
    if version not in {2, 3, 4}:
        return []
    for hash_size in (20, 32):
        try:
            found = _entries(content, count, hash_size, compressed=version == 4)
            if found is None:
                continue
            paths, end = found
            shared = shared_part(content[end:], hash_size) if _LINK in content else None
        except (ValueError, IndexError):
            continue
        return paths if shared is None or folder is None else _united(paths, folder, *shared)
    return []


def _united(paths: list[bytes], folder: Path, name: str, gone: frozenset[int]) -> list[bytes]:
    """The paths of both parts of a split index; entries that replace others have no name."""
    base = index_paths(_read_index(folder / name))
    kept = {path for number, path in enumerate(base) if number not in gone}
    return sorted(kept | {path for path in paths if path})


def _entries(
    content: bytes, count: int, hash_size: int, *, compressed: bool
) -> tuple[list[bytes], int] | None:
    """The paths, and where the entries end; None if this is not the size of the hashes."""
    paths: list[bytes] = []
    at = 12
    fixed = 40 + hash_size + 2
    previous = b""
    may_be_nameless = _LINK in content
    for _ in range(count):
        flags = content[at + fixed - 2]
        start = at + fixed + (2 if flags & 0x40 else 0)
        if compressed:
            dropped, start = _variable_length(content, start)
            end = content.index(b"\0", start)
            path = previous[: len(previous) - dropped] + content[start:end]
            at = end + 1
        else:
            end = content.index(b"\0", start)
            path = content[start:end]
            at += (end - at) // 8 * 8 + 8
        # With the wrong size of hash the order breaks at once.
        if path < previous or not (path or may_be_nameless):
            return None
        paths.append(path)
        previous = path
    return paths, at


def _variable_length(content: bytes, at: int) -> tuple[int, int]:
    """The number at *at*, in the encoding of pack offsets, and the place after it."""
    byte = content[at]
    value = byte & 0x7F
    while byte & 0x80:
        at += 1
        byte = content[at]
        value = ((value + 1) << 7) | (byte & 0x7F)
    return value, at + 1
