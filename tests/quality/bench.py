"""Scores of the ranking on a benchmark of repositories and labelled queries; not run by pytest.

    python tests/quality/bench.py --bench DIR --repos DIR [--index-root DIR] [--ablation] [--held-out]

``--bench`` holds ``repos.json`` and ``queries/<name>.json``, ``--repos`` the checkouts. The score
is NDCG@10 with binary relevance, a target being found where a hit's path ends like it (and lines
overlap, where it has some); the headline is the mean of the repositories' means.

``--ablation`` switches one stage off at a time. ``--held-out`` chooses every weight anew without
the queries of one language, and scores that language with it: what is left of the score shows how
much the weights are fitted to these repositories.
"""

import argparse
import json
import math
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from code_indexer.core.projects import add_project
from code_indexer.core.services import Services
from code_indexer.inference.embedded import EmbeddedEmbedder
from code_indexer.inference.embedder import Vector
from code_indexer.ranking.rank import RankingWeights
from code_indexer.search.pipeline import ProjectQuestion, search_project
from code_indexer.settings import load_settings
from code_indexer.types import SearchHit

TOP = 10
EMBEDDER = EmbeddedEmbedder()
KINDS = ("architecture", "semantic", "symbol")
# Neutral values of the weights that are factors.
NEUTRAL = {"penalty_strength": 0.0, "docs": 1.0, "config": 1.0, "code_for_docs": 1.0, "copy": 1.0}
STEPS = (0.5, 0.75, 1.25, 1.5)
NOISE = 0.003
"""A gain that is not worth a change: two equal rankings differ by so much on 420 queries."""


@dataclass(frozen=True)
class LabelledQuery:
    """A query and the places that answer it."""

    repository: str
    language: str
    kind: str
    text: str
    targets: tuple[tuple[str, int | None, int | None], ...]


class Remembering:
    """A stand-in for an object that gives the same answers, each computed once."""

    def __init__(self, target: object) -> None:
        self._target = target
        self._known: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self._target, name)

        def call(*arguments: Any, **options: Any) -> Any:
            key = f"{name}{arguments}{options}"
            if key not in self._known:
                self._known[key] = method(*arguments, **options)
            return self._known[key]

        return call


class Repository:
    """One indexed checkout and its queries."""

    def __init__(self, services: Services, root: Path, queries: Sequence[LabelledQuery]) -> None:
        self.queries = queries
        project = add_project(services, str(root)).status.project
        manifest = services.manifest(project)
        self._root = str(root)
        self._manifest: Any = Remembering(manifest)
        self._vectors: Any = Remembering(manifest.vectors())
        self._query_vectors: dict[str, Vector] = {
            query.text: EMBEDDER.embed_query(query.text) for query in queries
        }

    def hits(self, query: LabelledQuery, weights: RankingWeights) -> Sequence[SearchHit]:
        """The first hits for one query."""
        answer = search_project(
            self._manifest,
            ProjectQuestion(query=query.text, limit=TOP, weights=weights),
            root=self._root,
            vectors=self._vectors,
            query_vector=self._query_vectors[query.text],
        )
        return answer.hits


def ndcg(hits: Sequence[SearchHit], query: LabelledQuery) -> float:
    """NDCG at ten of one answer."""
    ranks = [rank for target in query.targets if (rank := _rank_of(target, hits)) is not None]
    ideal = sum(1 / math.log2(place + 2) for place in range(min(TOP, len(query.targets))))
    return sum(1 / math.log2(rank + 2) for rank in ranks) / ideal


def _rank_of(target: tuple[str, int | None, int | None], hits: Sequence[SearchHit]) -> int | None:
    path, start, end = target
    for rank, hit in enumerate(hits[:TOP]):
        same = hit.path == path or hit.path.endswith(f"/{path}") or path.endswith(f"/{hit.path}")
        apart = start is not None and end is not None
        if same and not (apart and (hit.end_line < start or hit.start_line > end)):
            return rank
    return None


def scored(
    repositories: Iterable[Repository], weights: RankingWeights
) -> dict[LabelledQuery, float]:
    """The score of every query."""
    return {
        query: ndcg(repository.hits(query, weights), query)
        for repository in repositories
        for query in repository.queries
    }


def mean(values: Iterable[float]) -> float:
    """The mean, 0 of nothing."""
    listed = list(values)
    return sum(listed) / len(listed) if listed else 0.0


def overall(scores: Mapping[LabelledQuery, float]) -> float:
    """The mean of the repositories' means."""
    by_repository = defaultdict(list)
    for query, score in scores.items():
        by_repository[query.repository].append(score)
    return mean(map(mean, by_repository.values()))


def by_language(scores: Mapping[LabelledQuery, float]) -> dict[str, float]:
    """Per language, the mean of its repositories' means."""
    languages = sorted({query.language for query in scores})
    return {
        language: overall({q: s for q, s in scores.items() if q.language == language})
        for language in languages
    }


def row(title: str, scores: Mapping[LabelledQuery, float]) -> str:
    """One line of a table."""
    kinds = [mean(s for q, s in scores.items() if q.kind == kind) for kind in KINDS]
    worst, lowest = min(by_language(scores).items(), key=lambda pair: pair[1])
    cells = [f"{overall(scores):.3f}", *(f"{value:.3f}" for value in kinds)]
    return f"| {title} | {' | '.join(cells)} | {worst} {lowest:.2f} |"


def read_queries(bench: Path, name: str, language: str) -> list[LabelledQuery]:
    """The usable queries about one repository."""
    entries = json.loads((bench / "queries" / f"{name}.json").read_text())
    return [
        LabelledQuery(
            name,
            language,
            entry["category"],
            entry["query"],
            tuple(
                (target["path"], target.get("start_line"), target.get("end_line"))
                for target in entry["relevant"] + entry["secondary"]
            ),
        )
        for entry in entries
        if entry["usable"]
    ]


def open_repositories(services: Services, bench: Path, checkouts: Path) -> list[Repository]:
    """Every repository of the benchmark that is checked out, indexed."""
    repositories = []
    for entry in json.loads((bench / "repos.json").read_text()):
        root = checkouts / entry["name"] / (entry["benchmark_root"] or "")
        if root.is_dir():
            queries = read_queries(bench, entry["name"], entry["language"])
            repositories.append(Repository(services, root.resolve(), queries))
    return repositories


def print_ablation(repositories: Sequence[Repository]) -> None:
    """The score without each stage."""
    for field in fields(RankingWeights):
        off = replace(RankingWeights(), **{field.name: NEUTRAL.get(field.name, 0.0)})
        print(row(f"without {field.name}", scored(repositories, off)))


def print_held_out(repositories: Sequence[Repository]) -> None:
    """The score of every language with weights that were chosen without it."""
    chosen = RankingWeights()
    start = scored(repositories, chosen)
    tries: dict[tuple[str, float], dict[LabelledQuery, float]] = {}
    for field in fields(RankingWeights):
        for step in STEPS:
            value = getattr(chosen, field.name) * step
            tries[field.name, value] = scored(repositories, replace(chosen, **{field.name: value}))
    total: dict[LabelledQuery, float] = {}
    for language in by_language(start):
        weights = chosen
        for field in fields(RankingWeights):
            options = {value: one for (name, value), one in tries.items() if name == field.name}
            best = max(options, key=lambda value: overall(_without(options[value], language)))
            gain = overall(_without(options[best], language)) - overall(_without(start, language))
            if gain > NOISE:
                weights = replace(weights, **{field.name: best})
        own = [one for one in repositories if one.queries[0].language == language]
        total |= scored(own, weights)
    print(row("weights chosen without the language", total))


def _without(scores: Mapping[LabelledQuery, float], language: str) -> dict[LabelledQuery, float]:
    return {query: score for query, score in scores.items() if query.language != language}


def main() -> None:
    """Index what is not indexed yet, score, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bench", type=Path, required=True)
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--index-root", type=Path)
    parser.add_argument("--ablation", action="store_true")
    parser.add_argument("--held-out", action="store_true")
    asked = parser.parse_args()
    with TemporaryDirectory() as scratch:
        settings = load_settings({"index_root": str(asked.index_root or scratch)})
        with Services(settings) as services:
            repositories = open_repositories(services, asked.bench, asked.repos)
            scores = scored(repositories, RankingWeights())
            print("| | overall | architecture | semantic | symbol | lowest language |")
            print("|---|---|---|---|---|---|")
            print(row("all stages", scores))
            if asked.ablation:
                print_ablation(repositories)
            if asked.held_out:
                print_held_out(repositories)
            print("\n" + "  ".join(f"{name} {s:.3f}" for name, s in by_language(scores).items()))


if __name__ == "__main__":
    sys.exit(main())
