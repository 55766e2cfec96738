"""``get_code_context``: the operation that shows lines of a file as it is now."""

import difflib
import os
import posixpath
from contextlib import suppress
from pathlib import Path

from code_indexer.core.asking import Scope
from code_indexer.core.files import file_in_project
from code_indexer.core.results import CodeContextAnswer
from code_indexer.core.services import Services
from code_indexer.discovery.reasons import DATA, MINIFIED, REASONS, TOO_LARGE, VANISHED
from code_indexer.discovery.walk import explain_path
from code_indexer.errors import OutsideProjectError, UsageError
from code_indexer.navigation.context import get_code_context as context_of_file
from code_indexer.navigation.context import path_inside
from code_indexer.navigation.places import Place, parse_place
from code_indexer.types import Project, SkippedFile

_SHOWN_THOUGH_SKIPPED = frozenset({DATA, MINIFIED, TOO_LARGE, VANISHED})
_MOST_PATHS = 50_000


def get_code_context(
    services: Services,
    file: str,
    scope: Scope,
    *,
    start_line: int | None = None,
    end_line: int | None = None,
    symbol: str | None = None,
    context_lines: int = 0,
    only_project_files: bool = False,
    with_secrets: bool = False,
) -> CodeContextAnswer:
    """Lines of one file of a project, as the file is now; secrets masked unless *with_secrets*.

    The lines may be given with the file as well, as answers print them: ``path:line``,
    ``path:first-last``. With *only_project_files* it does not show what is ignored, installed, or
    of version control.

    Raises:
        OutsideProjectError: The file does not lie inside the project, or is no file of it.
        UsageError: There is no such project, file, line or symbol.
    """
    place = _place_of(services, file, scope)
    if place is not None:
        file = place.path
        if start_line is None and end_line is None and symbol is None:
            start_line, end_line = place.start_line, place.end_line
    project, path = file_in_project(services, file, scope)
    if only_project_files:
        _refuse_foreign(services, project, path)
    _refuse_missing(services, project, path)
    context = context_of_file(
        Path(project.root),
        path,
        start_line=start_line,
        end_line=end_line,
        symbol=symbol,
        context_lines=context_lines,
        cpp_headers=path.endswith(".h") and services.has_cpp(project),
        with_secrets=with_secrets,
    )
    return CodeContextAnswer(project, context)


def _place_of(services: Services, file: str, scope: Scope) -> Place | None:
    """The file and lines that *file* names, unless a file is really called so."""
    place = parse_place(file)
    if place is None:
        return None
    with suppress(UsageError):
        project, path = file_in_project(services, file, scope)
        if os.path.lexists(os.path.join(project.root, path)):  # noqa: PTH118
            return None
    return place


def _refuse_missing(services: Services, project: Project, file: str) -> None:
    """Say which files may have been meant by one that is not there."""
    path = path_inside(Path(project.root), file)
    if os.path.lexists(f"{project.root}/{path}"):
        return
    near: list[str] = []
    if services.last_scan_ns(project) is not None:
        known = services.manifest(project).paths(_MOST_PATHS)
        stems = {one: posixpath.splitext(posixpath.basename(one))[0] for one in known}
        stem = posixpath.splitext(posixpath.basename(path))[0]
        alike = set(difflib.get_close_matches(stem, set(stems.values())))
        among = [one for one in known if stems[one] in alike]
        near = difflib.get_close_matches(path, among, n=3, cutoff=0.0)
    hint = f"Paths are relative to the project's folder, {project.root}"
    if near:
        hint = f"Did you mean {' or '.join(near)}?"
    raise UsageError(f"no such file: {path}", hint=hint)


def _refuse_foreign(services: Services, project: Project, file: str) -> None:
    path = path_inside(Path(project.root), file)
    found = explain_path(Path(project.root), path, services.discovery_rules(project, strict=False))
    if isinstance(found, SkippedFile) and found.reason not in _SHOWN_THOUGH_SKIPPED:
        because = f"{REASONS.get(found.reason, found.reason)}"
        detail = f" ({found.detail})" if found.detail else ""
        raise OutsideProjectError(
            f"not a file of the project: {path}: {because}{detail}",
            hint=f"The project is {project.root}; only files that can be indexed are shown",
        )
