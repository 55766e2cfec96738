"""Which definition a reference means, and how sure that is; decided from names, scopes and imports.

Nothing here knows types. A reference that cannot mean any of the definitions is left out.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from code_indexer.navigation.confidence import surest
from code_indexer.navigation.forms import (
    MEMBER_KINDS,
    by_use,
    fits,
    is_its_name,
    is_member,
    is_private,
    same_folder,
)
from code_indexer.navigation.free_names import FreeNames
from code_indexer.navigation.imports import Imports
from code_indexer.navigation.knowledge import Knowledge
from code_indexer.navigation.members import Members
from code_indexer.navigation.namesakes import Namesakes
from code_indexer.navigation.scoping import scoping_of
from code_indexer.storage.structure import FoundReference, FoundSymbol
from code_indexer.types import Confidence


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


_Meaning = tuple[Confidence, tuple[FoundSymbol, ...]]


class _Resolver:
    """Finds what each reference means among the definitions of one name."""

    def __init__(self, definitions: Sequence[FoundSymbol], knowledge: Knowledge) -> None:
        self._namesakes = Namesakes(definitions)
        self._imports = Imports(self._namesakes, knowledge)
        self._free_names = FreeNames(self._namesakes, self._imports, knowledge)
        self._members = Members(self._namesakes, self._imports, self._free_names, knowledge)
        self._meanings: dict[tuple[object, ...], _Meaning | None] = {}

    def resolve(self, found: FoundReference) -> ResolvedReference | None:
        """What *found* means, or None when it cannot mean any definition."""
        reference = found.reference
        # The line and the column of a place decide nothing, but for the name of a definition that
        # a macro replaces: it does not mean itself.
        own = reference.preprocessed and self._namesakes.are_named_at(found.file_id, reference.line)
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

    def _is_seen_from_anywhere(self, found: FoundReference) -> bool:
        """Whether the file of a place decides nothing: neither by what it holds nor by imports."""
        return (
            not self._namesakes.members
            and self._stands_alone(found)
            and not self._namesakes.free_in(found.file_id)
            and scoping_of(found.language).package == "project"
        )

    def _stands_alone(self, found: FoundReference) -> bool:
        """Whether nothing stands before a name, and its file does not import it."""
        if found.reference.shape == "import" or is_member(found.reference):
            return False
        return not self._imports.giving_name(found.file_id)

    def _meaning(self, found: FoundReference) -> _Meaning | None:
        judged: dict[Confidence, list[FoundSymbol]] = {}
        for definition in self._candidates(found):
            if is_its_name(found, definition):
                continue
            confidence = self._judge(found, definition)
            if confidence is not None:
                judged.setdefault(confidence, []).append(definition)
        best = surest(judged)
        if best is None:
            return None
        chosen = by_use(found.reference, judged[best])
        if all(each.symbol.is_declaration for each in chosen):
            whole = self._defined(found, chosen)
            if len(whole) > 1 and best == "exact":
                best = "likely"
            chosen = whole or chosen
        if best == "exact" and found.reference.preprocessed:
            best = "likely"
        return best, chosen

    def _candidates(self, found: FoundReference) -> Sequence[FoundSymbol]:
        """The definitions to judge: of those that need no receiver a file's own hide the others."""
        own = self._free_names.own(found)
        if own and self._stands_alone(found):
            members = self._namesakes.members
            return self._namesakes.in_order((*own, *members)) if members else own
        return self._namesakes.all

    def _defined(
        self, found: FoundReference, declared: Sequence[FoundSymbol]
    ) -> tuple[FoundSymbol, ...]:
        """The definitions of what forward declarations announce, where the project has them."""
        names = {each.symbol.qualified_name for each in declared}
        scoping = scoping_of(found.language)
        return tuple(
            each
            for each in self._namesakes.all
            if each.symbol.qualified_name in names
            and not each.symbol.is_declaration
            and scoping.same_family(each.language)
            and not (scoping.private_is_file and is_private(each))
        )

    def _judge(self, found: FoundReference, definition: FoundSymbol) -> Confidence | None:
        """How sure it is that *found* means *definition*; None when it cannot."""
        reference, symbol = found.reference, definition.symbol
        scoping = scoping_of(found.language)
        if not scoping.same_family(definition.language) or not fits(reference, definition, scoping):
            return None
        if reference.shape == "import":
            return self._imports.judge(found, definition)
        if scoping.folders_are_closed and not same_folder(found, definition):
            return None
        is_behind = is_member(reference)
        if is_behind and self._free_names.is_local(definition):
            return None
        if scoping.members_are_bare and not is_behind:
            return self._free_names.judge_bare(found, definition, scoping)
        if symbol.kind in MEMBER_KINDS or (symbol.parent and is_behind):
            return self._members.judge(found, definition, scoping)
        if symbol.kind == "macro" and scoping.macros_are_text and is_behind:
            return None if self._namesakes.members else "heuristic"
        if is_behind:
            return self._free_names.judge_path(found, definition, scoping)
        return self._free_names.judge_bare(found, definition, scoping)
