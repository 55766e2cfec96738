"""A project's row of the registry, kept in its manifest too: a lost registry can be rebuilt."""

import json
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from code_indexer.identity import looks_like_slug
from code_indexer.storage.manifest import Manifest
from code_indexer.types import Project

PROJECT = "project"
"""Where the manifest keeps whose it is."""


def remember_project(manifest: Manifest, project: Project) -> None:
    """Note in the manifest whose it is, unless that stands there."""
    # Escapes keep what is no Unicode in a path.
    noted = json.dumps(asdict(project), sort_keys=True)
    if manifest.meta().get(PROJECT) != noted:
        manifest.set_meta({PROJECT: noted})


def remembered_project(manifest: Manifest) -> Project | None:
    """Whose manifest it is, if that was noted."""
    with suppress(ValueError, TypeError):
        found = Project(**json.loads(manifest.meta().get(PROJECT, "")))
        if looks_like_slug(found.slug) and Path(found.root).is_absolute():
            return found
    return None
