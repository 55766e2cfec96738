"""Visibility that a word states for what follows it in a class: Ruby's ``private`` on its line."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from code_indexer.parsing.source import Source
from code_indexer.parsing.symbols import Captures, Definition

_WORD: Final = re.compile(
    rb"\n[ \t]*(private|protected|public|module_function)(?:[ \t]*(?:#.*)?$"
    rb"|(?:_class_method)?[ \t(]+((?::\w+[?!=]?(?:[ \t]*,\s*)?)+))",
    re.MULTILINE,
)
_ANY: Final = (b"private", b"protected")
_NAME: Final = re.compile(rb":(\w+[?!=]?)")
_MEMBERS: Final = frozenset({"method", "property"})
_OF_THE_CLASS: Final = "def self."


def with_sections(
    definitions: list[Definition], captures: Captures, source: Source
) -> list[Definition]:
    """*definitions* with the visibility that the sections of their classes state."""
    if not any(word in source.data for word in _ANY):
        return definitions
    words = list(_WORD.finditer(source.data))
    classes = sorted((node.start_byte, node.end_byte) for node in captures.get("local.barrier", ()))
    sections: dict[int, list[tuple[int, str]]] = {}
    named: dict[tuple[int, str], str] = {}
    for found in words:
        around = _class_around(found.start(1), classes)
        visibility = found[1].decode()
        if found[2] is None:
            sections.setdefault(around, []).append((found.start(), visibility))
        for name in _NAME.findall(found[2] or b""):
            named[around, name.decode("utf-8", "replace")] = visibility
    return [
        _in_section(each, _class_around(each.start, classes), sections, named)
        for each in definitions
    ]


def _in_section(
    definition: Definition,
    around: int,
    sections: dict[int, list[tuple[int, str]]],
    named: dict[tuple[int, str], str],
) -> Definition:
    symbol = definition.symbol
    if symbol.kind not in _MEMBERS or symbol.visibility is not None:
        return definition
    visibility = named.get((around, symbol.name))
    if visibility is None and not symbol.signature.startswith(_OF_THE_CLASS):
        before = [word for start, word in sections.get(around, ()) if start < definition.start]
        visibility = before[-1] if before else None
    if visibility is None or visibility == "module_function":
        return definition
    return definition._replace(symbol=symbol._replace(visibility=visibility))


def _class_around(offset: int, classes: Sequence[tuple[int, int]]) -> int:
    """Where the innermost class around *offset* begins, or -1."""
    index = bisect_right(classes, (offset, 0)) - 1
    while index >= 0 and classes[index][1] <= offset:
        index -= 1
    return classes[index][0] if index >= 0 else -1
