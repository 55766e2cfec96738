"""Answers of tools about projects: structured, and as text that costs an agent few tokens."""

from collections.abc import Sequence

from code_indexer.core.results import AddedProject, ProjectStatus
from code_indexer.mcp_server.bounds import (
    MAX_NAMED,
    Document,
    clip_fields,
    keep_first,
    keep_results,
)
from code_indexer.mcp_server.documents import Answer, called, pruned, remarks
from code_indexer.mcp_server.wording import bounded, for_agents
from code_indexer.rendering import status_document, visible

_MAX_LISTED = 200
_FILE_LISTS = {
    "skipped_files": "skipped files",
    "failed": "failed files",
    "refused_chunks": "refused chunks",
}
_WORTH_NAMING = frozenset({"not-utf8", "binary", "unreadable", "too-large", "undecodable-name"})


def status_answer(status: ProjectStatus, warnings: Sequence[str]) -> Answer:
    """Everything about one project, with the lists kept short."""
    document: Document = status_document(status)
    cut: list[str] = []
    document["skipped_files"] = [
        one for one in document["skipped_files"] if one["reason"] in _WORTH_NAMING
    ]
    document["last_pass"].pop("failed", None)  # they stand under "failed"
    for field, noun in _FILE_LISTS.items():
        more = f"more {noun}; code-indexer index-status names them"
        keep_first(document, field, cut, more, MAX_NAMED)
        for one in document[field]:
            clip_fields(one)
    structured: Document = {
        "project": pruned({**document, "problem": _for_agents(status.problem)}),
        "partial": status.state == "indexing" or status.coverage < 1 or status.percent != 100,
        "warnings": [for_agents(warning) for warning in warnings],
        "cut": cut,
    }
    lines = [_project_line(status), *remarks(structured)]
    lines.append(
        f"symbols {status.symbols}, references {status.references}, vectors of"
        f" {status.embedded_chunks} of {status.chunks} chunks, {status.engine}"
    )
    for label, counts in (("languages", status.languages), ("skipped", status.skipped)):
        if counts:
            ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
            lines.append(f"{label}: {', '.join(f'{name} {count}' for name, count in ordered)}")
    lines += [
        visible(f"skipped: {one['path']} ({one['reason']})", keep="")
        for one in document["skipped_files"]
    ]
    lines += [
        visible(f"failed: {one['path']}: {one['error']}", keep="") for one in document["failed"]
    ]
    return Answer(structured, "\n".join(lines))


def listed_answer(statuses: Sequence[ProjectStatus]) -> Answer:
    """A line for each project."""
    cut: list[str] = []
    document: Document = {"projects": [_short(status) for status in statuses]}
    what_next = "lookup_project finds one by its path"
    keep_first(document, "projects", cut, f"more projects; {what_next}", _MAX_LISTED)
    line_of = {status.project.slug: _project_line(status) for status in statuses[:_MAX_LISTED]}
    keep_results(
        document, cut, lambda one: line_of[one["slug"]], field="projects", what_next=what_next
    )
    lines = [line_of[one["slug"]] for one in document["projects"]]
    lines += [f"cut: {what}" for what in cut]
    if not statuses:
        lines = ["no project is registered yet; search a folder by its absolute path to begin"]
    return Answer({**document, "cut": cut}, "\n".join(lines))


def not_registered_answer(path: str, what_next: str) -> Answer:
    """No project goes by *path*."""
    return Answer({"registered": False}, visible(f"not registered: {bounded(path)}\n{what_next}"))


def looked_up_answer(status: ProjectStatus) -> Answer:
    """As what a folder is registered."""
    return Answer({"registered": True, "project": _short(status)}, _project_line(status))


def added_answer(added: AddedProject, *, did: str) -> Answer:
    """What became of a project that was added or indexed anew."""
    structured = {
        "project": _short(added.status),
        "created": added.created,
        "in_background": added.in_background,
    }
    lines = [_project_line(added.status)]
    if added.in_background:
        lines.append("It is indexed in the background; index_status tells how far that is.")
    else:
        lines.insert(0, did)
    return Answer(structured, "\n".join(lines))


def removed_answer(status: ProjectStatus) -> Answer:
    """What was removed."""
    left = f"; {status.problem}" if status.problem is not None else ""
    return Answer(
        {"removed": True, "project": _short(status)},
        visible(f"removed: {status.project.root}; its files are untouched{left}", keep=""),
    )


def _short(status: ProjectStatus) -> Document:
    document = status_document(status)
    fields = ("path", "slug", "name", "state", "files", "chunks", "last_indexed", "percent")
    short = {field: document[field] for field in (*fields, "progress")}
    return pruned({**short, "problem": _for_agents(status.problem)})


def _project_line(status: ProjectStatus) -> str:
    project = status.project
    words = [called(project.root, project.name), f"slug {project.slug}", status.state]
    if status.progress:
        words[-1] += f" {status.progress}"
    words.append(f"{status.files} files")
    if status.problem:
        words.append(f"problem: {for_agents(status.problem)}")
    return ", ".join(words)


def _for_agents(text: str | None) -> str | None:
    return None if text is None else for_agents(text)
