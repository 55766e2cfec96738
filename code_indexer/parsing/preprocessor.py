"""C and C++ before parsing: what the preprocessor would remove becomes spaces, byte for byte.

Grammars know conditionals only around whole statements, and about half of real files split a
statement with one. So the directives go and every branch stays, except where a second branch would
open or close braces that the first one has already opened or closed.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

_CONDITIONAL = re.compile(
    rb"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b(?:[^\\\n]|\\.|\\?\n(?<=\\\n)|\\\r\n)*",
    re.MULTILINE,
)
_DIRECTIVE = re.compile(
    rb"^[ \t]*#[ \t]*(?:define|undef|include|pragma|line|error|warning)\b(?:[^\\\n]|\\.|\\?\n(?<=\\\n)|\\\r\n)*",
    re.MULTILINE,
)
_OPENING = (b"if", b"ifdef", b"ifndef")
_TO_BLANKS = bytes(byte if byte in b"\r\n" else 0x20 for byte in range(256))
_BRACES = re.compile(
    rb"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|([{}])", re.DOTALL
)
# Macros in capitals that stand where the grammars expect none: `EXPORT int f(void) {`,
# `class API Name {`, `int x UNUSED)`, `if CONSTEXPR (`, a line of its own, or a condition on
# template parameters. Two names side by side are a type and a variable; three are not.
_NAME = rb"(?:[A-Z][A-Z0-9]*_[A-Z0-9_]+|[A-Z]{4,}[A-Z0-9]*)"
_ARGUMENTS = rb"(?:\((?:[^()\n]|\([^()\n]*\))*\))?"
_MACRO_BEFORE = re.compile(
    rb"(?<![\w.>\"])(" + _NAME + _ARGUMENTS + rb")(?=[ \t\n]+(?:"
    rb"(?:template|namespace|using|typedef|extern|static|inline|virtual|explicit|constexpr)\b"
    rb"|(?!(?:const|volatile|override|final|noexcept)\b)[A-Za-z_][\w:]*(?:<[^;{}()]*>)?[ \t\n*&]+[A-Za-z_~]))"
)
_MACRO_AFTER = re.compile(
    rb"\b(?:class|struct|union|enum)[ \t]+(" + _NAME + _ARGUMENTS + rb")[ \t]+(?=[A-Za-z_]\w*[ \t\n]*(?:final[ \t\n]*)?[{:])"
    rb"|\bif[ \t]+(" + _NAME + rb")(?=[ \t]*\()"
)
_LONE_MACRO = re.compile(
    rb"^[ \t]*(" + _NAME + _ARGUMENTS + rb")[ \t]*(?=\n\s*[^\s},=)?.;:|&+*/<-])", re.MULTILINE
)
_ENDS_STATEMENT = re.compile(rb"(?:[;}>{:]|\*/|//[^\n]*|\A)\s*\Z")
_TEMPLATE_CONDITION = re.compile(
    rb"(,\s*[A-Z][A-Z0-9_]*(?:_IF|REQUIRES)[A-Z0-9_]*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))(?=\s*[,>])"
)
_PLAINLY_CPP = re.compile(
    r"^[ \t]*(?:namespace[ \t\n{]|template[ \t]*<|class[ \t]+\w[\w \t]*[:{]|using[ \t]+\w"
    r"|(?:public|private|protected)[ \t]*:|#[ \t]*include[ \t]*<(?:string|vector|memory|map|iostream|utility)>)",
    re.MULTILINE,
)


def is_cpp_header(path: str, text: str, *, cpp_project: bool) -> bool:
    """Whether the ``.h`` file at *path* is C++: its project is, or its text plainly is."""
    return path.endswith(".h") and (cpp_project or _PLAINLY_CPP.search(text) is not None)


@dataclass(slots=True)
class _Branches:
    """The branches of one conditional that has not ended yet."""

    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)


class Layers(NamedTuple):
    """One source as two texts of the same length and lines, each blank where the other is not."""

    code: bytes
    directives: bytes | None
    """The directives that stand inside braces, where no grammar expects them."""


def split_layers(data: bytes) -> Layers:
    """*data* without what breaks the grammars of C and C++."""
    inner: list[tuple[int, int]] = []
    if b"#" in data:
        data = _without_conditionals(data)
        inner = _inner_directives(data)
    directives = _only(data, inner) if inner else None
    code = _blanked(data, inner) if inner else data
    return Layers(_without_macros(code), directives)


def _inner_directives(data: bytes) -> list[tuple[int, int]]:
    """Directives inside braces. Braces in texts and comments are counted too: it is a guess."""
    inner = []
    depth = position = 0
    for found in _DIRECTIVE.finditer(data):
        start, end = found.span()
        depth += data.count(b"{", position, start) - data.count(b"}", position, start)
        position = end
        if depth > 0:
            inner.append((start, end))
    return inner


def _without_macros(data: bytes) -> bytes:
    spans = [
        found.span(1) for found in _LONE_MACRO.finditer(data) if _after_statement(data, found.start())
    ]
    for pattern in (_MACRO_BEFORE, _MACRO_AFTER, _TEMPLATE_CONDITION):
        for found in pattern.finditer(data):
            start, end = found.span(found.lastindex or 0)
            if not _in_directive(data, start):
                spans.append((start, end))
    return _blanked(data, spans) if spans else data


def _after_statement(data: bytes, offset: int) -> bool:
    return _ENDS_STATEMENT.search(data, max(0, data.rfind(b"\n", 0, max(0, offset - 1)) - 1), offset) is not None


def _in_directive(data: bytes, offset: int) -> bool:
    """Whether the line of *offset* is a directive, or goes on from a line before it."""
    start = data.rfind(b"\n", 0, offset) + 1
    return data[start:offset].lstrip()[:1] == b"#" or data[max(0, start - 2) : start] == b"\\\n"


def _without_conditionals(data: bytes) -> bytes:
    spans: list[tuple[int, int]] = []
    for start, end, surplus in _directives(data):
        spans.append((start, end))
        spans.extend(surplus)
    return _blanked(data, spans) if spans else data


def _directives(data: bytes) -> Iterator[tuple[int, int, list[tuple[int, int]]]]:
    """Each conditional directive, and with an ``#endif`` the branches that must go."""
    open_conditionals: list[_Branches] = []
    for found in _CONDITIONAL.finditer(data):
        start, end = found.span()
        word = found.group(1)
        surplus: list[tuple[int, int]] = []
        if word in _OPENING:
            open_conditionals.append(_Branches([end]))
        elif open_conditionals:
            branches = open_conditionals[-1]
            branches.ends.append(start)
            if word == b"endif":
                open_conditionals.pop()
                surplus = _surplus_branches(data, branches)
            else:
                branches.starts.append(end)
        yield start, end, surplus


def _surplus_branches(data: bytes, branches: _Branches) -> list[tuple[int, int]]:
    """Branches after the first that open or close braces on their own."""
    spans = list(zip(branches.starts, branches.ends, strict=True))
    if len(spans) == 1:
        return []
    depths = [_brace_depth(data[start:end]) for start, end in spans]
    if not any(depths):
        return []
    kept = next(index for index, depth in enumerate(depths) if depth)
    return [span for index, span in enumerate(spans) if index != kept and depths[index]]


def _brace_depth(branch: bytes) -> int:
    """How many braces more are opened than closed."""
    if b"{" not in branch and b"}" not in branch:
        return 0
    braces = [found.group(1) for found in _BRACES.finditer(branch)]
    return braces.count(b"{") - braces.count(b"}")


def _blanked(data: bytes, spans: list[tuple[int, int]]) -> bytes:
    result = bytearray(data)
    for start, end in spans:
        result[start:end] = data[start:end].translate(_TO_BLANKS)
    return bytes(result)


def _only(data: bytes, spans: list[tuple[int, int]]) -> bytes:
    result = bytearray(data.translate(_TO_BLANKS))
    for start, end in spans:
        result[start:end] = data[start:end]
    return bytes(result)
