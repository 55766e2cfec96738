import tomllib

import pytest

from code_indexer.install.edits import DamagedConfigurationError, ServerEntry
from code_indexer.install.toml_text import server_of, with_server, without_server

ENTRY = ServerEntry("/opt/bin/code-indexer-mcp", environment={"INDEX_ROOT": "/data/index"})

REAL = '''\
# Codex
model = "gpt-5.5"
approval_policy = "on-request"   # ask me

[mcp_servers.docs]
command = "npx"
args = [
  "-y",
  "docs-mcp",  # pinned
]
env = { "TOKEN" = "x" }

# for work
[profiles.work]
notes = """
[mcp_servers.code-indexer]
this is text, not a table
"""

[projects."/home/me/shop"]
trust_level = "trusted"
'''

FILES = {
    "nothing": "",
    "a comment": "# only this\n",
    "no newline at the end": 'model = "x"',
    "a real one": REAL,
    "windows lines": REAL.replace("\n", "\r\n"),
    "a table of servers": '[mcp_servers]\n\n[mcp_servers.other]\ncommand = "x"\n',
}


@pytest.mark.parametrize("text", FILES.values(), ids=FILES.keys())
def test_the_server_is_added_and_the_rest_stays(text):
    result = with_server(text, ENTRY)

    expected = tomllib.loads(text)
    expected.setdefault("mcp_servers", {})["code-indexer"] = {
        "command": "/opt/bin/code-indexer-mcp",
        "env": {"INDEX_ROOT": "/data/index"},
    }
    assert tomllib.loads(result) == expected
    assert result.startswith(text)


@pytest.mark.parametrize("text", FILES.values(), ids=FILES.keys())
def test_adding_twice_changes_nothing_more(text):
    once = with_server(text, ENTRY)

    assert with_server(once, ENTRY) == once


@pytest.mark.parametrize("text", FILES.values(), ids=FILES.keys())
def test_what_was_added_can_be_taken_out(text):
    assert without_server(with_server(text, ENTRY)).rstrip() == text.rstrip()


def test_other_keys_of_the_server_are_kept_when_it_is_updated():
    text = (
        '[mcp_servers.code-indexer]\ncommand = "/old"\nargs = []\nstartup_timeout_sec = 30 # slow\n'
        "\n# the next\n[other]\nx = 1\n"
    )

    result = with_server(text, ENTRY)

    assert server_of(result) == {
        "command": "/opt/bin/code-indexer-mcp",
        "args": [],
        "startup_timeout_sec": 30,
        "env": {"INDEX_ROOT": "/data/index"},
    }
    assert "startup_timeout_sec = 30 # slow\n" in result
    assert "\n\n# the next\n[other]\n" in result


def test_an_environment_in_a_table_of_its_own_is_updated_there():
    text = (
        '[mcp_servers."code-indexer"]\ncommand = "/old"\n\n'
        '[mcp_servers."code-indexer".env]\nMINE = "1"\nINDEX_ROOT = "/old"\n'
    )

    result = with_server(text, ENTRY)

    assert server_of(result) == {
        "command": "/opt/bin/code-indexer-mcp",
        "env": {"MINE": "1", "INDEX_ROOT": "/data/index"},
    }
    assert without_server(result) == ""


def test_a_comment_before_the_next_table_is_not_taken_out():
    text = '[mcp_servers.code-indexer]\ncommand = "/x"\n\n# about other\n[other]\nx = 1\n'

    assert without_server(text) == "\n# about other\n[other]\nx = 1\n"


def test_odd_signs_in_paths_are_written_so_that_they_come_back():
    entry = ServerEntry('/o"dd\\päth/x y', ("a'b",), {"KEY": "C:\\x"})

    assert server_of(with_server("", entry)) == {
        "command": '/o"dd\\päth/x y',
        "args": ["a'b"],
        "env": {"KEY": "C:\\x"},
    }


@pytest.mark.parametrize("text", ["model = ", "[a\nx = 1", "x = 1\nx = 2\n", "just words\n"])
def test_a_damaged_file_is_refused(text):
    with pytest.raises(DamagedConfigurationError):
        with_server(text, ENTRY)


@pytest.mark.parametrize(
    "text",
    [
        'mcp_servers = { other = { command = "x" } }\n',
        'mcp_servers = "x"\n',
        'mcp_servers.code-indexer.command = "/old"\n',
        '[mcp_servers]\ncode-indexer = { command = "/old" }\n',
    ],
)
def test_what_cannot_be_edited_safely_is_refused(text):
    with pytest.raises(DamagedConfigurationError, match="cannot be edited safely"):
        with_server(text, ENTRY)
