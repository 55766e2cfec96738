"""Which project a file is looked up in, and under which path."""

import os

from code_indexer.core.asking import Scope
from code_indexer.core.lookup import get_project, searched_projects
from code_indexer.core.services import Services
from code_indexer.errors import UsageError
from code_indexer.types import Project


def file_in_project(services: Services, file: str, scope: Scope) -> tuple[Project, str]:
    """The project that a file is looked up in, and the file's path for it.

    Raises:
        UsageError: No project holds it, or several do.
    """
    if not file or "\0" in file:
        raise UsageError("not a usable path", hint="Give a path relative to the project's root")
    if len(scope.projects) > 1:
        raise UsageError("a file lies in one project", hint="Give --project once")
    if scope.projects:
        return get_project(services, scope.projects[0]), with_real_folder(file)
    here = scope.working_directory
    if os.path.isabs(file) or (here and os.path.lexists(os.path.join(here, file))):  # noqa: PTH117, PTH118
        absolute = os.path.normpath(os.path.join(here or "/", file))  # noqa: PTH118
        around = services.registry.containing(os.path.realpath(os.path.dirname(absolute)))  # noqa: PTH120
        if around is not None:
            return around.project, with_real_folder(absolute)
    candidates = searched_projects(
        services, (), all_projects=scope.all_projects, here=scope.working_directory
    )
    if os.path.isabs(file):  # noqa: PTH117
        raise UsageError(
            f"no registered project holds {file}",
            hint="Register its folder with: code-indexer add-project PATH",
        )
    holding = [one for one in candidates if os.path.lexists(f"{one.root}/{file}")]
    if len(holding) > 1:
        roots = ", ".join(one.root for one in holding)
        raise UsageError(f"several projects hold {file}: {roots}", hint="Say which with --project")
    if not holding and len(candidates) > 1:
        raise UsageError(
            f"no registered project holds {file}",
            hint="Give it relative to the project's folder, and say which with --project",
        )
    return (holding or candidates)[0], file


def with_real_folder(file: str) -> str:
    """An absolute path with the links among its folders resolved, as they are in project roots."""
    if not os.path.isabs(file):  # noqa: PTH117
        return file
    folder, name = os.path.split(os.path.normpath(file))
    return os.path.join(os.path.realpath(folder), name)  # noqa: PTH118
