"""Documentation of a definition: the comment above it, and the first sentence of a text."""

import re
from typing import NamedTuple

from code_indexer.parsing.rules import LanguageRules
from code_indexer.parsing.source import Source

_SENTENCE = re.compile(r"(.+?[.!?])(?=\s|$)", re.DOTALL)
_MARKUP = re.compile(r"^[\s/*#!;<>%-]+|[\s*/]+$")
_QUOTES = re.compile(r"^[a-zA-Z~]*(\"\"\"|'''|\"|')|(\"\"\"|'''|\"|')$")
_MAX_DOCUMENTATION = 240


class CommentAbove(NamedTuple):
    """Where a definition starts once its comment is counted, and what the comment says."""

    start_line: int
    text: str
    attributes: str = ""
    """Lines of attributes among the comment."""


def doc_comment_above(source: Source, line: int, rules: LanguageRules) -> CommentAbove:
    """The comment and attribute lines that stand directly above *line*."""
    first = line
    comments: list[str] = []
    attributes: list[str] = []
    while first > 1:
        above = source.line_text(first - 1).strip()
        if not above:
            break
        if rules.attribute_line is not None and rules.attribute_line.match(above):
            attributes.append(above)
            first -= 1
        elif above.startswith(rules.line_comments):
            comments.append(above)
            first -= 1
        elif rules.block_comment and above.endswith(rules.block_comment[1]):
            opened = _block_start(source, first - 1, rules.block_comment[0])
            if opened is None:
                break
            comments.extend(source.line_text(each) for each in range(first - 1, opened - 1, -1))
            first = opened
        else:
            break
    text = "\n".join(_MARKUP.sub("", each) for each in reversed(comments))
    return CommentAbove(first, text, "\n".join(attributes))


def _block_start(source: Source, line: int, opening: str) -> int | None:
    """First line of the block comment that ends in *line*, unless code stands before it."""
    for candidate in range(line, max(0, line - 400), -1):
        text = source.line_text(candidate)
        at = text.find(opening)
        if at >= 0:
            return candidate if not text[:at].strip() else None
    return None


def first_sentence(text: str) -> str:
    """The first sentence of *text* on one line, without quotes and comment marks."""
    bare = _QUOTES.sub("", text.strip()).strip()
    paragraph = bare.split("\n\n", 1)[0]
    joined = " ".join(paragraph.split())
    found = _SENTENCE.match(joined)
    sentence = found.group(1) if found else joined
    return sentence[:_MAX_DOCUMENTATION]
