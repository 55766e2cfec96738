"""How sure it is that a place means a member of a class: by its receiver, or by where it stands."""

import re
from collections.abc import Mapping
from typing import Final

from code_indexer.navigation.forms import (
    is_member,
    is_type_parameter,
    last_part,
    lies_in_owner,
    module_of,
)
from code_indexer.navigation.free_names import FreeNames
from code_indexer.navigation.imports import Imports
from code_indexer.navigation.knowledge import Knowledge
from code_indexer.navigation.modules import ModuleMatch, match_module
from code_indexer.navigation.names import qualified_parts
from code_indexer.navigation.namesakes import Namesakes
from code_indexer.navigation.receivers import receiver_of
from code_indexer.navigation.scoping import Scoping
from code_indexer.storage.structure import FoundReference, FoundSymbol
from code_indexer.types import Confidence, Reference

_SELF: Final = frozenset({"self", "this", "cls", "Self", "$this", "static", "@"})
_SUPER: Final[Mapping[str | None, str]] = {"csharp": "base", "php": "parent"}
"""What stands for the class that the own one inherits from; elsewhere it is ``super``."""
_EXTENDED: Final = re.compile(r"\( ?this (?:(?:ref|in|scoped) )*(?:\w+\.)*(\w+)")


class Members:
    """Judges methods, constructors, fields and properties."""

    def __init__(
        self,
        namesakes: Namesakes,
        imports: Imports,
        free_names: FreeNames,
        knowledge: Knowledge,
    ) -> None:
        self._namesakes = namesakes
        self._imports = imports
        self._free_names = free_names
        self._knowledge = knowledge
        self._hierarchy = knowledge.hierarchy
        self._kin: dict[str, frozenset[str]] = {}

    def judge(
        self, found: FoundReference, definition: FoundSymbol, scoping: Scoping
    ) -> Confidence | None:
        """How sure it is that *found* means *definition*; None when it cannot."""
        reference, symbol = found.reference, definition.symbol
        owner = last_part(symbol.parent)
        if not is_member(reference):
            return self._judge_implicit(found, definition, scoping)
        receiver = receiver_of(reference.qualifier) if reference.qualifier else None
        qualifier = receiver.path if receiver is not None else None
        if qualifier == _SUPER.get(found.language, "super"):
            return self._judge_inherited(found, owner)
        if qualifier in _SELF:
            return self._judge_own(found, definition)
        if qualifier is not None and self._is_owner(qualifier, owner, found):
            return "exact" if self._namesakes.has_unique_owner(definition) else "likely"
        extended = _extended_type(definition)
        if receiver is not None and owner is not None:
            declared = receiver.type_name or self._knowledge.field_type(receiver.path, found)
            if declared in _SELF:
                return self._judge_own(found, definition)
            meant = None if declared is None else self._imports.meant_by(declared, found)
            if meant is not None and (meant != declared or not is_type_parameter(meant)):
                if extended is not None and meant != extended:
                    return "heuristic"
                return self._judge_typed(meant, extended or owner, definition, scoping)
        if extended is not None:
            return "heuristic"
        if (
            qualifier is not None
            and scoping.modules_hold_members
            and ModuleMatch.FILE in self._modules_named(qualifier, found, definition)
        ):
            return "likely"
        if qualifier is not None and self._is_foreign(qualifier, found, scoping):
            return None
        return "heuristic"

    def _judge_implicit(
        self, found: FoundReference, definition: FoundSymbol, scoping: Scoping
    ) -> Confidence | None:
        """A member named without a receiver: its own class, or one that it inherits from."""
        reference = found.reference
        if lies_in_owner(reference, found.file_id, definition):
            return "exact" if scoping.implicit_self else None
        if definition.symbol.kind == "constructor":
            return self._free_names.judge_bare(found, definition, scoping)
        if not scoping.implicit_self:
            return None
        given = self._imports.judge_given(found, definition)
        if given is not None:
            return given
        if self._namesakes.member_around(reference, found.file_id) is not None:
            return None
        return "heuristic"

    def _is_owner(self, qualifier: str, owner: str | None, found: FoundReference) -> bool:
        """Whether what stands before a place names the class or table *owner*."""
        last = last_part(qualifier)
        if last == owner:
            return True
        return last == qualifier and self._imports.meant_by(last, found) == owner

    def _modules_named(
        self, qualifier: str, found: FoundReference, definition: FoundSymbol
    ) -> list[ModuleMatch]:
        """How the modules that the file imports by this name fit the file of *definition*."""
        return [
            match_module(module_of(each), found.path, definition.path)
            for each in self._imports.of_file(found.file_id)
            if each.name == qualifier and self._knowledge.knows_module(module_of(each))
        ]

    def _judge_inherited(self, found: FoundReference, owner: str | None) -> Confidence | None:
        """A member behind ``super``: that of a class which the one around the place names."""
        around = self._class_around(found.reference)
        above = frozenset() if around is None else self._hierarchy.supertypes(around)
        if owner in above:
            return "likely"
        if not above:
            return None if owner == around else "heuristic"
        # In Python it may be the one of a class that is mixed in.
        is_open = found.language == "python" and above.isdisjoint(self._namesakes.owners)
        return "heuristic" if is_open else None

    def _judge_own(self, found: FoundReference, definition: FoundSymbol) -> Confidence | None:
        """A member behind ``self``: that of the class around the place, else of its kin."""
        if definition.symbol.kind == "function" and self._is_in_namespace(definition):
            return None
        if lies_in_owner(found.reference, found.file_id, definition):
            return "exact"
        if self._namesakes.member_around(found.reference, found.file_id) is not None:
            return None
        around = self._class_around(found.reference)
        if around is None:
            return "likely"
        kin = self._kin.get(around)
        if kin is None:
            kin = self._kin[around] = self._kin_of(around)
        if not kin:
            return "heuristic"
        return "likely" if last_part(definition.symbol.parent) in kin else None

    def _is_in_namespace(self, definition: FoundSymbol) -> bool:
        parent = definition.symbol.parent or ""
        return self._hierarchy.kind_of(definition.file_id, parent) in {"namespace", "module"}

    def _kin_of(self, name: str) -> frozenset[str]:
        """The owners of the definitions that the class inherits from, or that inherit from it."""
        supertypes = self._hierarchy.supertypes
        above = supertypes(name)
        return frozenset(
            owner
            for owner in self._namesakes.owners
            if owner is not None and (owner == name or owner in above or name in supertypes(owner))
        )

    def _class_around(self, reference: Reference) -> str | None:
        """The innermost class around a place, by its last name."""
        is_type = self._hierarchy.is_type
        around = reversed(qualified_parts(reference.enclosing or ""))
        return next((name for name in around if is_type(name)), None)

    def _judge_typed(
        self, declared: str, owner: str, definition: FoundSymbol, scoping: Scoping
    ) -> Confidence | None:
        """A member of a receiver that is declared with a type."""
        hierarchy = self._hierarchy
        if declared == owner:
            return "exact" if self._namesakes.has_unique_owner(definition) else "likely"
        if owner in hierarchy.supertypes(declared):
            return "likely"
        if declared in hierarchy.supertypes(owner):
            return "likely" if hierarchy.is_type(declared) else "heuristic"
        if hierarchy.is_alias(declared):
            return "heuristic"
        if scoping.types_are_structural and hierarchy.is_type(declared):
            return "heuristic"
        if scoping.types_are_extended and not hierarchy.is_type(owner):
            # An extension of a type from outside, which others from outside may be.
            return "heuristic"
        return None if scoping.types_are_stated else "heuristic"

    def _is_foreign(self, qualifier: str, found: FoundReference, scoping: Scoping) -> bool:
        """Whether the receiver is a module or a type that owns none of the definitions."""
        head, _, rest = qualifier.partition(".")
        if (
            scoping.types_are_capitals
            and head[:1].isupper()
            and not rest
            and "::" not in head
            and not head.isupper()
            and not self._hierarchy.is_data(head)
        ):
            return True
        return scoping.modules_are_names and any(
            head == each.name and not self._knowledge.knows_module(module_of(each))
            for each in self._imports.of_file(found.file_id)
        )


def _extended_type(definition: FoundSymbol) -> str | None:
    """The type that a method of C# extends from outside: it says ``this`` before its parameter."""
    if definition.language != "csharp" or "this " not in definition.symbol.signature:
        return None
    found = _EXTENDED.search(definition.symbol.signature)
    return None if found is None else found[1]
