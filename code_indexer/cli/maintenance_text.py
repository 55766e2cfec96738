"""What the maintenance commands print, as text and as JSON."""

from dataclasses import asdict

from code_indexer.core.configuration import Configuration
from code_indexer.core.transfer import ExportedIndex, ImportedIndex
from code_indexer.core.upkeep import GoneProject, MovedProject
from code_indexer.core.usage import UsageStats
from code_indexer.rendering import iso_time, size_words, status_document, visible
from code_indexer.types import Project

_MAX_VALUE_WIDTH = 40


def configuration_document(found: Configuration) -> dict[str, object]:
    """The JSON object of ``config``."""
    return {
        "settings": {one.name: _without(asdict(one), "name") for one in found.values},
        "ignored": [asdict(one) for one in found.ignored],
        "files": list(found.files),
        "project": found.project,
    }


def configuration_text(found: Configuration) -> str:
    """A line for each setting: name, value, source, allowed values."""
    rows = [(one.name, visible(one.value) or "-", one.source, one.allowed) for one in found.values]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    widths[1] = min(widths[1], _MAX_VALUE_WIDTH)
    lines = []
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, (*widths, 0), strict=True)]
        lines.append("  ".join(cells).rstrip())
    lines += ["", *(f"read from: {visible(file, keep='')}" for file in found.files)]
    return "\n".join(lines)


def moved_document(moved: MovedProject) -> dict[str, object]:
    """The JSON object of ``move-project``."""
    return {"before": _project(moved.before), "after": _project(moved.after)}


def gone_document(gone: list[GoneProject], *, dry_run: bool) -> dict[str, object]:
    """The JSON object of ``prune``."""
    return {
        "projects": [
            {
                **_project(one.project),
                "index_bytes": one.index_bytes,
                "may_be_unmounted": one.may_be_unmounted,
                "removed": one.removed,
                "problem": one.problem,
            }
            for one in gone
        ],
        "dry_run": dry_run,
    }


def gone_line(one: GoneProject) -> str:
    """A project whose folder is gone, and what became of it."""
    what = "removed" if one.removed else "not removed" if one.problem else "gone"
    line = f"{what}: {visible(one.project.root, keep='')}  size={size_words(one.index_bytes)}"
    if one.problem:
        return f"{line}  ({visible(one.problem)})"
    if one.may_be_unmounted and not one.removed:
        return f"{line}  (the folder around it is gone too: is its disk mounted?)"
    return line


def exported_document(done: ExportedIndex) -> dict[str, object]:
    """The JSON object of ``export``."""
    return {
        "project": _project(done.project),
        "file": done.file,
        "file_bytes": done.file_bytes,
        "header": asdict(done.header),
    }


def imported_document(done: ImportedIndex) -> dict[str, object]:
    """The JSON object of ``import``."""
    return {
        "projects": [status_document(done.status)],
        "header": asdict(done.header),
        "warnings": list(done.warnings),
    }


def stats_document(found: UsageStats) -> dict[str, object]:
    """The JSON object of ``stats``."""
    document = {**asdict(found), "saved_tokens": found.saved_tokens}
    return document | {"since": iso_time(found.since)}


def stats_text(found: UsageStats) -> str:
    """``label: value`` lines."""
    since = iso_time(found.since)
    share = found.saved_tokens / found.whole_tokens if found.whole_tokens else 0.0
    rows = [
        ("searches", f"{found.searches}" + (f" since {since}" if since else "")),
        ("last 7 days", found.last_week),
        ("without hits", found.without_hits),
        ("lexical only", found.lexical),
        (
            "time",
            f"{found.median_milliseconds:.0f} ms, 19 of 20 within {found.slow_milliseconds:.0f} ms",
        ),
        ("tokens shown", f"about {found.shown_tokens:,}"),
        (
            "tokens saved",
            f"about {found.saved_tokens:,} against reading the files whole ({share:.0%})",
        ),
        ("recording", "on" if found.is_recorded else "off (RECORD_STATS)"),
    ]
    return "\n".join(f"{label + ':':<13} {value}" for label, value in rows)


def _project(project: Project) -> dict[str, object]:
    return {"path": project.root, "slug": project.slug, "name": project.name}


def _without(document: dict[str, object], key: str) -> dict[str, object]:
    return {name: value for name, value in document.items() if name != key}
