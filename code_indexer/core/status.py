"""What is known of a project: its state, its counts, what keeps its index from being whole."""

from functools import partial

from code_indexer.core.background import pass_moment
from code_indexer.core.freshness import is_root_gone
from code_indexer.core.left_out import left_out_words
from code_indexer.core.replaced import steadily
from code_indexer.core.results import ProjectState, ProjectStatus
from code_indexer.core.services import Services
from code_indexer.errors import IndexCorruptError, StateError
from code_indexer.indexing.notes import SERVICE_DOWN
from code_indexer.storage.locks import lock_is_held
from code_indexer.storage.manifest import Manifest
from code_indexer.types import Project


def project_status(services: Services, project: Project) -> ProjectStatus:
    """What is known about the project, without a look at its files."""
    try:
        return steadily(services, project, partial(_read_status, services, project))
    except (IndexCorruptError, StateError) as error:
        services.forget_manifest(project)
        return ProjectStatus(
            project,
            "damaged",
            problem=f"{error.message}. {error.hint}".strip(),
            index_bytes=services.index_bytes(project),
        )


def _read_status(services: Services, project: Project) -> ProjectStatus:
    manifest = services.manifest(project)
    counts = manifest.counts()
    journal = manifest.read_pass()
    is_indexed = services.last_scan_ns(project) is not None
    recorded = "failed" if SERVICE_DOWN in manifest.meta() else journal.state
    state = _state(services, project, recorded, is_indexed=is_indexed)
    moment = pass_moment(services, project) if state == "indexing" else None
    is_complete = is_indexed and state != "interrupted"
    return ProjectStatus(
        project=project,
        state=state,
        files=counts.files,
        chunks=counts.chunks,
        symbols=counts.symbols,
        references=counts.references,
        embedded_chunks=counts.embedded_chunks,
        languages=counts.languages,
        skipped=manifest.skipped_counts(),
        skipped_files=tuple((one.path, one.reason, one.detail) for one in manifest.skipped()),
        failed_files=tuple((one.path, one.detail) for one in manifest.failed()),
        refused_chunks=_refused_chunks(manifest),
        degraded=manifest.degraded_counts(),
        last_indexed=journal.finished,
        index_bytes=services.index_bytes(project),
        engine=services.engines.words(),
        model=services.engines.model_of(manifest),
        progress=moment.words if moment is not None else None,
        pending_changes=moment.files_left if moment is not None else None,
        pending_vectors=counts.pending_files,
        percent=moment.percent if moment is not None else 100 if is_complete else None,
        problem=_problem(services, project, state, journal.error),
        last_pass=journal.counters if "scanned" in journal.counters else {},
    )


def _refused_chunks(manifest: Manifest) -> tuple[tuple[str, int, int, str], ...]:
    failures = {one.chunk_id: one.reason for one in manifest.chunk_failures()}
    rows = manifest.chunks_by_id(failures)
    return tuple(
        (row.path, row.start_line, row.end_line, failures[chunk_id])
        for chunk_id, row in rows.items()
    )


def _state(
    services: Services, project: Project, recorded: str, *, is_indexed: bool
) -> ProjectState:
    if is_root_gone(project.root):
        return "missing"
    if lock_is_held(services.lock_path(project)):
        return "indexing"
    if recorded == "indexing":
        return "interrupted"
    if recorded == "failed":
        return "failed"
    return "idle" if is_indexed else "empty"


def _problem(services: Services, project: Project, state: str, error: str | None) -> str | None:
    """What keeps the index from being whole, with the remedy."""
    if state == "missing":
        return f"the folder is gone or empty: {project.root}. The index is kept as it was."
    manifest = services.manifest(project)
    mismatch = services.engines.mismatch(project, manifest)
    if mismatch is not None:
        return f"{mismatch.message}. {mismatch.hint}"
    if state != "failed":
        return left_out_words(manifest)
    down = manifest.meta().get(SERVICE_DOWN)
    return error or (down.split(" ", 1)[1] if down else None)
