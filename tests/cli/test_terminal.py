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


def test_projects_are_a_table_that_fits_the_terminal(shop):
    wide = _ESCAPE.sub("", on_terminal("list-projects", columns=250)).splitlines()
    narrow = _ESCAPE.sub("", on_terminal("list-projects", columns=50)).splitlines()

    head, row = wide[1].split(), wide[3].split()
    assert head[:5] == ["project", "state", "files", "chunks", "symbols"]
    assert row[:4] == ["shop", str(shop), "idle", "2"]
    assert ["project", "state", "files", "last", "pass"] == narrow[1].split()
    assert max(map(len, narrow)) <= 50


def test_the_status_is_a_card_whose_labels_are_those_of_the_lines(shop, run_cli):
    card = _ESCAPE.sub("", on_terminal("index-status", "shop", columns=120))
    lines = run_cli("index-status", "shop").out

    labels = [line.partition(":")[0] for line in lines.splitlines()]
    assert labels == [re.split(r"  ", line)[0].strip() for line in card.splitlines()]
    assert str(shop) in card


def test_a_path_leads_to_its_file_on_terminals_that_know_links(shop):
    shown = on_terminal("semantic-search", "marker", "-p", "shop", columns=80)

    assert f"file://{shop}/long.py\x1b\\" in shown


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(-5, "0 s ago"), (59, "59 s ago"), (600, "10 min ago"), (7200, "2 h ago"), (2e5, "2 d ago")],
)
def test_a_time_is_told_in_the_largest_unit_that_fits(seconds, words):
    from code_indexer.cli.project_tables import ago

    assert words == ago(seconds)


@pytest.mark.parametrize("command", ["find-definition", "find-symbol", "find-references"])
def test_the_place_of_a_symbol_leads_to_its_file(shop, run_cli, command):
    (shop / "use.py").write_text("from tall import tall\n\ntall()\n")
    shown = on_terminal(command, "tall", "-p", "shop", columns=300)

    assert f"file://{shop}/{'use' if 'references' in command else 'tall'}.py\x1b\\" in shown
    assert run_cli(command, "tall", "-p", "shop").out.split() == _ESCAPE.sub("", shown).split()
