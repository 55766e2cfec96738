import pytest
from chunk_rules import assert_apart, assert_holds_every_line, assert_well_formed
from hypothesis import given, settings
from hypothesis import strategies as st
from source_samples import SAMPLES

from code_indexer.languages import LANGUAGES
from code_indexer.parsing import grammars
from code_indexer.parsing.chunks import chunk_lines, chunk_tree
from code_indexer.parsing.lines import CAP
from code_indexer.parsing.parse import parse_file
from code_indexer.types import Symbol

MIXED = {"markdown", "restructuredtext", "asciidoc", "html", "vue", "svelte", "notebook"}
PLAIN = sorted(set(SAMPLES) - MIXED)


def chunks_of(text, language="python", symbols=()):
    tree = grammars.parse_tree(language, text.encode("utf-8", "surrogatepass"), 30.0)
    return chunk_tree(tree.root_node, text, symbols)


def spans(chunks):
    return [(chunk.start_line, chunk.end_line) for chunk in chunks]


def assert_sound(text, chunks):
    assert_well_formed(chunks)
    assert_apart(chunks)
    assert_holds_every_line(text, chunks)


def function(name, lines, indent=""):
    body = "".join(f"{indent}    value_{name}_{n} = compute({n}, {name!r})\n" for n in range(lines))
    return f"{indent}def {name}(self):\n{body}"


def symbol(name, start, end, kind="function", name_line=None):
    return Symbol(name.rpartition(".")[2], name, kind, start, end, name_line or start)


def test_odd_16_a_small_file_is_one_chunk():
    text = (
        '"""mod docs sentinel-a"""\nimport os\nRETRY_SENTINEL_B = 7\n\ndef f():\n    return 1\n\n'
        'register("sentinel-c", f)\n\nclass K:\n    """k docs"""\n    LIMIT = "sentinel-d"\n'
        "    def m(self):\n        return 2\n\nif __name__ == '__main__':\n    main('sentinel-e')\n"
    )

    assert spans(chunks_of(text)) == [(1, 17)]


def test_functions_of_a_good_size_are_a_chunk_each():
    text = "\n\n".join(function(name, 18) for name in ("first", "second", "third"))

    assert spans(chunks_of(text)) == [(1, 19), (22, 40), (43, 61)]


def test_small_functions_share_a_chunk():
    text = "\n".join(function(f"f{n}", 3) for n in range(30))
    chunks = chunks_of(text)

    assert_sound(text, chunks)
    assert all(chunk.text.startswith("def ") for chunk in chunks)
    assert min(len(chunk.text) for chunk in chunks) > CAP // 2


def test_a_large_class_is_cut_between_its_methods():
    text = "class Big:\n" + "\n".join(function(f"method_{n}", 12, "    ") for n in range(6))
    chunks = chunks_of(text)

    assert_sound(text, chunks)
    assert all(chunk.text.lstrip().startswith(("class ", "def ")) for chunk in chunks)


def test_a_long_function_is_cut_between_statements():
    block = "    if ready:\n        go(1, 2, 3)\n        wait('for the others to come')\n"
    text = "def long():\n" + block * 40
    chunks = chunks_of(text)

    assert_sound(text, chunks)
    assert all(chunk.text.startswith(("def ", "    if ")) for chunk in chunks)


@pytest.mark.parametrize(
    ("language", "lead", "head"),
    [
        ("python", "# why it is so\n@decorated\n", "def second(x):"),
        ("rust", "/// Why.\n#[inline]\n", "fn second() {"),
        ("java", "/** Why. */\n@Override\n", "class Second {"),
        ("go", "// second is why.\n", "func second() {"),
        ("c", "/* why */\n", "int second(void) {"),
    ],
)
def test_comments_and_decorators_stay_with_what_follows(language, lead, head):
    opening = {"python": "def first(x):"}.get(language, head.replace("econd", "irst"))
    body = "".join(f"    call_number({n}, 12345678);\n" for n in range(25))
    close = "" if language == "python" else "}\n"
    text = f"{opening}\n{body}{close}\n{lead}{head}\n{body}{close}"
    chunks = chunks_of(text, language)

    assert_sound(text, chunks)
    assert chunks[1].text.startswith(lead + head)


def test_a_header_stays_with_its_body():
    text = 'class Big:\n    """What it is."""\n' + "\n".join(
        function(f"method_{n}", 9, "    ") for n in range(9)
    )

    assert '"""What it is."""' in chunks_of(text)[0].text


def test_imports_and_the_documentation_of_the_module_share_a_chunk():
    imports = "".join(f"from package.part_{n} import name_{n}\n" for n in range(20))
    text = f'"""What lives here."""\n\n{imports}\n\n' + function("f", 22)

    assert spans(chunks_of(text)) == [(1, 22), (25, 47)]


def test_odd_01_a_line_of_a_megabyte_is_cut_into_pieces():
    line = ";".join(f"function a{n}(b,c){{return b+c+{n}}}" for n in range(26_000))[:900_000]
    chunks = chunks_of(line, "javascript")

    assert "".join(chunk.text for chunk in chunks) == line
    assert max(len(chunk.text) for chunk in chunks) <= CAP
    assert {(chunk.start_line, chunk.end_line) for chunk in chunks} == {(1, 1)}


@pytest.mark.parametrize("text", ["", "\n\n\n\n", "   \n\t\n", "\x0c\n", "\r\n", " " * 5_000])
def test_odd_02_a_blank_file_has_no_chunk(text):
    assert chunks_of(text) == []


def test_odd_02_a_run_of_blanks_in_a_long_line_is_no_chunk():
    text = "x" * 900 + " " * 5_000 + "y" * 900

    assert_well_formed(chunks_of(text))


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("python", "x = " + "(" * 150 + "1" + ")" * 150 + "\ndef after():\n    return 1\n"),
        ("javascript", "const x = " + "[" * 6_000 + "1" + "]" * 6_000 + ";\nfunction f() {}\n"),
        ("javascript", "const x = " + "[\n" * 6_000 + "1" + "]\n" * 6_000 + ";\nfunction f() {}\n"),
        ("typescript", "type T = " + "A<" * 6_000 + "1" + ">" * 6_000 + ";\nlet x = 1\n"),
        ("python", "y = " + " + ".join(["1"] * 20_000) + "\ndef after():\n    return 1\n"),
        ("python", "y = (" + "\n+ ".join(["1"] * 20_000) + ")\ndef after():\n    return 1\n"),
        (
            "c",
            "int f(int a){\n"
            + "".join(f"if(a=={n}) g();\nelse " for n in range(4_000))
            + "h();}\n",
        ),
        ("json", '{"a":\n' * 5_000 + "1" + "}\n" * 5_000),
    ],
)
def test_odd_03_deep_trees_are_cut_like_others(language, text):
    assert_sound(text, chunks_of(text, language))


def test_odd_12_a_huge_function_is_cut_without_a_gap():
    text = (
        "def huge():\n"
        + "".join(f"    step_{n} = 'marker-{n:05d}'\n" for n in range(5_000))
        + "    return 'tail-sentinel-zulu'\n"
    )
    chunks = chunks_of(text)

    assert_sound(text, chunks)
    assert chunks[-1].end_line == 5_002
    assert "tail-sentinel-zulu" in chunks[-1].text
    assert len(chunks) < 190


def test_enc_03_line_ends_change_no_chunk():
    text = "\n".join(f"x{n} = {n}" for n in range(300)) + "\ndef target():\n    return 'here'\n"
    mixed = text.replace("\n", "\r\n", 150)

    expected = parse_file("m.py", text, "python").chunks

    assert parse_file("m.py", text.replace("\n", "\r\n"), "python").chunks == expected
    assert parse_file("m.py", mixed, "python").chunks == expected


def test_only_a_line_feed_ends_a_line():
    text = "a = 1 \x0c\n# \x85 and \u2028 and \r here\nb = 2\n"

    assert spans(chunks_of(text)) == [(1, 3)]


@pytest.mark.parametrize("language", PLAIN)
def test_every_line_of_every_language_is_in_a_chunk(language):
    text = (SAMPLES[language] + "\n") * 30
    chunks = chunks_of(text, language)

    assert_sound(text, chunks)
    assert sum(len(chunk.text) for chunk in chunks) / len(chunks) > 400


@settings(max_examples=150)
@given(st.data())
def test_every_line_of_a_damaged_source_is_in_a_chunk(data):
    language = data.draw(st.sampled_from(PLAIN))
    text = SAMPLES[language] * data.draw(st.integers(1, 12))
    for _ in range(data.draw(st.integers(0, 4))):
        start = data.draw(st.integers(0, len(text)))
        stop = data.draw(st.integers(start, min(len(text), start + 60)))
        text = (
            text[:start]
            + data.draw(st.sampled_from(["", "{", ")", '"', "\r\n", "/*", "漢"]))
            + text[stop:]
        )

    assert_sound(text, chunks_of(text, language))


@given(st.text(alphabet="ab({[:\"'\n\r \t\x0c\x85\u2028#/é漢", max_size=3_000))
def test_every_line_of_any_text_is_in_a_chunk(text):
    assert_sound(text, chunks_of(text))


def test_a_chunk_has_the_symbol_it_is():
    text = "\n\n".join(function(name, 18) for name in ("first", "second"))
    found = chunks_of(text, symbols=[symbol("first", 1, 19), symbol("second", 22, 40)])

    assert [(chunk.symbol, chunk.kind) for chunk in found] == [
        ("first", "function"),
        ("second", "function"),
    ]


def lines_with(symbols, cuts):
    lines = ["x" * 99] * 20
    return [chunk.symbol for chunk in chunk_lines(lines, cuts, symbols)]


def test_a_chunk_inside_a_function_has_its_symbol():
    assert lines_with([symbol("f", 1, 20)], {10: 0.0}) == ["f", "f"]


def test_a_chunk_of_several_definitions_has_the_largest():
    symbols = [symbol("K", 1, 20, "class"), symbol("K.a", 11, 13), symbol("K.b", 14, 20)]

    assert lines_with(symbols, {10: 0.0}) == ["K", "K.b"]


def test_a_chunk_between_definitions_has_the_innermost_around_it():
    symbols = [symbol("K", 1, 20, "class"), symbol("K.f", 2, 19), symbol("K.f.g", 3, 4)]

    assert lines_with(symbols, {6: 0.0, 14: 0.0}) == ["K", "K.f", "K.f"]


def test_a_chunk_outside_every_definition_has_no_symbol():
    assert lines_with([symbol("f", 11, 20)], {10: 0.0}) == [None, "f"]


def test_a_section_names_a_chunk_in_which_nothing_is_defined():
    sections = [symbol("Intro", 1, 20, "section")]
    chunks = chunk_lines(["x" * 99] * 20, {10: 0.0}, [symbol("f", 12, 14)], sections=sections)

    assert [chunk.symbol for chunk in chunks] == ["Intro", "f"]


def test_places_are_the_numbers_of_lines_in_the_file():
    chunks = chunk_lines(["a", "", "b"], {}, places=[10, 10, 31])

    assert [(chunk.start_line, chunk.end_line, chunk.text) for chunk in chunks] == [
        (10, 31, "a\n\nb")
    ]


def test_languages_with_a_grammar_are_chunked_by_it():
    assert {name for name in PLAIN if LANGUAGES[name].grammar is None} == set()
