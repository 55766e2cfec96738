"""Options that several commands take."""

from typing import Annotated

import typer

from code_indexer.cli.completion import complete_project
from code_indexer.errors import UsageError


def _one_form(context: typer.Context, parameter: typer.CallbackParam, wanted: bool) -> bool:
    other = "as_lines" if parameter.name == "as_json" else "as_json"
    if wanted and context.params.get(other):
        raise UsageError("--json and --jsonl exclude each other", hint="Give either")
    return wanted


Json = Annotated[
    bool, typer.Option("--json", help="One JSON document on stdout.", callback=_one_form)
]
JsonLines = Annotated[
    bool,
    typer.Option(
        "--jsonl", help="JSON lines on stdout: an object for each result.", callback=_one_form
    ),
]
Open = Annotated[bool, typer.Option("--open", help="Open the best hit in your editor.")]
EditorOption = Annotated[
    str | None,
    typer.Option(
        "--editor",
        metavar="CMD",
        help="The editor for --open, which it implies. Default: $VISUAL, else $EDITOR.",
    ),
]
SkipStaleCheck = Annotated[
    bool,
    typer.Option(
        "--skip-stale-check", help="Answer from the index as it is, without a look at the files."
    ),
]
NoRedact = Annotated[
    bool, typer.Option("--no-redact", help="Show secrets, such as tokens and keys, unmasked.")
]
ProjectOption = Annotated[
    list[str] | None,
    typer.Option(
        "--project",
        "-p",
        metavar="X",
        help="A path, slug or name; repeatable. Default: the one around the working directory,"
        " else all.",
        autocompletion=complete_project,
    ),
]
ProjectArgument = Annotated[
    str,
    typer.Argument(
        help="The project: a folder, a slug or a name.", autocompletion=complete_project
    ),
]
Limit = Annotated[int, typer.Option("--limit", "-n", help="At most so many results, from 1.")]
