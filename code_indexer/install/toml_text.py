"""The server's table in a TOML file, edited as text and checked with tomllib."""

import json
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from code_indexer.install.edits import (
    SERVER_NAME,
    DamagedConfigurationError,
    ServerEntry,
    changed_unexpectedly,
    lines_of,
)

_TABLE = "mcp_servers"
_HEADER = re.compile(r"^[ \t]*\[{1,2}([^\[\]]+)\]{1,2}[ \t]*(?:#.*)?$")
_KEY = re.compile(r"^[ \t]*([A-Za-z0-9_-]+|\"[^\"\n]*\")[ \t]*=[ \t]*(.*)$")
_PART = re.compile(r"[ \t]*(?:\"((?:[^\"\\]|\\.)*)\"|'([^']*)'|([A-Za-z0-9_-]+))[ \t]*(?:\.|$)")
_MULTILINE = re.compile(r'"""|\'\'\'')


@dataclass(frozen=True, slots=True)
class _Block:
    """The lines of a table, from its header on."""

    start: int
    end: int
    """The line after its last one; comments that lead over to the next table are not in it."""
    name: tuple[str, ...]


def parse(text: str) -> dict[str, Any]:
    """The data of *text*.

    Raises:
        DamagedConfigurationError: It is not valid.
    """
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise DamagedConfigurationError(f"not valid TOML: {error}") from error


def server_of(text: str) -> dict[str, Any] | None:
    """What the file says of the server."""
    servers = parse(text).get(_TABLE, {})
    if not isinstance(servers, dict):
        raise changed_unexpectedly()
    found = servers.get(SERVER_NAME)
    return found if isinstance(found, dict) else None


def with_server(text: str, entry: ServerEntry) -> str:
    """*text* with the server's table; what else its table says stays.

    Raises:
        DamagedConfigurationError: The text is not valid, or cannot be edited safely.
    """
    old = server_of(text)
    wanted = _wanted(old or {}, entry)
    if old == wanted:
        return text
    result = _appended(text, entry) if old is None else _updated(text, wanted)
    try:
        found = parse(result)
    except DamagedConfigurationError as error:
        # The file itself is valid: it has our table, or the one around it, in another form.
        raise changed_unexpectedly() from error
    if found != _merged(parse(text), wanted):
        raise changed_unexpectedly()
    return result


def without_server(text: str) -> str:
    """*text* without the server's table.

    Raises:
        DamagedConfigurationError: The text is not valid, or cannot be edited safely.
    """
    if server_of(text) is None:
        return text
    lines = lines_of(text)
    for block in reversed(_blocks(lines)):
        if block.name[:2] == (_TABLE, SERVER_NAME):
            start = block.start
            # The blank line that was put before it goes with it.
            if start > 0 and not lines[start - 1].strip():
                start -= 1
            del lines[start : block.end]
    result = "".join(lines)
    expected = parse(text)
    del expected[_TABLE][SERVER_NAME]
    found = parse(result)
    if not expected[_TABLE] and _TABLE not in found:
        del expected[_TABLE]
    if found != expected:
        raise changed_unexpectedly()
    return result


def _wanted(old: dict[str, Any], entry: ServerEntry) -> dict[str, Any]:
    wanted = {**old, "command": entry.command, "args": list(entry.arguments)}
    if not entry.arguments and "args" not in old:
        del wanted["args"]
    if entry.environment:
        wanted["env"] = {**old.get("env", {}), **entry.environment}
    return wanted


def _merged(data: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    return {**data, _TABLE: {**data.get(_TABLE, {}), SERVER_NAME: wanted}}


def _appended(text: str, entry: ServerEntry) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = [f"[{_TABLE}.{SERVER_NAME}]"]
    lines += [f"{key} = {_toml(value)}" for key, value in _wanted({}, entry).items()]
    if text and not text.endswith("\n"):
        text += newline
    return text + (newline if text.strip() else "") + newline.join([*lines, ""])


def _updated(text: str, wanted: dict[str, Any]) -> str:
    """The table's lines with new values; a table of its own for the environment is kept."""
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = lines_of(text)
    blocks = {block.name: block for block in _blocks(lines)}
    environment = blocks.get((_TABLE, SERVER_NAME, "env"))
    main = blocks.get((_TABLE, SERVER_NAME))
    if main is None:
        raise changed_unexpectedly()
    values: dict[str, Any] = {k: wanted[k] for k in ("command", "args", "env") if k in wanted}
    changes = [(main, values)]
    if environment is not None:
        changes = [(main, {k: v for k, v in values.items() if k != "env"})]
        changes.append((environment, values.get("env", {})))
    # From the bottom up, so that the line numbers above stay right.
    for block, new in sorted(changes, key=lambda change: -change[0].start):
        _write_values(lines, block, new, newline)
    return "".join(lines)


def _write_values(lines: list[str], block: _Block, new: dict[str, Any], newline: str) -> None:
    missing = dict(new)
    for number in range(block.start + 1, block.end):
        found = _KEY.match(lines[number].rstrip("\r\n"))
        key = found[1].strip('"') if found else None
        if key in missing:
            lines[number] = f"{key} = {_toml(missing.pop(key))}{newline}"
    if missing and not lines[block.end - 1].endswith("\n"):
        lines[block.end - 1] += newline
    lines[block.end : block.end] = [
        f"{key} = {_toml(value)}{newline}" for key, value in missing.items()
    ]


def _toml(value: Any) -> str:  # noqa: ANN401
    if isinstance(value, dict):
        inner = ", ".join(f"{json.dumps(key)} = {_toml(item)}" for key, item in value.items())
        return f"{{ {inner} }}"
    # Strings and lists of strings are written as in JSON, but for one sign.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _blocks(lines: Sequence[str]) -> list[_Block]:
    headers: list[tuple[int, tuple[str, ...]]] = []
    fence: str | None = None
    for number, line in enumerate(lines):
        if fence is None:
            found = _HEADER.match(line.rstrip("\r\n"))
            if found:
                headers.append((number, _name(found[1])))
        fence = _fence_after(line, fence)
    blocks = []
    ends = [*(number for number, _ in headers[1:]), len(lines)]
    for (start, name), after in zip(headers, ends, strict=False):
        end = after
        while end > start + 1 and _leads_over(lines[end - 1]):
            end -= 1
        blocks.append(_Block(start, end, name))
    return blocks


def _leads_over(line: str) -> bool:
    stripped = line.strip()
    return not stripped or stripped.startswith("#")


def _fence_after(line: str, fence: str | None) -> str | None:
    """The sign that a string over several lines waits for, at the end of *line*."""
    for found in _MULTILINE.findall(line):
        if fence is None:
            fence = found
        elif found == fence:
            fence = None
    return fence


def _name(text: str) -> tuple[str, ...]:
    parts = []
    for double, single, bare in _PART.findall(text.strip()):
        parts.append(json.loads(f'"{double}"') if double else single or bare)
    return tuple(parts)
