"""Which files a module's name may mean: names as imports write them against paths of files."""

import posixpath
import re
from collections.abc import Collection, Iterable
from enum import IntEnum

_SEPARATORS = re.compile(r"::|[./\\:]+")
_FILE_NAME = re.compile(r"\.(?:h|hh|hpp|hxx|inc|proto|php|rb|sh|bash|lua|js|ts|zig)$")
_VERSION = re.compile(r"[/.]v\d+$")
_NOT_NAMES = frozenset({"", "crate", "self", "super", "node", "static", "@", "~", "src", "*"})
_FOLDER_FILE = re.compile(r"(?:__init__\.pyi?|index\.(?!html?$)\w+|(?:mod|lib|main)\.(?:rs|zig))$")
"""Matches the name of a file that speaks for the folder it lies in."""
_INDEX = "index"


class ModuleMatch(IntEnum):
    """How well a module's name fits a file."""

    NONE = 0
    PACKAGE = 1
    """The file lies somewhere below the folder of that name."""
    FILE = 2
    """It is the file of that name, or lies directly in the folder."""


def is_own_module(module: str) -> bool:
    """Whether *module* means the file itself, as ``super`` and ``self`` do."""
    return not any(part not in _NOT_NAMES for part in _SEPARATORS.split(module))


def match_module(module: str, importer: str, path: str) -> ModuleMatch:
    """How well *module*, as the file *importer* names it, fits the file at *path*."""
    if module.startswith("."):
        return _match_relative(module, importer, path)
    wanted = _parts_of_name(module)
    if not wanted:
        return ModuleMatch.NONE
    have = _module_parts(path)
    if have[-len(wanted) :] == wanted:
        return ModuleMatch.FILE
    folder = have[:-1]
    if folder[-len(wanted) :] == wanted:
        return ModuleMatch.FILE
    if folder and "/" in module and _all_parts_of_name(module)[-len(folder) :] == folder:
        # The name begins with where the project is published: `example.org/project/src/folder`.
        return ModuleMatch.FILE
    starts = range(len(folder) - len(wanted) + 1)
    if any(folder[start : start + len(wanted)] == wanted for start in starts):
        return ModuleMatch.PACKAGE
    return ModuleMatch.NONE


def _parts_of_name(module: str) -> list[str]:
    """The names that a module's name is made of; that of a file loses its suffix."""
    return [part for part in _all_parts_of_name(module) if part not in _NOT_NAMES]


def _all_parts_of_name(module: str) -> list[str]:
    """The parts of a module's name, also those that say nothing by themselves, such as ``src``."""
    if "/" in module or _FILE_NAME.search(module) is not None:
        module = _without_suffix(module)
    return [part for part in _SEPARATORS.split(module) if part]


def _module_parts(path: str) -> list[str]:
    stem = _without_suffix(path)
    parts = stem.split("/")
    if len(parts) > 1 and _speaks_for_folder(path):
        parts.pop()
    return parts


def _speaks_for_folder(path: str) -> bool:
    return _FOLDER_FILE.match(path, path.rfind("/") + 1) is not None


def _without_suffix(path: str) -> str:
    folder, _, name = path.rpartition("/")
    stem = name.split(".", 1)[0] or name
    return f"{folder}/{stem}" if folder else stem


def _match_relative(module: str, importer: str, path: str) -> ModuleMatch:
    """``./x`` and ``../x`` are paths; ``.x`` and ``..x`` climb one folder for each further dot."""
    folder = posixpath.dirname(importer)
    if "/" in module or module in {".", ".."}:
        base = posixpath.normpath(posixpath.join(folder, module))
        base = _without_suffix(base) if module not in {".", ".."} else base
    else:
        name = module.lstrip(".")
        for _ in range(len(module) - len(name) - 1):
            folder = posixpath.dirname(folder)
        base = posixpath.normpath(posixpath.join(folder, *name.split(".")))
    stem = _without_suffix(path)
    folder, _, name = base.rpartition("/")
    if name == _INDEX and stem != base:
        base = folder
    base = "" if base == "." else base
    if stem == base or (posixpath.dirname(stem) == base and _speaks_for_folder(path)):
        return ModuleMatch.FILE
    if not base or stem.startswith(f"{base}/"):
        return ModuleMatch.PACKAGE
    return ModuleMatch.NONE


def is_named(path: str, name: str) -> bool:
    """Whether the file at *path*, or the folder that it speaks for, has this name."""
    return _module_parts(path)[-1] == name


def last_name(module: str) -> str:
    """The last name in that of a module, without a version: ``y`` of ``example.org/x/y/v2``."""
    return _VERSION.sub("", module).rpartition("/")[2]


def names_of_modules(paths: Iterable[str]) -> frozenset[str]:
    """Every folder and file name that a module of the project can have."""
    names: set[str] = set()
    for path in paths:
        names.update(_module_parts(path))
    return frozenset(names)


def may_be_known(module: str, names: Collection[str]) -> bool:
    """Whether *module* ends in one of *names*, so that it may lie in the project."""
    parts = _parts_of_name(module)
    return not parts or parts[-1] in names
