"""What a walk finds, and what it leaves out for which reason."""

import os
import shutil
import socket
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from unit.discovery.processes import as_ordinary_user
from unit.discovery.trees import (
    RULES,
    commit_all,
    files_of_git,
    found,
    git,
    git_repository,
    skipped,
    write_tree,
)

from code_indexer.discovery.judging import Judge
from code_indexer.discovery.reading import SourceText, read_source
from code_indexer.discovery.reasons import REASONS
from code_indexer.discovery.walk import DiscoveryRules, walk_files
from code_indexer.errors import UnsuitableRootError
from code_indexer.types import FileRecord, FileStamp

SOURCE = "def f():\n    return 1\n"


@pytest.fixture
def open_dir() -> Iterator[Path]:
    """A folder that every user can reach."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        folder.chmod(0o755)
        yield folder
        for path in folder.rglob("*"):
            if path.is_dir():
                path.chmod(0o755)


# The given cases, each named as it is there.


def test_path_01_links_in_a_circle_end_the_walk_with_each_file_once(tmp_path):
    write_tree(tmp_path, {"a/real.py": SOURCE, "plays/db/t.py": SOURCE})
    (tmp_path / "self").symlink_to(".")
    (tmp_path / "a/up").symlink_to("..")
    (tmp_path / "plays/db/check/parts").mkdir(parents=True)
    (tmp_path / "plays/db/check/parts/db").symlink_to("../../..")

    assert found(tmp_path) == ["a/real.py", "plays/db/t.py"]
    assert set(skipped(tmp_path).values()) == {"symlink"}


def test_path_02_links_out_of_the_root_are_skipped(tmp_path):
    write_tree(tmp_path / "outside", {"secret.py": SOURCE})
    project = write_tree(tmp_path / "p", {"in.py": SOURCE})
    (project / "alias.py").symlink_to(tmp_path / "outside/secret.py")
    (project / "vendored").symlink_to(tmp_path / "outside")
    (project / "dangling.py").symlink_to(tmp_path / "outside/gone.py")

    assert found(project) == ["in.py"]
    assert skipped(project) == {
        "alias.py": "symlink",
        "dangling.py": "symlink",
        "vendored": "symlink",
    }


def test_path_03_pipes_sockets_and_folders_with_a_source_suffix_are_skipped(tmp_path, monkeypatch):
    write_tree(tmp_path, {"ok.py": SOURCE, "dir.py/in.py": SOURCE})
    os.mkfifo(tmp_path / "pipe.py")
    os.mkfifo(tmp_path / "pipe_without_suffix")
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("sock.py")

    assert found(tmp_path) == ["dir.py/in.py", "ok.py"]
    assert skipped(tmp_path) == {
        "pipe.py": "special-file",
        "pipe_without_suffix": "special-file",
        "sock.py": "special-file",
    }


def test_path_05_an_unreadable_folder_is_named_and_the_rest_found(open_dir):
    write_tree(open_dir, {"ok/a.py": SOURCE, "sealed/b.py": SOURCE})
    (open_dir / "sealed").chmod(0)

    scan = as_ordinary_user(lambda: walk_files(open_dir, RULES))

    assert [file.path for file in scan.files] == ["ok/a.py"]
    assert [(entry.path, entry.reason) for entry in scan.skipped] == [("sealed/", "unreadable")]
    assert scan.skipped[0].detail == "Permission denied"


def test_path_05_a_folder_that_can_be_listed_but_not_entered_is_named(open_dir):
    write_tree(open_dir, {"a.py": SOURCE, "half/b.py": SOURCE, "half/c.py": SOURCE})
    (open_dir / "half").chmod(0o444)

    scan = as_ordinary_user(lambda: walk_files(open_dir, RULES))

    assert [file.path for file in scan.files] == ["a.py"]
    assert {(entry.path, entry.reason) for entry in scan.skipped} == {
        ("half/b.py", "unreadable"),
        ("half/c.py", "unreadable"),
    }


def test_path_07_what_vanishes_during_the_walk_is_no_error(tmp_path):
    stable = [f"stable_{number:02}.py" for number in range(20)]
    write_tree(tmp_path, dict.fromkeys(stable, SOURCE))
    stop = threading.Event()

    def churn() -> None:
        while not stop.is_set():
            write_tree(tmp_path, {f"tmp/t{number}": SOURCE for number in range(30)})
            shutil.rmtree(tmp_path / "tmp", ignore_errors=True)

    thread = threading.Thread(target=churn)
    thread.start()
    try:
        for _ in range(100):
            scan = walk_files(tmp_path, RULES)
            assert [file.path for file in scan.files if "/" not in file.path] == stable
            assert scan.skipped == []
    finally:
        stop.set()
        thread.join()


def test_path_08_every_name_is_found_as_it_is(tmp_path):
    names = [
        *("資料/計算.py", "café/été.py", "with space/a b.py", 'it\'s "quoted".py', "-rf.py"),
        *("emoji_🚀.py", "#hash.py", "!bang.py", "[slug]/[id].tsx", "per%cent_and_under.py"),
        *("line\nbreak.py", "back\\slash.py"),
    ]
    project = git_repository(tmp_path, dict.fromkeys(names, SOURCE))
    commit_all(project)

    assert found(project) == sorted(names) == files_of_git(project)
    assert all((project / path).read_text() == SOURCE for path in found(project))


def test_path_11_a_worktree_inside_is_a_project_of_its_own(tmp_path):
    main = git_repository(tmp_path, {"app.py": SOURCE})
    commit_all(main)
    git(main, "worktree", "add", "-q", "-b", "feat", ".worktrees/feat")

    assert found(main) == ["app.py"]
    assert skipped(main) == {".git/": "built-in", ".worktrees/feat/": "nested-checkout"}
    assert found(main / ".worktrees/feat") == ["app.py"]
    assert skipped(main / ".worktrees/feat") == {".git": "built-in"}


def test_path_12_a_folder_whose_name_begins_like_the_root_is_not_in_it(tmp_path):
    write_tree(tmp_path, {"app/m.py": SOURCE, "app2/m.py": SOURCE, "app-old/m.py": SOURCE})

    assert found(tmp_path / "app") == ["m.py"]


def test_path_14_a_root_behind_a_link_gives_the_same_files(tmp_path):
    write_tree(tmp_path, {"real/m.py": SOURCE})
    (tmp_path / "alias").symlink_to("real")

    assert found(tmp_path / "alias") == found(tmp_path / "real") == ["m.py"]


def test_path_15_a_root_that_is_gone_is_an_error_and_not_an_empty_project(tmp_path):
    with pytest.raises(UnsuitableRootError, match="No such file"):
        walk_files(tmp_path / "gone", RULES)


def test_enc_07_names_that_are_not_utf8_are_reported_in_escapes(tmp_path):
    write_tree(tmp_path, {"plain.py": SOURCE})
    for name in (b"caf\xe9.py", b"d\xff/inner.py"):
        write_tree(tmp_path, {os.fsdecode(name): SOURCE})

    assert found(tmp_path) == ["plain.py"]
    assert skipped(tmp_path) == {"caf\\xe9.py": "undecodable-name", "d\\xff": "undecodable-name"}


def test_odd_15_text_of_no_known_suffix_is_found(tmp_path):
    write_tree(
        tmp_path,
        {
            "lib/main.dart": "class CartService {}\n",
            "Makefile": "deploy:\n\t./push.sh\n",
            "bin/tool": "#!/usr/bin/env python3\ndef extless_tool():\n    return 1\n",
            "x.zig9": "fn invented() void {}\n",
        },
    )

    languages = {file.path: file.language for file in walk_files(tmp_path, RULES).files}

    assert languages == {
        "Makefile": "makefile",
        "bin/tool": "python",
        "lib/main.dart": "dart",
        "x.zig9": None,
    }


# Built-in rules


def test_folders_that_are_never_source_are_counted_once(tmp_path):
    names = ["node_modules", "venv", ".venv", "__pycache__", "dist", "build", "target", ".git"]
    write_tree(tmp_path, {f"pkg/{name}/{n}.py": SOURCE for name in names for n in range(3)})
    write_tree(tmp_path, {"pkg/a.py": SOURCE, "targets/b.py": SOURCE})

    assert found(tmp_path) == ["pkg/a.py", "targets/b.py"]
    assert skipped(tmp_path) == {f"pkg/{name}/": "built-in" for name in names}


def test_a_file_with_the_name_of_such_a_folder_is_found(tmp_path):
    write_tree(tmp_path, {"bin/build": "#!/bin/sh\n", "target": "text\n"})

    assert found(tmp_path) == ["bin/build", "target"]


def test_a_python_environment_is_known_by_what_it_holds(tmp_path):
    write_tree(tmp_path, {"env39/pyvenv.cfg": "", "env39/lib/a.py": SOURCE, "a.py": SOURCE})

    assert found(tmp_path) == ["a.py"]
    assert skipped(tmp_path) == {"env39/": "built-in"}


def test_a_repository_inside_is_a_boundary_unless_it_is_asked_for(tmp_path):
    project = write_tree(tmp_path / "p", {"a.py": SOURCE})
    git_repository(project / "lib/inner", {"b.py": SOURCE})

    assert found(project) == ["a.py"]

    write_tree(project, {".codeindexignore": "!lib/inner/\n"})

    assert found(project) == [".codeindexignore", "a.py", "lib/inner/b.py"]


def test_a_folder_called_dot_git_that_is_no_repository_is_no_boundary(tmp_path):
    write_tree(tmp_path, {"lib/.git/x.py": SOURCE, "lib/b.py": SOURCE})

    assert found(tmp_path) == ["lib/b.py"]


@pytest.mark.parametrize(
    "name",
    [
        *(".env", ".env.production", ".envrc", "app.env", "id_rsa", "id_ed25519", "server.pem"),
        *("tls.key", "store.p12", "app.keystore", "x.jks", ".netrc", ".pgpass", ".pypirc"),
        *("credentials.json", "Credentials.JSON", "client_secret_12.json", "secrets.yml", "a.ppk"),
        *(".git-credentials", ".htpasswd", "ID_RSA"),
    ],
)
def test_likely_credentials_are_skipped_by_name(tmp_path, name):
    write_tree(tmp_path, {f"sub/{name}": "secret\n"})

    assert skipped(tmp_path) == {f"sub/{name}": "credentials"}


@pytest.mark.parametrize(
    "name",
    [
        *(".env.example", ".env.sample", ".env.template", "example.env", "environment.py"),
        *("id_rsa.py", "keys.py", "credentials.py", "env.py", "secrets_test.go", "key.rs"),
    ],
)
def test_what_only_looks_like_a_credential_is_found(tmp_path, name):
    write_tree(tmp_path, {name: SOURCE})

    assert found(tmp_path) == [name]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        *(("a.csv", "data"), ("icon.svg", "data"), ("Cargo.lock", "data"), ("go.sum", "data")),
        *(("package-lock.json", "data"), ("app.js.map", "data"), ("app.min.js", "minified")),
        *(("logo.PNG", "binary"), ("lib.so", "binary"), ("font.woff2", "binary")),
    ],
)
def test_names_that_say_no_one_wrote_this(tmp_path, name, reason):
    write_tree(tmp_path, {name: "text\n"})

    assert skipped(tmp_path) == {name: reason}


def test_large_json_is_data_and_small_json_is_configuration(tmp_path):
    write_tree(tmp_path, {"big.json": "[" + "1,\n" * 100_000 + "1]", "small.json": "{}"})

    assert found(tmp_path) == ["small.json"]
    assert skipped(tmp_path) == {"big.json": "data"}


def test_a_file_over_the_limit_is_skipped_and_one_at_the_limit_is_not(tmp_path):
    write_tree(tmp_path, {"a.py": "x" * 100, "b.py": "x" * 101, "c.py": "x"})

    rules = DiscoveryRules(max_file_bytes=100)

    assert found(tmp_path, rules) == ["a.py", "c.py"]
    assert skipped(tmp_path, rules) == {"b.py": "too-large"}


def test_a_path_too_long_to_open_is_skipped(tmp_path):
    write_tree(tmp_path, {"a.py": SOURCE})
    here = os.open(tmp_path, os.O_RDONLY)
    descriptors = [here]
    for _ in range(20):
        os.mkdir("d" * 250, dir_fd=descriptors[-1])
        descriptors.append(os.open("d" * 250, os.O_RDONLY, dir_fd=descriptors[-1]))
    try:
        assert found(tmp_path) == ["a.py"]
        assert set(skipped(tmp_path).values()) == {"name-too-long"}
    finally:
        for above in reversed(descriptors[:-1]):
            os.rmdir("d" * 250, dir_fd=above)
        for descriptor in descriptors:
            os.close(descriptor)


def test_a_tree_deeper_than_the_recursion_limit_is_walked(tmp_path):
    folders = [tmp_path / "/".join(["d"] * depth) for depth in range(1, 1201)]
    for folder in folders:
        folder.mkdir()
    file = folders[-1] / "a.py"
    file.write_text(SOURCE)

    assert found(tmp_path) == [file.relative_to(tmp_path).as_posix()]

    file.unlink()
    for folder in reversed(folders):
        folder.rmdir()


def test_every_reason_that_is_given_has_a_meaning(tmp_path):
    write_tree(
        tmp_path,
        {"a.csv": "", "b.png": "", ".env": "", "build/x": "", ".gitignore": "c\n", "c": ""},
    )

    assert set(skipped(tmp_path).values()) <= REASONS.keys()


# Languages and stamps


def test_an_unchanged_file_of_known_language_is_not_opened(tmp_path):
    write_tree(tmp_path, {"tool": "#!/usr/bin/env ruby\n"})
    stamp = walk_files(tmp_path, RULES).files[0].stamp
    known = {"tool": FileRecord(1, "tool", "", stamp, "perl", "code", 1, embedded=True)}

    assert walk_files(tmp_path, RULES, known).files[0].language == "perl"

    write_tree(tmp_path, {"tool": "#!/usr/bin/env node\n"})

    assert walk_files(tmp_path, RULES, known).files[0].language == "javascript"


def test_a_stamp_says_what_the_system_says(tmp_path):
    write_tree(tmp_path, {"a.py": SOURCE, "b": "text\n"})

    for file in walk_files(tmp_path, RULES).files:
        status = (tmp_path / file.path).stat()
        expected = FileStamp(
            status.st_size,
            status.st_mtime_ns,
            status.st_ctime_ns,
            status.st_ino,
            file.stamp.observed_ns,
        )
        assert file.stamp == expected


def test_walking_and_reading_give_the_same_stamp(tmp_path):
    write_tree(tmp_path, {"a.py": SOURCE})

    walked = walk_files(tmp_path, RULES).files[0].stamp
    source = read_source(tmp_path, "a.py", 100)

    assert isinstance(source, SourceText)
    assert source.stamp[:4] == walked[:4]


@pytest.mark.parametrize("what", ["emptied", "another folder"])
def test_a_root_that_goes_away_while_it_is_listed_is_not_an_empty_one(tmp_path, monkeypatch, what):
    root = write_tree(tmp_path / "root", {"a.py": SOURCE, "sub/b.py": SOURCE})
    write_tree(tmp_path / "other", {"c.py": SOURCE})
    listed = Judge.judge_entries

    def judge_entries(judge, folder, entries, pending):
        listed(judge, folder, entries, pending)
        if folder.path:
            return
        root.rename(tmp_path / "unmounted")
        if what == "emptied":
            root.mkdir()
        else:
            (tmp_path / "other").rename(root)

    monkeypatch.setattr(Judge, "judge_entries", judge_entries)
    with pytest.raises(UnsuitableRootError, match="went away"):
        walk_files(root, RULES)


def test_an_empty_root_is_walked_where_nothing_was_known_of_it(tmp_path):
    stamp = FileStamp(1, 1, 1, 1, 1)
    known = {"a.py": FileRecord(1, "a.py", "", stamp, "python", "code", 1, embedded=True)}

    assert walk_files(tmp_path, RULES).files == []
    with pytest.raises(UnsuitableRootError):
        walk_files(tmp_path, RULES, known)
