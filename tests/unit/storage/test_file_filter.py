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
        ("*.{ts,tsx}", ["a.ts", "src/b.tsx"], ["a.js", "a.{ts,tsx}x"]),
        ("{src,lib}/*.py", ["src/a.py", "lib/b.py"], ["test/a.py", "x/src/a.py"]),
        ("src/{a,b{1,2}}.py", ["src/a.py", "src/b1.py", "src/b2.py"], ["src/b.py"]),
        ("src/{,deep/}*.py", ["src/a.py", "src/deep/a.py"], ["src/x/a.py"]),
        ("{a}.py", ["{a}.py"], ["a.py"]),
        (r"\{a,b}.py", ["{a,b}.py"], ["a.py"]),
        ("{a,b.py", ["{a,b.py"], ["a.py"]),
        ("app/[id]/*.tsx", ["app/[id]/page.tsx", "app/i/page.tsx"], ["app/id/page.tsx"]),
        ("app/[...slug].ts", ["app/[...slug].ts"], ["app/slug.ts"]),
        ("app/[[...slug]]/*", ["app/[[...slug]]/page.ts"], ["app/slug/page.ts"]),
        ("[z-a].py", ["[z-a].py"], ["z.py"]),
        ("new\nline.py", ["x/new\nline.py"], ["new line.py"]),
        ("größe*", ["größe.py"], ["grosse.py"]),
        ("**/**/b.py", ["b.py", "src/x/b.py"], ["src/ab.py"]),
        ("src/****/b.py", ["src/b.py", "src/x/y/b.py"], ["src/x/c.py", "lib/x/b.py"]),
        ("a***.py", ["a.py", "ab/c.py"], ["ba.py"]),
        ("*a*b*c", ["abc", "xaxbxc", "d/aabbcc"], ["acb", "a/b/c"]),
        ("*a/*b*c", ["xa/xbxc", "aa/bc"], ["a/cb", "a/x/bc"]),
        ("s*a**b*c", ["sa/x/bc", "saab/abc"], ["s/a/bc"]),
    ],
)
def test_a_pattern_matches(pattern, matching, others):
    matches = compiled([pattern]).fullmatch

    assert (matching, []) == (
        [path for path in matching if matches(path)],
        [path for path in others if matches(path)],
    )


def test_braces_by_the_hundred_do_not_grow_without_end():
    matches = compiled(["{a,b}" * 40 + ".py"]).fullmatch

    assert matches("c.py") is None


@pytest.mark.parametrize("pattern", ["**/" * 60 + "b", "*a" * 40 + "*b", "**" * 40 + "b"])
def test_stars_by_the_dozen_take_no_longer_than_one(pattern):
    matches = compiled([pattern]).fullmatch

    assert matches("a" * 50 + "/" + "a/" * 50 + "a" * 100) is None


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
