"""Documents that mix languages, taken apart into layers."""

from collections.abc import Sequence

from code_indexer.parsing.layers import MixedDocument
from code_indexer.parsing.lines import split_lines
from code_indexer.parsing.markdown import find_headings, section_cuts, sections
from code_indexer.parsing.markup import markup_document
from code_indexer.parsing.notebook import notebook_document

_MARKUP_LANGUAGES = {"vue", "svelte", "html"}


def mixed_document(
    text: str, language: str | None, *, time_limit_seconds: float = 5.0
) -> MixedDocument | None:
    """*text* taken apart, or None where its language is not one that holds others."""
    if language == "markdown":
        return _markdown_document(split_lines(text))
    if language == "notebook":
        return notebook_document(text, time_limit_seconds=time_limit_seconds)
    if language in _MARKUP_LANGUAGES:
        return markup_document(text)
    return None


def _markdown_document(lines: Sequence[str]) -> MixedDocument:
    headings = find_headings(lines)
    return MixedDocument(
        lines,
        range(1, len(lines) + 1),
        cuts=section_cuts(lines, headings),
        sections=sections(headings, len(lines)),
    )
