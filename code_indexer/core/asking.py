"""Asking one project or several: chosen, brought up to date, and a damaged one left out."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Generic, TypeVar

from code_indexer.core.freshness import Freshness, ensure_fresh
from code_indexer.core.left_out import left_out_words
from code_indexer.core.lookup import searched_projects
from code_indexer.core.replaced import steadily
from code_indexer.core.results import SearchedProject
from code_indexer.core.services import Services
from code_indexer.errors import (
    IndexCorruptError,
    InvalidSettingError,
    ProjectNotFoundError,
    StateError,
    UsageError,
)
from code_indexer.indexing.progress import ReportProgress, report_nothing
from code_indexer.storage.manifest import Manifest
from code_indexer.types import Project

MAX_LIMIT = 1000

Answer = TypeVar("Answer")
Place = TypeVar("Place")


@dataclass(frozen=True, slots=True)
class Scope:
    """Which projects a question is about, and how fresh they have to be."""

    projects: tuple[str, ...] = ()
    """Paths, slugs or names; none means the project around the working directory, else all."""
    all_projects: bool = False
    working_directory: str | None = None
    max_wait: float | None = None
    """Seconds to wait for indexes that are not up to date, all in all; None waits for their end."""
    skip_stale_check: bool = False


@dataclass(frozen=True, slots=True)
class Asked(Generic[Answer]):
    """One project's part of an answer."""

    project: Project
    status: SearchedProject
    answer: Answer | None = None
    """None where the index is damaged."""
    warning: str | None = None
    is_down: bool = False
    """A server did not answer while the index was brought up to date."""


def checked_limit(limit: int, *, most: int = MAX_LIMIT) -> int:
    """*limit*, but no more than *most*.

    Raises:
        UsageError: It is below 1.
    """
    if limit < 1:
        raise UsageError(f"the limit is {limit}", hint=f"It takes a whole number from 1 to {most}")
    return min(limit, most)


def ask_projects(
    services: Services,
    scope: Scope,
    ask: Callable[[Project, Manifest], Answer],
    progress: ReportProgress = report_nothing,
) -> list[Asked[Answer]]:
    """What *ask* finds in every project of *scope*.

    Raises:
        IndexCorruptError: The only project asked is damaged; one among several is a warning.
        StateError: The same, where its index cannot be read or begun.
    """
    projects = searched_projects(
        services,
        scope.projects,
        all_projects=scope.all_projects,
        here=scope.working_directory,
    )
    started = time.monotonic()
    asked = []
    for project in projects:
        try:
            left = _time_left(scope, started)
            asked.append(
                steadily(
                    services,
                    project,
                    partial(_ask_one, services, project, left, ask, progress),
                )
            )
        except ProjectNotFoundError:
            if scope.projects or len(projects) == 1:
                raise
        except (IndexCorruptError, StateError, InvalidSettingError) as error:
            if len(projects) == 1:
                raise
            services.forget_manifest(project)
            status = SearchedProject(project, "damaged", 0.0, 0, percent=0)
            asked.append(Asked(project, status, warning=f"{error.message}. {error.hint}"))
    return asked


def each_file_once(
    found: Iterable[Place], place: Callable[[Place], tuple[str, str]]
) -> list[Place]:
    """*found* with the places of a file from the first project alone that has some.

    A project may lie inside another one, and both hold its files; *place* gives the root of the
    project and the path.
    """
    owners: dict[str, str] = {}
    kept = []
    for one in found:
        root, path = place(one)
        if owners.setdefault(f"{root}/{path}", root) == root:
            kept.append(one)
    return kept


def bring_up_to_date(
    services: Services, scope: Scope, *, progress: ReportProgress = report_nothing
) -> tuple[SearchedProject, ...]:
    """Make the indexes of *scope* fresh, as a question would, and say how each project stands."""
    asked = ask_projects(services, scope, lambda _project, _manifest: None, progress)
    return tuple(one.status for one in asked)


def _ask_one(
    services: Services,
    project: Project,
    scope: Scope,
    ask: Callable[[Project, Manifest], Answer],
    progress: ReportProgress,
) -> Asked[Answer]:
    freshness = ensure_fresh(
        services,
        project,
        skip=scope.skip_stale_check,
        max_wait=scope.max_wait,
        progress=progress,
    )
    manifest = services.manifest(project)
    with manifest.snapshot():
        answer = ask(project, manifest)
        coverage = manifest.coverage()
        pending = manifest.pending_count()
    if coverage is None:
        coverage = _without_chunks(freshness)
    status = SearchedProject(
        project, _state_words(freshness), coverage, pending, _percent(freshness)
    )
    warning = freshness.warning or left_out_words(manifest)
    if freshness.state == "unchecked" and scope.max_wait == 0 and scope.skip_stale_check:
        warning = f"not looked at for changes, as the time was up: {project.root}"
    return Asked(project, status, answer, warning, freshness.is_down)


def _without_chunks(freshness: Freshness) -> float:
    """How much of nothing is covered: all of it, unless the first pass is still at it."""
    return 0.0 if freshness.state in ("indexing", "partial") else 1.0


def _state_words(freshness: Freshness) -> str:
    return "idle" if freshness.state in ("fresh", "unchecked") else freshness.state


def _percent(freshness: Freshness) -> int | None:
    return freshness.percent if freshness.state in ("indexing", "partial") else 100


def _time_left(scope: Scope, started: float) -> Scope:
    """The scope of the next project; when the time is up, none is looked at for changes."""
    if not scope.max_wait:
        return scope
    left = scope.max_wait - (time.monotonic() - started)
    if left > 0:
        return replace(scope, max_wait=left)
    return replace(scope, max_wait=0.0, skip_stale_check=True)
