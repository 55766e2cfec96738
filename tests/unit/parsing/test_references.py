import pytest

from code_indexer.languages import language_of
from code_indexer.parsing.parse import parse_file


def references(path, text):
    language = language_of(path)
    return parse_file(path, text, language.name if language else None).references


def places(path, text, name):
    """Line, relationship, shape and qualifier of each reference to *name*."""
    return [
        (each.line, each.relationship, each.shape, each.qualifier)
        for each in references(path, text)
        if each.name == name
    ]


# justrach/codedb#682, eresende/pitlane-mcp#76
def test_sym_12_mentions_in_comments_and_strings_are_no_references():
    text = (
        "from lib import paint_row\n\n"
        "# paint_row() in a comment\n"
        "TEXT = 'paint_row() in a string'\n"
        "def caller():\n"
        '    """calls paint_row() they say"""\n'
        "    init()  # then paint_row() draws\n"
        "    return paint_row(1)\n"
    )

    assert places("use.py", text, "paint_row") == [
        (1, "includes", "import", "lib"),
        (8, "calls", "bare", None),
    ]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", "def f(item):\n    for item in item: print(item)\n    return item\n"),
        ("a.py", "def f():\n    item = 1\n    g(item=2)\n    return [item for item in x]\n"),
        ("a.py", "f = lambda item: item\n"),
        ("a.go", "package a\nfunc f(item int) { item := 1; g(item) }\n"),
        ("a.ts", "function f({ item }: P, [b = item]: Q) { const x = item; return x }\n"),
        ("a.js", "const f = (item) => { for (const k of item) { g(k) } }\n"),
        ("A.java", "class A { void f(int item) { int x = item; g(item); } }\n"),
        ("a.rs", "fn f(item: u8) { let x = |item| item; g(item); }\n"),
        ("a.c", "int f(int item) { return item; }\n"),
        ("a.cc", "int f(const T& item) { auto [a, b] = item; return a; }\n"),
        ("a.cs", "class A { void F(int item) { var x = item; G(item: 1); } }\n"),
        ("a.php", "<?php function f($item) { return $item; }\n"),
        ("a.rb", "def f(item)\n  item.each { |item| g(item) }\nend\n"),
        ("a.kt", "fun f(item: Int) { val x = item; g(item = 1) }\n"),
        ("a.swift", "func f(item: Int) { let x = item; g(item: 1) }\n"),
        ("a.scala", "object A { def f(item: Int) = { val x = item; x } }\n"),
        ("a.lua", "local function f(item) return item end\n"),
        ("a.hs", "module A where\nf item = g item\n"),
        ("a.zig", "fn f(item: u8) void { g(item); }\n"),
    ],
)
def test_parameters_local_variables_and_names_of_arguments_are_no_references(path, text):
    assert places(path, text, "item") == []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", "def f():\n    helper(1)\n"),
        ("a.go", "package a\nfunc f() { helper(1) }\n"),
        ("a.ts", "function f() { helper<string>(1) }\n"),
        ("a.js", "const f = () => helper(1)\n"),
        ("A.java", "class A { void f() { helper(1); } }\n"),
        ("a.rs", "fn f() { helper::<u8>(1); }\n"),
        ("a.c", "int f(void) { return helper (1); }\n"),
        ("a.cc", "int f() { return helper<int>(1); }\n"),
        ("a.cs", "class A { void F() { helper<int>(1); } }\n"),
        ("a.php", "<?php function f() { helper(1); }\n"),
        ("a.rb", "def f\n  helper 1\nend\n"),
        ("a.kt", "fun f() { helper { it } }\n"),
        ("a.swift", "func f() { helper { $0 } }\n"),
        ("a.scala", "object A { def f = helper[Int](1) }\n"),
        ("a.ex", "defmodule A do\n  def f do\n    helper 1\n  end\nend\n"),
        ("a.lua", 'local function f() helper "x" end\n'),
        ("a.sh", "f() {\n  helper 1\n}\n"),
        ("a.hs", "module A where\nf = helper 1\n"),
        ("a.zig", "fn f() void { helper(1); }\n"),
    ],
)
def test_a_call_is_a_reference_inside_its_definition(path, text):
    found = [each for each in references(path, text) if each.name == "helper"]

    assert [each.relationship for each in found] == ["calls"]
    assert found[0].enclosing is not None
    assert found[0].enclosing.lower().endswith("f")


def test_a_name_counts_where_the_parser_adds_a_missing_one_before_it():
    assert places("a.hs", "f state = (state,).Left\n", "Left") == [
        (1, "references", "member", None)
    ]


@pytest.mark.parametrize(
    ("path", "text", "qualifier"),
    [
        ("a.py", "def f(client):\n    client.session.send(1)\n", "client.session"),
        ("a.py", "class A:\n    def f(self):\n        self.send(1)\n", "self"),
        ("a.go", "package a\nfunc f(c *C) { c.\n\t\tsend(1) }\n", "c:C"),
        ("a.ts", "function f(c) { c.d?.send(1) }\n", "c.d"),
        ("a.ts", "function f(c) { c\n  .send(1) }\n", "c"),
        ("a.ts", "function f(c) { g(c).send(1) }\n", None),
        ("A.java", "class A { void f(C c) { Util.send(1); } }\n", "Util"),
        ("a.rs", "fn f() { net::Client::send(1); }\n", "net::Client"),
        ("a.c", "int f(struct c *c) { return c->send(1); }\n", "c:c"),
        ("a.cc", "int f() { return net::Client::send(1); }\n", "net::Client"),
        ("a.php", "<?php function f($c) { $this->send(1); }\n", "$this"),
        ("a.rb", "def f\n  Client.send(1)\nend\n", "Client"),
        ("a.lua", "local function f(c) c:send(1) end\n", "c"),
        ("a.py", "a.b.c.send(1)\n", "a.b.c"),
        ("a.py", "a.b().c.send(1)\n", "c"),
        ("a.py", "x = (a\n    .b\n    .c.send(1))\n", "c"),
        ("a.js", "`${a}`.b.send(1)\n", "b"),
        ("a.php", "<?php $this->a->b->send(1);\n", "$this->a->b"),
        ("a.rb", "@a.b.send(1)\n", "@a.b"),
        ("a.rb", "x.a?.send(1)\n", None),
        ("a.cc", "int f() { return a::b.c->send(1); }\n", "a::b.c"),
    ],
)
def test_a_member_keeps_the_receiver_that_stands_before_it(path, text, qualifier):
    assert [(shape, before) for _, _, shape, before in places(path, text, "send")] == [
        ("member", qualifier)
    ]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", "class A(Base, m.Other[int]): ...\n"),
        ("a.ts", "class A extends Base implements Other {}\n"),
        ("a.ts", "interface A extends Base, Other {}\n"),
        ("a.js", "class A extends Base {}\nclass B extends m.Other {}\n"),
        ("A.java", "class A extends Base<T> implements Other {}\n"),
        ("a.rs", "trait A: Base {}\nimpl Other for A {}\n"),
        ("a.cc", "class A : public Base, private ns::Other<int> {};\n"),
        ("a.cs", "class A : Base, Other<int> {}\n"),
        ("a.go", "package a\ntype A struct { Base; *m.Other }\n"),
        ("a.php", "<?php class A extends Base { use Other; }\n"),
        ("a.rb", "class A < Base\nend\nclass B < M::Other\nend\n"),
        ("a.kt", "class A : Base(), Other\n"),
        ("a.swift", "class A: Base, Other {}\n"),
        ("a.scala", "class A extends Base with Other\n"),
    ],
)
def test_base_classes_and_interfaces_are_inherited(path, text):
    inherited = {each.name for each in references(path, text) if each.relationship == "inherits"}

    assert inherited - {"with"} >= {"Base"}
    assert inherited <= {"Base", "Other"}


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (
            "a.py",
            "import os.path as p\nfrom a.b import c as d, e\nfrom . import f\n",
            [
                ("path", "os.path"),
                ("p", "os.path"),
                ("c", "a.b"),
                ("d", "a.b:c"),
                ("e", "a.b"),
                ("f", "."),
            ],
        ),
        (
            "a.ts",
            "import D, { a as b } from './m';\nimport * as ns from 'x';\nexport { q } from './r';\n",
            [("D", "./m"), ("a", "./m"), ("b", "./m:a"), ("ns", "x"), ("q", "./r")],
        ),
        (
            "a.go",
            'package a\nimport (\n"fmt"\nal "x.org/b/c"\n)\n',
            [("fmt", "fmt"), ("al", "x.org/b/c"), ("c", "x.org/b/c")],
        ),
        (
            "A.java",
            "import java.util.List;\nimport a.Outer.Inner;\nimport q.*;\n",
            [("List", "java.util"), ("Outer", "a"), ("Inner", "a.Outer"), ("*", "q")],
        ),
        (
            "a.rs",
            "use std::{io::{self, Read as R}, fmt};\nuse crate::a::*;\nuse serde;\n",
            [
                ("io", "std::io"),
                ("Read", "std::io"),
                ("R", "std::io:Read"),
                ("fmt", "std"),
                ("*", "crate::a"),
                ("serde", "serde"),
            ],
        ),
        (
            "a.c",
            '#include <stdio.h>\n#include "net/client.h"\n',
            [("stdio.h", "stdio.h"), ("client.h", "net/client.h")],
        ),
        ("a.php", "<?php use Foo\\{A, B as C};\n", [("A", "Foo"), ("B", "Foo"), ("C", "Foo:B")]),
        ("a.rb", "require_relative 'x/y'\n", [("y", "x/y")]),
        ("a.kt", "import x.y.W as V\n", [("W", "x.y"), ("V", "x.y:W")]),
        ("a.scala", "import x.y.{Z, W => V}\n", [("Z", "x.y"), ("W", "x.y"), ("V", "x.y:W")]),
        ("a.ex", "defmodule A do\n  alias X.{C, D}\nend\n", [("C", "X"), ("D", "X")]),
        ("a.go", 'package a\nimport "x.org/y/v2"\n', [("y", "x.org/y/v2")]),
        ("a.go", 'package a\nimport "x.org/y.v3"\n', [("y", "x.org/y.v3")]),
        ("a.zig", 'const m = @import("x.zig");\n', [("m", "x.zig"), ("x.zig", "x.zig")]),
        ("a.lua", 'require("x.y")\n', [("y", "x.y")]),
        ("a.lua", 'local m = require("x.y")\n', [("m", "x.y"), ("y", "x.y")]),
        ("a.lua", 'local m = require("x").f\n', [("m", "x:f"), ("f", "x")]),
        ("a.js", "const m = require('./x');\n", [("m", "./x")]),
        ("a.js", "const { a, b: c } = require('x');\n", [("a", "x"), ("b", "x"), ("c", "x:b")]),
        ("a.js", "var m = require('./x').f;\n", [("m", "./x:f"), ("f", "./x")]),
        ("A.hs", "import Data.List (foldl')\n", [("List", "Data"), ("foldl'", "Data.List")]),
        ("A.hs", "import Shop hiding (cart)\n", [("*", "Shop")]),
        ("a.sh", "source ./lib.sh\n", [("lib.sh", "./lib.sh")]),
    ],
)
def test_an_import_gives_its_names_with_the_module(path, text, expected):
    found = [each for each in references(path, text) if each.shape == "import"]

    assert [(each.name, each.qualifier) for each in found] == expected
    assert {each.relationship for each in found} == {"includes"}


def test_a_name_that_a_function_takes_from_outside_is_a_reference():
    text = "count = 0\ndef bump():\n    global count\n    count = count + 1\n"

    assert [line for line, *_ in places("a.py", text, "count")] == [4]


def test_the_body_of_a_class_hides_nothing_from_its_methods():
    text = "def run(): ...\nclass A:\n    run = 1\n    def go(self):\n        return run()\n"

    assert [line for line, *_ in places("a.py", text, "run")] == [5]


def test_a_local_name_hides_only_what_comes_after_it_where_scopes_are_blocks():
    text = "package a\nfunc f() {\n\tsize(1)\n\tif true {\n\t\tsize := 2\n\t\tg(size)\n\t}\n\tsize(3)\n}\n"

    assert [line for line, *_ in places("a.go", text, "size")] == [3, 8]


def test_a_local_function_is_referred_to_by_name():
    text = "export function outer() {\n  const inner = () => 1;\n  return inner();\n}\n"

    assert [line for line, *_ in places("a.ts", text, "inner")] == [3]


def test_names_in_preprocessor_conditions_and_macro_bodies_are_references():
    text = (
        "#ifdef HAVE_ZLIB\n#define PACK(x) deflate_it(x)\n#endif\nint f(void) { return PACK(1); }\n"
    )

    assert places("a.c", text, "HAVE_ZLIB") == [(1, "references", "bare", None)]
    assert [
        (each.line, each.enclosing) for each in references("a.c", text) if each.name == "deflate_it"
    ] == [(2, "PACK")]
    assert places("a.c", text, "x") == []


def test_a_jsx_element_calls_its_component():
    assert places("a.tsx", "const a = <Row label={x} />;\n", "Row") == [(1, "calls", "bare", None)]


@pytest.mark.parametrize("path", ["a.tsx", "a.jsx"])
def test_the_closing_tag_of_a_component_names_it(path):
    text = "const a = <Row>\n  <div>{x}</div>\n</Row>;\n"

    assert places(path, text, "Row") == [
        (1, "calls", "bare", None),
        (3, "references", "bare", None),
    ]
    assert places(path, text, "div") == []


def test_references_are_in_order_and_none_stands_twice_at_one_place():
    text = (
        "import a\n\nclass B(a.C):\n    def go(self, x: D) -> E:\n        return a.f(x).g(self.h)\n"
    )
    found = [
        (each.line, each.column) for each in references("a.py", text) if each.shape != "import"
    ]

    assert found == sorted(set(found))


def doubts(path, text):
    """Line and name of each reference that a preprocessor has a say in."""
    return [(each.line, each.name) for each in references(path, text) if each.preprocessed]


def test_what_a_preprocessor_decides_is_marked():
    text = (
        "#ifndef LIST_H\n#define LIST_H\n"
        "int a(void) { return sure(); }\n"
        "#ifdef FAST\nint b(void) { return one(); }\n#else\nint b(void) { return two(); }\n#endif\n"
        "#define PICK(x) chosen(x)\n"
        "int c(void) { return PICK(given()) + after(); }\n"
        "#endif\n"
    )

    assert doubts("list.c", text) == [
        (4, "FAST"),
        (5, "one"),
        (7, "two"),
        (9, "chosen"),
        (10, "given"),
    ]


def test_columns_of_marked_places_count_characters():
    text = 'int a(void) { f("äöü"); return PICK(given()) + "ä"[0] + after(); }\n'

    assert doubts("list.c", text) == [(1, "given")]


def test_a_comment_does_not_end_the_macro_that_it_stands_in():
    text = "#define FAIL(m) \\\n  do { /* here */ \\\n    report(m); \\\n  } while (0)\n\nint f(void);\n"

    assert [(each.line, each.enclosing) for each in references("a.c", text)] == [(3, "FAIL")]


def test_the_name_of_a_definition_that_a_macro_replaces_is_a_use_of_the_macro():
    text = (
        "enum { LEVEL };\n#define LEVEL LEVEL\n#define scan my_scan\nint scan(void) { return 1; }\n"
    )

    assert places("a.c", text, "scan") == [(4, "references", "bare", None)]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.c", "void f(void) {\n  one(); // as it was before.\n  stop();\n}\n"),
        ("a.py", "def f():\n    one()  # as it was before.\n    stop()\n"),
        ("a.go", "package a\nfunc f() {\n\t// as before.\n\tstop()\n}\n"),
        ("a.lua", "function f()\n  -- as before:\n  stop()\nend\n"),
    ],
)
def test_the_end_of_a_comment_is_no_receiver(path, text):
    assert [(shape, receiver) for _, _, shape, receiver in places(path, text, "stop")] == [
        ("bare", None)
    ]


def test_a_member_on_the_line_after_a_comment_is_one():
    text = "const a = build() // see there\n  .stop()\n"

    assert places("a.ts", text, "stop") == [(2, "calls", "member", None)]


def test_parameters_that_are_fields_are_parameters_to_their_constructor():
    text = (
        "class A { constructor(private key: string) { show(key); this.key; } }\nfunction key() {}\n"
    )

    assert [(each.name, each.shape) for each in references("a.ts", text)] == [
        ("show", "bare"),
        ("key", "member"),
    ]


def test_names_of_one_haskell_signature_are_no_references():
    assert [each.name for each in references("a.hs", "f, g :: Int\n")] == ["Int"]


def test_dots_without_a_name_are_named_nothing_in_elixir():
    assert all(each.name for each in references("a.ex", "f(...)\na.b...\n"))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("A.java", "class A { void f() { int size = size(); use(size); size(); } }\n"),
        ("a.rb", "def f\n  size = size()\n  use(size)\n  size()\nend\n"),
    ],
)
def test_a_call_is_no_local_variable_where_variables_cannot_be_called(path, text):
    assert [each.name for each in references(path, text)] == ["size", "use", "size"]


def test_variables_that_read_like_functions_are_local():
    text = "int go() {\n  Thing one(size);\n  return use(one);\n}\n"

    assert places("a.cpp", text, "one") == []
