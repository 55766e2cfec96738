"""What differs from language to language and no query says: separators, visibility, comments."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from code_indexer.parsing.declared_types import TYPE_PLACES, TypePlaces

# When two patterns capture one node, the earlier kind is its kind.
KIND_ORDER = (
    "void",  # what a more general pattern takes for a definition, and is none
    "constructor",
    "method",
    "macro",
    "struct",
    "enum",
    "interface",
    "class",
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
    "keyword",
)

_NAME_QUOTES = frozenset({'""', "''", "``", "[]"})
_GENERICS = re.compile(r"<[^<>]*>|\[[^\[\]]*\]")
_VERSION = re.compile(r"[/.]v\d+$")
_LIFETIME = re.compile(r"^'\w+\s+")
_NO_OWNERS = frozenset({"exports", "module.exports", "this", "self", "_G", "window"})
_TEST_PATH = re.compile(
    r"(^|/)(tests?|__tests__|spec|specs|testing|testdata)/"
    r"|(^|/)(test_[^/]*|[^/]*[_.-](test|tests|spec)|conftest)\.[^/]+$"
    r"|(^|/)[^/]*(Test|Tests|TestCase|Spec|IT)\.(java|kt|kts|cs|scala|swift|groovy|php)$"
)

_WORDS = {
    "pub": "public",
    "export": "public",
    "open": "public",
    "local": "private",
    "fileprivate": "private",
}
Visibility = Callable[[str, str, str], str | None]


def _no_visibility(_name: str, _header: str, _kind: str) -> str | None:
    return None


def _go_visibility(name: str, _header: str, _kind: str) -> str | None:
    return "public" if name[:1].isupper() else "private"


def _underscore_visibility(name: str, _header: str, _kind: str) -> str | None:
    if name.startswith("__") and name.endswith("__"):
        return "public"
    return "private" if name.startswith("_") else "public"


_C_STATEMENTS = frozenset(
    {"case", "default", "do", "else", "for", "goto", "if", "return", "sizeof", "switch", "while"}
)


def _c_visibility(_name: str, header: str, kind: str) -> str | None:
    is_static = kind in {"function", "variable"} and re.search(r"\bstatic\b", header)
    return "private" if is_static else None


def _elixir_visibility(_name: str, header: str, _kind: str) -> str | None:
    return "private" if re.match(r"(?:def(macro|guard)?|@type)p\b", header) else "public"


def _rust_visibility(_name: str, header: str, _kind: str) -> str | None:
    found = re.search(r"\bpub\b(\s*\()?", header)
    if found is None:
        return None
    return "public" if found.group(1) is None else "internal"


def _ecmascript_visibility(name: str, header: str, _kind: str) -> str | None:
    return "private" if name.startswith("#") else _ECMASCRIPT_STATED(name, header, _kind)


def _stated(default: str | None, *words: str) -> Visibility:
    """Visibility by a modifier in the header, else *default*."""
    pattern = re.compile(rf"\b({'|'.join(words)})\b")

    # Most headers of a tree are a few modifiers, over and over.
    @lru_cache(maxsize=512)
    def stated(header: str) -> str | None:
        found = pattern.search(header)
        if found is None:
            return default
        word = found.group(1)
        return _WORDS.get(word, word)

    def visibility(_name: str, header: str, _kind: str) -> str | None:
        return stated(header)

    return visibility


@dataclass(frozen=True, slots=True)
class LanguageRules:
    """The rules of one language."""

    separator: str = "."
    """Between the parts of a qualified name."""
    member_separator: str | None = None
    """Before the name of a member of a class, where it is another."""
    member_kinds: frozenset[str] = frozenset(
        {"function", "method", "constructor", "field", "property", "constant"}
    )
    """Kinds that are members."""
    member_marks: tuple[str, ...] = (".",)
    """What stands before a name that is a member of something; the longer first."""
    tight_marks: tuple[str, ...] = ()
    """Member marks that no space stands beside."""
    receiver_characters: str = r"\w$"
    """What the names of a receiver are made of, as a set of a pattern."""
    super_is_called: bool = False
    """``super()`` stands for an object of the class that the own one inherits from."""
    type_places: TypePlaces | None = None
    """Where the type of a name stands."""
    call_marks: frozenset[int] = frozenset(b"(")
    """Bytes that make a call of the name before them."""
    receiver: re.Pattern[bytes] = field(init=False)
    """Matches, in reversed text, a member mark and, as its last group, the plain path before it."""
    comment_starts: tuple[bytes, ...] = field(init=False)
    block_start: bytes = field(init=False)
    block_end: bytes = field(init=False)
    """Empty where there are no block comments."""
    mark_ends: frozenset[int] = field(init=False)
    """The last bytes of member marks."""
    marks: frozenset[bytes] = field(init=False)
    """All of them."""
    path_bytes: bytes = field(init=False)
    """What the names of a receiver, and the marks between them, are made of."""
    hoisted: bool = False
    """A local name counts in its whole scope, not only after its binding."""
    calls_are_functions: bool = False
    """A local name before a bracket is no local name: variables cannot be called."""
    promoted_are_parameters: bool = False
    """A parameter of a constructor that is a field as well: its bare name means the parameter."""
    method_parents: frozenset[str] = frozenset(
        {"class", "struct", "enum", "interface", "trait", "protocol", "scope", "type"}
    )
    """Kinds in which a function is a method."""
    keywords: Mapping[str, str] = field(default_factory=dict)
    """Kinds of what is defined with a word that the grammar takes for a call."""
    single_words: frozenset[str] = frozenset()
    """Words of that sort that define the first name behind them alone."""
    keyword_leads: Mapping[str, str] = field(default_factory=dict)
    """What begins the qualified names of what such a word defines."""
    import_words: frozenset[str] = frozenset()
    """Words of that sort which import something."""
    imports_are_definitions: bool = False
    """A file hands on what it imports with such a word: it defines the name."""
    argument_words: frozenset[str] = frozenset()
    """Commands whose first argument is a command."""
    special_words: frozenset[str] = frozenset()
    """Words of the language that the grammar takes for names; alone they mean nothing else."""
    blank_names: frozenset[str] = frozenset()
    """What stands where a name must and none is wanted."""
    statement_words: frozenset[str] = frozenset()
    """Words that nothing can be called; after a macro, a statement reads like a definition."""
    makers: re.Pattern[str] | None = None
    """Macros that read like a function and define what they are given: ``TEST(Suite, Case) {}``."""
    owners_are_namespaces: bool = False
    """What stands before a name is no type whose method it would be: the schema of a table."""
    names_are_paths: bool = False
    """One name may be several with dots between: ``Shop.Order``."""
    versions_are_no_names: bool = False
    """``x/y/v2`` and ``x/y.v2`` are versions of the module ``y``."""
    modules_are_paths: bool = False
    """An import names a file, suffix and all."""
    constructors: frozenset[str] = frozenset()
    constructor_is_class_name: bool = False
    upper_is_constant: bool = False
    types_are_aliases: bool = False
    """What is defined inside of a ``typedef`` does not belong to it."""
    fields_own_nothing: bool = False
    """A field with others in it is a mere group of them."""
    classes_have_parts: bool = False
    """``public:`` holds for all that follows in the class."""
    has_sections: bool = False
    """A word alone on its line, such as ``private``, holds for the methods that follow it."""
    clauses_are_one: bool = False
    """Definitions of one name that follow each other are clauses of one definition."""
    line_comments: tuple[str, ...] = ("//",)
    block_comment: tuple[str, str] | None = ("/*", "*/")
    inner_comments: tuple[bytes, ...] = ()
    """Comments that document what they stand in, not what follows them."""
    pragmas: tuple[bytes, ...] = ()
    """What looks like a block comment and is a word to the compiler."""
    name_mark: str = ""
    """What a name that is given as a value begins with: Ruby's ``:name``."""
    doc_attribute: re.Pattern[bytes] | None = None
    """Begins an attribute that holds documentation: Elixir's ``@doc``."""
    doc_word: str = ""
    """What a documentation inside of a definition begins with, where not every string is one."""
    attribute_line: re.Pattern[str] | None = None
    """Matches lines above a definition that belong to it and are no comments."""
    attribute_ends: tuple[bytes, ...] = ()
    """What ends such an attribute of several lines; without, its further lines are indented."""
    body_mark: str = ""
    """What begins the body of a definition on its own line."""
    visibility: Visibility = _no_visibility
    test_names: re.Pattern[str] | None = None
    """Names of definitions that are tests wherever they stand."""
    test_headers: re.Pattern[str] | None = None
    """What a definition that is a test says before its name."""
    test_attributes: re.Pattern[str] | None = None
    """The same, in the lines directly above."""

    def __post_init__(self) -> None:
        marks = "|".join(re.escape(mark[::-1]) for mark in self.member_marks)
        tight = "|".join(re.escape(mark[::-1]) for mark in self.tight_marks) or "(?!)"
        every = f"{marks}|{tight}"
        called = r"\)[\w, ]*\(repus(?![\w.])|" if self.super_is_called else ""
        path = (
            rf"{called}[{self.receiver_characters}]+(?:(?:{every})[{self.receiver_characters}]+)*"
        )
        pattern = rf"\s*+(?:{marks})(?!\.)\s*+({path})?|(?:{tight})({path})"
        object.__setattr__(self, "receiver", re.compile(pattern.encode()))
        ends = frozenset(mark.encode()[-1] for mark in (*self.member_marks, *self.tight_marks))
        object.__setattr__(self, "mark_ends", ends)
        every_mark = frozenset(mark.encode() for mark in (*self.member_marks, *self.tight_marks))
        object.__setattr__(self, "marks", every_mark)
        in_names = re.compile(rf"[{self.receiver_characters}]".encode())
        path_bytes = bytes(byte for byte in range(256) if in_names.match(bytes([byte])))
        object.__setattr__(self, "path_bytes", path_bytes + b"".join(every_mark))
        starts = tuple(mark.encode() for mark in self.line_comments)
        object.__setattr__(self, "comment_starts", starts)
        block = self.block_comment or ("", "")
        object.__setattr__(self, "block_start", block[0].encode())
        object.__setattr__(self, "block_end", block[1].encode())

    def owner_name(self, text: str) -> str:
        """*text* as the name of an owner: no type parameters, pointers or spaces."""
        if f"{text[:1]}{text[-1:]}" in _NAME_QUOTES:
            text = text[1:-1]
        previous = ""
        while previous != text:
            previous, text = text, _GENERICS.sub("", text)
        bare = _LIFETIME.sub("", text.strip("*&() \t\n"))
        bare = bare.removeprefix("mut ").removeprefix("dyn ").strip()
        bare = bare.removesuffix(".prototype")
        return "" if bare in _NO_OWNERS else bare

    def module_name(self, module: str) -> str:
        """The last part of a module's name, which is what the file calls it."""
        if self.versions_are_no_names:
            module = _VERSION.sub("", module) or module
        if self.modules_are_paths:
            return module.rstrip("/").rpartition("/")[2] or module
        return re.split(r"[./:\\\\]+", module.rstrip("./"))[-1] or module

    def clean_name(self, text: str) -> str:
        """*text* as the name of a symbol."""
        if text.isidentifier():
            return text
        name = " ".join(text.split()).removeprefix(self.name_mark)
        if len(name) > len('""') and f"{name[0]}{name[-1]}" in _NAME_QUOTES:
            name = name[1:-1]
        if self.classes_have_parts and name.startswith("operator "):
            # `operator ==` is `operator==`, and `operator bool() const` is `operator bool`.
            sign = name.removeprefix("operator ")
            return (
                f"operator {sign.partition('(')[0].rstrip()}"
                if sign[0].isalpha()
                else f"operator{sign}"
            )
        return name

    def is_test_path(self, path: str) -> bool:
        """Whether everything in the file at *path* is test code."""
        return _TEST_PATH.search(path) is not None

    def is_test(self, name: str, header: str, parent: str | None, above: str) -> bool:
        """Whether one definition is a test; *above* are the attributes in the lines before it."""
        if self.test_names is not None and self.test_names.match(name):
            return True
        if self.test_headers is not None and self.test_headers.search(header):
            return True
        if self.test_attributes is not None and self.test_attributes.search(above):
            return True
        if parent is None:
            return False
        if self.test_names is not None and self.test_names.match(parent):
            return True
        if not parent.startswith("test"):
            return False
        return parent.split(self.separator)[0] in {"tests", "test"}


_ECMASCRIPT_STATED = _stated(None, "public", "private", "protected", "export")
_ECMASCRIPT = LanguageRules(
    modules_are_paths=True,
    import_words=frozenset({"require"}),
    member_marks=("?.", "."),
    hoisted=True,
    promoted_are_parameters=True,
    constructors=frozenset({"constructor"}),
    attribute_line=re.compile(r"@[\w.]+(\(.*\))?$"),
    attribute_ends=(b")",),
    visibility=_ecmascript_visibility,
)
_HASH_COMMENTS = ("#",)
_BLANK = frozenset({"_"})

_RULES: Mapping[str, LanguageRules] = {
    "python": LanguageRules(
        hoisted=True,
        method_parents=frozenset({"class"}),
        constructors=frozenset({"__init__"}),
        super_is_called=True,
        body_mark=":",
        upper_is_constant=True,
        line_comments=_HASH_COMMENTS,
        block_comment=None,
        visibility=_underscore_visibility,
        test_names=re.compile(r"test_|Test[A-Z]"),
    ),
    "go": LanguageRules(
        versions_are_no_names=True,
        visibility=_go_visibility,
        special_words=_BLANK,
        blank_names=_BLANK,
    ),
    "javascript": _ECMASCRIPT,
    "typescript": _ECMASCRIPT,
    "tsx": _ECMASCRIPT,
    "java": LanguageRules(
        member_marks=("::", "."),
        special_words=frozenset({"var"}),
        calls_are_functions=True,
        constructor_is_class_name=True,
        visibility=_stated(None, "public", "private", "protected"),
        test_headers=re.compile(r"@(\w*Test)\b"),
    ),
    "rust": LanguageRules(
        special_words=frozenset({"Self"}),
        separator="::",
        member_marks=("::", "."),
        call_marks=frozenset(b"(!"),
        attribute_line=re.compile(r"#!?\["),
        attribute_ends=(b"]",),
        inner_comments=(b"//!",),
        blank_names=_BLANK,
        visibility=_rust_visibility,
        test_attributes=re.compile(r"#\[\s*((\w+::)*test\b|cfg\(test\))"),
    ),
    "c": LanguageRules(
        modules_are_paths=True,
        statement_words=_C_STATEMENTS,
        separator="::",
        member_marks=("->", "."),
        visibility=_c_visibility,
        types_are_aliases=True,
    ),
    "cpp": LanguageRules(
        modules_are_paths=True,
        statement_words=_C_STATEMENTS | {"catch", "throw", "try"},
        separator="::",
        member_marks=("->", "::", "."),
        visibility=_c_visibility,
        types_are_aliases=True,
        constructor_is_class_name=True,
        classes_have_parts=True,
        makers=re.compile(r"(?:[A-Z]+_)*TEST(?:_[A-Z]+)*|BENCHMARK(?:_[A-Z]+)*_F"),
        test_headers=re.compile(r"^(?:[A-Z]+_)*TEST(?:_[A-Z]+)*\s*\("),
    ),
    "csharp": LanguageRules(
        body_mark="=>",
        member_marks=("?.", "::", "."),
        visibility=_stated(None, "public", "private", "protected", "internal"),
        test_headers=re.compile(r"\[(Test|TestCase|Fact|Theory|TestMethod|TestFixture)\b"),
    ),
    "php": LanguageRules(
        modules_are_paths=True,
        separator="\\",
        member_separator="::",
        member_marks=("?->", "->", "::"),
        tight_marks=("\\",),
        promoted_are_parameters=True,
        special_words=frozenset({"self", "static", "parent"}),
        keywords={"define": "constant"},
        single_words=frozenset({"define"}),
        constructors=frozenset({"__construct"}),
        line_comments=("//", "#"),
        attribute_line=re.compile(r"#\["),
        attribute_ends=(b"]",),
        visibility=_stated(None, "public", "private", "protected"),
        test_names=re.compile(r"test[A-Z_]"),
    ),
    "ruby": LanguageRules(
        receiver_characters=r"\w@$",
        name_mark=":",
        calls_are_functions=True,
        separator="::",
        member_separator=".",
        member_marks=("&.", "::", "."),
        hoisted=True,
        member_kinds=frozenset({"function", "method", "constructor", "property"}),
        method_parents=frozenset(),
        constructors=frozenset({"initialize"}),
        keywords={
            "attr_accessor": "property",
            "attr_reader": "property",
            "attr_writer": "property",
            "define_method": "method",
            "alias_method": "method",
        },
        single_words=frozenset({"alias_method", "define_method"}),
        has_sections=True,
        visibility=_stated(None, "public", "private", "protected"),
        import_words=frozenset({"require", "require_relative", "load", "autoload"}),
        line_comments=_HASH_COMMENTS,
        block_comment=("=begin", "=end"),
        test_names=re.compile(r"test_"),
    ),
    "kotlin": LanguageRules(
        body_mark="=",
        special_words=frozenset({"it", "companion", "object", "init", "constructor"}),
        upper_is_constant=True,
        member_marks=("?.", "::", "."),
        visibility=_stated(None, "public", "private", "protected", "internal"),
        test_headers=re.compile(r"@(\w*Test)\b"),
    ),
    "swift": LanguageRules(
        special_words=frozenset({"$0", "$1", "$2"}),
        member_marks=("?.", "."),
        constructors=frozenset({"init"}),
        visibility=_stated(None, "public", "private", "fileprivate", "internal", "open"),
        test_names=re.compile(r"test[A-Z_]"),
        test_headers=re.compile(r"@(?:Test|Suite)\b"),
    ),
    "scala": LanguageRules(
        special_words=frozenset({"this", "_"}),
        constructors=frozenset({"this"}),
        visibility=_stated(None, "private", "protected"),
    ),
    "elixir": LanguageRules(
        names_are_paths=True,
        method_parents=frozenset(),
        keywords={
            "defmodule": "module",
            "defprotocol": "protocol",
            "defimpl": "scope",
            "def": "function",
            "defp": "function",
            "defdelegate": "function",
            "defguard": "function",
            "defguardp": "function",
            "defmacro": "macro",
            "defmacrop": "macro",
            "@type": "type",
            "@typep": "type",
            "@opaque": "type",
            "@callback": "function",
            "@macrocallback": "macro",
        },
        import_words=frozenset({"import", "alias", "use", "require"}),
        special_words=frozenset(
            {"case", "cond", "for", "with", "if", "unless", "quote", "unquote", "receive", "try"}
            | {"raise", "fn", "defstruct"}
        ),
        line_comments=_HASH_COMMENTS,
        block_comment=None,
        doc_attribute=re.compile(rb"[ \t]*@(?:type)?doc\s+(?:~[sS])?\"+"),
        doc_word="@moduledoc",
        attribute_line=re.compile(r"@(spec|impl|doc|typedoc|deprecated|since|dialyzer)\b"),
        visibility=_elixir_visibility,
    ),
    "lua": LanguageRules(
        member_marks=(".", ":"),
        special_words=frozenset({"self"}),
        call_marks=frozenset(b"(\"'{"),
        method_parents=frozenset(),
        import_words=frozenset({"require"}),
        line_comments=("--",),
        block_comment=("--[[", "]]"),
        visibility=_stated(None, "local"),
    ),
    "bash": LanguageRules(
        special_words=frozenset("0123456789"),
        modules_are_paths=True,
        member_marks=("\0",),
        call_marks=frozenset(),
        upper_is_constant=True,
        import_words=frozenset({"source", "."}),
        argument_words=frozenset({"run", "trap", "command", "exec", "time", "sudo", "xargs"}),
        line_comments=_HASH_COMMENTS,
        block_comment=None,
        test_names=re.compile(r"test_"),
    ),
    "haskell": LanguageRules(
        hoisted=True,
        call_marks=frozenset(),
        clauses_are_one=True,
        attribute_line=re.compile(r"(?:[\w', ]|\([^\w\s()]+\))+::"),
        pragmas=(b"{-#",),
        method_parents=frozenset(),
        line_comments=("--",),
        block_comment=("{-", "-}"),
    ),
    "zig": LanguageRules(
        import_words=frozenset({"@import"}),
        imports_are_definitions=True,
        modules_are_paths=True,
        blank_names=_BLANK,
        special_words=_BLANK,
        line_comments=("//",),
        inner_comments=(b"//!",),
        block_comment=None,
        visibility=_stated(None, "pub"),
    ),
    "sql": LanguageRules(owners_are_namespaces=True, call_marks=frozenset(), line_comments=("--",)),
    "hcl": LanguageRules(
        keywords={
            "resource": "struct",
            "data": "struct",
            "module": "module",
            "provider": "module",
            "variable": "variable",
            "output": "variable",
            "locals": "variable",
            "ephemeral": "struct",
            "check": "struct",
        },
        keyword_leads={
            "data": "data.",
            "ephemeral": "ephemeral.",
            "check": "check.",
            "module": "module.",
            "variable": "var.",
            "output": "output.",
            "locals": "local.",
        },
        call_marks=frozenset(),
        line_comments=("#", "//"),
    ),
    "proto": LanguageRules(fields_own_nothing=True, modules_are_paths=True, call_marks=frozenset()),
    "graphql": LanguageRules(
        call_marks=frozenset(),
        line_comments=_HASH_COMMENTS,
        block_comment=None,
    ),
}

RULES: Mapping[str, LanguageRules] = {
    language: replace(rules, type_places=TYPE_PLACES.get(language))
    for language, rules in _RULES.items()
}
