"""The pictures in docs/ come from real output and can be drawn anew."""

import html
import re
from xml.etree import ElementTree as ET

import pictures
import pytest
from documented_commands import DOCS, SHOP


@pytest.fixture
def shop(tmp_path, run_cli):
    for name, text in SHOP.items():
        path = tmp_path / "shop" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    run_cli("add-project", tmp_path / "shop")
    return tmp_path / "shop"


def words(svg):
    """The text of a picture, without its blanks."""
    ET.fromstring(svg)
    return "".join(html.unescape("".join(re.findall(r"<text[^>]*>([^<]*)</text>", svg))).split())


def test_a_picture_shows_commands_and_what_they_print(shop):
    svg = pictures.terminal_picture(("code-indexer search cart_total --limit 1",), project=shop)

    assert "$code-indexersearchcart_total--limit1" in words(svg)
    assert "cart/total.py:1-6" in words(svg)
    assert "url(" not in svg.replace("url(#", "")


def test_a_picture_shows_browse_at_work(shop):
    svg = pictures.browse_picture("refresh token", "def refresh_token", project=shop)

    assert ">refreshtoken" in words(svg)
    assert "▌auth/session.py:1" in words(svg)


@pytest.mark.parametrize("name", ["terminal.svg", "browse.svg"])
def test_the_pages_show_the_pictures(name):
    shown = [
        page
        for page in (DOCS.parent / "README.md", DOCS / "quickstart.md")
        if name in page.read_text()
    ]

    assert shown
    assert words((DOCS / name).read_text(encoding="utf-8"))


def test_the_recorded_commands_are_those_of_the_script():
    recorded = words((DOCS / "terminal.svg").read_text(encoding="utf-8"))

    assert [] == [line for line in pictures.COMMANDS if "".join(line.split()) not in recorded]
