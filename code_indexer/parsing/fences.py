"""Code in the fences of a Markdown text, as one layer per language.

It is an illustration: chunks pay no heed to it, but what it defines can be found.
"""

import re
import textwrap
from collections.abc import Iterator, Sequence

from code_indexer.languages import LANGUAGES
from code_indexer.parsing.layers import Layer
from code_indexer.parsing.rules import RULES

_OPENING = re.compile(r"[ \t>]*(`{3,}|~{3,})[ \t]*\{?\.?([\w+#-]*)")
_OTHER_NAMES = {
    "py": "python",
    "python3": "python",
    "pycon": "",
    "js": "javascript",
    "jsx": "javascript",
    "mjs": "javascript",
    "ts": "typescript",
    "golang": "go",
    "rs": "rust",
    "c++": "cpp",
    "cc": "cpp",
    "cxx": "cpp",
    "c#": "csharp",
    "cs": "csharp",
    "rb": "ruby",
    "kt": "kotlin",
    "ex": "elixir",
    "exs": "elixir",
    "sh": "bash",
    "shell": "bash",
    "zsh": "bash",
    "console": "",
    "hs": "haskell",
    "tf": "hcl",
    "terraform": "hcl",
    "protobuf": "proto",
    "gql": "graphql",
}


def fenced_code(lines: Sequence[str]) -> list[Layer]:
    """The code in the fences of *lines*, where its language is known."""
    found: dict[str, list[str]] = {}
    for language, start, end in _fences(lines):
        text = found.setdefault(language, [""] * len(lines))
        text[start:end] = textwrap.dedent("\n".join(lines[start:end])).split("\n")
    return [Layer(language, "\n".join(text)) for language, text in found.items()]


def _fences(lines: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """Language, first position and the position behind the last line of each fence."""
    mark = language = ""
    start = 0
    for position, line in enumerate(lines):
        found = _OPENING.match(line)
        if found is None:
            continue
        if not mark:
            mark, start = found[1], position + 1
            name = found[2].lower()
            language = _OTHER_NAMES.get(name, name)
        elif found[1].startswith(mark) and not line.strip(" \t>").strip(mark[0]):
            if language in LANGUAGES and language in RULES and start < position:
                yield language, start, position
            mark = ""
