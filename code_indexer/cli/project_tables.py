"""Projects for people at a terminal: a table of all of them, and a card for each."""

import time
from collections.abc import Mapping, Sequence

from rich import box
from rich.table import Table
from rich.text import Text

from code_indexer.cli.terminal import file_link, terminal_console
from code_indexer.core.results import ProjectStatus
from code_indexer.rendering import failed_counts, size_words, status_rows, visible

_STATE_STYLES = {
    "idle": "green",
    "indexing": "yellow",
    "interrupted": "yellow",
    "empty": "yellow",
    "failed": "bold red",
    "missing": "bold red",
    "damaged": "bold red",
}
_NARROW = 100
"""Columns below which a table keeps to what decides."""
_SHOWN_LANGUAGES = 3
_STEPS = ((60, "s"), (60, "min"), (24, "h"))


def print_projects(statuses: Sequence[ProjectStatus]) -> None:
    """A row for each project, and below it what is wrong with any."""
    console = terminal_console()
    is_narrow = console.width < _NARROW
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="dim")
    table.add_column("project", overflow="fold")
    table.add_column("state")
    for title in ("files",) if is_narrow else ("files", "chunks", "symbols"):
        table.add_column(title, justify="right")
    if not is_narrow:
        table.add_column("languages", overflow="fold")
        table.add_column("failed", justify="right")
        table.add_column("skipped", justify="right")
        table.add_column("size", justify="right", no_wrap=True)
    table.add_column("last pass", no_wrap=True)
    for status in statuses:
        table.add_row(*_cells(status, is_narrow=is_narrow))
    console.print(table, soft_wrap=False)
    for status in statuses:
        if status.problem:
            console.print(_named(status), Text(visible(status.problem), style="red"))


def print_status(statuses: Sequence[ProjectStatus]) -> None:
    """All that is known of each project, label beside value; counts by reason as tables."""
    console = terminal_console()
    for at, status in enumerate(statuses):
        if at:
            console.print()
        card = Table(box=None, pad_edge=False, show_header=False)
        card.add_column(style="dim", no_wrap=True)
        card.add_column(overflow="fold")
        for label, value in status_rows(status):
            card.add_row(label, _value(label, str(value), status))
        console.print(card, soft_wrap=False)


def ago(seconds: float) -> str:
    """How long something is past, in the largest unit that fits: ``5 min ago``."""
    amount = max(0.0, seconds)
    for size, unit in _STEPS:
        if amount < size:
            return f"{amount:.0f} {unit} ago"
        amount /= size
    return f"{amount:.0f} d ago"


def _cells(status: ProjectStatus, *, is_narrow: bool) -> list[Text | str]:
    past = "never" if status.last_indexed is None else ago(time.time() - status.last_indexed)
    counts = [status.files] if is_narrow else [status.files, status.chunks, status.symbols]
    cells: list[Text | str] = [_named(status), _state(status)]
    cells += [f"{count:,}" for count in counts]
    if not is_narrow:
        failed = sum(failed_counts(status).values())
        cells += [
            _languages(status.languages),
            Text(f"{failed}", style="red" if failed else ""),
            f"{sum(status.skipped.values())}",
            size_words(status.index_bytes),
        ]
    return [*cells, past]


def _named(status: ProjectStatus) -> Text:
    project = status.project
    link = file_link(project.root)
    if project.name is None:
        return Text().append(visible(project.root, keep=""), style=f"bold {link}".strip())
    text = Text().append(project.name, style=f"bold {link}".strip())
    return text.append(f"  {visible(project.root, keep='')}", style="dim")


def _state(status: ProjectStatus) -> Text:
    words = status.state + (f" {status.percent} %" if status.state == "indexing" else "")
    return Text(words, style=_STATE_STYLES[status.state])


def _languages(counts: Mapping[str, int]) -> str:
    names = sorted(counts, key=lambda name: (-counts[name], name))
    more = len(names) - _SHOWN_LANGUAGES
    return ", ".join(names[:_SHOWN_LANGUAGES]) + (f" +{more}" if more > 0 else "")


def _value(label: str, value: str, status: ProjectStatus) -> Text:
    styles = {
        "project": f"bold {file_link(status.project.root)}".strip(),
        "state": _STATE_STYLES[status.state],
        "failed": "red",
        "problem": "red",
        "no vector": "yellow",
    }
    return Text().append(value, style=styles.get(label, ""))
