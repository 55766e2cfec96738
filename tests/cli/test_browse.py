"""``browse`` on a real terminal: what is typed changes what is seen, and leaving restores all."""

import signal
import subprocess
import time

import pytest
from terminals import Terminal

_LEFT = "\x1b[?1049l"


@pytest.fixture
def shop(project_dir, write_files, run_cli):
    write_files(
        {
            "auth/session.py": "class Session:\n    def refresh_token(self):\n        return 'new token'\n",
            "cart/total.py": "def cart_total(items):\n    return sum(item.price for item in items)\n",
        }
    )
    run_cli("add-project", project_dir, "--name", "shop")
    return project_dir


@pytest.fixture
def browse(shop):
    opened = []

    def start(*arguments, **options):
        opened.append(Terminal("browse", "-p", "shop", *arguments, **options))
        return opened[-1].until(lambda terminal: "type to search" in terminal.drawn)

    yield start
    for one in opened:
        one.close()


def shows(text):
    return lambda terminal: any(text in line for line in terminal.screen)


def test_hits_and_their_code_change_with_what_is_typed(browse):
    terminal = browse()

    terminal.type("refresh token")
    terminal.until(shows("session.py:1")).until(shows("return 'new token'"))
    terminal.type("\x15cart total")
    terminal.until(shows("total.py:1")).until(shows("return sum(item.price"))

    assert terminal.screen[0] == "> cart total"
    assert "hits" in terminal.screen[1]


def test_the_marker_moves_and_enter_opens_its_place_in_the_editor(browse, tmp_path, shop):
    script = tmp_path / "codium"
    asked = tmp_path / "asked"
    script.write_text(f'#!/bin/sh\necho "$@" >> {asked}\n')
    script.chmod(0o755)
    terminal = browse("token cart", EDITOR=str(script)).until(shows("2 hits"))
    second = terminal.until(shows("▌")).screen[3].split()[0].rpartition("/")[2]

    terminal.type("\x1b[B")
    terminal.until(lambda one: one.screen[3].startswith("▌"))
    terminal.type("\r")
    terminal.until(lambda one: one.drawn.count(_LEFT) == 1 and one.drawn.endswith("h"))
    terminal.until(lambda _: asked.exists() and asked.read_text().endswith("\n"))

    assert second.endswith(".py:1")
    assert asked.read_text().strip().endswith(second)


def test_without_an_editor_it_says_so_and_goes_on(browse):
    terminal = browse("token").until(shows("session.py"))

    terminal.type("\r")

    terminal.until(shows("no editor is known"))


@pytest.mark.parametrize("key", ["\x1b", "\x03"], ids=["escape", "ctrl-c"])
def test_leaving_gives_the_terminal_back_as_it_was(browse, key):
    terminal = browse("token").until(shows("session.py"))

    terminal.type(key)

    assert terminal.end() == 0
    assert terminal.before == terminal.mode()
    assert terminal.drawn.rstrip().endswith(_LEFT)
    assert terminal.drawn.count("\x1b[?2004h") == terminal.drawn.count("\x1b[?2004l") == 1


def test_being_ended_gives_the_terminal_back_too(browse):
    terminal = browse()

    terminal.process.send_signal(signal.SIGTERM)

    assert terminal.end() == 128 + signal.SIGTERM
    assert terminal.before == terminal.mode()
    assert _LEFT in terminal.drawn


def test_a_screen_that_changes_its_size_is_drawn_anew(browse):
    terminal = browse("token").until(shows("session.py"))

    terminal.resize(60, 12)
    terminal.process.send_signal(signal.SIGWINCH)

    terminal.until(
        lambda one: len(one.screen) == 12 and any("─" * 60 in line for line in one.screen)
    )
    assert max(map(len, terminal.screen)) <= 60


def test_a_file_that_changes_meanwhile_is_found(browse, shop):
    terminal = browse("token").until(shows("session.py"))
    (shop / "coupon.py").write_text("def redeem_coupon(code):\n    return code\n")

    # It looks at the files every two seconds at most. An answer that takes longer than the pause
    # would never be seen, for the next question takes its place: so the pauses grow.
    for pause in (0.5, 1, 2, 4, 8, 16, 32):
        terminal.type("\x15redeem coupon")
        over = time.monotonic() + pause
        terminal.until(lambda one: shows("coupon.py")(one) or time.monotonic() > over)  # noqa: B023
        if shows("coupon.py")(terminal):
            break

    assert shows("coupon.py")(terminal)


def test_an_unknown_project_is_an_error_before_the_screen_is_taken(shop):
    terminal = Terminal("browse", "-p", "nowhere")
    code = terminal.end()
    terminal.close()

    assert code == 2
    assert "no project goes by" in terminal.drawn
    assert "\x1b[?1049h" not in terminal.drawn


def test_without_a_terminal_it_says_what_to_use_instead(shop, run_process):
    done = run_process("browse", "-p", "shop", stdin=subprocess.DEVNULL)

    assert (2, "") == (done.code, done.out)
    assert "browse needs a terminal" in done.err
    assert "semantic-search" in done.err


def test_a_terminal_without_a_cursor_is_refused(shop):
    terminal = Terminal("browse", "-p", "shop", TERM="dumb")
    code = terminal.end()
    terminal.close()

    assert code == 2
    assert "cannot move its cursor" in terminal.drawn
