"""Fitting an answer to a number of tokens: best places first, the rest counted."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from code_indexer.types import SearchHit

CHARACTERS_PER_TOKEN = 3.5
"""What a token of code comes to with the usual tokenizers, on the safe side."""
_INDENT = 4

ReadLines = Callable[[SearchHit], Sequence[str] | None]
"""The present lines of a hit's file; None when it cannot be read."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """The part of an answer that a budget has room for."""

    hits: tuple[SearchHit, ...]
    tokens: int
    """What it comes to, estimated."""
    left_out: int
    """Matching places that there was no room for."""


@dataclass(frozen=True, slots=True)
class _Place:
    hit: SearchHit
    start_line: int
    end_line: int
    is_best: bool
    """The one that the hit shows."""


@dataclass(slots=True)
class _File:
    """What is taken of one file so far."""

    lines: Sequence[str] | None
    taken: list[_Place] = field(default_factory=list)
    hits: list[SearchHit] = field(default_factory=list)
    tokens: int = 0


def estimated_tokens(text: str) -> int:
    """How many tokens *text* comes to, roughly: its characters divided by 3.5, rounded up."""
    return -int(-len(text) // CHARACTERS_PER_TOKEN)


def hit_tokens(hit: SearchHit) -> int:
    """What a hit comes to where it is printed, its place included."""
    heading = f"{hit.project}/{hit.path}:{hit.start_line}-{hit.end_line}  {hit.kind} {hit.symbol}"
    indents = " " * (_INDENT * (hit.snippet.count("\n") + 1))
    return estimated_tokens(f"{heading}\n{indents}{hit.snippet}\n\n")


def fit_hits(hits: Sequence[SearchHit], max_tokens: int, read_lines: ReadLines) -> Fitted:
    """As many of the places of *hits* as fit into *max_tokens*.

    First the place that each hit shows, best hit first, then the other places of its file. Those
    that touch become one. Of a first hit that is too large by itself its first lines are kept.
    """
    files: dict[tuple[str, str], _File] = {}
    tokens = left_out = 0
    for place in _places(hits):
        key = (place.hit.project, place.hit.path)
        file = files.get(key) or _File(read_lines(place.hit))
        if file.lines is None and not place.is_best:
            left_out += 1
            continue
        taken = [*file.taken, place]
        merged = _merged(taken, file.lines)
        cost = sum(map(hit_tokens, merged))
        if tokens - file.tokens + cost > max_tokens:
            left_out += 1
            if not files:
                break
            continue
        tokens += cost - file.tokens
        files[key] = _File(file.lines, taken, merged, cost)
    if not files and hits:
        total = sum(1 + len(hit.also) for hit in hits)
        cut = _cut(hits[0], max_tokens)
        return Fitted((cut,), hit_tokens(cut), total - 1) if cut else Fitted((), 0, total)
    fitted = tuple(hit for file in files.values() for hit in file.hits)
    return Fitted(fitted, tokens, left_out)


def _places(hits: Sequence[SearchHit]) -> Iterator[_Place]:
    for hit in hits:
        yield _Place(hit, hit.start_line, hit.end_line, is_best=True)
    for hit in hits:
        for start, end in hit.also:
            yield _Place(hit, start, end, is_best=False)


def _merged(places: Sequence[_Place], lines: Sequence[str] | None) -> list[SearchHit]:
    """One hit for each run of places, in the order in which their first place was taken."""
    runs: list[list[_Place]] = []
    end = 0
    for place in sorted(places, key=lambda one: (one.start_line, one.end_line)):
        if runs and lines is not None and _touch(end, place.start_line, lines):
            runs[-1].append(place)
            end = max(end, place.end_line)
        else:
            runs.append([place])
            end = place.end_line
    order = {id(place): rank for rank, place in enumerate(places)}
    runs.sort(key=lambda run: min(order[id(place)] for place in run))
    return [_one_hit(run, order, lines) for run in runs]


def _touch(end: int, start: int, lines: Sequence[str]) -> bool:
    return not any(line.strip() for line in lines[end : start - 1])


def _one_hit(
    run: Sequence[_Place], order: dict[int, int], lines: Sequence[str] | None
) -> SearchHit:
    first = min(run, key=lambda place: order[id(place)])
    start = min(place.start_line for place in run)
    end = max(place.end_line for place in run)
    hit = replace(first.hit, also=(), start_line=start, end_line=end)
    if first.is_best and (start, end) == (first.start_line, first.end_line):
        return hit
    if lines is not None:
        hit = replace(hit, snippet="\n".join(lines[start - 1 : end]))
    return hit if first.is_best else replace(hit, symbol=None, kind=None)


def _cut(hit: SearchHit, max_tokens: int) -> SearchHit | None:
    """The first lines of a hit, as many as fit; None if not even one does."""
    rows = hit.snippet.split("\n")
    for count in range(len(rows) - 1, 0, -1):
        shorter = replace(
            hit,
            snippet="\n".join(rows[:count]),
            end_line=min(hit.end_line, hit.start_line + count - 1),
            also=(),
        )
        if hit_tokens(shorter) <= max_tokens:
            return shorter
    return None
