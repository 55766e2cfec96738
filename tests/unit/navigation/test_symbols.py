import pytest
from navigation_projects import manifest_of

from code_indexer.errors import UsageError
from code_indexer.navigation.names import parse_name
from code_indexer.navigation.symbols import (
    MAX_SUBSTRING_RESULTS,
    find_definition,
    find_symbol,
)


@pytest.fixture
def build(tmp_path):
    opened = []

    def build(files):
        opened.append(manifest_of(tmp_path, files))
        return opened[-1]

    yield build
    for manifest in opened:
        manifest.close()


def where(answer):
    return [(each.path, each.symbol.name_line) for each in answer.results]


def names(answer):
    return [each.symbol.qualified_name for each in answer.results]


SESSION = {
    "src/session.py": "class Session:\n    def refresh(self): ...\n\ndef refresh(): ...\n",
    "tests/test_session.py": "class Session:\n    def refresh(self): ...\n",
    "src/cache.py": "class Cache:\n    refresh = 1\n",
}


def test_an_exact_name_finds_all_of_that_name_product_code_first(build):
    answer = find_symbol(build(SESSION), "refresh")

    assert answer.match == "exact"
    assert answer.total == 4
    assert where(answer)[0] == ("src/session.py", 4)
    assert where(answer)[-1] == ("tests/test_session.py", 2)


@pytest.mark.parametrize("name", ["Session.refresh", "Session::refresh", "Session#refresh"])
def test_a_qualified_name_may_be_written_in_any_notation(build, name):
    answer = find_symbol(build(SESSION), name)

    assert names(answer) == ["Session.refresh", "Session.refresh"]


def test_a_name_in_another_case_is_found_when_no_other_is(build):
    manifest = build(SESSION)

    assert find_symbol(manifest, "session").match == "any case"
    assert find_symbol(manifest, "SESSION.REFRESH").total == 2
    assert find_symbol(manifest, "Session").match == "exact"


def test_a_part_of_a_name_is_found_last_and_says_so(build):
    answer = find_symbol(build(SESSION), "fres")

    assert (answer.match, answer.total) == ("substring", 4)


def test_many_matches_of_a_part_are_capped(build):
    text = "".join(f"def load_{number}(): ...\n" for number in range(MAX_SUBSTRING_RESULTS + 50))

    assert find_symbol(build({"a.py": text}), "loa").total == MAX_SUBSTRING_RESULTS


# nurl-lang/nurl#609, rotki/rotki#9505
@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("a_b", ["a_b"]),
        ("%", []),
        ("_", ["a_b", "load_all"]),
        ("load_al", ["load_all"]),
        ("x' OR 1=1", []),
    ],
)
def test_sym_14_percent_and_underscore_are_characters(build, asked, expected):
    text = "def a_b(): ...\ndef axb(): ...\ndef load_all(): ...\ndef loadXall(): ...\n"

    assert sorted(names(find_symbol(build({"a.py": text}), asked))) == expected


@pytest.mark.parametrize("empty", ["", "  ", "\0"])
def test_sym_14_an_empty_name_is_a_usage_error(build, empty):
    with pytest.raises(UsageError):
        find_symbol(build({"a.py": "x = 1\n"}), empty)


def test_near_misses_are_suggested_when_nothing_matches(build):
    answer = find_symbol(build({"a.py": "def refresh_token(): ...\n"}), "refrehs_token")

    assert (answer.match, answer.suggestions) == ("none", ("refresh_token",))


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("loads", ("load",)),
        ("load_sesion", ("load_session",)),
        ("load_person", ()),
        ("session_limit", ()),
    ],
)
def test_only_names_that_are_nearly_the_same_are_suggested(build, asked, expected):
    text = "def load(): ...\ndef load_session(): ...\ndef session_length(): ...\n"

    assert find_definition(build({"a.py": text}), asked).suggestions == expected


def test_only_the_kinds_that_are_asked_for_are_kept(build):
    manifest = build(SESSION)

    assert names(find_symbol(manifest, "refresh", symbol_type="function")) == ["refresh"]
    assert names(find_symbol(manifest, "refresh", symbol_type="field")) == ["Cache.refresh"]
    with pytest.raises(UsageError, match="no such symbol type: thing"):
        find_symbol(manifest, "refresh", symbol_type="thing")


def test_a_place_finds_what_is_named_on_its_line_or_encloses_it(build):
    manifest = build({"src/a.py": "class A:\n    def go(self):\n        x = 1\n        return x\n"})

    assert names(find_symbol(manifest, "src/a.py:2")) == ["A.go"]
    assert names(find_symbol(manifest, "src/a.py:4")) == ["A.go"]
    assert find_symbol(manifest, "src/b.py:4").match == "place"
    assert find_symbol(manifest, "src/b.py:4").total == 0


def test_definitions_come_before_declarations(build):
    manifest = build({"a.h": "int pack(int);\n", "z.c": "int pack(int a) { return a; }\n"})

    assert where(find_symbol(manifest, "pack")) == [("z.c", 1), ("a.h", 1)]
    assert where(find_definition(manifest, "pack")) == [("z.c", 1)]


def test_a_declaration_is_the_definition_when_there_is_no_other(build):
    manifest = build({"a.h": "int pack(int);\n"})

    assert where(find_definition(manifest, "pack")) == [("a.h", 1)]


def test_find_definition_wants_the_exact_name(build):
    manifest = build(SESSION)

    assert find_definition(manifest, "session").match == "none"
    assert find_definition(manifest, "fres").results == ()


def test_fields_yield_to_everything_else_of_the_name_and_are_counted(build):
    manifest = build(SESSION)
    answer = find_definition(manifest, "refresh")

    assert "Cache.refresh" not in names(answer)
    assert (answer.total, answer.left_out) == (3, 1)
    assert names(find_definition(manifest, "Cache.refresh")) == ["Cache.refresh"]
    assert names(find_definition(manifest, "refresh", symbol_type="field")) == ["Cache.refresh"]


# vitali87/code-graph-rag#173
def test_sym_01_a_cpp_method_is_found_by_its_qualified_name(build):
    manifest = build(
        {
            "s.hpp": "namespace audio { class Mixer { public: int gain(int v); bool operator==(M o); }; }\n",
            "s.cpp": "namespace audio {\nint Mixer::gain(int v) { return v; }\n}\n",
        }
    )

    assert where(find_definition(manifest, "Mixer::gain")) == [("s.cpp", 2)]
    assert where(find_symbol(manifest, "gain", symbol_type="method"))[0] == ("s.cpp", 2)
    assert find_symbol(manifest, "operator==").total == 1
    assert find_symbol(manifest, "audio::Mixer::gain").total == 2


# aimasteracc/tree-sitter-analyzer#750
@pytest.mark.parametrize(
    "name", ["Ring.Put", "(*Ring).Put", "(*Ring[E]).Put", "Ring[E].Put", "Put"]
)
def test_sym_05_a_go_method_is_found_by_its_receiver(build, name):
    manifest = build({"s.go": "package s\nfunc (q *Ring[E]) Put(v E) {}\n"})

    assert names(find_definition(manifest, name)) == ["Ring.Put"]


@pytest.mark.parametrize("name", ["Task::operator()", "operator()", "Task.operator()"])
def test_the_call_operator_keeps_its_brackets(build, name):
    manifest = build({"t.cpp": "struct Task { int operator()(int a) { return a; } };\n"})

    assert names(find_definition(manifest, name)) == ["Task::operator()"]


def test_a_name_that_ends_in_operator_is_an_owner_like_any_other(build):
    manifest = build({"o.py": "class my_operator:\n    def add(self): ...\n"})

    assert names(find_definition(manifest, "my_operator.add")) == ["my_operator.add"]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("src/shop/cart.py", "shop.cart.Cart.total"),
        ("src/shop/cart.py", "shop.Cart.total"),
        ("src/shop/cart.py", "SHOP.CART.Total"),
    ],
)
def test_a_name_may_begin_with_the_module_that_defines_it(build, path, name):
    manifest = build({path: "class Cart:\n    def total(self): ...\n"})

    assert names(find_symbol(manifest, name)) == ["Cart.total"]


PACKAGES = {
    "command.go": "// Package cobra does.\npackage cobra\n\ntype Command struct{}\n\nfunc (c *Command) Run() {}\n",
    "core/Gson.java": "/* package is\npackage wrong */\npackage com.shop.json;\nclass Gson { void read() {} }\n",
    "Cart.kt": "package com.shop.cart\n\nclass Cart { fun total() = 1 }\n",
    "Tree.scala": "package com.shop\npackage tree\n\nclass Tree { def grow() = 1 }\n",
    "Client.cs": "namespace Shop.Web;\n\nclass Client { void Send() {} }\n",
    "User.php": "<?php\nnamespace App\\Models;\n\nclass User { function make() {} }\n",
}


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("cobra.Command", "command.go"),
        ("cobra.Command.Run", "command.go"),
        ("github.com/spf13/cobra.Command", "command.go"),
        ("com.shop.json.Gson", "core/Gson.java"),
        ("json.Gson.read", "core/Gson.java"),
        ("com.shop.cart.Cart.total", "Cart.kt"),
        ("com.shop.tree.Tree", "Tree.scala"),
        ("Shop.Web.Client.Send", "Client.cs"),
        ("App\\Models\\User", "User.php"),
        ("\\App\\Models\\User::make", "User.php"),
        ("cobra.command", "command.go"),
    ],
)
def test_a_name_may_begin_with_the_package_of_its_file(build, name, path):
    assert [each.path for each in find_symbol(build(PACKAGES), name).results] == [path]


@pytest.mark.parametrize("name", ["viper.Command", "com.shop.cart.Gson", "wrong.Gson", "Web.User"])
def test_a_name_that_begins_with_another_package_is_not_found(build, name):
    assert find_definition(build(PACKAGES), name).results == ()


def test_a_name_that_begins_with_another_module_is_not_found(build):
    manifest = build({"src/shop/cart.py": "class Cart:\n    def total(self): ...\n"})

    assert find_definition(manifest, "stock.Cart").results == ()
    assert find_definition(manifest, "Basket.total").results == ()


def test_a_method_may_be_named_with_one_colon_as_in_lua():
    asked = parse_name("Picker:find")

    assert (("Picker",), "find") == (asked.owner, asked.name)
