"""Which types of a project inherit from which, as far as a question needs it."""

from collections.abc import Callable, Iterable, Sequence

from code_indexer.navigation.aliases import aliases_in
from code_indexer.navigation.forms import DATA_KINDS
from code_indexer.navigation.names import qualified_parts
from code_indexer.storage.structure import FoundSymbol
from code_indexer.types import Reference

_TYPE_KINDS = frozenset({"class", "struct", "enum", "interface", "trait", "protocol", "type"})
_DEPTH = 6


class Hierarchy:
    """The types of a project by their last names, looked up when they are asked for."""

    def __init__(
        self,
        symbols_named: Callable[[str], Sequence[FoundSymbol]],
        references_of: Callable[[int], Sequence[Reference]],
    ) -> None:
        self._symbols_named = symbols_named
        self._references_of = references_of
        self._supertypes: dict[str, frozenset[str]] = {}
        self._bases: dict[int, dict[str | None, list[str]]] = {}
        self._kinds: dict[str, frozenset[str]] = {}

    def is_type(self, name: str) -> bool:
        """Whether the project defines a type of this name."""
        return not _TYPE_KINDS.isdisjoint(self._kinds_of(name))

    def is_data(self, name: str) -> bool:
        """Whether the project has a field, a property or a variable of this name."""
        return not DATA_KINDS.isdisjoint(self._kinds_of(name))

    def is_alias(self, name: str) -> bool:
        """Whether the name may stand for another type."""
        return "type" in self._kinds_of(name)

    def _kinds_of(self, name: str) -> frozenset[str]:
        known = self._kinds.get(name)
        if known is None:
            found = {each.symbol.kind for each in self._symbols_named(name)}
            known = self._kinds[name] = frozenset(found)
        return known

    def kind_of(self, file_id: int, qualified_name: str) -> str | None:
        """The kind of what a file defines under a qualified name."""
        for each in self._symbols_named(qualified_parts(qualified_name)[-1]):
            if each.file_id == file_id and each.symbol.qualified_name == qualified_name:
                return each.symbol.kind
        return None

    def supertypes(self, name: str) -> frozenset[str]:
        """Every type that the type inherits from, over several steps."""
        known = self._supertypes.get(name)
        if known is None:
            known = self._supertypes[name] = frozenset(self._collected(name))
        return known

    def _collected(self, name: str) -> set[str]:
        found: set[str] = set()
        pending = {name}
        for _ in range(_DEPTH):
            pending = {each for one in pending for each in self._direct(one)} - found
            found |= pending
        return found

    def _direct(self, name: str) -> Iterable[str]:
        for each in self._symbols_named(name):
            if each.symbol.kind not in _TYPE_KINDS:
                continue
            yield from self._bases_in(each.file_id).get(each.symbol.qualified_name, ())

    def _bases_in(self, file_id: int) -> dict[str | None, list[str]]:
        """What the types of a file say they inherit from, by their qualified names."""
        known = self._bases.get(file_id)
        if known is None:
            known = self._bases[file_id] = {}
            references = self._references_of(file_id)
            aliases = aliases_in((each for each in references if each.shape == "import"), None)
            for reference in references:
                if reference.relationship == "inherits":
                    base = aliases.get(reference.name, reference.name)
                    known.setdefault(reference.enclosing, []).append(base)
        return known
