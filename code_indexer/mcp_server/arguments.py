"""What a client sent, as the arguments a tool takes, or an error that says what it takes."""

import difflib
import re
from collections.abc import Mapping
from typing import TypeAlias

from code_indexer.errors import UsageError
from code_indexer.mcp_server.tools import Argument, Tool

Arguments: TypeAlias = dict[str, str | int]
"""Those that were given or have a default."""

_WHOLE = re.compile(r"\s*[+-]?[0-9]{1,18}(?:\.0*)?\s*")
_SHOWN_CHARACTERS = 60


def checked_arguments(tool: Tool, given: Mapping[str, object] | None) -> Arguments:
    """The arguments of a call; null and, where nothing is required, empty text mean the default.

    Raises:
        UsageError: One is missing, unknown, or of another type.
    """
    given = given or {}
    _refuse_unknown(tool, given)
    checked: Arguments = {}
    for argument in tool.arguments:
        value = given.get(argument.name)
        if _is_absent(argument, value):
            if argument.required:
                raise UsageError(
                    f"{tool.name} needs the argument {argument.name!r}", hint=_takes(tool)
                )
            if argument.default is not None:
                checked[argument.name] = argument.default
            continue
        checked[argument.name] = _converted(argument, value)
    return checked


def _is_absent(argument: Argument, value: object) -> bool:
    if value is None:
        return True
    # Models often send an empty text for what they leave open.
    return not argument.required and isinstance(value, str) and not value.strip()


def _refuse_unknown(tool: Tool, given: Mapping[str, object]) -> None:
    known = [argument.name for argument in tool.arguments]
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            meant = f"Did you mean {near[0]!r}? " if near else ""
            raise UsageError(
                f"{tool.name} has no argument {_shown(name)}", hint=f"{meant}{_takes(tool)}"
            )


def _takes(tool: Tool) -> str:
    words = [
        argument.name if argument.required else f"{argument.name} (optional)"
        for argument in tool.arguments
    ]
    return f"It takes: {', '.join(words)}" if words else "It takes no arguments"


def _converted(argument: Argument, value: object) -> str | int:
    if argument.kind == "count":
        return _count(argument, value)
    if not isinstance(value, str):
        raise _wrong(argument, value)
    if argument.choices and value not in argument.choices:
        word = value.strip().lower()
        if word not in argument.choices:
            raise _wrong(argument, value)
        return word
    return value


def _count(argument: Argument, value: object) -> int:
    """A whole number, also as text or as a float without a fraction."""
    number: int | None = None
    if isinstance(value, str) and _WHOLE.fullmatch(value):
        number = int(value.strip().partition(".")[0])
    elif isinstance(value, float) and value.is_integer():
        number = int(value)
    elif isinstance(value, int) and not isinstance(value, bool):
        number = value
    if number is None or (argument.minimum is not None and number < argument.minimum):
        raise _wrong(argument, value)
    return number


def _wrong(argument: Argument, value: object) -> UsageError:
    if argument.choices:
        allowed = f"one of {', '.join(argument.choices)}"
    elif argument.kind == "text":
        allowed = "text"
    elif argument.minimum is not None:
        allowed = f"a whole number from {argument.minimum}"
    else:
        allowed = "a whole number"
    return UsageError(
        f"{argument.name} is {_shown(value)}", hint=f"It takes {allowed}: {argument.description}"
    )


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}…"
