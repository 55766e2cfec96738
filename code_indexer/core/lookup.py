"""Which project a user means by a path, a slug or a name."""

import difflib
import os

from code_indexer.core.roots import absolute_path, checked_root
from code_indexer.core.services import Services
from code_indexer.errors import ProjectNotFoundError, UsageError
from code_indexer.identity import looks_like_slug, slashed
from code_indexer.types import Project


def find_project(services: Services, text: str) -> Project | None:
    """The registered project that *text* names, or None.

    A registered name or slug wins over a folder of that name in the working directory; write
    ``./name`` for the folder.
    """
    if not text:
        raise UsageError("the project is empty", hint="Give a path, a slug or a name")
    registry = services.registry
    if "/" not in slashed(text) and text not in (".", "..", "~"):
        named = registry.by_name(text)
        if named is None and looks_like_slug(text):
            named = registry.by_slug(text)
        if named is not None:
            return named.project
    return services.project_at(absolute_path(text, services.settings))


def get_project(services: Services, text: str) -> Project:
    """The registered project that *text* names.

    Raises:
        ProjectNotFoundError: There is none.
    """
    project = find_project(services, text)
    if project is not None:
        return project
    hint = "List the projects with: code-indexer list-projects"
    if os.path.isdir(absolute_path(text, services.settings)):  # noqa: PTH112
        hint = f"Register it with: code-indexer add-project {text}"
    elif near := near_projects(services, text):
        hint = f"Did you mean {near}?"
    elif "/" in slashed(text):
        hint = f"There is no such folder either. {hint}"
    raise ProjectNotFoundError(f"no project goes by {text!r}", hint=hint)


def get_or_add_project(services: Services, text: str) -> Project:
    """The registered project that *text* names; a sensible folder is registered."""
    project = find_project(services, text)
    if project is not None:
        return project
    if os.path.lexists(absolute_path(text, services.settings)):
        return services.register(checked_root(text, services.settings))
    return get_project(services, text)


def searched_projects(
    services: Services, given: tuple[str, ...], *, all_projects: bool, here: str | None
) -> list[Project]:
    """The projects that a query is about.

    Those that are given; else the one around the working directory; else all.

    Raises:
        ProjectNotFoundError: There is none at all.
    """
    if given and all_projects:
        raise UsageError("--all and --project exclude each other", hint="Give one of them")
    if given:
        found = [get_or_add_project(services, text) for text in given]
        return list({project.slug: project for project in found}.values())
    if not all_projects and here is not None:
        around = services.registry.containing(here)
        if around is not None:
            return [around.project]
    projects = services.projects()
    if not projects:
        raise ProjectNotFoundError(
            "no project is registered yet",
            hint="Name a folder once, and it is indexed: code-indexer search QUERY --project .",
        )
    return projects


def near_projects(services: Services, text: str) -> str:
    """What the user may have meant: a name, a slug, or the path of a project of such a folder."""
    known: dict[str, str] = {}
    for project in services.projects():
        called = project.name or project.root
        known |= {os.path.basename(project.root): called, project.root: called}  # noqa: PTH119
        known |= {project.slug: project.slug, called: called}
    sought = absolute_path(text, services.settings) if "/" in slashed(text) else text
    lowered = {one.lower(): called for one, called in known.items()}
    near = difflib.get_close_matches(sought.lower(), lowered, n=2)
    return " or ".join(dict.fromkeys(lowered[one] for one in near))
