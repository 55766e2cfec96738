"""Trees that nobody should have made: indexed as far as that makes sense, and printed safely."""

import json
import os
import re
import socket
import threading

import pytest

SOURCE = "def beside_{n}():\n    return {n}\n"
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
NAMES = {
    "newline": "two\nlines.py",
    "escape": "red\x1b[31m.py",
    "title": "title\x1b]0;owned\x07.py",
    "bell": "bell\x07.py",
    "carriage return": "over\rwritten.py",
    "backspace": "back\x08space.py",
    "C1 control": "csi\x9b31m.py",
    "override": "txt.\u202eyp.py",
    "quote": "quo\"te'.py",
    "dash": "-rf.py",
    "percent": "100%_[a]#.py",
    "spaces": "  spaces  .py",
    "wide": "資料😀.py",
    "combining": "e\u0301.py",
}


@pytest.fixture
def strange(project_dir, write_files, run_cli):
    """A file of every strange name, with a symbol that tells which."""
    write_files({name: SOURCE.format(n=n) for n, name in enumerate(NAMES.values())})
    (project_dir / os.fsdecode(b"not\xffutf8.py")).write_text(SOURCE.format(n=99))
    assert run_cli("add-project", project_dir).code == 0
    return project_dir


COMMANDS = [
    ("index-status",),
    ("list-projects",),
    ("semantic-search", "beside", "--limit", "50"),
    ("find-symbol", "beside", "--limit", "50"),
    ("find-references", "beside_1"),
]


def on_project(words, project):
    if words[0] == "list-projects":
        return words
    return (*words, *(() if words[0] == "index-status" else ("--project",)), project)


@pytest.mark.parametrize("words", COMMANDS, ids=[words[0] for words in COMMANDS])
def test_no_control_character_of_a_name_reaches_a_terminal_or_breaks_json(strange, run_cli, words):
    words = on_project(words, strange)
    text = run_cli(*words)
    document = run_cli(*words, "--json")

    assert (text.code, document.code) == (0, 0), text.err + document.err
    assert CONTROL.findall(text.out + text.err) == []
    json.loads(document.out)
    document.out.encode("utf-8")


def test_every_strange_name_is_indexed_and_its_path_opens(strange, run_cli):
    found = run_cli("find-symbol", "beside", "--project", strange, "--limit", "50", "--json")

    paths = {one["path"] for one in found.json()["results"]}
    assert paths == set(NAMES.values())
    assert all((strange / path).exists() for path in paths)
    (status,) = run_cli("index-status", strange, "--json").json()["projects"]
    assert status["skipped"] == {"undecodable-name": 1}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_strange_name_can_be_asked_for(strange, run_cli, name):
    shown = run_cli("get-code-context", "--project", strange, "--json", "--", name)

    assert shown.code == 0, shown.err
    assert "def beside_" in shown.json()["results"][0]["text"]


def test_control_characters_in_code_reach_no_terminal_and_stay_in_json(
    project_dir, write_files, run_cli
):
    write_files({"a.py": 'def evil():\n    return "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e"\n'})

    for words in (
        ("semantic-search", "evil", "--project", project_dir),
        ("get-code-context", "a.py", "--project", project_dir),
        ("find-symbol", "evil", "--project", project_dir),
    ):
        text = run_cli(*words)
        assert CONTROL.findall(text.out + text.err) == []
        assert text.out
    shown = run_cli("get-code-context", "a.py", "--project", project_dir, "--json").json()
    assert "\x1b]0;owned\x07" in shown["results"][0]["text"]


def test_a_root_with_a_strange_name_is_a_project(tmp_path, run_cli):
    root = tmp_path / "ro\x1b[31mot\nhere"
    root.mkdir()
    (root / "a.py").write_text(SOURCE.format(n=1))

    assert run_cli("add-project", root).code == 0
    for words in (("list-projects",), ("index-status",), ("semantic-search", "beside_1")):
        outcome = run_cli(*words)
        assert (outcome.code, CONTROL.findall(outcome.out + outcome.err)) == (0, [])
    assert run_cli("semantic-search", "beside_1", "--json").json()["results"]


DEPTH = 1200
"""Folders inside each other, whose path is longer than the system can open."""


@pytest.fixture
def deep(project_dir):
    """The descriptor of a folder that no path leads to."""
    folders = [os.open(project_dir, os.O_DIRECTORY)]
    for _ in range(DEPTH):
        os.mkdir("deep", dir_fd=folders[-1])
        folders.append(os.open("deep", os.O_DIRECTORY, dir_fd=folders[-1]))
        os.close(folders.pop(0))
    yield folders[-1]
    # What deletes temporary folders does it by paths, and recursively.
    here = folders[-1]
    for name in os.listdir(here):  # noqa: PTH208 - a descriptor is no path
        os.unlink(name, dir_fd=here)
    for _ in range(DEPTH):
        outer = os.open("..", os.O_DIRECTORY, dir_fd=here)
        os.close(here)
        os.rmdir("deep", dir_fd=outer)
        here = outer
    os.close(here)


def test_folders_as_deep_as_the_system_allows(deep, project_dir, write_files, run_cli):
    write_files({"top.py": SOURCE.format(n=0)})
    descriptor = os.open("bottom.py", os.O_CREAT | os.O_WRONLY, dir_fd=deep)
    os.write(descriptor, SOURCE.format(n=1).encode())
    os.close(descriptor)

    outcome = run_cli("semantic-search", "beside", "--project", project_dir, "--json")

    assert (outcome.code, outcome.json()["results"][0]["path"]) == (0, "top.py")
    (status,) = run_cli("index-status", project_dir, "--json").json()["projects"]
    assert status["state"] == "idle"
    assert status["files"] + sum(status["skipped"].values()) >= 2


def test_links_pipes_sockets_and_devices_are_left_alone(
    project_dir, write_files, run_cli, tmp_path, monkeypatch
):
    write_files({"ok.py": SOURCE.format(n=1)})
    (tmp_path / "outside.py").write_text("def outside_secret(): pass\n")
    for name, target in (
        ("loop", "."),
        ("up", ".."),
        ("self.py", "self.py"),
        ("out.py", tmp_path / "outside.py"),
        ("null.py", "/dev/null"),
        ("zero.py", "/dev/zero"),
    ):
        (project_dir / name).symlink_to(target)
    os.mkfifo(project_dir / "pipe.py")
    monkeypatch.chdir(project_dir)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("sock.py")

    found = run_cli("find-symbol", "beside_1", "--project", project_dir, "--json").json()
    assert [one["path"] for one in found["results"]] == ["ok.py"]
    outside = run_cli("find-symbol", "outside_secret", "--project", project_dir, "--json").json()
    assert outside["results"] == []
    for name in ("pipe.py", "sock.py", "out.py", "zero.py", "self.py", "loop/ok.py"):
        shown = run_cli("get-code-context", name, "--project", project_dir)
        assert (shown.code, shown.out) == (2, ""), name


def test_files_of_absurd_shape_are_indexed_and_keep_their_lines(
    project_dir, write_files, run_cli, monkeypatch
):
    monkeypatch.setenv("MAX_FILE_BYTES", "16MB")
    write_files(
        {
            "million.txt": "x\n" * 1_000_000 + "needle_in_the_last_line\n",
            "one_line.txt": "word " * 200_000 + "tail_of_the_line",
            "brackets.py": "x = "
            + "[" * 10_000
            + "]" * 10_000
            + "\n\n\ndef after_brackets(): pass\n",
            "blocks.js": "{" * 10_000 + "\nfunction inner() {}\n",
            "calls.go": "package p\nvar x = " + "f(" * 5_000 + ")" * 5_000 + "\nfunc After() {}\n",
            "beside.py": SOURCE.format(n=1),
        }
    )

    last = run_cli(
        *("semantic-search", "needle_in_the_last_line", "-p", project_dir, "--json"),
        *("--file-filter", "million.txt"),
    )
    assert last.code == 0, last.err
    assert last.json()["results"][0]["end_line"] == 1_000_001
    tail = run_cli("semantic-search", "tail_of_the_line", "-p", project_dir, "--json").json()
    assert tail["results"][0]["path"] == "one_line.txt"
    assert len(tail["results"][0]["snippet"]) < 10_000
    after = run_cli("find-symbol", "beside_1", "-p", project_dir, "--json").json()
    assert [one["path"] for one in after["results"]] == ["beside.py"]
    (status,) = run_cli("index-status", project_dir, "--json").json()["projects"]
    assert (status["files"], status["failed"]) == (6, [])


def test_files_that_change_and_vanish_while_they_are_indexed(project_dir, write_files, run_cli):
    write_files({f"stable_{n:02}.py": SOURCE.format(n=n) for n in range(40)})
    run_cli("add-project", project_dir)
    stop = threading.Event()

    def churn():
        turn = 0
        while not stop.is_set():
            turn += 1
            for n in range(20):
                path = project_dir / f"tmp{n}.py"
                path.write_text(f"def churned_{n}_{turn}():\n    pass\n" * (turn % 7))
                if (turn + n) % 3 == 0:
                    path.unlink()
            (project_dir / f"folder{turn % 3}").mkdir(exist_ok=True)
            (project_dir / f"folder{turn % 3}" / "in.py").write_text("x = 1\n")

    thread = threading.Thread(target=churn)
    thread.start()
    try:
        for _ in range(4):
            outcome = run_cli("reindex-project", project_dir)
            assert (outcome.code, "Traceback" in outcome.err) == (0, False), outcome.err
            answer = run_cli("semantic-search", "beside_7", "-p", project_dir, "--json")
            assert answer.json()["results"][0]["path"] == "stable_07.py"
    finally:
        stop.set()
        thread.join()
    for path in project_dir.glob("tmp*"):
        path.unlink()
    found = run_cli("find-symbol", "churned", "-p", project_dir, "--json").json()
    assert found["results"] == []
    found = run_cli("find-symbol", "beside_", "-p", project_dir, "--limit", 99, "--json").json()
    assert len(found["results"]) == 40
