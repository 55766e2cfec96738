"""How sure it is that an import means a definition."""

from collections.abc import Mapping, Sequence

from code_indexer.navigation.aliases import aliases_in
from code_indexer.navigation.confidence import surest
from code_indexer.navigation.forms import MEMBER_KINDS, module_of
from code_indexer.navigation.knowledge import Knowledge
from code_indexer.navigation.modules import ModuleMatch, is_own_module, match_module
from code_indexer.navigation.names import qualified_parts
from code_indexer.navigation.namesakes import Namesakes
from code_indexer.navigation.scoping import Scoping, scoping_of
from code_indexer.storage.structure import FoundReference, FoundSymbol
from code_indexer.types import Confidence, Reference


class Imports:
    """The imports of the files that name one of the namesakes."""

    def __init__(self, namesakes: Namesakes, knowledge: Knowledge) -> None:
        self._namesakes = namesakes
        self._knowledge = knowledge
        self._of_file: dict[int, Sequence[Reference]] = {}
        self._giving_name: dict[int, list[Reference]] = {}
        self._aliases: dict[int, Mapping[str, str]] = {}
        self._packages: dict[int, tuple[str, ...]] = {}

    def of_file(self, file_id: int) -> Sequence[Reference]:
        """All imports of a file."""
        known = self._of_file.get(file_id)
        if known is None:
            known = self._of_file[file_id] = self._knowledge.imports_of(file_id)
        return known

    def giving_name(self, file_id: int) -> list[Reference]:
        """Those that give a file the name of the namesakes; one with an alias gives the alias."""
        known = self._giving_name.get(file_id)
        if known is None:
            name = self._namesakes.name
            imports = self.of_file(file_id)
            aliased = {each.qualifier for each in imports}
            known = self._giving_name[file_id] = [
                each
                for each in imports
                if each.name == name and f"{each.qualifier}:{name}" not in aliased
            ]
        return known

    def meant_by(self, name: str, found: FoundReference) -> str:
        """What *name* stands for in the file of a place: itself, unless an import renames it."""
        aliases = self._aliases.get(found.file_id)
        if aliases is None:
            aliases = aliases_in(self.of_file(found.file_id), found.language)
            self._aliases[found.file_id] = aliases
        return aliases.get(name, name)

    def judge_given(self, found: FoundReference, definition: FoundSymbol) -> Confidence | None:
        """How sure it is that an import of the place's file brings in *definition*."""
        return surest(
            self.judge(FoundReference(found.file_id, found.path, found.language, each), definition)
            for each in self.giving_name(found.file_id)
        )

    def judge(self, found: FoundReference, definition: FoundSymbol) -> Confidence | None:
        """How sure it is that *found*, which is an import, means *definition*."""
        module = module_of(found.reference)
        scoping = scoping_of(found.language)
        is_member = definition.symbol.kind in MEMBER_KINDS
        if is_member and not (scoping.members_are_bare or scoping.members_are_of_modules):
            if scoping.extensions_are_imported:
                is_meant = qualified_parts(module) == self.package_of(definition)
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
            return "exact" if self._namesakes.is_alone(definition) else "likely"
        if module.startswith("."):
            return None
        may_be = scoping.loose_modules or self._knowledge.knows_module(module)
        return "heuristic" if may_be else None

    def _is_in_package(self, module: str, definition: FoundSymbol, scoping: Scoping) -> bool:
        """Whether *module* is the package of the definition with its owners, or itself a module."""
        parts = qualified_parts(definition.symbol.qualified_name)
        package = self.package_of(definition)
        if scoping.modules_are_names and not package:
            return False  # there a module is a file, not what a file defines
        whole = (*package, *parts)
        return qualified_parts(module) in (whole[:-1], whole)

    def package_of(self, definition: FoundSymbol) -> tuple[str, ...]:
        """The package that the file of a definition says it belongs to."""
        known = self._packages.get(definition.file_id)
        if known is None:
            known = tuple(self._knowledge.package_of(definition))
            self._packages[definition.file_id] = known
        return known
