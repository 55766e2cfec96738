"""Text before parsing: what a grammar stumbles over is spelled as it knows it, byte for byte."""

import re
from collections.abc import Callable, Mapping
from typing import Final

# Call signatures without semicolons between them: the grammar takes the second for type arguments.
_GENERIC_SIGNATURE: Final = re.compile(rb"\n[ \t]+(?=<\s*[A-Za-z])")
_END_OF_TYPE: Final = re.compile(rb"(?<!=)[>\w)\]}]")

# A constructor on a line of its own: the grammar ends the class before it.
_CONSTRUCTOR: Final = re.compile(
    rb"(\bclass\s+\w+(?:<[^<>{}()]*(?:<[^<>{}()]*>[^<>{}()]*)*>)?)"
    rb"(\s*\n\s*(?:(?:@[\w.:]+(?:\([^()]*\))?|internal|private|protected|public)\s+)*)(?=constructor\b)"
)
_BLANK: Final = re.compile(rb"(?<=[\n,:]) | (?=[:{])")
"""Matches a blank that may be the end of a line as well."""
_NEAR: Final = 300
_SPACE: Final = ord(" ")
_NEWLINE: Final = ord("\n")
_SEMICOLON: Final = ord(";")
_DIRECTIVE: Final = re.compile(rb"#(?:if|elseif|else|endif|error|warning)\b[^\n]*")
_UNSAFE: Final = re.compile(rb"(?<=\bnonisolated)\(unsafe\)")


def _typescript(data: bytes) -> bytes:
    repaired = None
    for found in _GENERIC_SIGNATURE.finditer(data):
        before = data[max(0, found.start() - _NEAR) : found.start()].rstrip()
        if _END_OF_TYPE.match(before, len(before) - 1):
            repaired = repaired or bytearray(data)
            repaired[found.end() - 1] = _SEMICOLON
    return data if repaired is None else bytes(repaired)


def _kotlin(data: bytes) -> bytes:
    """*data* with such constructors on the line of their class; further lines begin after them."""
    if b"constructor" not in data:
        return data
    repaired = bytearray(data)
    for found in _CONSTRUCTOR.finditer(data):
        breaks = [at for at in range(*found.span(2)) if data[at] == _NEWLINE]
        blanks = [each.start() for each in _BLANK.finditer(data, found.end(), found.end() + _NEAR)]
        if len(blanks) >= len(breaks):
            for one, other in zip(breaks, blanks, strict=False):
                repaired[one], repaired[other] = _SPACE, _NEWLINE
    return bytes(repaired)


def _swift(data: bytes) -> bytes:
    """*data* without directives, and so with all branches, each of which is whole."""
    if b"#" in data:
        data = _DIRECTIVE.sub(_without_directive, data)
    return _UNSAFE.sub(_blanks, data) if b"(unsafe)" in data else data


def _without_directive(found: re.Match[bytes]) -> bytes:
    start = found.start()
    line_start = found.string.rfind(b"\n", 0, start) + 1
    is_first = not found.string[line_start:start].strip()
    return _blanks(found) if is_first else found[0]


def _blanks(found: re.Match[bytes]) -> bytes:
    return b" " * len(found[0])


_REPAIRS: Final[Mapping[str, Callable[[bytes], bytes]]] = {
    "kotlin": _kotlin,
    "swift": _swift,
    "typescript": _typescript,
}


def repaired(data: bytes, language: str) -> bytes:
    """*data* as the parser of *language* is to see it."""
    repair = _REPAIRS.get(language)
    return data if repair is None else repair(data)
