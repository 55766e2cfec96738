"""Commands that turn a name into places."""

import shlex
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from code_indexer.cli.editors import Editor, wanted_editor
from code_indexer.cli.options import (
    EditorOption,
    Json,
    JsonLines,
    Limit,
    NoRedact,
    Open,
    ProjectOption,
    SkipStaleCheck,
)
from code_indexer.cli.progress import progress_on
from code_indexer.cli.scopes import scope_of
from code_indexer.cli.session import Session, is_fancy
from code_indexer.indexing.progress import ReportProgress

if TYPE_CHECKING:
    from code_indexer.core.asking import Scope
    from code_indexer.core.results import SymbolsFound
    from code_indexer.core.services import Services

_Name = Annotated[
    str, typer.Argument(help="Bare (refresh), qualified (Session.refresh) or path:line.")
]
_NameOfProject = Annotated[
    list[str] | None,
    typer.Option("--name", metavar="X", help="The same as --project, by the project's name."),
]
_AllProjects = Annotated[bool, typer.Option("--all", help="Ask every project.")]
_SymbolType = Annotated[
    str | None,
    typer.Option(
        metavar="TYPE", help="Only this kind: function, method, class, …; commas between."
    ),
]


def register(app: typer.Typer) -> None:
    """Add the commands to *app*."""
    app.command("find-symbol")(find_symbol)
    app.command("find-definition")(find_definition)
    app.command("find-references")(find_references)
    app.command("get-code-context")(get_code_context)


def find_symbol(
    context: typer.Context,
    name: _Name,
    symbol_type: _SymbolType = None,
    project: ProjectOption = None,
    project_name: _NameOfProject = None,
    all_projects: _AllProjects = False,
    limit: Limit = 20,
    open_best: Open = False,
    editor: EditorOption = None,
    as_json: Json = False,
    as_lines: JsonLines = False,
    skip_stale_check: SkipStaleCheck = False,
) -> None:
    """Find symbols by name: exact, then in any case, then as part of a name.

    Example: code-indexer find-symbol Session.refresh --symbol-type method
    """
    from code_indexer.core.symbols import find_symbol as operation

    _find(
        context.obj,
        lambda services, scope, progress: operation(
            services, name, scope, symbol_type=symbol_type, limit=limit, progress=progress
        ),
        _scope(project, project_name, all_projects=all_projects, skip_stale_check=skip_stale_check),
        as_json=as_json,
        as_lines=as_lines,
        editor=wanted_editor(context.obj, is_wanted=open_best, named=editor),
    )


def find_definition(
    context: typer.Context,
    name: _Name,
    symbol_type: _SymbolType = None,
    project: ProjectOption = None,
    project_name: _NameOfProject = None,
    all_projects: _AllProjects = False,
    limit: Limit = 200,
    open_best: Open = False,
    editor: EditorOption = None,
    as_json: Json = False,
    as_lines: JsonLines = False,
    skip_stale_check: SkipStaleCheck = False,
) -> None:
    """Find where exactly this name is defined.

    Example: code-indexer find-definition Session
    """
    from code_indexer.core.symbols import find_definition as operation

    _find(
        context.obj,
        lambda services, scope, progress: operation(
            services, name, scope, symbol_type=symbol_type, limit=limit, progress=progress
        ),
        _scope(project, project_name, all_projects=all_projects, skip_stale_check=skip_stale_check),
        as_json=as_json,
        as_lines=as_lines,
        editor=wanted_editor(context.obj, is_wanted=open_best, named=editor),
    )


def find_references(
    context: typer.Context,
    name: _Name,
    relationship: Annotated[
        Literal["calls", "inherits", "includes", "references"] | None,
        typer.Option(help="Only this relationship; includes are imports."),
    ] = None,
    project: ProjectOption = None,
    project_name: _NameOfProject = None,
    all_projects: _AllProjects = False,
    limit: Limit = 25,
    open_best: Open = False,
    editor: EditorOption = None,
    as_json: Json = False,
    as_lines: JsonLines = False,
    skip_stale_check: SkipStaleCheck = False,
) -> None:
    """Find who uses a name, surest first, grouped by what it means.

    Example: code-indexer find-references refresh_token --relationship calls
    """
    from code_indexer.core.symbols import find_references as operation
    from code_indexer.rendering import working_directory
    from code_indexer.symbol_rendering import references_document, references_text

    session: Session = context.obj
    opener = wanted_editor(session, is_wanted=open_best, named=editor)
    scope = _scope(
        project, project_name, all_projects=all_projects, skip_stale_check=skip_stale_check
    )
    with session.services() as services, progress_on(session) as progress:
        found = operation(
            services, name, scope, relationship=relationship, limit=limit, progress=progress
        )
    if as_json or as_lines:
        session.say_data(references_document(found), "results", as_lines=as_lines)
    else:
        _say_places(session, references_text(found, working_directory()))
        if found.total > len(found.results):
            session.note(f"{found.total - len(found.results)} more; raise --limit to see them")
        if found.results and not found.definitions:
            session.note(f"{name} is not defined in the project; these places name it")
    _remark(session, found.query, found.warnings, found.suggestions, is_empty=not found.results)
    session.note_elsewhere(found.projects, is_chosen=bool(scope.projects) or scope.all_projects)
    if opener is not None and found.results:
        best = found.results[0]
        place = best.use.found
        opener.open(f"{best.project}/{place.path}", place.reference.line)


def get_code_context(
    context: typer.Context,
    file: Annotated[
        str, typer.Argument(help="A file of the project; with lines: PATH:LINE, PATH:FIRST-LAST.")
    ],
    start_line: Annotated[int | None, typer.Option(help="First line, from 1.")] = None,
    end_line: Annotated[int | None, typer.Option(help="Last line, itself included.")] = None,
    symbol: Annotated[
        str | None, typer.Option(metavar="NAME", help="The lines of this symbol of the file.")
    ] = None,
    context_lines: Annotated[int, typer.Option(help="Lines more on both sides.")] = 0,
    no_redact: NoRedact = False,
    project: ProjectOption = None,
    project_name: _NameOfProject = None,
    open_best: Open = False,
    editor: EditorOption = None,
    as_json: Json = False,
    skip_stale_check: SkipStaleCheck = False,
) -> None:
    """Print lines of a file as it is now: a range, or a symbol's.

    Example: code-indexer get-code-context src/auth.py --symbol Session.refresh
    """
    from code_indexer.core.code_context import get_code_context as operation
    from code_indexer.symbol_rendering import context_document, context_text

    session: Session = context.obj
    opener = wanted_editor(session, is_wanted=open_best, named=editor)
    with session.services() as services:
        answer = operation(
            services,
            file,
            _scope(project, project_name, skip_stale_check=skip_stale_check),
            start_line=start_line,
            end_line=end_line,
            symbol=symbol,
            context_lines=context_lines,
            with_secrets=no_redact,
        )
    if as_json:
        session.say_json(context_document(answer))
    else:
        session.say(context_text(answer))
    if answer.context.truncated:
        session.note(f"cut after line {answer.context.end_line}; ask for a smaller range")
    if opener is not None:
        shown = answer.context
        line = shown.symbol.name_line if shown.symbol else shown.start_line
        opener.open(f"{answer.project.root}/{shown.path}", line)


def _find(
    session: Session,
    operation: "Callable[[Services, Scope, ReportProgress], SymbolsFound]",
    scope: "Scope",
    *,
    as_json: bool,
    as_lines: bool,
    editor: Editor | None,
) -> None:
    from code_indexer.rendering import working_directory
    from code_indexer.symbol_rendering import symbols_document, symbols_text

    with session.services() as services, progress_on(session) as progress:
        found = operation(services, scope, progress)
    if as_json or as_lines:
        session.say_data(symbols_document(found), "results", as_lines=as_lines)
    else:
        _say_places(session, symbols_text(found, working_directory()))
        if found.match == "substring":
            session.note("nothing has exactly this name; these names hold it")
        if found.total > len(found.results):
            session.note(f"{found.total - len(found.results)} more; raise --limit to see them")
    _remark(session, found.query, found.warnings, found.suggestions, is_empty=not found.results)
    session.note_elsewhere(found.projects, is_chosen=bool(scope.projects) or scope.all_projects)
    if editor is not None and found.results:
        best = found.results[0]
        editor.open(f"{best.project}/{best.found.path}", best.found.symbol.name_line)


def _say_places(session: Session, text: str) -> None:
    if not is_fancy(sys.stdout):
        session.say(text)
        return
    from code_indexer.cli.terminal import print_places

    print_places(text)


def _scope(
    project: list[str] | None,
    project_name: list[str] | None,
    *,
    all_projects: bool = False,
    skip_stale_check: bool,
) -> "Scope":
    return scope_of(
        [*(project or ()), *(project_name or ())],
        all_projects=all_projects,
        skip_stale_check=skip_stale_check,
    )


def _remark(
    session: Session,
    name: str,
    warnings: tuple[str, ...],
    suggestions: tuple[str, ...],
    *,
    is_empty: bool,
) -> None:
    session.warn(warnings)
    if is_empty:
        session.note(
            f"nothing found; did you mean {' or '.join(suggestions)}?"
            if suggestions
            else f"nothing found; search by words as well: code-indexer search {shlex.quote(name)}"
        )
