"""What the form of a place and of a definition says by itself, without a look at anything else."""

import posixpath
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from code_indexer.navigation.scoping import Scoping
from code_indexer.storage.structure import FoundReference, FoundSymbol
from code_indexer.types import Reference

MEMBER_KINDS: Final = frozenset({"method", "constructor", "field", "property"})
CALLABLE_KINDS: Final = frozenset({"function", "method", "constructor"})
DATA_KINDS: Final = frozenset({"field", "property", "variable", "constant"})
_TYPE_KINDS: Final = frozenset(
    {"class", "struct", "enum", "interface", "trait", "protocol", "type", "namespace", "module"}
)
# Code and tests of one package lie in `src/main/java/…` and `src/test/java/…`.
_SOURCE_FOLDER: Final = re.compile(r"(?:.*/)?src/[^/]+/(?:java|kotlin|scala)(?=/)")
_HEADERS: Final = (".h", ".hh", ".hpp", ".hxx", ".inl", ".inc", ".ipp", ".tpp")


def fits(reference: Reference, definition: FoundSymbol, scoping: Scoping) -> bool:
    """Whether the form of the place allows what *definition* is."""
    kind = definition.symbol.kind
    if reference.shape == "type":
        return (
            kind in _TYPE_KINDS
            or kind == "macro"
            or (scoping.values_as_types and kind in DATA_KINDS)
        )
    if reference.relationship == "calls":
        return not (scoping.methods_are_called and kind in {"field", "property"})
    if kind != "method" or not scoping.methods_are_called or reference.shape == "import":
        return True
    return scoping.methods_are_values and _is_behind_type(reference)


def _is_behind_type(reference: Reference) -> bool:
    """Whether a type's name stands before the name, and no variable of a stated type."""
    last = last_part(reference.qualifier)
    return last is not None and last[:1].isupper() and ":" not in last


def by_use(reference: Reference, candidates: Sequence[FoundSymbol]) -> tuple[FoundSymbol, ...]:
    """Those of *candidates* that the place uses as what they are: calls mean what can be called."""
    called = reference.relationship == "calls"
    fitting = [each for each in candidates if (each.symbol.kind in DATA_KINDS) is not called]
    members = any(each.symbol.kind in MEMBER_KINDS for each in candidates)
    return tuple(fitting if fitting and members else candidates)


def is_its_name(found: FoundReference, definition: FoundSymbol) -> bool:
    """Whether the place is where a directive of the preprocessor names *definition* itself."""
    return (
        found.reference.preprocessed
        and found.reference.line == definition.symbol.name_line
        and found.file_id == definition.file_id
    )


def is_member(reference: Reference) -> bool:
    """Whether something stands before the name."""
    return reference.shape == "member" or reference.qualifier is not None


def is_private(definition: FoundSymbol) -> bool:
    """Whether only its own file sees the definition; what a header holds, others include."""
    return definition.symbol.visibility == "private" and not definition.path.endswith(_HEADERS)


def same_folder(found: FoundReference, definition: FoundSymbol) -> bool:
    """Whether the files of both lie side by side."""
    return posixpath.dirname(found.path) == posixpath.dirname(definition.path)


def same_package(found: FoundReference, definition: FoundSymbol) -> bool:
    """Whether both files belong to one package: side by side, or so below two source folders."""
    here, there = posixpath.dirname(found.path), posixpath.dirname(definition.path)
    return here == there or _SOURCE_FOLDER.sub("", here) == _SOURCE_FOLDER.sub("", there)


def lies_in_owner(reference: Reference, file_id: int, definition: FoundSymbol) -> bool:
    """Whether the place, in the file *file_id*, lies in the class of *definition*."""
    parent = definition.symbol.parent
    if definition.file_id != file_id or parent is None or reference.enclosing is None:
        return False
    return lies_in(reference.enclosing, parent)


def lies_in(name: str, outer: str) -> bool:
    """Whether the qualified *name* is that of *outer*, or of something it holds."""
    return name == outer or (name.startswith(outer) and name[len(outer)] in ".:#/\\")


def ends_in(qualified: str, qualifier: str, name: str) -> bool:
    """Whether a qualified name ends in what stands before a place and the name itself."""
    before = qualified.removesuffix(name).rstrip(".:\\/")
    return bool(before) and (
        before == qualifier or before.endswith((f".{qualifier}", f":{qualifier}", f"\\{qualifier}"))
    )


def is_type_parameter(name: str) -> bool:
    """Whether a type's name reads like ``T`` or ``TK``, which stands for any type."""
    return len(name) == 1 or (len(name) == 2 and name[0] == "T")


@lru_cache(maxsize=10_000)
def last_part(qualified: str | None) -> str | None:
    """The last part of a qualified name."""
    if qualified is None:
        return None
    for separator in ("::", ".", "\\", "#", "/"):
        qualified = qualified.rpartition(separator)[2] or qualified
    return qualified


def module_of(reference: Reference) -> str:
    """The module that an import names, without what an alias stands for."""
    qualifier = reference.qualifier or reference.name
    module, colon, name = qualifier.rpartition(":")
    if colon and module and not module.endswith(":") and name:
        return module
    return qualifier


def submodule_of(reference: Reference) -> str | None:
    """The module that an import means if what it names is one; None where it names no part."""
    module = module_of(reference)
    name = (reference.qualifier or "").removeprefix(module).lstrip(":") or reference.name
    if last_part(module) == name:
        return None
    if "::" in module or module == "crate":
        return f"{module}::{name}"
    return f"{module}{name}" if module.endswith(".") else f"{module}.{name}"
