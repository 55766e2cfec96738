"""Commands that look into answers: why a file is in one or not, and how good they are."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

import typer

from code_indexer.cli.options import Json, JsonLines, ProjectOption, SkipStaleCheck
from code_indexer.cli.progress import progress_on
from code_indexer.cli.scopes import scope_of
from code_indexer.cli.session import Session


def register(app: typer.Typer) -> None:
    """Add the commands to *app*."""
    app.command("why")(why)
    app.command("eval")(evaluate)


def why(
    context: typer.Context,
    path: Annotated[str, typer.Argument(metavar="PATH", help="A file, indexed or not.")],
    query: Annotated[
        str | None,
        typer.Option("--query", "-q", metavar="Q", help="Say where it stands in this answer."),
    ] = None,
    project: ProjectOption = None,
    as_json: Json = False,
    skip_stale_check: SkipStaleCheck = False,
) -> None:
    """Say why a file is or is not in an answer.

    It is ignored (by which rule), skipped, failed, not indexed yet, or it has a rank, with the
    signals of its best place. Without --query it says whether it is indexed.

    Example: code-indexer why src/auth.py --query "where is the token refreshed"
    """
    from code_indexer.cli.query_text import why_document, why_text
    from code_indexer.core.why import why as operation
    from code_indexer.rendering import working_directory

    session: Session = context.obj
    scope = scope_of(project, skip_stale_check=skip_stale_check)
    with session.services() as services, progress_on(session) as progress:
        about = operation(services, path, query, scope, progress=progress)
    if as_json:
        session.say_json(why_document(about))
    else:
        session.say(why_text(about, working_directory()))
    session.warn(about.warnings)


def evaluate(
    context: typer.Context,
    queries: Annotated[
        str,
        typer.Argument(
            metavar="QUERIES.jsonl",
            help='JSON lines: {"query": "...", "relevant": ["path", "path:10-20"]}.',
        ),
    ],
    project: ProjectOption = None,
    limit: Annotated[
        int, typer.Option("--limit", "-n", help="Only so many hits of each answer count.")
    ] = 10,
    mode: Annotated[
        Literal["hybrid", "lexical"], typer.Option(help="By meaning and words, or by words alone.")
    ] = "hybrid",
    compare: Annotated[
        str | None,
        typer.Option(
            metavar="hybrid|lexical|FILE",
            help="Compare with the other mode, or with the --json output of an earlier run.",
        ),
    ] = None,
    as_json: Json = False,
    as_lines: JsonLines = False,
    skip_stale_check: SkipStaleCheck = False,
) -> None:
    """Score the searches of a project by queries whose answers you know.

    Prints NDCG, recall and the reciprocal rank of each query, and their means. Save a run, change
    a setting or the model, and compare: each query tells whether it became better.

    Examples:
      code-indexer eval queries.jsonl --project shop --json > before.json
      code-indexer eval queries.jsonl --project shop --compare before.json
    """
    from code_indexer.cli.query_text import evaluation_document, evaluation_text
    from code_indexer.core import evaluation

    session: Session = context.obj
    labelled = evaluation.read_queries(_text_of(queries))
    earlier = None
    other_mode = evaluation.MODES.get(compare or "")
    if compare is not None and other_mode is None:
        earlier = evaluation.read_earlier_run(_text_of(compare), depth=limit)
    scope = scope_of(project, skip_stale_check=skip_stale_check)
    with session.services() as services, progress_on(session) as progress:
        scores = evaluation.evaluate(
            services, labelled, scope, depth=limit, mode=mode, progress=progress
        )
        if other_mode is not None:
            again = replace(scope, skip_stale_check=True)
            other = evaluation.evaluate(services, labelled, again, depth=limit, mode=other_mode)
            earlier = evaluation.ndcg_by_query(other)
    if earlier is not None:
        scores = evaluation.compared(scores, earlier, compare or "")
    if as_json or as_lines:
        session.say_data(evaluation_document(scores), "queries", as_lines=as_lines)
    else:
        session.say(evaluation_text(scores))
    session.warn(scores.warnings)


def _text_of(file: str) -> str:
    """The text of a file that the user names.

    Raises:
        UsageError: It cannot be read, or is no UTF-8 text.
    """
    from code_indexer.errors import UsageError

    try:
        return Path(file).read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise UsageError(f"{file} cannot be read: {reason}", hint="Give a readable file") from error
