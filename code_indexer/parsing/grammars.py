"""Parsers and query files, loaded per language on first use; only this module knows tree-sitter."""

import time
from functools import cache
from importlib import resources

import tree_sitter_language_pack
from tree_sitter import Language, Node, Parser, Point, Query, QueryCursor, Tree

# Our names of languages where the grammar goes by another one.
_GRAMMARS = {
    "csharp": "csharp",
    "notebook": None,
    "vue": None,
    "svelte": None,
    "text": None,
}


@cache
def grammar_for(language: str) -> Language | None:
    """The grammar of *language*, or None where the wheel holds none."""
    grammar = _GRAMMARS.get(language, language)
    if grammar is None:
        return None
    try:
        return tree_sitter_language_pack.get_language(grammar)  # type: ignore[arg-type]  # any string may be asked
    except LookupError:
        return None


@cache
def parser_for(language: str) -> Parser | None:
    """A parser of *language*, or None without a grammar."""
    grammar = grammar_for(language)
    return None if grammar is None else Parser(grammar)


def query_source(language: str) -> str | None:
    """The text of ``queries/<language>.scm``, shared parts included, or None without rules."""
    folder = resources.files("code_indexer.parsing") / "queries"
    file = folder / f"{language}.scm"
    if not file.is_file():
        return None
    return file.read_text(encoding="utf-8")


@cache
def query_for(language: str) -> Query | None:
    """The compiled query file of *language*, or None without grammar or rules."""
    grammar = grammar_for(language)
    source = None if grammar is None else query_source(language)
    return None if grammar is None or source is None else Query(grammar, source)


def parse_tree(language: str, source: bytes, time_limit_seconds: float) -> Tree | None:
    """The syntax tree of *source*, or None without a grammar.

    Raises:
        TimeoutError: Parsing took longer than the limit.
    """
    parser = parser_for(language)
    if parser is None:
        return None
    view = memoryview(source)
    deadline = time.monotonic() + time_limit_seconds
    expired = False

    def read(offset: int, _point: Point) -> memoryview:
        return view[offset:]

    def stop(_offset: int, _has_error: bool) -> bool:
        nonlocal expired
        expired = time.monotonic() > deadline
        return expired

    try:
        return parser.parse(read, encoding="utf8", progress_callback=stop)
    except ValueError as error:
        parser.reset()
        if expired:
            raise TimeoutError from error
        raise


def captures_of(language: str, root: Node) -> dict[str, list[Node]] | None:
    """Nodes by the name of their capture, in no order; None where the language has no rules."""
    query = query_for(language)
    return None if query is None else QueryCursor(query).captures(root)
