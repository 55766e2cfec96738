"""A fingerprint of all that a walk finds, much cheaper to take than the walk itself.

Two equal fingerprints say: the same files with the same stamps, the same things skipped. It holds
no contents, so like a stamp it vouches for them only when it is settled.
"""

import os
from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from time import time_ns

from code_indexer.discovery.folders import DiscoveryRules, Folder, root_folder
from code_indexer.discovery.judging import Judge

_SECOND = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What stood on the disk at one moment."""

    digest: str
    """In hex."""
    settled: bool
    """All times are older than the second in which they were observed, so that no later change can
    hide behind an equal stamp (see ``stamp_is_trusted``)."""


def take_fingerprint(root: Path, rules: DiscoveryRules) -> Fingerprint:
    """The fingerprint of everything below *root* that a walk would find or skip.

    Raises:
        UnsuitableRootError: The root cannot be listed.
    """
    return _Taking(root, rules).run()


class _Taking:
    def __init__(self, root: Path, rules: DiscoveryRules) -> None:
        self._root = root
        self._rules = rules
        self._judge = Judge(root, rules, look_inside=False)
        self._digest = blake2b(digest_size=16)
        self._newest_ns = 0

    def run(self) -> Fingerprint:
        observed_ns = time_ns()
        pending = [root_folder(self._root, self._rules)]
        while pending:
            folder = pending.pop()
            with self._judge.opened(folder) as entries:
                if entries is not None:
                    self._take(folder, entries, pending)
        self._take_the_rest()
        return Fingerprint(
            self._digest.hexdigest(), self._newest_ns // _SECOND < observed_ns // _SECOND
        )

    def _take(self, folder: Folder, entries: list[os.DirEntry[str]], pending: list[Folder]) -> None:
        plain, others = self._judge.parted(folder, entries)
        names: list[str] = [folder.path]
        numbers: list[int] = []
        for entry, _ in plain:
            try:
                status = entry.stat(follow_symlinks=False)
            except OSError:
                others.append(entry)
                continue
            names.append(entry.name)
            numbers += (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
        self._add(names, numbers)
        self._judge.judge_closely(folder, others, pending, 0)

    def _take_the_rest(self) -> None:
        """What was judged closely: few files, and all that is skipped."""
        numbers: list[int] = []
        for file in self._judge.files:
            numbers += file.stamp[:4]
        self._add([file.path for file in self._judge.files], numbers)
        self._add([f"{entry.reason} {entry.path}" for entry in self._judge.skipped], [])

    def _add(self, texts: Iterable[str], numbers: list[int]) -> None:
        self._digest.update("\0".join(texts).encode("utf-8", "surrogateescape"))
        self._digest.update(b"\0\0")
        self._digest.update(_packed(numbers))
        if numbers:
            self._newest_ns = max(self._newest_ns, *numbers[1::4], *numbers[2::4])


def _packed(numbers: list[int]) -> bytes:
    try:
        return array("q", numbers).tobytes()
    except OverflowError:  # some file systems use all 64 bits for their inodes
        return repr(numbers).encode()
