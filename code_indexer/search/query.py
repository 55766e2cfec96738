"""Reading a query: its shape, the terms, names, paths and literals in it."""

import re

from code_indexer.languages import is_data, language_of
from code_indexer.ranking.question import NamedSymbol, PathMention, QueryShape, Question
from code_indexer.ranking.terms import is_stop_word, query_terms, word_terms
from code_indexer.search.asked_names import named_symbols
from code_indexer.search.frames import frames_of, has_frames
from code_indexer.types import ContentKind

_QUOTED = re.compile(r"\"([^\"]{2,})\"|`([^`]{2,})`|(?<!\w)'([^']{3,})'(?!\w)")
# A path begins where a word does, or pasted pages would take seconds.
# Frameworks name folders "[slug]" and "(group)", and files "+page" and "$id".
_SIGN = r"(?:[\w.@~+$-]|\[[\w.@$-]+\]|\([\w.@$-]+\))"
_PATH = re.compile(
    rf"(?<![\w.@~+$/\])-])(?:{_SIGN}*/)*{_SIGN}+\.[A-Za-z]\w{{0,9}}(?::(\d+))?(?=[\s:,;)\"']|$)"
)
# "Mod.call/2" is a function and the number of its arguments.
_FOLDER = re.compile(rf"(?<!\S)(?:{_SIGN}+/)+(?!\d+(?!\S)){_SIGN}*(?!\S)")
_ERROR = re.compile(
    r"\b(?:[A-Z]\w*(?:Error|Exception)\b\s*[:(]|(?:error|panic|fatal|warning|exception)\s*:"
    r"|E[A-Z]{4,}\b|errno|undefined reference|cannot |could not |failed to |unable to |"
    r"is not (?:defined|a function)|no such )",
)

_CLASS_WORDS = {
    "test": "test tests testing spec specs tested unittest mock mocks fixture fixtures e2e",
    "example": "example examples sample samples demo demos tutorial benchmark benchmarks",
    "docs": "docs documentation",
    "legacy": "legacy deprecated compat compatibility old v1",
    "vendored": "vendor vendored third-party",
    "generated": "generated",
    "declaration": "declaration declarations stub stubs typings",
}
_CLASS_OF_WORD = {word: name for name, words in _CLASS_WORDS.items() for word in words.split()}
_PROSE_TOPICS = (
    "readme|changelog|documentation|docs|tutorials?|guides?|faq|frequently asked|getting started"
    "|release notes|cut a release|release process|code of conduct|contribut(?:e|ing|ions?)"
    "|licen[cs]es?|security policy|report (?:an? )?(?:security )?(?:vulnerability|issue|bug)"
)
_TASKS = (
    "install|contribute|upgrade|migrate|release|build|deploy|configure|set up|get started|run|use"
    "|write"
)
_DOCS_WORDS = re.compile(
    rf"\b(?:{_PROSE_TOPICS}|how (?:do|can|should) (?:i|we|you) (?:{_TASKS})"
    r"|how to (?:install|contribute|upgrade|migrate|release|build|deploy|configure|set up)"
    r"|(?:install(?:ation|ing)?|upgrad(?:e|ing)|build|usage) (?:instructions|notes|steps)"
    r"|(?:coding|code|naming) (?:style|conventions|guidelines))\b",
    re.IGNORECASE,
)

_CONFIG_WORDS = re.compile(
    r"\b(?:github actions?|gitlab ci|ci (?:workflows?|pipelines?|jobs?|config\w*)"
    r"|continuous integration|workflow file|(?:config(?:uration)?|settings|manifest) files?"
    r"|configuration (?:of|for)|(?:\w+ ){1,2}configuration$|depends? on|dependencies"
    r"|(?:build|compiler?|cmake|meson|make) options?|docker(?:file| compose| image)?|makefile|cmake"
    r"|(?:package|sdk|library|language|minimum) versions?|versions? (?:pinned|supported|required)"
    r"|pre-commit|lint(?:er|ing)? rules?)\b",
    re.IGNORECASE,
)


def read_query(text: str) -> Question:
    """Everything that retrieval and ranking want to know about *text*."""
    text = text.strip()
    literals = tuple(next(filter(None, groups)) for groups in _QUOTED.findall(text))
    paths = _path_mentions(text)
    names = named_symbols(text)
    shape = _shape(text, literals, paths, names)
    return Question(
        text=text,
        shape=shape,
        terms=tuple(query_terms(text)),
        words=_telling_words(text),
        names=names,
        paths=paths,
        literals=literals,
        wants=_wanted_classes(text),
        content=_content(text),
    )


def _shape(
    text: str,
    literals: tuple[str, ...],
    paths: tuple[PathMention, ...],
    names: tuple[NamedSymbol, ...],
) -> QueryShape:
    if has_frames(text):
        return "frame"
    if paths and len(text.split()) == 1:
        return "path"
    if names and names[0].certainty == 1:
        return "identifier"
    if literals and len(literals[0]) > len(text) / 2:
        return "literal"
    if _ERROR.search(text):
        return "error"
    return "mixed" if names or paths or literals else "prose"


def _path_mentions(text: str) -> tuple[PathMention, ...]:
    mentions: dict[str, PathMention] = {}
    for frame in frames_of(text):
        mentions.setdefault(f"{frame.path}:{frame.line}", frame)
    framed = tuple(frame.path for frame in mentions.values())
    for match in _PATH.finditer(text):
        path = match.group().partition(":")[0]
        # Without a folder only a known suffix tells "session.py" from "Session.close".
        is_file = "/" in path or language_of(path) is not None or is_data(path)
        if is_file and not any(known.endswith(path) for known in framed):
            mentions.setdefault(path, PathMention(path))
    for match in _FOLDER.finditer(text):
        mentions.setdefault(match.group(), PathMention(match.group()))
    return tuple(mentions.values())


def _telling_words(text: str) -> tuple[str, ...]:
    words = re.findall(r"\w+", text)
    telling = [word for word in words if not is_stop_word(word)] or words
    return tuple(word_terms(" ".join(telling)))


def _wanted_classes(text: str) -> frozenset[str]:
    words = re.findall(r"[a-z0-9]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", text).lower())
    return frozenset(_CLASS_OF_WORD[word] for word in words if word in _CLASS_OF_WORD)


def _content(text: str) -> ContentKind:
    if _DOCS_WORDS.search(text):
        return "docs"
    return "config" if _CONFIG_WORDS.search(text) else "code"
