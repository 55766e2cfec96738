"""The plots and the diagram in docs/ say what the page and the import contract say."""

from xml.etree import ElementTree as ET

import plots
import pytest
from documented_commands import DOCS

DRAW = "run: uv run python tests/plots.py"


@pytest.mark.parametrize("name", sorted(plots.drawn()))
def test_each_is_as_it_would_be_drawn_now_and_a_page_shows_it(name):
    svg = plots.drawn()[name]
    ET.fromstring(svg)
    pages = [page.read_text(encoding="utf-8") for page in DOCS.glob("*.md")]

    assert svg == (DOCS / name).read_text(encoding="utf-8"), DRAW
    assert any(f"]({name})" in page for page in pages)


def test_the_diagram_has_every_room_in_the_order_of_the_contract():
    layers = plots.rooms()
    svg = plots.architecture()

    assert ["cli", "mcp_server"] == layers[0]
    places = [svg.index(f">{name}</text>") for layer in layers for name in layer]
    assert sorted(places) == places


def test_a_bar_is_as_long_as_its_value():
    svg = plots.bars("Two", [("half", 0.5), ("whole", 1.0)])
    half, whole = (
        int(one.get("width")) for one in ET.fromstring(svg).iter() if one.get("rx") == "2"
    )

    assert 2 * half == whole
