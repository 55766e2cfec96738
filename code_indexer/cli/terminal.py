"""Answers for people at a terminal: colour and highlighted snippets."""

from rich.console import Console
from rich.syntax import Syntax
from rich.text import Text

from code_indexer.core.results import SearchAnswer
from code_indexer.rendering import shown_path, visible, working_directory
from code_indexer.types import SearchHit

_MAX_SNIPPET_LINES = 14
_LEXERS = {"csharp": "csharp", "tsx": "tsx", "hcl": "terraform", "proto": "protobuf", "vue": "html"}


def print_search(answer: SearchAnswer, *, explain: bool = False) -> None:
    """Each hit as a coloured heading and a highlighted snippet with its line numbers."""
    console = Console(highlight=False, soft_wrap=True)
    here = working_directory()
    for hit in answer.results:
        console.print(_heading(hit, here))
        console.print(_snippet(hit))
        if hit.also:
            spans = ", ".join(f"{start}-{end}" for start, end in hit.also)
            console.print(Text(f"  also: {spans}", style="dim"))
        if explain:
            for name, value in hit.signals:
                console.print(Text(f"  {value:+.4f} {name}", style="dim"))
        console.print()


def _heading(hit: SearchHit, here: str | None) -> Text:
    path = shown_path(hit.project, hit.path, here)
    link = f"link file://{hit.project}/{hit.path}" if hit.path.isprintable() else ""
    heading = Text()
    heading.append(path, style=f"bold magenta {link}".strip())
    heading.append(f":{hit.start_line}-{hit.end_line}", style="green")
    for word, style in ((hit.kind, "dim"), (hit.symbol, "bold")):
        if word:
            heading.append("  " if style == "dim" else " ")
            heading.append(visible(word, keep=""), style=style)
    return heading


def _snippet(hit: SearchHit) -> Syntax:
    lines = visible(hit.snippet).split("\n")
    shown = lines[:_MAX_SNIPPET_LINES]
    if len(lines) > len(shown):
        shown.append(f"… {len(lines) - len(shown)} more lines")
    return Syntax(
        "\n".join(shown),
        _LEXERS.get(hit.language or "", hit.language or "text"),
        line_numbers=True,
        start_line=hit.start_line,
        theme="ansi_dark",
        background_color="default",
        word_wrap=True,
    )
