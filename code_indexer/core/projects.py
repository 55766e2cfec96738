"""Operations on projects: add, look up, list, status, reindex, remove."""

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from code_indexer.core.background import (
    last_scan,
    start_detached_pass,
    wait_for_pass,
)
from code_indexer.core.freshness import ensure_fresh, is_root_gone
from code_indexer.core.lookup import find_project, get_project
from code_indexer.core.passes import run_pass
from code_indexer.core.rebuild import rebuild_index
from code_indexer.core.removal import (
    PassEndedError,
    delete_project,
    removal,
    wait_for_removal,
)
from code_indexer.core.replaced import steadily
from code_indexer.core.results import AddedProject, ProjectStatus
from code_indexer.core.roots import checked_root
from code_indexer.core.services import Services
from code_indexer.core.status import project_status
from code_indexer.errors import (
    CodeIndexerError,
    IndexBusyError,
    IndexCorruptError,
    ProjectNotFoundError,
    StateError,
)
from code_indexer.identity import checked_name, slug_of
from code_indexer.indexing.progress import ReportProgress, report_nothing
from code_indexer.storage.locks import exclusive_lock, lock_is_held
from code_indexer.types import Project

_ADD_ATTEMPTS = 5


def add_project(
    services: Services,
    path: str,
    *,
    name: str | None = None,
    background: bool = False,
    adopt: bool = False,
    progress: ReportProgress = report_nothing,
) -> AddedProject:
    """Register a folder and index it; registered already, it gives the status.

    A project whose first pass never finished is taken up again. *adopt* takes over a collection of
    the project's name that this tool did not make.

    Raises:
        ServiceUnavailableError: A server is down; what was done is kept, and the next pass goes on.
        ProjectNotFoundError: It was removed while it was indexed.
    """
    root = checked_root(path, services.settings)
    if name is not None:
        checked_name(name)
    known = services.project_at(root)
    wait_for_removal(services, known.slug if known is not None else slug_of(root))
    known = services.project_at(root)
    project = _with_named_collection(services, services.register(root, name))
    is_complete = services.last_scan_ns(project) is not None and not adopt
    if known is not None and is_complete and not services.manifest(project).pending_files():
        return AddedProject(project_status(services, project), created=False)
    if background:
        # Newly registered, the lock is held at most by what found the project gone, and ends.
        if known is None or not lock_is_held(services.lock_path(project)):
            start_detached_pass(services, project)
        return AddedProject(project_status(services, project), known is None, in_background=True)
    wishes = services.store_wishes(project, adopt=adopt)
    report = None
    for _ in range(_ADD_ATTEMPTS):
        with suppress(IndexBusyError):
            try:
                report = run_pass(services, project, wishes=wishes, progress=progress)
            except PassEndedError:
                raise
            except ProjectNotFoundError:
                # Another process removed it between our two steps; what was asked last holds.
                project = services.register(root, name)
                continue
        break
    status = project_status(services, project)
    return AddedProject(status, known is None, report, in_background=report is None)


def _with_named_collection(services: Services, project: Project) -> Project:
    """The project, with a collection of the name it has now where none was made for it yet.

    The first may have been refused: then another name is the way out.
    """
    if not services.engines.stores_on_server:
        return project
    if services.engines.qdrant(project, services.manifest(project)).is_known:
        return project
    return services.registry.name_collection(project.slug).project


def lookup_project(services: Services, path: str) -> ProjectStatus | None:
    """The project's status, or None when it is not registered."""
    project = find_project(services, path)
    return None if project is None else project_status(services, project)


def list_projects(services: Services) -> list[ProjectStatus]:
    """Every registered project."""
    return _present_statuses(services, services.projects())


def index_status(
    services: Services,
    path: str | None,
    *,
    skip_stale_check: bool = False,
    max_wait: float | None = None,
    progress: ReportProgress = report_nothing,
) -> tuple[list[ProjectStatus], list[str]]:
    """The status of one project or of all, brought up to date first, and what went wrong.

    With *max_wait*, it says after so many seconds how far the passes are.
    """
    projects = services.projects() if path is None else [get_project(services, path)]
    up_to_date, warnings = _brought_up_to_date(
        services,
        projects,
        skip=skip_stale_check,
        passes_over_removed=path is None,
        max_wait=max_wait,
        progress=progress,
    )
    if path is None:
        statuses = _present_statuses(services, projects)
    else:
        statuses = [project_status(services, project) for project in projects]
    processor = services.engines.processor() if services.engines.embeds_on_server else None
    statuses = [replace(status, processor=processor) for status in statuses]
    return [
        replace(one, pending_changes=0) if one.project.slug in up_to_date else one
        for one in statuses
    ], warnings


def _brought_up_to_date(
    services: Services,
    projects: Sequence[Project],
    *,
    skip: bool,
    passes_over_removed: bool,
    max_wait: float | None,
    progress: ReportProgress,
) -> tuple[set[str], list[str]]:
    """The slugs of the projects whose indexes are as their files are now, and what went wrong."""
    deadline = None if max_wait is None else time.monotonic() + max_wait
    up_to_date: set[str] = set()
    warnings = []
    for project in projects:
        try:
            freshness = steadily(
                services,
                project,
                partial(
                    ensure_fresh,
                    services,
                    project,
                    skip=skip,
                    max_wait=None if deadline is None else max(0.0, deadline - time.monotonic()),
                    waits_for_others=False,
                    progress=progress,
                ),
            )
        except IndexCorruptError:
            continue  # the status says so
        except ProjectNotFoundError:
            if passes_over_removed:
                continue
            raise
        except StateError as error:
            warnings.append(f"{error.message}. {error.hint}".strip())
            continue
        if freshness.state == "fresh" or (freshness.state == "unchecked" and not skip):
            up_to_date.add(project.slug)
        if freshness.warning:
            warnings.append(freshness.warning)
    return up_to_date, warnings


def reindex_project(
    services: Services,
    path: str,
    *,
    max_wait: float | None = None,
    progress: ReportProgress = report_nothing,
) -> AddedProject:
    """Build the project's index anew beside the old one, then put it in its place.

    With *max_wait* a detached process does it, and goes on with it after so many seconds.

    Raises:
        IndexBusyError: Another process is indexing the project.
        ServiceUnavailableError: A server is down; the index is as it was.
    """
    project = get_project(services, path)
    if is_root_gone(project.root):
        raise ProjectNotFoundError(
            f"the folder is gone or empty: {project.root}",
            hint="The index is kept; remove it with: code-indexer remove-project",
        )
    if max_wait is not None:
        return _reindex_elsewhere(services, project, max_wait, progress)
    report = rebuild_index(services, project, progress=progress)
    return AddedProject(project_status(services, project), created=False, report=report)


def _reindex_elsewhere(
    services: Services, project: Project, max_wait: float, progress: ReportProgress
) -> AddedProject:
    deadline = time.monotonic() + max_wait
    with exclusive_lock(services.lock_path(project)):
        before = last_scan(services, project)
    services.engines.require_servers()  # what most often fails, said here and with its reason
    is_running = start_detached_pass(services, project, rebuild=True)
    is_done = wait_for_pass(
        services,
        project,
        before=before,
        deadline=deadline,
        is_running=is_running,
        progress=progress,
    )
    in_background = not is_done and is_running()
    if not is_done and not in_background and before == last_scan(services, project):
        raise CodeIndexerError(
            f"the index of {project.root} could not be built anew, and is as it was",
            hint=f"This says why: code-indexer reindex-project {project.root}",
        )
    status = project_status(services, project)
    return AddedProject(status, created=False, in_background=in_background)


def remove_project(services: Services, path: str) -> ProjectStatus:
    """Forget a project and delete its index; works also when its folder is gone.

    A pass that runs on it is ended. What stays on a server that does not answer is the problem of
    the status that is given; it is deleted later.

    Raises:
        IndexBusyError: What holds its lock does not end.
    """
    project = get_project(services, path)
    status = project_status(services, project)
    left = None
    with removal(services, project):
        if services.registry.by_slug(project.slug) is not None:
            left = delete_project(services, project)
    return replace(status, problem=left)


def run_detached_pass(services: Services, slug: str, *, rebuild: bool = False) -> None:
    """The body of the process that ``start_detached_pass`` starts."""
    record = services.registry.by_slug(slug)
    if record is None or is_root_gone(record.project.root):
        return
    with suppress(IndexBusyError, ProjectNotFoundError):
        if rebuild:
            rebuild_index(services, record.project, is_detached=True)
        else:
            run_pass(services, record.project, is_detached=True)


def _present_statuses(services: Services, projects: Sequence[Project]) -> list[ProjectStatus]:
    """The status of each project that has not been removed meanwhile."""
    statuses = []
    for project in projects:
        with suppress(ProjectNotFoundError):
            statuses.append(project_status(services, project))
    return statuses
