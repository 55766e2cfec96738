"""``import code_indexer``: what it names is there, typed, documented, and free until it is used."""

import ast
import doctest
import subprocess
import sys
from pathlib import Path

import pytest
from documented_commands import DOCS, SHOP

import code_indexer

PAGE = DOCS / "python-api.md"


def imported_for_types() -> dict[str, str]:
    """Name to module, as the imports that type checkers read have them."""
    tree = ast.parse(Path(code_indexer.__file__).read_text(encoding="utf-8"))
    return {
        alias.name: node.module or ""
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("code_indexer.")
        for alias in node.names
    }


def test_type_checkers_and_python_find_the_same_names_in_the_same_modules():
    homes = {
        name: f"code_indexer.{home}"
        for home, names in code_indexer._HOMES.items()
        for name in names.split()
    }

    assert imported_for_types() == homes
    assert [*homes] == [name for name in code_indexer.__all__ if name != "__version__"]


@pytest.mark.parametrize("name", [one for one in code_indexer.__all__ if one != "__version__"])
def test_each_name_is_there_and_documented(name):
    assert getattr(code_indexer, name) is not None
    assert f"`{name}`" in PAGE.read_text(encoding="utf-8")


def test_another_name_is_not():
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = code_indexer.no_such_name


def test_the_package_says_that_it_is_typed():
    assert (Path(code_indexer.__file__).parent / "py.typed").exists()


def test_a_name_loads_no_more_than_its_module_does():
    program = "import sys, code_indexer; code_indexer.Scope; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True
    ).stdout.split()

    assert "code_indexer.core.asking" in loaded
    assert set() == set(loaded) & {"numpy", "typer", "rich", "httpx", "tree_sitter"}


def test_the_examples_of_the_page_print_what_it_shows(tmp_path, monkeypatch):
    for name, text in SHOP.items():
        path = tmp_path / "shop" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.chdir(tmp_path)

    found = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.REPORT_NDIFF)

    assert found.attempted > 10
    assert found.failed == 0


def test_the_command_line_does_no_more_than_the_library():
    """Each operation that a command imports from ``core`` is a public one."""
    used = set()
    for path in sorted((Path(code_indexer.__file__).parent / "cli").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
                "code_indexer.core."
            ):
                used |= {alias.name for alias in node.names}

    commands_only = {"run_detached_pass", "get_or_add_project", "evaluation", "search_unrecorded"}
    assert set() == used - set(code_indexer.__all__) - commands_only - {"Comparison", "QueryScore"}
