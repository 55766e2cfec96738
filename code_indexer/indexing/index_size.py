"""How large an index may grow: from its limit on it takes in no further files.

Files that it holds stay up to date whatever their size, so that no answer becomes stale.
"""

from collections.abc import Mapping

from code_indexer.storage.manifest import Manifest

INDEX_FULL = "index_full"
"""Where the manifest keeps the limit at which the last pass left files out."""

_BYTES_A_CHUNK = 3000
"""What a chunk takes with its share of symbols, references, terms and vectors."""
_STILL_FULL = 0.9
"""An index that was full is not filled up again, a file a pass, as long as it is this full."""


class IndexSize:
    """The size of one manifest against its limit."""

    def __init__(self, manifest: Manifest, max_bytes: int) -> None:
        self._manifest = manifest
        self._max_bytes = max_bytes

    @property
    def is_limited(self) -> bool:
        """Whether there is a limit at all."""
        return self._max_bytes > 0

    def is_full(self, waiting_chunks: int) -> bool:
        """Whether no more fits in once so many chunks that wait are written."""
        if not self.is_limited:
            return False
        used = self._manifest.used_bytes() + _BYTES_A_CHUNK * waiting_chunks
        return used >= self._max_bytes

    def is_still_full(self) -> bool:
        """Whether the last pass left files out, and this one need not try them."""
        if not self._left_out_before() or self._is_limit_new():
            return False
        return self._manifest.used_bytes() >= _STILL_FULL * self._max_bytes

    def may_take_more(self) -> bool:
        """Whether files that the last pass left out may find room now."""
        return self._left_out_before() and not self.is_still_full()

    def record(self, left_out: int) -> Mapping[str, str | None]:
        """What the manifest is to remember of a pass that left so many files out."""
        return {INDEX_FULL: str(self._max_bytes) if left_out else None}

    def _left_out_before(self) -> bool:
        return INDEX_FULL in self._manifest.meta()

    def _is_limit_new(self) -> bool:
        return self._manifest.meta()[INDEX_FULL] != str(self._max_bytes)
