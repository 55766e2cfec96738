"""Uses of a name that the project does not define: what a library or the language offers."""

from collections.abc import Callable, Sequence
from functools import cache

from code_indexer.navigation.aliases import uses_of_aliases
from code_indexer.navigation.names import NameQuery, qualified_parts
from code_indexer.navigation.receivers import receiver_of
from code_indexer.storage.manifest import Manifest
from code_indexer.storage.structure import FoundReference
from code_indexer.types import Confidence, Reference

_Imports = Callable[[int], Sequence[Reference]]


def uses_from_outside(
    manifest: Manifest, query: NameQuery
) -> list[tuple[FoundReference, Confidence]]:
    """The places that name what *query* asks for, and how sure each is.

    ``likely`` where an import says where the name comes from, ``heuristic`` elsewhere. What stands
    before the name in *query* must stand before it in the code, or be the module of its import.
    """
    imports_of = cache(manifest.imports_of)
    found = []
    for each in manifest.references_named(query.name):
        confidence = _judge(each, query, imports_of)
        if confidence is None:
            continue
        found.append((each, confidence))
        if each.reference.shape == "import":
            aliased = uses_of_aliases(each, imports_of, manifest.references_of_file)
            found += [(place, confidence) for place in aliased]
    return found


def _judge(found: FoundReference, query: NameQuery, imports_of: _Imports) -> Confidence | None:
    reference = found.reference
    if reference.shape == "import":
        module = (reference.qualifier or "").rpartition(":")[0] or reference.qualifier or ""
        return "likely" if not query.owner or _ends_in(module, query.owner) else None
    if reference.qualifier is None:
        modules = [
            each.qualifier or each.name
            for each in imports_of(found.file_id)
            if each.name == reference.name
        ]
        if not query.owner:
            return "likely" if modules and reference.shape != "member" else "heuristic"
        return "likely" if any(_ends_in(module, query.owner) for module in modules) else None
    receiver = receiver_of(reference.qualifier)
    if query.owner and query.owner[-1] not in (
        qualified_parts(receiver.path)[-1],
        receiver.type_name,
    ):
        return None
    head = qualified_parts(receiver.path)[0]
    is_imported = any(each.name == head for each in imports_of(found.file_id))
    return "likely" if is_imported else "heuristic"


def _ends_in(module: str, owner: Sequence[str]) -> bool:
    return qualified_parts(module)[-len(owner) :] == tuple(owner)
