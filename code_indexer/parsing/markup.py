"""Markup with scripts and styles in it: Vue and Svelte components, HTML pages."""

import re
from collections.abc import Sequence

from code_indexer.parsing.layers import Layer, MixedDocument
from code_indexer.parsing.lines import split_lines
from code_indexer.parsing.partition import FREE

_BLOCK = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|<(script|style)\b((?:[^<>\"']++|\"[^\"]{0,2000}+\"|'[^']{0,2000}+'){0,100}+)>"
    r"(.*?)(?:</\1\s*>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_LANG = re.compile(r"(?<![\w-])(lang|type)\s*=\s*[\"']?([\w/+.-]+)", re.IGNORECASE)
_BLOCK_LANGUAGES = {
    ("script", ""): "javascript",
    ("script", "js"): "javascript",
    ("script", "jsx"): "javascript",
    ("script", "module"): "javascript",
    ("script", "text/javascript"): "javascript",
    ("script", "application/javascript"): "javascript",
    ("script", "text/babel"): "javascript",
    ("script", "ts"): "typescript",
    ("script", "typescript"): "typescript",
    ("script", "text/typescript"): "typescript",
    ("script", "tsx"): "tsx",
    ("style", ""): "css",
    ("style", "css"): "css",
    ("style", "text/css"): "css",
    ("style", "postcss"): "css",
    ("style", "less"): "css",
    ("style", "scss"): "scss",
}


def markup_document(text: str) -> MixedDocument:
    """*text* with a layer for its elements, and one for each language of its blocks."""
    lines = split_lines(text)
    text = "\n".join(lines)
    blocks: dict[str, list[range]] = {}
    cuts: dict[int, float] = {}
    row = reached = 0
    for found in _BLOCK.finditer(text):
        if found[1] is None:
            continue
        row += text.count("\n", reached, found.start())
        reached = found.start()
        cuts[row] = FREE
        language = _block_language(found[1], found[2])
        if language is not None:
            blocks.setdefault(language, []).append(range(*found.span(3)))
    layers = [Layer("html", text)]
    layers += [Layer(language, _only(text, spans)) for language, spans in blocks.items()]
    return MixedDocument(lines, range(1, len(lines) + 1), layers, cuts)


def _block_language(tag: str, attributes: str) -> str | None:
    said = {found[1].lower(): found[2].lower() for found in _LANG.finditer(attributes)}
    return _BLOCK_LANGUAGES.get((tag.lower(), said.get("lang", said.get("type", ""))))


def _only(text: str, spans: Sequence[range]) -> str:
    """*text* with blanks for every character outside *spans*, line feeds excepted."""
    parts: list[str] = []
    reached = 0
    for span in spans:
        parts += [_blanked(text[reached : span.start]), text[span.start : span.stop]]
        reached = span.stop
    return "".join([*parts, _blanked(text[reached:])])


def _blanked(text: str) -> str:
    return "\n".join(" " * len(line) for line in text.split("\n"))
