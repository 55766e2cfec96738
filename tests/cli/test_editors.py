"""``--open`` and ``--editor``: the best hit in the editor, at its line."""

import sys

import pytest

from code_indexer.cli.editors import Editor


@pytest.mark.parametrize(
    ("editor", "command"),
    [
        ("vim", "vim +7 /p/a.py"),
        ("nvim -p", "nvim -p +7 /p/a.py"),
        ("emacsclient -n", "emacsclient -n +7 /p/a.py"),
        ("nano", "nano +7 /p/a.py"),
        ("code --wait", "code --wait -g /p/a.py:7"),
        ("cursor", "cursor -g /p/a.py:7"),
        ("codium", "codium -g /p/a.py:7"),
        ("/opt/sublime/subl", "/opt/sublime/subl /p/a.py:7"),
        ("zed", "zed /p/a.py:7"),
        ("hx", "hx /p/a.py:7"),
        ("idea.sh", "idea.sh --line 7 /p/a.py"),
        ("C:\\Programs\\Code.exe", "C:\\Programs\\Code.exe /p/a.py"),
        ("C:\\Programs\\code.cmd", "C:\\Programs\\code.cmd -g /p/a.py:7"),
        ("my-own-editor", "my-own-editor /p/a.py"),
    ],
)
def test_each_editor_is_told_the_line_in_its_own_way(editor, command):
    words = tuple(editor.split(" "))

    assert command.split(" ") == Editor(words).command("/p/a.py", 7)


def test_a_path_with_blanks_and_braces_stays_one_word():
    assert ["zed", "/p/a {line} b.py:7"] == Editor(("zed",)).command("/p/a {line} b.py", 7)


@pytest.fixture
def shop(project_dir, write_files, run_cli):
    write_files(
        {"auth.py": "import os\n\n\ndef refresh_token():\n    return os\n\n\nrefresh_token()\n"}
    )
    run_cli("add-project", project_dir, "--name", "shop")
    return project_dir


@pytest.fixture
def editor(tmp_path):
    """An editor that notes what it is asked to show, named as one whose form is known."""
    script = tmp_path / "codium"
    script.write_text(
        f'#!{sys.executable}\nimport sys\nopen(r"{tmp_path}/asked", "a").write(repr(sys.argv[1:]))\n'
    )
    script.chmod(0o755)
    return script


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("semantic-search", "refresh_token", "-p", "shop"), 1),
        (("find-symbol", "refresh", "-p", "shop"), 4),
        (("find-definition", "refresh_token", "-p", "shop", "--json"), 4),
        (("find-references", "refresh_token", "-p", "shop"), 8),
        (("get-code-context", "auth.py", "--symbol", "refresh_token", "-p", "shop"), 4),
    ],
    ids=lambda one: one[0] if isinstance(one, tuple) else "",
)
def test_the_best_hit_is_opened_after_the_answer(shop, run_cli, editor, tmp_path, arguments, line):
    done = run_cli(*arguments, "--editor", editor)

    assert done.code == 0
    assert str(["-g", f"{shop}/auth.py:{line}"]) == (tmp_path / "asked").read_text()
    assert "auth.py" in done.out or "refresh_token" in done.out


def test_the_most_similar_place_is_opened(shop, write_files, run_cli, editor, tmp_path):
    write_files({"copy.py": (shop / "auth.py").read_text()})

    run_cli("find-similar", "auth.py:4", "-p", "shop", "--editor", editor)

    assert str(["-g", f"{shop}/copy.py:1"]) == (tmp_path / "asked").read_text()


def test_open_takes_the_editor_of_the_environment(shop, run_cli, editor, tmp_path, monkeypatch):
    monkeypatch.setenv("EDITOR", "false")
    monkeypatch.setenv("VISUAL", str(editor))

    assert run_cli("find-definition", "refresh_token", "-p", "shop", "--open").code == 0
    assert (tmp_path / "asked").exists()


def test_without_hits_nothing_is_opened(shop, run_cli, editor, tmp_path):
    run_cli("find-definition", "nothing_of_the_kind", "-p", "shop", "--editor", editor)

    assert not (tmp_path / "asked").exists()


@pytest.mark.parametrize(
    ("editor", "problem"),
    [("no-such-editor-here", "no such editor"), ("'", "not a command"), ("", "no editor is known")],
)
def test_an_editor_that_is_not_there_is_said_before_the_search(
    shop, run_cli, monkeypatch, editor, problem
):
    done = run_cli("find-definition", "refresh_token", "-p", "shop", "--editor", editor)

    assert (2, "") == (done.code, done.out)
    assert problem in done.err
    assert "--editor" in done.err


def test_an_editor_that_draws_in_the_terminal_needs_one(shop, run_process, tmp_path):
    script = tmp_path / "nvim"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)

    done = run_process("find-definition", "refresh_token", "-p", "shop", "--editor", script)

    assert done.code == 2
    assert "nvim needs a terminal" in done.err


def test_an_editor_that_fails_leaves_the_answer_as_it_is(shop, run_cli):
    done = run_cli("find-definition", "refresh_token", "-p", "shop", "--editor", "false")

    assert done.code == 0
    assert "the editor false ended with 1" in done.err
