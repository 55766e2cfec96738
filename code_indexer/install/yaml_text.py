"""The server's item in a YAML file's list of servers, edited as text.

There is no YAML library among our dependencies: the syntax tree says whether a file is valid and
where things stand, and every line that is not ours is kept.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from code_indexer.install.edits import (
    SERVER_NAME,
    DamagedConfigurationError,
    ServerEntry,
    changed_unexpectedly,
    lines_of,
)
from code_indexer.parsing.grammars import parse_tree

if TYPE_CHECKING:
    from tree_sitter import Node

_LIST = "mcpServers"
_OURS = ("name", "command", "args", "env")
_TIME_LIMIT_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class _Item:
    """One server of the list: a range of lines."""

    start: int
    end: int
    """The line after its last one."""
    indent: int
    """Columns before its dash."""
    keys: dict[str, tuple[int, int, str]]
    """Key to its first line, the line after its last one, and its text."""
    key_indent: int


@dataclass(frozen=True, slots=True)
class _Servers:
    """Where the list is, or would be."""

    line: int | None
    """Of its key; None when there is none."""
    is_empty: bool = False
    """The key is there with nothing, or an empty list, behind it."""
    items: tuple[_Item, ...] = ()


def check(text: str) -> None:
    """Nothing, when *text* is valid.

    Raises:
        DamagedConfigurationError: It is not.
    """
    _find(text)


def has_server(text: str) -> bool:
    """Whether the server is in the list."""
    return _ours(_find(text)) is not None


def has_servers(text: str) -> bool:
    """Whether there is any server in the list."""
    return bool(_find(text).items)


def with_server(text: str, entry: ServerEntry) -> str:
    """*text* with the server in its list; what else its item says stays.

    Raises:
        DamagedConfigurationError: The text is not valid, or cannot be edited safely.
    """
    servers = _find(text)
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = lines_of(text)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += newline
    ours = _ours(servers)
    if ours is not None:
        wanted = _item_lines(entry, ours.indent, ours.key_indent)
        kept = [
            line
            for key, (start, end, _) in ours.keys.items()
            if key not in _OURS
            for line in lines[start:end]
        ]
        new = [f"{line}{newline}" for line in wanted] + [_without_dash(line) for line in kept]
        lines[ours.start : ours.end] = new
    elif servers.items:
        last = servers.items[-1]
        wanted = _item_lines(entry, last.indent, last.key_indent)
        lines[last.end : last.end] = [f"{line}{newline}" for line in wanted]
    else:
        wanted = _item_lines(entry, 2, 4)
        if servers.line is None:
            lines += [f"{line}{newline}" for line in (f"{_LIST}:", *wanted)]
        else:
            # An empty list in brackets gives way; a comment behind it stays.
            comment = lines[servers.line].partition("#")[2].rstrip("\r\n")
            head = f"{_LIST}:{f' #{comment}' if comment else ''}{newline}"
            lines[servers.line : servers.line + 1] = [head, *(f"{x}{newline}" for x in wanted)]
    result = "".join(lines)
    if not has_server(result) or _others(result) != _others(text):
        raise changed_unexpectedly()
    return result


def without_server(text: str) -> str:
    """*text* without the server.

    Raises:
        DamagedConfigurationError: The text is not valid, or cannot be edited safely.
    """
    servers = _find(text)
    ours = _ours(servers)
    if ours is None or servers.line is None:
        return text
    lines = lines_of(text)
    del lines[ours.start : ours.end]
    if len(servers.items) == 1:
        del lines[servers.line]
    result = "".join(lines)
    if has_server(result) or _others(result) != _others(text):
        raise changed_unexpectedly()
    return result


def new_block(entry: ServerEntry) -> str:
    """A file of its own that holds the server alone."""
    head = [f"name: {SERVER_NAME}", "version: 0.0.1", "schema: v1", f"{_LIST}:"]
    return "\n".join([*head, *_item_lines(entry, 2, 4), ""])


def _item_lines(entry: ServerEntry, indent: int, key_indent: int) -> list[str]:
    # Strings in double quotes are written as in JSON.
    pairs = [f"name: {SERVER_NAME}", f"command: {_quoted(entry.command)}"]
    if entry.arguments:
        pairs.append(f"args: [{', '.join(map(_quoted, entry.arguments))}]")
    if entry.environment:
        pairs.append("env:")
        pairs += [f"  {key}: {_quoted(value)}" for key, value in entry.environment.items()]
    blanks = " " * key_indent
    first = " " * indent + "-" + " " * max(key_indent - indent - 1, 1)
    return [first + pairs[0], *(blanks + pair for pair in pairs[1:])]


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _without_dash(line: str) -> str:
    """A key that was first in its item, as one that is not."""
    stripped = line.lstrip(" ")
    if not stripped.startswith("- "):
        return line
    rest = stripped[1:].lstrip(" ")
    return " " * (len(line) - len(rest)) + rest


def _find(text: str) -> _Servers:
    source = text.removeprefix("\ufeff").encode()
    tree = parse_tree("yaml", source, _TIME_LIMIT_SECONDS)
    if tree is None or tree.root_node.has_error:
        raise DamagedConfigurationError("not valid YAML")
    documents = [node for node in tree.root_node.named_children if node.type == "document"]
    if len(documents) > 1:
        raise changed_unexpectedly()
    if not documents:
        return _Servers(None)
    mapping = _inner(documents[0], "block_mapping")
    if mapping is None:
        raise DamagedConfigurationError("a mapping was expected where something else stands")
    for key, pair in _pairs(mapping, source):
        if key == _LIST:
            return _servers(pair, source)
    return _Servers(None)


def _servers(pair: "Node", source: bytes) -> _Servers:
    line = pair.start_point[0]
    value = pair.child_by_field_name("value")
    if value is None or _text(value, source).replace(" ", "") in ("[]", "null", "~"):
        return _Servers(line, is_empty=True)
    sequence = _inner(value, "block_sequence")
    if sequence is None:
        raise changed_unexpectedly()
    return _Servers(
        line,
        items=tuple(
            _item(node, source)
            for node in sequence.named_children
            if node.type == "block_sequence_item"
        ),
    )


def _item(node: "Node", source: bytes) -> _Item:
    mapping = _inner(node, "block_mapping")
    keys = {}
    key_indent = node.start_point[1] + 2
    if mapping is not None:
        key_indent = mapping.start_point[1]
        for key, pair in _pairs(mapping, source):
            value = pair.child_by_field_name("value")
            text = "" if value is None else _text(value, source)
            keys[key] = (pair.start_point[0], _line_after(pair), text)
    return _Item(node.start_point[0], _line_after(node), node.start_point[1], keys, key_indent)


def _line_after(node: "Node") -> int:
    row, column = node.end_point
    return row + 1 if column else row


def _ours(servers: _Servers) -> _Item | None:
    for item in servers.items:
        if item.keys.get("name", (0, 0, ""))[2].strip("\"'") == SERVER_NAME:
            return item
    return None


def _others(text: str) -> list[str]:
    """Everything in the file but the server's own lines and the key of the list."""
    servers = _find(text)
    lines = [line.rstrip() for line in lines_of(text)]
    ours = _ours(servers)
    hidden = set() if ours is None else set(range(ours.start, ours.end))
    if servers.line is not None:
        hidden.add(servers.line)
    return [line for number, line in enumerate(lines) if number not in hidden and line]


def _inner(node: "Node", kind: str) -> "Node | None":
    """The node of *kind* that *node* stands for, through its wrappers."""
    wrappers = ("document", "block_node", "block_sequence_item")
    current = node
    while current.type != kind:
        if current.type not in wrappers:
            return None
        inside = [child for child in current.named_children if child.type != "comment"]
        if len(inside) != 1:
            return None
        current = inside[0]
    return current


def _pairs(mapping: "Node", source: bytes) -> Iterator[tuple[str, "Node"]]:
    for child in mapping.named_children:
        key = child.child_by_field_name("key") if child.type == "block_mapping_pair" else None
        if key is not None:
            yield _text(key, source).strip("\"'"), child


def _text(node: "Node", source: bytes) -> str:
    return source[node.start_byte : node.end_byte].decode()
