import json

import pytest
from chunk_rules import assert_apart, assert_holds_every_line, assert_well_formed
from hypothesis import given, settings
from hypothesis import strategies as st
from source_samples import SAMPLES

from code_indexer.parsing.embedded import mixed_document
from code_indexer.parsing.parse import parse_file

TEXTS = ["vue", "svelte", "html", "markdown", "restructuredtext", "asciidoc"]
PICTURE = "iVBORw0KGgo" + "QUJD" * 5_000

VUE = (
    "<template>\n  <div>{{ msg }}</div>\n</template>\n\n"
    '<script setup lang="ts">\nconst a = 1\nfunction submitForm(): void {\n  console.log(a)\n}\n'
    "</script>\n\n<style>\n.x { color: red }\n</style>\n"
)


def layers_of(text, language):
    return {layer.language: layer.text for layer in mixed_document(text, language).layers}


def notebook(*cells, metadata=None, indent=1, **more):
    return json.dumps(
        {"cells": cells, "metadata": metadata or {}, "nbformat": 4, **more}, indent=indent
    )


def cell(source, kind="code", outputs=()):
    return {"cell_type": kind, "metadata": {}, "outputs": list(outputs), "source": source}


def picture():
    return {"output_type": "display_data", "data": {"image/png": PICTURE}}


def chunks_of(text, language="notebook"):
    return parse_file("n", text, language).chunks


def test_a_language_of_its_own_is_not_mixed():
    assert mixed_document("x = 1\n", "python") is None
    assert mixed_document("x = 1\n", None) is None


def test_odd_05_a_script_keeps_its_lines_and_columns():
    script = layers_of(VUE, "vue")["typescript"].split("\n")

    assert script[6] == "function submitForm(): void {"
    assert [line.strip() for line in script[:5]] == [""] * 5


def test_odd_05_a_script_that_begins_within_a_line_keeps_its_column():
    (line,) = layers_of("<b>é</b><script>greet()</script>", "svelte")["javascript"].split("\n")

    assert line.index("greet") == "<b>é</b><script>greet".index("greet")
    assert line.strip() == "greet()"


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        ("<script>", "javascript"),
        ('<script type="module">', "javascript"),
        ('<script lang="ts" generic="T extends Record<string, X>">', "typescript"),
        ("<script setup lang='tsx'>", "tsx"),
        ("<SCRIPT LANG=ts>", "typescript"),
        ('<script data-lang="ts">', "javascript"),
        ("<style>", "css"),
        ('<style scoped lang="scss">', "scss"),
    ],
)
def test_a_block_says_its_language(tag, language):
    end = tag[1:].split(" ")[0].split(">")[0]

    assert layers_of(f"{tag}\nblock\n</{end}>\n", "vue")[language].strip() == "block"


@pytest.mark.parametrize("tag", ['<script type="application/ld+json">', '<script lang="coffee">'])
def test_a_block_of_another_language_has_no_layer(tag):
    assert set(layers_of(f"{tag}\nblock\n</script>\n", "html")) == {"html"}


def test_blocks_of_one_language_share_a_layer():
    text = "<script context='module'>\nlet a\n</script>\n<script>\nlet b\n</script>\n"

    assert layers_of(text, "svelte")["javascript"].split() == ["let", "a", "let", "b"]


def test_a_block_in_a_comment_is_none():
    assert set(layers_of("<!-- <script>x</script> -->\n", "html")) == {"html"}


def test_a_block_without_end_reaches_to_the_end():
    assert layers_of("<script>\nlet a\n", "vue")["javascript"].split() == ["let", "a"]


def test_enc_03_blocks_have_the_same_lines_with_either_line_end():
    assert parse_file("C.vue", VUE.replace("\n", "\r\n"), "vue") == parse_file("C.vue", VUE, "vue")


def test_a_component_is_cut_between_its_blocks():
    style = "<style>\n" + ".x { color: red; border: 1px }\n" * 25 + "</style>\n"
    script = "<script>\n" + "work({ with: 'some', values: 12 })\n" * 24 + "</script>\n"
    chunks = chunks_of(script + "\n" + style, "vue")

    assert [chunk.text.split("\n")[0] for chunk in chunks] == ["<script>", "<style>"]


@pytest.mark.parametrize("language", TEXTS)
def test_every_line_of_a_mixed_document_is_in_a_chunk(language):
    text = (SAMPLES[language] + "\n") * 12
    chunks = chunks_of(text, language)

    assert_well_formed(chunks)
    assert_apart(chunks)
    assert_holds_every_line(text, chunks)


@settings(max_examples=100)
@given(st.data())
def test_every_line_of_a_damaged_document_is_in_a_chunk(data):
    language = data.draw(st.sampled_from(TEXTS))
    text = SAMPLES[language] * data.draw(st.integers(1, 8))
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        stop = data.draw(st.integers(start, min(len(text), start + 60)))
        text = (
            text[:start]
            + data.draw(st.sampled_from(["", "<", '"', "-->", "\r\n", "</script>"]))
            + text[stop:]
        )
    chunks = chunks_of(text, language)

    assert_well_formed(chunks)
    assert_apart(chunks)
    assert_holds_every_line(text, chunks)


def test_odd_11_outputs_of_a_notebook_are_left_out():
    text = notebook(cell(["def helper(df):\n", "    return df.dropna()\n"], outputs=[picture()]))
    (chunk,) = chunks_of(text)

    assert chunk.text == "def helper(df):\n    return df.dropna()"
    assert "def helper" in text.split("\n")[chunk.start_line - 1]
    assert "dropna" in text.split("\n")[chunk.end_line - 1]


def test_symbols_of_a_notebook_have_the_lines_of_its_file():
    text = notebook(
        cell(["# Title\n"], "markdown"), cell(["x = 1\n", "\n", "def helper():\n", "    return x"])
    )
    (symbol,) = [
        each for each in parse_file("n.ipynb", text, "notebook").symbols if each.kind == "function"
    ]

    assert symbol.name == "helper"
    assert "def helper" in text.split("\n")[symbol.name_line - 1]
    assert "return x" in text.split("\n")[symbol.end_line - 1]


def test_cells_without_output_between_them_may_share_a_chunk():
    text = notebook(
        cell(["# Loading\n", "how"], "markdown"),
        cell("load()"),
        cell("show()"),
    )
    chunks = chunks_of(text)

    assert [chunk.text for chunk in chunks] == ["# Loading\nhow\n\nload()\n\nshow()"]
    assert chunks[0].symbol == "Loading"


@pytest.mark.parametrize("output", [{"text": ["line\n"] * 200}, {"image/png": PICTURE}])
def test_cells_with_output_between_them_are_apart(output):
    chunks = chunks_of(notebook(cell("a()"), cell("b()", outputs=[output])))

    assert [chunk.text for chunk in chunks] == ["a()", "b()"]


def test_a_notebook_on_one_line_is_read():
    chunks = chunks_of(notebook(cell(["a()\n", "b()"]), indent=None))

    assert [(chunk.start_line, chunk.end_line, chunk.text) for chunk in chunks] == [
        (1, 1, "a()\nb()")
    ]


def test_an_old_notebook_is_read():
    old = {
        "nbformat": 3,
        "worksheets": [{"cells": [{"cell_type": "code", "input": ["a()\n", "b()"]}]}],
    }

    assert [chunk.text for chunk in chunks_of(json.dumps(old))] == ["a()\nb()"]


def test_a_notebook_says_its_language():
    text = notebook(cell("x <- 1"), metadata={"kernelspec": {"language": "R"}})

    assert set(layers_of(text, "notebook")) == {"r"}


def test_commands_to_the_notebook_are_not_of_its_language():
    text = notebook(cell("%matplotlib inline\n!pip install x\nframe?\nx = 1"), cell("%%bash\nls"))
    layers = layers_of(text, "notebook")

    assert layers["python"].strip() == "x = 1"
    assert layers["bash"].strip() == "ls"


def test_a_notebook_without_cells_has_no_chunk():
    assert chunks_of(notebook()) == ()


@pytest.mark.parametrize("damage", [lambda text: text[:-200], lambda text: "<<<<<<< HEAD\n" + text])
def test_a_damaged_notebook_gives_no_picture(damage):
    text = damage(notebook(cell("first()"), cell("second()", outputs=[picture()]), cell("third()")))
    chunks = chunks_of(text)

    assert_well_formed(chunks)
    assert any("first()" in chunk.text for chunk in chunks)
    assert not any("QUJDQUJD" in chunk.text for chunk in chunks)


def test_the_cells_of_a_damaged_notebook_are_in_the_order_of_the_file():
    late = '"source": "late()", "cell_type": "code"'
    text = f'{{"x": {{"cell_type": "code",\n"source": "early()"}},\n{late}}}, {{'

    assert [(chunk.start_line, chunk.end_line) for chunk in chunks_of(text)] == [(2, 3)]


def test_half_of_a_surrogate_pair_in_a_notebook_does_no_harm():
    (chunk,) = chunks_of('{"cells": [{"cell_type": "code", "source": "x = \'\\ud800\'"}]}')

    assert chunk.text.encode("utf-8") == b"x = '?'"


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["code", "markdown"]), st.text(alphabet='a# \n\r(`"', max_size=40)
        )
    )
)
def test_every_line_of_every_cell_is_in_a_chunk(cells):
    text = notebook(*(cell(source.splitlines(keepends=True), kind) for kind, source in cells))
    chunks = chunks_of(text)

    assert_well_formed(chunks)
    assert "".join("".join(source for _, source in cells).split()) == "".join(
        "".join(chunk.text for chunk in chunks).split()
    )
