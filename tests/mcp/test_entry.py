"""The two commands that start the server."""

import subprocess
import sys

from code_indexer import __version__


def test_the_subcommand_is_the_same_server_with_the_same_options(start_server, tmp_path, shop):
    elsewhere = tmp_path / "elsewhere"
    command = [sys.executable, "-P", "-m", "code_indexer", "mcp"]
    with start_server("--index-root", elsewhere, command=command) as wire:
        wire.handshake()
        found = wire.result("semantic_search", query="session", project=shop)
        assert wire.close() == 0

    assert found["structuredContent"]["results"]
    assert (elsewhere / "registry.db").exists()


def test_without_the_extra_it_says_what_to_install():
    program = (
        "import sys\n"
        "from importlib import util\n"
        "find_spec = util.find_spec\n"
        "util.find_spec = lambda name, *rest: None if name == 'mcp' else find_spec(name, *rest)\n"
        "from code_indexer.mcp_server.entry import main\n"
        "sys.exit(main([]))\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=False, text=True
    )

    assert done.returncode == 1
    assert done.stdout == ""
    assert "[mcp]'" in done.stderr


def test_the_version_is_printed():
    done = subprocess.run(
        [sys.executable, "-P", "-m", "code_indexer.mcp_server", "--version"],
        capture_output=True,
        check=True,
        text=True,
    )

    assert done.stdout == f"code-indexer {__version__}\n"
