"""Answers about answers, ``why`` and ``eval``, as text and as JSON."""

from collections.abc import Iterator

from code_indexer.core.why import FileReasons
from code_indexer.ranking.explanations import explanation, sources
from code_indexer.rendering import hit_heading, searched_documents, shown_path, visible
from code_indexer.types import SearchHit


def why_document(about: FileReasons) -> dict[str, object]:
    """The JSON object of ``why``."""
    return {
        "path": about.path,
        "project": about.project.root,
        "query": about.query,
        "standing": about.standing,
        "reason": about.reason,
        "detail": about.detail,
        "language": about.language,
        "content": about.content,
        "chunks": about.chunks,
        "has_vectors": about.has_vectors,
        "rank": about.rank,
        "ranked": about.ranked,
        "mode": about.mode,
        "best": None if about.best is None else _best_document(about.best),
        "words_held": list(about.words_held),
        "words_lacked": list(about.words_lacked),
        "projects": searched_documents(about.projects),
        "warnings": list(about.warnings),
    }


def _best_document(best: SearchHit) -> dict[str, object]:
    return {
        "start_line": best.start_line,
        "end_line": best.end_line,
        "symbol": best.symbol,
        "kind": best.kind,
        "score": round(best.score, 4),
        "signals": {stage: round(value, 4) for stage, value in best.signals},
        "found_by": sources(best.signals),
    }


def why_text(about: FileReasons, working_directory: str | None) -> str:
    """A paragraph: the verdict first, what it rests on below."""
    path = shown_path(about.project.root, about.path, working_directory)
    return "".join(f"{line}\n" for line in [f"{path}: {_verdict(about)}", *_grounds(about)])


def _verdict(about: FileReasons) -> str:
    if about.standing == "found":
        return f"rank {about.rank} of {about.ranked} files"
    said = {
        "indexed": "indexed",
        "outranked": f"not among the {about.ranked} files of the answer",
        "skipped": "not indexed",
        "failed": "failed",
        "pending": "not indexed yet",
        "missing": "no such file",
    }[about.standing]
    reason = "" if about.standing == "missing" else about.reason
    return f"{said}: {visible(reason, keep='')}" if reason else said


def _grounds(about: FileReasons) -> Iterator[str]:
    if about.detail:
        yield f"  rule: {visible(about.detail, keep='')}"
    if about.chunks:
        vectors = "with vectors" if about.has_vectors else "without vectors yet"
        kind = " ".join(word for word in (about.language, about.content) if word)
        yield f"  indexed as {kind}, {about.chunks} chunks {vectors}"
    if about.words_held or about.words_lacked:
        yield f"  words of the query it holds: {_listed(about.words_held)}"
        yield f"  words of the query it lacks: {_listed(about.words_lacked)}"
    if about.best is not None:
        yield f"  best place: {hit_heading(about.best, about.project.root)}"
        alone = " (as if there were no other file)" if about.standing == "outranked" else ""
        first, *rest = explanation(about.best.score, about.best.signals)
        yield f"  {first}{alone}"
        yield from (f"  {line}" for line in rest)


def _listed(words: tuple[str, ...]) -> str:
    return visible(", ".join(words), keep="") or "none"
