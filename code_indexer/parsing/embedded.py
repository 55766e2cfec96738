"""Documents that no single grammar reads: prose, and what mixes languages."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from code_indexer.parsing.layers import MixedDocument
from code_indexer.parsing.lines import split_lines
from code_indexer.parsing.markdown import markdown_headings, prose_rows
from code_indexer.parsing.markup import markup_document
from code_indexer.parsing.notebook import notebook_document
from code_indexer.parsing.plain_prose import (
    asciidoc_headings,
    asciidoc_rows,
    rst_headings,
    rst_rows,
)
from code_indexer.parsing.prose import Heading, prose_document


@dataclass(frozen=True, slots=True)
class _Prose:
    """How a documentation language is read."""

    headings: Callable[[Sequence[str]], list[Heading]]
    rows: Callable[[Sequence[str]], Iterable[int]]
    """Positions of lines at which a paragraph may begin."""


_PROSE_LANGUAGES = {
    "markdown": _Prose(markdown_headings, prose_rows),
    "restructuredtext": _Prose(rst_headings, rst_rows),
    "asciidoc": _Prose(asciidoc_headings, asciidoc_rows),
}
_MARKUP_LANGUAGES = {"vue", "svelte", "html"}


def mixed_document(
    text: str, language: str | None, *, time_limit_seconds: float = 5.0
) -> MixedDocument | None:
    """*text* taken apart, or None where its language is not one that holds others."""
    if language in _PROSE_LANGUAGES:
        lines = split_lines(text)
        read = _PROSE_LANGUAGES[language]
        return prose_document(lines, read.headings(lines), read.rows(lines))
    if language == "notebook":
        return notebook_document(text, time_limit_seconds=time_limit_seconds)
    if language in _MARKUP_LANGUAGES:
        return markup_document(text)
    return None
