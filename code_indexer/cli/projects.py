"""Commands about projects: add, look up, list, index-status, reindex, remove."""

import sys
from typing import Annotated, Literal

import typer

from code_indexer.cli.completion import complete_project
from code_indexer.cli.options import Json, JsonLines, ProjectArgument, ProjectOption, SkipStaleCheck
from code_indexer.cli.progress import progress_on, pull_model
from code_indexer.cli.session import Session, is_fancy

_NO_PROJECTS = "no projects yet; add one with: code-indexer add-project PATH"


def register(app: typer.Typer) -> None:
    """Add the commands to *app*."""
    app.command("add-project")(add_project)
    app.command("lookup-project")(lookup_project)
    app.command("list-projects")(list_projects)
    app.command("index-status")(index_status)
    app.command("reindex-project")(reindex_project)
    app.command("remove-project")(remove_project)
    app.command("migrate")(migrate)
    app.command("index-in-background", hidden=True)(index_in_background)


def add_project(
    context: typer.Context,
    path: Annotated[str, typer.Argument(help="Folder of the project.")],
    name: Annotated[str | None, typer.Option(help="A name of your own: A-Z a-z 0-9 _ -")] = None,
    background: Annotated[
        bool, typer.Option("--background", help="Return at once and index in the background.")
    ] = False,
    pull: Annotated[
        bool, typer.Option("--pull", help="Have Ollama download the model first, if it is missing.")
    ] = False,
    adopt: Annotated[
        bool,
        typer.Option("--adopt", help="Take over a Qdrant collection that this tool did not make."),
    ] = False,
    as_json: Json = False,
    skip_stale_check: SkipStaleCheck = False,
) -> None:
    """Register a folder and index it. Again, it returns the status and indexes nothing.

    Example: code-indexer add-project ~/src/shop --name shop
    """
    from code_indexer.core.projects import add_project as operation
    from code_indexer.rendering import added_document, report_line, status_line

    del skip_stale_check  # an added project is never indexed again here
    session: Session = context.obj
    with session.services() as services, progress_on(session) as progress:
        if pull:
            pull_model(session, services)
        added = operation(
            services, path, name=name, background=background, adopt=adopt, progress=progress
        )
    if added.report is not None:
        session.note(report_line(added.report))
    if as_json:
        session.say_json(added_document(added))
    else:
        session.say(status_line(added.status))


def lookup_project(
    context: typer.Context,
    path: ProjectArgument,
    as_json: Json = False,
    as_lines: JsonLines = False,
    skip_stale_check: SkipStaleCheck = False,
) -> None:
    """Say in one line whether a folder is registered, and as what.

    Example: code-indexer lookup-project ~/src/shop
    """
    from code_indexer.core.projects import lookup_project as operation
    from code_indexer.rendering import projects_document, status_line, visible

    del skip_stale_check  # nothing is brought up to date here
    session: Session = context.obj
    with session.services() as services:
        status = operation(services, path)
    if as_json or as_lines:
        found = projects_document([] if status is None else [status])
        session.say_data(found, "projects", as_lines=as_lines)
    else:
        session.say(
            f"not registered: {visible(path, keep='')}" if status is None else status_line(status)
        )


def list_projects(
    context: typer.Context,
    as_json: Json = False,
    as_lines: JsonLines = False,
    skip_stale_check: SkipStaleCheck = False,
) -> None:
    """List every registered project: a table on a terminal, else a line each.

    Example: code-indexer list-projects --jsonl
    """
    from code_indexer.core.projects import list_projects as operation
    from code_indexer.rendering import projects_document, status_line

    del skip_stale_check  # nothing is brought up to date here
    session: Session = context.obj
    with session.services() as services:
        statuses = operation(services)
    if as_json or as_lines:
        session.say_data(projects_document(statuses), "projects", as_lines=as_lines)
        return
    if statuses and is_fancy(sys.stdout):
        from code_indexer.cli.project_tables import print_projects

        print_projects(statuses)
        return
    for status in statuses:
        session.say(status_line(status))
    if not statuses:
        session.note(_NO_PROJECTS)


def index_status(
    context: typer.Context,
    path: Annotated[
        str | None,
        typer.Argument(
            help="A folder, slug or name. Default: every project.",
            autocompletion=complete_project,
        ),
    ] = None,
    as_json: Json = False,
    as_lines: JsonLines = False,
    skip_stale_check: SkipStaleCheck = False,
) -> None:
    """Bring the index up to date and say what is in it, and what is not and why.

    Example: code-indexer index-status ~/src/shop
    """
    from code_indexer.core.projects import index_status as operation
    from code_indexer.rendering import projects_document, status_lines

    session: Session = context.obj
    with session.services() as services, progress_on(session) as progress:
        statuses, warnings = operation(
            services, path, skip_stale_check=skip_stale_check, progress=progress
        )
    if as_json or as_lines:
        session.say_data(projects_document(statuses, warnings), "projects", as_lines=as_lines)
    elif not statuses:
        session.note(_NO_PROJECTS)
    elif is_fancy(sys.stdout):
        from code_indexer.cli.project_tables import print_status

        print_status(statuses)
    else:
        session.say("\n\n".join("\n".join(status_lines(status)) for status in statuses))
    session.warn(warnings)


def reindex_project(
    context: typer.Context,
    path: ProjectArgument,
    as_json: Json = False,
    skip_stale_check: SkipStaleCheck = False,
) -> None:
    """Build the index anew beside the old one and put it in its place.

    Use it after a change of model, or when index-status says that the index is damaged.

    Example: code-indexer reindex-project shop
    """
    from code_indexer.core.projects import reindex_project as operation
    from code_indexer.rendering import added_document, report_line, status_line

    del skip_stale_check  # every file is read
    session: Session = context.obj
    with session.services() as services, progress_on(session) as progress:
        done = operation(services, path, progress=progress)
    if done.report is not None:
        session.note(report_line(done.report))
    if as_json:
        session.say_json(added_document(done))
    else:
        session.say(status_line(done.status))


def remove_project(
    context: typer.Context,
    path: ProjectArgument,
    as_json: Json = False,
    skip_stale_check: SkipStaleCheck = False,
) -> None:
    """Forget a project and delete its index. The project's own files are not touched.

    It may be named by its folder, also when that is gone, its slug or its name.

    Example: code-indexer remove-project shop
    """
    from code_indexer.core.projects import remove_project as operation
    from code_indexer.rendering import projects_document, visible

    del skip_stale_check  # what is removed need not be up to date
    session: Session = context.obj
    with session.services() as services:
        status = operation(services, path)
    if as_json:
        session.say_json({**projects_document([status]), "removed": True})
    else:
        session.say(f"removed: {visible(status.project.root, keep='')}")
    if status.problem is not None:
        session.note(status.problem)


def migrate(
    context: typer.Context,
    to: Annotated[Literal["qdrant", "embedded"], typer.Option(help="Where the vectors go.")],
    project: ProjectOption = None,
    all_projects: Annotated[bool, typer.Option("--all", help="Every project.")] = False,
    as_json: Json = False,
    as_lines: JsonLines = False,
    skip_stale_check: SkipStaleCheck = False,
) -> None:
    """Carry vectors over to another store without embedding anything again.

    Example: code-indexer migrate --to qdrant --all --qdrant-url http://nas:6333
    """
    from code_indexer.core.migration import migrate_vectors
    from code_indexer.rendering import visible

    del skip_stale_check  # vectors are carried over as they are
    session: Session = context.obj
    with session.services() as services:
        moved = migrate_vectors(
            services, to, projects=tuple(project or ()), all_projects=all_projects
        )
    if as_json or as_lines:
        rows = [{"path": one.project.root, "vectors": one.points, "to": to} for one in moved]
        session.say_data({"projects": rows, "warnings": []}, "projects", as_lines=as_lines)
        return
    if to == "embedded":
        session.note("From now on leave QDRANT_URL unset: a pass that has it fills a collection.")
    for one in moved:
        session.say(f"{visible(one.project.root, keep='')}  vectors={one.points}  to={to}")


def index_in_background(
    context: typer.Context,
    slug: str,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Build the index anew.")] = False,
) -> None:
    """One index pass, started by another command and detached from it."""
    from code_indexer.core.projects import run_detached_pass

    session: Session = context.obj
    with session.services() as services:
        run_detached_pass(services, slug, rebuild=rebuild)
