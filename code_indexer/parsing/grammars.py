"""Parsers and query files, loaded per language on first use; only this module knows tree-sitter."""

import re
import time
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, cast

import tree_sitter_language_pack
from tree_sitter import Language, Node, Parser, Point, Query, QueryCursor, Tree

from code_indexer.languages import LANGUAGES

_INHERITS = "; inherits:"
_DEPTH = "\n; depth:"


@cache
def grammar_for(language: str) -> Language | None:
    """The grammar of *language*, or None where the wheel holds none."""
    known = LANGUAGES.get(language)
    if known is None or known.grammar is None:
        return None
    return tree_sitter_language_pack.get_language(cast("Any", known.grammar))


@cache
def parser_for(language: str) -> Parser | None:
    """A parser of *language*, or None without a grammar."""
    grammar = grammar_for(language)
    return None if grammar is None else Parser(grammar)


@dataclass(frozen=True, slots=True)
class QuerySource:
    """The patterns of a language as text."""

    everywhere: str
    near_root: str = ""
    depth: int = 0
    """How far below the root the nodes of the patterns near it may begin."""


def query_source(language: str) -> QuerySource | None:
    """What ``queries/<language>.scm`` holds, or None without rules.

    A first line ``; inherits: other`` puts the patterns of that file before its own. A line
    ``; depth: 2`` begins the patterns whose nodes begin at most two levels below the root: looking
    for those alone costs next to nothing, for the rest of the tree is not entered.
    """
    file = resources.files("code_indexer.parsing") / "queries" / f"{language}.scm"
    if not file.is_file():
        return None
    text = file.read_text(encoding="utf-8")
    everywhere, found, near_root = text.partition(_DEPTH)
    depth, _, near_root = near_root.partition("\n")
    own = QuerySource(everywhere, near_root, int(depth) if found else 0)
    first_line = text.partition("\n")[0]
    if not first_line.startswith(_INHERITS):
        return own
    base = query_source(first_line.removeprefix(_INHERITS).strip())
    if base is None:
        return own
    return QuerySource(
        f"{base.everywhere}\n{own.everywhere}",
        f"{base.near_root}\n{own.near_root}",
        max(base.depth, own.depth),
    )


@cache
def queries_for(language: str) -> tuple[tuple[Query, int | None], ...]:
    """The compiled patterns of *language* with the depth of their nodes; none without rules."""
    grammar = grammar_for(language)
    source = query_source(language)
    if grammar is None or source is None:
        return ()
    everywhere = Query(grammar, source.everywhere)
    if not source.near_root:
        return ((everywhere, None),)
    return ((everywhere, None), (Query(grammar, source.near_root), source.depth))


# The scanner of YAML ends the process at some 250 open levels.
_DEEP_YAML = re.compile(rb"^[ \-?]{240}", re.MULTILINE)


def parse_tree(language: str, source: bytes, time_limit_seconds: float) -> Tree | None:
    """The syntax tree of *source*, or None without a grammar.

    Raises:
        TimeoutError: Parsing took longer than the limit.
    """
    parser = parser_for(language)
    if parser is None or (language == "yaml" and _DEEP_YAML.search(source)):
        return None
    # The scanner of Perl never returns from a comment that the end of the file ends.
    view = memoryview(source if source.endswith(b"\n") else source + b"\n")
    handed_out: list[memoryview] = []
    deadline = time.monotonic() + time_limit_seconds
    expired = False

    def read(offset: int, _point: Point) -> memoryview | bytes:
        if offset >= len(view) - 1:
            return b"\n"[offset - len(view) + 1 :]
        handed_out.append(view[offset:])
        return handed_out[-1]

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
    finally:
        # The binding (0.26.1) never lets go of what it was given, and so of the whole text.
        for part in handed_out:
            part.release()


def captures_of(language: str, root: Node) -> dict[str, list[Node]] | None:
    """Nodes by the name of their capture, in no order; None where the language has no rules.

    Raises:
        TimeoutError: The tree is of a shape on which a query would run for minutes.
    """
    queries = queries_for(language)
    if not queries:
        return None
    if _is_heap(root) or _is_deep(root):
        raise TimeoutError
    captures: dict[str, list[Node]] = {}
    for query, depth in queries:
        cursor = QueryCursor(query)
        if depth is not None:
            cursor.set_max_start_depth(depth)
        for capture, nodes in cursor.captures(root).items():
            captures.setdefault(capture, []).extend(nodes)
    return captures


# A query takes time in proportion to the square of these, and cannot be stopped once it runs.
_MAX_ERROR_PARTS = 20_000
_MAX_DEPTH = 30_000
_PROBES = 8


def _is_heap(root: Node) -> bool:
    """Whether the parser gave up and left everything in one ERROR node."""
    if not root.has_error:
        return False
    if root.is_error:
        return root.child_count > _MAX_ERROR_PARTS
    return any(node.is_error and node.child_count > _MAX_ERROR_PARTS for node in root.children)


def _is_deep(root: Node) -> bool:
    """Whether the tree is too deep; it cannot be when it has not that many nodes."""
    return root.descendant_count > _MAX_DEPTH and _depth(root) > _MAX_DEPTH


def _depth(root: Node) -> int:
    """About how deep the tree is: the deepest of a few places."""
    cursor = root.walk()
    size = root.end_byte - root.start_byte
    deepest = 0
    for probe in range(_PROBES):
        cursor.reset(root)
        place = root.start_byte + size * (2 * probe + 1) // (2 * _PROBES)
        depth = 0
        while cursor.goto_first_child_for_byte(place) is not None:
            depth += 1
        deepest = max(deepest, depth)
    return deepest
