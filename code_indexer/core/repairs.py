"""``doctor --repair``: what can be done about a finding without asking."""

import os
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from code_indexer.core.doctor import Finding, Repair, owner_of, unregistered
from code_indexer.core.migration import migrate_vectors
from code_indexer.core.projects import reindex_project
from code_indexer.core.services import Services
from code_indexer.errors import CodeIndexerError, NameTakenError
from code_indexer.indexing.progress import ReportProgress, report_nothing
from code_indexer.storage.database_files import set_aside
from code_indexer.storage.locks import exclusive_lock
from code_indexer.storage.registry import REGISTRY_FILE, Registry
from code_indexer.types import Project


@dataclass(frozen=True, slots=True)
class Repaired:
    """What was done about a finding."""

    subject: str
    message: str
    is_done: bool = True


def repair(
    services: Services, findings: Iterable[Finding], progress: ReportProgress = report_nothing
) -> list[Repaired]:
    """Do what can be done, one finding after the other; what fails is said."""
    done = []
    for finding in findings:
        if finding.repair is None:
            continue
        try:
            message = _REPAIRS[finding.repair](services, finding.project, progress)
        except CodeIndexerError as error:
            text = f"{error.message}. {error.hint}".strip()
            done.append(Repaired(finding.subject, text, is_done=False))
        except OSError as error:
            done.append(Repaired(finding.subject, str(error), is_done=False))
        else:
            done.append(Repaired(finding.subject, message))
    return done


def _rebuild(services: Services, project: Project | None, progress: ReportProgress) -> str:
    assert project is not None
    done = reindex_project(services, project.slug, progress=progress)
    report = done.report
    reused = "" if report is None else f", {report.embedded} embedded, {report.reused} reused"
    return f"rebuilt: {done.status.files} files, {done.status.chunks} chunks{reused}"


def _restore_vectors(services: Services, project: Project | None, progress: ReportProgress) -> str:
    del progress
    assert project is not None
    moved = migrate_vectors(services, "qdrant", projects=[project.slug])
    return f"the collection holds {moved[0].points} points"


def _rebuild_registry(services: Services, project: Project | None, progress: ReportProgress) -> str:
    del project, progress
    path = services.settings.index_root / REGISTRY_FILE
    with exclusive_lock(path.with_name("registry.lock"), info={"pid": os.getpid()}):
        services.close()
        aside = set_aside(path)  # with what a lost one has left beside it
        Registry.open(path.parent).close()
        count = 0
        for folder in unregistered(services, ()):
            owner = owner_of(folder)
            if owner is not None and _restored(services, owner):
                count += 1
    what = f"set aside as {aside.name}" if aside.exists() else "made anew"
    return f"{what}; {count} projects are registered again"


def _register(services: Services, project: Project | None, progress: ReportProgress) -> str:
    del progress
    assert project is not None
    services.registry.restore(project, now=time.time())
    return f"registered again: {project.root}"


def _close_to_others(services: Services, project: Project | None, progress: ReportProgress) -> str:
    del project, progress
    services.settings.index_root.chmod(0o700)
    return f"{services.settings.index_root} is yours alone now"


def _restored(services: Services, owner: Project) -> bool:
    try:
        services.registry.restore(owner, now=time.time())
    except NameTakenError:
        return False
    return True


_REPAIRS: Mapping[Repair, Callable[[Services, Project | None, ReportProgress], str]] = {
    "rebuild": _rebuild,
    "restore-vectors": _restore_vectors,
    "rebuild-registry": _rebuild_registry,
    "register": _register,
    "permissions": _close_to_others,
}
