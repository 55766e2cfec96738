"""Answers on a terminal: whole at any width, coloured only where that is wanted."""

import fcntl
import os
import re
import struct
import subprocess
import sys
import termios

import pytest

LONG = "marker = " + " + ".join(f"number_{i}" for i in range(30))
_ESCAPE = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|\][^\x1b]*\x1b\\)")


@pytest.fixture
def shop(project_dir, write_files, run_cli):
    body = "\n".join(f"    step_{i} = {i}" for i in range(40))
    write_files({"long.py": f"{LONG}\n", "tall.py": f"def tall():\n{body}\n"})
    run_cli("add-project", project_dir, "--name", "shop")
    return project_dir


def on_terminal(*arguments, columns, **environment):
    """What the command prints on a terminal of so many columns."""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS", "FORCE_COLOR")}
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "code_indexer", *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        env={**kept, "TERM": "xterm-256color", **environment},
    )
    os.close(theirs)
    printed = b""
    try:
        while piece := os.read(ours, 65536):
            printed += piece
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    assert process.wait(timeout=60) == 0
    return printed.decode()


@pytest.mark.parametrize("columns", [200, 80, 40])
def test_a_line_that_is_longer_than_the_terminal_is_shown_whole(shop, columns):
    shown = on_terminal("semantic-search", "marker", "-p", "shop", columns=columns)

    assert [f"number_{i}" for i in range(30)] == re.findall(r"number_\d+", _ESCAPE.sub("", shown))


def test_a_terminal_gets_colour(shop):
    assert "\x1b[" in on_terminal("semantic-search", "marker", "-p", "shop", columns=80)


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_escape_reaches_a_terminal_that_wants_none(shop, environment):
    shown = on_terminal("semantic-search", "marker", "-p", "shop", columns=80, **environment)

    assert "long.py:1-1" in shown
    assert "\x1b" not in shown


def test_what_is_left_out_of_a_long_snippet_has_no_line_number(shop):
    shown = on_terminal(
        "semantic-search", "tall", "-p", "shop", "--limit", "1", columns=80, NO_COLOR="1"
    )

    assert re.search(r"^ +… \d+ more lines\r?$", shown, re.MULTILINE)
