"""C and C++ before parsing: what the preprocessor would remove becomes spaces, byte for byte.

Grammars know conditionals only around whole statements, and about half of real files split a
statement with one. So the directives go and every branch stays, except where a second branch would
open or close braces that the first one has already opened or closed.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_CONDITIONAL = re.compile(
    rb"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b(?:[^\\\n]|\\.|\\?\n(?<=\\\n)|\\\r\n)*",
    re.MULTILINE,
)
_OPENING = (b"if", b"ifdef", b"ifndef")
_TO_BLANKS = bytes(byte if byte in b"\r\n" else 0x20 for byte in range(256))
_BRACES = re.compile(
    rb"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|([{}])", re.DOTALL
)
# A word in capitals before the type of a function or before `class Name`: EXPORT int f(void) {
_LEADING_MACRO = re.compile(
    rb"^[ \t]*(?:(?:static|inline|extern)[ \t]+)*([A-Z][A-Z0-9_]{2,})(?:\([^()\n]*\))?(?=[ \t\n]+"
    rb"(?:(?:const|struct|enum|unsigned|signed|long|short)[ \t]+)*[A-Za-z_][\w:<>]*[ \t*&\n]+[A-Za-z_~][\w:~]*[ \t]*\()",
    re.MULTILINE,
)
_CLASS_MACRO = re.compile(
    rb"\b(?:class|struct|union|enum)[ \t]+([A-Z][A-Z0-9_]{2,}(?:\([^()\n]*\))?)[ \t]+(?=[A-Za-z_]\w*[ \t\n]*(?:final[ \t\n]*)?[{:])"
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


def without_preprocessor(data: bytes) -> bytes:
    """*data* with the same length and lines, without what breaks the grammars of C and C++."""
    if b"#" in data:
        data = _without_conditionals(data)
    data = _blank_group(_LEADING_MACRO, data)
    return _blank_group(_CLASS_MACRO, data)


def _blank_group(pattern: re.Pattern[bytes], data: bytes) -> bytes:
    spans = [found.span(1) for found in pattern.finditer(data)]
    return _blanked(data, spans) if spans else data


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
