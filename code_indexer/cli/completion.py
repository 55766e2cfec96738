"""What the shell offers while a command is typed."""

import os
from contextlib import suppress


def complete_project(incomplete: str) -> list[str]:
    """Names and paths of projects, or folders, that go on as *incomplete* does.

    Whatever goes wrong, there is nothing to offer: a shell has no place for messages.
    """
    with suppress(Exception):
        return [*_registered(incomplete), *_folders(incomplete)]
    return []


def complete_agent(incomplete: str) -> list[str]:
    """Names of coding agents that go on as *incomplete* does."""
    from code_indexer.install.agents import AGENTS

    return [name for name in AGENTS if name.startswith(incomplete)]


def _registered(incomplete: str) -> list[str]:
    from code_indexer.settings import load_settings
    from code_indexer.storage.registry import Registry

    index_root = load_settings().index_root
    if not index_root.is_dir():
        return []
    with Registry.open(index_root, read_only=True) as registry:
        projects = [record.project for record in registry.projects()]
    named = [project.name or project.root for project in projects]
    roots = [project.root for project in projects if incomplete.startswith("/")]
    return sorted({one for one in (*named, *roots) if one.startswith(incomplete)})


def _folders(incomplete: str) -> list[str]:
    parent, _, start = incomplete.rpartition("/")
    if not parent and not incomplete.startswith((".", "/")):
        return []
    place = os.path.expanduser(parent or ("/" if incomplete.startswith("/") else "."))  # noqa: PTH111
    with os.scandir(place) as entries:
        names = sorted(one.name for one in entries if one.is_dir())
    prefix = f"{parent}/" if "/" in incomplete else ""
    return [f"{prefix}{name}/" for name in names if name.startswith(start)]
