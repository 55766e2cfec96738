"""The names of symbols that a query is, or holds: written out, declared, or called."""

import re

from code_indexer.ranking.question import NamedSymbol
from code_indexer.ranking.terms import is_stop_word

_CERTAINTY_IN_PROSE = 0.25
_CERTAINTY_OF_A_WORD = 0.5
_IDENTIFIER = r"(?:[^\W\d]\w*|\$\w+)"
_SEPARATOR = re.compile(r"::|\.|->|#|\\|/|:")
_QUALIFIED = rf"{_IDENTIFIER}(?:(?:::|\.|->|#|\\|/|:){_IDENTIFIER}[!?]?)*[!?=]?"
_NAME = re.compile(_QUALIFIED)
_KIND_WORDS = "class|interface|struct|enum|trait|protocol|module|type|macro|function|method"
_KIND_BEHIND = re.compile(rf"(?P<name>{_QUALIFIED})(?:\(\))?\s+(?:{_KIND_WORDS})")
_DECLARING = "def|defp|defmodule|defmacro|fn|func|fun|impl|typedef|#define"
"""Words behind which any name is one."""
_MODIFIERS = (
    "async|export|public|private|protected|internal|pub|static|inline|virtual|extern|override"
    "|abstract|final|sealed|default|function|sub|proc"
)
_CODE_WORD = re.compile(rf"(?:{_DECLARING}|{_MODIFIERS})(?![\w-])")
_DECLARED = re.compile(
    rf"(?:(?:{_MODIFIERS})\s+)*(?:(?P<sure>{_DECLARING})(?:\s+(?:struct|enum|union))?|{_KIND_WORDS}|object|record|function)\s+"
    rf"(?P<name>{_QUALIFIED})(?P<rest>[^(]*)"
)
_BEHIND_DECLARED = re.compile(
    r"\s*(?:$|[{:=(]|(?:extends|implements|where|with|for|do|struct|interface|func)\b)"
)
_RECEIVER = re.compile(r"func\s*\((?:\w+\s+)?\*?(?P<owner>\w+)\)\s*(?P<name>\w+)")
_ASSIGNED = re.compile(
    rf"(?:export\s+)?(?:const|let|var|val|local)\s+(?P<declared>{_IDENTIFIER})\s*[:=].*"
    rf"|(?P<name>{_QUALIFIED})\s*:?=(?!=).*"
)
_HYPHENATED = re.compile(r"\w+(?:-\w+)+")
"""As shells, Lisps and style sheets have them."""
_CALLED = re.compile(rf"(?P<before>.*?)(?P<name>{_QUALIFIED})\((?P<rest>.*)")
_BEHIND_CALL = re.compile(
    r"\)?\s*(?:->.*|=>.*|:\s*\S*\s*\{?|\{.*|=.*|throws\b.*|const|noexcept)?\s*[;,{]?\s*"
)
_POINTER = re.compile(r"^(?:[\w.-]+/)*((?:\w+\.)?)\(\*(\w+)\)(?=\.)")
_ARITY = re.compile(r"(?<=[\w!?])/\d+$|(?<=^pub)\([^()]*\)")
"""Of Elixir and Erlang; what Rust writes behind ``pub`` goes as well."""
_TYPE_ARGUMENTS = re.compile(r"(?<=\w)(?:::)?<[^<>()]*>|(?<=\w)\[[^\[\]()]*\]")
_MAX_LINE = 400
_NAME_IN_PROSE = re.compile(
    r"\b(?:\w{1,99}(?:::|\.|->|#)){0,9}"
    r"(?:[a-z0-9]+[A-Z]\w*|[A-Z]\w*[a-z]\w*[A-Z]\w*|\w*[^\W_]_+[^\W_]\w*|[^\W\d]\w+(?=\(\)))"
)


def named_symbols(text: str) -> tuple[NamedSymbol, ...]:
    """The name the query is, or the names in it that no prose word could be."""
    if len(text) <= _MAX_LINE and "\n" not in text:
        plain = _undecorated(text)
        whole = _whole_name(plain) or _declared(plain) or _called(plain)
        if whole is not None:
            return (whole,)
    found = dict.fromkeys(match.group() for match in _NAME_IN_PROSE.finditer(text))
    return tuple(_named(name, _CERTAINTY_IN_PROSE) for name in found)


def _undecorated(text: str) -> str:
    """The text without type arguments, arities and the signs of pointers."""
    plain = _ARITY.sub("", _POINTER.sub(r"\1\2", text))
    while (shorter := _TYPE_ARGUMENTS.sub("", plain)) != plain:
        plain = shorter
    return plain


def _whole_name(text: str) -> NamedSymbol | None:
    """What *text* names if it is nothing but a name."""
    is_called = text.endswith("()")
    whole = text.removesuffix("()").lstrip("@&*:")
    if _HYPHENATED.fullmatch(whole):
        return NamedSymbol(whole, None, 1.0 if is_called else _CERTAINTY_OF_A_WORD)
    if _NAME.fullmatch(whole) is None:
        return None
    certain = is_called or _is_telling(whole)
    return _named(whole, 1.0 if certain else _CERTAINTY_OF_A_WORD)


def _declared(text: str) -> NamedSymbol | None:
    """What the line of code *text* declares; "class hierarchy" is none."""
    method = _RECEIVER.match(text)
    if method is not None:
        return NamedSymbol(method["name"], method["owner"], 1.0)
    behind = _KIND_BEHIND.fullmatch(text)
    if behind is not None and _is_telling(behind["name"]):
        return _named(behind["name"], 1.0)
    assigned = _ASSIGNED.fullmatch(text)
    if assigned is not None:
        return _named(assigned["declared"] or assigned["name"], 1.0)
    declared = _DECLARED.fullmatch(text)
    if declared is None or not (declared["sure"] or _is_telling(declared["name"])):
        return None
    return _named(declared["name"], 1.0) if _BEHIND_DECLARED.match(declared["rest"]) else None


def _called(text: str) -> NamedSymbol | None:
    """What a call, or a signature without a word that declares, is of."""
    call = _CALLED.fullmatch(text)
    if call is None:
        return None
    before, rest = call["before"], call["rest"]
    if any(is_stop_word(word) for word in re.findall(r"\w+", before)) or re.search("[(:]", before):
        return None
    closing = rest.rfind(")")
    behind = rest[closing:] if closing >= 0 else ""
    if _CODE_WORD.match(before) or _BEHIND_CALL.fullmatch(behind):
        return _named(call["name"], 1.0)
    return None


def _is_telling(name: str) -> bool:
    """Whether *name* is written as no word of prose would be."""
    return any(c.isupper() or c == "_" for c in name) or bool(re.search(r"::|[.#\\/]|->", name))


def _named(text: str, certainty: float) -> NamedSymbol:
    *before, name = [part for part in _SEPARATOR.split(text) if part] or [text]
    return NamedSymbol(name, before[-1] if before else None, certainty)
