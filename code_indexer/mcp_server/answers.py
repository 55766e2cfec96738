"""Answers of tools that find code: structured, and as text of few tokens; both bounded."""

from collections.abc import Callable, Iterable, Sequence

from code_indexer.core.results import (
    CodeContextAnswer,
    ReferencesFound,
    SearchAnswer,
    SearchedProject,
    SymbolsFound,
)
from code_indexer.mcp_server.bounds import (
    MAX_NAMED,
    Document,
    clip_fields,
    keep_first,
    keep_results,
)
from code_indexer.mcp_server.documents import Answer, called, pruned, remarks
from code_indexer.mcp_server.wording import bounded, for_agents
from code_indexer.rendering import search_document, visible
from code_indexer.symbol_rendering import (
    context_document,
    references_document,
    symbols_document,
)

MAX_HITS = 100
MAX_PLACES = 200
_MAX_CHARACTERS = 16_000
"""Of snippets in one answer: about 4,000 tokens."""
_MAX_CONTEXT_CHARACTERS = 32_000
_MAX_SNIPPET_CHARACTERS = 1_600
_MAX_SHORTENED = 5
_NO_HITS = "use other words, drop file_filter, or see with index_status what is indexed"


def search_answer(
    answer: SearchAnswer, notes: Sequence[str] = (), *, if_none: str = _NO_HITS
) -> Answer:
    """Hits with snippets, until there are too many of them to be read."""
    document: Document = search_document(answer)
    cut: list[str] = []
    snippets = [hit.pop("snippet") for hit in document["results"]]
    keep_results(document, cut, _named, what_next="ask with a smaller limit")
    _put_snippets(document["results"], snippets, cut)
    _finish(document, answer.projects, (*notes, *answer.warnings), cut)
    if not answer.results:
        document["warnings"].append(_nothing_found(document, if_none))
    hits = document["results"]
    shown = _shown_paths(answer.projects)
    blocks = [
        "\n".join(
            [
                f"{shown(hit)}:{hit['start_line']}-{hit['end_line']}{_named(hit)}",
                *([hit["snippet"]] if hit.get("snippet") else []),
                *([f"also: {_spans(hit['also'])}"] if hit.get("also") else []),
            ]
        )
        for hit in hits
    ]
    return _answer(document, answer.projects, "\n\n".join(blocks))


def symbols_answer(found: SymbolsFound, notes: Sequence[str] = ()) -> Answer:
    """A line for each symbol."""
    document: Document = symbols_document(found)
    cut: list[str] = []
    if found.total > len(found.results):
        cut.append(f"{found.total - len(found.results)} more symbols; a fuller name narrows them")
    keep_results(document, cut, _symbol_line)
    warnings = [*notes, *found.warnings]
    if found.match == "substring":
        warnings.append(f"nothing is called exactly {found.query!r}; these names contain it")
    if not found.results:
        warnings.append(_unknown_name(found.query, found.suggestions))
    _finish(document, found.projects, warnings, cut)
    shown = _shown_paths(found.projects)
    lines = [f"{shown(one)}:{one['line']}: {_symbol_line(one)}" for one in document["results"]]
    return _answer(document, found.projects, "\n".join(lines))


def references_answer(found: ReferencesFound, notes: Sequence[str] = ()) -> Answer:
    """A line for each place, under what the name means where it means several things."""
    document: Document = references_document(found)
    cut: list[str] = []
    if found.total > len(found.results):
        cut.append(more_places(found.total, shown=len(found.results)))
    keep_first(document, "meanings", cut, "more definitions of the name", MAX_NAMED)
    for one in document["meanings"]:
        clip_fields(one)
    keep_results(document, cut, _reference_line)
    warnings = [*notes, *found.warnings]
    if not found.definitions and not found.results:
        warnings.append(_unknown_name(found.query, found.suggestions))
        warnings.append("a module or file is no symbol; semantic_search or grep finds its imports")
    elif not found.results:
        warnings.append("it is defined, but nothing uses it as far as the index knows")
    elif not found.definitions:
        warnings.append("it is not defined in the project; these places name it")
    if found.left_out:
        warnings.append(
            f"{found.left_out} uses of fields with this name are left out; ask for Owner.name"
        )
    _finish(document, found.projects, warnings, cut)
    shown = _shown_paths(found.projects)
    lines = _counted(document)
    several = len(found.definitions) > 1
    meaning = None
    for one in document["results"]:
        means = " or ".join(one.get("means", ()))
        if several and means != meaning:
            meaning = means
            lines.append(f"# {means or 'not defined in its project'}")
        lines.append(f"{shown(one)}:{one['line']}: {_reference_line(one)}")
    return _answer(document, found.projects, "\n".join(lines))


def more_places(total: int, *, shown: int) -> str:
    """How many places an answer has no room for, and how to see them."""
    more = f"{total - shown} of {total} places"
    if shown < MAX_PLACES:
        return f"{more}; a larger limit shows more"
    return f"{more}; ask for one relationship, or for Owner.name"


def context_answer(
    answer: CodeContextAnswer, *, asked_end: int | None, notes: Sequence[str] = ()
) -> Answer:
    """The lines of a file, as many as can be read at once."""
    document: Document = context_document(answer)["results"][0]  # type: ignore[index]
    cut = []
    text = visible(str(document["text"]))
    end = answer.context.end_line
    if len(text) > _MAX_CONTEXT_CHARACTERS:
        kept = text[:_MAX_CONTEXT_CHARACTERS].rpartition("\n")[0]
        if not kept:
            kept = text[:_MAX_CONTEXT_CHARACTERS]
            cut.append(f"the rest of line {answer.context.start_line}, which is very long")
        end = answer.context.start_line + kept.count("\n")
        text = kept
    if end < answer.context.end_line or answer.context.truncated:
        cut.append(f"the lines after {end}; ask again with start_line {end + 1}")
    warnings = list(notes)
    total = answer.context.total_lines
    if asked_end is not None and asked_end > total:
        warnings.append(f"end_line {asked_end} is beyond the end; the file has {total} lines")
    document = {
        name: value
        for name, value in document.items()
        if name not in ("line", "truncated", "others") or (name == "others" and value)
    }
    keep_first(document, "others", cut, "more symbols of that name", MAX_NAMED)
    document |= {"text": text, "end_line": end, "warnings": warnings, "cut": cut}
    head = (
        f"{document['project']}/{document['path']}:{document['start_line']}-{end}"
        f" of {total} lines{_named(document)}"
    )
    lines = [visible(head, keep=""), *remarks(document), text]
    return Answer(pruned(document), "\n".join(lines))


def _finish(
    document: Document,
    projects: Sequence[SearchedProject],
    warnings: Iterable[str],
    cut: list[str],
) -> None:
    """Say how complete the answer is."""
    document["query"] = bounded(str(document["query"]))
    found_in = {one["project"] for one in document["results"]}
    # Those first that something is to be said about.
    document["projects"].sort(key=lambda one: (one["path"] not in found_in, one["percent"] == 100))
    keep_first(document, "projects", cut, "more projects that were asked", MAX_NAMED)
    open_ones = [one for one in projects if _is_partial(one)]
    document["partial"] = bool(open_ones)
    known = [percent for one in open_ones if (percent := _percent(one)) is not None]
    if known or not open_ones:
        document["percent"] = min(known, default=100)
    document["warnings"] = [for_agents(warning) for warning in warnings]
    keep_first(document, "warnings", cut, "more warnings", MAX_NAMED)
    document["cut"] = cut


def _is_partial(one: SearchedProject) -> bool:
    return one.state in ("indexing", "partial", "damaged") or one.coverage < 1


def _percent(one: SearchedProject) -> int | None:
    if one.state in ("indexing", "partial", "damaged") and one.percent != 100:
        return one.percent
    return min(99, int(one.coverage * 100))


def _answer(document: Document, projects: Sequence[SearchedProject], body: str) -> Answer:
    lines = []
    if len(projects) == 1:
        lines.append(f"project: {called(projects[0].project.root, projects[0].project.name)}")
    else:
        names = [called(one.project.root, one.project.name) for one in projects[:MAX_NAMED]]
        more = f" and {len(projects) - MAX_NAMED} more" if len(projects) > MAX_NAMED else ""
        lines.append(f"projects: {', '.join(names)}{more}")
    if document["partial"]:
        lines.append(_partial_line(document, projects))
    lines += remarks(document)
    structured = pruned(document)
    text = "\n".join(lines) + (f"\n\n{visible(body)}" if body else "")
    return Answer(structured, text)


def _partial_line(document: Document, projects: Sequence[SearchedProject]) -> str:
    percent = document.get("percent")
    if all(one.percent == 100 for one in projects):
        return f"partial: {percent} % of the code has vectors; the rest is found by its words alone"
    share = f"{percent} % of the index was" if percent is not None else "not all of the index was"
    return f"partial: {share} there; it is being completed. Ask again later for the rest."


def _put_snippets(hits: Sequence[Document], snippets: Sequence[str], cut: list[str]) -> None:
    """Give the hits their snippets back, as long as there is room for them."""
    used = without = 0
    shortened = []
    for hit, snippet in zip(hits, snippets, strict=False):
        whole = visible(snippet).rstrip()
        shown = whole
        if len(whole) > _MAX_SNIPPET_CHARACTERS:
            shown = f"{whole[:_MAX_SNIPPET_CHARACTERS]}…"
        used += len(shown)
        if used > _MAX_CHARACTERS:
            without += 1
            continue
        hit["snippet"] = shown
        if shown != whole:
            shortened.append(f"{hit['path']}:{hit['start_line']}-{hit['end_line']}")
    cut += [f"the end of the snippet of {place}" for place in shortened[:_MAX_SHORTENED]]
    if len(shortened) > _MAX_SHORTENED:
        cut.append(f"the ends of the snippets of {len(shortened) - _MAX_SHORTENED} more hits")
    if without:
        cut.append(
            f"the snippets of the last {without} hits; read them with get_code_context,"
            " or ask with a smaller limit"
        )


def _shown_paths(projects: Sequence[SearchedProject]) -> Callable[[Document], str]:
    """Relative where the heading names the only project, absolute among several."""
    if len(projects) == 1:
        return lambda one: visible(one["path"], keep="")
    return lambda one: visible(f"{one['project']}/{one['path']}", keep="")


def _named(one: Document) -> str:
    words = [one[field] for field in ("kind", "symbol") if one.get(field)]
    return f" {visible(' '.join(words), keep='')}" if words else ""


def _spans(spans: Iterable[Document]) -> str:
    return ", ".join(f"{span['start_line']}-{span['end_line']}" for span in spans)


def _symbol_line(one: Document) -> str:
    declared = " (declaration)" if one.get("is_declaration") else ""
    what = f"{one['kind']} {one['qualified_name']}"
    signature = str(one.get("signature") or "")
    if signature.startswith(what):
        return f"{signature}{declared}"
    return f"{what}{declared} — {signature}" if signature else f"{what}{declared}"


def _reference_line(one: Document) -> str:
    inside = f" in {one['enclosing']}" if one.get("enclosing") else ""
    through = f" through {one['through']}" if one.get("through") else ""
    return f"{one['relationship']} {one['confidence']}{inside}{through}"


def _counted(document: Document) -> list[str]:
    counts = document["by_relationship"]
    if not counts:
        return []
    words = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
    meanings = document["meanings"]
    lines = [f"{document['total']} uses ({words})"]
    if len(meanings) == 1:
        one = meanings[0]
        lines[0] += f" of {one['kind']} {one['symbol']}, defined in {one['defined_in']}"
    return lines


def _nothing_found(document: Document, what_next: str) -> str:
    if document["partial"]:
        return "nothing found so far; ask again when the index is complete"
    return f"nothing found; {what_next}"


def _unknown_name(name: str, suggestions: Sequence[str]) -> str:
    if suggestions:
        return f"nothing is called {name!r}; did you mean {' or '.join(suggestions)}?"
    return f"nothing is called {name!r}; try a part of it with find_symbol, or semantic_search"
