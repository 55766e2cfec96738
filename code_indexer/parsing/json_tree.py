"""Values of a JSON text with the lines they stand on, also where the text is damaged."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from code_indexer.parsing import grammars


@dataclass(frozen=True, slots=True)
class JsonValue:
    """One value; asked for what it is not, it gives an empty answer."""

    node: Node
    data: bytes
    """The whole text: a tree that was made with a time limit does not keep it."""

    @property
    def row(self) -> int:
        """Position of its first line in the text, from 0."""
        return self.node.start_point[0]

    @property
    def extent(self) -> range:
        """Positions of its bytes in the text."""
        return range(self.node.start_byte, self.node.end_byte)

    @property
    def damaged(self) -> bool:
        """Whether some of it is not JSON."""
        return self.node.has_error

    def members(self) -> dict[str, "JsonValue"]:
        """The values of an object by key."""
        found: dict[str, JsonValue] = {}
        for pair in self.node.named_children if self.node.type == "object" else ():
            key = pair.child_by_field_name("key")
            value = pair.child_by_field_name("value")
            if key is not None and value is not None:
                found.setdefault(JsonValue(key, self.data).string(), JsonValue(value, self.data))
        return found

    def member(self, *keys: str) -> "JsonValue | None":
        """The value at the end of a path of keys."""
        value: JsonValue | None = self
        for key in keys:
            value = value.members().get(key) if value is not None else None
        return value

    def items(self) -> "list[JsonValue]":
        """The values of an array."""
        if self.node.type != "array":
            return []
        return [JsonValue(child, self.data) for child in self.node.named_children]

    def string(self) -> str:
        """The characters of a string."""
        if self.node.type != "string":
            return ""
        try:
            value = json.loads(self.data[self.node.start_byte : self.node.end_byte], strict=False)
        except ValueError:
            return ""
        # An escaped half of a surrogate pair is legal in JSON and nowhere else.
        return str(value).encode("utf-8", "replace").decode()

    def objects(self) -> "Iterator[JsonValue]":
        """Every object in it, in order, those in others included."""
        stack = [self.node]
        while stack:
            node = stack.pop()
            if node.type == "object":
                yield JsonValue(node, self.data)
            stack.extend(reversed(node.named_children))


def parse_json(text: str, *, time_limit_seconds: float) -> JsonValue | None:
    """The value that *text* is; if it is damaged, its first object or all of it.

    None where there is no value, or reading it took longer than the limit.
    """
    data = text.encode("utf-8", "replace")
    try:
        tree = grammars.parse_tree("json", data, time_limit_seconds)
    except TimeoutError:
        return None
    if tree is None:
        return None
    root = tree.root_node
    if root.has_error or root.named_child_count != 1:
        return JsonValue(root, data)
    return JsonValue(root.named_children[0], data)
