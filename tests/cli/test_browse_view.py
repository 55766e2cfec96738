"""The parts of ``browse`` that need no terminal: keys out of bytes, and rows out of a state."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from code_indexer.cli.browse_view import Preview, View, answered, pressed, screen_rows
from code_indexer.cli.screen_keys import Key, decoded
from code_indexer.core.results import SearchAnswer
from code_indexer.types import SearchHit


def hit(path, start=1, end=3, snippet="def total():\n    return 1\n", symbol="total"):
    return SearchHit("/p", path, start, end, 1.0, symbol, "function", "python", snippet)


def answer(*hits, **fields):
    return SearchAnswer("q", hits, "hybrid", (), **fields)


@pytest.mark.parametrize(
    ("sent", "keys"),
    [
        (b"ab", [Key("text", "a"), Key("text", "b")]),
        ("é→".encode(), [Key("text", "é"), Key("text", "→")]),
        (b"\x1b[A\x1bOB\x1b[5~", [Key("up"), Key("down"), Key("page-up")]),
        (b"\r\x7f\x17\x15", [Key("enter"), Key("backspace"), Key("erase-word"), Key("clear")]),
        (b"\x1b", [Key("leave")]),
        (b"\x1b\x1b", [Key("leave"), Key("leave")]),
        (b"\x03\x04", [Key("leave"), Key("leave")]),
        (b"\x1bx\x1b[99~\x00y", [Key("text", "y")]),
        (b"\x1b[200~two\n words\x1b[201~", [Key("text", "two words")]),
        (b"\xff\xfe", []),
    ],
)
def test_bytes_become_keys(sent, keys):
    assert (keys, b"") == decoded(sent, is_all=True)


@pytest.mark.parametrize("sent", [b"\x1b", b"\x1b[", "→".encode()[:2], b"\x1b[200~half of it"])
def test_half_a_key_waits_for_the_other_half(sent):
    assert ([], sent) == decoded(sent, is_all=False)


@given(st.binary(max_size=40), st.integers(0, 40))
def test_keys_do_not_depend_on_where_the_bytes_are_torn(sent, at):
    whole, rest = decoded(sent, is_all=False)
    first, kept = decoded(sent[:at], is_all=False)
    second, left = decoded(kept + sent[at:], is_all=False)

    assert (whole, rest) == (first + second, left)


def typed(*keys, view=None):
    view = view or View()
    for key in keys:
        view = pressed(
            view, Key(key) if len(key) > 1 and key != "ab cd" else Key("text", key), page=5
        )
    return view.query, view.cursor


@pytest.mark.parametrize(
    ("keys", "left"),
    [
        (("a", "b"), ("ab", 2)),
        (("ab cd", "left", "left", "x"), ("ab xcd", 4)),
        (("ab cd", "backspace"), ("ab c", 4)),
        (("ab cd", "erase-word"), ("ab ", 3)),
        (("ab cd", "home", "delete", "end"), ("b cd", 4)),
        (("ab cd", "left", "clear"), ("d", 0)),
        (("left", "backspace", "delete", "right"), ("", 0)),
    ],
)
def test_keys_edit_the_query(keys, left):
    assert left == typed(*keys)


def test_the_marker_stays_among_the_hits():
    view = answered(View(query="q"), answer(hit("a.py"), hit("b.py"), hit("c.py")), 0.01)
    moved = [pressed(view, Key(name), page=5).selected for name in ("up", "down", "page-down")]

    assert [0, 1, 2] == moved


def test_the_marker_stays_on_its_file_when_a_new_answer_has_it():
    view = replace(View(query="q", hits=(hit("a.py"), hit("b.py"))), selected=1)

    assert answered(view, answer(hit("c.py"), hit("d.py"), hit("b.py")), 0.01).selected == 2
    assert answered(view, answer(hit("c.py")), 0.01).selected == 0


def test_an_empty_query_shows_no_hits_but_how_it_is_used():
    view = View(query="q", cursor=1, hits=(hit("a.py"),), status="1 hits")

    assert View() == pressed(view, Key("backspace"), page=5)


def test_what_is_wrong_is_said_beside_the_count():
    view = answered(View(query="q"), answer(hit("a.py"), warnings=("a server is down",)), 0.0123)
    rows, _ = screen_rows(view, 120, 10)

    assert "1 hits, confidence low, 12 ms  a server is down" == rows[1].plain


def test_a_wide_screen_shows_the_code_beside_the_hits_and_a_narrow_one_below():
    lines = tuple(f"line_{number} = {number}" for number in range(1, 200))
    view = View("q", 1, (hit("a.py", 50, 52),), preview=Preview("/p", "a.py", lines))
    wide = [row.plain for row in screen_rows(view, 120, 12)[0]]
    narrow = [row.plain for row in screen_rows(view, 60, 12)[0]]

    assert wide[2].startswith("▌ /p/a.py:50 total")
    assert wide[2].endswith("│ 47 line_47 = 47")
    assert "50 line_50 = 50" in [line.partition("│ ")[2] for line in wide]
    assert narrow[2] == "▌ /p/a.py:50 total"
    assert narrow[6:8] == ["─" * 60, "47 line_47 = 47"]


def test_control_characters_of_a_file_do_not_reach_the_screen():
    view = View("q\x1b[2J", 0, (hit("a\x1b.py", snippet="x = '\x1b[2J\u202e'", symbol="s\x07"),))

    assert "\x1b" not in "".join(row.plain for row in screen_rows(view, 120, 10)[0])
    assert "\u202e" not in "".join(row.plain for row in screen_rows(view, 120, 10)[0])


@given(
    st.integers(1, 150),
    st.integers(1, 40),
    st.text(max_size=40),
    st.lists(st.text(min_size=1, max_size=80), max_size=6),
)
def test_every_screen_is_filled_and_none_is_overflowed(width, height, query, names):
    hits = tuple(hit(name, snippet=name * 3, symbol=name[:9]) for name in names)
    rows, column = screen_rows(View(query, len(query), hits), width, height)

    assert height == len(rows)
    assert max(cell_len(row.plain) for row in rows) <= width
    assert "\n" not in "".join(row.plain for row in rows)
    assert 0 <= column
