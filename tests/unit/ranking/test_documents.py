"""The rows of the lexical index."""

from code_indexer.ranking.documents import lexical_rows, path_fields
from code_indexer.types import Chunk, ParsedFile, Symbol


def _symbol(name: str, line: int, *, is_declaration: bool = False) -> Symbol:
    return Symbol(
        name=name,
        qualified_name=name,
        kind="function",
        start_line=line,
        end_line=line,
        name_line=line,
        is_declaration=is_declaration,
        documentation=f"Makes a {name}.",
    )


PARSED = ParsedFile(
    language="python",
    chunks=(Chunk(0, 1, 3, "def spam(): ..."), Chunk(1, 4, 9, "def ham(): ...")),
    symbols=(_symbol("spam", 2), _symbol("ham", 4), _symbol("eggs", 5, is_declaration=True)),
)


def test_a_row_names_the_symbols_defined_in_its_chunk() -> None:
    assert [row.names for row in lexical_rows("a.py", "python", PARSED)] == ["spam", "ham"]


def test_a_row_holds_what_its_symbols_say_of_themselves() -> None:
    assert lexical_rows("a.py", "python", PARSED)[0].docs == "make a spam"


def test_every_row_holds_the_words_of_the_path() -> None:
    rows = lexical_rows("one/two/five/four/tokenCache.py", "python", PARSED)

    assert {row.stem for row in rows} == {"token cach tokencache"}
    assert {row.dirs for row in rows} == {"two five four"}


def test_a_name_without_suffix_is_its_own_stem() -> None:
    assert path_fields("Makefile") == ("makefil", "")
    assert path_fields("x/.bashrc") == ("bashrc", "x")


def test_a_file_without_chunks_has_no_rows() -> None:
    assert lexical_rows("a.py", "python", ParsedFile(language="python")) == []
