"""Many definitions of a name against many places of it."""

from code_indexer.navigation.hierarchy import Hierarchy
from code_indexer.navigation.knowledge import Knowledge
from code_indexer.navigation.resolution import resolve_references
from code_indexer.storage.structure import FoundReference, FoundSymbol
from code_indexer.types import Reference, Symbol


class Watched(list):
    """A list that counts how often it is gone through."""

    rounds = 0

    def __iter__(self):
        self.rounds += 1
        return super().__iter__()


def test_definitions_are_not_gone_through_again_for_each_file_that_uses_the_name():
    """A module of Ruby that is opened in every file, and used in as many others."""
    definitions = Watched(
        FoundSymbol(n, f"part_{n}.rb", "ruby", "code", Symbol("Shop", "Shop", "module", 1, 9, 1))
        for n in range(40)
    )
    places = [
        FoundReference(n, f"part_{n}.rb", "ruby", Reference("Shop", 5, 2, "references", f"f{n}"))
        for n in range(400)
    ]
    knowledge = Knowledge(
        imports_of=lambda _file: (),
        knows_module=lambda _module: False,
        package_of=lambda _definition: (),
        field_type=lambda _receiver, _found: None,
        hierarchy=Hierarchy(lambda _name: (), lambda _file: ()),
    )

    found = resolve_references(definitions, places, knowledge)

    assert [one.confidence for one in found] == ["exact"] * 40 + ["heuristic"] * 360
    assert [len(one.definitions) for one in found] == [1] * 40 + [40] * 360
    assert definitions.rounds < 10
