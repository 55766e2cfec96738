"""One ignore file as patterns, read the way git reads it.

What counts is what git does (``dir.c`` and ``wildmatch.c`` of 2.39), also where its manual is
vague. Git matches bytes; here a byte is the character of the same number (Latin-1), so names pass
through ``as_bytes_text`` before they are matched. A pattern that can match nothing (a backslash at
its end, an open bracket) stays a pattern that matches nothing; it does not disturb the others.
"""

import os
import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal

_SPECIAL = frozenset("*?[\\")
_NEVER = "(?!)"
_FOLDERS = "(?:.*/)?"
_UTF8_BOM = b"\xef\xbb\xbf"

NameForm = Literal["literal", "suffix", "glob", "any"]


@dataclass(frozen=True, slots=True)
class Pattern:
    """One line of an ignore file."""

    text: str
    """The line as written, for explanations."""
    line: int
    negated: bool
    folders_only: bool
    body: str
    """Without ``!``, the leading and the trailing slash."""
    by_name: bool
    """It has no slash, so it is compared with the last part of a path alone."""
    name_form: NameForm
    """How a quick test of the last part of the path goes; ``any`` when there is none."""
    name: str
    """The literal name, the literal suffix, or a regular expression; see *name_form*."""
    folder: str
    """A path it matches starts with this: whole folders, each with its slash."""
    depth: int | None
    """Number of parts of every path it matches; None when ``**`` leaves it open."""
    literal_path: str | None
    """The one path it matches, if there are no wildcards."""


def as_bytes_text(path: str) -> str:
    """*path* with one character for each of its bytes."""
    return path if path.isascii() else os.fsencode(path).decode("latin-1")


@lru_cache(maxsize=512)
def parse_patterns(content: bytes) -> tuple[Pattern, ...]:
    """The patterns of an ignore file, in order; the last one that matches decides."""
    lines = content.removeprefix(_UTF8_BOM).decode("latin-1").split("\n")
    patterns = []
    for number, line in enumerate(lines, start=1):
        if line.startswith("#"):
            continue
        # To git a line is a C string: it ends at a NUL.
        kept = line.removesuffix("\r").partition("\0")[0]
        pattern = _parse_line(_without_trailing_blanks(kept), number)
        if pattern is not None:
            patterns.append(pattern)
    return tuple(patterns)


@lru_cache(maxsize=4096)
def path_expression(body: str) -> re.Pattern[str]:
    """What *body* matches, as an expression over a whole path below the ignore file's folder."""
    return re.compile(_translate(body, whole_path=True), re.DOTALL)


@lru_cache(maxsize=4096)
def name_expression(expression: str) -> re.Pattern[str]:
    """The expression of a pattern's ``name``, compiled."""
    return re.compile(expression, re.DOTALL)


def _without_trailing_blanks(line: str) -> str:
    """*line* without the blanks at its end, but for those after a backslash."""
    stripped = line.rstrip(" ")
    if stripped == line:
        return line
    backslashes = len(stripped) - len(stripped.rstrip("\\"))
    return stripped + " " if backslashes % 2 else stripped


def _parse_line(text: str, line: int) -> Pattern | None:
    negated = text.startswith("!")
    body = text[1:] if negated else text
    folders_only = body.endswith("/")
    body = body.removesuffix("/")
    by_name = "/" not in body
    if not by_name:
        body = body.removeprefix("/")
        rest = body.removeprefix("**/")
        # "**/name" says the same as "name", and that is quicker to look up.
        if rest != body and "/" not in rest:
            body, by_name = rest, True
    if not body:
        return None
    last = body.rpartition("/")[2]
    name_form, name = _name_test(last) if by_name or _splits_cleanly(body) else ("any", "")
    return Pattern(
        text=text,
        line=line,
        negated=negated,
        folders_only=folders_only,
        body=body,
        by_name=by_name,
        name_form=name_form,
        name=name,
        folder="" if by_name else _literal_folder(body),
        depth=None if by_name or "**" in body or not _splits_cleanly(body) else body.count("/") + 1,
        literal_path=None if by_name or not _SPECIAL.isdisjoint(body) else body,
    )


def _splits_cleanly(body: str) -> bool:
    """Whether the slashes of *body* part its names, so that the last can be tested on its own.

    Not so with a slash in brackets, an escaped one, or the stars of "a/b**" (see ``_translate``).
    """
    start = _literal_length(body)
    crosses = start > 0 and body[start - 1] != "/" and body.startswith("**", start)
    return not crosses and "\\/" not in body and "[" not in body.rpartition("/")[0]


def _literal_folder(body: str) -> str:
    return body[: body.rfind("/", 0, _literal_length(body)) + 1]


def _literal_length(body: str) -> int:
    """Number of characters before the first wildcard."""
    length = 0
    while length < len(body) and body[length] not in _SPECIAL:
        length += 1
    return length


def _name_test(name: str) -> tuple[NameForm, str]:
    if _SPECIAL.isdisjoint(name):
        return "literal", name
    if name.strip("*") == "":
        return "any", ""
    if name[0] == "*" and _SPECIAL.isdisjoint(name[1:]):
        return ("suffix", name[1:]) if "." in name else ("glob", ".*" + re.escape(name[1:]))
    if "*" not in name and "?" not in name and "[" not in name and not _ends_in_escape(name):
        return "literal", re.sub(r"\\(.)", r"\1", name, flags=re.DOTALL)
    return "glob", _translate(name, whole_path=False)


def _ends_in_escape(name: str) -> bool:
    return (len(name) - len(name.rstrip("\\"))) % 2 == 1


def _translate(body: str, *, whole_path: bool) -> str:
    """*body* as a regular expression for ``fullmatch``."""
    # Git compares the part before the first wildcard on its own and starts matching after it, so
    # a "**" there counts as one at the start of a name, even in "foo**/bar".
    start = _literal_length(body)
    parts = [re.escape(body[:start])]
    one, run = ("[^/]", "[^/]*") if whole_path else (".", ".*")
    at = start
    while at < len(body):
        character = body[at]
        if character == "*":
            end = at
            while end < len(body) and body[end] == "*":
                end += 1
            part, at = _translate_stars(body, at, end, start, run, whole_path=whole_path)
        elif character == "?":
            part, at = one, at + 1
        elif character == "[":
            part, at = _translate_brackets(body, at, whole_path=whole_path)
        elif character == "\\":
            part, at = (re.escape(body[at + 1]) if at + 1 < len(body) else _NEVER), at + 2
        else:
            part, at = re.escape(character), at + 1
        if part != _FOLDERS or parts[-1] != _FOLDERS:
            parts.append(part)
    return "".join(_without_vain_tries(parts, run))


def _without_vain_tries(parts: list[str], run: str) -> list[str]:
    """The parts of an expression, so that it takes no longer than the path is long.

    What stands between two stars of a name, or between two ``**/``, is taken where it comes first
    and nowhere else: a later place leaves the rest no more room. To try them all may take for ever,
    and an ignore file comes with the repository.
    """
    done = list(parts)
    stars = [at for at, part in enumerate(parts) if part in (run, _FOLDERS, ".*")]
    for at, after in pairwise(stars):
        if parts[at] == parts[after] == run:
            done[at] = f"(?>{run}?"
            done[after - 1] += ")"
    folders = [at for at in stars if parts[at] != run]
    for at, after in pairwise(folders):
        if parts[at] == _FOLDERS and parts[after - 1] == "/":
            done[at] = "(?>(?:[^/]*/)*?"
            done[after - 1] += ")"
    return done


def _translate_stars(
    body: str, at: int, end: int, start: int, run: str, *, whole_path: bool
) -> tuple[str, int]:
    opens = at == start or body[at - 1] == "/"
    closes = end == len(body) or body[end] == "/" or body.startswith("\\/", end)
    if not whole_path or end - at < 2 or not opens or not closes:
        return run, end
    if body.startswith("/", end):
        return _FOLDERS, end + 1
    return ".*", end


def _translate_brackets(body: str, at: int, *, whole_path: bool) -> tuple[str, int]:
    """The set that opens at *at*, and where it ends."""
    parsed = _read_brackets(body, at)
    if parsed is None:
        return _NEVER, len(body)
    codes, end = parsed
    if whole_path:
        codes = codes - {ord("/")}
    if not codes:
        return _NEVER, end
    return "[" + "".join(f"\\x{code:02x}" for code in sorted(codes)) + "]", end


def _read_brackets(body: str, at: int) -> tuple[frozenset[int], int] | None:
    """The bytes in the set that opens at *at*, and the place after it; None if it is malformed."""
    at += 1
    negated = body[at : at + 1] in {"!", "^"}
    at += negated
    codes: set[int] = set()
    previous = ""
    first = True
    while first or body[at : at + 1] != "]":
        first = False
        character = body[at : at + 1]
        if not character:
            return None
        if character == "\\":
            at += 1
            character = body[at : at + 1]
            if not character:
                return None
            codes.add(ord(character))
        elif character == "-" and previous and body[at + 1 : at + 2] not in {"", "]"}:
            at += 1
            if body[at] == "\\":
                at += 1
            if at >= len(body):
                return None
            codes.update(range(ord(previous), ord(body[at]) + 1))
            character = ""
        elif character == "[" and body.startswith(":", at + 1):
            end = body.find("]", at + 2)
            if end < 0:
                return None
            if end - (at + 2) - 1 < 0 or body[end - 1] != ":":
                codes.add(ord("["))
            else:
                members = _class_members(body[at + 2 : end - 1])
                if members is None:
                    return None
                codes |= members
                at, character = end, ""
        else:
            codes.add(ord(character))
        previous = character
        at += 1
    every = frozenset(range(1, 256))
    return (every - codes if negated else frozenset(codes)), at + 1


def _class_members(name: str) -> frozenset[int] | None:
    """The bytes of ``[:name:]``: ASCII only, as in git."""
    digit = frozenset(range(0x30, 0x3A))
    upper = frozenset(range(0x41, 0x5B))
    lower = frozenset(range(0x61, 0x7B))
    graph = frozenset(range(0x21, 0x7F))
    alnum = digit | upper | lower
    classes = {
        "alnum": alnum,
        "alpha": upper | lower,
        "blank": frozenset(b" \t"),
        "cntrl": frozenset(range(0x20)) | {0x7F},
        "digit": digit,
        "graph": graph,
        "lower": lower,
        "print": graph | {0x20},
        "punct": graph - alnum,
        "space": frozenset(b" \t\n\r"),
        "upper": upper,
        "xdigit": frozenset(b"0123456789abcdefABCDEF"),
    }
    return classes.get(name)
