"""What ``browse`` shows: its state, what keys do to it, and the rows it becomes; all pure."""

from dataclasses import dataclass, replace

from rich.cells import cell_len
from rich.style import Style
from rich.syntax import Syntax
from rich.text import Text

from code_indexer.cli.screen_keys import Key
from code_indexer.cli.terminal import lexer_of
from code_indexer.core.results import SearchAnswer
from code_indexer.rendering import shown_path, visible
from code_indexer.types import SearchHit

_PROMPT = "> "
_WIDE = 100
"""Columns from which the preview stands beside the hits; below, it stands under them."""
_LINES_ABOVE = 3
_TAB_WIDTH = 4
_HELP = "type to search; ↑ ↓ choose, Enter opens in the editor, Esc leaves"


@dataclass(frozen=True, slots=True)
class Preview:
    """The lines of one file as it is now; none where it cannot be read."""

    project: str
    path: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class View:
    """Everything that is on the screen."""

    query: str = ""
    cursor: int = 0
    """Where the next character goes, in the query."""
    hits: tuple[SearchHit, ...] = ()
    selected: int = 0
    status: str = _HELP
    problem: str = ""
    preview: Preview | None = None
    here: str | None = None
    """Working directory, which paths are shown relative to."""

    @property
    def chosen(self) -> SearchHit | None:
        """The hit that the marker stands on."""
        return self.hits[self.selected] if self.selected < len(self.hits) else None


def pressed(view: View, key: Key, *, page: int) -> View:
    """The view after a key that edits the query or moves the marker; others change nothing."""
    moves = {"up": -1, "down": 1, "page-up": -page, "page-down": page}
    if key.name in moves:
        last = max(0, len(view.hits) - 1)
        return replace(view, selected=min(last, max(0, view.selected + moves[key.name])))
    before, after = view.query[: view.cursor], view.query[view.cursor :]
    if key.name == "text":
        before += key.text
    elif key.name == "backspace":
        before = before[:-1]
    elif key.name == "delete":
        after = after[1:]
    elif key.name == "erase-word":
        before = before.rstrip()
        before = before[: before.rfind(" ") + 1]
    elif key.name == "clear":
        before = ""
    elif key.name == "left":
        before, after = before[:-1], before[-1:] + after
    elif key.name == "right":
        before, after = before + after[:1], after[1:]
    elif key.name == "home":
        before, after = "", before + after
    elif key.name == "end":
        before, after = before + after, ""
    query = before + after
    if query.strip():
        return replace(view, query=query, cursor=len(before))
    emptied = View(query=query, cursor=len(before), here=view.here)
    return replace(emptied, status=view.status) if not view.query.strip() else emptied


def answered(view: View, answer: SearchAnswer, seconds: float) -> View:
    """The view with an answer; the marker stays on its hit where that is still there."""
    kept = 0
    chosen = view.chosen
    if chosen is not None and view.selected:
        places = [(hit.project, hit.path) for hit in answer.results]
        place = (chosen.project, chosen.path)
        kept = places.index(place) if place in places else 0
    words = f"{len(answer.results)} hits, confidence {answer.confidence}, {seconds * 1000:.0f} ms"
    if not answer.results:
        words = "no hits"
    return replace(
        view,
        hits=answer.results,
        selected=kept,
        status=words,
        problem="; ".join(answer.warnings),
    )


def page_rows(width: int, height: int) -> int:
    """How many hits fit on a screen of this size."""
    body = max(1, height - 2)
    return body if width >= _WIDE else max(1, body * 2 // 5)


def screen_rows(view: View, width: int, height: int) -> tuple[list[Text], int]:
    """A text for each row, none wider than *width*, and the column of the cursor in the first."""
    first, column = _query_row(view, width)
    listed = page_rows(width, height)
    body = max(1, height - 2)
    if width >= _WIDE:
        left = width * 2 // 5
        hits = _hit_rows(view, left, listed)
        lines = _preview_rows(view, width - left - 3, body)
        rows = [_beside(hits, lines, at, left) for at in range(body)]
    else:
        rows = _hit_rows(view, width, listed)
        rows += [Text("")] * (listed - len(rows)) + [Text("─" * width, style="dim")]
        rows += _preview_rows(view, width, max(0, body - listed - 1))
    rows = [first, _status_row(view), *rows][:height]
    for row in rows:
        row.truncate(width)
    return rows + [Text("")] * (height - len(rows)), column


def _query_row(view: View, width: int) -> tuple[Text, int]:
    """The query; of one that is too long, the part around the cursor."""
    room = max(1, width - len(_PROMPT) - 1)
    start = 0
    while cell_len(view.query[start : view.cursor]) > room:
        start += 1
    row = Text().append(_PROMPT, style="bold magenta").append(visible(view.query[start:], keep=""))
    return row, len(_PROMPT) + cell_len(view.query[start : view.cursor])


def _status_row(view: View) -> Text:
    row = Text().append(visible(view.status, keep=""), style="dim")
    if view.problem:
        row.append(f"  {visible(view.problem, keep='')}", style="red")
    return row


def _hit_rows(view: View, width: int, count: int) -> list[Text]:
    top = max(0, view.selected - count + 1)
    return [
        _hit_row(hit, view.here, width, is_chosen=at == view.selected)
        for at, hit in list(enumerate(view.hits))[top : top + count]
    ]


def _hit_row(hit: SearchHit, here: str | None, width: int, *, is_chosen: bool) -> Text:
    """Symbol and place; of a long path the end is kept, as it tells most."""
    row = Text().append("▌ " if is_chosen else "  ", style="bold magenta")
    name = visible(hit.symbol or "", keep="")
    place = f"{shown_path(hit.project, hit.path, here)}:{hit.start_line}"
    room = max(8, width - 2 - (cell_len(name) + 1 if name else 0))
    room = max(room, width // 2)
    shortened = Text(place if cell_len(place) <= room else f"…{place[-(room - 1) :]}")
    shortened.stylize("bold" if is_chosen else "")
    row.append_text(shortened)
    if name:
        row.append(f" {name}", style="cyan" if is_chosen else "dim")
    return row


def _preview_rows(view: View, width: int, count: int) -> list[Text]:
    hit = view.chosen
    if hit is None or count < 1:
        return []
    first, lines = hit.start_line, hit.snippet.split("\n")
    preview = view.preview
    if preview and preview.lines and (preview.project, preview.path) == (hit.project, hit.path):
        first = max(1, hit.start_line - _LINES_ABOVE)
        lines = list(preview.lines[first - 1 : first - 1 + count])
    code = "\n".join(visible(line, keep="\t").expandtabs(_TAB_WIDTH) for line in lines[:count])
    highlighted = Syntax(code, lexer_of(hit.language), theme="ansi_dark").highlight(code)
    digits = len(str(first + count))
    rows = []
    for number, line in enumerate(highlighted.split("\n", allow_blank=True), start=first):
        is_hit = hit.start_line <= number <= hit.end_line
        row = Text().append(f"{number:>{digits}} ", style="green" if is_hit else "dim")
        row.append_text(_without_background(line))
        row.truncate(width)
        rows.append(row)
    return rows[:count]


def _without_background(line: Text) -> Text:
    """Highlighting as colours alone: the terminal's own background stays."""
    plain = Text(line.plain)
    for span in line.spans:
        if isinstance(span.style, Style):
            bare = Style(color=span.style.color, bold=span.style.bold, italic=span.style.italic)
            plain.stylize(bare, span.start, span.end)
        else:
            plain.stylize(span.style, span.start, span.end)
    return plain


def _beside(hits: list[Text], lines: list[Text], at: int, left: int) -> Text:
    row = hits[at].copy() if at < len(hits) else Text("")
    row.truncate(left, pad=True)
    row.append(" │ ", style="dim")
    return row.append_text(lines[at]) if at < len(lines) else row
