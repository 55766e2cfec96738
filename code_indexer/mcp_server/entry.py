"""The command ``code-indexer-mcp``."""

import sys


def main() -> int:
    """Say what to install: the server is not built yet."""
    sys.stderr.write(
        "error: the MCP server is not part of this release yet\n"
        "hint: install a later one with its extra: uv tool install 'code-indexer[mcp]'\n"
    )
    return 1
