"""Patterns for paths."""

import pytest
from storage_builders import make_rows, open_manifest

from code_indexer.storage.file_filter import FileFilter, compiled


@pytest.mark.parametrize(
    ("pattern", "matching", "others"),
    [
        ("*.py", ["a.py", "src/deep/b.py"], ["a.pyi", "a.py.txt"]),
        ("src", ["src", "src/a.py", "lib/src/b.py"], ["src2/a.py", "mysrc"]),
        ("src/", ["src/a.py"], ["src2/a.py"]),
        ("src/*", ["src/a.py", "src/deep/b.py"], ["lib/src/a.py"]),
        ("src/*.py", ["src/a.py"], ["src/deep/b.py"]),
        ("src/**", ["src/a.py", "src/deep/b.py"], ["lib/a.py"]),
        ("**/test_*.py", ["test_a.py", "x/y/test_b.py"], ["x/y/a_test.py"]),
        ("src/**/b.py", ["src/b.py", "src/x/y/b.py"], ["src/ab.py"]),
        ("./src/a.py", ["src/a.py"], ["lib/src/a.py"]),
        ("/src/a.py", ["src/a.py"], ["lib/src/a.py"]),
        ("a?.py", ["ab.py"], ["a.py", "abc.py"]),
        ("[ab].py", ["a.py", "b.py"], ["c.py"]),
        ("[!ab].py", ["c.py"], ["a.py"]),
        ("[a-c]*.go", ["big.go"], ["zig.go"]),
        (r"\*.py", ["*.py"], ["a.py"]),
        ("-x_%.py", ["-x_%.py"], ["-xy%.py"]),
        ("a+(b).c$", ["a+(b).c$"], ["aab.c"]),
        ("[z-a].py", ["[z-a].py"], ["z.py"]),
        ("new\nline.py", ["x/new\nline.py"], ["new line.py"]),
        ("größe*", ["größe.py"], ["grosse.py"]),
    ],
)
def test_a_pattern_matches(pattern, matching, others):
    matches = compiled([pattern]).fullmatch

    assert (matching, []) == (
        [path for path in matching if matches(path)],
        [path for path in others if matches(path)],
    )


@pytest.mark.parametrize(
    "path", ["a[1].py", "page/[id]/x.ts", "what?.py", "#x#", "-dash", "\udcff.py"]
)
def test_a_path_given_as_it_is_always_matches(tmp_path, path):
    with open_manifest(tmp_path) as manifest:
        (wanted, _) = manifest.write_files([make_rows(path), make_rows("other.py")])

        assert {wanted} == manifest.matching_files(FileFilter(patterns=(path,)))


def test_one_of_several_patterns_is_enough(tmp_path):
    with open_manifest(tmp_path) as manifest:
        one, two, _ = manifest.write_files([make_rows(path) for path in ("a.py", "b.go", "c.rs")])

        assert {one, two} == manifest.matching_files(FileFilter(patterns=("*.py", "*.go")))
