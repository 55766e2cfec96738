"""The fixed words that say why a file or folder is not indexed."""

from collections.abc import Mapping

from code_indexer.types import SkippedFile

BINARY = "binary"
BUILT_IN = "built-in"
CODEINDEXIGNORE = "codeindexignore"
CREDENTIALS = "credentials"
DATA = "data"
FOLDER = "folder"
GITIGNORE = "gitignore"
INDEX_FULL = "index-full"
MINIFIED = "minified"
NAME_TOO_LONG = "name-too-long"
NESTED_CHECKOUT = "nested-checkout"
NOT_UTF8 = "not-utf8"
OUTSIDE_ROOT = "outside-root"
SKIPPED_FOLDER = "skipped-folder"
SPECIAL_FILE = "special-file"
SYMLINK = "symlink"
TOO_LARGE = "too-large"
UNDECODABLE_NAME = "undecodable-name"
UNREADABLE = "unreadable"
VANISHED = "vanished"

_BY_CONTENT = frozenset(
    {BINARY, CREDENTIALS, DATA, MINIFIED, NESTED_CHECKOUT, NOT_UTF8, TOO_LARGE, UNREADABLE}
)

REASONS: Mapping[str, str] = {
    BINARY: "not text",
    BUILT_IN: "a folder that never holds the project's own source (node_modules, .git, build, ...)",
    CODEINDEXIGNORE: "excluded by a .codeindexignore file, or by the settings",
    CREDENTIALS: "likely to hold a secret (.env, private keys, passwords)",
    DATA: "recorded or generated data (csv, svg, lock files, source maps, large JSON)",
    FOLDER: "a folder, not a file",
    GITIGNORE: "excluded by git's ignore rules",
    INDEX_FULL: "the index has reached its size limit, MAX_INDEX_BYTES",
    MINIFIED: "squeezed by a tool, not written by a person",
    NAME_TOO_LONG: "its path is longer than the system can open",
    NESTED_CHECKOUT: "another repository or worktree inside the project, a project of its own",
    NOT_UTF8: "text in another encoding than UTF-8",
    OUTSIDE_ROOT: "does not lie inside the project",
    SKIPPED_FOLDER: "of its folder only what git tracks, or a ! rule names, is indexed",
    SPECIAL_FILE: "a pipe, socket or device",
    SYMLINK: "a symbolic link; what it points to counts where it really lies",
    TOO_LARGE: "larger than the size limit",
    UNDECODABLE_NAME: "its name is not valid UTF-8",
    UNREADABLE: "the system refused to open it",
    VANISHED: "no longer there",
}
"""Every reason with its meaning in a few words."""


def is_told_by_content(skipped: SkippedFile) -> bool:
    """Whether an edit of the file or folder itself may bring it in, with no trace in its folder.

    Checkouts and environments are told by what lies in them; only the latter, of all that is built
    in, have a detail.
    """
    return skipped.reason in _BY_CONTENT or (skipped.reason == BUILT_IN and bool(skipped.detail))
