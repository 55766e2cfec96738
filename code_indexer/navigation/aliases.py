"""Names of a file for what it imports under another one: ``from a import b as c``."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from code_indexer.navigation.forms import is_member, last_part
from code_indexer.storage.structure import FoundReference
from code_indexer.types import Reference

_WHOLE_NAMES: Final = frozenset({"csharp", "elixir"})
"""Languages in which an import names a type with all that encloses it."""
_NONE: Final[Mapping[str, str]] = {}


def aliases_in(imports: Iterable[Reference], language: str | None) -> Mapping[str, str]:
    """What each alias among the *imports* of a file stands for, by its last name."""
    aliases = {
        each.name: stands_for
        for each in imports
        if (stands_for := _stands_for(each, language)) not in (None, each.name)
    }
    return aliases or _NONE


def _stands_for(imported: Reference, language: str | None) -> str | None:
    """The name that an import says its own one stands for: ``c`` has the qualifier ``a:b``."""
    module, colon, name = (imported.qualifier or "").rpartition(":")
    if colon and not module.endswith(":"):
        return name if module else None
    return last_part(imported.qualifier) if language in _WHOLE_NAMES else None


def uses_of_aliases(
    imported: FoundReference,
    imports_of: Callable[[int], Sequence[Reference]],
    references_of: Callable[[int], Sequence[Reference]],
) -> Iterator[FoundReference]:
    """Where a file uses what it imports under another name.

    Args:
        imported: The import of the name.
        imports_of: The imports of a file.
        references_of: All references of a file.
    """
    name = imported.reference.name
    given = f"{imported.reference.qualifier}:{name}"
    aliases = {
        each.name
        for each in imports_of(imported.file_id)
        if each.name != name
        and (
            each.qualifier == given
            or (each.qualifier == imported.reference.qualifier and _is_whole(each, imported))
        )
    }
    for each in references_of(imported.file_id) if aliases else ():
        if each.name in aliases and each.shape != "import" and not is_member(each):
            yield FoundReference(imported.file_id, imported.path, imported.language, each)


def _is_whole(alias: Reference, imported: FoundReference) -> bool:
    """Whether *alias* stands for the whole name that *imported* is the last part of."""
    return _stands_for(alias, imported.language) == imported.reference.name
