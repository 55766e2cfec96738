import pytest

from code_indexer.install.edits import DamagedConfigurationError, ServerEntry
from code_indexer.install.yaml_text import (
    check,
    has_server,
    new_block,
    with_server,
    without_server,
)

yaml = pytest.importorskip("yaml")

ENTRY = ServerEntry("/opt/bin/code-indexer-mcp", environment={"INDEX_ROOT": "/data/index"})
OURS = {
    "name": "code-indexer",
    "command": "/opt/bin/code-indexer-mcp",
    "env": {"INDEX_ROOT": "/data/index"},
}

REAL = """\
# Continue
name: Local Assistant
version: 1.0.0
schema: v1
models:
  - name: Sonnet   # the good one
    provider: anthropic
    roles: [chat, edit]
mcpServers:
  # documents
  - name: docs
    command: npx
    args:
      - "-y"
      - docs-mcp # pinned
    env:
      TOKEN: ${{ secrets.TOKEN }}
rules:
  - Be brief: always
prompt: |
  mcpServers:
    - name: code-indexer
  is only text
"""

FILES = {
    "nothing": "",
    "a comment": "# only this\n",
    "no list": "name: x\nversion: 1.0.0\n",
    "no newline at the end": "name: x",
    "an empty list": "name: x\nmcpServers: []  # none yet\nrules: []\n",
    "a key alone": "name: x\nmcpServers:\nrules: []\n",
    "a real one": REAL,
    "dashes at the left": "mcpServers:\n- name: docs\n  command: npx\nrules:\n- short\n",
    "the list at the end": "name: x\nmcpServers:\n  - name: docs\n    command: npx",
    "far indented": "mcpServers:\n    -   name: docs\n        command: npx\n",
    "windows lines": REAL.replace("\n", "\r\n"),
}


@pytest.mark.parametrize("text", FILES.values(), ids=FILES.keys())
def test_the_server_is_added_and_the_rest_stays(text):
    result = with_server(text, ENTRY)

    expected = yaml.safe_load(text) or {}
    expected["mcpServers"] = [*(expected.get("mcpServers") or []), OURS]
    assert yaml.safe_load(result) == expected


@pytest.mark.parametrize("text", FILES.values(), ids=FILES.keys())
def test_adding_twice_changes_nothing_more(text):
    once = with_server(text, ENTRY)

    assert with_server(once, ENTRY) == once


@pytest.mark.parametrize(
    "name", ["nothing", "a comment", "no list", "a real one", "dashes at the left", "windows lines"]
)
def test_what_was_added_can_be_taken_out_without_a_trace(name):
    assert without_server(with_server(FILES[name], ENTRY)) == FILES[name]


def test_other_keys_of_the_server_are_kept_when_it_is_updated():
    text = (
        "mcpServers:\n  - cwd: /somewhere # mine\n    name: code-indexer\n    command: /old\n"
        "    timeout: 30\n  - name: docs\n    command: npx\n"
    )

    result = with_server(text, ENTRY)

    assert yaml.safe_load(result)["mcpServers"] == [
        {**OURS, "cwd": "/somewhere", "timeout": 30},
        {"name": "docs", "command": "npx"},
    ]
    assert "# mine" in result


def test_the_first_of_several_is_taken_out():
    text = (
        "mcpServers:\n  - name: code-indexer\n    command: /x\n  - name: docs\n    command: npx\n"
    )

    assert without_server(text) == "mcpServers:\n  - name: docs\n    command: npx\n"


def test_a_file_of_its_own_is_a_valid_block():
    text = new_block(ENTRY)

    assert yaml.safe_load(text) == {
        "name": "code-indexer",
        "version": "0.0.1",
        "schema": "v1",
        "mcpServers": [OURS],
    }
    assert has_server(text)


def test_odd_signs_in_paths_are_written_so_that_they_come_back():
    entry = ServerEntry('/o"dd: \\path/#x', ("a: b",))

    found = yaml.safe_load(with_server("", entry))["mcpServers"][0]

    assert (found["command"], found["args"]) == ('/o"dd: \\path/#x', ["a: b"])


@pytest.mark.parametrize(
    "text",
    ["a: [1\nb: 2\n", "a:\n\t- x\n", 'a: "x\nb: c\n', "a: 1\n  b: 2\n", "- a\n- b\n", "word\n"],
)
def test_a_damaged_file_is_refused(text):
    with pytest.raises(DamagedConfigurationError):
        with_server(text, ENTRY)


@pytest.mark.parametrize(
    "text",
    ["mcpServers: [{name: docs, command: npx}]\n", "mcpServers: {}\n", "a: 1\n---\nb: 2\n"],
)
def test_what_cannot_be_edited_safely_is_refused(text):
    check("a: 1\n")

    with pytest.raises(DamagedConfigurationError):
        with_server(text, ENTRY)
