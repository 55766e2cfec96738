"""What all answers of tools are made of: a document without what is empty, and words beside it."""

from dataclasses import dataclass

from code_indexer.mcp_server.bounds import Document
from code_indexer.rendering import visible

_ALWAYS = frozenset({"results", "projects", "warnings", "cut", "suggestions", "meanings"})
"""Lists that are there even when they are empty."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool gives back."""

    structured: Document
    text: str


def pruned(document: Document) -> Document:
    """*document* without what is unknown or empty, and with nothing that is not UTF-8."""
    kept: Document = {}
    for name, value in document.items():
        if value is None or (value == [] and name not in _ALWAYS):
            continue
        kept[_text(name)] = _clean(value)
    return kept


def _clean(value: object) -> object:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, dict):
        return pruned(value)
    if isinstance(value, list | tuple):
        return [_clean(one) for one in value]
    return value


def _text(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def remarks(document: Document) -> list[str]:
    """The warnings of a document, and what it had no room for, a line each."""
    return [
        *(f"warning: {visible(warning, keep='')}" for warning in document["warnings"]),
        *(f"cut: {visible(what, keep='')}" for what in document["cut"]),
    ]


def called(root: str, name: str | None) -> str:
    """A project as answers name it."""
    return visible(f"{root} ({name})" if name else root, keep="")
