"""The index identity: what must be the same for rows and vectors to be used together."""

import json
from collections.abc import Mapping
from dataclasses import asdict

from code_indexer.errors import ModelChangedError
from code_indexer.inference.embedder import EmbedderIdentity
from code_indexer.parsing.versions import CHUNKER_VERSION, EXTRACTOR_VERSION
from code_indexer.ranking.documents import LEXICAL_VERSION
from code_indexer.storage.manifest import EmbedderKey, Manifest

STRUCTURE = f"chunks {CHUNKER_VERSION}, symbols {EXTRACTOR_VERSION}, terms {LEXICAL_VERSION}"
"""Stands for everything that makes rows out of a text."""


def structure_meta() -> dict[str, str]:
    """What the manifest keeps of it."""
    return {"structure": STRUCTURE}


def is_structure_of(meta: Mapping[str, str]) -> bool:
    """Whether the rows of a manifest were made by these versions."""
    return meta.get("structure") == STRUCTURE


def embedder_key(identity: EmbedderIdentity) -> EmbedderKey:
    """The form in which a manifest remembers its embedder."""
    return EmbedderKey(json.dumps(asdict(identity), sort_keys=True), identity.dimension)


def recorded_identity(key: EmbedderKey | None) -> EmbedderIdentity | None:
    """The embedder that a manifest remembers, so that its server need not be asked for it."""
    if key is None:
        return None
    try:
        return EmbedderIdentity(**json.loads(key.key))
    except (TypeError, ValueError):
        return None  # of a release that wrote it in another form


def is_embedded(key: EmbedderKey | None) -> bool:
    """Whether the vectors of a manifest are of a model that ships in the package."""
    return key is not None and bool(json.loads(key.key).get("engine") == "embedded")


def settle_embedder(manifest: Manifest, key: EmbedderKey) -> None:
    """Record the embedder of a manifest that has none yet.

    Raises:
        ModelChangedError: It has vectors of another one: hours of work are not thrown away unasked.
    """
    present = manifest.embedder()
    if present is None or (present != key and not manifest.counts().embedded_chunks):
        manifest.set_embedder(key)
    elif present != key:
        raise ModelChangedError(
            f"the index holds vectors of another model ({present.dimension} numbers,"
            f" the present one has {key.dimension})",
            hint="Run reindex-project, or go back to the model it was indexed with",
        )
