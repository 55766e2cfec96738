"""Operations that keep the registry true: prune what is gone, follow what has moved."""

import os
from dataclasses import dataclass

from code_indexer.core.freshness import is_root_gone
from code_indexer.core.lookup import get_project
from code_indexer.core.remembered import remember_project
from code_indexer.core.removal import delete_project, removal
from code_indexer.core.roots import checked_root
from code_indexer.core.services import Services
from code_indexer.errors import (
    CodeIndexerError,
    IndexCorruptError,
    NameTakenError,
    ProjectNotFoundError,
    UsageError,
)
from code_indexer.storage.locks import exclusive_lock
from code_indexer.types import Project


@dataclass(frozen=True, slots=True)
class GoneProject:
    """A project whose folder does not exist."""

    project: Project
    index_bytes: int
    may_be_unmounted: bool
    """The folder around it is gone as well: perhaps it lies on a disk that is not here now."""
    removed: bool = False
    problem: str | None = None
    """Why it could not be removed."""


@dataclass(frozen=True, slots=True)
class MovedProject:
    """A project that was pointed at its new folder."""

    before: Project
    after: Project


def gone_projects(services: Services) -> list[GoneProject]:
    """The projects whose folder does not exist any more."""
    return [
        GoneProject(
            project,
            services.index_bytes(project),
            may_be_unmounted=not os.path.isdir(os.path.dirname(project.root)),  # noqa: PTH112, PTH120
        )
        for project in services.projects()
        if not os.path.lexists(project.root)
    ]


def prune_projects(services: Services, gone: list[GoneProject]) -> list[GoneProject]:
    """Remove these projects with their indexes, where their folder is still gone."""
    return [_pruned(services, one) for one in gone]


def move_project(services: Services, old: str, new: str) -> MovedProject:
    """Point a project at the place its folder was moved to; nothing is indexed or embedded.

    Raises:
        NameTakenError: The new folder is a project itself.
        UsageError: The old folder still holds files: it was copied, not moved.
        IndexBusyError: Another process is indexing the project.
    """
    before = get_project(services, old)
    root = checked_root(new, services.settings)
    if root == before.root:
        return MovedProject(before, before)
    if not is_root_gone(before.root) and not _is_same_folder(before.root, root):
        raise UsageError(
            f"the folder is still there: {before.root}",
            hint=f"If {new} is a copy, add it as a project of its own: code-indexer add-project",
        )
    with exclusive_lock(services.lock_path(before), info={"pid": os.getpid()}):
        if services.registry.by_slug(before.slug) is None:
            raise ProjectNotFoundError(f"{before.root} was removed meanwhile")
        after = _re_rooted(services, before, root)
        try:
            remember_project(services.manifest(after), after)
        except IndexCorruptError:
            services.forget_manifest(after)  # doctor and index-status say so
    return MovedProject(before, after)


def _re_rooted(services: Services, before: Project, root: str) -> Project:
    try:
        return services.registry.re_root(before.slug, root).project
    except NameTakenError as error:
        raise NameTakenError(
            error.message, hint=f"Remove that one first: code-indexer remove-project {root}"
        ) from error


def _is_same_folder(one: str, other: str) -> bool:
    try:
        return os.path.samefile(one, other)  # noqa: PTH121 - a root may hold undecodable bytes
    except OSError:
        return False


def _pruned(services: Services, gone: GoneProject) -> GoneProject:
    project = gone.project
    problem = None
    try:
        with removal(services, project):
            if os.path.lexists(project.root):
                problem = "the folder is there again"
            else:
                delete_project(services, project)
    except CodeIndexerError as error:
        problem = f"{error.message}. {error.hint}".strip()
    return GoneProject(
        project,
        gone.index_bytes,
        gone.may_be_unmounted,
        removed=problem is None,
        problem=problem,
    )
