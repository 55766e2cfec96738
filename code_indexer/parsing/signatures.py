"""Signatures: the line of a definition's name, without its body."""

import re
from collections.abc import Mapping
from typing import Final

from code_indexer.parsing.source import Source

_MAX_SIGNATURE: Final = 300
# Up to the end of the line, an opening brace or a semicolon; brackets are taken whole, two deep.
_SIGNATURE: Final = re.compile(
    r"(?:[^\n;{(\[]++|\((?:[^()]++|\((?:[^()]++|\([^()]*+\))*+\))*+\)"
    r"|\[(?:[^\[\]]++|\[[^\[\]]*+\])*+\]|[(\[])*+"
)
_CALLABLES: Final = frozenset({"function", "method", "constructor"})
_WITH_BODIES: Final[Mapping[str, frozenset[str]]] = {
    "": frozenset(),
    ":": _CALLABLES | {"class"},
    "=": _CALLABLES,
    "=>": _CALLABLES | {"property"},
}
"""The kinds whose bodies begin with a mark."""
# The same as a signature, up to such a mark.
_HEADS: Final = {
    mark: re.compile(
        rf"(?:[^{mark[0]}(\[]++|\((?:[^()]++|\((?:[^()]++|\([^()]*+\))*+\))*+\)"
        rf"|\[(?:[^\[\]]++|\[[^\[\]]*+\])*+\]|(?!{mark})[{mark[0]}(\[])*+"
    )
    for mark in _WITH_BODIES
    if mark
}


def signature_at(
    source: Source, start: int, end: int, name_start: int, kind: str, body_mark: str
) -> str:
    """The line of the name, with the lines after it while a bracket is open, without the body.

    Args:
        source: The text.
        start: Where the line of the name begins, or the definition on it.
        end: Where the definition ends.
        name_start: Where the name begins.
        kind: What is defined.
        body_mark: What begins a body on that line.
    """
    text = source.slice(start, min(end, start + _MAX_SIGNATURE))
    found = _SIGNATURE.match(text)
    signature = found.group() if found is not None else ""
    if (
        body_mark in signature
        and not signature.endswith(body_mark)
        and kind in _WITH_BODIES[body_mark]
    ):
        head = _HEADS[body_mark].match(signature)
        signature = head.group() if head is not None else signature
    size = len(signature) if source.is_ascii else len(signature.encode())
    if start + size <= name_start:
        # The name stands behind a brace: `const { name } = values`.
        signature = text.partition("\n")[0]
    return " ".join(signature.split()).rstrip(" {=:;")
