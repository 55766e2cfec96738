"""Definitions that a macro makes: the name stands among what the macro is given."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from code_indexer.parsing.source import Source
from code_indexer.parsing.symbols import Captures


def with_made_names(captures: Captures, source: Source, makers: re.Pattern[str]) -> Captures:
    """*captures* with the names that the macros called like *makers* give.

    ``TEST(Suite, Case) {}`` reads like a function ``TEST``, and defines ``Case`` of ``Suite``.
    """
    made = [
        node
        for node in captures.get("made.by", ())
        if makers.fullmatch(source.slice(node.start_byte, node.end_byte)) and not _in_class(node)
    ]
    if not made:
        return captures
    starts = {node.start_byte for node in made}
    names = [node for node in captures["name"] if node.start_byte not in starts]
    owners = [*captures.get("owner", ())]
    for node in made:
        *before, name = _given(node)
        names.append(name)
        owners += before
    return {**captures, "name": names, "owner": owners}


def _in_class(maker: Node) -> bool:
    """Whether *maker*, the name of a function, stands in a class: then it is its constructor."""
    node: Node | None = maker
    while node is not None and node.type != "function_definition":
        node = node.parent
    return node is None or node.parent is None or node.parent.type == "field_declaration_list"


def _given(maker: Node) -> Iterator[Node]:
    """The names that the macro is given."""
    declarator = maker.parent
    parameters = None if declarator is None else declarator.child_by_field_name("parameters")
    for parameter in () if parameters is None else parameters.named_children:
        name = parameter.child_by_field_name("type")
        if name is not None:
            yield name
