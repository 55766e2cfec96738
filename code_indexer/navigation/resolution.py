"""Which definition a reference means, and how sure that is; decided from names, scopes and imports.

Nothing here knows types. ``exact`` needs a proof in the file itself or in one of its imports,
``likely`` says that kind and receiver fit, ``heuristic`` that nothing speaks against the name.
A reference that cannot mean any of the definitions is left out.
"""

import posixpath
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from code_indexer.navigation.hierarchy import Hierarchy
from code_indexer.navigation.modules import ModuleMatch, is_own_module, match_module
from code_indexer.navigation.names import qualified_parts
from code_indexer.navigation.receivers import receiver_of
from code_indexer.navigation.scoping import SCOPING, Scoping
from code_indexer.storage.structure import FoundReference, FoundSymbol
from code_indexer.types import Confidence, Reference

_MEMBER_KINDS: Final = frozenset({"method", "constructor", "field", "property"})
_TYPE_KINDS: Final = frozenset(
    {"class", "struct", "enum", "interface", "trait", "protocol", "type", "namespace", "module"}
)
_CALLABLE_KINDS: Final = frozenset({"function", "method", "constructor"})
_BODY_KINDS: Final = frozenset({"function", "class"})
_BESIDE_LINES: Final = 2
"""Definitions are beside each other with a blank line between."""
_VALUE_KINDS: Final = frozenset({"variable", "constant", "field", "property"})
_SELF: Final = frozenset({"self", "this", "cls", "Self", "$this", "static", "@"})
_SUPER: Final[Mapping[str | None, str]] = {"csharp": "base", "php": "parent"}
"""What stands for the class that the own one inherits from; elsewhere it is ``super``."""
_HEADERS: Final = (".h", ".hh", ".hpp", ".hxx", ".inl", ".inc", ".ipp", ".tpp")
_ORDER: Final[Mapping[Confidence, int]] = {"exact": 0, "likely": 1, "heuristic": 2}


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What is asked about the project while references are resolved."""

    imports_of: Callable[[int], Sequence[Reference]]
    """The imports of a file, by its id."""
    knows_module: Callable[[str], bool]
    """Whether a module that an import names may lie in the project."""
    package_of: Callable[[FoundSymbol], Sequence[str]]
    """The package that the file of a definition says it belongs to."""
    field_type: Callable[[str, FoundReference], str | None]
    """The declared type of a receiver that is a field, or a variable of its file."""
    hierarchy: Hierarchy


@dataclass(frozen=True, slots=True)
class ResolvedReference:
    """A reference with the definition that it most likely means."""

    found: FoundReference
    confidence: Confidence
    definitions: tuple[FoundSymbol, ...]
    """What it means; several where they are as likely."""


def resolve_references(
    definitions: Sequence[FoundSymbol],
    references: Iterable[FoundReference],
    knowledge: Knowledge,
) -> list[ResolvedReference]:
    """The *references* that may mean one of the *definitions*, all of one name.

    Args:
        definitions: All of that name, whatever they are.
        references: All places of that name.
        knowledge: What else is known of the project.
    """
    resolver = _Resolver(definitions, knowledge)
    resolved = (resolver.resolve(reference) for reference in references)
    return [each for each in resolved if each is not None]


class _Resolver:
    """What is known about the definitions of one name, asked for each reference."""

    def __init__(self, definitions: Sequence[FoundSymbol], knowledge: Knowledge) -> None:
        self._definitions = definitions
        self._knowledge = knowledge
        # A name may have a thousand definitions and ten thousand places: nothing here may look
        # through all of the one for each of the other.
        self._free = [one for one in definitions if one.symbol.kind not in _MEMBER_KINDS]
        self._members = [one for one in definitions if one.symbol.kind in _MEMBER_KINDS]
        self._position = {id(one): place for place, one in enumerate(definitions)}
        self._free_in: dict[int, list[FoundSymbol]] = {}
        for one in self._free:
            self._free_in.setdefault(one.file_id, []).append(one)
        self._importable = sum(not one.symbol.is_declaration for one in self._free)
        self._owners: dict[str | None, set[str]] = {}
        for one in definitions:
            if not one.symbol.is_declaration:
                self._owners.setdefault(_last(one.symbol.parent), set()).add(one.path)
        self._name_lines = {(each.file_id, each.symbol.name_line) for each in definitions}
        self._imports: dict[int, Sequence[Reference]] = {}
        self._imported_as: dict[tuple[int, str], list[Reference]] = {}
        self._packages: dict[int, tuple[str, ...]] = {}
        self._kin: dict[str, frozenset[str | None]] = {}
        self._beside: dict[tuple[int, str | None], FoundSymbol | None] = {}
        self._meanings: dict[
            tuple[object, ...], tuple[Confidence, tuple[FoundSymbol, ...]] | None
        ] = {}

    def resolve(self, found: FoundReference) -> ResolvedReference | None:
        """What *found* means, or None when it cannot mean any definition."""
        reference = found.reference
        # The line and the column of a place decide nothing, but for the name of a definition that
        # a macro replaces: it does not mean itself.
        own = reference.preprocessed and (found.file_id, reference.line) in self._name_lines
        key: tuple[object, ...] = (
            found.file_id,
            *reference[3:],
            reference.line if own else None,
        )
        if self._is_seen_from_anywhere(found):
            key = (found.language, reference.relationship, reference.shape, reference.preprocessed)
        if key not in self._meanings:
            self._meanings[key] = self._meaning(found)
        meaning = self._meanings[key]
        return None if meaning is None else ResolvedReference(found, *meaning)

    def _meaning(self, found: FoundReference) -> tuple[Confidence, tuple[FoundSymbol, ...]] | None:
        judged: dict[Confidence, list[FoundSymbol]] = {}
        for definition in self._candidates(found):
            if _is_its_name(found, definition):
                continue
            confidence = self._judge(found, definition)
            if confidence is not None:
                judged.setdefault(confidence, []).append(definition)
        best = _best(judged)
        if best is None:
            return None
        chosen = _by_use(found.reference, judged[best])
        if all(each.symbol.is_declaration for each in chosen):
            whole = self._defined(found, chosen)
            if len(whole) > 1 and best == "exact":
                best = "likely"
            chosen = whole or chosen
        if best == "exact" and found.reference.preprocessed:
            best = "likely"
        return best, chosen

    def _defined(
        self, found: FoundReference, declared: Sequence[FoundSymbol]
    ) -> tuple[FoundSymbol, ...]:
        """The definitions of what forward declarations announce, where the project has them."""
        names = {each.symbol.qualified_name for each in declared}
        scoping = SCOPING.get(found.language or "", _DEFAULT_SCOPING)
        return tuple(
            each
            for each in self._definitions
            if each.symbol.qualified_name in names
            and not each.symbol.is_declaration
            and scoping.same_family(each.language)
            and not (scoping.private_is_file and _is_private(each))
        )

    def _is_seen_from_anywhere(self, found: FoundReference) -> bool:
        """Whether the file of a place decides nothing: neither by what it holds nor by imports."""
        return (
            not self._members
            and self._stands_alone(found)
            and found.file_id not in self._free_in
            and SCOPING.get(found.language or "", _DEFAULT_SCOPING).package == "project"
        )

    def _candidates(self, found: FoundReference) -> Sequence[FoundSymbol]:
        """The definitions to judge: of those that need no receiver a file's own hide the others."""
        own = self._own(found)
        if own and self._stands_alone(found):
            if not self._members:
                return own
            return sorted((*own, *self._members), key=lambda one: self._position[id(one)])
        return self._definitions

    def _own(self, found: FoundReference) -> list[FoundSymbol]:
        """What the file of a place defines and the place can name without a receiver."""
        own = self._free_in.get(found.file_id, [])
        scoping = SCOPING.get(found.language or "", _DEFAULT_SCOPING)
        if not own or not scoping.owners_are_closed:
            return own
        enclosing = found.reference.enclosing or ""
        return [
            one
            for one in own
            if one.symbol.parent is None or _lies_in(enclosing, one.symbol.parent)
        ]

    def _stands_alone(self, found: FoundReference) -> bool:
        """Whether nothing stands before a name, and its file does not import it."""
        reference = found.reference
        if reference.shape == "import" or _is_member(reference):
            return False
        return not self._imported(found.file_id, self._definitions[0].symbol.name)

    def _judge(self, found: FoundReference, definition: FoundSymbol) -> Confidence | None:
        """How sure it is that *found* means *definition*; None when it cannot."""
        reference, symbol = found.reference, definition.symbol
        scoping = SCOPING.get(found.language or "", _DEFAULT_SCOPING)
        if not scoping.same_family(definition.language) or not _fits(
            reference, definition, scoping
        ):
            return None
        if reference.shape == "import":
            return self._judge_import(found, definition)
        if scoping.folders_are_closed and not _same_folder(found, definition):
            return None
        if self._is_local(definition) and _is_member(reference):
            return None
        if scoping.members_are_bare and not _is_member(reference):
            return self._judge_bare(found, definition, scoping)
        if symbol.kind in _MEMBER_KINDS or (symbol.parent and _is_member(reference)):
            return self._judge_member(found, definition, scoping)
        if symbol.kind == "macro" and scoping.macros_are_text and _is_member(reference):
            return None if self._has_members() else "heuristic"
        if _is_member(reference):
            return self._judge_path(found, definition, scoping)
        return self._judge_bare(found, definition, scoping)

    # Imports

    def _judge_import(self, found: FoundReference, definition: FoundSymbol) -> Confidence | None:
        module = _module_of(found.reference)
        scoping = SCOPING.get(found.language or "", _DEFAULT_SCOPING)
        if definition.symbol.kind in _MEMBER_KINDS and not scoping.members_are_bare:
            if scoping.extensions_are_imported:
                is_meant = qualified_parts(module) == self._package_of(definition)
            else:
                # `import static`
                is_meant = self._is_in_package(module, definition, scoping)
            return "exact" if is_meant else None
        if found.file_id == definition.file_id:
            return "exact" if is_own_module(module) else None
        match = match_module(module, found.path, definition.path)
        if match is ModuleMatch.FILE or self._is_in_package(module, definition, scoping):
            return "exact"
        if match is ModuleMatch.PACKAGE:
            return "exact" if self._alone(definition) else "likely"
        if module.startswith("."):
            return None
        return (
            "heuristic" if scoping.loose_modules or self._knowledge.knows_module(module) else None
        )

    def _is_in_package(self, module: str, definition: FoundSymbol, scoping: Scoping) -> bool:
        """Whether *module* is the package of the definition with its owners, or itself a module."""
        parts = qualified_parts(definition.symbol.qualified_name)
        package = self._package_of(definition)
        if scoping.modules_are_names and not package:
            return False  # there a module is a file, not what a file defines
        whole = (*package, *parts)
        return qualified_parts(module) in (whole[:-1], whole)

    def _package_of(self, definition: FoundSymbol) -> tuple[str, ...]:
        known = self._packages.get(definition.file_id)
        if known is None:
            known = tuple(self._knowledge.package_of(definition))
            self._packages[definition.file_id] = known
        return known

    def _alone(self, definition: FoundSymbol) -> bool:
        """Whether nothing else in the project has the name and could be imported."""
        is_one = definition.symbol.kind not in _MEMBER_KINDS and not (
            definition.symbol.is_declaration
        )
        return self._importable - is_one == 0

    def _has_members(self) -> bool:
        """Whether any of the definitions is reached through a receiver."""
        return bool(self._members)

    def _imports_in(self, file_id: int) -> Sequence[Reference]:
        known = self._imports.get(file_id)
        if known is None:
            known = self._imports[file_id] = self._knowledge.imports_of(file_id)
        return known

    def _imported(self, file_id: int, name: str) -> list[Reference]:
        """The imports that give a file the name *name*; one with an alias gives the alias."""
        known = self._imported_as.get((file_id, name))
        if known is None:
            imports = self._imports_in(file_id)
            aliased = {each.qualifier for each in imports}
            known = self._imported_as[file_id, name] = [
                each
                for each in imports
                if each.name == name and f"{each.qualifier}:{name}" not in aliased
            ]
        return known

    # Names that stand alone

    def _judge_bare(
        self, found: FoundReference, definition: FoundSymbol, scoping: Scoping
    ) -> Confidence | None:
        reference, symbol = found.reference, definition.symbol
        if found.file_id == definition.file_id:
            is_closed = scoping.owners_are_closed and symbol.parent is not None
            if (is_closed or self._is_local(definition)) and not _lies_in(
                reference.enclosing or "", symbol.parent or ""
            ):
                return None
            return "exact" if self._is_the_only_one(definition, scoping) else "likely"
        if self._is_local(definition) or (scoping.private_is_file and _is_private(definition)):
            return None
        imported = self._imported(found.file_id, symbol.name)
        if imported:
            best = _best(self._judge_import(_at(found, each), definition) for each in imported)
            # A file that both imports and defines a name does one of them somewhere inside.
            return "likely" if best and self._own(found) else best
        if self._own(found):
            return None
        if scoping.package == "folder" and _same_folder(found, definition):
            return "exact"
        if scoping.package == "project":
            return "likely" if self._alone(definition) else "heuristic"
        return self._judge_wildcard(found, definition, scoping)

    def _judge_wildcard(
        self, found: FoundReference, definition: FoundSymbol, scoping: Scoping
    ) -> Confidence | None:
        """A name that the file neither defines nor imports by name."""
        matches = [
            match_module(_module_of(each), found.path, definition.path)
            for each in self._imports_in(found.file_id)
            if scoping.imports_are_open or each.name == "*"
        ]
        if ModuleMatch.FILE in matches:
            return "likely"
        return "heuristic" if scoping.loose else None

    def _is_local(self, definition: FoundSymbol) -> bool:
        """Whether a function holds the definition, so that nothing outside of it sees it."""
        symbol = definition.symbol
        if symbol.parent is None or symbol.kind in _MEMBER_KINDS:
            return False
        hierarchy = self._knowledge.hierarchy
        return hierarchy.kind_of(definition.file_id, symbol.parent) in _CALLABLE_KINDS

    def _is_in_namespace(self, definition: FoundSymbol) -> bool:
        parent = definition.symbol.parent or ""
        kind = self._knowledge.hierarchy.kind_of(definition.file_id, parent)
        return kind in {"namespace", "module"}

    def _is_the_only_one(self, definition: FoundSymbol, scoping: Scoping) -> bool:
        """Whether nothing else in its file can be meant where the name stands alone.

        Else the preprocessor picks one of several, or each is seen in a function without a name.
        """
        alike = [
            each.symbol
            for each in self._free_in.get(definition.file_id, ())
            if not each.symbol.is_declaration
        ]
        if scoping.has_variants:
            return len(alike) <= 1
        if scoping.package != "file" or definition.symbol.parent is not None:
            return True
        if any(
            not is_own_module(_module_of(each))
            for each in self._imported(definition.file_id, definition.symbol.name)
        ):
            return False
        bodies = [each for each in alike if each.parent is None and each.kind in _BODY_KINDS]
        # Overloads stand one below the other.
        return all(
            second.start_line - first.end_line <= _BESIDE_LINES
            for first, second in pairwise(sorted(bodies, key=lambda each: each.start_line))
        )

    # Names behind a module

    def _judge_path(
        self, found: FoundReference, definition: FoundSymbol, scoping: Scoping
    ) -> Confidence | None:
        """A function, class or variable that is reached through what stands before it."""
        if found.reference.qualifier is None or self._is_local(definition):
            return None
        receiver = receiver_of(found.reference.qualifier)
        if receiver.type_name is not None:
            return None
        qualifier = receiver.path
        matches = [
            match_module(_module_of(each), found.path, definition.path)
            for each in self._imports_in(found.file_id)
            if qualifier in {each.name, each.qualifier}
        ]
        if ModuleMatch.FILE in matches:
            return "exact"
        if ModuleMatch.PACKAGE in matches:
            return "exact" if self._alone(definition) else "likely"
        if _ends_in(definition.symbol.qualified_name, qualifier, definition.symbol.name):
            is_sure = scoping.folders_are_closed or self._alone(definition)
            return "exact" if is_sure else "likely"
        if matches:
            return "heuristic" if scoping.loose_modules else None
        if match_module(qualifier, found.path, definition.path) is ModuleMatch.FILE:
            return "likely"
        return None

    # Members

    def _judge_member(
        self, found: FoundReference, definition: FoundSymbol, scoping: Scoping
    ) -> Confidence | None:
        reference, symbol = found.reference, definition.symbol
        owner = _last(symbol.parent)
        if not _is_member(reference):
            return self._judge_implicit(found, definition, scoping)
        receiver = receiver_of(reference.qualifier) if reference.qualifier else None
        qualifier = receiver.path if receiver is not None else None
        if qualifier == _SUPER.get(found.language, "super"):
            return self._judge_inherited(reference, owner)
        if qualifier in _SELF:
            if symbol.kind == "function" and self._is_in_namespace(definition):
                return None
            if _inside(reference, definition, found.file_id):
                return "exact"
            if self._defined_beside(reference, found.file_id) is not None:
                return None
            return self._judge_own(reference, owner)
        if qualifier is not None and _last(qualifier) == owner:
            return "exact" if self._owner_is_unique(definition) else "likely"
        if receiver is not None and owner is not None:
            declared = receiver.type_name or self._knowledge.field_type(receiver.path, found)
            if declared is not None and not _is_type_parameter(declared):
                return self._judge_typed(declared, owner, definition, scoping)
        if qualifier is not None and self._is_foreign(qualifier, found, scoping):
            return None
        return "heuristic"

    def _judge_inherited(self, reference: Reference, owner: str | None) -> Confidence | None:
        """A member behind ``super``: that of a class which the one around the place names."""
        around = self._class_around(reference)
        above = () if around is None else self._knowledge.hierarchy.supertypes(around)
        if not above:
            return None if owner == around else "heuristic"
        return "likely" if owner in above else None

    def _judge_own(self, reference: Reference, owner: str | None) -> Confidence | None:
        """A member behind ``self`` that the class around the place does not define itself."""
        around = self._class_around(reference)
        if around is None:
            return "likely"
        kin = self._kin.get(around)
        if kin is None:
            kin = self._kin[around] = self._kin_of(around)
        if not kin:
            return "heuristic"
        return "likely" if owner in kin else None

    def _kin_of(self, name: str) -> frozenset[str | None]:
        """The owners of the definitions that the class inherits from, or that inherit from it."""
        supertypes = self._knowledge.hierarchy.supertypes
        above = supertypes(name)
        return frozenset(
            owner
            for owner in self._owners
            if owner is not None and (owner == name or owner in above or name in supertypes(owner))
        )

    def _class_around(self, reference: Reference) -> str | None:
        """The innermost class around a place, by its last name."""
        is_type = self._knowledge.hierarchy.is_type
        around = reversed(qualified_parts(reference.enclosing or ""))
        return next((name for name in around if is_type(name)), None)

    def _judge_typed(
        self, declared: str, owner: str, definition: FoundSymbol, scoping: Scoping
    ) -> Confidence | None:
        """A member of a receiver that is declared with a type."""
        hierarchy = self._knowledge.hierarchy
        if declared == owner:
            return "exact" if self._owner_is_unique(definition) else "likely"
        if owner in hierarchy.supertypes(declared):
            return "likely"
        if declared in hierarchy.supertypes(owner):
            return "likely" if hierarchy.is_type(declared) else "heuristic"
        if hierarchy.is_alias(declared):
            return "heuristic"
        if scoping.types_are_structural and hierarchy.is_type(declared):
            return "heuristic"
        return None if scoping.types_are_stated else "heuristic"

    def _judge_implicit(
        self, found: FoundReference, definition: FoundSymbol, scoping: Scoping
    ) -> Confidence | None:
        """A member named without a receiver: its own class, or one that it inherits from."""
        reference = found.reference
        if _inside(reference, definition, found.file_id):
            return "exact" if scoping.implicit_self else None
        if definition.symbol.kind == "constructor":
            return self._judge_bare(found, definition, scoping)
        imported = self._imported(found.file_id, definition.symbol.name)
        if imported and scoping.implicit_self:
            best = _best(self._judge_import(_at(found, each), definition) for each in imported)
            if best is not None:
                return best
        if not scoping.implicit_self or self._defined_beside(reference, found.file_id):
            return None
        return "heuristic"

    def _defined_beside(self, reference: Reference, file_id: int) -> FoundSymbol | None:
        """A member of this name in a class around the place."""
        key = (file_id, reference.enclosing)
        if key not in self._beside:
            self._beside[key] = next(
                (each for each in self._definitions if _inside(reference, each, file_id)), None
            )
        return self._beside[key]

    def _owner_is_unique(self, definition: FoundSymbol) -> bool:
        return self._owners.get(_last(definition.symbol.parent), set()) <= {definition.path}

    def _is_foreign(self, qualifier: str, found: FoundReference, scoping: Scoping) -> bool:
        """Whether the receiver is a module or a type that owns none of the definitions."""
        head, _, rest = qualifier.partition(".")
        if (
            scoping.types_are_capitals
            and head[:1].isupper()
            and not rest
            and "::" not in head
            and not head.isupper()
        ):
            return True
        return scoping.modules_are_names and any(
            head == each.name and not self._knowledge.knows_module(_module_of(each))
            for each in self._imports_in(found.file_id)
        )


_DEFAULT_SCOPING = Scoping()


def _by_use(reference: Reference, candidates: Sequence[FoundSymbol]) -> tuple[FoundSymbol, ...]:
    """Those of *candidates* that the place uses as what they are: calls mean what can be called."""
    called = reference.relationship == "calls"
    fitting = [each for each in candidates if (each.symbol.kind in _VALUE_KINDS) is not called]
    members = any(each.symbol.kind in _MEMBER_KINDS for each in candidates)
    return tuple(fitting if fitting and members else candidates)


def _is_its_name(found: FoundReference, definition: FoundSymbol) -> bool:
    return (
        found.reference.preprocessed
        and found.reference.line == definition.symbol.name_line
        and found.file_id == definition.file_id
    )


def _fits(reference: Reference, definition: FoundSymbol, scoping: Scoping) -> bool:
    """Whether the form of the place allows what *definition* is."""
    kind = definition.symbol.kind
    if reference.shape == "type":
        return (
            kind in _TYPE_KINDS
            or kind == "macro"
            or (scoping.values_as_types and kind in _VALUE_KINDS)
        )
    if reference.relationship == "calls":
        return not (scoping.methods_are_called and kind in {"field", "property"})
    return not (scoping.methods_are_called and kind == "method" and reference.shape != "import")


def _same_folder(found: FoundReference, definition: FoundSymbol) -> bool:
    return posixpath.dirname(found.path) == posixpath.dirname(definition.path)


def _is_member(reference: Reference) -> bool:
    return reference.shape == "member" or reference.qualifier is not None


def _is_private(definition: FoundSymbol) -> bool:
    """Whether only its own file sees the definition; what a header holds, others include."""
    return definition.symbol.visibility == "private" and not definition.path.endswith(_HEADERS)


def _inside(reference: Reference, definition: FoundSymbol, file_id: int) -> bool:
    """Whether the place lies in the class of *definition*."""
    parent = definition.symbol.parent
    if definition.file_id != file_id or parent is None or reference.enclosing is None:
        return False
    return _lies_in(reference.enclosing, parent)


def _lies_in(name: str, outer: str) -> bool:
    return name == outer or (name.startswith(outer) and name[len(outer)] in ".:#/\\")


def _ends_in(qualified: str, qualifier: str, name: str) -> bool:
    """Whether a qualified name ends in what stands before a place and the name itself."""
    before = qualified.removesuffix(name).rstrip(".:\\/")
    return bool(before) and (
        before == qualifier or before.endswith((f".{qualifier}", f":{qualifier}", f"\\{qualifier}"))
    )


def _is_type_parameter(name: str) -> bool:
    return len(name) == 1 or (len(name) == 2 and name[0] == "T")


@lru_cache(maxsize=10_000)
def _last(qualified: str | None) -> str | None:
    """The last part of a qualified name."""
    if qualified is None:
        return None
    for separator in ("::", ".", "\\", "#", "/"):
        qualified = qualified.rpartition(separator)[2] or qualified
    return qualified


def _module_of(reference: Reference) -> str:
    """The module that an import names, without what an alias stands for."""
    qualifier = reference.qualifier or reference.name
    module, colon, name = qualifier.rpartition(":")
    if colon and module and not module.endswith(":") and name:
        return module
    return qualifier


def _at(found: FoundReference, reference: Reference) -> FoundReference:
    return FoundReference(found.file_id, found.path, found.language, reference)


def _best(judgements: Iterable[Confidence | None]) -> Confidence | None:
    sure = [each for each in judgements if each is not None]
    return min(sure, key=_ORDER.__getitem__, default=None)
