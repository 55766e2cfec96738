"""A fingerprint of all that a walk finds, much cheaper to take than the walk itself.

Two equal fingerprints say: the same files with the same stamps, the same things skipped. It holds
no contents, so like a stamp it vouches for them only when it is settled.

The tree is taken apart into branches whose digests do not depend on each other: on a machine with
several processors a second process takes half of a large tree.
"""

import os
import pickle
import threading
import warnings
from array import array
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from time import time_ns

from code_indexer.discovery.folders import DiscoveryRules, Folder, root_folder
from code_indexer.discovery.judging import Judge

_SECOND = 1_000_000_000
_BRANCHES = 32
_FILES_WORTH_A_PROCESS = 5_000


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What stood on the disk at one moment."""

    digest: str
    """In hex."""
    settled: bool
    """All times are older than the second in which they were observed, so that no later change can
    hide behind an equal stamp (see ``stamp_is_trusted``)."""


def take_fingerprint(root: Path, rules: DiscoveryRules, *, expected_files: int = 0) -> Fingerprint:
    """The fingerprint of everything below *root* that a walk would find or skip.

    *expected_files* is a guess at their number; it decides over the effort, not over the outcome.

    Raises:
        UnsuitableRootError: The root cannot be listed.
    """
    observed_ns = time_ns()
    branches = [root_folder(root, rules)]
    top = _Branch(root, rules)
    # Breadth first, until there are branches enough to share out.
    while branches and len(branches) < _BRANCHES:
        top.take(branches.pop(0), branches)
    results = [top.result()]
    if expected_files >= _FILES_WORTH_A_PROCESS and len(branches) > 1 and _may_fork():
        results += _shared_out(root, rules, branches)
    else:
        results += _taken(root, rules, branches)
    digest = blake2b(b"".join(result.digest for result in results), digest_size=16)
    # Most files are taken in without a look at their size, which the next limit may let through.
    digest.update(str(rules.max_file_bytes).encode())
    newest_ns = max(result.newest_ns for result in results)
    return Fingerprint(digest.hexdigest(), newest_ns // _SECOND < observed_ns // _SECOND)


@dataclass(frozen=True, slots=True)
class _Result:
    digest: bytes
    newest_ns: int
    """The latest of all times in the stamps."""


class _Branch:
    """A part of the tree on its way into a digest."""

    def __init__(self, root: Path, rules: DiscoveryRules) -> None:
        self._judge = Judge(root, rules, look_inside=False)
        self._digest = blake2b(digest_size=16)
        self._newest_ns = 0

    def take(self, folder: Folder, pending: list[Folder]) -> None:
        """Take in what lies directly in *folder*; folders to enter are added to *pending*."""
        with self._judge.opened(folder) as entries:
            if entries is None:
                return
            plain, others = self._judge.parted(folder, entries)
            names = [folder.path]
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

    def result(self) -> _Result:
        """The digest of all that was taken in, with the few files that were judged closely."""
        numbers: list[int] = []
        for file in self._judge.files:
            numbers += file.stamp[:4]
        self._add([file.path for file in self._judge.files], numbers)
        self._add([f"{entry.reason} {entry.path}" for entry in self._judge.skipped], [])
        return _Result(self._digest.digest(), self._newest_ns)

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


def _taken(root: Path, rules: DiscoveryRules, branches: Iterable[Folder]) -> list[_Result]:
    """The result of each branch."""
    results = []
    for folder in branches:
        branch = _Branch(root, rules)
        pending = [folder]
        while pending:
            branch.take(pending.pop(), pending)
        results.append(branch.result())
    return results


def _shared_out(root: Path, rules: DiscoveryRules, branches: Sequence[Folder]) -> list[_Result]:
    """The same as ``_taken``, every second branch being taken by another process."""
    other = _Answer(lambda: _taken(root, rules, branches[1::2]))
    try:
        mine = _taken(root, rules, branches[::2])
    finally:
        theirs = other.wait()
    if theirs is None:
        theirs = _taken(root, rules, branches[1::2])
    results = mine + theirs
    results[::2], results[1::2] = mine, theirs
    return results


def _may_fork() -> bool:
    """Whether a second process gains something, and nothing in this one stands against it."""
    return (os.cpu_count() or 1) > 1 and hasattr(os, "fork") and threading.active_count() == 1


class _Answer:
    """What a question gives when it is answered by a copy of this process."""

    def __init__(self, question: Callable[[], list[_Result]]) -> None:
        self._pipe, writing = os.pipe()
        with warnings.catch_warnings():
            # Threads of numeric libraries do not matter: the copy only looks at files.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._process = os.fork()
        if self._process == 0:
            status = 1
            with suppress(BaseException):
                answer = pickle.dumps(question())
                with os.fdopen(writing, "wb") as file:
                    file.write(answer)
                status = 0
            # Nothing that belongs to the original may be closed, flushed or rolled back here.
            os._exit(status)
        os.close(writing)

    def wait(self) -> list[_Result] | None:
        """The answer; None if the other process did not manage."""
        with os.fdopen(self._pipe, "rb") as file:
            answer = file.read()
        _, status = os.waitpid(self._process, 0)
        if status != 0:
            return None
        results: list[_Result] = pickle.loads(answer)  # noqa: S301 - written by our own copy
        return results
