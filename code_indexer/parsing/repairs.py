"""Text before parsing: what a grammar stumbles over is spelled as it knows it, byte for byte."""

import re
from collections.abc import Callable, Mapping
from typing import Final

# Call signatures without semicolons between them: the grammar takes the second for type arguments.
_GENERIC_SIGNATURE: Final = re.compile(rb"(?<!=)(?<=[>\w)\]}])(\s*\n[ \t]*)[ \t](?=<\s*[A-Za-z])")


def _typescript(data: bytes) -> bytes:
    return _GENERIC_SIGNATURE.sub(rb"\1;", data)


_REPAIRS: Final[Mapping[str, Callable[[bytes], bytes]]] = {"typescript": _typescript}


def repaired(data: bytes, language: str) -> bytes:
    """*data* as the parser of *language* is to see it."""
    repair = _REPAIRS.get(language)
    return data if repair is None else repair(data)
