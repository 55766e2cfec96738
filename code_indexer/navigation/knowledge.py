"""What is asked about the whole project while the references of one name are resolved."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from code_indexer.navigation.hierarchy import Hierarchy
from code_indexer.storage.structure import FoundReference, FoundSymbol
from code_indexer.types import Reference


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What is known of the project, each thing looked up when it is asked for."""

    imports_of: Callable[[int], Sequence[Reference]]
    """The imports of a file, by its id."""
    knows_module: Callable[[str], bool]
    """Whether a module that an import names may lie in the project."""
    package_of: Callable[[FoundSymbol], Sequence[str]]
    """The package that the file of a definition says it belongs to."""
    field_type: Callable[[str, FoundReference], str | None]
    """The declared type of a receiver that is a field, or a variable of its file."""
    hierarchy: Hierarchy
