"""``python -m code_indexer.mcp_server``."""

from code_indexer.mcp_server.entry import main

if __name__ == "__main__":
    raise SystemExit(main())
