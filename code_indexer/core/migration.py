"""``migrate``: move a project's vectors from one store to the other, without embedding."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from code_indexer.core.lookup import get_project
from code_indexer.core.services import Services
from code_indexer.errors import UsageError
from code_indexer.storage.locks import exclusive_lock
from code_indexer.types import Project


@dataclass(frozen=True, slots=True)
class Migrated:
    """What became of one project."""

    project: Project
    points: int
    """Vectors that the target holds now."""


def migrate_vectors(
    services: Services,
    target: Literal["qdrant", "embedded"],
    *,
    projects: Sequence[str] = (),
    all_projects: bool = False,
) -> list[Migrated]:
    """Carry the vectors of projects over to *target*; the manifest keeps its copy in both cases.

    Towards ``qdrant`` the collection is filled from the manifest. Towards ``embedded`` the
    collections are deleted, once every vector is known to be in the manifest.

    Raises:
        UsageError: No project is named, or no Qdrant server.
        ServiceUnavailableError: Qdrant does not answer; nothing is lost.
        IndexBusyError: Another process is indexing one of the projects.
    """
    if not services.engines.stores_on_server:
        raise UsageError("no Qdrant server is named", hint="Set QDRANT_URL, or pass --qdrant-url")
    if bool(projects) == all_projects:
        raise UsageError("say which projects", hint="Give --project X, or --all")
    chosen = services.projects() if all_projects else [get_project(services, x) for x in projects]
    return [Migrated(project, _migrate(services, target, project)) for project in chosen]


def _migrate(services: Services, target: str, project: Project) -> int:
    with exclusive_lock(services.lock_path(project), info={"pid": os.getpid()}):
        manifest = services.manifest(project)
        key = manifest.embedder()
        if key is None:
            return 0
        store = services.engines.qdrant(project, manifest)
        if target == "embedded":
            store.prepare(key.key, key.dimension, points=manifest.counts().chunks)
            store.remove()
            return manifest.vectors().count()
        store.prepare(key.key, key.dimension, points=manifest.counts().chunks)
        store.repair()
        store.tune()
        return store.count()
