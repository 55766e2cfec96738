"""The command line that installs an extra."""

import json
from importlib import metadata

import pytest

from code_indexer.extras import install_command


class Installed:
    def __init__(self, origin):
        self.origin = origin

    def read_text(self, name):
        assert name == "direct_url.json"
        return self.origin


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        (json.dumps({"url": "file:///home/me/my%20tools/ci"}), "'/home/me/my tools/ci[mcp]'"),
        (json.dumps({"url": "https://example.invalid/ci.whl"}), "'code-indexer[mcp]'"),
        (None, "'code-indexer[mcp]'"),
        ("not json", "'code-indexer[mcp]'"),
    ],
    ids=["from a checkout", "from elsewhere", "from a registry", "damaged"],
)
def test_it_names_the_folder_that_the_tool_came_from(origin, expected, monkeypatch):
    monkeypatch.setattr(metadata, "distribution", lambda _name: Installed(origin))

    assert f"uv tool install {expected}" == install_command("mcp")
