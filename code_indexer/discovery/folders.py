"""A folder on the way through a project, with the ignore rules that hold in it."""

from dataclasses import dataclass
from pathlib import Path

from code_indexer.discovery.ignore import FolderRules, RuleChain
from code_indexer.discovery.patterns import as_bytes_text, parse_patterns
from code_indexer.discovery.repository import (
    Repository,
    TrackedFiles,
    excludes_setting,
    read_small_file,
    repository_around,
)

GITIGNORE = ".gitignore"
CODEINDEXIGNORE = ".codeindexignore"


@dataclass(frozen=True, slots=True)
class DiscoveryRules:
    """What is settled outside the project."""

    max_file_bytes: int = 1024 * 1024
    global_excludes: Path | None = None
    """The user's own ignore file; see ``repository.global_excludes_file``."""
    home: Path | None = None
    """What ``~`` stands for in a repository's configuration."""
    patterns: tuple[str, ...] = ()
    """Lines as of a ``.codeindexignore`` in the root, which the file itself overrules."""
    patterns_source: str = "settings"
    """Where they stand, for explanations."""


class Folder:
    """A folder of the project, relative to its root."""

    __slots__ = ("forced", "git", "key", "only_forced", "only_tracked", "own", "path", "tracked")

    def __init__(
        self,
        path: str,
        key: str,
        git: RuleChain,
        own: RuleChain,
        tracked: TrackedFiles | None,
    ) -> None:
        self.path = path
        """Relative to the root, with a slash at the end; empty for the root."""
        self.key = key
        """The same relative to the top of the repository, as ``as_bytes_text`` makes it."""
        self.git = FolderRules(git, key)
        self.own = FolderRules(own, key)
        """The rules of ``.codeindexignore`` files."""
        self.tracked = tracked
        """What git tracks, if there is a repository."""
        self.forced = False
        """``.codeindexignore`` names it, so it is entered whatever it is."""
        self.only_forced = False
        """It is skipped, but for what ``.codeindexignore`` forces in."""
        self.only_tracked = False
        """Git ignores it, but for the files it tracks (and what is forced in)."""

    def below(self, name: str, key: str) -> "Folder":
        """The folder *name* in this one; *key* is its name in bytes text."""
        return Folder(
            f"{self.path}{name}/",
            f"{self.key}{key}/",
            self.git.chain,
            self.own.chain,
            self.tracked,
        )

    def read_ignore_files(self, place: Path, names: set[str], shown: str) -> None:
        """Let the ignore files in *place* hold, of those whose names are among *names*.

        *shown* is put before their names in explanations.
        """
        if GITIGNORE in names:
            chain = extended(self.git.chain, place / GITIGNORE, self.key, shown + GITIGNORE)
            self.git = FolderRules(chain, self.key)
        if CODEINDEXIGNORE in names:
            file = place / CODEINDEXIGNORE
            chain = extended(self.own.chain, file, self.key, shown + CODEINDEXIGNORE)
            self.own = FolderRules(chain, self.key)


def extended(
    chain: RuleChain, file: Path, base: str, source: str, *, follow: bool = False
) -> RuleChain:
    """*chain* with the patterns of *file* after its own; unchanged if it cannot be read.

    Ignore files inside a working tree are not reached through symbolic links, as in git.
    """
    content = read_small_file(str(file), follow=follow)
    return chain if content is None else chain.extended(parse_patterns(content), base, source)


def root_folder(root: Path, rules: DiscoveryRules) -> Folder:
    """The root of a project, with the rules that come from above it and from the settings."""
    folder = _root_below_others(root, rules)
    if rules.patterns:
        lines = "\n".join(rules.patterns).encode("utf-8", "replace")
        patterns = parse_patterns(lines)
        chain = folder.own.chain.extended(patterns, folder.key, rules.patterns_source)
        folder.own = FolderRules(chain, folder.key)
    return folder


def excludes_file(repository: Repository | None, rules: DiscoveryRules) -> Path | None:
    """The user's own ignore file, or the one that the repository names instead."""
    if repository is not None:
        setting = excludes_setting(repository.common_folder / "config", rules.home)
        if setting is not None:
            return Path(setting) if setting else None
    return rules.global_excludes


def _root_below_others(root: Path, rules: DiscoveryRules) -> Folder:
    git = RuleChain()
    repository = repository_around(root)
    excludes = excludes_file(repository, rules)
    if excludes is not None:
        git = extended(git, excludes, "", str(excludes), follow=True)
    if repository is None:
        return Folder("", "", git, RuleChain(), None)
    exclude = repository.common_folder / "info" / "exclude"
    git = extended(git, exclude, "", ".git/info/exclude", follow=True)
    return _root_in_repository(root, repository, git)


def _root_in_repository(root: Path, repository: Repository, git: RuleChain) -> Folder:
    tracked = TrackedFiles(repository.git_folder / "index")
    folder = Folder("", "", git, RuleChain(), tracked)
    place = repository.top
    ignored = False
    for part in root.relative_to(place).parts:
        folder.read_ignore_files(place, {GITIGNORE, CODEINDEXIGNORE}, f"{place}/")
        key = as_bytes_text(part)
        rule = folder.git.match(key, is_folder=True)
        ignored = ignored or (rule is not None and not rule.pattern.negated)
        folder = folder.below(part, key)
        place /= part
    # Whoever asks for a folder that is ignored from above wants to see what is in it.
    if ignored:
        return Folder("", folder.key, git, RuleChain(), tracked)
    return Folder("", folder.key, folder.git.chain, folder.own.chain, tracked)
