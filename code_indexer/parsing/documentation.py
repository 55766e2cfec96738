"""Documentation of a definition: the comment above it, and the first sentence of a text."""

import re
from typing import NamedTuple

from code_indexer.parsing.rules import LanguageRules
from code_indexer.parsing.source import Source

# `e.g.` and its like end no sentence.
_SENTENCE = re.compile(
    r"(.+?(?<!\be\.g)(?<!\bi\.e)(?<!\bcf)(?<!\bvs)[.!?])(?=\s|$)", re.DOTALL | re.IGNORECASE
)
_MARKUP = re.compile(
    # Haskell writes `-- | This.` and `{-| This. -}`.
    r"^(?:\{-|[ \t/*#!;%-])+(?:\|(?=[\s\w]))?|(?:[ \t*/]+|\s*-\})$|</?[a-zA-Z][^<>\n]*>",
    re.MULTILINE,
)
_OPENING_QUOTES = re.compile(r"[a-zA-Z~]*(?:\"\"\"|'''|\"|')")
_QUOTES = ('"""', "'''", '"', "'")
_HEREDOC = b'"""'
_MAX_DOCUMENTATION = 240
_MAX_ATTRIBUTE_LINES = 40
_OPENING = (b"(", b"[", b"{")
_CLOSING = (b")", b"]", b"}")
_BLANKS = (b" ", b"\t")
# The first sentence is all that is kept of a comment.
_MAX_COMMENT_BYTES = 500


class CommentAbove(NamedTuple):
    """Where a definition starts once its comment is counted, and what the comment says."""

    start_line: int
    text: str
    attributes: str = ""
    """Lines of attributes among the comment."""


def doc_comment_above(source: Source, line: int, rules: LanguageRules) -> CommentAbove | None:
    """The comment and attribute lines that stand directly above *line*, if there are any."""
    data, starts = source.data, source.line_starts
    first = line
    comments: list[bytes] = []
    attributes: list[str] = []
    while first > 1:
        start, end = starts[first - 2], starts[first - 1]
        above = data[start:end].strip()
        if not above or above.startswith(rules.inner_comments):
            break
        if above.startswith(rules.comment_starts):
            comments.append(above)
            first -= 1
        elif rules.block_end and above.endswith(rules.block_end):
            opened = data.rfind(rules.block_start, 0, end)
            first_of_block = source.line_of(opened)
            if opened < 0 or data[starts[first_of_block - 1] : opened].strip():
                break
            if not data.startswith(rules.pragmas, opened):
                comments.append(data[opened:end])
            first = first_of_block
        elif rules.doc_attribute is not None and (
            attribute := _doc_attribute(source, first - 1, rules.doc_attribute)
        ):
            first, text_of_attribute = attribute
            comments.append(text_of_attribute)
        elif rules.attribute_line is not None:
            line_above = above.decode("utf-8", "replace")
            if rules.attribute_line.match(line_above) is not None:
                attributes.append(line_above)
                first -= 1
            elif long := _long_attribute(source, first - 1, line, rules):
                first, text = long
                attributes.append(text)
            else:
                break
        else:
            break
    if first == line:
        return None
    comment = b"\n".join(reversed(comments))[:_MAX_COMMENT_BYTES]
    text = _MARKUP.sub("", comment.decode("utf-8", "replace")) if comment else ""
    return CommentAbove(first, text, "\n".join(attributes))


def _doc_attribute(
    source: Source, last: int, opening: re.Pattern[bytes]
) -> tuple[int, bytes] | None:
    """First line and text of the attribute that ends on line *last* and documents what follows."""
    data, start = source.data, source.line_start(last)
    end = data.find(b"\n", start)
    first = last
    if data[start:end].strip() == _HEREDOC:
        first = source.line_of(max(data.rfind(_HEREDOC, 0, start), 0))
    found = opening.match(data, source.line_start(first), end)
    return None if found is None else (first, data[found.end() : end].rstrip(b'" \t\r'))


def _long_attribute(
    source: Source, last: int, line: int, rules: LanguageRules
) -> tuple[int, str] | None:
    """First line and text of the attribute of several lines that ends on line *last*.

    The lines after its first are within its brackets, or, where a language has none, indented
    deeper than the definition on *line* is.
    """
    data, starts = source.data, source.line_starts
    ends = rules.attribute_ends
    margin = _indentation(data, starts[line - 1])
    open_brackets = 0
    for first in range(last, max(0, last - _MAX_ATTRIBUTE_LINES), -1):
        start, end = starts[first - 1], starts[first] if first < len(starts) else len(data)
        text = data[start:end].strip()
        if not text or (first == last and ends and not text.endswith(ends)):
            return None
        if ends:
            open_brackets += sum(map(text.count, _CLOSING)) - sum(map(text.count, _OPENING))
            is_first = open_brackets <= 0
        else:
            is_first = _indentation(data, start) <= margin
        if is_first:
            whole = " ".join(data[start : starts[last]].decode("utf-8", "replace").split())
            is_attribute = rules.attribute_line is not None and rules.attribute_line.match(whole)
            return (first, whole) if is_attribute and first < last else None
    return None


def _indentation(data: bytes, start: int) -> int:
    """How many blanks the line that begins at *start* begins with."""
    at = start
    while data[at : at + 1] in _BLANKS:
        at += 1
    return at - start


def first_sentence(text: str) -> str:
    """The first sentence of *text* on one line, without quotes and comment marks."""
    if not text:
        return ""
    bare = _without_quotes(text[:_MAX_COMMENT_BYTES].strip()).strip()
    paragraph = bare.partition("\n\n")[0]
    joined = " ".join(paragraph.split())
    found = _SENTENCE.match(joined)
    sentence = found.group(1) if found else joined
    return sentence[:_MAX_DOCUMENTATION]


def _without_quotes(text: str) -> str:
    opening = _OPENING_QUOTES.match(text)
    if opening is not None:
        text = text[opening.end() :]
    for quote in _QUOTES:
        if text.endswith(quote):
            return text[: -len(quote)]
    return text
