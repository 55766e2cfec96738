"""What decides over a project's files without being one of them: settings, and files of git's."""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from code_indexer.discovery.folders import (
    CODEINDEXIGNORE,
    GITIGNORE,
    DiscoveryRules,
    excludes_file,
)
from code_indexer.discovery.repository import repository_around


@dataclass(frozen=True, slots=True)
class OutsideRules:
    """The rules that come from elsewhere, as they stand at one moment."""

    digest: str
    """In hex; the same as long as nobody touched any of them."""
    newest_ns: int
    """The latest of all times of their files: a change in the same tick of the clock shows in no
    digest."""


def look_outside(root: Path, rules: DiscoveryRules) -> OutsideRules:
    """How the rules for *root* stand that no walk through it comes across.

    Some stamps and no contents, but for git's small configuration. The root's own ignore files are
    among them, as they may be ignored themselves.
    """
    parts = [repr(rules)]
    newest_ns = 0
    for path in _rule_files(root, rules):
        try:
            state = path.stat()
        except OSError:
            parts.append(f"{path} -")
            continue
        parts.append(f"{path} {state.st_size} {state.st_mtime_ns} {state.st_ino}")
        newest_ns = max(newest_ns, state.st_mtime_ns, state.st_ctime_ns)
    text = "\0".join(parts).encode("utf-8", "surrogateescape")
    return OutsideRules(blake2b(text, digest_size=16).hexdigest(), newest_ns)


def _rule_files(root: Path, rules: DiscoveryRules) -> Iterator[Path]:
    repository = repository_around(root)
    excludes = excludes_file(repository, rules)
    if excludes is not None:
        yield excludes
    folders = [root]
    if repository is not None:
        yield repository.git_folder / "index"
        yield repository.common_folder / "info" / "exclude"
        if root != repository.top:
            above = root.parents
            folders += above[: above.index(repository.top) + 1]
    for folder in folders:
        yield folder / GITIGNORE
        yield folder / CODEINDEXIGNORE
