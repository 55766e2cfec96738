"""What a path says about its file."""

import pytest

from code_indexer.ranking.paths import (
    headers_of_sources,
    is_test_tool,
    older_versions,
    path_facts,
    path_penalty,
    usual_classes,
)

NOTHING: frozenset[str] = frozenset()


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("tests/test_app.py", "test"),
        ("src/app.test.ts", "test"),
        ("src/AppTests.swift", "test"),
        ("spec/app_spec.rb", "test"),
        ("examples/app.py", "example"),
        ("vendor/lib/app.go", "vendored"),
        ("api/app.pb.go", "generated"),
        ("types/app.d.ts", "declaration"),
        ("deprecated/app.py", "legacy"),
    ],
)
def test_a_path_that_is_not_the_source_itself_costs(path: str, expected: str) -> None:
    facts = path_facts(path)

    assert expected in facts.classes
    assert path_penalty(facts, ignored=NOTHING) < 1


@pytest.mark.parametrize("path", ["src/app.py", "latest/app.py", "src/contest.go", "lib/specs.c"])
def test_a_source_costs_nothing(path: str) -> None:
    assert path_penalty(path_facts(path), ignored=NOTHING) == 1


def test_what_the_query_asks_for_costs_nothing() -> None:
    facts = path_facts("tests/test_app.py")

    assert path_penalty(facts, ignored=frozenset({"test"})) == 1


def test_a_folder_of_an_older_version_is_known_by_its_newer_sibling() -> None:
    paths = ["pkg/v3/a.ts", "pkg/v4/a.ts", "api/v1/b.go"]

    assert older_versions(paths, "parse a schema") == {"pkg/v3/a.ts"}


def test_what_most_files_are_is_usual() -> None:
    tests = [f"tests/{n}.py" for n in range(19)]

    assert usual_classes([*tests, "src/a.py"]) == {"test"}
    assert usual_classes([*tests[:8], "src/a.py", "src/b.py"]) == frozenset()
    assert usual_classes([]) == frozenset()


def test_a_tool_for_tests_is_known_by_its_name() -> None:
    assert is_test_tool("/home/me/src/bats-core")
    assert is_test_tool("/home/me/pytest/src")
    assert not is_test_tool("/home/me/jester")


def test_a_version_beside_newer_copies_of_its_files_is_old() -> None:
    present = ["pkg/main.py", "pkg/types.py", "pkg/__init__.py"]
    old = ["pkg/v1/main.py", "pkg/v1/types.py", "pkg/v1/x.py"]

    assert older_versions(present + old, "models") == set(old)
    assert older_versions([present[2], "pkg/v1/__init__.py", "pkg/v1/x.py"], "models") == set()


def test_a_version_that_is_asked_for_is_not_old() -> None:
    assert older_versions(["pkg/v3/a.ts", "pkg/v4/a.ts"], "errors of v3") == set()


def test_the_stem_of_a_name_with_several_dots_holds_all_of_them() -> None:
    facts = path_facts("Dapper/SqlMapper.Async.cs")

    assert facts.stem_words == {"sql", "map", "async"}
    assert facts.squeezed_stem == "sqlmapper.async"


def test_a_header_beside_its_source_is_a_declaration() -> None:
    paths = ["src/lock.h", "src/lock.c", "include/only.hpp", "src/only.py"]

    assert headers_of_sources(paths) == {"src/lock.h"}
    assert path_penalty(path_facts("a.h"), ignored=NOTHING, beside=frozenset({"declaration"})) < 1


@pytest.mark.parametrize(
    ("path", "classes"),
    [
        ("benchmarks/run.rs", {"example"}),
        ("src/benchmark/executor.rs", set()),
        ("examples/src/main.rs", {"example"}),
        ("src/tests/login.rs", {"test"}),
    ],
)
def test_a_product_may_be_about_benchmarks(path: str, classes: set[str]) -> None:
    assert path_facts(path).classes == classes
