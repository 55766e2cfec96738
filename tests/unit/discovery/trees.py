"""Small projects on the disk, and what git says of them."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from code_indexer.discovery.walk import DiscoveryRules, walk_files

RULES = DiscoveryRules()

_GIT_ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "t",
    "GIT_AUTHOR_EMAIL": "t@example.invalid",
    "GIT_COMMITTER_NAME": "t",
    "GIT_COMMITTER_EMAIL": "t@example.invalid",
}


def write_tree(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """*root*, now holding *files*."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def git(root: Path, *arguments: str, home: Path | None = None) -> bytes:
    """What git prints, undisturbed by the configuration of this machine."""
    environment = _GIT_ENVIRONMENT | ({"HOME": str(home)} if home is not None else {})
    return subprocess.run(
        ["git", "-c", "init.defaultBranch=main", *arguments],
        cwd=root,
        env=environment,
        check=True,
        capture_output=True,
    ).stdout


def git_repository(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """*root* as a repository with *files*, none of them committed."""
    root.mkdir(parents=True, exist_ok=True)
    git(root, "init", "-q")
    return write_tree(root, files)


def commit_all(root: Path) -> None:
    git(root, "add", "-A", "-f")
    git(root, "commit", "-q", "--allow-empty", "-m", "all")


def files_of_git(root: Path, home: Path | None = None) -> list[str]:
    """The files that git has or would take in."""
    output = git(root, "ls-files", "-z", "-co", "--exclude-standard", home=home)
    return sorted({os.fsdecode(name) for name in output.split(b"\0") if name})


def found(root: Path, rules: DiscoveryRules = RULES) -> list[str]:
    """Paths that discovery lets through."""
    return [file.path for file in walk_files(root, rules).files]


def skipped(root: Path, rules: DiscoveryRules = RULES) -> dict[str, str]:
    """Paths that discovery leaves out, with the reason."""
    return {entry.path: entry.reason for entry in walk_files(root, rules).skipped}
