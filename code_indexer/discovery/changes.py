"""Which files differ from a revision, as git says."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from code_indexer.errors import UsageError

DEFAULT_REVISION = "HEAD"
_SECONDS = 60.0
_NOT_FOUND = 127
"""Exit code of env for a program that does not exist."""
# A repository's own configuration names programs for git to run; none of them is needed here.
# Nothing is written either.
_HARMLESS = (
    "--no-optional-locks",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
)
# Variables that lead git to another repository than the one it stands in: set inside git's hooks.
_MISLEADING = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_PREFIX",
    "GIT_OBJECT_DIRECTORY",
    "GIT_COMMON_DIR",
)


def changed_files(root: Path, revision: str | None = None) -> frozenset[str]:
    """Paths below *root* that differ from *revision*, uncommitted and untracked files included.

    Without a revision they are compared with the last commit; before the first one every file
    counts. A renamed file counts under its new name; ignored files never do.

    Raises:
        UsageError: *root* lies in no git repository, git is missing, or there is no such revision.
    """
    wanted = checked_revision(revision or DEFAULT_REVISION)
    _require_repository(root)
    commit = _commit_of(root, wanted)
    untracked = _paths(root, "ls-files", "--others", "--exclude-standard", "-z", "--")
    if commit is None:
        if revision:
            raise UsageError(
                f"{root} has no revision {revision!r}",
                hint="Name one branch, tag or commit, such as HEAD~1 or main",
            )
        return untracked | _paths(root, "ls-files", "--cached", "-z", "--")
    differing = _paths(
        root,
        "diff",
        "--name-only",
        "--no-renames",
        "--no-ext-diff",
        "--no-textconv",
        "--ignore-submodules=all",
        "--relative",
        "-z",
        commit,
        "--",
    )
    return untracked | differing


def checked_revision(revision: str) -> str:
    """*revision* itself, unless it could be an option of git.

    Raises:
        UsageError: It could be one.
    """
    if revision.startswith("-") or "\0" in revision:
        raise UsageError(
            f"not a revision: {revision!r}",
            hint="Name a branch, a tag or a commit, such as HEAD~1 or main",
        )
    return revision


def _require_repository(root: Path) -> None:
    done = _git(root, "rev-parse", "--is-inside-work-tree")
    if done.stdout.strip() == b"true":
        return
    said = done.stderr.decode("utf-8", "replace").strip()
    if "dubious ownership" in said:
        raise UsageError(
            f"git does not trust {root}: it belongs to another user",
            hint="See safe.directory in git's documentation",
        )
    raise UsageError(
        f"{root} does not lie in a git repository", hint="--changed compares files by means of git"
    )


def _commit_of(root: Path, revision: str) -> str | None:
    done = _git(root, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    return done.stdout.decode("ascii", "replace").strip() or None


def _paths(root: Path, *arguments: str) -> frozenset[str]:
    done = _git(root, *arguments)
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip()
        raise UsageError(f"git failed in {root}: {said}", hint="Run git status there")
    return frozenset(os.fsdecode(path) for path in done.stdout.split(b"\0") if path)


def _git(root: Path, *arguments: str) -> "subprocess.CompletedProcess[bytes]":
    command: Sequence[str] = (
        "env",
        *(word for name in _MISLEADING for word in ("-u", name)),
        # A partial clone shall not fetch what it lacks.
        *("LC_ALL=C", "GIT_NO_LAZY_FETCH=1"),
        *("git", "-C", str(root), *_HARMLESS, *arguments),
    )
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            check=False,
            timeout=_SECONDS,
        )
    except subprocess.TimeoutExpired as error:
        raise UsageError(f"git did not answer in {_SECONDS:.0f} s in {root}") from error
    if done.returncode == _NOT_FOUND:
        raise UsageError("git is not installed", hint="--changed needs it")
    return done
