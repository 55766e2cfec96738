"""The command that searches while one types: its loop, and the thread that asks."""

import sys
import threading
import time
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from code_indexer.cli.options import ProjectOption
from code_indexer.cli.progress import progress_on
from code_indexer.cli.scopes import scope_of
from code_indexer.cli.session import Session, is_fancy
from code_indexer.errors import CodeIndexerError, UsageError

if TYPE_CHECKING:
    from code_indexer.cli.browse_view import Preview, View
    from code_indexer.cli.screen_keys import Key, Screen
    from code_indexer.core.asking import Scope
    from code_indexer.core.results import SearchAnswer
    from code_indexer.core.services import Services
    from code_indexer.types import SearchHit

_PAUSE_SECONDS = 0.04
"""A key that follows sooner is part of the same query."""
_LOOK_SECONDS = 2.0
"""Between two looks for changed files; queries in between are answered at once."""
_MOST_HITS = 50


def register(app: typer.Typer) -> None:
    """Add the command to *app*."""
    app.command("browse")(browse)


def browse(
    context: typer.Context,
    query: Annotated[str, typer.Argument(help="What to begin with.")] = "",
    project: ProjectOption = None,
    all_projects: Annotated[bool, typer.Option("--all", help="Search every project.")] = False,
    editor: Annotated[
        str | None,
        typer.Option(metavar="CMD", help="What Enter opens. Default: $VISUAL, else $EDITOR."),
    ] = None,
) -> None:
    """Search while you type: hits change with each key, beside them the code they lie in.

    Up and Down choose, Enter opens the place in the editor, Esc or Ctrl-C leaves. Tab, Ctrl-N and
    Ctrl-P move as well; Ctrl-U clears, Ctrl-W erases a word.

    Example: code-indexer browse --project ~/src/shop
    """
    session: Session = context.obj
    _require_terminal(session)
    from code_indexer.cli.screen_keys import Screen
    from code_indexer.core.asking import bring_up_to_date

    scope = scope_of(project, all_projects=all_projects)
    # Before the screen is taken: a first pass has its bar, and what is wrong its message.
    with session.services() as services, progress_on(session) as progress:
        bring_up_to_date(services, scope, progress=progress)
    screen = Screen()
    asker = _Asker(session, scope, screen)
    try:
        with screen.taken():
            _Loop(session, screen, asker, editor).run(query)
    finally:
        asker.stop()


def _require_terminal(session: Session) -> None:
    """Say what is missing where there is no screen to draw on.

    Raises:
        UsageError: stdin or stdout is no terminal, or one that cannot move its cursor.
    """
    hint = "For scripts there is: code-indexer semantic-search QUERY --jsonl"
    if not is_fancy(sys.stdin) or not is_fancy(sys.stdout):
        raise UsageError("browse needs a terminal", hint=hint)
    if sys.platform == "win32" or session.settings().terminal in ("", "dumb", "unknown"):
        raise UsageError("this terminal cannot move its cursor, which browse needs", hint=hint)


class _Asker:
    """A thread with databases of its own that answers the newest question, and no older one."""

    def __init__(self, session: Session, scope: "Scope", screen: "Screen") -> None:
        self._session = session
        self._scope = scope
        self._screen = screen
        self._changed = threading.Condition()
        self._query: str | None = None
        self._file: SearchHit | None = None
        self._is_stopped = False
        self._looked = time.monotonic()
        self.answers: deque[tuple[str, SearchAnswer, float]] = deque()
        self.previews: deque[Preview] = deque()
        self.problems: deque[BaseException] = deque()
        # Nobody waits for an answer that is no longer wanted.
        threading.Thread(target=self._run, daemon=True).start()

    def ask(self, query: str) -> None:
        """Answer *query* next, whatever was asked before."""
        with self._changed:
            self._query = query
            self._changed.notify()

    def read(self, hit: "SearchHit") -> None:
        """Read the file of *hit* for its preview, once no query waits."""
        with self._changed:
            self._file = hit
            self._changed.notify()

    def stop(self) -> None:
        """End the thread after what it is at."""
        with self._changed:
            self._is_stopped = True
            self._changed.notify()

    def _run(self) -> None:
        try:
            with self._session.services() as services:
                while self._next(services):
                    self._screen.wake()
        except BaseException as error:  # noqa: BLE001 - the loop raises it where it is seen
            self.problems.append(error)
            self._screen.wake()

    def _next(self, services: "Services") -> bool:
        """Do what is wanted next; False when nothing will be."""
        with self._changed:
            while self._query is None and self._file is None and not self._is_stopped:
                self._changed.wait()
            while self._query is not None and self._changed.wait(_PAUSE_SECONDS):
                pass
            if self._is_stopped:
                return False
            query, hit = self._query, self._file
            self._query = None
            self._file = hit if query is not None else None
        if query is not None:
            self._answer(services, query)
        elif hit is not None:
            self._preview(services, hit)
        return True

    def _answer(self, services: "Services", query: str) -> None:
        from code_indexer.core.queries import search_unrecorded
        from code_indexer.core.search_request import SearchRequest

        started = time.monotonic()
        is_fresh = started - self._looked < _LOOK_SECONDS
        request = SearchRequest(
            query=query, scope=replace(self._scope, skip_stale_check=is_fresh), limit=_MOST_HITS
        )
        try:
            answer = search_unrecorded(services, request)
        except CodeIndexerError as error:
            self.problems.append(error)
            return
        if not is_fresh:
            self._looked = time.monotonic()
        self.answers.append((query, answer, time.monotonic() - started))

    def _preview(self, services: "Services", hit: "SearchHit") -> None:
        from code_indexer.cli.browse_view import Preview

        text = services.read_text(hit.project, hit.path)
        lines = [] if text is None else [line.rstrip("\r") for line in text.split("\n")]
        self.previews.append(Preview(hit.project, hit.path, tuple(lines)))


class _Loop:
    """Keys and answers in, screens out."""

    def __init__(
        self, session: Session, screen: "Screen", asker: _Asker, editor: str | None
    ) -> None:
        self._session = session
        self._screen = screen
        self._asker = asker
        self._editor = editor

    def run(self, query: str) -> None:
        """Until somebody leaves."""
        from code_indexer.cli.browse_view import View
        from code_indexer.rendering import working_directory

        view = View(query=query, cursor=len(query), here=working_directory())
        if query.strip():
            self._asker.ask(query)
        while True:
            self._draw(view)
            for key in self._screen.pressed():
                if key.name == "leave":
                    return
                view = self._after(view, key)
            view = self._told(view)

    def _after(self, view: "View", key: "Key") -> "View":
        from code_indexer.cli.browse_view import page_rows, pressed

        if key.name == "enter":
            return self._opened(view)
        if key.name == "suspend":
            self._screen.suspend()
            return view
        new = pressed(view, key, page=page_rows(*self._screen.size))
        if new.query != view.query and new.query.strip():
            self._asker.ask(new.query)
        return self._previewed(new)

    def _told(self, view: "View") -> "View":
        """The view with what the thread has found out meanwhile."""
        from code_indexer.cli.browse_view import answered

        while self._asker.problems:
            problem = self._asker.problems.popleft()
            if not isinstance(problem, CodeIndexerError):
                raise problem
            view = replace(view, problem=f"{problem.message}. {problem.hint}".strip())
        while self._asker.answers:
            query, answer, seconds = self._asker.answers.popleft()
            if view.query.strip() and query == view.query:
                view = answered(view, answer, seconds)
        while self._asker.previews:
            view = replace(view, preview=self._asker.previews.popleft())
        return self._previewed(view)

    def _previewed(self, view: "View") -> "View":
        """Have the chosen hit's file read, unless that is the one at hand."""
        hit, shown = view.chosen, view.preview
        if hit is None or (shown and (shown.project, shown.path) == (hit.project, hit.path)):
            return view
        self._asker.read(hit)
        return view

    def _opened(self, view: "View") -> "View":
        from code_indexer.cli.editors import find_editor

        hit = view.chosen
        if hit is None:
            return view
        try:
            editor = find_editor(self._session, self._editor)
            with self._screen.given_back():
                editor.open(f"{hit.project}/{hit.path}", hit.start_line)
        except UsageError as error:
            return replace(view, problem=f"{error.message}. {error.hint}")
        # The file may have been changed.
        return replace(view, preview=None, problem="")

    def _draw(self, view: "View") -> None:
        from rich.text import Text

        from code_indexer.cli.browse_view import screen_rows
        from code_indexer.cli.terminal import terminal_console

        width, height = self._screen.size
        rows, column = screen_rows(view, width, height)
        console = terminal_console()
        with console.capture() as drawn:
            console.print(Text("\n").join(rows), end="")
        lines = drawn.get().replace("\n", "\x1b[K\r\n")
        sys.stdout.write(f"\x1b[?25l\x1b[H{lines}\x1b[K\x1b[1;{column + 1}H\x1b[?25h")
        sys.stdout.flush()
