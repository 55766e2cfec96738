"""The ignore rules agree with git on whatever trees and patterns can be thought up."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from unit.discovery.trees import files_of_git, found, git, git_repository, write_tree

_NAMES = st.sampled_from(
    [
        "a",
        "b",
        "ab",
        "abc",
        "a.py",
        "b.py",
        "x.tar.py",
        "A",
        "a b",
        "a ",
        "#a",
        "!a",
        "[a]",
        "é",
        "a\\b",
    ]
)
_PATHS = st.lists(_NAMES, min_size=1, max_size=4).map("/".join)
_TOKENS = st.sampled_from(
    [
        *("a", "b", "c", ".py", ".", "A", "x", "é", "tar.py", "ab", "a.py"),
        *("*", "?", "**", "/", "**/", "/**", "/**/", "\\", "\\/", "*/", "!", "#", " ", "\\ ", "\t"),
        *("[", "]", "[ab]", "[!a]", "[^b]", "[a-c]", "[]a]", "[a/b]", "[[:alpha:]]", "[[:x:]]"),
        *("[b-a]", "[\\]a]", "[a-", "-", "[[:]", "***", "[!/]", "\r"),
    ]
)
_PATTERNS = st.one_of(
    st.lists(_TOKENS, min_size=1, max_size=6).map("".join),
    _PATHS,
    _PATHS.map(lambda path: path + "/"),
    _PATHS.map(lambda path: "/" + path),
    _PATHS.map(lambda path: "**/" + path),
    _PATHS.map(lambda path: path + "/**"),
    _PATHS.map(lambda path: path + "/*"),
)
_LINES = st.builds(
    lambda negation, pattern: negation + pattern, st.sampled_from(["", "", "!"]), _PATTERNS
)
_IGNORE_FILES = st.lists(_LINES, max_size=6).map("\n".join)


@pytest.fixture(scope="module")
def repository() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield git_repository(Path(folder).resolve(), {})


@settings(
    max_examples=100,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    files=st.lists(_PATHS, min_size=1, max_size=12),
    top=_IGNORE_FILES,
    nested=st.dictionaries(_PATHS, _IGNORE_FILES, max_size=2),
    exclude=_IGNORE_FILES,
)
@example(files=["cache/keep", "keep"], top="cache\n!keep", nested={}, exclude="")
@example(files=["foo/x/bar", "foobar", "foox/bar"], top="foo**/bar", nested={}, exclude="")
@example(files=["a", "b"], top="a\\\nb", nested={}, exclude="")
@example(files=["a/b/c", "a/c", "c"], top="a/**/c", nested={"a": "!c"}, exclude="c")
def test_the_files_found_are_those_of_git(
    repository: Path, files: list[str], top: str, nested: dict[str, str], exclude: str
) -> None:
    _fill(repository, files, top, nested, exclude)

    assert found(repository) == files_of_git(repository)


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    files=st.lists(_PATHS, min_size=1, max_size=10),
    tracked=st.lists(_PATHS, min_size=1, max_size=6),
    top=_IGNORE_FILES,
)
def test_tracked_files_are_found_whatever_the_rules_say(
    repository: Path, files: list[str], tracked: list[str], top: str
) -> None:
    _fill(repository, tracked, "", {}, "")
    (repository / ".git/index").unlink(missing_ok=True)
    git(repository, "add", "-A", "-f")
    for path in files:
        _write_if_free(repository, path, "text\n")
    write_tree(repository, {".gitignore": top})
    try:
        assert found(repository) == files_of_git(repository)
    finally:
        (repository / ".git/index").unlink()


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(files=st.lists(_PATHS, min_size=1, max_size=10), top=_IGNORE_FILES, nested=_IGNORE_FILES)
def test_a_root_inside_a_repository_has_the_files_that_git_has_there(
    repository: Path, files: list[str], top: str, nested: str
) -> None:
    _fill(repository, [f"sub/{path}" for path in files], top, {"sub": nested}, "")
    ours = found(repository / "sub")

    # Of a root that is ignored itself we show what its own rules leave.
    if _is_ignored(repository, "sub"):
        write_tree(repository, {".gitignore": ""})
    theirs = [path for path in files_of_git(repository) if path.startswith("sub/")]
    assert [f"sub/{path}" for path in ours] == theirs


def _is_ignored(root: Path, path: str) -> bool:
    command = ["git", "check-ignore", "-q", "--no-index", path]
    return subprocess.run(command, cwd=root, check=False).returncode == 0


def _fill(root: Path, files: list[str], top: str, nested: dict[str, str], exclude: str) -> None:
    for entry in root.iterdir():
        if entry.name == ".git":
            continue
        if entry.is_dir():
            shutil.rmtree(entry)
        else:
            entry.unlink()
    for path in files:
        _write_if_free(root, path, "text\n")
    for folder, content in nested.items():
        _write_if_free(root, f"{folder}/.gitignore", content)
    write_tree(root, {".gitignore": top, ".git/info/exclude": exclude})


def _write_if_free(root: Path, path: str, content: str) -> None:
    """Write a file, unless a folder has its name or a file the name of its folder."""
    parts = path.split("/")
    taken = any((root / "/".join(parts[:end])).is_file() for end in range(1, len(parts)))
    if not taken and not (root / path).is_dir():
        write_tree(root, {path: content})
