"""C and C++ before parsing: what the preprocessor would remove becomes spaces, byte for byte.

Grammars know conditionals only around whole statements, and about half of real files split a
statement with one. So the directives go and every branch stays, except where a second branch would
open or close braces that the first one has already opened or closed.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

# A line goes on behind a backslash, and while a comment is open.
_REST_OF_LINES = rb"\b(?:[^\\\n/]|//[^\\\n]*|/\*(?:[^*]|\*(?!/))*\*/|/|\\.|\\?\n(?<=\\\n)|\\\r\n)*"
_CONDITIONAL = re.compile(
    rb"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)" + _REST_OF_LINES,
    re.MULTILINE,
)
_DIRECTIVE = re.compile(
    rb"^[ \t]*#[ \t]*(?:define|undef|include|pragma|line|error|warning)" + _REST_OF_LINES,
    re.MULTILINE,
)
_TOKEN = re.compile(
    rb"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|//[^\n]*|/\*.*?\*/|\b\d[\w.]*"
    rb"|([A-Za-z_]\w*)",
    re.DOTALL,
)
_KEYWORDS = frozenset(
    b"auto bool break case char const continue default do double else enum extern float for goto"
    b" if inline int long register return short signed sizeof static struct switch typedef union"
    b" unsigned void volatile while __VA_ARGS__".split()
)
_SHORTEST_QUESTION = 2
_DEFINE = re.compile(rb"\s*#[ \t]*define[ \t]+(\w+)")
_OPENING = (b"if", b"ifdef", b"ifndef")
_TO_BLANKS = bytes(byte if byte in b"\r\n" else 0x20 for byte in range(256))
_TO_BLANKS_BUT_BACKSLASH = bytes(byte if byte in b"\r\n\\" else 0x20 for byte in range(256))
_BRACES = re.compile(
    rb"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|([{}])", re.DOTALL
)
_COMMENT = re.compile(rb"/\*(?:[^*]|\*(?!/))*\*/")
_MACRO_CALL = re.compile(rb"\b[A-Z][A-Z0-9_]{2,}[ \t]*\(")
_BRACKETS = re.compile(rb"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|([()])", re.DOTALL)
_MAX_ARGUMENTS = 10_000
# Macros in capitals that stand where the grammars expect none: `EXPORT int f(void) {`,
# `class API Name {`, `if CONSTEXPR (`, a line of its own, a condition on template parameters.
_MACRO = re.compile(
    rb"\b_{0,2}[A-Z][A-Z0-9_]{3,}"
    rb"(?:\((?:[^()\n]|\([^()\n]*\))*\))?(?=\n|\Z|[ \t]+(?:[\nA-Za-z_(~]|//|/\*))"
)
# Two names side by side are a type and what has it; with three, the first is a macro.
_GAP = rb"(?:\s|//[^\n]*\n|/\*(?:[^*]|\*(?!/))*\*/)"
_DECLARATION = re.compile(
    _GAP
    + rb"+(?:(?:template|namespace|using|typedef|extern|static|inline|virtual|explicit|constexpr)\b"
    rb"|(?:const\s+)?(?!(?:const|volatile|override|final|noexcept)\b)[A-Za-z_][\w:]*(?:<[^;{}()]*>)?"
    rb"[\s*&]+[A-Za-z_~])"
)
# A destructor, and a constructor that initializes, have no type before them.
_TYPELESS = re.compile(
    rb"\s+(?:~[A-Za-z_]|[A-Za-z_]\w*\((?:[^(){};]|\([^(){};]*\))*\)"
    rb"\s*(?:noexcept\b\s*(?:\([^(){};]*\))?\s*)?:(?!:))"
)
_CLASS_NAME = re.compile(rb"[ \t]+[A-Za-z_]\w*\s*(?:<[^;{}]*>\s*)?(?:final\s*)?[{:]")
_NAME_BEFORE = re.compile(rb"[\w.>\"]\Z")
_CLASS_WORDS = (b"class ", b"struct ", b"union ", b"enum ")
_LINE_END = re.compile(rb"[ \t]*(?://[^\n]*)?(?:\n|\Z)" + _GAP + rb"*(?:[^\s},=)?.;:|&+*/<-]|\Z)")
_MAX_LOOK_BACK = 4_000
_NEVER = re.compile(rb"\s+0\s*(?:(?://|/\*).*)?", re.DOTALL)
_UNFINISHED = (b"=", b",", b"(", b"|", b"&", b"+", b"-", b"*", b"/", b"?", b"return")
_TEMPLATE_CONDITION = re.compile(
    rb"(,\s*[A-Z][A-Z0-9_]*(?:_IF|REQUIRES)[A-Z0-9_]*"
    rb"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))(?=\s*[,>])"
)
# The grammars know no type of an enum without a name.
_ENUM_TYPE = re.compile(rb"enum(?<=\benum)\s*(:(?!:)\s*[A-Za-z_][\w:\s]*?)(?=\s*\{)")
# A macro behind the name of a parameter: `int f(int x UNUSED)`.
_PARAMETER_MACRO = re.compile(rb" ([A-Z][A-Z0-9_]{3,})(?=\s*[,)])")
_NAMED_PARAMETER = re.compile(
    rb"[\w>*&][\s*&]+(?!(?:const|volatile|struct|class|enum|union|unsigned|signed|long|short|sizeof"
    rb"|return|case|new|delete|typename|operator|defined|in|and|or|not)\b)[a-z_]\w*(?:\[\w*\])*\Z"
)
_PLAINLY_CPP = re.compile(
    r"^[ \t]*(?:namespace[ \t\n{]|template[ \t]*<|class[ \t]+\w[\w \t]*[:{]|using[ \t]+\w"
    r"|(?:public|private|protected)[ \t]*:"
    r"|#[ \t]*include[ \t]*<(?:string|vector|memory|map|iostream|utility)>)",
    re.MULTILINE,
)


def is_cpp_header(path: str, text: str, *, cpp_project: bool) -> bool:
    """Whether the ``.h`` file at *path* is C++: its project is, or its text plainly is."""
    return path.endswith(".h") and (cpp_project or _PLAINLY_CPP.search(text) is not None)


@dataclass(slots=True)
class _Branches:
    """The branches of one conditional that has not ended yet."""

    begin: int
    asked: list[tuple[int, int]]
    """Where the names stand that it asks for."""
    is_guard: bool
    """It only keeps a file from being read twice, or a name from being defined twice."""
    is_dead: bool
    """The first branch is never read: ``#if 0``."""
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)

    @property
    def first(self) -> tuple[int, int]:
        """From where to where the first branch reaches."""
        return self.starts[0], self.ends[0]


class Layers(NamedTuple):
    """One source as two texts of the same length and lines, each blank where the other is not."""

    code: bytes
    directives: bytes | None = None
    """The directives that stand inside braces, where no grammar expects them."""
    names: Sequence[tuple[int, int]] = ()
    """Where names stand in what has become spaces in both."""
    unsure: Sequence[tuple[int, int]] = ()
    """Where the preprocessor decides whether code counts and what it means, in order of place:
    branches of conditionals, definitions of macros, and what macros are given."""


def split_layers(data: bytes) -> Layers:
    """*data* without what breaks the grammars of C and C++."""
    inner: list[tuple[int, int]] = []
    names: list[tuple[int, int]] = []
    unsure = _macro_arguments(data)
    if b"#" in data:
        data, branches = _without_conditionals(data, names)
        spans = [found.span() for found in _DIRECTIVE.finditer(data)]
        definitions = [span for span in spans if _DEFINE.match(data, span[0])]
        data = _without_inner_comments(data, definitions)
        inner = _inner_directives(data, spans)
        unsure += branches + definitions
    directives = _only(data, inner) if inner else None
    code = _blanked(data, inner) if inner else data
    return Layers(_without_macros(code, names), directives, names, sorted(unsure))


def names_in(data: bytes, start: int, end: int) -> list[tuple[int, int]]:
    """Where names stand between two offsets, outside of texts and comments."""
    return [
        found.span(1)
        for found in _TOKEN.finditer(data, start, end)
        if found.group(1) is not None and found.group(1) not in _KEYWORDS
    ]


def _macro_arguments(data: bytes) -> list[tuple[int, int]]:
    """What stands in the brackets behind names in capitals, which are macros by custom."""
    spans: list[tuple[int, int]] = []
    position = 0
    for found in _MACRO_CALL.finditer(data):
        start = found.end()
        if start > position:
            position = _closing_bracket(data, start)
            spans.append((start, position))
    return spans


def _closing_bracket(data: bytes, start: int) -> int:
    """Where the bracket closes that opens before *start*; *start* itself when it never does."""
    depth = 1
    for found in _BRACKETS.finditer(data, start, start + _MAX_ARGUMENTS):
        if found.group(1) is not None:
            depth += 1 if found.group(1) == b"(" else -1
            if not depth:
                return found.start()
    return start


def _without_inner_comments(data: bytes, definitions: Iterable[tuple[int, int]]) -> bytes:
    """*data* without the comments inside of *definitions* of macros: the grammars end one there."""
    comments = [
        comment.span()
        for start, end in definitions
        if data.find(b"/*", start, end) >= 0
        for comment in _COMMENT.finditer(data, start, end)
    ]
    return _blanked(data, comments, _TO_BLANKS_BUT_BACKSLASH) if comments else data


def _inner_directives(data: bytes, directives: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """*directives* inside braces. Braces in texts and comments are counted too: it is a guess."""
    inner = []
    depth = position = 0
    for start, end in directives:
        depth += data.count(b"{", position, start) - data.count(b"}", position, start)
        position = end
        if depth > 0:
            inner.append((start, end))
    return inner


def _without_macros(data: bytes, names: list[tuple[int, int]]) -> bytes:
    """*data* without stray macros; where they stood goes into *names*."""
    spans = [
        found.span()
        for found in _MACRO.finditer(data)
        if _is_stray(data, *found.span())
        and not _in_directive(data, found.start())
        and not _in_text(data, found.start())
    ]
    spans += [found.span(1) for found in _TEMPLATE_CONDITION.finditer(data)]
    spans += [found.span(1) for found in _ENUM_TYPE.finditer(data)]
    spans += [
        found.span(1)
        for found in _PARAMETER_MACRO.finditer(data)
        if _NAMED_PARAMETER.search(data, max(0, found.start() - 80), found.start())
        and not _in_directive(data, found.start())
        and not _in_text(data, found.start())
    ]
    for start, end in spans:
        names += names_in(data, start, end)
    return _blanked(data, spans) if spans else data


def _is_stray(data: bytes, start: int, end: int) -> bool:
    """Whether the macro from *start* to *end* is no part of what the grammars know."""
    before = data[max(0, start - 7) : start]
    if _NAME_BEFORE.search(before) is not None:
        return False
    if before.endswith(_CLASS_WORDS):
        return _CLASS_NAME.match(data, end) is not None
    if before.endswith(b"if "):
        return True
    if _DECLARATION.match(data, end) is not None or _TYPELESS.match(data, end) is not None:
        return True
    line_start = data.rfind(b"\n", 0, start) + 1
    if data[line_start:start].strip() or _LINE_END.match(data, end) is None:
        return False
    return _ends_statement(data[max(0, line_start - _MAX_LOOK_BACK) : line_start].rstrip())


def _ends_statement(before: bytes) -> bool:
    """Whether a statement may begin behind *before*: its last line ends one, or says nothing."""
    line_start = before.rfind(b"\n") + 1
    line = before[line_start:].lstrip()
    return (
        not line
        or line.endswith((b";", b"}", b">", b"{", b":", b"*/"))
        or b"//" in line
        or line.startswith(b"#")
        or before[:line_start].endswith(b"\\\n")
    )


def _in_directive(data: bytes, offset: int) -> bool:
    """Whether the line of *offset* is a directive, or goes on from a line before it."""
    start = data.rfind(b"\n", 0, offset) + 1
    return data[start:offset].lstrip()[:1] == b"#" or data[max(0, start - 2) : start] == b"\\\n"


def _in_text(data: bytes, offset: int) -> bool:
    """Whether *offset* lies in a comment or a string."""
    line = data[data.rfind(b"\n", 0, offset) + 1 : offset]
    if b"//" in line or line.count(b'"') % 2:
        return True
    return data.rfind(b"/*", 0, offset) > data.rfind(b"*/", 0, offset)


def _without_conditionals(
    data: bytes, names: list[tuple[int, int]]
) -> tuple[bytes, list[tuple[int, int]]]:
    """*data* without conditionals, and where they stood; the names they ask for go into *names*."""
    spans: list[tuple[int, int]] = []
    wholes: list[tuple[int, int]] = []
    for conditional in _conditionals(data, names):
        if conditional.whole is not None:
            wholes.append(conditional.whole)
        spans.append(conditional.directive)
        spans.extend(conditional.surplus)
    return (_blanked(data, spans) if spans else data), wholes


def _asked(data: bytes, start: int, end: int) -> list[tuple[int, int]]:
    """Where the names stand that a conditional directive asks for."""
    if end - start < _SHORTEST_QUESTION:
        return []
    names = names_in(data, start, end)
    return [span for span in names if data[slice(*span)] != b"defined"]


def _uses(data: bytes, branches: _Branches, end: int) -> list[tuple[int, int]]:
    """The names that a conditional asks for, without one that it goes on to define."""
    if branches.is_guard:
        return []
    if len(branches.asked) == 1:
        name = re.escape(data[slice(*branches.asked[0])])
        if re.compile(rb"#[ \t]*define[ \t]+" + name + rb"\b").search(data, branches.begin, end):
            return []
    return branches.asked


def _is_guard(data: bytes, name: bytes, end: int) -> bool:
    """Whether the condition that ends at *end* only asks for what the next line defines."""
    found = _DEFINE.match(data, end)
    return found is not None and found.group(1) == name


class _Conditional(NamedTuple):
    """One directive of a conditional, and what is known at its end."""

    directive: tuple[int, int]
    surplus: Sequence[tuple[int, int]] = ()
    """The branches that must go."""
    whole: tuple[int, int] | None = None
    """From where to where it reaches, unless it is a guard."""


def _conditionals(data: bytes, names: list[tuple[int, int]]) -> Iterator[_Conditional]:
    """Each conditional directive; the names that they ask for go into *names*."""
    open_conditionals: list[_Branches] = []
    for found in _CONDITIONAL.finditer(data):
        start, end = found.span()
        word = found.group(1)
        asked = _asked(data, found.end(1), end)
        if word in _OPENING:
            is_guard = len(asked) == 1 and _is_guard(data, data[slice(*asked[0])], end)
            is_dead = _NEVER.fullmatch(data, found.end(1), end) is not None
            open_conditionals.append(_Branches(start, asked, is_guard, is_dead, [end]))
        elif open_conditionals:
            names += asked
            branches = open_conditionals[-1]
            branches.ends.append(start)
            if word == b"endif":
                open_conditionals.pop()
                surplus = _surplus_branches(data, branches)
                dead = branches.first if branches.is_dead else None
                names += [
                    span for each in surplus if each != dead for span in names_in(data, *each)
                ]
                names += _uses(data, branches, end)
                whole = None if branches.is_guard else (branches.begin, end)
                yield _Conditional((start, end), surplus, whole)
                continue
            branches.starts.append(end)
        yield _Conditional((start, end))


def _surplus_branches(data: bytes, branches: _Branches) -> list[tuple[int, int]]:
    """The branches that are never read, and those that would do again what an earlier one did.

    They open or close braces on their own, or end the statement that the conditional stands in.
    """
    spans = list(zip(branches.starts, branches.ends, strict=True))
    dead = spans[:1] if branches.is_dead else []
    spans = spans[len(dead) :]
    if len(spans) <= 1:
        return dead
    depths = [_brace_depth(data[start:end]) for start, end in spans]
    if any(depths):
        kept = next(index for index, depth in enumerate(depths) if depth)
        return dead + [span for index, span in enumerate(spans) if index != kept and depths[index]]
    before = data[max(0, branches.begin - _MAX_LOOK_BACK) : branches.begin].rstrip()
    if before.endswith(_UNFINISHED) and not before.endswith(b"*/"):
        ending = [span for span in spans if data[slice(*span)].rstrip().endswith(b";")]
        return dead + ending[1:]
    return dead


def _brace_depth(branch: bytes) -> int:
    """How many braces more are opened than closed."""
    if b"{" not in branch and b"}" not in branch:
        return 0
    braces = [found.group(1) for found in _BRACES.finditer(branch)]
    return braces.count(b"{") - braces.count(b"}")


def _blanked(data: bytes, spans: list[tuple[int, int]], table: bytes = _TO_BLANKS) -> bytes:
    result = bytearray(data)
    for start, end in spans:
        result[start:end] = data[start:end].translate(table)
    return bytes(result)


def _only(data: bytes, spans: list[tuple[int, int]]) -> bytes:
    result = bytearray(data.translate(_TO_BLANKS))
    for start, end in spans:
        result[start:end] = data[start:end]
    return bytes(result)
