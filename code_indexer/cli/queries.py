"""Commands that find code."""

import sys
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from typer.core import TyperCommand

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

if TYPE_CHECKING:
    from code_indexer.core.results import SearchAnswer

_MOST_READ = 20_000
"""Characters of a query that comes from stdin; more says nothing new."""


def register(app: typer.Typer) -> None:
    """Add the commands to *app*."""
    app.command("semantic-search", cls=_SearchCommand)(semantic_search)
    app.command("find-similar")(find_similar)


class _SearchCommand(TyperCommand):
    """A command whose ``--changed`` may stand without a value, which typer does not know."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - typer's own
        """Parse; what follows ``--changed`` is its value, or the query where that is missing."""
        try:
            return super().parse_args(ctx, _with_bare_changed(args, always=False))
        except Exception as error:
            if type(error).__name__ != "MissingParameter":
                raise
            return super().parse_args(ctx, _with_bare_changed(args, always=True))


def _with_bare_changed(args: list[str], *, always: bool) -> list[str]:
    """*args* with an empty value for each ``--changed`` that has none, or for *always* each."""
    done: list[str] = []
    for at, word in enumerate(args):
        if word == "--":
            return done + args[at:]
        has_value = at + 1 < len(args) and not args[at + 1].startswith("-")
        done.append("--changed=" if word == "--changed" and (always or not has_value) else word)
    return done


def semantic_search(
    context: typer.Context,
    query: Annotated[
        str,
        typer.Argument(help="Words, a question, a name, an error message; - reads it from stdin."),
    ],
    project: ProjectOption = None,
    all_projects: Annotated[bool, typer.Option("--all", help="Search every project.")] = False,
    limit: Limit = 8,
    file_filter: Annotated[
        list[str] | None,
        typer.Option(
            metavar="GLOB",
            help="Only files that match (* ** ? [ab] {a,b}); repeatable, ! excludes.",
        ),
    ] = None,
    language: Annotated[
        list[str] | None, typer.Option(metavar="L", help="Only files in this language; repeatable.")
    ] = None,
    content: Annotated[
        Literal["code", "docs", "config", "all"] | None,
        typer.Option(
            help="Only this kind of content. Default: all, code first, documentation first where"
            " the query asks for it."
        ),
    ] = None,
    symbol_type: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TYPE",
            help="Only in this kind of symbol: function, method, class, …; repeatable, or commas"
            " between.",
        ),
    ] = None,
    changed: Annotated[
        str | None,
        typer.Option(
            metavar="[REV]",
            help="Only files that differ from this git revision (default: the last commit),"
            " uncommitted and untracked ones included.",
        ),
    ] = None,
    context_lines: Annotated[
        int, typer.Option(help="Lines to show before and after each hit.", min=0, max=1000)
    ] = 0,
    chunks: Annotated[
        bool, typer.Option("--chunks", help="Every matching chunk by itself, not one hit a file.")
    ] = False,
    adaptive_limit: Annotated[
        bool,
        typer.Option(
            "--adaptive-limit", help="Only the hits above the largest drop in the scores."
        ),
    ] = False,
    max_tokens: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="At most about so many tokens of text: neighbouring places merged, best first.",
        ),
    ] = None,
    max_wait: Annotated[
        float | None,
        typer.Option(
            metavar="S",
            min=0,
            help="Seconds to wait for the index, then answer from what there is. Default: no end.",
        ),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show where each hit came from, what moved it.")
    ] = False,
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Exit 3 when a server is down, instead of a local answer."),
    ] = False,
    no_redact: NoRedact = False,
    open_best: Open = False,
    editor: EditorOption = None,
    as_json: Json = False,
    as_lines: JsonLines = False,
    skip_stale_check: SkipStaleCheck = False,
) -> None:
    """Find code by meaning and by words.

    Without --project it searches the registered project around the working directory, else all.
    A --project folder that is not registered yet is registered and indexed first.

    Examples:
      code-indexer semantic-search "where is the token refreshed"
      code-indexer semantic-search Session -p ~/src/shop --file-filter "*.py"
      code-indexer semantic-search "retry" --changed main --max-tokens 2000
      make 2>&1 | tail -n 40 | code-indexer semantic-search -
    """
    from code_indexer.core.queries import semantic_search as operation
    from code_indexer.core.search_request import SearchRequest

    session: Session = context.obj
    opener = wanted_editor(session, is_wanted=open_best, named=editor)
    request = SearchRequest(
        query=sys.stdin.read(_MOST_READ) if query == "-" else query,
        scope=scope_of(
            project,
            all_projects=all_projects,
            max_wait=max_wait,
            skip_stale_check=skip_stale_check,
        ),
        limit=limit,
        file_filters=tuple(file_filter or ()),
        languages=tuple(language or ()),
        content=content,
        context_lines=context_lines,
        chunks=chunks,
        strict=strict,
        symbol_types=tuple(symbol_type or ()),
        changed=changed,
        adaptive_limit=adaptive_limit,
        max_tokens=max_tokens,
        with_secrets=no_redact,
    )
    with session.services() as services, progress_on(session) as progress:
        answer = operation(services, request, progress=progress)
    _print(session, answer, as_json=as_json, as_lines=as_lines, explain=explain)
    session.note_elsewhere(answer.projects, is_chosen=bool(project) or all_projects)
    _open(opener, answer)


def find_similar(
    context: typer.Context,
    place: Annotated[
        str, typer.Argument(metavar="PATH:LINE", help="A line of the code that others are like.")
    ],
    project: ProjectOption = None,
    all_projects: Annotated[
        bool, typer.Option("--all", help="Look in every project, not in that of the file alone.")
    ] = False,
    limit: Limit = 8,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show what each hit has in common with the place.")
    ] = False,
    open_best: Open = False,
    editor: EditorOption = None,
    as_json: Json = False,
    as_lines: JsonLines = False,
    skip_stale_check: SkipStaleCheck = False,
) -> None:
    """Find code like the code at one place: copies, variants, other ways to do the same.

    It is compared by meaning and by the rare words in common; a score of 1 is the same code.

    Example: code-indexer find-similar src/auth.py:42
    """
    from code_indexer.core.similar import find_similar as operation

    session: Session = context.obj
    opener = wanted_editor(session, is_wanted=open_best, named=editor)
    scope = scope_of(project, all_projects=all_projects, skip_stale_check=skip_stale_check)
    with session.services() as services, progress_on(session) as progress:
        answer = operation(services, place, scope, limit=limit, progress=progress)
    _print(session, answer, as_json=as_json, as_lines=as_lines, explain=explain)
    _open(opener, answer)


def _open(editor: "Editor | None", answer: "SearchAnswer") -> None:
    if editor is not None and answer.results:
        best = answer.results[0]
        editor.open(f"{best.project}/{best.path}", best.start_line)


def _print(
    session: Session, answer: "SearchAnswer", *, as_json: bool, as_lines: bool, explain: bool
) -> None:
    from code_indexer.rendering import (
        search_document,
        search_footer,
        search_text,
        working_directory,
    )

    if as_json or as_lines:
        found = search_document(answer, explain=explain)
        session.say_data(found, "results", as_lines=as_lines)
    elif is_fancy(sys.stdout):
        from code_indexer.cli.terminal import print_search

        print_search(answer, explain=explain)
    else:
        session.say(search_text(answer, working_directory(), explain=explain))
        if answer.results or answer.left_out:
            session.note(search_footer(answer))
    session.warn(answer.warnings)
    if not answer.results and not answer.left_out:
        session.note("no hits")
