"""``python -m code_indexer``."""

from code_indexer.cli.app import main

if __name__ == "__main__":
    raise SystemExit(main())
