"""Source lines of one file as it is now, by range or by symbol, and never from outside the root."""

import os
import posixpath
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from code_indexer.discovery import reasons
from code_indexer.discovery.reading import SourceText, read_source
from code_indexer.errors import OutsideProjectError, UsageError
from code_indexer.languages import language_of
from code_indexer.navigation.names import NameQuery, parse_name, qualified_parts
from code_indexer.navigation.packages import is_in_package
from code_indexer.types import Symbol

MAX_LINES = 2_000
"""A longer answer is cut."""
_MAX_FILE_BYTES = 64 * 1024 * 1024
_FIRST_LINE_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class CodeContext:
    """Some lines of one file."""

    path: str
    """Relative to the root."""
    start_line: int
    end_line: int
    text: str
    """The lines, without the last line end."""
    total_lines: int
    language: str | None = None
    symbol: Symbol | None = None
    """The symbol that was asked for."""
    others: tuple[Symbol, ...] = ()
    """Further symbols of that name in the file."""
    truncated: bool = False
    """The lines after ``end_line`` were left out because there are more than ``MAX_LINES``."""


def get_code_context(
    root: Path,
    file: str,
    *,
    start_line: int | None = None,
    end_line: int | None = None,
    symbol: str | None = None,
    context_lines: int = 0,
    cpp_headers: bool = False,
    with_secrets: bool = False,
) -> CodeContext:
    """The lines asked for, with *context_lines* more on both sides.

    Args:
        root: Of the project.
        file: Relative to the root, or absolute and inside of it.
        start_line: First line, from 1; the start of the file if only an end is given.
        end_line: Last line; the end of the file if only a start is given.
        symbol: Bare or qualified name of a symbol in the file, instead of lines.
        context_lines: How many lines around it.
        cpp_headers: Whether ``.h`` files are C++.
        with_secrets: Do not mask them.

    Raises:
        OutsideProjectError: *file* does not lie inside *root*.
        UsageError: There is no such file, line or symbol.
    """
    if context_lines < 0:
        raise UsageError(f"{context_lines} context lines", hint="Give 0 or more")
    if symbol is not None and (start_line is not None or end_line is not None):
        raise UsageError("lines and a symbol at once", hint="Give a range of lines, or a symbol")
    path = path_inside(root, file)
    text = _read(root, path, with_secrets=with_secrets).text
    lines = _lines(text)
    language = language_of(path, text[:_FIRST_LINE_CHARACTERS].encode("utf-8", "replace"))
    name = language.name if language else None
    chosen: tuple[Symbol, ...] = ()
    if symbol is not None:
        chosen = _symbols(path, text, name, symbol, cpp_headers=cpp_headers)
        start, end = chosen[0].start_line, chosen[0].end_line
    else:
        start, end = _range(path, start_line, end_line, len(lines))
    first = max(1, start - context_lines)
    last = min(len(lines), end + context_lines)
    cut = min(last, first + MAX_LINES - 1)
    return CodeContext(
        path=path,
        start_line=first,
        end_line=cut,
        text="\n".join(lines[first - 1 : cut]),
        total_lines=len(lines),
        language=name,
        symbol=chosen[0] if chosen else None,
        others=chosen[1:],
        truncated=cut < last,
    )


def path_inside(root: Path, file: str) -> str:
    """*file* relative to *root*, with ``/`` between its parts.

    Raises:
        OutsideProjectError: It does not lie inside *root*.
        UsageError: It is empty, holds NUL, or is the root itself.
    """
    if not file or "\0" in file:
        raise UsageError("not a usable path", hint="Give a path relative to the project's root")
    relative = file
    if Path(file).is_absolute():
        relative = os.path.relpath(os.path.normpath(file), root)
    relative = posixpath.normpath(relative.replace(os.sep, "/"))
    if relative == ".":
        raise UsageError(f"the project's folder, not a file: {file}", hint="Name a file in it")
    if relative == ".." or relative.startswith("../") or posixpath.isabs(relative):
        raise OutsideProjectError(f"not inside the project: {file}", hint=f"The project is {root}")
    if ".git" in relative.split("/"):
        raise OutsideProjectError(
            f"git's own file, not the project's: {file}", hint="Ask git itself for it"
        )
    return relative


def _read(root: Path, path: str, *, with_secrets: bool) -> SourceText:
    source = read_source(root, path, _MAX_FILE_BYTES, with_secrets=with_secrets)
    if isinstance(source, SourceText):
        return source
    if source.reason in {reasons.SYMLINK, reasons.OUTSIDE_ROOT}:
        raise OutsideProjectError(
            f"a symbolic link, which is not followed: {path}",
            hint="Name the file that it points to",
        )
    if source.reason == reasons.VANISHED:
        raise UsageError(f"no such file: {path}", hint="Paths are relative to the project's root")
    why = reasons.REASONS.get(source.reason, source.reason)
    raise UsageError(f"not shown: {path}: {why}", hint="What is not indexed is not shown either")


def _lines(text: str) -> list[str]:
    """Lines without their ends; only a line feed ends one, a carriage return before it included."""
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    if lines[-1] == "":
        lines.pop()
    return lines


def _range(path: str, start: int | None, end: int | None, total: int) -> tuple[int, int]:
    first = 1 if start is None else start
    last = total if end is None else end
    if total == 0 and start is None and end is None:
        return 1, 0
    if first > total:
        count = f"{total} line{'' if total == 1 else 's'}"
        hint = f"Ask for lines from 1 to {total}" if total else "There is nothing to show"
        raise UsageError(f"{path} has {count}; line {first} was asked for", hint=hint)
    if first < 1 or last < first:
        raise UsageError(
            f"not a range of lines: {first}-{last}", hint="Lines count from 1, the end included"
        )
    return first, min(last, total)


def _symbols(
    path: str, text: str, language: str | None, name: str, *, cpp_headers: bool
) -> tuple[Symbol, ...]:
    """The symbols of that name in the file, definitions first.

    Raises:
        UsageError: There is none.
    """
    # Only who asks for a symbol's lines waits for the grammars.
    from code_indexer.parsing.parse import parse_file  # noqa: PLC0415

    query = parse_name(name)
    parsed = parse_file(path, text, language, cpp_headers=cpp_headers)
    found = [symbol for symbol in parsed.symbols if _is_named(symbol, query)] or [
        symbol
        for symbol in parsed.symbols
        if symbol.name == query.name and is_in_package(query, symbol, text, parsed.language)
    ]
    if not found:
        known = ", ".join(dict.fromkeys(each.name for each in _largest(parsed.symbols)))
        raise UsageError(
            f"no symbol {name} in {path}", hint=f"It has: {known}" if known else "It has none"
        )
    found.sort(key=lambda symbol: (symbol.is_declaration, symbol.start_line - symbol.end_line))
    return tuple(found)


def _is_named(symbol: Symbol, query: NameQuery) -> bool:
    if symbol.name in {query.text, query.name} and not query.owner:
        return True
    wanted = (*query.owner, query.name)
    return qualified_parts(symbol.qualified_name)[-len(wanted) :] == wanted


def _largest(symbols: Sequence[Symbol]) -> list[Symbol]:
    by_size = sorted(symbols, key=lambda symbol: symbol.start_line - symbol.end_line)
    return by_size[:8]
