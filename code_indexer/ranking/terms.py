"""Code-aware terms: what a text, a query or a path becomes in the lexical index.

An identifier gives its parts (``getUserById`` and ``get_user_by_id``: ``get user by id``), each cut
to its stem, and, when it has several, the whole of it in one term (``getuserbyid``). Terms hold
letters and digits only, so that any tokenizer keeps them in one piece.
"""

import re
import unicodedata
from collections.abc import Iterable

from code_indexer.ranking.stems import stem

_MAX_RUN_CHARS = 96
_MAX_PARTS = 24
# Distinct runs of a tree are few; a hostile tree must not fill the memory.
_MAX_CACHED_RUNS = 300_000

_RUN = re.compile(r"\w+")
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_WIDE_PART = re.compile(r"[^\W\d_]+|\d+")
_CASE_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[^A-Z\d_]+|[A-Z]+|\d+")
# Scripts written without blanks: kana, Han, Hangul syllables, Thai and their neighbours.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"
                       "\uf900-\ufaff\U00020000-\U0003ffff]+")  # fmt: skip
_COMBINING = re.compile("[\u0300-\u036f]+")

_STOP_WORD_TEXT = """
a an and are as at be by can do does for from has have how i if in into is it its me my not of on or
our that the their then there this to was we were what when where which who why will with you your
via using used uses use
"""
_STOP_WORDS = frozenset(_STOP_WORD_TEXT.split())


def document_terms(text: str) -> str:
    """The terms of a stored text, in order, with blanks between."""
    return " ".join(filter(None, map(_CACHE.__getitem__, _runs(text))))


def query_terms(text: str) -> list[str]:
    """The terms of a query, each once; words such as "how" and "the" are left out.

    A query of nothing but such words keeps them.
    """
    runs = _runs(text)
    telling = [run for run in runs if run.lower() not in _STOP_WORDS] or runs
    terms = (term for run in telling for term in _CACHE[run].split())
    return list(dict.fromkeys(terms))


def word_terms(text: str) -> list[str]:
    """The stems of all parts of *text*, without whole identifiers, each once."""
    parts = (part for run in _runs(text) for part in _parts(run))
    return list(dict.fromkeys(stem(part) for part in parts))


def other_notations(name: str) -> tuple[str, ...]:
    """*name* in lower case as camel, snake and kebab case have it, each once."""
    parts = _parts(name)
    forms = ("".join(parts), "_".join(parts), "-".join(parts))
    return tuple(form for form in dict.fromkeys(forms) if form and form != name.lower())


def is_stop_word(word: str) -> bool:
    """Whether *word* says nothing about what is looked for."""
    return word.lower() in _STOP_WORDS


def _runs(text: str) -> list[str]:
    return _RUN.findall(text if text.isascii() else unicodedata.normalize("NFC", text))


class _RunCache(dict[str, str]):
    """Terms of the runs seen so far: millions of runs in a tree are a few thousand words."""

    def __missing__(self, run: str) -> str:
        terms = " ".join(_terms_of_run(run))
        if len(run) <= _MAX_RUN_CHARS:
            if len(self) >= _MAX_CACHED_RUNS:
                self.clear()
            self[run] = terms
        return terms


_CACHE = _RunCache()


def _terms_of_run(run: str) -> list[str]:
    parts = _parts(run)
    terms = [stem(part) for part in parts]
    if len(parts) > 1 and len(run) <= _MAX_RUN_CHARS and run.isascii():
        terms.append("".join(parts))
    return terms


def _parts(run: str) -> list[str]:
    """The lower-case parts of one identifier or word."""
    if run.isascii():
        return [part.lower() for part in _PART.findall(run)[:_MAX_PARTS]]
    wide = (piece for word in _WIDE_PART.findall(run) for piece in _wide_parts(word))
    return list(wide)[: _MAX_RUN_CHARS * 2]


def _wide_parts(word: str) -> Iterable[str]:
    """Parts of a run beyond ASCII: pairs of characters where blanks are not written."""
    at = 0
    for unspaced in _UNSPACED.finditer(word):
        yield from _spelled_parts(word[at : unspaced.start()])
        yield from _pairs(unspaced.group())
        at = unspaced.end()
    yield from _spelled_parts(word[at:])


def _pairs(text: str) -> Iterable[str]:
    if len(text) == 1:
        return [text]
    return (text[at : at + 2] for at in range(len(text) - 1))


def _spelled_parts(word: str) -> Iterable[str]:
    """Lower-case parts without accents, as they are written by people in a hurry."""
    plain = _COMBINING.sub("", unicodedata.normalize("NFKD", word))
    words = _WIDE_PART.findall(unicodedata.normalize("NFC", plain))
    return (part.casefold() for word in words for part in _CASE_PART.findall(word))
