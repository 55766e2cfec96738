import re
from importlib import resources

import pytest
from tree_sitter import Query

from code_indexer.languages import LANGUAGES
from code_indexer.navigation.scoping import SCOPING
from code_indexer.navigation.symbols import SYMBOL_KINDS
from code_indexer.parsing import grammars
from code_indexer.parsing.rules import KIND_ORDER, RULES

CAPTURES = {
    "name", "owner", "qualified", "sign", "scope", "extent", "tail", "doc", "keyword", "ignore", "binding", "global",
    "local.scope", "local.barrier", "macro.body", "made.by", "package", "reference", "reference.call",
    "reference.inherit", "reference.type", "reference.member", "reference.component", "reference.closing", "reference.argument", "import",
    "import.module", "import.name", "import.alias", "import.path", "import.package", "import.tree",
    "import.keyword", "import.everything",
}  # fmt: skip


def patterns_of(text: str) -> list[str]:
    """The patterns of a query, each with its captures; comments and strings may hold brackets."""
    patterns: list[str] = []
    depth = 0
    start = None
    for token in re.finditer(r';[^\n]*|"(?:[^"\\]|\\.)*"|[()\[\]]', text):
        mark = token.group()
        if mark in ("(", "["):
            if depth == 0:
                if start is not None:
                    patterns.append(text[start : token.start()])
                start = token.start()
            depth += 1
        elif mark in (")", "]"):
            depth -= 1
    return [*patterns, text[start:]] if start is not None else patterns


@pytest.mark.parametrize("language", sorted(RULES))
def test_every_pattern_compiles_on_its_own(language):
    grammar = grammars.grammar_for(language)
    source = grammars.query_source(language)
    patterns = patterns_of(f"{source.everywhere}\n{source.near_root}")

    assert len(patterns) > 5
    for pattern in patterns:
        Query(grammar, pattern)


@pytest.mark.parametrize("language", sorted(RULES))
def test_the_whole_query_compiles_and_uses_known_captures(language):
    names = {
        query.capture_name(index)
        for query, _ in grammars.queries_for(language)
        for index in range(query.capture_count)
    }
    kinds = {
        name.partition(".")[2] for name in names if name.startswith(("definition.", "declaration."))
    }

    assert kinds <= set(KIND_ORDER)
    assert {
        name for name in names if not name.startswith(("definition.", "declaration."))
    } <= CAPTURES


@pytest.mark.parametrize(
    "language", sorted(name for name, row in LANGUAGES.items() if row.grammar is not None)
)
def test_every_grammar_loads_and_parses(language):
    tree = grammars.parse_tree(language, b"", 5.0)

    assert tree is not None


def test_every_language_with_rules_has_a_query_a_grammar_and_a_scoping():
    for language in RULES:
        assert grammars.query_source(language) is not None
        assert LANGUAGES[language].grammar is not None
        assert language in SCOPING


def test_every_query_file_belongs_to_a_language_or_is_inherited():
    folder = resources.files("code_indexer.parsing") / "queries"
    names = {file.name.removesuffix(".scm") for file in folder.iterdir()}

    assert names - set(RULES) == {"cfamily", "ecmascript"}


def test_the_kinds_that_can_be_asked_for_are_those_that_are_extracted():
    assert set(SYMBOL_KINDS) == set(KIND_ORDER) - {"keyword", "void"}
