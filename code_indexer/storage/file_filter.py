"""Which files a question is about: by language, kind of content and pattern."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from code_indexer.storage.database import Database
from code_indexer.storage.rows import path_text


@dataclass(frozen=True, slots=True)
class FileFilter:
    """What a file must be; an empty field lets every file through."""

    patterns: tuple[str, ...] = ()
    """At least one must match; see :func:`compiled`."""
    languages: tuple[str, ...] = ()
    contents: tuple[str, ...] = ()


def matching_files(database: Database, wanted: FileFilter) -> set[int]:
    """Ids of the files that *wanted* lets through."""
    conditions = ["1"]
    parameters: list[str] = []
    for column, values in (("language", wanted.languages), ("content", wanted.contents)):
        if values:
            conditions.append(f"{column} IN ({', '.join('?' * len(values))})")
            parameters.extend(values)
    files = database.records(
        lambda row: (row[0], path_text(row[1])),
        f"SELECT file_id, path FROM files WHERE {' AND '.join(conditions)}",
        parameters,
    )
    if not wanted.patterns:
        return {file_id for file_id, _ in files}
    matches = compiled(wanted.patterns).fullmatch
    return {
        file_id for file_id, path in files if matches(path) is not None or path in wanted.patterns
    }


def compiled(patterns: Sequence[str]) -> re.Pattern[str]:
    """One expression for paths that any of *patterns* matches.

    ``*`` and ``?`` stay within a name, ``**`` crosses folders, ``{a,b}`` is one of several. A
    pattern without ``/`` may match any name on the way, so ``*.py`` works in every folder; what
    matches a folder matches all in it. ``[ab]`` is one of these characters, or those very signs:
    folders are named ``[id]`` too.
    """
    alternatives = dict.fromkeys(one for pattern in patterns for one in _without_braces(pattern))
    return re.compile("|".join(f"(?:{_expression(one)})" for one in alternatives), re.DOTALL)


def _without_braces(pattern: str) -> list[str]:
    """*pattern* once for each choice of its braces; braces without a comma are signs like any."""
    done: list[str] = []
    open_ones = [pattern]
    while open_ones:
        one = open_ones.pop()
        braces = _BRACES.search(one)
        if braces is None or len(done) + len(open_ones) >= _MAX_ALTERNATIVES:
            done.append(one)
            continue
        before, after = one[: braces.start()], one[braces.end() :]
        open_ones += [f"{before}{choice}{after}" for choice in braces[1].split(",")]
    return done


def _expression(pattern: str) -> str:
    pattern = pattern.removeprefix("./")
    anywhere = "" if "/" in pattern.rstrip("/") else "(?:.*/)?"
    pattern = pattern.strip("/")
    return f"{anywhere}{''.join(_expressions(_tokens(pattern)))}(?:/.*)?"


def _tokens(pattern: str) -> list[str]:
    """The stars, sets and signs of *pattern*; stars that say the same again are left out."""
    tokens: list[str] = []
    for found in _TOKEN.finditer(pattern):
        token = found.group()
        if token not in _STARS or not tokens or tokens[-1] not in (token, "**"):
            tokens.append(token)
    return tokens


def _expressions(tokens: list[str]) -> Iterator[str]:
    """The tokens as parts of an expression.

    What stands between two stars of a name is taken where it comes first and nowhere else: a later
    place leaves the rest no more room, and to try them all may take for ever.
    """
    is_open = False
    for at, part in enumerate(tokens):
        if is_open and part in _STARS:
            yield ")"
            is_open = False
        if part == "*" and _next_star(tokens, at) == "*":
            yield "(?>[^/]*?"
            is_open = True
        else:
            yield _translated(part)


def _next_star(tokens: list[str], at: int) -> str | None:
    return next((one for one in tokens[at + 1 :] if one in _STARS), None)


# The innermost ones come first; an escaped brace opens nothing.
_BRACES = re.compile(r"(?<!\\)\{([^{}]*,[^{}]*)\}")
_MAX_ALTERNATIVES = 1000

_STARS = frozenset({"*", "**", "**/"})
# A star run, one character of a set, or one character.
_TOKEN = re.compile(r"\*\*/|\*\*|\*|\?|\[[!^]?\]?[^\]/]*\]|\\.|.", re.DOTALL)


def _translated(part: str) -> str:
    if part == "**/":
        return "(?:.*/)?"
    if part == "**":
        return ".*"
    if part == "*":
        return "[^/]*"
    if part == "?":
        return "[^/]"
    if len(part) > 2 and part.startswith("["):
        return _character_set(part)
    if len(part) == 2:
        return re.escape(part[1])  # an escaped character
    return re.escape(part)


def _character_set(part: str) -> str:
    literal = re.escape(part)
    inner = part[1:-1]
    negated = inner[0] in "!^"
    inner = re.sub(r"([\\\[\]&~|^])", r"\\\1", inner[1:] if negated else inner)
    expression = f"[{'^/' if negated else ''}{inner}]"
    try:
        re.compile(expression)
    except re.error:
        return literal
    return f"(?:{expression}|{literal})"
