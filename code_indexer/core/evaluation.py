"""``evaluate``: how well searches answer queries whose answers are known."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from code_indexer.core.asking import Scope, checked_limit
from code_indexer.core.queries import search_unrecorded
from code_indexer.core.results import SearchAnswer, SearchedProject
from code_indexer.core.search_request import SearchRequest
from code_indexer.core.services import Services
from code_indexer.errors import UsageError
from code_indexer.indexing.progress import ReportProgress, report_nothing
from code_indexer.ranking.metrics import mean, ndcg_at, recall_at, reciprocal_rank, sign_test
from code_indexer.types import SearchHit

Mode = Literal["hybrid", "lexical"]
MODES: Mapping[str, Mode] = {"hybrid": "hybrid", "lexical": "lexical"}
_PLACE = re.compile(r"(?P<path>.+?):(?P<start>\d+)(?:-(?P<end>\d+))?")
_FORM = 'Each line is a JSON object: {"query": "...", "relevant": ["path", "path:10-20"]}'
_SAME = 1e-4
"""Earlier runs are read back with four digits."""


@dataclass(frozen=True, slots=True)
class Target:
    """A place that answers a query: a file, or lines of it."""

    path: str
    start_line: int | None = None
    end_line: int | None = None

    def __str__(self) -> str:
        return self.path + (f":{self.start_line}-{self.end_line}" if self.start_line else "")

    def is_hit_by(self, hit: SearchHit) -> bool:
        """Whether *hit* shows this place, or a part of it."""
        if self.path not in (hit.path, f"{hit.project}/{hit.path}"):
            return False
        if self.start_line is None or self.end_line is None:
            return True
        return hit.start_line <= self.end_line and self.start_line <= hit.end_line


@dataclass(frozen=True, slots=True)
class LabelledQuery:
    """A query and what answers it."""

    text: str
    relevant: tuple[Target, ...]


@dataclass(frozen=True, slots=True)
class QueryScore:
    """How well one query was answered."""

    query: LabelledQuery
    ranks: tuple[int | None, ...]
    """For each relevant place, the rank of the first hit that shows it; None where none does."""
    recall: float
    reciprocal_rank: float
    ndcg: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """The same queries answered in another way, query by query, by NDCG."""

    other: str
    """What it is compared with: ``lexical``, ``hybrid``, or a file of an earlier run."""
    ndcg_before: Mapping[str, float]
    """By query, of those that both have."""
    better: int
    worse: int
    same: int
    mean_before: float
    mean_after: float
    probability: float
    """Of a split at least as uneven if neither were better (sign test)."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The scores of all queries, in their order, and the means."""

    mode: Mode
    depth: int
    """So many hits of each answer count."""
    scores: tuple[QueryScore, ...]
    projects: tuple[SearchedProject, ...] = ()
    warnings: tuple[str, ...] = ()
    comparison: Comparison | None = None

    @property
    def recall(self) -> float:
        """Mean share of the relevant places that were found."""
        return mean(score.recall for score in self.scores)

    @property
    def mrr(self) -> float:
        """Mean reciprocal rank of the first relevant hit."""
        return mean(score.reciprocal_rank for score in self.scores)

    @property
    def ndcg(self) -> float:
        """Mean normalised discounted cumulative gain."""
        return mean(score.ndcg for score in self.scores)


def read_queries(text: str) -> list[LabelledQuery]:
    """The queries of a file of JSON lines; empty lines are passed over.

    Raises:
        UsageError: A line is not of this form, or there is none.
    """
    queries = [
        _query_of(number, line)
        for number, line in enumerate(text.split("\n"), start=1)
        if line.strip()
    ]
    if not queries:
        raise UsageError("the file holds no queries", hint=_FORM)
    return queries


def evaluate(
    services: Services,
    queries: Sequence[LabelledQuery],
    scope: Scope,
    *,
    depth: int = 10,
    mode: Mode = "hybrid",
    progress: ReportProgress = report_nothing,
) -> Evaluation:
    """The scores of *queries*; the index is brought up to date once, before the first.

    Raises:
        UsageError: The depth is below 1, or a query or project cannot be asked.
    """
    request = SearchRequest(query="", scope=scope, limit=checked_limit(depth), mode=mode)
    scores: list[QueryScore] = []
    answer: SearchAnswer | None = None
    warnings: dict[str, None] = {}
    for query in queries:
        answer = search_unrecorded(services, replace(request, query=query.text), progress=progress)
        request = replace(request, scope=replace(scope, skip_stale_check=True))
        warnings |= dict.fromkeys(answer.warnings)
        scores.append(score_of(query, answer.results, depth=request.limit))
    projects = answer.projects if answer is not None else ()
    warnings |= dict.fromkeys(_unknown(services, queries, projects))
    return Evaluation(mode, request.limit, tuple(scores), projects, tuple(warnings))


def score_of(query: LabelledQuery, hits: Sequence[SearchHit], *, depth: int) -> QueryScore:
    """The measures of one answer."""
    ranks = tuple(
        next((rank for rank, hit in enumerate(hits, start=1) if target.is_hit_by(hit)), None)
        for target in query.relevant
    )
    found = [rank for rank in ranks if rank is not None]
    count = len(query.relevant)
    return QueryScore(
        query,
        ranks,
        recall=recall_at(found, count, depth=depth),
        reciprocal_rank=reciprocal_rank(found, depth=depth),
        ndcg=ndcg_at(found, count, depth=depth),
    )


def compared(after: Evaluation, before: Mapping[str, float], other: str) -> Evaluation:
    """*after* with what changed against *before*, the NDCG by query.

    Raises:
        UsageError: They have no query in common.
    """
    pairs = {
        score.query.text: (before[score.query.text], score.ndcg)
        for score in after.scores
        if score.query.text in before
    }
    if not pairs:
        raise UsageError(f"no query of this file is in {other}", hint="Compare the same queries")
    better = sum(new - old > _SAME for old, new in pairs.values())
    worse = sum(old - new > _SAME for old, new in pairs.values())
    comparison = Comparison(
        other=other,
        ndcg_before={text: old for text, (old, _) in pairs.items()},
        better=better,
        worse=worse,
        same=len(pairs) - better - worse,
        mean_before=mean(old for old, _ in pairs.values()),
        mean_after=mean(new for _, new in pairs.values()),
        probability=sign_test(better, worse),
    )
    left_out = len({score.query.text for score in after.scores}) - len(pairs)
    said = (f"{left_out} queries are not in {other}",) if left_out else ()
    return replace(after, comparison=comparison, warnings=(*after.warnings, *said))


def ndcg_by_query(evaluation: Evaluation) -> dict[str, float]:
    """The NDCG of each query, by its text."""
    return {score.query.text: score.ndcg for score in evaluation.scores}


def read_earlier_run(text: str, *, depth: int) -> dict[str, float]:
    """The NDCG by query of an earlier run's JSON.

    Raises:
        UsageError: It is none, or counted another number of hits.
    """
    try:
        document = json.loads(text)
        found = {str(one["query"]): float(one["ndcg"]) for one in document["queries"]}
        counted = int(document["depth"])
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise UsageError(
            "the file to compare with is not the JSON of an evaluation",
            hint="Make one with: code-indexer eval QUERIES.jsonl --json > before.json",
        ) from error
    if counted != depth:
        raise UsageError(
            f"the earlier run counted {counted} hits, this one {depth}",
            hint=f"Give --limit {counted}",
        )
    return found


def _query_of(number: int, line: str) -> LabelledQuery:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"line {number} is not JSON: {error}", hint=_FORM) from error
    text = entry.get("query") if isinstance(entry, dict) else None
    relevant = entry.get("relevant") if isinstance(entry, dict) else None
    if not isinstance(text, str) or not text.strip():
        raise UsageError(f"line {number} has no query", hint=_FORM)
    if not isinstance(relevant, list) or not relevant:
        raise UsageError(f"line {number} names nothing relevant", hint=_FORM)
    return LabelledQuery(text.strip(), tuple(_target_of(number, one) for one in relevant))


def _target_of(number: int, place: object) -> Target:
    if not isinstance(place, str) or not place.strip():
        raise UsageError(f"line {number}: {place!r} is not a place", hint=_FORM)
    path = place.strip().removeprefix("./")
    lines = _PLACE.fullmatch(path)
    if lines is None:
        return Target(path)
    start = int(lines["start"])
    end = int(lines["end"] or start)
    if not 1 <= start <= end:
        raise UsageError(f"line {number}: {place!r} is no range of lines", hint=_FORM)
    return Target(lines["path"], start, end)


def _unknown(
    services: Services, queries: Sequence[LabelledQuery], projects: Sequence[SearchedProject]
) -> Iterator[str]:
    """Relevant places that no search can find, as their file is not in the index."""
    roots = [one.project for one in projects if one.state not in ("damaged", "missing")]
    for path in dict.fromkeys(target.path for query in queries for target in query.relevant):
        if not any(services.manifest(one).file(path.removeprefix(f"{one.root}/")) for one in roots):
            yield f"not in the index: {path}"
