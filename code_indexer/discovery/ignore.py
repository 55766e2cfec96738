"""The ignore rules that hold in a folder, gathered from the files above it."""

import re
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from code_indexer.discovery.patterns import Pattern, name_expression, path_expression


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern at its place among all that hold."""

    order: int
    """A rule of a higher number wins."""
    pattern: Pattern
    base: int
    """Length of the path of the folder it is relative to, with its slash."""
    source: str
    """The file it stands in, as shown to people."""

    @property
    def description(self) -> str:
        """Where the rule stands, and what it says."""
        text = self.pattern.text.encode("latin-1").decode("utf-8", "backslashreplace")
        return f"{self.source}:{self.pattern.line}: {text}"

    def matches_name(self, name: str) -> bool:
        """Whether *name* matches the last part, when that needs an expression."""
        return name_expression(self.pattern.name).fullmatch(name) is not None

    def matches_path(self, path: str) -> bool:
        """Whether the whole *path* matches, its last part having passed the quick test."""
        pattern = self.pattern
        if pattern.by_name:
            return True
        if pattern.literal_path is not None:
            return len(path) == self.base + len(pattern.literal_path) and path.endswith(
                pattern.literal_path
            )
        return path_expression(pattern.body).fullmatch(path, self.base) is not None

    def may_match_in(self, folder: str) -> bool:
        """Whether it can match something directly in *folder* (its path, with a slash)."""
        depth = self.pattern.depth
        return folder.startswith(self.pattern.folder, self.base) and (
            depth is None or folder.count("/", self.base) == depth - 1
        )


class QuickTest(NamedTuple):
    """A name that is in none of these is mentioned by no rule."""

    literals: AbstractSet[str]
    suffixes: AbstractSet[str]
    any_glob: Callable[[str], re.Match[str] | None] | None


class RuleChain:
    """All rules that hold in a folder; the last one that matches decides.

    Paths and names are given as ``as_bytes_text`` makes them. The chain answers by looking names
    up, so that most files cost no expression at all.
    """

    __slots__ = (
        "_any_glob",
        "_count",
        "_everywhere",
        "_globs",
        "_literals",
        "_open",
        "_suffixes",
        "empty",
    )

    def __init__(self) -> None:
        self.empty = True
        self._count = 0
        # All sequences of rules have the newest first.
        self._literals: dict[str, tuple[Rule, ...]] = {}
        self._suffixes: dict[str, tuple[Rule, ...]] = {}
        self._globs: tuple[Rule, ...] = ()
        self._any_glob: Callable[[str], re.Match[str] | None] | None = None
        self._everywhere: tuple[Rule, ...] = ()
        self._open: tuple[Rule, ...] = ()

    def extended(self, patterns: Sequence[Pattern], base: str, source: str) -> "RuleChain":
        """The chain with *patterns* after its own, which are relative to the folder *base*."""
        if not patterns:
            return self
        chain = RuleChain()
        chain.empty = False
        chain._count = self._count + len(patterns)
        chain._literals = dict(self._literals)
        chain._suffixes = dict(self._suffixes)
        globs: list[Rule] = []
        everywhere: list[Rule] = []
        open_rules: list[Rule] = []
        for order, pattern in enumerate(patterns, start=self._count):
            rule = Rule(order, pattern, len(base), source)
            if pattern.name_form == "literal":
                _prepend(chain._literals, pattern.name, rule)
            elif pattern.name_form == "suffix":
                _prepend(chain._suffixes, pattern.name[pattern.name.rindex(".") :], rule)
            elif pattern.name_form == "glob":
                globs.append(rule)
            elif pattern.by_name:
                everywhere.append(rule)
            else:
                open_rules.append(rule)
        chain._globs = (*reversed(globs), *self._globs)
        chain._any_glob = _any_of(chain._globs) if globs else self._any_glob
        chain._everywhere = (*reversed(everywhere), *self._everywhere)
        chain._open = (*reversed(open_rules), *self._open)
        return chain

    def open_rules(self, folder: str) -> tuple[Rule, ...]:
        """The rules that must be tried on whatever lies directly in *folder*, newest first."""
        if not self._open:
            return self._everywhere
        live = [rule for rule in self._open if rule.may_match_in(folder)]
        return tuple(sorted((*self._everywhere, *live), key=lambda rule: -rule.order))

    def quick_test(self) -> QuickTest:
        """What ``rules_for_name`` looks names up in."""
        return QuickTest(self._literals.keys(), self._suffixes.keys(), self._any_glob)

    def rules_for_name(self, name: str) -> list[tuple[Rule, ...]]:
        """Groups of rules, newest first in each, whose last part fits *name*."""
        groups = []
        rules = self._literals.get(name)
        if rules is not None:
            groups.append(rules)
        if self._suffixes:
            dot = name.rfind(".")
            if dot >= 0:
                rules = self._suffixes.get(name[dot:])
                if rules is not None:
                    groups.append(tuple(rule for rule in rules if name.endswith(rule.pattern.name)))
        if self._any_glob is not None and self._any_glob(name) is not None:
            groups.append(tuple(rule for rule in self._globs if rule.matches_name(name)))
        return groups

    def names_something_in(self, folder: str) -> bool:
        """Whether a ``!`` rule names a path below *folder* (its path, without a slash)."""
        groups = (*self._literals.values(), *self._suffixes.values(), self._globs, self._open)
        rules = [rule for group in groups for rule in group]
        return any(
            rule.pattern.negated and not rule.pattern.by_name and _leads_into(rule, folder)
            for rule in rules
        )


class FolderRules:
    """What a chain says of the things directly in one folder."""

    __slots__ = ("_live", "chain", "folder")

    def __init__(self, chain: RuleChain, folder: str) -> None:
        self.chain = chain
        self.folder = folder
        self._live = chain.open_rules(folder)

    def quick_test(self) -> "QuickTest | None":
        """What tells at once that no rule mentions a name; None where every name is mentioned."""
        return None if self._live else self.chain.quick_test()

    def match(self, name: str, *, is_folder: bool) -> Rule | None:
        """The rule that decides over *name* in this folder."""
        if self.chain.empty:
            return None
        groups = self.chain.rules_for_name(name)
        if self._live:
            groups.append(self._live)
        best: Rule | None = None
        for rules in groups:
            for rule in rules:
                if best is not None and rule.order < best.order:
                    break
                if (is_folder or not rule.pattern.folders_only) and rule.matches_path(
                    self.folder + name
                ):
                    best = rule
                    break
        return best


def _prepend(table: dict[str, tuple[Rule, ...]], key: str, rule: Rule) -> None:
    table[key] = (rule, *table.get(key, ()))


def _any_of(rules: tuple[Rule, ...]) -> Callable[[str], re.Match[str] | None]:
    """A test whether a name fits any of the *rules*."""
    return _alternatives(tuple(sorted({rule.pattern.name for rule in rules}))).fullmatch


@lru_cache(maxsize=256)
def _alternatives(expressions: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{expression})" for expression in expressions), re.DOTALL)


def _leads_into(rule: Rule, folder: str) -> bool:
    """Whether the first parts of the rule's pattern name *folder* itself, one by one.

    A ``**`` stands for any further folders, but one at the start names none.
    """
    parts = rule.pattern.body.split("/")
    names = folder[rule.base :].split("/")
    for place, name in enumerate(names):
        if place < len(parts) and parts[place] == "**":
            return place > 0
        if place >= len(parts) - 1:
            return False
        if path_expression(parts[place]).fullmatch(name) is None:
            return False
    return parts[0] != "**"
