"""Answers of tools: structured, and as text that costs an agent few tokens; both bounded."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from code_indexer.core.results import (
    AddedProject,
    CodeContextAnswer,
    ProjectStatus,
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
from code_indexer.mcp_server.wording import bounded, for_agents
from code_indexer.rendering import search_document, status_document, visible
from code_indexer.symbol_rendering import (
    context_document,
    references_document,
    symbols_document,
)

MAX_HITS = 100
MAX_PLACES = 200
_MAX_LISTED = 200
_MAX_CHARACTERS = 16_000
"""Of snippets in one answer: about 4,000 tokens."""
_MAX_CONTEXT_CHARACTERS = 32_000
_MAX_SNIPPET_CHARACTERS = 1_600
_MAX_SHORTENED = 5
_FILE_LISTS = {
    "skipped_files": "skipped files",
    "failed": "failed files",
    "refused_chunks": "refused chunks",
}
_WORTH_NAMING = frozenset({"not-utf8", "binary", "unreadable", "too-large", "undecodable-name"})


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool gives back."""

    structured: Document
    text: str


# -- searches and names ---------------------------------------------------------------------------


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
    remarks = _remarks(document)
    return Answer(_pruned(document), "\n".join([visible(head, keep=""), *remarks, text]))


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
        lines.append(f"project: {_called(projects[0].project.root, projects[0].project.name)}")
    else:
        names = [_called(one.project.root, one.project.name) for one in projects[:MAX_NAMED]]
        more = f" and {len(projects) - MAX_NAMED} more" if len(projects) > MAX_NAMED else ""
        lines.append(f"projects: {', '.join(names)}{more}")
    if document["partial"]:
        lines.append(_partial_line(document, projects))
    lines += _remarks(document)
    structured = _pruned(document)
    text = "\n".join(lines) + (f"\n\n{visible(body)}" if body else "")
    return Answer(structured, text)


def _partial_line(document: Document, projects: Sequence[SearchedProject]) -> str:
    percent = document.get("percent")
    if all(one.percent == 100 for one in projects):
        return f"partial: {percent} % of the code has vectors; the rest is found by its words alone"
    share = f"{percent} % of the index was" if percent is not None else "not all of the index was"
    return f"partial: {share} there; it is being completed. Ask again later for the rest."


def _remarks(document: Document) -> list[str]:
    return [
        *(f"warning: {visible(warning, keep='')}" for warning in document["warnings"]),
        *(f"cut: {visible(what, keep='')}" for what in document["cut"]),
    ]


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


def _called(root: str, name: str | None) -> str:
    return visible(f"{root} ({name})" if name else root, keep="")


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


# -- projects -------------------------------------------------------------------------------------


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
        "project": _pruned({**document, "problem": _for_agents(status.problem)}),
        "partial": status.state == "indexing" or status.coverage < 1 or status.percent != 100,
        "warnings": [for_agents(warning) for warning in warnings],
        "cut": cut,
    }
    lines = [_project_line(status), *_remarks(structured)]
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
    return _pruned({**short, "problem": _for_agents(status.problem)})


def _project_line(status: ProjectStatus) -> str:
    project = status.project
    words = [_called(project.root, project.name), f"slug {project.slug}", status.state]
    if status.progress:
        words[-1] += f" {status.progress}"
    words.append(f"{status.files} files")
    if status.problem:
        words.append(f"problem: {for_agents(status.problem)}")
    return ", ".join(words)


def _for_agents(text: str | None) -> str | None:
    return None if text is None else for_agents(text)


# -- documents ------------------------------------------------------------------------------------

_ALWAYS = frozenset({"results", "projects", "warnings", "cut", "suggestions", "meanings"})
"""Lists that are there even when they are empty."""


def _pruned(document: Document) -> Document:
    """*document* without what is unknown or empty, and with nothing that is not UTF-8."""
    pruned: Document = {}
    for name, value in document.items():
        if value is None or (value == [] and name not in _ALWAYS):
            continue
        pruned[_text(name)] = _clean(value)
    return pruned


def _clean(value: object) -> object:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, dict):
        return _pruned(value)
    if isinstance(value, list | tuple):
        return [_clean(one) for one in value]
    return value


def _text(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
