"""Symbols, references and source lines as text and as JSON, the same for every face."""

from code_indexer.core.results import (
    CodeContextAnswer,
    ProjectReference,
    ProjectSymbol,
    ReferencesFound,
    SymbolsFound,
)
from code_indexer.rendering import searched_documents, shown_path, visible

_MOST_MEANINGS = 3


def symbols_document(found: SymbolsFound) -> dict[str, object]:
    """The JSON object of ``find-symbol`` and ``find-definition``."""
    return {
        "query": found.query,
        "match": found.match,
        "results": [_symbol_document(one) for one in found.results],
        "total": found.total,
        "left_out": found.left_out,
        "suggestions": list(found.suggestions),
        "projects": searched_documents(found.projects),
        "warnings": list(found.warnings),
    }


def symbols_text(found: SymbolsFound, working_directory: str | None) -> str:
    """``path:line: kind name — signature`` lines, which editors understand."""
    return "".join(f"{_symbol_line(one, working_directory)}\n" for one in found.results)


def references_document(found: ReferencesFound) -> dict[str, object]:
    """The JSON object of ``find-references``."""
    return {
        "query": found.query,
        "results": [_reference_document(one) for one in found.results],
        "total": found.total,
        "by_relationship": dict(found.by_relationship),
        "by_confidence": dict(found.by_confidence),
        "meanings": [_symbol_place(one) for one in found.definitions],
        "left_out": found.left_out,
        "suggestions": list(found.suggestions),
        "projects": searched_documents(found.projects),
        "warnings": list(found.warnings),
    }


def references_text(found: ReferencesFound, working_directory: str | None) -> str:
    """``path:line: relationship confidence`` lines; several meanings get a heading each."""
    lines = []
    several = len(found.definitions) > 1
    groups: dict[tuple[str, ...], list[str]] = {}
    for one in found.results:
        groups.setdefault(_meanings(one), []).append(_reference_line(one, working_directory))
    for meanings, uses in groups.items():
        if several:
            lines.append(f"# {_heading(meanings)}")
        lines += uses
    return "".join(f"{line}\n" for line in lines)


def context_document(answer: CodeContextAnswer) -> dict[str, object]:
    """The JSON object of ``get-code-context``."""
    context = answer.context
    result: dict[str, object] = {
        "project": answer.project.root,
        "path": context.path,
        "line": context.symbol.name_line if context.symbol else context.start_line,
        "start_line": context.start_line,
        "end_line": context.end_line,
        "total_lines": context.total_lines,
        "language": context.language,
        "symbol": context.symbol.qualified_name if context.symbol else None,
        "kind": context.symbol.kind if context.symbol else None,
        "text": context.text,
        "truncated": context.truncated,
        "others": [
            {"symbol": one.qualified_name, "start_line": one.start_line, "end_line": one.end_line}
            for one in context.others
        ],
    }
    return {"results": [result], "warnings": []}


def context_text(answer: CodeContextAnswer) -> str:
    """The lines themselves, and nothing else."""
    text = visible(answer.context.text)
    return f"{text}\n" if answer.context.end_line >= answer.context.start_line else ""


def _symbol_line(one: ProjectSymbol, working_directory: str | None) -> str:
    found = one.found
    symbol = found.symbol
    place = f"{shown_path(one.project, found.path, working_directory)}:{symbol.name_line}"
    declared = " (declaration)" if symbol.is_declaration else ""
    what = f"{symbol.kind} {visible(symbol.qualified_name, keep='')}{declared}"
    signature = visible(symbol.signature, keep="")
    return f"{place}: {what} — {signature}" if signature else f"{place}: {what}"


def _symbol_place(one: ProjectSymbol) -> dict[str, object]:
    found = one.found
    return {
        "project": one.project,
        "symbol": found.symbol.qualified_name,
        "kind": found.symbol.kind,
        "defined_in": f"{found.path}:{found.symbol.name_line}",
    }


def _symbol_document(one: ProjectSymbol) -> dict[str, object]:
    found = one.found
    symbol = found.symbol
    return {
        "project": one.project,
        "path": found.path,
        "line": symbol.name_line,
        "start_line": symbol.start_line,
        "end_line": symbol.end_line,
        "name": symbol.name,
        "qualified_name": symbol.qualified_name,
        "kind": symbol.kind,
        "language": found.language,
        "parent": symbol.parent,
        "visibility": symbol.visibility,
        "is_test": symbol.is_test,
        "is_declaration": symbol.is_declaration,
        "signature": symbol.signature,
        "documentation": symbol.documentation,
    }


def _reference_document(one: ProjectReference) -> dict[str, object]:
    found = one.use.found
    reference = found.reference
    return {
        "project": one.project,
        "path": found.path,
        "line": reference.line,
        "column": reference.column + 1,
        "name": reference.name,
        "relationship": reference.relationship,
        "confidence": one.use.confidence,
        "enclosing": reference.enclosing,
        "language": found.language,
        "through": one.use.through,
        "means": [
            f"{each.symbol.qualified_name} ({each.path}:{each.symbol.name_line})"
            for each in one.use.definitions
        ],
    }


def _meanings(one: ProjectReference) -> tuple[str, ...]:
    return tuple(
        f"{each.symbol.kind} {each.symbol.qualified_name} ({each.path}:{each.symbol.name_line})"
        for each in one.use.definitions
    )


def _heading(meanings: tuple[str, ...]) -> str:
    """What a name may mean, on one line that can be read whole; JSON names them all."""
    if not meanings:
        return "not defined in its project"
    named = " or ".join(visible(one, keep="") for one in meanings[:_MOST_MEANINGS])
    others = len(meanings) - _MOST_MEANINGS
    return f"{named} or {others} more" if others > 0 else named


def _reference_line(one: ProjectReference, working_directory: str | None) -> str:
    found = one.use.found
    reference = found.reference
    place = f"{shown_path(one.project, found.path, working_directory)}:{reference.line}"
    inside = f" in {visible(reference.enclosing, keep='')}" if reference.enclosing else ""
    through = f" through {visible(one.use.through, keep='')}" if one.use.through else ""
    return f"{place}: {reference.relationship} {one.use.confidence}{inside}{through}"
