import pytest

from code_indexer.parsing.parse import parse_file


def parse(text, language="cpp"):
    return parse_file(f"a.{language}", text, language)


def names(text, language="cpp"):
    return [symbol.qualified_name for symbol in parse(text, language).symbols]


@pytest.mark.parametrize(
    "text",
    [
        "BEGIN_NAMESPACE\n\n// About it.\ntemplate <typename T> class Box { void f(); };\nEND_NAMESPACE\n",
        "#define X 1\nBEGIN_NAMESPACE\nclass Box { void f(); };\n",
        "class Box { void f(); };\nDISABLE_WARNINGS_POP()  // 4251\n",
        "class Box {\n#if X\n  ALWAYS_INLINE\n#endif\n  CONSTEXPR Box(int x) : x_(x) {}\n  void f();\n};\n",
        "class Box { void f(int x UNUSED, char *y[] UNUSED); };\n",
        "_GLIBCXX_BEGIN_NAMESPACE\nclass Box { void f(); };\n",
    ],
)
def test_a_macro_that_no_grammar_expects_does_not_break_what_is_around_it(text):
    assert [name for name in names(text) if "f" in name] == ["Box::f"]


@pytest.mark.parametrize("base", [" : unsigned", ": std::uint8_t", " : ullong"])
def test_the_members_of_an_unnamed_enum_with_a_type_belong_to_what_is_around_it(base):
    assert names(f"struct Flags {{ enum{base} {{ none = 0, some }}; }};\n") == [
        "Flags",
        "Flags::none",
        "Flags::some",
    ]


def test_what_is_never_read_defines_nothing():
    text = (
        "#if 0\nint old(void) { return gone(); }\nprose, isn't it\n#else\nint now(void);\n#endif\n"
    )

    assert names(text, "c") == ["now"]
    assert [each.name for each in parse(text, "c").references] == []


def test_of_branches_that_end_one_statement_the_first_counts_and_all_are_named():
    text = (
        "static int nines[] =\n#if SINGLE\n  {SMALL};\n#elif DOUBLE\n  {LARGE};\n#endif\n\n"
        "int after(void) { return 1; }\n"
    )

    assert names(text, "c") == ["nines", "after"]
    assert [each.name for each in parse(text, "c").references] == [
        "SINGLE",
        "SMALL",
        "DOUBLE",
        "LARGE",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("TEST(ListTest, Grows) { push(1); }\n", "ListTest::Grows"),
        ("TEST_F(ListTest,\n       Grows)\n{\n}\n", "ListTest::Grows"),
        ("TYPED_TEST(ListTest, Grows) {}\n", "ListTest::Grows"),
        ("BOOST_AUTO_TEST_CASE(grows) { push(1); }\n", "grows"),
    ],
)
def test_a_test_that_a_macro_makes_has_the_name_of_the_test(text, expected):
    (test,) = parse(text).symbols

    assert (test.qualified_name, test.is_test) == (expected, True)


def test_a_test_names_its_fixture_and_the_macro_that_makes_it():
    found = parse("TEST_F(ListTest, Grows) { push(1); }\n").references

    assert [(each.name, each.relationship) for each in found] == [
        ("TEST_F", "calls"),
        ("ListTest", "references"),
        ("push", "calls"),
    ]


def test_the_constructor_of_a_class_in_capitals_is_no_test():
    assert names("class TEST { TEST(Other, Third) {} };\n") == ["TEST", "TEST::TEST"]


def test_a_comment_that_begins_behind_a_directive_is_none_of_the_code():
    text = (
        "#if A\nint one;\n#else /* not (A ||\n          B) */\nint two(int x) { return 1; }\n#endif\n"
        "#endif // a/*.c\nint three;\n"
    )

    assert names(text, "c") == ["one", "two", "three"]


def test_arrays_and_pointers_to_them_are_variables_and_fields():
    text = (
        'static const char *const errors[] = {"a"};\nint grid[2][3] = {0}, **list = 0;\n'
        "struct S { char *names[3]; int cells[2][2]; };\n"
    )

    assert names(text, "c") == ["errors", "grid", "list", "S", "S::names", "S::cells"]


def test_a_condition_that_only_asks_for_what_it_then_defines_is_no_use():
    text = "#ifdef scan\n#define scan_KNOWN\n#else\n#define scan my_scan\n#endif\n#ifdef scan\nint x;\n#endif\n"

    assert [each.line for each in parse(text, "c").references if each.name == "scan"] == [6]
