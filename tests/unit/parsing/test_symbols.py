import pytest

from code_indexer.languages import language_of
from code_indexer.parsing.parse import parse_file


def parse(path, text, **options):
    language = language_of(path)
    return parse_file(path, text, language.name if language else None, **options)


def symbols(path, text, **options):
    return {symbol.qualified_name: symbol for symbol in parse(path, text, **options).symbols}


def kinds(path, text, **options):
    return [(each.kind, each.qualified_name) for each in parse(path, text, **options).symbols]


# vitali87/code-graph-rag#173, colbymchenry/codegraph#1291, zzet/gortex#577
def test_sym_01_methods_defined_outside_their_cpp_class_belong_to_it():
    found = symbols(
        "mixer.cpp",
        '#include "mixer.hpp"\n'
        "namespace audio { namespace dsp {\n"
        "Mixer::Mixer() {}\n"
        "Mixer::~Mixer() {}\n"
        "int Mixer::gain(int v) { return v; }\n"
        "bool Mixer::operator==(const Mixer& o) const { return true; }\n"
        "} }\n"
        "int main() { return audio::dsp::Mixer::gain(1); }\n",
    )
    gain = found["audio::dsp::Mixer::gain"]

    assert (gain.kind, gain.parent, gain.name_line) == ("method", "audio::dsp::Mixer", 5)
    assert found["audio::dsp::Mixer::Mixer"].kind == "constructor"
    assert found["audio::dsp::Mixer::~Mixer"].kind == "method"
    assert found["audio::dsp::Mixer::operator=="].name == "operator=="
    assert found["main"].kind == "function"


def test_sym_01_members_declared_in_a_cpp_class_are_declarations():
    found = symbols(
        "mixer.hpp",
        "class Mixer {\n public:\n  Mixer();\n  static int gain(int v);\n  int level;\n};\n",
    )

    assert found["Mixer::gain"].is_declaration
    assert found["Mixer::Mixer"].kind == "constructor"
    assert not found["Mixer"].is_declaration
    assert found["Mixer::level"].kind == "field"


# jgravelle/jcodemunch-mcp#698, aimasteracc/tree-sitter-analyzer#459
@pytest.mark.parametrize("path", ["shape.ts", "shape.tsx"])
def test_sym_03_an_abstract_typescript_class_and_its_members_are_found(path):
    found = symbols(
        path,
        "export abstract class Panel {\n"
        "  constructor(readonly key: string) {}\n"
        "  abstract area(): number;\n"
        "  protected bump(): void {}\n"
        "}\n"
        "export enum Tone { Low, High }\n"
        "export const arrow = async (x: number) => x + 1;\n"
        "export interface Shelf<T> { pick(k: string): T; size: number }\n",
    )

    assert found["Panel"].kind == "class"
    assert (found["Panel.area"].kind, found["Panel.area"].parent) == ("method", "Panel")
    assert found["Panel.bump"].visibility == "protected"
    assert found["Panel.constructor"].kind == "constructor"
    assert found["Tone"].kind == "enum"
    assert found["arrow"].kind == "function"
    assert found["arrow"].visibility == "public"
    assert found["Shelf.pick"].kind == "method"
    assert found["Shelf.size"].kind == "property"


# aimasteracc/tree-sitter-analyzer#750, cajasmota/grafel#79
def test_sym_05_a_go_method_belongs_to_its_receiver_without_type_parameters():
    found = symbols(
        "ring.go",
        "package s\n\n"
        "type Ring[E any] struct{ buf []E }\n"
        "func (q *Ring[E]) Put(v E) {}\n"
        "func (q Ring[E]) Size() int { return 0 }\n"
        "func (s Slot[K, V]) Left() K { return s.k }\n"
        "func (*Plain) Anon() {}\n"
        "func Fold[A, B any](in []A) []B { return nil }\n",
    )

    assert (found["Ring.Put"].kind, found["Ring.Put"].parent) == ("method", "Ring")
    assert found["Ring.Size"].kind == "method"
    assert found["Slot.Left"].kind == "method"
    assert found["Plain.Anon"].kind == "method"
    assert found["Fold"].kind == "function"
    assert found["Ring"].kind == "struct"


# colbymchenry/codegraph#1588, cajasmota/grafel#881
def test_sym_06_a_rust_method_belongs_to_the_type_not_to_the_trait():
    found = symbols(
        "meter.rs",
        "pub trait Meter { fn sample(&self) -> u32; }\n"
        "pub struct NetMeter<P> { port: P }\n"
        "impl<P> Meter for NetMeter<P> {\n    fn sample(&self) -> u32 { 3 }\n}\n"
        "impl<'s> Iterator for Walk<'s> {\n    fn next(&mut self) -> Option<u16> { None }\n}\n"
        "macro_rules! make_it { ($x:expr) => { $x } }\n"
        "pub async unsafe fn very_qualified() {}\n",
    )

    assert found["Meter::sample"].parent == "Meter"
    assert (found["NetMeter::sample"].kind, found["NetMeter::sample"].name_line) == ("method", 4)
    assert found["Walk::next"].kind == "method"
    assert found["make_it"].kind == "macro"
    assert found["very_qualified"].visibility == "public"


# jgravelle/jcodemunch-mcp#713
def test_sym_07_java_records_annotations_and_their_members_are_found():
    found = symbols(
        "Span.java",
        "package p;\n"
        "public record Span(int lo, int hi) {\n"
        "  public Span { if (lo > hi) throw new IllegalStateException(); }\n"
        "  int width() { return hi - lo; }\n"
        "}\n"
        '@interface Tag { String of() default ""; }\n'
        "class Outer<T> {\n"
        "  static class Inner { void innerCall() {} }\n"
        "  <U> U generic(U u) { return u; }\n"
        "}\n",
    )

    assert found["Span"].kind == "class"
    assert found["Span.Span"].kind == "constructor"
    assert (found["Span.width"].kind, found["Span.width"].parent) == ("method", "Span")
    assert found["Span.lo"].kind == "field"
    assert found["Tag"].kind == "interface"
    assert found["Outer.Inner.innerCall"].parent == "Outer.Inner"
    assert found["Outer.generic"].kind == "method"
    assert found["Outer"].start_line == 7


# davidhalter/parso#98, Erotemic/xdoctest#197
def test_sym_10_decorated_nested_and_overloaded_python_definitions_keep_their_ranges():
    parsed = parse(
        "svc.py",
        "class Svc:\n"
        "    @staticmethod\n"
        "    @functools.lru_cache\n"
        "    def cached(x):\n"
        "        return x\n"
        "    class Meta:\n"
        "        async def deep(self):\n"
        "            def closure():\n"
        "                return 1\n"
        "@overload\n"
        "def conv(x: int) -> int: ...\n"
        "@overload\n"
        "def conv(x: str) -> str: ...\n"
        "def conv(x):\n"
        "    return x\n"
        "if True:\n"
        "    async def conditional():\n"
        "        return 1\n",
    )
    found = {symbol.qualified_name: symbol for symbol in parsed.symbols}
    cached = found["Svc.cached"]

    assert (cached.start_line, cached.name_line, cached.end_line) == (2, 4, 5)
    assert found["Svc.Meta.deep"].kind == "method"
    assert found["Svc.Meta.deep.closure"].kind == "function"
    assert [s.name_line for s in parsed.symbols if s.name == "conv"] == [11, 13, 14]
    assert found["conditional"].kind == "function"


# microsoft/vscode#18463, AZidan/codemap#6
def test_sym_11_php_traits_enums_and_code_between_html_keep_their_lines():
    found = symbols(
        "page.php",
        "<html>\n"
        "<?php\n"
        "trait Loggable { function logIt() {} }\n"
        "?>\n"
        "<p>text</p>\n"
        "<?php\n"
        "enum Suit: string { case Hearts = 'H'; public function label() { return 'x'; } }\n"
        "function top_level() {}\n"
        "?>\n",
    )

    assert (found["Loggable"].kind, found["Loggable"].name_line) == ("trait", 3)
    assert found["Loggable::logIt"].kind == "method"
    assert (found["Suit"].kind, found["Suit"].name_line) == ("enum", 7)
    assert found["Suit::label"].visibility == "public"
    assert found["top_level"].name_line == 8


# abhigyanpatwari/GitNexus#1936, trailhq/Graft#97
def test_odd_05_script_blocks_of_components_keep_the_lines_of_the_file():
    vue = "<template>\n  <b/>\n</template>\n\n<script>\nconst n = 1\nfunction submitForm() {}\n</script>\n"
    svelte = '<h1/>\n<script lang="ts">\nfunction svelteHandler(a: string) {}\n</script>\n'

    assert symbols("C.vue", vue)["submitForm"].name_line == 7
    assert symbols("D.svelte", svelte)["svelteHandler"].name_line == 3


# cajasmota/grafel#7060, ind-igo/cx#18
def test_odd_07_a_header_that_plainly_is_cpp_is_read_as_cpp():
    text = (
        "#pragma once\n#include <string>\nnamespace net {\n"
        "template <typename T> class Pool { public: T take(); };\n"
        "class Core : public Base { public: std::string label() const { return n_; } };\n}\n"
    )
    found = symbols("session.h", text)

    assert parse("session.h", text).language == "cpp"
    assert found["net::Pool"].kind == "class"
    assert found["net::Core::label"].kind == "method"


def test_odd_07_a_plain_header_is_c_unless_the_project_has_cpp():
    text = "#ifndef P_H\n#define P_H\nstruct plain_rec { int a; };\nint plain_sum(void);\n#endif\n"

    assert parse("plain.h", text).language == "c"
    assert parse("plain.h", text, cpp_headers=True).language == "cpp"
    assert symbols("plain.h", text)["plain_rec"].kind == "struct"
    assert symbols("plain.h", text, cpp_headers=True)["plain_rec"].kind == "struct"
    assert symbols("plain.h", text)["plain_sum"].is_declaration


@pytest.mark.parametrize("path", ["run.c", "run.cpp"])
def test_a_statement_after_a_macro_is_no_function(path):
    text = (
        "int run(int kind) {\n  BEGIN_QUIET\n  switch (kind) { case 1: return 2; }\n"
        "  END_QUIET\n  return 0;\n}\nint after(void) { return 1; }\n"
    )

    assert kinds(path, text) == [("function", "run"), ("function", "after")]


# colbymchenry/codegraph#1211, tree-sitter/tree-sitter-c#265
def test_odd_08_macros_before_a_function_do_not_take_its_name():
    found = kinds(
        "boot.c",
        '#define ROMFN __attribute__((section(".rom")))\n'
        "#define PUBLIC\n"
        "typedef unsigned word_t;\n"
        "#define NOARGS void\n"
        "ROMFN NOARGS boot_quiet(NOARGS) { }\n"
        "ROMFN word_t boot_sum(NOARGS) { return 7; }\n"
        "PUBLIC word_t dev_open(NOARGS) { return boot_sum(); }\n"
        "long ordinary(void) { return 1; }\n",
    )

    assert [name for kind, name in found if kind == "function"] == [
        "boot_quiet",
        "boot_sum",
        "dev_open",
        "ordinary",
    ]


# aimasteracc/tree-sitter-analyzer#809, bobmatnyc/trusty-tools#3537
@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("deep.py", "x = " + "[" * 6000 + "]" * 6000 + "\n\ndef after():\n    pass\n"),
        ("deep.js", "f(" * 6000 + ")" * 6000 + ";\nfunction after() {}\n"),
        ("deep.go", "package p\nvar x = " + "(" * 6000 + "1" + ")" * 6000 + "\nfunc after() {}\n"),
        (
            "deep.c",
            "int x = " + "(" * 6000 + "1" + ")" * 6000 + ";\nint after(void) { return 1; }\n",
        ),
    ],
)
def test_odd_03_deep_nesting_neither_crashes_nor_loses_the_file(path, text):
    parsed = parse(path, text)

    assert parsed.chunks
    assert "after" in {symbol.name for symbol in parsed.symbols}


def test_a_comment_above_belongs_to_the_definition_and_documents_it():
    found = symbols(
        "a.go",
        "package a\n\n// Old talk.\n\n// Start begins. It does more.\n// And more.\nfunc Start() {}\n",
    )["Start"]

    assert (found.start_line, found.name_line) == (5, 7)
    assert found.documentation == "Start begins."


def test_a_docstring_documents_its_function_alone():
    found = symbols(
        "a.py",
        'class A:\n    """The class. More."""\n\n    def go(self):\n        """Go\n        on."""\n',
    )

    assert found["A"].documentation == "The class."
    assert found["A.go"].documentation == "Go on."


def test_a_comment_behind_other_code_is_not_documentation():
    found = symbols("a.js", "const a = 1; // one\nfunction f() {}\n/* x */ const b = 2;\n")

    assert (found["f"].start_line, found["f"].documentation) == (2, "")


def test_a_signature_goes_on_while_a_bracket_is_open_and_ends_before_the_body():
    found = symbols("a.py", "def f(\n    a: int,\n    b=(1, 2),\n) -> None:\n    return a\n")["f"]

    assert found.signature == "def f( a: int, b=(1, 2), ) -> None"


def test_the_last_method_of_a_decorated_class_begins_at_its_own_line():
    found = symbols("a.py", "@deco\nclass A:\n    def first(self): ...\n    def last(self): ...\n")

    assert (found["A"].start_line, found["A.last"].start_line) == (1, 4)


@pytest.mark.parametrize(
    ("path", "text", "name", "is_test"),
    [
        ("tests/test_a.py", "def helper(): ...\n", "helper", True),
        ("src/a.py", "def test_it(): ...\n", "test_it", True),
        ("src/a.py", "def run(): ...\n", "run", False),
        ("a_test.go", "package a\nfunc F() {}\n", "F", True),
        ("src/lib.rs", "#[test]\nfn checks() {}\n", "checks", True),
        ("src/lib.rs", "#[cfg(test)]\nmod tests {\n    fn helper() {}\n}\n", "tests::helper", True),
        ("src/A.java", "class A { @Test void works() {} }\n", "A.works", True),
        ("src/a.spec.ts", "export function f() {}\n", "f", True),
    ],
)
def test_test_code_is_marked(path, text, name, is_test):
    assert symbols(path, text)[name].is_test is is_test


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.go", "package a\nfunc Open() {}\nfunc shut() {}\n", ["public", "private"]),
        ("a.py", "def open(): ...\ndef _shut(): ...\n", ["public", "private"]),
        ("a.rs", "pub fn open() {}\npub(crate) fn shut() {}\n", ["public", "internal"]),
        ("a.java", "class A { private int a; }\n", [None, "private"]),
        ("a.zig", "pub fn open() void {}\nfn shut() void {}\n", ["public", None]),
        ("a.c", "static int f(void) { return 1; }\n", ["private"]),
    ],
)
def test_visibility_is_what_the_language_states(path, text, expected):
    assert [symbol.visibility for symbol in parse(path, text).symbols] == expected


def test_columns_and_lines_hold_with_crlf_and_wide_characters():
    parsed = parse("a.py", "# ünïcödé\r\ndef größe(ä):\r\n    return 'ß' + messen(ä)\r\n")
    call = next(each for each in parsed.references if each.name == "messen")

    assert parsed.symbols[0].name == "größe"
    assert (call.line, call.column) == (3, 17)


def test_a_language_without_rules_gives_chunks_and_says_so():
    parsed = parse("a.dart", "void main() {}\n")

    assert (parsed.degraded, parsed.symbols) == ("no rules", ())
    assert parsed.chunks


def test_a_file_that_takes_too_long_to_parse_gives_windows_and_says_so():
    parsed = parse("a.py", "x = 1\n" * 2000, time_limit_seconds=0.0)

    assert parsed.degraded == "time limit"
    assert parsed.chunks
    assert parse("a.py", "def f(): ...\n").symbols


def test_headings_are_sections_and_fenced_code_keeps_its_lines():
    text = "# Guide\n\n```py\ndef in_fence(a): ...\n```\n\n## Usage\n\n- item\n  ```js\n  function inner() {}\n  ```\n"

    assert kinds("README.md", text) == [
        ("section", "Guide"),
        ("section", "Guide > Usage"),
        ("function", "in_fence"),
        ("function", "inner"),
    ]
    assert symbols("README.md", text)["inner"].name_line == 11


def test_the_cells_of_a_notebook_define_what_their_code_does():
    text = (
        '{"cells": [{"cell_type": "code", "source": [\n"import x\\n",\n"def in_cell(a):\\n",\n"    return a\\n"\n]}],\n'
        ' "metadata": {"language_info": {"name": "python"}}, "nbformat": 4}\n'
    )

    assert symbols("n.ipynb", text)["in_cell"].name_line == 3


def test_what_an_unnamed_cpp_namespace_holds_is_no_method():
    found = symbols(
        "a.cpp",
        "namespace { int helper() { return 1; } }\n"
        "namespace app { namespace { int hidden() { return 1; } } }\n",
    )

    assert (found["helper"].kind, found["helper"].parent) == ("function", None)
    assert (found["app::hidden"].kind, found["app::hidden"].parent) == ("function", "app")


def test_cpp_specializations_and_conversions_are_named_without_their_arguments():
    found = kinds(
        "a.cpp",
        "template <> struct std::hash<a::b::Key> { size_t operator ()(int) const; };\n"
        "struct Flag { operator bool() const { return true; } };\n"
        "Flag::operator std::string() const { return {}; }\n"
        "int a::Outer<b::X>::Inner::run(int q) & { return q; }\n",
    )

    assert found == [
        ("struct", "std::hash"),
        ("method", "std::hash::operator()"),
        ("struct", "Flag"),
        ("method", "Flag::operator bool"),
        ("method", "Flag::operator std::string"),
        ("method", "a::Outer::Inner::run"),
    ]


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.swift", "struct P { static func == (l: P, r: P) -> Bool { true } }", "P.=="),
        ("a.swift", "func +++ (a: Int, b: Int) -> Int { a }", "+++"),
        ("a.scala", "class V { def +(o: V): V = this }", "V.+"),
        ("a.hs", "module A where\na <+> b = a", "<+>"),
        ("a.hs", "module A where\nx `plus` y = x", "plus"),
        ("a.hs", "module A where\ndata G a where { MkG :: Int -> G Int }", "G.MkG"),
        ("A.cs", "class V { public static V operator +(V a, V b) => a; }", "V.+"),
        ("A.cs", "class V { public int this[int i] => i; }", "V.this"),
        ("a.kt", "class W(val n: Int) { constructor(s: String) : this(1) }", "W.constructor"),
        ("a.scala", "class C { lazy val total, other: Int = 1 }", "C.other"),
    ],
)
def test_operators_and_what_has_no_name_of_its_own_are_definitions(path, text, expected):
    assert expected in symbols(path, text)


def test_a_function_in_a_schema_is_a_function():
    text = "CREATE FUNCTION shop.total(uid int) RETURNS int AS $$ BEGIN RETURN 1; END; $$ LANGUAGE plpgsql;"

    assert symbols("a.sql", text)["shop.total"].kind == "function"


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        ("a.zig", '//! About the file.\nconst std = @import("std");\n', "std"),
        ("a.rs", "//! About the crate.\npub struct A;\n", "A"),
    ],
)
def test_a_comment_about_the_file_does_not_document_what_follows(path, text, name):
    found = symbols(path, text)[name]

    assert (found.start_line, found.documentation) == (2, "")


def test_a_pragma_is_no_documentation():
    text = "{-# LANGUAGE GADTs #-}\n-- | Carts.\nmodule Cart where\n"

    assert symbols("a.hs", text)["Cart"].documentation.endswith("Carts.")


def test_macros_before_constructors_and_destructors_do_not_break_their_class():
    found = kinds(
        "buffer.hpp",
        "namespace app {\n"
        "template <typename T> class Buffer {\n"
        " public:\n"
        "  APP_CONSTEXPR Buffer(grow_fun grow, size_t size) noexcept\n"
        "      : size_(size), grow_(grow) {\n"
        "    if (size != 0) grow_ = nullptr;\n"
        "  }\n"
        "  APP_CONSTEXPR20 ~Buffer() { release(); }\n"
        "  int size_;\n"
        "};\n"
        "}\n",
    )

    assert found == [
        ("namespace", "app"),
        ("class", "app::Buffer"),
        ("constructor", "app::Buffer::Buffer"),
        ("method", "app::Buffer::~Buffer"),
        ("field", "app::Buffer::size_"),
    ]


def test_what_stands_in_a_namespace_does_not_name_it():
    found = kinds(
        "a.cpp",
        "namespace app {\n"
        "TYPE_CONSTANT(int, int_type);\n"
        "template API void Buffer<char>::append(const char*, const char*);\n"
        "}\n",
    )

    assert [name for kind, name in found if kind == "namespace"] == ["app"]


def test_parameters_that_are_fields_belong_to_their_typescript_class():
    text = (
        "class Panel {\n  constructor(private readonly key: string, readonly size?: number) {}\n}\n"
    )

    assert kinds("a.ts", text)[2:] == [("field", "Panel.key"), ("field", "Panel.size")]


def test_members_in_quotes_have_their_names_without_them():
    text = "enum Move { 'up', \"down\" = 2 }\nclass A { 'run'() {} }\n"

    assert kinds("a.ts", text) == [
        ("enum", "Move"),
        ("constant", "Move.up"),
        ("constant", "Move.down"),
        ("class", "A"),
        ("method", "A.run"),
    ]


def test_every_name_that_a_destructuring_defines_is_found():
    text = "const { a, ...b } = c(), [d, e = 1, ...f] = g();\nlet { h } = c();\n"

    assert kinds("a.js", text) == [
        *[("constant", name) for name in "abdef"],
        ("variable", "h"),
    ]


def test_constants_of_a_typescript_namespace_are_found():
    text = "namespace App {\n  export const limit = 1;\n  const own = 2;\n}\n"

    assert kinds("a.ts", text)[1:] == [("constant", "App.limit"), ("constant", "App.own")]


def test_names_with_a_hash_are_private():
    assert symbols("a.js", "class A { #left = 1; }\n")["A.#left"].visibility == "private"


def test_chained_and_starred_assignments_define_all_their_names():
    text = "a = b = 1\nc, *d = 1, 2\n(e, f) = 1, 2\ntype Row[T] = list[T]\n"

    assert sorted(kinds("a.py", text)) == [
        ("type", "Row"),
        *[("variable", name) for name in "abcdef"],
    ]


def test_a_method_of_an_unnamed_class_in_a_method_of_its_name_is_no_constructor():
    text = "class A { void run() { new Runnable() { public void run() {} }; } }\n"

    assert kinds("A.java", text)[1:] == [("method", "A.run"), ("method", "A.run.run")]


def test_the_last_component_of_a_record_may_take_several_values():
    assert kinds("A.java", "record Row(int... cells) {}\n")[1:] == [("field", "Row.cells")]


def test_abbreviations_end_no_sentence_of_documentation():
    text = "def f():\n    '''Reads a file, e.g. a table. Closes it.'''\n"

    assert symbols("a.py", text)["f"].documentation == "Reads a file, e.g. a table."


def test_what_stands_in_a_test_class_is_test_code():
    text = "class TestCart:\n    def make(self): ...\ndef test_all():\n    def inner(): ...\n"

    assert all(symbol.is_test for symbol in parse("cart.py", text).symbols)


def test_elixir_documentation_is_read_and_belongs_to_its_definition():
    found = symbols(
        "a.ex",
        "defmodule Shop do\n"
        '  @moduledoc """\n  Sells things. Cheaply.\n  """\n\n'
        '  @doc """\n  Adds two. And more.\n\n      iex> add(1, 2)\n  """\n'
        "  @spec add(integer, integer) :: integer\n"
        "  def add(a, b), do: a + b\n\n"
        '  @doc "Takes one away."\n'
        "  def take(a), do: a - 1\n\n"
        "  @doc false\n"
        "  def hidden(a), do: a\n"
        "end\n",
    )

    assert [(each.start_line, each.documentation) for each in found.values()] == [
        (1, "Sells things."),
        (6, "Adds two."),
        (14, "Takes one away."),
        (17, ""),
    ]


def test_haskell_classes_name_several_methods_in_one_signature():
    text = "class C a where\n  m, n :: a -> Int\n  (<+>), (<->) :: a -> a\n"

    assert kinds("a.hs", text)[1:] == [("method", f"C.{name}") for name in ("m", "n", "<+>", "<->")]


def test_haskell_constructors_may_be_operators_and_patterns_take_arguments():
    text = "data T = Int :*: Int\ndata family DF a\npattern P x = B x\n"

    assert kinds("a.hs", text) == [
        ("type", "T"),
        ("constructor", "T.:*:"),
        ("type", "DF"),
        ("constructor", "P"),
    ]


def test_a_ruby_class_may_be_indexed_and_set_several_constants_at_once():
    text = "class A\n  B, C = 1, 2\n  def [](i) = i\nend\nA::D = 3\n"

    assert kinds("a.rb", text)[1:] == [
        ("constant", "A::B"),
        ("constant", "A::C"),
        ("method", "A.[]"),
        ("constant", "A::D"),
    ]


def test_a_rust_reference_lends_its_type_to_the_impl():
    text = "impl Read for &'a mut Unit { fn read(&self) {} }\nconst _: () = ();\n"

    assert kinds("a.rs", text) == [("method", "Unit::read")]


def test_a_c_struct_in_a_field_belongs_to_the_struct_around():
    text = "struct outer { struct inner { int x; } in; };\n"

    assert kinds("a.c", text) == [
        ("struct", "outer"),
        ("field", "outer::in"),
        ("struct", "outer::inner"),
        ("field", "outer::inner::x"),
    ]


def test_pointers_to_functions_at_file_level_are_variables():
    text = "static int (*hook)(int) = 0;\nvoid (*other)(void);\nint f(int (*callback)(void));\n"

    assert kinds("a.c", text) == [("variable", "hook"), ("variable", "other"), ("function", "f")]


def test_an_alias_of_a_namespace_is_a_namespace():
    assert kinds("a.cpp", "namespace fs = std::filesystem;\n") == [("namespace", "fs")]


def test_types_are_declared_before_they_are_defined():
    text = (
        "struct node;\nclass List;\nnamespace app { enum class Color : int; }\n"
        "struct node *use(struct node *one);\nclass List { struct Part; };\nstruct node { int a; };\n"
    )
    found = parse("a.cpp", text).symbols

    assert [each.qualified_name for each in found if each.is_declaration] == [
        "node",
        "List",
        "app::Color",
        "use",
        "List::Part",
    ]
    assert [(each.kind, each.name) for each in parse("a.c", "struct node;\n").symbols] == [
        ("struct", "node")
    ]


def test_variables_that_read_like_functions_are_none():
    text = "int go() {\n  Buffer one(data, sizeof(data));\n  Thing two(size);\n  return 1;\n}\n"

    assert kinds("a.cpp", text) == [("function", "go")]


def test_batches_of_transact_sql_define_what_stands_in_them():
    text = (
        "USE [Shop]\nGO\nSET ANSI_NULLS ON\nGO\n"
        "CREATE TABLE [dbo].[Users](\n\t[Id] [int] IDENTITY(1,1) NOT NULL,\n\t[Name] [nvarchar](max) NULL,\n"
        " CONSTRAINT [PK] PRIMARY KEY CLUSTERED ([Id] ASC)\n) ON [PRIMARY]\nGO\n"
        "CREATE PROCEDURE [dbo].[GetUser]\n\t@Id int,\n\t@Name nvarchar(50) = NULL\nAS\nBEGIN\n"
        "\tSELECT * FROM [dbo].[Users] WHERE Id = @Id;\nEND\nGO\n"
        "CREATE OR ALTER PROCEDURE dbo.AddUser (@Name int)\nAS\nSELECT 1;\nGO\n"
    )

    parsed = parse_file("shop.sql", text, "sql")

    assert [(each.kind, each.qualified_name, each.name_line) for each in parsed.symbols] == [
        ("struct", "dbo.Users", 5),
        ("field", "dbo.Users.Id", 6),
        ("field", "dbo.Users.Name", 7),
        ("function", "dbo.GetUser", 11),
        ("function", "dbo.AddUser", 19),
    ]
