"""How sure it is that a place means a free definition: it stands alone, or behind its module."""

from itertools import pairwise
from typing import Final

from code_indexer.navigation.forms import (
    CALLABLE_KINDS,
    MEMBER_KINDS,
    ends_in,
    is_private,
    lies_in,
    module_of,
    same_package,
    submodule_of,
)
from code_indexer.navigation.imports import Imports
from code_indexer.navigation.knowledge import Knowledge
from code_indexer.navigation.modules import (
    ModuleMatch,
    is_named,
    is_own_module,
    last_name,
    match_module,
)
from code_indexer.navigation.names import qualified_parts
from code_indexer.navigation.namesakes import Namesakes
from code_indexer.navigation.receivers import receiver_of
from code_indexer.navigation.scoping import Scoping, scoping_of
from code_indexer.storage.structure import FoundReference, FoundSymbol
from code_indexer.types import Confidence, Reference

_BODY_KINDS: Final = frozenset({"function", "class"})
_OWN_EXPORTS: Final = frozenset({"exports", "module.exports"})
"""What a file of JavaScript calls what it gives to others."""
_BESIDE_LINES: Final = 2
"""Definitions are beside each other with a blank line between."""


class FreeNames:
    """Judges functions, classes, variables: what belongs to no object."""

    def __init__(self, namesakes: Namesakes, imports: Imports, knowledge: Knowledge) -> None:
        self._namesakes = namesakes
        self._imports = imports
        self._knowledge = knowledge
        self._hierarchy = knowledge.hierarchy

    def own(self, found: FoundReference) -> list[FoundSymbol]:
        """What the file of a place defines and the place can name without a receiver."""
        own = self._namesakes.free_in(found.file_id)
        if not own or not scoping_of(found.language).owners_are_closed:
            return own
        enclosing = found.reference.enclosing or ""
        return [
            one for one in own if one.symbol.parent is None or lies_in(enclosing, one.symbol.parent)
        ]

    def is_local(self, definition: FoundSymbol) -> bool:
        """Whether a function holds the definition, so that nothing outside of it sees it."""
        symbol = definition.symbol
        if symbol.parent is None or symbol.kind in MEMBER_KINDS:
            return False
        return self._hierarchy.kind_of(definition.file_id, symbol.parent) in CALLABLE_KINDS

    def judge_bare(
        self, found: FoundReference, definition: FoundSymbol, scoping: Scoping
    ) -> Confidence | None:
        """How sure it is that a name with nothing before it means *definition*."""
        reference, symbol = found.reference, definition.symbol
        if found.file_id == definition.file_id:
            is_closed = scoping.owners_are_closed and symbol.parent is not None
            if (is_closed or self.is_local(definition)) and not lies_in(
                reference.enclosing or "", symbol.parent or ""
            ):
                return None
            return "exact" if self._is_the_only_one(definition, scoping) else "likely"
        if self.is_local(definition) or (scoping.private_is_file and is_private(definition)):
            return None
        if self._imports.giving_name(found.file_id):
            given = self._imports.judge_given(found, definition)
            # A file that both imports and defines a name does one of them somewhere inside.
            return "likely" if given and self.own(found) else given
        if self.own(found):
            return None
        if scoping.package == "folder" and same_package(found, definition):
            return "exact"
        if scoping.package == "project":
            return "likely" if self._namesakes.is_alone(definition) else "heuristic"
        return self._judge_wildcard(found, definition, scoping)

    def _judge_wildcard(
        self, found: FoundReference, definition: FoundSymbol, scoping: Scoping
    ) -> Confidence | None:
        """A name that the file neither defines nor imports by name."""
        if scoping.modules_are_owners and self._is_imported_whole(found, definition):
            return "exact"
        matches = [
            match_module(module_of(each), found.path, definition.path)
            for each in self._imports.of_file(found.file_id)
            if scoping.imports_are_open or each.name == "*"
        ]
        if ModuleMatch.FILE in matches:
            return "likely"
        return "heuristic" if scoping.loose else None

    def _is_imported_whole(self, found: FoundReference, definition: FoundSymbol) -> bool:
        """Whether the file imports the module, known by its own name, that holds the definition."""
        owner = definition.symbol.parent
        return owner is not None and any(
            module_of(each) == owner for each in self._imports.of_file(found.file_id)
        )

    def _is_the_only_one(self, definition: FoundSymbol, scoping: Scoping) -> bool:
        """Whether nothing else in its file can be meant where the name stands alone.

        Else the preprocessor picks one of several, or each is seen in a function without a name.
        """
        alike = [
            each.symbol
            for each in self._namesakes.free_in(definition.file_id)
            if not each.symbol.is_declaration
        ]
        if scoping.has_variants:
            return len(alike) <= 1
        if scoping.package != "file" or definition.symbol.parent is not None:
            return True
        if any(
            not is_own_module(module_of(each))
            for each in self._imports.giving_name(definition.file_id)
        ):
            return False
        bodies = [each for each in alike if each.parent is None and each.kind in _BODY_KINDS]
        # Overloads stand one below the other.
        return all(
            second.start_line - first.end_line <= _BESIDE_LINES
            for first, second in pairwise(sorted(bodies, key=lambda each: each.start_line))
        )

    def judge_path(
        self, found: FoundReference, definition: FoundSymbol, scoping: Scoping
    ) -> Confidence | None:
        """How sure it is that a name behind that of a module means *definition*."""
        if found.reference.qualifier is None or self.is_local(definition):
            return None
        receiver = receiver_of(found.reference.qualifier)
        if receiver.type_name is not None:
            return None
        qualifier = receiver.path
        if qualifier in _OWN_EXPORTS and found.file_id == definition.file_id:
            return "exact"
        matches = [
            match
            for each in self._imports.of_file(found.file_id)
            if qualifier in {each.name, each.qualifier}
            for match in self._matches(each, found, definition, scoping)
        ]
        if ModuleMatch.FILE in matches:
            return "exact"
        if ModuleMatch.PACKAGE in matches:
            return "exact" if self._namesakes.is_alone(definition) else "likely"
        if ends_in(definition.symbol.qualified_name, qualifier, definition.symbol.name):
            is_sure = scoping.folders_are_closed or self._namesakes.is_alone(definition)
            return "exact" if is_sure else "likely"
        if scoping.paths_are_packages:
            parts = qualified_parts(qualifier)
            package = self._imports.package_of(definition)
            if parts and package[-len(parts) :] == parts:
                return "exact" if package == parts else "likely"
        if matches:
            return "heuristic" if scoping.loose_modules else None
        match = match_module(qualifier, found.path, definition.path)
        if match is ModuleMatch.FILE:
            return "likely"
        # A macro may open the namespace that a folder is named for.
        is_possible = match is ModuleMatch.PACKAGE and scoping.macros_are_text
        return "heuristic" if is_possible else None

    def _matches(
        self,
        imported: Reference,
        found: FoundReference,
        definition: FoundSymbol,
        scoping: Scoping,
    ) -> list[ModuleMatch]:
        """How what an import names may fit the file of *definition*.

        ``from a import b`` imports the module ``a.b``, if there is one, and nothing else of ``a``.
        """
        module = module_of(imported)
        whole = match_module(module, found.path, definition.path)
        if whole is ModuleMatch.NONE and self._is_root(module, definition, scoping):
            return [ModuleMatch.FILE]
        inner = submodule_of(imported) if scoping.modules_are_imported else None
        if inner is None or not self._knowledge.knows_module(inner):
            return [whole]
        match = match_module(inner, found.path, definition.path)
        is_elsewhere = match is ModuleMatch.NONE and is_named(definition.path, imported.name)
        return [whole] if is_elsewhere else [match]

    def _is_root(self, module: str, definition: FoundSymbol, scoping: Scoping) -> bool:
        """Whether *module* is published under the name of the package at the root of the project.

        Nothing in the project is called as what is above its root.
        """
        if not scoping.roots_are_packages or "/" in definition.path or "/" not in module:
            return False
        return self._imports.package_of(definition)[-1:] == (last_name(module),)
