"""Commands that look after the installation: config, stats, prune, move-project, export, import."""

import sys
import time
from typing import Annotated

import typer

from code_indexer.cli.completion import complete_project
from code_indexer.cli.options import Json, JsonLines, ProjectArgument
from code_indexer.cli.session import Session, is_fancy
from code_indexer.errors import UsageError


def register(app: typer.Typer) -> None:
    """Add the commands to *app*."""
    app.command("move-project")(move_project)
    app.command("prune")(prune)
    app.command("export")(export_index)
    app.command("import")(import_index)
    app.command("config")(config)
    app.command("stats")(stats)


def move_project(
    context: typer.Context,
    old: Annotated[
        str,
        typer.Argument(
            help="The project: its former folder, a slug or a name.",
            autocompletion=complete_project,
        ),
    ],
    new: Annotated[str, typer.Argument(help="The folder where it is now.")],
    as_json: Json = False,
) -> None:
    """Follow a folder that was moved or renamed: nothing is embedded again.

    Example: code-indexer move-project ~/src/shop ~/work/shop
    """
    from code_indexer.cli.maintenance_text import moved_document
    from code_indexer.core.upkeep import move_project as operation
    from code_indexer.rendering import visible

    session: Session = context.obj
    with session.services() as services:
        moved = operation(services, old, new)
    if as_json:
        session.say_json(moved_document(moved))
    else:
        before, after = (visible(one.root, keep="") for one in (moved.before, moved.after))
        session.say(f"moved: {before} -> {after}")


def prune(
    context: typer.Context,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Remove them without asking.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say which, and remove nothing.")
    ] = False,
    as_json: Json = False,
    as_lines: JsonLines = False,
) -> None:
    """Remove the projects whose folder does not exist any more.

    A folder on a disk that is not mounted looks gone as well: look at the list first.

    Example: code-indexer prune --dry-run
    """
    from code_indexer.cli.maintenance_text import gone_document, gone_line
    from code_indexer.core.upkeep import gone_projects, prune_projects

    session: Session = context.obj
    with session.services() as services:
        gone = gone_projects(services)
        if gone and not dry_run:
            if not yes and not _agreed(session, [gone_line(one) for one in gone]):
                raise UsageError(
                    "nothing was removed", hint="Pass --yes to remove what is gone without asking"
                )
            gone = prune_projects(services, gone)
    if as_json or as_lines:
        session.say_data(gone_document(gone, dry_run=dry_run), "projects", as_lines=as_lines)
    else:
        for one in gone:
            session.say(gone_line(one))
        if not gone:
            session.note("every project's folder is there")
    if any(one.problem for one in gone):
        raise typer.Exit(1)


def _agreed(session: Session, lines: list[str]) -> bool:
    for line in lines:
        session.note(line)
    if not is_fancy(sys.stdin) or not is_fancy(sys.stderr):
        return False
    return typer.confirm("Remove these projects and their indexes?", err=True)


def export_index(
    context: typer.Context,
    project: ProjectArgument,
    file: Annotated[str, typer.Argument(help="The file to write.")],
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
    as_json: Json = False,
) -> None:
    """Write a project's index into one file, for another computer or for CI.

    The file holds the indexed text of the code: share it as you share the code.

    Example: code-indexer export ~/src/shop shop.cidx
    """
    from code_indexer.cli.maintenance_text import exported_document
    from code_indexer.core.transfer import export_index as operation
    from code_indexer.rendering import size_words, visible

    session: Session = context.obj
    with session.services() as services:
        done = operation(services, project, file, overwrite=force)
    if as_json:
        session.say_json(exported_document(done))
    else:
        header = done.header
        session.say(
            f"exported: {visible(done.file, keep='')}  files={header.files}"
            f"  chunks={header.chunks}  size={size_words(done.file_bytes)}"
        )


def import_index(
    context: typer.Context,
    file: Annotated[str, typer.Argument(help="A file that export wrote.")],
    path: Annotated[str, typer.Argument(help="Folder of the same code here.")] = ".",
    name: Annotated[
        str | None, typer.Option(help="A name of your own. Default: as it was called.")
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Give up the index that the folder has.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Take over an exported index for a folder, without embedding anything.

    The file is checked first: form, length, sha256, tables, paths. The next query reads every file
    once and indexes those that differ.

    Example: code-indexer import shop.cidx ~/src/shop
    """
    from code_indexer.cli.maintenance_text import imported_document
    from code_indexer.core.transfer import import_index as operation
    from code_indexer.rendering import status_line

    session: Session = context.obj
    with session.services() as services:
        done = operation(services, file, path, name=name, replace=replace)
    if as_json:
        session.say_json(imported_document(done))
    else:
        session.say(status_line(done.status))
    session.warn(done.warnings)


def config(
    context: typer.Context,
    project: Annotated[
        str | None,
        typer.Option(
            "--project",
            "-p",
            metavar="X",
            help="As they hold for this project.",
            autocompletion=complete_project,
        ),
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


def stats(
    context: typer.Context,
    clear: Annotated[bool, typer.Option("--clear", help="Forget what was recorded.")] = False,
    as_json: Json = False,
) -> None:
    """Show what searches took, and what they saved against reading the files whole.

    The numbers stay in the index root; neither queries nor paths are among them. RECORD_STATS=no
    ends the recording.

    Example: code-indexer stats
    """
    from code_indexer.cli.maintenance_text import stats_document, stats_text
    from code_indexer.core.usage import clear_usage, usage_stats

    session: Session = context.obj
    with session.services() as services:
        if clear:
            clear_usage(services)
        found = usage_stats(services, now=time.time())
    if as_json:
        session.say_json(stats_document(found))
    else:
        session.say(stats_text(found))
