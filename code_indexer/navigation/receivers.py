"""What stands before a member, and the type that the file states for it."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from code_indexer.navigation.forms import DATA_KINDS
from code_indexer.parsing.declared_types import TYPE_PLACES, declared_type
from code_indexer.storage.structure import FoundReference, FoundSymbol

_TYPED = re.compile(r"([\w$@]+):(\w+)")
_FIELD = re.compile(r"(?:(?:this|self|\$this|@)(?:\.|->|::)?)?@?([A-Za-z_$][\w$]*)")


@dataclass(frozen=True, slots=True)
class Receiver:
    """What stands before a member."""

    path: str
    type_name: str | None = None
    """Last part of its type."""


@lru_cache(maxsize=10_000)
def receiver_of(qualifier: str) -> Receiver:
    """The receiver that the qualifier of a reference writes: ``client`` or ``client:Client``."""
    typed = _TYPED.fullmatch(qualifier)
    return Receiver(typed[1], typed[2]) if typed else Receiver(qualifier)


def field_type(
    receiver: str,
    found: FoundReference,
    symbols_named: Callable[[str], Sequence[FoundSymbol]],
) -> str | None:
    """The declared type of the field, or variable of the file, that *receiver* names.

    Args:
        receiver: ``name``, ``this.name``, ``self.name``.
        found: The place; a field of another class than the one around it is not meant.
        symbols_named: All symbols of a name.
    """
    named = _FIELD.fullmatch(receiver)
    places = TYPE_PLACES.get(found.language or "")
    if named is None or places is None:
        return None
    enclosing = found.reference.enclosing or ""
    for candidate in symbols_named(named[1]):
        symbol = candidate.symbol
        if candidate.file_id != found.file_id or symbol.kind not in DATA_KINDS:
            continue
        if symbol.parent is None or enclosing.startswith(symbol.parent):
            signature = symbol.signature.encode()
            place = re.search(rb"(?<!\w)%s(?!\w)" % re.escape(named[1].encode()), signature)
            if place is None:
                continue
            declared = declared_type(places, signature, signature[::-1], *place.span())
            return None if declared is None else declared.decode()
    return None
