import pytest

from code_indexer.errors import OutsideProjectError, UsageError
from code_indexer.navigation.context import MAX_LINES, get_code_context


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "project"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "a.py").write_text(
        "import os\n\n\n@deco\ndef first():\n    return 1\n\n\nclass A:\n    def first(self):\n        return 2\n"
    )
    (tmp_path / "project-twin").mkdir()
    (tmp_path / "project-twin" / "secret.py").write_text("TOKEN = 1\n")
    (tmp_path / "secret.py").write_text("TOKEN = 1\n")
    return folder


def test_a_range_gives_exactly_its_lines(root):
    context = get_code_context(root, "src/a.py", start_line=5, end_line=6)

    assert (context.start_line, context.end_line) == (5, 6)
    assert context.text == "def first():\n    return 1"
    assert (context.total_lines, context.language) == (11, "python")


def test_context_lines_widen_it_as_far_as_the_file_goes(root):
    context = get_code_context(root, "src/a.py", start_line=2, end_line=3, context_lines=5)

    assert (context.start_line, context.end_line) == (1, 8)


def test_a_symbol_gives_its_whole_definition_with_decorators(root):
    context = get_code_context(root, "src/a.py", symbol="first")

    assert context.text == "@deco\ndef first():\n    return 1"
    assert [other.qualified_name for other in context.others] == ["A.first"]


def test_a_qualified_symbol_picks_one(root):
    context = get_code_context(root, "src/a.py", symbol="A.first")

    assert (context.start_line, context.end_line) == (10, 11)
    assert context.others == ()


def test_a_symbol_may_begin_with_the_package_of_its_file(root):
    (root / "a.go").write_text("package shop\n\nfunc Total() int { return 1 }\n")

    assert get_code_context(root, "a.go", symbol="shop.Total").start_line == 3
    with pytest.raises(UsageError, match=r"no symbol store\.Total"):
        get_code_context(root, "a.go", symbol="store.Total")


def test_the_file_is_read_as_it_is_now(root):
    (root / "src" / "a.py").write_text("\n\ndef first():\n    return 3\n")

    assert get_code_context(root, "src/a.py", symbol="first").start_line == 3


def test_one_end_of_a_range_is_enough(root):
    assert get_code_context(root, "src/a.py", start_line=10).end_line == 11
    assert get_code_context(root, "src/a.py", end_line=1).text == "import os"
    assert get_code_context(root, "src/a.py").end_line == 11


def test_a_long_answer_is_cut_and_says_so(root):
    (root / "long.py").write_text("x = 1\n" * (MAX_LINES + 5))
    context = get_code_context(root, "long.py")

    assert (context.end_line, context.truncated) == (MAX_LINES, True)


# hook of the kind #ENC-03: a carriage return alone ends no line
def test_lines_count_as_in_the_index_whatever_ends_them(root):
    (root / "crlf.py").write_bytes(b"a = 1\r\nb = 2\rc = 3\r\ndef f(): ...\r\n")
    context = get_code_context(root, "crlf.py", symbol="f")

    assert (context.start_line, context.text) == (3, "def f(): ...")


def test_a_byte_order_mark_is_not_shown(root):
    (root / "bom.py").write_bytes(b"\xef\xbb\xbfdef first_line(): ...\n")

    assert get_code_context(root, "bom.py", symbol="first_line").text == "def first_line(): ..."


@pytest.mark.parametrize(
    "file",
    [
        "../secret.py",
        "src/../../secret.py",
        "../project-twin/secret.py",
        "./../secret.py",
        "/etc/hostname",
    ],
)
def test_nothing_outside_the_project_is_shown(root, file):
    with pytest.raises(OutsideProjectError):
        get_code_context(root, file)


def test_an_absolute_path_inside_the_project_is_fine_and_one_of_a_twin_is_not(root, tmp_path):
    assert get_code_context(root, str(root / "src" / "a.py"), end_line=1).path == "src/a.py"
    with pytest.raises(OutsideProjectError):
        get_code_context(root, str(tmp_path / "project-twin" / "secret.py"))


@pytest.mark.parametrize("target", ["../secret.py", "../project-twin"])
def test_a_link_out_of_the_project_is_not_followed(root, target):
    (root / "link").symlink_to(target)
    file = "link" if target.endswith(".py") else "link/secret.py"

    with pytest.raises((OutsideProjectError, UsageError)):
        get_code_context(root, file)


@pytest.mark.parametrize("file", ["", "src/a.py\0", "src/missing.py", "src"])
def test_what_is_no_file_is_a_usage_error(root, file):
    with pytest.raises(UsageError):
        get_code_context(root, file)


@pytest.mark.parametrize(
    "options",
    [
        {"start_line": 0},
        {"start_line": 5, "end_line": 4},
        {"start_line": 12},
        {"symbol": "missing"},
        {"symbol": "first", "start_line": 1},
        {"context_lines": -1},
    ],
)
def test_lines_and_symbols_that_are_not_there_are_usage_errors(root, options):
    with pytest.raises(UsageError):
        get_code_context(root, "src/a.py", **options)


def test_a_missing_symbol_hints_at_those_that_are_there(root):
    with pytest.raises(UsageError, match="no symbol missing") as raised:
        get_code_context(root, "src/a.py", symbol="missing")

    assert "first" in raised.value.hint


def test_a_start_beyond_the_end_says_how_long_the_file_is(root):
    with pytest.raises(UsageError, match="has 11 lines; line 50 was asked for"):
        get_code_context(root, "src/a.py", start_line=50)


def test_the_root_itself_is_told_to_be_a_folder(root):
    with pytest.raises(UsageError, match="folder, not a file"):
        get_code_context(root, ".")
