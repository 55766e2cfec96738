"""The definitions that share one name, grouped so that each reference asks without a search.

A name may have a thousand definitions and ten thousand places: nothing here may look through all of
the one for each of the other.
"""

from collections.abc import Iterable, Mapping, Sequence

from code_indexer.navigation.forms import MEMBER_KINDS, last_part, lies_in_owner
from code_indexer.storage.structure import FoundSymbol
from code_indexer.types import Reference


class Namesakes:
    """All definitions of one name, whatever they are."""

    def __init__(self, definitions: Sequence[FoundSymbol]) -> None:
        self.all = definitions
        self.members = [one for one in definitions if one.symbol.kind in MEMBER_KINDS]
        """Those that are reached through a receiver; the others are free."""
        free = [one for one in definitions if one.symbol.kind not in MEMBER_KINDS]
        self._free_in: dict[int, list[FoundSymbol]] = {}
        for one in free:
            self._free_in.setdefault(one.file_id, []).append(one)
        self._importable = sum(not one.symbol.is_declaration for one in free)
        self._owners: dict[str | None, set[str]] = {}
        for one in definitions:
            if not one.symbol.is_declaration:
                self._owners.setdefault(last_part(one.symbol.parent), set()).add(one.path)
        self._position = {id(one): place for place, one in enumerate(definitions)}
        self._name_lines = {(one.file_id, one.symbol.name_line) for one in definitions}
        self._beside: dict[tuple[int, str | None], FoundSymbol | None] = {}

    @property
    def name(self) -> str:
        """The name that all of them share."""
        return self.all[0].symbol.name

    @property
    def owners(self) -> Mapping[str | None, set[str]]:
        """The last names of what holds a definition, with the files where it does."""
        return self._owners

    def free_in(self, file_id: int) -> list[FoundSymbol]:
        """Those in a file that need no receiver."""
        return self._free_in.get(file_id, [])

    def in_order(self, some: Iterable[FoundSymbol]) -> list[FoundSymbol]:
        """*some* of the definitions in the order of all."""
        return sorted(some, key=lambda one: self._position[id(one)])

    def are_named_at(self, file_id: int, line: int) -> bool:
        """Whether one of them is defined on that line."""
        return (file_id, line) in self._name_lines

    def is_alone(self, definition: FoundSymbol) -> bool:
        """Whether nothing else in the project has the name and could be imported."""
        is_one = definition.symbol.kind not in MEMBER_KINDS and not definition.symbol.is_declaration
        return self._importable - is_one == 0

    def has_unique_owner(self, definition: FoundSymbol) -> bool:
        """Whether no other file has an owner of that name which defines the name."""
        return self._owners.get(last_part(definition.symbol.parent), set()) <= {definition.path}

    def member_around(self, reference: Reference, file_id: int) -> FoundSymbol | None:
        """The one that a class around the place, in the file *file_id*, defines."""
        key = (file_id, reference.enclosing)
        if key not in self._beside:
            self._beside[key] = next(
                (each for each in self.all if lies_in_owner(reference, file_id, each)), None
            )
        return self._beside[key]
