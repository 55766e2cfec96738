"""What an index had no room for, in words."""

from code_indexer.discovery.reasons import INDEX_FULL as INDEX_FULL_REASON
from code_indexer.indexing.index_size import INDEX_FULL
from code_indexer.storage.manifest import Manifest

_EXAMPLES = 3


def left_out_words(manifest: Manifest) -> str | None:
    """How many files the size limit keeps out of the index, with what lets them in; else None."""
    limit = manifest.meta().get(INDEX_FULL)
    if limit is None:
        return None
    paths = [one.path for one in manifest.skipped() if one.reason == INDEX_FULL_REASON]
    some = ", ".join(paths[:_EXAMPLES]) + (", …" if len(paths) > _EXAMPLES else "")
    files = f"{len(paths)} file{'' if len(paths) == 1 else 's'}"
    return (
        f"{files} left out, as the index has reached its limit of {int(limit):,} bytes: {some}."
        " Raise MAX_INDEX_BYTES, or exclude files"
    )
