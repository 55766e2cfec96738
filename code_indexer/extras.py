"""How an optional part is installed on top of the way in which the tool itself was."""

import json
from importlib import metadata
from urllib.parse import unquote, urlsplit


def install_command(extra: str) -> str:
    """The command line that installs *extra*, quoted for a shell."""
    return f"uv tool install '{_origin()}[{extra}]'"


def _origin() -> str:
    """The folder that the tool was installed from; its name where that is not known.

    Whoever installed it from a checkout would get a stranger's package by the name alone.
    """
    try:
        found = metadata.distribution("code-indexer").read_text("direct_url.json")
        address = urlsplit(json.loads(found or "{}").get("url", ""))
    except (metadata.PackageNotFoundError, OSError, ValueError, AttributeError):
        return "code-indexer"
    return unquote(address.path) if address.scheme == "file" else "code-indexer"
