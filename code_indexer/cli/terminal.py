"""Answers for people at a terminal: colour and highlighted snippets."""

import os
import re
from urllib.parse import quote

from rich.console import Console
from rich.syntax import Syntax
from rich.text import Text

from code_indexer.core.results import SearchAnswer
from code_indexer.rendering import (
    explanation_lines,
    search_footer,
    shown_path,
    visible,
    working_directory,
)
from code_indexer.types import SearchHit

_MAX_SNIPPET_LINES = 14
_PLACE = re.compile(r"(.+?):(\d+): ")
_LEXERS = {"csharp": "csharp", "tsx": "tsx", "hcl": "terraform", "proto": "protobuf", "vue": "html"}


def print_search(answer: SearchAnswer, *, explain: bool = False) -> None:
    """Each hit as a coloured heading and a highlighted snippet with its line numbers."""
    console = terminal_console()
    here = working_directory()
    for hit in answer.results:
        console.print(_heading(hit, here))
        lines = visible(hit.snippet).split("\n")
        # With the soft wrap of the console, what is beyond the right edge would be lost.
        console.print(_snippet(hit, lines[:_MAX_SNIPPET_LINES]), soft_wrap=False)
        if len(lines) > _MAX_SNIPPET_LINES:
            left_out = len(lines) - _MAX_SNIPPET_LINES
            console.print(Text(f"  … {left_out} more lines", style="dim"))
        if hit.also:
            spans = ", ".join(f"{start}-{end}" for start, end in hit.also)
            console.print(Text(f"  also: {spans}", style="dim"))
        if explain:
            for line in explanation_lines(hit):
                console.print(Text(line, style="dim"))
        console.print()
    if answer.results or answer.left_out:
        console.print(Text(search_footer(answer), style="dim"))


def print_places(text: str) -> None:
    """Lines that begin with ``path:line:``: the place stands out and leads to its file."""
    console = terminal_console()
    for line in text.splitlines():
        shown = Text(line)
        found = _PLACE.match(line)
        if found is None:
            shown.stylize("dim")
        else:
            link = file_link(os.path.realpath(found[1]))
            shown.stylize(f"magenta {link}".strip(), 0, found.end(1))
            shown.stylize("green", found.start(2), found.end(2))
        console.print(shown)


def terminal_console() -> Console:
    """stdout, with as much colour as it and the user want."""
    console = Console(highlight=False, soft_wrap=True)
    # Rich leaves out the colours then, but not bold and dim.
    return (
        Console(highlight=False, soft_wrap=True, color_system=None) if console.no_color else console
    )


def lexer_of(language: str | None) -> str:
    """What the highlighter calls one of our languages."""
    return _LEXERS.get(language or "", language or "text")


def file_link(path: str) -> str:
    """The style that makes a text lead to a file, on terminals that know links."""
    if not path.isprintable():
        return ""
    return f"link file://{quote(path.encode('utf-8', 'surrogateescape'))}"


def _heading(hit: SearchHit, here: str | None) -> Text:
    path = shown_path(hit.project, hit.path, here)
    link = file_link(f"{hit.project}/{hit.path}")
    heading = Text()
    heading.append(path, style=f"bold magenta {link}".strip())
    heading.append(f":{hit.start_line}-{hit.end_line}", style="green")
    for word, style in ((hit.kind, "dim"), (hit.symbol, "bold")):
        if word:
            heading.append("  " if style == "dim" else " ")
            heading.append(visible(word, keep=""), style=style)
    return heading


def _snippet(hit: SearchHit, lines: list[str]) -> Syntax:
    return Syntax(
        "\n".join(lines),
        lexer_of(hit.language),
        line_numbers=True,
        start_line=hit.start_line,
        theme="ansi_dark",
        background_color="default",
        word_wrap=True,
    )
