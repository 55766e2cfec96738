"""How large an answer may be, in both of its forms; whatever is left out is named and counted."""

import json
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

Document: TypeAlias = dict[str, Any]

MAX_NAMED = 20
"""Of what stands beside the results: projects, warnings, meanings, files."""
_MAX_SPANS = 10
_MAX_MEANT = 5
_MAX_LINE_CHARACTERS = 300
_MAX_CHARACTERS = 16_000
"""Of lines about places in one answer: about 4,000 tokens."""
_MAX_STRUCTURED_CHARACTERS = 40_000
"""Of the same places as JSON, where the names of fields take up half."""
_PLACE_CHARACTERS = 20
_LINE_FIELDS = (
    *("symbol", "name", "qualified_name", "parent", "enclosing", "through"),
    *("signature", "documentation", "detail", "error", "reason", "defined_in"),
)


def clipped(text: object) -> str | None:
    """*text* on one line of a readable length; None for none."""
    if not isinstance(text, str) or not text:
        return None
    line = " ".join(text.split())
    return line if len(line) <= _MAX_LINE_CHARACTERS else f"{line[:_MAX_LINE_CHARACTERS]}…"


def clip_fields(one: Document) -> None:
    """Bound the names and remarks of one result."""
    for field in _LINE_FIELDS:
        if field in one:
            one[field] = clipped(one[field])


def keep_first(document: Document, field: str, cut: list[str], more: str, most: int) -> None:
    """Keep the first *most* entries of a list; *more* says after their count what the rest is."""
    entries: Sequence[object] = document.get(field) or ()
    if len(entries) > most:
        cut.append(f"{len(entries) - most} {more}")
        document[field] = list(entries[:most])


def keep_results(
    document: Document,
    cut: list[str],
    line_of: Callable[[Document], str],
    *,
    field: str = "results",
    what_next: str = "narrow the question",
) -> None:
    """Keep as many results as may be read at once, as lines and as JSON."""
    results: list[Document] = document[field]
    for one in results:
        clip_fields(one)
        if "means" in one:
            one["means"] = [clipped(meant) for meant in one["means"]]
    keep_first_of_each(results, "means", cut, "definitions that uses may mean", _MAX_MEANT)
    keep_first_of_each(results, "also", cut, "more spans of the files that match", _MAX_SPANS)
    characters = structured = 0
    for index, one in enumerate(results):
        characters += len(line_of(one)) + len(one["path"]) + _PLACE_CHARACTERS
        structured += len(json.dumps(one, ensure_ascii=False))
        if characters > _MAX_CHARACTERS or structured > _MAX_STRUCTURED_CHARACTERS:
            cut.append(f"the last {len(results) - index} {field}; {what_next}")
            document[field] = results[:index]
            return


def keep_first_of_each(
    results: Sequence[Document], field: str, cut: list[str], more: str, most: int
) -> None:
    """The same as :func:`keep_first` for a list inside of each result, counted together."""
    count = 0
    for one in results:
        entries = one.get(field) or ()
        count += max(0, len(entries) - most)
        if entries:
            one[field] = list(entries[:most])
    if count:
        cut.append(f"{count} {more}")
