"""One sample per language with every construct that its rules name, and what a parse of it gives."""

import json
from pathlib import Path

import pytest

from code_indexer.languages import language_of
from code_indexer.parsing.parse import parse_file
from code_indexer.parsing.rules import RULES

FOLDER = Path(__file__).parent
SAMPLES = sorted(FOLDER.glob("*/sample*"))


def picture(path: Path) -> dict[str, list[str]]:
    """A parse of the file at *path* in lines that can be read."""
    text = path.read_bytes().decode()
    language = language_of(path.name, text.partition("\n")[0].encode())
    parsed = parse_file(path.name, text, language.name)
    return {
        "symbols": [_symbol(symbol) for symbol in parsed.symbols],
        "references": [_reference(reference) for reference in parsed.references],
        "chunks": [
            f"{chunk.start_line}-{chunk.end_line} {chunk.kind or ''} {chunk.symbol or ''}".rstrip()
            for chunk in parsed.chunks
        ],
    }


def _symbol(symbol) -> str:
    marks = [symbol.visibility, "test" * symbol.is_test, "declaration" * symbol.is_declaration]
    words = [
        f"{symbol.start_line}-{symbol.end_line}:{symbol.name_line} {symbol.kind}",
        symbol.qualified_name,
        *(f"[{mark}]" for mark in marks if mark),
        f"| {symbol.signature}" if symbol.signature else "",
        f"| {symbol.documentation}" if symbol.documentation else "",
    ]
    return " ".join(word for word in words if word)


def _reference(reference) -> str:
    place = f"{reference.line}:{reference.column} {reference.relationship} {reference.name}"
    before = f" of {reference.qualifier}" if reference.qualifier else ""
    inside = f" in {reference.enclosing}" if reference.enclosing else ""
    doubt = " preprocessed" if reference.preprocessed else ""
    return f"{place} ({reference.shape}{before}){inside}{doubt}"


@pytest.mark.parametrize("sample", SAMPLES, ids=[path.parent.name for path in SAMPLES])
def test_a_sample_gives_what_is_expected_of_it(sample, request):
    expected = sample.parent / "expected.json"
    found = picture(sample)
    if request.config.getoption("--update-golden", default=False):
        expected.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n")

    assert json.loads(expected.read_text()) == found


def test_every_language_with_rules_has_a_sample():
    assert {path.parent.name for path in SAMPLES} >= set(RULES)
