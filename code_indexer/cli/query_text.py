"""Answers about answers, ``why`` and ``eval``, as text and as JSON."""

from collections.abc import Iterator

from code_indexer.core.evaluation import Comparison, Evaluation, QueryScore
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


def evaluation_document(evaluation: Evaluation) -> dict[str, object]:
    """The JSON object of ``eval``."""
    comparison = evaluation.comparison
    return {
        "mode": evaluation.mode,
        "depth": evaluation.depth,
        "mean": {
            "recall": round(evaluation.recall, 4),
            "mrr": round(evaluation.mrr, 4),
            "ndcg": round(evaluation.ndcg, 4),
        },
        "queries": [_score_document(score) for score in evaluation.scores],
        "comparison": None if comparison is None else _comparison_document(comparison),
        "projects": searched_documents(evaluation.projects),
        "warnings": list(evaluation.warnings),
    }


def _score_document(score: QueryScore) -> dict[str, object]:
    return {
        "query": score.query.text,
        "relevant": [str(target) for target in score.query.relevant],
        "ranks": list(score.ranks),
        "recall": round(score.recall, 4),
        "reciprocal_rank": round(score.reciprocal_rank, 4),
        "ndcg": round(score.ndcg, 4),
    }


def _comparison_document(comparison: Comparison) -> dict[str, object]:
    return {
        "with": comparison.other,
        "ndcg_before": round(comparison.mean_before, 4),
        "ndcg_after": round(comparison.mean_after, 4),
        "better": comparison.better,
        "worse": comparison.worse,
        "same": comparison.same,
        "probability": round(comparison.probability, 4),
        "queries": {text: round(ndcg, 4) for text, ndcg in comparison.ndcg_before.items()},
    }


def evaluation_text(evaluation: Evaluation) -> str:
    """A line for each query, the means, and what changed."""
    before = evaluation.comparison.ndcg_before if evaluation.comparison else {}
    depth = evaluation.depth
    lines = [f"  ndcg  recall  first{'  change' if before else ''}  query"]
    for score in evaluation.scores:
        text = score.query.text
        first = min((rank for rank in score.ranks if rank is not None), default=None)
        change = f"{score.ndcg - before[text]:+8.3f}" if text in before else " " * 8
        lines.append(
            f"{score.ndcg:6.3f}  {score.recall:6.3f}  {first or '-':>5}"
            f"{change if before else ''}  {visible(text, keep='')}"
        )
    lines.append("")
    lines.append(
        f"{len(evaluation.scores)} queries, {evaluation.mode}: NDCG@{depth} {evaluation.ndcg:.3f},"
        f" recall@{depth} {evaluation.recall:.3f}, MRR {evaluation.mrr:.3f}"
    )
    if evaluation.comparison is not None:
        lines.append(_comparison_line(evaluation.comparison, depth))
    return "".join(f"{line}\n" for line in lines)


def _comparison_line(comparison: Comparison, depth: int) -> str:
    change = comparison.mean_after - comparison.mean_before
    return (
        f"against {visible(comparison.other, keep='')}:"
        f" NDCG@{depth} {comparison.mean_before:.3f} -> {comparison.mean_after:.3f}"
        f" ({change:+.3f}); {comparison.better} better,"
        f" {comparison.worse} worse, {comparison.same} the same"
        f" (by chance alone: p = {comparison.probability:.2f})"
    )
