"""Commands that find code."""

import sys
from typing import Annotated, Literal

import typer

from code_indexer.cli.options import Json, Limit, ProjectOption, SkipStaleCheck
from code_indexer.cli.progress import progress_on
from code_indexer.cli.session import Session, is_fancy


def register(app: typer.Typer) -> None:
    """Add the commands to *app*."""
    app.command("semantic-search")(semantic_search)


def semantic_search(
    context: typer.Context,
    query: Annotated[str, typer.Argument(help="Words, a question, a name, an error message.")],
    project: ProjectOption = None,
    all_projects: Annotated[bool, typer.Option("--all", help="Search every project.")] = False,
    limit: Limit = 8,
    file_filter: Annotated[
        list[str] | None,
        typer.Option(metavar="GLOB", help="Only files that match; repeatable, ! excludes."),
    ] = None,
    language: Annotated[
        list[str] | None, typer.Option(metavar="L", help="Only files in this language; repeatable.")
    ] = None,
    content: Annotated[
        Literal["code", "docs", "config", "all"] | None,
        typer.Option(help="Only this kind of content. Default: all, code first."),
    ] = None,
    context_lines: Annotated[
        int, typer.Option(help="Lines to show before and after each hit.", min=0, max=1000)
    ] = 0,
    chunks: Annotated[
        bool, typer.Option("--chunks", help="Every matching chunk by itself, not one hit a file.")
    ] = False,
    max_wait: Annotated[
        float | None,
        typer.Option(
            metavar="S",
            min=0,
            help="Seconds to wait for the index, then answer from what there is. Default: no end.",
        ),
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show what moved each hit.")] = False,
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Exit 3 when a server is down, instead of a local answer."),
    ] = False,
    as_json: Json = False,
    skip_stale_check: SkipStaleCheck = False,
) -> None:
    """Find code by meaning and by words.

    Without --project it searches the registered project around the working directory, else all.
    A --project folder that is not registered yet is registered and indexed first.

    Examples:
      code-indexer semantic-search "where is the token refreshed"
      code-indexer semantic-search Session --project ~/src/shop --file-filter "*.py"
    """
    from code_indexer.core.asking import Scope
    from code_indexer.core.queries import SearchRequest
    from code_indexer.core.queries import semantic_search as operation
    from code_indexer.rendering import search_document, search_text, working_directory

    session: Session = context.obj
    request = SearchRequest(
        query=query,
        scope=Scope(
            projects=tuple(project or ()),
            all_projects=all_projects,
            working_directory=working_directory(),
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
    )
    with session.services() as services, progress_on(session) as progress:
        answer = operation(services, request, progress=progress)
    if as_json:
        session.say_json(search_document(answer, explain=explain))
    elif is_fancy(sys.stdout):
        from code_indexer.cli.terminal import print_search

        print_search(answer, explain=explain)
    else:
        session.say(search_text(answer, working_directory(), explain=explain))
    for warning in answer.warnings:
        session.note(f"warning: {warning}")
    if not answer.results:
        session.note("no hits")
