"""Commands that look after the installation: config."""

from typing import Annotated

import typer

from code_indexer.cli.options import Json
from code_indexer.cli.session import Session


def register(app: typer.Typer) -> None:
    """Add the commands to *app*."""
    app.command("config")(config)


def config(
    context: typer.Context,
    project: Annotated[
        str | None,
        typer.Option("--project", "-p", metavar="X", help="As they hold for this project."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show every setting, its value, and where that came from.

    Flags win over the environment, that over .code-indexer.toml of the project, that over
    config.toml in the index root.

    Example: code-indexer config --project .
    """
    from code_indexer.cli.maintenance_text import configuration_document, configuration_text
    from code_indexer.core.configuration import describe_configuration

    session: Session = context.obj
    with session.services() as services:
        found = describe_configuration(services, project)
    if as_json:
        session.say_json(configuration_document(found))
    else:
        session.say(configuration_text(found))
    for one in found.ignored:
        session.note(f"warning: {one.name} in {one.file} is ignored: {one.why}")
