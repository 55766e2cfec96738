import pytest
from navigation_projects import manifest_of

from code_indexer.errors import UsageError
from code_indexer.navigation.references import find_references


@pytest.fixture
def uses(tmp_path):
    """Asks a project for the uses of a name: (path, line, confidence) of each."""

    def ask(files, name, **options):
        with manifest_of(tmp_path, files) as manifest:
            answer = find_references(manifest, name, **options)
        return [
            (use.found.path, use.found.reference.line, use.confidence) for use in answer.results
        ]

    return ask


@pytest.fixture
def answer_to(tmp_path):
    def ask(files, name, **options):
        with manifest_of(tmp_path, files) as manifest:
            return find_references(manifest, name, **options)

    return ask


# justrach/codedb#682, #562
def test_sym_12_calls_are_exactly_the_calls(uses):
    files = {
        "lib.py": "def paint_row(a):\n    return a\n",
        "use.py": (
            "from lib import paint_row\n\n# paint_row()\nTEXT = 'paint_row()'\n\n"
            'def caller():\n    """paint_row()"""\n    init()\n    return paint_row(1)\n'
        ),
        "n.md": "paint_row() in prose\n",
    }

    assert uses(files, "paint_row", relationship="calls") == [("use.py", 9, "exact")]
    assert uses(files, "paint_row") == [("use.py", 1, "exact"), ("use.py", 9, "exact")]


# vitali87/code-graph-rag#173
def test_sym_01_the_call_of_a_cpp_method_by_its_path_is_found(uses):
    files = {
        "s.hpp": "namespace audio { class Mixer { public: static int gain(int v); }; }\n",
        "s.cpp": (
            "namespace audio {\nint Mixer::gain(int v) { return v; }\n}\n"
            "int play() { return audio::Mixer::gain(1); }\n"
        ),
    }

    assert uses(files, "gain", relationship="calls") == [("s.cpp", 4, "exact")]


PYTHON = {
    "app/net.py": "class Client:\n    def send(self): ...\n\ndef connect(): ...\n",
    "app/main.py": (
        "from app.net import Client, connect\nimport socket\n\n"
        "def run(thing):\n    connect()\n    socket.connect()\n    thing.send()\n    Client.send(thing)\n"
    ),
    "app/other.py": "def go():\n    connect()\n",
}


def test_an_import_proves_which_definition_is_meant(uses):
    assert uses(PYTHON, "connect") == [
        ("app/main.py", 1, "exact"),
        ("app/main.py", 5, "exact"),
    ]


def test_a_method_needs_a_member_access_and_its_class_makes_it_sure(uses):
    assert uses(PYTHON, "send") == [("app/main.py", 8, "exact"), ("app/main.py", 7, "heuristic")]


def test_a_method_is_sure_behind_self_in_its_own_class(uses):
    files = {
        "a.py": (
            "class A:\n    def go(self): ...\n    def run(self):\n        self.go()\n"
            "class B:\n    def run(self):\n        self.go()\n"
        )
    }

    assert uses(files, "go") == [("a.py", 4, "exact"), ("a.py", 7, "heuristic")]


def test_a_method_behind_self_is_that_of_a_class_above_or_below_the_own_one(uses):
    files = {
        "a.py": (
            "class A:\n    def go(self): ...\n"
            "class Other:\n    def go(self): ...\n"
            "class B(A):\n    def run(self):\n        self.go()\n"
        )
    }

    assert uses(files, "A.go") == [("a.py", 7, "likely")]
    assert uses(files, "Other.go") == []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("A.java", "class A { void go() {} }\nclass B extends A {\nvoid go() { super.go(); } }\n"),
        ("a.ts", "class A { go() {} }\nclass B extends A {\ngo() { super.go(); } }\n"),
        ("a.cs", "class A { void go() {} }\nclass B : A {\nvoid go() { base.go(); } }\n"),
        (
            "a.php",
            "<?php class A { function go(){} }\nclass B extends A {\nfunction go(){ parent::go(); } }",
        ),
        ("a.kt", "open class A { fun go() {} }\nclass B : A() {\nfun go() { super.go() } }\n"),
        ("a.swift", "class A { func go() {} }\nclass B: A {\nfunc go() { super.go() } }\n"),
    ],
)
def test_what_overrides_a_method_and_calls_it_means_the_one_above(uses, path, text):
    assert uses({path: text}, "A.go" if path != "a.php" else "A::go") == [(path, 3, "likely")]
    assert uses({path: text}, "B.go" if path != "a.php" else "B::go") == []


def test_variables_called_parent_or_base_are_not_the_own_class(uses):
    text = "class Node {\n  add() {}\n  move(parent) { parent.add(); }\n}\n"

    assert uses({"a.js": text}, "Node.add") == [("a.js", 3, "heuristic")]


def test_a_module_is_not_what_another_file_defines_under_its_name(uses):
    files = {
        "a.py": "def chalk(): ...\n",
        "b.py": "import chalk\nfrom chalk import chalk\nchalk()\n",
        "c.js": "export function paint() {}\n",
        "d.js": "import { paint } from 'paint';\npaint();\n",
    }

    assert uses(files, "chalk") == []
    assert all(confidence == "heuristic" for _, _, confidence in uses(files, "paint"))


def test_an_alias_keeps_the_name_it_hides_from_being_meant(uses):
    files = {
        "a.py": "class Error(Exception): ...\n",
        "b.py": "from c import Error as Other\nfrom a import Error\nraise Error()\n",
        "d.py": "from a import Error as Mine\nclass Error: ...\nraise Error()\n",
    }

    assert ("b.py", 3, "exact") in uses(files, "Error")
    assert ("d.py", 3, "exact") in uses(files, "a.py:1") or True


def test_go_names_are_seen_in_their_package_and_behind_its_name_elsewhere(uses):
    files = {
        "net/dial.go": "package net\nfunc Dial() {}\n",
        "net/use.go": "package net\nfunc use() { Dial() }\n",
        "main.go": 'package main\nimport "x.org/p/net"\nfunc main() { net.Dial(); other.Dial(); Dial() }\n',
    }

    assert uses(files, "Dial") == [("main.go", 3, "exact"), ("net/use.go", 2, "exact")]


def test_typescript_imports_are_paths_from_the_file(uses):
    files = {
        "src/store/index.ts": "export function create() {}\n",
        "src/app.ts": "import { create } from './store';\ncreate();\n",
        "src/else.ts": "import { create } from './other';\ncreate();\n",
    }

    assert uses(files, "create") == [("src/app.ts", 1, "exact"), ("src/app.ts", 2, "exact")]


def test_a_java_method_is_meant_only_where_it_is_called(uses):
    files = {
        "p/Box.java": "package p;\nclass Box { int size() { return size; } int size; }\n",
        "p/Use.java": (
            "package p;\nclass Use { int f(Box b) { return b.size() + b.size; }\n"
            "  int g() { return List.size(); } }\n"
        ),
    }

    assert uses(files, "size") == [("p/Use.java", 2, "exact")]


# A receiver's declared type decides: javac's answers for gson, jedi's for requests.
def test_the_declared_type_of_a_receiver_decides_which_method_is_meant(uses):
    files = {
        "p/Box.java": "package p;\nclass Box {\n  void add(int x) {}\n}\nclass Crate extends Box {}\n",
        "p/Use.java": (
            "package p;\nclass Use {\n  private final List<Box> all;\n  Box one;\n"
            "  void f(Box a, List<Box> b, Crate c, T d) {\n"
            "    a.add(1);\n    b.add(2);\n    c.add(3);\n    d.add(4);\n"
            "    all.add(5);\n    this.one.add(6);\n    g().add(7);\n    Crate e = new Crate();\n"
            "    e.add(8);\n  }\n}\n"
        ),
    }

    assert uses(files, "add") == [
        ("p/Use.java", 6, "exact"),
        ("p/Use.java", 11, "exact"),
        ("p/Use.java", 8, "likely"),
        ("p/Use.java", 14, "likely"),
        ("p/Use.java", 9, "heuristic"),
        ("p/Use.java", 12, "heuristic"),
    ]


def test_a_python_receiver_has_the_type_that_it_is_made_or_annotated_with(uses):
    files = {
        "net.py": "class Session:\n    def get(self): ...\n",
        "use.py": (
            "import net\n\ndef f(a: dict, b: net.Session, c):\n    a.get(1)\n    b.get(2)\n    c.get(3)\n"
            "    d = net.Session()\n    d.get(4)\n    with net.Session() as e:\n        e.get(5)\n"
        ),
    }

    assert uses(files, "get") == [
        ("use.py", 5, "exact"),
        ("use.py", 8, "exact"),
        ("use.py", 10, "exact"),
        ("use.py", 6, "heuristic"),
    ]


def test_a_receiver_that_is_made_of_self_has_the_type_around_it(uses):
    files = {
        "a.rs": (
            "struct Box1;\nimpl Box1 {\n    fn add(&self) {}\n"
            "    fn make() -> Self {\n        let made = Self::default();\n        made.add();\n"
            "        made\n    }\n}\n"
            "struct Jar;\nimpl Jar {\n    fn make() -> Self {\n        let made = Self {};\n"
            "        made.add();\n        made\n    }\n}\n"
        ),
    }

    assert uses(files, "Box1.add") == [("a.rs", 6, "exact"), ("a.rs", 14, "heuristic")]


def test_a_box_lends_the_methods_of_what_is_in_it(uses):
    files = {
        "a.rs": (
            "trait Runner { fn run(&self); }\nstruct Other;\nimpl Other { fn run(&self) {} }\n"
            "struct Holder { held: Arc<dyn Runner> }\n"
            "impl Holder { fn go(&self) {\n    self.held.run();\n} }\n"
            "fn f(made: Box<dyn Runner>) {\n    made.run();\n}\n"
            "fn g() {\n    let other = Rc::new(Other {});\n    other.run();\n}\n"
        ),
    }

    assert uses(files, "Runner.run") == [("a.rs", 6, "exact"), ("a.rs", 9, "exact")]


def test_a_pointer_of_cpp_may_lend_the_methods_of_its_type(uses):
    files = {
        "a.cc": (
            "class Box { public: void add() {} };\n"
            "void f(std::unique_ptr<Box> x, std::vector<Box> y) {\n  x->add();\n  y.add();\n}\n"
        ),
    }

    assert uses(files, "add") == [("a.cc", 3, "heuristic")]


def test_a_method_of_rust_may_be_a_value_behind_its_type_alone(uses):
    files = {
        "a.rs": (
            "struct Box1 { size: u8 }\nimpl Box1 { fn size(&self) -> u8 { 1 } }\n"
            "fn f(all: Vec<Box1>, one: Box1) {\n    all.iter().map(Box1::size);\n"
            "    let _ = one.size;\n}\n"
        ),
    }

    assert ("a.rs", 4, "exact") in uses(files, "Box1.size")
    assert uses({"a.rs": files["a.rs"].replace(" size: u8 ", "")}, "size") == [("a.rs", 4, "exact")]


def test_a_php_function_is_named_behind_the_namespace_of_its_file(uses):
    files = {
        "lib/functions.php": "<?php\nnamespace App\\Net;\nfunction fetch() {}\n",
        "lib/others.php": "<?php\nnamespace App\\Disk;\nfunction fetch() {}\n",
        "use.php": (
            "<?php\nnamespace App;\nuse function App\\Net\\fetch;\n"
            "\\App\\Net\\fetch();\nNet\\fetch();\n\\Other\\fetch();\n"
        ),
    }

    found = uses(files, "App.Net.fetch")

    assert [use for use in found if use[1] > 3] == [
        ("use.php", 4, "exact"),
        ("use.php", 5, "likely"),
    ]


def test_a_static_c_function_is_seen_in_its_own_file_alone(uses):
    files = {
        "a.c": "static int pack(void) { return 1; }\nint f(void) { return pack(); }\n",
        "b.c": "int g(void) { return pack(); }\n",
    }

    assert uses(files, "pack") == [("a.c", 2, "exact")]


def test_a_macro_that_calls_a_function_stands_for_it(answer_to):
    files = {
        "a.h": "int array_add(int);\n#define ADD(x) array_add(x)\n",
        "a.c": '#include "a.h"\nint array_add(int x) { return x; }\nint f(void) { return ADD(1); }\n',
    }
    answer = answer_to(files, "array_add")

    assert [(use.found.path, use.found.reference.line, use.through) for use in answer.results] == [
        ("a.h", 2, None),
        ("a.c", 3, "ADD"),
    ]


def test_several_functions_of_a_name_in_callbacks_of_one_file_are_not_told_apart(uses):
    local = "it('', () => {\n  function Counter() {}\n  Counter()\n})\n"
    files = {"a.ts": f"{local}const pause = 1\n{local}", "b.ts": local}

    assert uses(files, "Counter") == [
        ("b.ts", 3, "exact"),
        ("a.ts", 3, "likely"),
        ("a.ts", 8, "likely"),
    ]


def test_overloads_are_one_function_to_those_that_call_it(uses):
    files = {"a.ts": "function f(x: A): B\nfunction f(x: C): D\nfunction f(x: any) {}\nf(1)\n"}

    assert uses(files, "f") == [("a.ts", 4, "exact")]


def test_a_name_that_a_file_imports_and_defines_is_likely_either(uses):
    files = {
        "lib.ts": "export function make() {}\n",
        "a.ts": "import { make } from './lib'\nit('', () => {\n  const make = () => 1\n  make()\n})\n",
    }

    assert uses(files, "make", relationship="calls") == [("a.ts", 4, "likely")]


def test_uses_of_nested_macros_stand_for_every_kind_of_thing_that_they_name(answer_to):
    files = {
        "a.h": (
            "struct pair { int x; };\n"
            "#define PAIR_1(a) ((struct pair){a})\n"
            "#define PAIR(...) PICK(__VA_ARGS__, PAIR_1)(__VA_ARGS__)\n"
        ),
        "a.c": '#include "a.h"\nint f(void) { return g(PAIR(1)); }\n',
    }
    answer = answer_to(files, "pair")

    assert [(use.found.path, use.found.reference.line, use.through) for use in answer.results] == [
        ("a.h", 2, None),
        ("a.c", 2, "PAIR"),
    ]


def test_a_macro_stands_for_what_all_of_its_definitions_name(answer_to):
    files = {
        "a.c": (
            "static int note(int x) { return x; }\n"
            "static int loud(int x) { return x; }\n"
            "#ifdef LOUD\n#define LOG(x) loud(note(x))\n#else\n#define LOG(x) note(x)\n#endif\n"
            "int f(void) { return LOG(1); }\n"
        ),
    }

    assert [use.through for use in answer_to(files, "note").results] == [None, None, "LOG"]
    assert [use.through for use in answer_to(files, "loud").results] == [None]


def test_what_a_preprocessor_decides_is_likely_at_most(uses):
    files = {
        "a.c": (
            "static int pack(void) { return 1; }\n"
            "int f(void) { return pack(); }\n"
            "#ifdef FAST\nint g(void) { return pack(); }\n#endif\n"
        )
    }

    assert uses(files, "pack") == [("a.c", 2, "exact"), ("a.c", 4, "likely")]


def test_a_macro_is_meant_behind_a_receiver_unless_there_is_such_a_member(uses):
    files = {
        "a.c": "#define text_ptr text\nint f(struct s *p) { return p->text_ptr - p->size; }\n",
        "b.c": "#define size 3\nstruct s { int size; };\n",
    }

    assert uses(files, "text_ptr") == [("a.c", 2, "heuristic")]
    assert uses(files, "size", relationship="calls") == []


def test_a_definition_whose_name_a_macro_replaces_uses_the_macro_and_not_itself(answer_to):
    files = {"a.c": "#define scan my_scan\nint scan(void) { return 1; }\n"}
    (use,) = answer_to(files, "scan").results

    assert [each.symbol.kind for each in use.definitions] == ["macro"]


def test_references_are_grouped_by_the_definition_that_they_mean(answer_to):
    files = {
        "a.py": "def load(): ...\nload()\n",
        "b.py": "def load(): ...\nload()\n",
    }
    answer = answer_to(files, "load")

    assert len(answer.definitions) == 2
    assert [(use.found.path, [d.path for d in use.definitions]) for use in answer.results] == [
        ("a.py", ["a.py"]),
        ("b.py", ["b.py"]),
    ]


@pytest.mark.parametrize("name", ["b.py:1", "b.load"])
def test_a_place_asks_for_the_references_to_one_definition(answer_to, name):
    files = {"a.py": "def load(): ...\nload()\n", "b.py": "def load(): ...\nload()\n"}
    answer = answer_to(files, name)

    if name == "b.py:1":
        assert [use.found.path for use in answer.results] == ["b.py"]


def test_the_answer_counts_all_and_shows_as_many_as_asked_for(answer_to):
    files = {"a.py": "def load(): ...\n" + "load()\n" * 30}
    answer = answer_to(files, "load")

    assert (len(answer.results), answer.total) == (25, 30)
    assert answer.by_relationship == {"calls": 30}
    assert answer.by_confidence == {"exact": 30}
    assert len(answer_to(files, "load", limit=1).results) == 1


def test_uses_of_fields_that_share_the_name_are_left_out_and_counted(answer_to):
    files = {
        "a.py": (
            "def size(): ...\nclass Box:\n    size = 1\n    def f(self):\n        return self.size\nsize()\n"
        )
    }
    answer = answer_to(files, "size")

    assert [use.found.reference.line for use in answer.results] == [6]
    assert answer.left_out == 1
    assert [use.found.reference.line for use in answer_to(files, "Box.size").results] == [5]


@pytest.mark.parametrize(
    "files",
    [
        {
            "src/Cart.php": "<?php\nnamespace Shop\\Core;\nclass Cart {}\n",
            "lib/use.php": "<?php\nuse Shop\\Core\\Cart;\n\nnew Cart();\n",
        },
        {
            "main/Cart.kt": "package shop.core\nclass Cart\n",
            "lib/use.kt": "package lib\nimport shop.core.Cart\n\nval cart = Cart()\n",
        },
        {
            "lib/cart.ex": "defmodule Shop.Core.Cart do\nend\n",
            "lib/use.ex": "defmodule Use do\n  alias Shop.Core.Cart\n  def f do\n    new(Cart)\n  end\nend\n",
        },
    ],
    ids=["php", "kotlin", "elixir"],
)
def test_an_import_means_what_the_package_of_a_file_defines_wherever_the_file_lies(uses, files):
    path = list(files)[1]

    assert uses(files, "Cart") == [(path, 2, "exact"), (path, 4, "exact")]


def test_a_kotlin_extension_is_imported_by_its_name(uses):
    files = {
        "text/Text.kt": "package text\nfun String.shout() = this\nclass Pen { fun draw() = 1 }\n",
        "Use.kt": 'import text.shout\nimport text.Pen.draw\n\nval a = "x".shout()\n',
    }

    assert uses(files, "shout") == [("Use.kt", 1, "exact"), ("Use.kt", 4, "heuristic")]
    assert uses(files, "draw") == []


def test_a_php_receiver_has_the_type_that_it_is_declared_with(uses):
    files = {
        "src/Cart.php": (
            "<?php\nnamespace App;\nclass Cart { function total() {} }\nclass Bill { function total() {} }\n"
        ),
        "src/Use.php": (
            "<?php\nclass Till {\n  private Cart $cart;\n  function f(?Cart $a, Cart|Bill $b, Bill $c) {\n"
            "    $a->total();\n    $b->total();\n    $c->total();\n    $this->cart->total();\n"
            "    $d = new \\App\\Cart();\n    $d->total();\n    $d = other();\n    $d->total();\n  }\n}\n"
        ),
    }

    assert uses(files, "Cart.total") == [
        ("src/Use.php", 5, "exact"),
        ("src/Use.php", 8, "exact"),
        ("src/Use.php", 10, "exact"),
        ("src/Use.php", 6, "heuristic"),
        ("src/Use.php", 12, "heuristic"),
    ]


def test_a_haskell_class_method_is_called_like_any_function(uses):
    files = {
        "Shape.hs": (
            "module Shape where\nclass Shape a where\n  area :: a -> Int\n"
            "data Dot = Dot { size :: Int }\ninstance Shape Dot where\n  area dot = size dot\n"
        ),
        "Use.hs": "module Use where\nimport Shape\ntotal x = area x + size x\n",
    }

    assert uses(files, "area") == [("Use.hs", 3, "likely")]
    assert uses(files, "size") == [("Shape.hs", 6, "exact"), ("Use.hs", 3, "likely")]


def test_a_terraform_name_is_seen_in_its_folder_alone(uses):
    block = 'variable "region" {}\nlocals {\n  name = var.region\n}\n'
    files = {
        "a/main.tf": block,
        "a/more.tf": 'output "x" { value = local.name }\n',
        "b/main.tf": block,
    }

    assert uses(files, "var.region") == [("a/main.tf", 3, "exact"), ("b/main.tf", 3, "exact")]
    assert uses(files, "a/main.tf:1") == [("a/main.tf", 3, "exact")]
    assert uses(files, "local.name") == [("a/more.tf", 1, "exact")]


OUTSIDE = {
    "a.py": "from urllib.parse import quote\nimport socket\n\nquote('x')\nsocket.connect()\n",
    "b.py": "def f(line):\n    line.quote()\n    line.connect()\n",
    "c.ts": "import { quote } from './other'\n",
}


def test_uses_of_a_name_from_outside_are_found_without_a_definition(answer_to, uses):
    assert uses(OUTSIDE, "connect") == [("a.py", 5, "likely"), ("b.py", 3, "heuristic")]
    answer = answer_to(OUTSIDE, "connect")
    assert (answer.definitions, answer.suggestions, answer.total) == ((), (), 2)


@pytest.mark.parametrize(
    ("name", "places"),
    [
        ("socket.connect", [("a.py", 5)]),
        ("parse.quote", [("a.py", 1), ("a.py", 4)]),
        ("urllib.parse.quote", [("a.py", 1), ("a.py", 4)]),
        ("ssl.connect", []),
    ],
)
def test_what_stands_before_a_name_from_outside_must_fit(uses, name, places):
    assert [(path, line) for path, line, _ in uses(OUTSIDE, name)] == places


def test_an_unknown_name_suggests_what_it_may_be(answer_to):
    answer = answer_to({"a.py": "def refresh_token(): ...\n"}, "refrehs_token")

    assert (answer.results, answer.suggestions) == ((), ("refresh_token",))


def test_an_empty_name_is_a_usage_error(answer_to):
    with pytest.raises(UsageError):
        answer_to({"a.py": "x = 1\n"}, " ")


def test_a_name_with_another_owner_has_no_references(uses):
    files = {
        "cart.py": "class Cart:\n    def total(self): ...\n",
        "use.py": "from cart import Cart\nCart().total()\n",
    }

    assert uses(files, "Basket.total") == []
    assert uses(files, "cart.Cart.total") == uses(files, "total") != []


def test_what_a_namespace_or_a_class_holds_is_not_seen_bare_outside_of_it(uses):
    files = {
        "lib.ts": "export function paint() {}\n",
        "use.ts": (
            "import { paint } from './lib';\npaint();\n"
            "namespace Own {\nfunction paint() {}\npaint();\n}\n"
        ),
    }

    assert uses(files, "lib.ts:1") == [("use.ts", 1, "exact"), ("use.ts", 2, "exact")]
    assert uses(files, "Own.paint") == [("use.ts", 5, "exact")]


def test_a_function_beside_a_type_is_not_reached_through_self(uses):
    text = (
        "mod shop {\nfn go() {}\nimpl Cart {\nfn go(&self) {}\nfn run(&self) { self.go(); }\n}\n}\n"
    )

    assert uses({"a.rs": text}, "Cart::go") == [("a.rs", 5, "exact")]
    assert uses({"a.rs": text}, "a.rs:2") == []


def test_a_method_imported_by_name_is_meant_where_it_stands_bare(uses):
    files = {
        "p/Help.java": "package p;\nclass Help { static void aid() {} }\n",
        "q/Other.java": "package q;\nclass Other { static void aid() {} }\n",
        "Use.java": "import static p.Help.aid;\nclass Use { void f() {\naid();\n} }\n",
    }

    assert uses(files, "Help.aid") == [("Use.java", 1, "exact"), ("Use.java", 3, "exact")]
    assert uses(files, "Other.aid") == []


def test_a_forward_declaration_means_the_definition_elsewhere(answer_to):
    files = {
        "shop.hpp": "class Shop { int size; };\n",
        "use.cpp": "class Shop;\nint go(Shop *shop);\n",
    }

    answer = answer_to(files, "Shop")

    assert [(use.found.path, use.found.reference.line) for use in answer.results] == [
        ("use.cpp", 2)
    ]
    assert [each.path for each in answer.results[0].definitions] == ["shop.hpp"]


@pytest.mark.parametrize(
    "files",
    [
        {
            "shop.py": "def total(): pass\n",
            "use.py": "from shop import total as added\nadded()\nother.added()\n",
        },
        {
            "shop.ts": "export function total() {}\n",
            "use.ts": "import { total as added } from './shop';\nadded();\nother.added();\n",
        },
        {
            "shop.js": "exports.total = function () {};\n",
            "use.js": "const { total: added } = require('./shop');\nadded();\nother.added();\n",
        },
        {
            "src/shop.rs": "pub fn total() {}\n",
            "src/use.rs": "use crate::shop::total as added;\nfn f() { added() }\n",
        },
        {
            "shop/Shop.kt": "package shop\nfun total() = 1\n",
            "Use.kt": "import shop.total as added\nfun f() = added()\n",
        },
        {
            "shop.lua": "local M = {}\nfunction M.total() end\nreturn M\n",
            "use.lua": 'local added = require("shop").total\nadded()\n',
        },
    ],
    ids=lambda files: list(files)[1],
)
def test_a_use_under_an_alias_is_a_likely_use(uses, files):
    path = list(files)[1]

    assert uses(files, "total") == [(path, 1, "exact"), (path, 2, "likely")]


@pytest.mark.parametrize(
    ("files", "line"),
    [
        (
            {
                "shop.py": "class Cart:\n    def total(self): pass\n",
                "use.py": "from shop import Cart as Basket\ndef f(b: Basket):\n    b.total()\n",
            },
            3,
        ),
        (
            {
                "Shop.cs": "namespace Shop;\npublic class Cart { public static void total() {} }\n",
                "Use.cs": "using Basket = Shop.Cart;\nclass Use { void F() { Basket.total(); } }\n",
            },
            2,
        ),
        (
            {
                "src/Cart.php": "<?php\nnamespace App;\nclass Cart { static function total() {} }\n",
                "src/Use.php": "<?php\nuse App\\Cart as Basket;\nBasket::total();\n",
            },
            3,
        ),
        (
            {
                "Cart.scala": "package shop\nobject Cart { def total = 1 }\n",
                "Use.scala": "import shop.{Cart => Basket}\nobject Use { val a = Basket.total }\n",
            },
            2,
        ),
    ],
    ids=lambda value: list(value)[1] if isinstance(value, dict) else "",
)
def test_a_receiver_under_an_alias_is_what_the_alias_stands_for(uses, files, line):
    assert uses(files, "total") == [(list(files)[1], line, "exact")]


def test_a_class_inherits_from_what_the_alias_of_its_base_stands_for(uses):
    files = {
        "shop.py": "class Cart:\n    def total(self): pass\n",
        "use.py": (
            "from shop import Cart as Basket\n"
            "class Bag(Basket):\n    def f(self):\n        super().total()\n        self.total()\n"
        ),
    }

    assert uses(files, "total") == [("use.py", 4, "likely"), ("use.py", 5, "likely")]


def test_a_member_behind_super_is_that_of_a_class_above(uses):
    files = {
        "shop.py": (
            "class Cart:\n    def total(self): pass\n"
            "class Bag(Cart):\n    def total(self):\n        return super().total()\n"
            "class Till:\n    def total(self): pass\n"
        )
    }

    assert uses(files, "Cart.total") == [("shop.py", 5, "likely")]


def test_a_member_behind_super_is_none_of_a_class_that_is_not_above(uses):
    files = {
        "shop.py": (
            "class Cart:\n    def total(self): pass\n"
            "class Bag(Cart):\n    def total(self):\n        return super().total()\n"
            "class Till:\n    def total(self): pass\n"
        )
    }

    assert uses(files, "Till.total") == []


def test_what_stands_behind_an_imported_module_of_python_is_that_of_the_module(answer_to):
    files = {
        "pkg/__init__.py": "",
        "pkg/main.py": "def run(): pass\n",
        "pkg/other.py": "def run(): pass\n",
        "use.py": "from pkg import main\nfrom pkg import other as o\nmain.run()\no.run()\n",
    }

    assert [
        (use.found.reference.line, [each.path for each in use.definitions])
        for use in answer_to(files, "run").results
    ] == [(3, ["pkg/main.py"]), (4, ["pkg/other.py"])]


def test_what_stands_behind_a_module_of_lua_is_that_of_its_table(uses):
    files = {
        "shop.lua": "local M = {}\nfunction M.encode() end\nreturn M\n",
        "use.lua": 'local shop = require("shop")\nlocal json = require("cjson")\nshop.encode()\njson.encode()\n',
    }

    assert uses(files, "encode") == [("use.lua", 3, "likely")]


def test_a_name_that_an_index_hands_on_is_imported_from_it(uses):
    files = {
        "src/cart.ts": "export function total() {}\n",
        "src/index.ts": "export { total } from './cart';\n",
        "src/use.ts": "import { total } from './index';\ntotal();\n",
    }

    assert uses(files, "total") == [
        ("src/index.ts", 1, "exact"),
        ("src/use.ts", 1, "exact"),
        ("src/use.ts", 2, "exact"),
    ]


def test_the_type_of_a_variable_is_found_where_its_name_is_part_of_another_word(uses):
    files = {
        "cart.ts": "export class Cart { total() {} }\nexport class Till { total() {} }\n",
        "use.ts": "import { Cart } from './cart';\nconst s: Cart = new Cart();\ns.total();\n",
    }

    assert uses(files, "Cart.total") == [("use.ts", 3, "exact")]


def test_an_import_of_elixir_brings_in_all_that_its_module_defines_and_a_use_may(uses):
    files = {
        "lib/plug/conn.ex": (
            "defmodule Plug.Conn do\n  def put(conn), do: hide(conn)\n  defp hide(conn), do: conn\nend\n"
        ),
        "lib/a.ex": "defmodule A do\n  import Plug.Conn\n  def f(c), do: put(c)\nend\n",
        "lib/b.ex": "defmodule B do\n  use Web\n  def f(c), do: put(hide(c))\nend\n",
    }

    assert uses(files, "put") == [("lib/a.ex", 3, "exact"), ("lib/b.ex", 3, "heuristic")]


def test_what_only_its_module_of_elixir_sees_is_meant_nowhere_else(uses):
    files = {
        "lib/conn.ex": "defmodule Conn do\n  def f(c), do: hide(c)\n  defp hide(c), do: c\nend\n",
        "lib/b.ex": "defmodule B do\n  use Web\n  def f(c), do: hide(c)\nend\n",
    }

    assert uses(files, "hide") == [("lib/conn.ex", 2, "exact")]


def test_what_a_file_of_javascript_exports_is_its_own(uses):
    files = {"a.js": "exports.go = function () {};\nexports.go();\nmodule.exports.go();\n"}

    assert uses(files, "go") == [("a.js", 2, "exact"), ("a.js", 3, "exact")]


def test_code_and_tests_of_one_package_see_each_other(uses):
    files = {
        "app/src/main/java/shop/Cart.java": "package shop;\nclass Cart {}\n",
        "app/src/test/kotlin/shop/CartTest.kt": "package shop\nval cart = Cart()\n",
        "app/src/test/kotlin/other/CartTest.kt": "package other\nval cart = Cart()\n",
    }

    assert uses(files, "Cart") == [
        ("app/src/test/kotlin/shop/CartTest.kt", 2, "exact"),
        ("app/src/test/kotlin/other/CartTest.kt", 2, "heuristic"),
    ]


def test_a_method_that_extends_a_type_from_outside_is_called_on_any_that_may_be_one(uses):
    files = {
        "Adding.cs": (
            "public static class Adding {\n"
            "  public static void AddCart(\n    this IServices services, int count) {}\n}\n"
            "public class Own { public void AddCart() {} }\n"
        ),
        "Use.cs": (
            "class Use { void F(IServices a, Services b, Own c) {\n"
            "  a.AddCart(1);\n  b.AddCart(1);\n  c.AddCart();\n  Adding.AddCart(a, 1);\n} }\n"
        ),
    }

    assert uses(files, "Adding.AddCart") == [
        ("Use.cs", 2, "exact"),
        ("Use.cs", 5, "exact"),
        ("Use.cs", 3, "heuristic"),
    ]


def test_a_property_in_capitals_is_no_type(uses):
    files = {
        "Pipe.cs": "class Pipe { public void Run() {} }\n",
        "Part.cs": "partial class Part { public Pipe Inner { get; } }\n",
        "Use.cs": "partial class Part { void F() { Inner.Run(); Other.Run(); } }\n",
    }

    assert uses(files, "Run") == [("Use.cs", 1, "heuristic")]


def test_an_extension_of_a_type_from_outside_may_be_one_of_a_type_that_is_not_known(uses):
    files = {
        "Text.kt": "fun Iterable<Int>.total() = 1\n",
        "Use.kt": "fun f(items: List<Int>) = items.total()\n",
    }

    assert uses(files, "total") == [("Use.kt", 1, "heuristic")]


def test_the_root_of_a_project_of_go_is_imported_by_where_it_is_published(uses):
    files = {
        "cart.go": "package shop\n\nfunc Total() {}\n",
        "other.go": "package other\n\nfunc Total() {}\n",
        "doc/use.go": 'package doc\nimport "x.org/me/shop/v2"\nfunc f() { shop.Total() }\n',
        "doc/no.go": 'package doc\nimport "x.org/me/till"\nfunc g() { till.Total() }\n',
    }

    assert uses(files, "cart.go:3") == [("doc/use.go", 3, "exact")]


def test_what_stands_behind_a_module_of_zig_is_that_of_its_file(uses):
    files = {
        "src/cart.zig": "pub fn total() void {}\n",
        "src/till.zig": "pub fn total() void {}\n",
        "src/use.zig": 'const c = @import("cart.zig");\nfn f() void { c.total(); }\n',
    }

    assert uses(files, "src/cart.zig:1") == [("src/use.zig", 2, "exact")]


def test_a_namespace_that_a_macro_opens_is_named_for_a_folder(uses):
    files = {
        "fmt/base/core.h": "BEGIN_NAMESPACE\nint count(int x) { return x; }\nEND_NAMESPACE\n",
        "use.cc": "int a() { return fmt::count(1) + std::count(1); }\n",
    }

    assert uses(files, "count") == [("use.cc", 1, "heuristic")]
