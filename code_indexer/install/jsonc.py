"""JSON with comments, edited in place: everything but the edited member stays as it is."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from code_indexer.install.edits import DamagedConfigurationError, changed_unexpectedly

_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_WORDS = {"true": True, "false": False, "null": None}
_BLANKS = " \t\r\n"
_DEEPEST = 60
_DEFAULT_UNIT = "  "


@dataclass(slots=True)
class _Value:
    start: int
    end: int
    data: Any
    members: "list[_Member] | None" = None
    """Of an object."""
    trailing_comma: int | None = None
    """Where the comma behind the last member stands, if there is one."""


@dataclass(slots=True)
class _Member:
    key: str
    start: int
    value: _Value
    comma: int | None = field(default=None)
    """Where the comma behind it stands."""


def parse(text: str, *, comments: bool = True) -> Any:  # noqa: ANN401 - JSON is anything
    """The data of *text*.

    Raises:
        DamagedConfigurationError: It is not valid.
    """
    return _Reader(text, comments=comments).document().data


def with_member(text: str, path: Sequence[str], data: Any, *, comments: bool = True) -> str:  # noqa: ANN401
    """*text* with *data* at *path*; objects on the way are made, an old value is replaced.

    Raises:
        DamagedConfigurationError: The text is not valid, or something else stands on the way.
    """
    if not text.strip(_BLANKS + "\ufeff"):
        text = text.strip(_BLANKS) + "{}\n"
    document = _Reader(text, comments=comments).document()
    expected = _set(document.data, path, data)
    result = _put(text, document, path, data)
    if parse(result, comments=comments) != expected:
        raise changed_unexpectedly()
    return result


def without_member(text: str, path: Sequence[str], *, comments: bool = True) -> str:
    """*text* without what is at *path*, and the comma that parted it from the rest.

    Raises:
        DamagedConfigurationError: The text is not valid.
    """
    document = _Reader(text, comments=comments).document()
    holder = document
    for key in path[:-1]:
        member = _find(holder, key)
        if member is None:
            return text
        holder = member.value
    if _find(holder, path[-1]) is None:
        return text
    result = _cut(text, holder, path[-1])
    if parse(result, comments=comments) != _unset(document.data, path):
        raise changed_unexpectedly()
    return result


class _Reader:
    """A reader that remembers where everything stands."""

    def __init__(self, text: str, *, comments: bool) -> None:
        self._text = text
        self._comments = comments
        self._place = 1 if text.startswith("\ufeff") else 0
        self._depth = 0

    def document(self) -> _Value:
        self._skip()
        value = self._value()
        self._skip()
        if self._place < len(self._text):
            raise self._error("something follows the end")
        return value

    def _error(self, what: str) -> DamagedConfigurationError:
        line = self._text.count("\n", 0, self._place) + 1
        return DamagedConfigurationError(f"not valid JSON: {what}, in line {line}")

    def _skip(self) -> None:
        text = self._text
        while self._place < len(text):
            if text[self._place] in _BLANKS:
                self._place += 1
            elif self._comments and text.startswith("//", self._place):
                end = text.find("\n", self._place)
                self._place = len(text) if end < 0 else end
            elif self._comments and text.startswith("/*", self._place):
                end = text.find("*/", self._place)
                if end < 0:
                    raise self._error("a comment has no end")
                self._place = end + 2
            else:
                return

    def _value(self) -> _Value:
        start = self._place
        sign = self._text[start : start + 1]
        if sign == "{":
            return self._nested(self._object)
        if sign == "[":
            return self._nested(self._array)
        if sign == '"':
            data: Any = self._string()
            return _Value(start, self._place, data)
        for word, meaning in _WORDS.items():
            if self._text.startswith(word, start):
                self._place += len(word)
                return _Value(start, self._place, meaning)
        number = _NUMBER.match(self._text, start)
        if number is None:
            raise self._error("a value is missing" if not sign else f"unexpected {sign!r}")
        self._place = number.end()
        return _Value(start, self._place, json.loads(number[0]))

    def _nested(self, read: Callable[[], _Value]) -> _Value:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self._error("nested too deeply")
        value = read()
        self._depth -= 1
        return value

    def _string(self) -> str:
        found = _STRING.match(self._text, self._place)
        if found is None:
            raise self._error("a string is broken")
        self._place = found.end()
        text: str = json.loads(found[0])
        return text

    def _object(self) -> _Value:
        start = self._place
        members: list[_Member] = []
        trailing = self._items("}", lambda: members.append(self._member()), members)
        data = {member.key: member.value.data for member in members}
        if len(data) != len(members):
            raise self._error("a key occurs twice")
        return _Value(start, self._place, data, members, trailing)

    def _array(self) -> _Value:
        start = self._place
        items: list[Any] = []
        self._items("]", lambda: items.append(self._value().data), None)
        return _Value(start, self._place, items)

    def _items(
        self,
        closing: str,
        read_one: Callable[[], object],
        members: list[_Member] | None,
    ) -> int | None:
        """Read up to *closing*; where a comma stood just before it."""
        self._place += 1
        comma: int | None = None
        is_first = True
        while True:
            self._skip()
            if self._text.startswith(closing, self._place):
                if comma is not None and not self._comments:
                    raise self._error("a comma too many")
                self._place += 1
                return comma
            if not is_first and comma is None:
                raise self._error(f"a comma or {closing} is missing")
            read_one()
            is_first = False
            self._skip()
            comma = None
            if self._text.startswith(",", self._place):
                comma = self._place
                self._place += 1
                if members is not None:
                    members[-1].comma = comma

    def _member(self) -> _Member:
        start = self._place
        if not self._text.startswith('"', start):
            raise self._error("a key is missing")
        key = self._string()
        self._skip()
        if not self._text.startswith(":", self._place):
            raise self._error("a colon is missing")
        self._place += 1
        self._skip()
        return _Member(key, start, self._value())


def _find(value: _Value, key: str) -> _Member | None:
    if value.members is None:
        raise DamagedConfigurationError("an object was expected where something else stands")
    return next((member for member in value.members if member.key == key), None)


def _put(text: str, holder: _Value, path: Sequence[str], data: Any) -> str:  # noqa: ANN401
    """Go down as far as *path* exists, then write the rest of it as one value."""
    for depth, key in enumerate(path):
        member = _find(holder, key)
        if member is None:
            rest: Any = data
            for inner in reversed(path[depth + 1 :]):
                rest = {inner: rest}
            return _insert(text, holder, key, rest)
        if depth == len(path) - 1:
            unit, newline = _style(text)
            indent = _line_indent(text, member.start)
            written = _written(data, unit, indent, newline)
            if "\n" not in text[member.value.start : member.value.end] and _is_one_line(
                text, holder
            ):
                written = json.dumps(data, ensure_ascii=False)
            return text[: member.value.start] + written + text[member.value.end :]
        holder = member.value
    return text


def _insert(text: str, holder: _Value, key: str, data: Any) -> str:  # noqa: ANN401
    unit, newline = _style(text)
    members = holder.members or []
    name = json.dumps(key, ensure_ascii=False)
    close = holder.end - 1
    if members and _is_one_line(text, holder):
        place = members[-1].value.end
        addition = f"{name}: {json.dumps(data, ensure_ascii=False)}"
        if holder.trailing_comma is not None:
            place = holder.trailing_comma + 1
            return f"{text[:place]} {addition},{text[place:]}"
        return f"{text[:place]}, {addition}{text[place:]}"
    outer = _line_indent(text, holder.start)
    indent = _line_indent(text, members[-1].start) if members else outer + unit
    entry = f"{newline}{indent}{name}: {_written(data, unit, indent, newline)}"
    # Comments behind the last member stay where they are: the entry goes after them.
    content = holder.start + 1 + len(text[holder.start + 1 : close].rstrip(_BLANKS))
    tail = text[content:close]
    if "\n" not in tail:
        tail = newline + outer
    if not members:
        return text[:content] + entry + tail + text[close:]
    if holder.trailing_comma is not None:
        return text[:content] + entry + "," + tail + text[close:]
    end = members[-1].value.end
    return text[:end] + "," + text[end:content] + entry + tail + text[close:]


def _cut(text: str, holder: _Value, key: str) -> str:
    members = holder.members or []
    place = next(i for i, member in enumerate(members) if member.key == key)
    member = members[place]
    end = member.value.end if member.comma is None else member.comma + 1
    if place < len(members) - 1:
        return text[: member.start] + text[_after_blanks(text, end) :]
    close = holder.end - 1
    before = text[: member.start].rstrip(_BLANKS)
    if place == 0:
        rest = text[end:close]
        if not rest.strip(_BLANKS) and len(before) == holder.start + 1:
            return before + text[close:]
        return before + text[end:]
    comma = members[place - 1].comma
    if member.comma is None and comma is not None:
        before = before[:comma] + before[comma + 1 :]
    return before + text[end:]


def _after_blanks(text: str, place: int) -> int:
    return place + len(text[place:]) - len(text[place:].lstrip(_BLANKS))


def _style(text: str) -> tuple[str, str]:
    """The unit of indentation and the end of line that the file uses."""
    newline = "\r\n" if "\r\n" in text else "\n"
    found = re.search(r"\n([ \t]+)[\"}\]/]", text)
    return (found[1] if found else _DEFAULT_UNIT), newline


def _line_indent(text: str, place: int) -> str:
    line = text[text.rfind("\n", 0, place) + 1 : place]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _is_one_line(text: str, value: _Value) -> bool:
    return "\n" not in text[value.start : value.end]


def _written(data: Any, unit: str, indent: str, newline: str) -> str:  # noqa: ANN401
    lines = json.dumps(data, indent=unit, ensure_ascii=False).split("\n")
    # Lists of a few words read better on one line.
    return re.sub(r"\[\r?\n\s+([^\[\]{}]*?)\r?\n\s*\]", _joined, f"{newline}{indent}".join(lines))


def _joined(found: "re.Match[str]") -> str:
    return "[" + re.sub(r",\r?\n\s+", ", ", found[1]) + "]"


def _set(data: Any, path: Sequence[str], value: Any) -> Any:  # noqa: ANN401
    if not path:
        return value
    if not isinstance(data, dict):
        raise DamagedConfigurationError("an object was expected where something else stands")
    return {**data, path[0]: _set(data.get(path[0], {}), path[1:], value)}


def _unset(data: Any, path: Sequence[str]) -> Any:  # noqa: ANN401
    if len(path) == 1:
        return {key: value for key, value in data.items() if key != path[0]}
    return {**data, path[0]: _unset(data[path[0]], path[1:])}
