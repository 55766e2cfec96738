"""What differs from language to language and no query says: separators, visibility, comments."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

# When two patterns capture one node, the earlier kind is its kind.
KIND_ORDER = (
    "constructor",
    "method",
    "macro",
    "class",
    "struct",
    "enum",
    "interface",
    "trait",
    "protocol",
    "type",
    "namespace",
    "module",
    "function",
    "property",
    "constant",
    "field",
    "variable",
    "section",
)

_GENERICS = re.compile(r"<[^<>]*>|\[[^\[\]]*\]")
_TEST_PATH = re.compile(
    r"(^|/)(tests?|__tests__|spec|specs|testing|testdata)/"
    r"|(^|/)(test_[^/]*|[^/]*[_.-](test|tests|spec)|conftest)\.[^/]+$"
    r"|(^|/)[^/]*(Test|Tests|TestCase|Spec|IT)\.(java|kt|kts|cs|scala|swift|groovy|php)$"
)

Visibility = Callable[[str, str, str], str | None]


def _no_visibility(_name: str, _header: str, _kind: str) -> str | None:
    return None


def _go_visibility(name: str, _header: str, _kind: str) -> str | None:
    return "public" if name[:1].isupper() else "private"


def _underscore_visibility(name: str, _header: str, _kind: str) -> str | None:
    if name.startswith("__") and name.endswith("__"):
        return "public"
    return "private" if name.startswith("_") else "public"


def _stated(default: str | None, *words: str) -> Visibility:
    """Visibility by a modifier in the header, else *default*."""
    pattern = re.compile(rf"\b({'|'.join(words)})\b")

    def visibility(_name: str, header: str, _kind: str) -> str | None:
        found = pattern.search(header)
        if found is None:
            return default
        word = found.group(1)
        return {
            "pub": "public",
            "export": "public",
            "static": "private",
            "fileprivate": "private",
            "open": "public",
        }.get(word, word)

    return visibility


@dataclass(frozen=True, slots=True)
class LanguageRules:
    """The rules of one language."""

    separator: str = "."
    """Between the parts of a qualified name."""
    member_marks: tuple[str, ...] = (".",)
    """What stands before a name that is a member of something; the longer first."""
    call_marks: frozenset[int] = frozenset(b"(")
    """Bytes that make a call of the name before them."""
    receiver: re.Pattern[bytes] = field(init=False)
    """Matches, in reversed text, a member mark and (as group 1) the plain path before it."""
    mark_ends: frozenset[int] = field(init=False)
    """The last bytes of member marks."""
    hoisted: bool = False
    """A local name counts in its whole scope, not only after its binding."""
    method_parents: frozenset[str] = frozenset(
        {"class", "struct", "enum", "interface", "trait", "protocol", "scope", "type"}
    )
    """Kinds in which a function is a method."""
    constructors: frozenset[str] = frozenset()
    constructor_is_class_name: bool = False
    upper_is_constant: bool = False
    line_comments: tuple[str, ...] = ("//",)
    block_comment: tuple[str, str] | None = ("/*", "*/")
    attribute_prefixes: tuple[str, ...] = ()
    """Lines above a definition that belong to it and are no comments."""
    visibility: Visibility = _no_visibility
    test_names: re.Pattern[str] | None = None
    """Names of definitions that are tests wherever they stand."""
    test_headers: re.Pattern[str] | None = None
    """What a definition that is a test says before its name."""

    def __post_init__(self) -> None:
        marks = "|".join(re.escape(mark[::-1]) for mark in self.member_marks)
        path = rf"[\w$@]+(?:(?:{marks})[\w$@]+)*"
        pattern = rf"\s*(?:{marks})(?!\.)\s*({path})?"
        object.__setattr__(self, "receiver", re.compile(pattern.encode()))
        ends = frozenset(mark[-1].encode()[0] for mark in self.member_marks)
        object.__setattr__(self, "mark_ends", ends)

    def owner_name(self, text: str) -> str:
        """*text* as the name of an owner: no type parameters, pointers or spaces."""
        previous = ""
        while previous != text:
            previous, text = text, _GENERICS.sub("", text)
        return text.strip("*&() \t\n").removeprefix("mut ").removeprefix("dyn ").strip()

    def module_name(self, module: str) -> str:
        """The last part of a module's name, which is what the file calls it."""
        return re.split(r"[./:\\\\]+", module.rstrip("./"))[-1] or module

    def clean_name(self, text: str) -> str:
        """*text* as the name of a symbol."""
        return " ".join(text.split()).strip("\"'`")

    def is_test_path(self, path: str) -> bool:
        """Whether everything in the file at *path* is test code."""
        return _TEST_PATH.search(path) is not None

    def is_test(self, name: str, header: str, parent: str | None) -> bool:
        """Whether one definition is a test."""
        if self.test_names is not None and self.test_names.match(name):
            return True
        if self.test_headers is not None and self.test_headers.search(header):
            return True
        return parent is not None and parent.split(self.separator)[0] in {"tests", "test"}


_ECMASCRIPT = LanguageRules(
    member_marks=("?.", "."),
    call_marks=frozenset(b"("),
    hoisted=True,
    constructors=frozenset({"constructor"}),
    attribute_prefixes=("@",),
    visibility=_stated(None, "public", "private", "protected", "export"),
)

RULES: Mapping[str, LanguageRules] = {
    "python": LanguageRules(
        hoisted=True,
        method_parents=frozenset({"class"}),
        constructors=frozenset({"__init__"}),
        upper_is_constant=True,
        line_comments=("#",),
        block_comment=None,
        visibility=_underscore_visibility,
        test_names=re.compile(r"test_|Test[A-Z]"),
    ),
    "go": LanguageRules(
        visibility=_go_visibility,
        test_names=None,
    ),
    "javascript": _ECMASCRIPT,
    "typescript": _ECMASCRIPT,
    "tsx": _ECMASCRIPT,
    "java": LanguageRules(
        member_marks=("::", "."),
        constructor_is_class_name=True,
        attribute_prefixes=("@",),
        visibility=_stated("internal", "public", "private", "protected"),
        test_headers=re.compile(r"@(\w*Test)\b"),
    ),
    "rust": LanguageRules(
        separator="::",
        member_marks=("::", "."),
        call_marks=frozenset(b"(!"),
        attribute_prefixes=("#[", "#!["),
        visibility=_stated("private", "pub"),
        test_headers=re.compile(r"#\[\s*(\w+::)*test\b"),
    ),
    "c": LanguageRules(
        separator="::",
        member_marks=("->", "."),
        visibility=_stated(None, "static"),
    ),
    "cpp": LanguageRules(
        separator="::",
        member_marks=("->", "::", "."),
        visibility=_stated(None, "static"),
        constructor_is_class_name=True,
    ),
}
