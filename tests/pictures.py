"""Draw docs/terminal.svg and docs/browse.svg: real commands, run on a terminal, in this repository.

uv run python tests/pictures.py [--folder DOCS]
"""

import argparse
import io
import os
import re
import shlex
import tempfile
from pathlib import Path

from rich import _export_format
from rich.console import Console
from rich.text import Text
from terminals import Terminal

ROOT = Path(__file__).resolve().parent.parent
_COLUMNS = 100
_ROWS = 26
# Written out it would be found here, in the first place.
_QUERY = re.findall(r'semantic-search "([^"]+)"', (ROOT / "README.md").read_text())[0]
COMMANDS = (
    f'code-indexer search "{_QUERY}" --limit 2',
    "code-indexer def SkippedFile",
    "code-indexer refs read_source --relationship calls --limit 3",
)
_CHARACTER_WIDTH = 12.2
_SPACED = re.compile(r'x="([\d.]+)" y="([\d.]+)" textLength="([\d.]+)"([^>]*)>((?:&#160;)+)')
# The picture names no server to load a font from.
_FORMAT = re.sub(
    r"@font-face \{\{.*?\}\}\s*", "", _export_format.CONSOLE_SVG_FORMAT, flags=re.DOTALL
)


def terminal_picture(commands, *, project, columns=_COLUMNS):
    """The commands and what each printed, as SVG."""
    console = _recording(columns)
    for line in commands:
        console.print(Text("$ ", style="bold green").append(line, style="not bold default"))
        console.print(Text.from_ansi(_printed(line, project, columns)))
    return _svg(console)


def browse_picture(query, awaited, *, project, columns=_COLUMNS, rows=_ROWS):
    """One screen of ``browse``, as SVG, once it shows what is *awaited*."""
    terminal = Terminal("browse", query, columns=columns, rows=rows, cwd=project)
    try:
        terminal.until(lambda one: any(awaited in line for line in one.screen)).settled()
        frame = [line.replace("\x1b[K", "") for line in terminal.frame]
        terminal.type("\x1b")
        terminal.end()
    finally:
        terminal.close()
    console = _recording(columns)
    console.print(
        Text.from_ansi("\n".join(re.sub(r"\x1b\[(\?|\d+;)\d+[a-zA-Z]", "", line) for line in frame))
    )
    return _svg(console)


def _printed(line, project, columns):
    terminal = Terminal(*shlex.split(line)[1:], columns=columns, cwd=project)
    try:
        assert terminal.end() == 0, terminal.drawn
        return terminal.drawn.replace("\r\n", "\n").rstrip() + "\n"
    finally:
        terminal.close()


def _recording(columns):
    return Console(
        record=True, file=io.StringIO(), width=columns, force_terminal=True, highlight=False
    )


def _svg(console):
    drawn = console.export_svg(title="code-indexer", code_format=_FORMAT, unique_id="terminal")
    drawn = _SPACED.sub(_without_leading_blanks, drawn)
    return "\n".join(line.rstrip() for line in drawn.splitlines()) + "\n"


def _without_leading_blanks(found):
    """The text where it begins: some programs leave out the blanks before it, and so shift it."""
    start, y, length, rest, blanks = found.groups()
    shift = len(blanks) / len("&#160;") * _CHARACTER_WIDTH
    left = float(length) - shift
    if left < _CHARACTER_WIDTH / 2:  # nothing but blanks
        return found[0]
    return f'x="{float(start) + shift:g}" y="{y}" textLength="{left:g}"{rest}>'


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=ROOT / "docs")
    folder = parser.parse_args().folder
    with tempfile.TemporaryDirectory() as index_root:
        os.environ["INDEX_ROOT"] = index_root
        Terminal("add-project", ROOT).end()
        picture = terminal_picture(COMMANDS, project=ROOT)
        (folder / "terminal.svg").write_text(picture, encoding="utf-8")
        picture = browse_picture("exclusive lock", "def exclusive_lock", project=ROOT)
        (folder / "browse.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
