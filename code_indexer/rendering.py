"""Results as text and as JSON, the same for the command line and the MCP server."""

import json
import os
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from code_indexer.core.results import AddedProject, ProjectStatus, SearchAnswer, SearchedProject
from code_indexer.errors import CodeIndexerError
from code_indexer.identity import slashed
from code_indexer.types import IndexReport, SearchHit


def to_json(document: object) -> str:
    """One JSON document, valid UTF-8 whatever the paths hold."""
    return json.dumps(document, ensure_ascii=False, indent=2).encode("utf-8", "replace").decode()


def to_json_line(document: object) -> str:
    """The same on one line, also for readers that end lines where Unicode does."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    for character in "\x85\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text.encode("utf-8", "replace").decode()


def visible(text: str, *, keep: str = "\t\n") -> str:
    """*text* with every control character spelled out, so that none reaches a terminal."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c in keep or not _is_control(c) else _spelled(c) for c in text)


def _is_control(character: str) -> bool:
    # Cf holds the bidirectional overrides that make code read as what it is not.
    return unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp")


def _spelled(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def shown_path(root: str, path: str, working_directory: str | None) -> str:
    """A path that opens from where the user stands: relative below it, absolute elsewhere."""
    absolute = f"{root}/{path}"
    prefix = f"{working_directory}/" if working_directory and working_directory != "/" else None
    shown = absolute[len(prefix) :] if prefix and absolute.startswith(prefix) else absolute
    return visible(shown, keep="")


def iso_time(seconds: float | None) -> str | None:
    """A moment in ISO 8601, UTC."""
    if seconds is None:
        return None
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


# -- searches -------------------------------------------------------------------------------------


def search_document(answer: SearchAnswer, *, explain: bool = False) -> dict[str, object]:
    """The JSON object of a search."""
    return {
        "query": answer.query,
        "mode": answer.mode,
        "confidence": answer.confidence,
        "results": [_hit_document(hit, explain=explain) for hit in answer.results],
        "left_out": answer.left_out,
        "tokens": answer.tokens,
        "projects": searched_documents(answer.projects),
        "warnings": list(answer.warnings),
    }


def searched_documents(projects: Iterable[SearchedProject]) -> list[dict[str, object]]:
    """How each project stood when it was asked."""
    return [
        {
            "path": searched.project.root,
            "slug": searched.project.slug,
            "name": searched.project.name,
            "state": searched.state,
            "coverage": round(searched.coverage, 4),
            "pending": searched.pending,
            "percent": searched.percent,
        }
        for searched in projects
    ]


def _hit_document(hit: SearchHit, *, explain: bool) -> dict[str, object]:
    document: dict[str, object] = {
        "project": hit.project,
        "path": hit.path,
        "start_line": hit.start_line,
        "end_line": hit.end_line,
        "score": round(hit.score, 4),
        "symbol": hit.symbol,
        "kind": hit.kind,
        "language": hit.language,
        "snippet": hit.snippet,
        "freshness": hit.freshness,
        "also": [{"start_line": start, "end_line": end} for start, end in hit.also],
    }
    if explain:
        from code_indexer.ranking.explanations import sources  # noqa: PLC0415 - seldom wanted

        document["signals"] = {name: round(value, 4) for name, value in hit.signals}
        document["found_by"] = sources(hit.signals)
    return document


def hit_heading(hit: SearchHit, working_directory: str | None) -> str:
    """``path:start-end`` and what stands there."""
    place = (
        f"{shown_path(hit.project, hit.path, working_directory)}:{hit.start_line}-{hit.end_line}"
    )
    what = " ".join(visible(word, keep="") for word in (hit.kind, hit.symbol) if word)
    return f"{place}  {what}" if what else place


def search_text(
    answer: SearchAnswer, working_directory: str | None, *, explain: bool = False
) -> str:
    """Plain blocks of stable shape: heading, indented snippet, empty line; a line on the whole."""
    blocks = []
    for hit in answer.results:
        lines = [hit_heading(hit, working_directory)]
        lines += [f"    {line}" for line in visible(hit.snippet).split("\n")]
        if hit.also:
            spans = ", ".join(f"{start}-{end}" for start, end in hit.also)
            lines.append(f"  also: {spans}")
        if explain:
            lines += explanation_lines(hit)
        blocks.append("\n".join(line.rstrip() for line in lines))
    return "".join(f"{block}\n\n" for block in blocks)


def explanation_lines(hit: SearchHit) -> list[str]:
    """Why the hit stands where it does, indented."""
    from code_indexer.ranking.explanations import explanation  # noqa: PLC0415 - seldom wanted

    return [f"  {line}" for line in explanation(hit.score, hit.signals)]


def search_footer(answer: SearchAnswer) -> str:
    """How far the answer can be trusted, and what it lacks."""
    parts = [f"confidence: {answer.confidence}"]
    if answer.left_out:
        parts.append(f"{answer.left_out} left out")
    if answer.tokens is not None:
        parts.append(f"about {answer.tokens} tokens")
    return "; ".join(parts)


# -- projects -------------------------------------------------------------------------------------


def status_document(status: ProjectStatus) -> dict[str, object]:
    """The JSON object of one project."""
    project = status.project
    return {
        "path": project.root,
        "slug": project.slug,
        "name": project.name,
        "collection": project.collection,
        "state": status.state,
        "files": status.files,
        "chunks": status.chunks,
        "symbols": status.symbols,
        "references": status.references,
        "last_indexed": iso_time(status.last_indexed),
        "coverage": round(status.coverage, 4),
        "embedded_chunks": status.embedded_chunks,
        "languages": dict(status.languages),
        "skipped": dict(status.skipped),
        "skipped_files": [
            {"path": path, "reason": reason, "detail": detail}
            for path, reason, detail in status.skipped_files
        ],
        "failed": [{"path": path, "error": error} for path, error in status.failed_files],
        "failed_by_reason": failed_counts(status),
        "refused_chunks": [
            {"path": path, "start_line": first, "end_line": last, "reason": reason}
            for path, first, last, reason in status.refused_chunks
        ],
        "degraded": dict(status.degraded),
        "index_bytes": status.index_bytes,
        "engine": status.engine,
        "model": status.model,
        "processor": status.processor,
        "progress": status.progress,
        "pending_changes": status.pending_changes,
        "pending_vectors": status.pending_vectors,
        "percent": status.percent,
        "problem": status.problem,
        "last_pass": dict(status.last_pass),
    }


def projects_document(
    statuses: Iterable[ProjectStatus], warnings: Iterable[str] = ()
) -> dict[str, object]:
    """The JSON object of status-like commands."""
    return {
        "projects": [status_document(status) for status in statuses],
        "warnings": list(warnings),
    }


def report_document(report: IndexReport) -> dict[str, object]:
    """The JSON object of a pass's counters."""
    return {
        "scanned": report.scanned,
        "unchanged": report.unchanged,
        "added": report.added,
        "changed": report.changed,
        "deleted": report.deleted,
        "skipped": dict(report.skipped),
        "failed": dict(report.failed),
        "chunks": report.chunks,
        "embedded": report.embedded,
        "reused": report.reused,
        "seconds": round(report.seconds, 3),
    }


def added_document(added: AddedProject) -> dict[str, object]:
    """The JSON object of ``add-project`` and ``reindex-project``."""
    document = projects_document([added.status])
    document["created"] = added.created
    document["in_background"] = added.in_background
    document["report"] = report_document(added.report) if added.report else None
    return document


def status_line(status: ProjectStatus) -> str:
    """One line: path, slug, name, collection, state, files, chunks, last indexed."""
    project = status.project
    return (
        f"{visible(project.root, keep='')}  slug={project.slug}  name={project.name or '-'}  "
        f"collection={project.collection}  state={status.state}  files={status.files}  "
        f"chunks={status.chunks}  last_indexed={iso_time(status.last_indexed) or 'never'}"
    )


def status_lines(status: ProjectStatus) -> list[str]:
    """A paragraph about one project: ``label: value`` lines."""
    return [f"{label + ':':<14} {value}" for label, value in status_rows(status)]


def status_rows(status: ProjectStatus) -> list[tuple[str, object]]:
    """What there is to say about one project: a label and a value each, labels may repeat."""
    project = status.project
    rows: list[tuple[str, object]] = [
        ("project", visible(project.root, keep="")),
        ("slug", project.slug),
        ("name", project.name or "-"),
        ("collection", project.collection),
        ("state", status.state + (f" ({status.progress})" if status.progress else "")),
        ("files", status.files),
        ("chunks", status.chunks),
        ("symbols", status.symbols),
        ("references", status.references),
        ("vectors", f"{status.embedded_chunks} of {status.chunks} chunks ({status.coverage:.0%})"),
        (
            "engine",
            f"{status.engine}, on {status.processor}" if status.processor else status.engine,
        ),
        ("size", size_words(status.index_bytes)),
        ("last indexed", iso_time(status.last_indexed) or "never"),
        ("last pass", _pass_words(status.last_pass) or "-"),
        ("pending", _pending_words(status)),
        ("languages", _counts(status.languages) or "-"),
        ("skipped", _counts(status.skipped) or "-"),
    ]
    if status.degraded:
        rows.append(("without structure", _counts(status.degraded)))
    if status.problem:
        rows.append(("problem", status.problem))
    rows += [
        ("failed", f"{visible(path, keep='')}: {visible(why)}") for path, why in status.failed_files
    ]
    rows += [
        ("no vector", f"{visible(path, keep='')}:{first}-{last}: {visible(reason)}")
        for path, first, last, reason in status.refused_chunks
    ]
    named = [entry for entry in status.skipped_files if entry[1] in _WORTH_NAMING]
    rows += [
        ("skipped", f"{visible(path, keep='')}: {reason}{f' ({detail})' if detail else ''}")
        for path, reason, detail in named
    ]
    return rows


def failed_counts(status: ProjectStatus) -> dict[str, int]:
    """How many files failed, by what went wrong."""
    return dict(Counter(why for _, why in status.failed_files))


def _pass_words(counters: Mapping[str, object]) -> str:
    """A pass by its counters, as the manifest keeps them."""
    parts = [f"{counters[name]} {name}" for name in _COUNTED if counters.get(name)]
    seconds = counters.get("seconds")
    if not counters or not isinstance(seconds, int | float):
        return ""
    return f"{', '.join(parts) or 'nothing to do'} in {seconds:.1f} s"


_COUNTED = ("added", "changed", "deleted", "embedded", "reused")


def _pending_words(status: ProjectStatus) -> str:
    changes = status.pending_changes
    words = "not looked at" if changes is None else f"{changes} files" if changes else "no changes"
    if status.pending_vectors:
        words += f"; {status.pending_vectors} files wait for vectors"
    return words


_WORTH_NAMING = frozenset({"not-utf8", "binary", "unreadable", "too-large", "undecodable-name"})
"""Skips that a user may not expect; ignored and built-in ones are only counted."""


def report_line(report: IndexReport) -> str:
    """A pass in one sentence."""
    parts = [
        f"{report.scanned} files",
        f"{report.added} added",
        f"{report.changed} changed",
        f"{report.deleted} deleted",
        f"{report.chunks} chunks",
        f"{report.embedded} embedded",
        f"{report.reused} reused",
    ]
    if report.failed:
        parts.append(f"{len(report.failed)} failed")
    return f"{', '.join(parts)} in {report.seconds:.1f} s"


def error_document(error: CodeIndexerError) -> dict[str, object]:
    """The JSON object of a failure."""
    return {
        "error": {
            "message": error.message,
            "hint": error.hint,
            "kind": type(error).__name__,
            "exit_code": error.exit_code,
        }
    }


def size_words(count: int) -> str:
    """Bytes in a unit that people read."""
    amount = float(count)
    for unit in ("B", "kB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"


def _counts(counts: Mapping[str, int]) -> str:
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{name} {count}" for name, count in ordered)


def working_directory() -> str | None:
    """Where the user stands, or None where that folder is gone."""
    try:
        return slashed(os.path.realpath(os.getcwd()))  # noqa: PTH109 - a string is wanted
    except OSError:
        return None
