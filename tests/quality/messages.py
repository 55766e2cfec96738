"""Where messages of programs are found again, their values filled in; not run by pytest.

    python tests/quality/messages.py --repos DIR [--index-root DIR] [--misses]

``--repos`` holds checkouts. Format strings near ``raise``, ``throw``, ``panic``, ``log`` and the
like are drawn from their sources (tests, examples and documentation left out), at most 25 of each
checkout, their placeholders replaced by values; each is asked for as a program would print it. The
right places are the files that hold the format string.
"""

import argparse
import random
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from code_indexer.core.asking import Scope
from code_indexer.core.projects import add_project
from code_indexer.core.queries import search_unrecorded
from code_indexer.core.search_request import SearchRequest
from code_indexer.core.services import Services
from code_indexer.settings import load_settings

TOP = 10
OF_EACH = 25
NEAR = re.compile(r"raise|throw|Error|panic|fail|abort|warn|IllegalArgument|Exception|log")
STRING = re.compile(r'(["`])((?:(?!\1)[^\\\n]|\\.){22,160})\1')
COMMENT = re.compile(r"\s*(?://|#|\*|\"\"\")")
ELSEWHERE = re.compile(r"test|spec|example|docs|bench", re.IGNORECASE)
LEAST_WORDS = 3
PLACEHOLDERS = {
    ".py": r"\{[^{}]*\}|%[sdr]",
    ".go": r"%[a-z+#]*[svdqT]",
    ".rs": r"\{[^{}]*\}",
    ".rb": r"#\{[^{}]*\}",
    ".php": r"\{?\$[\w>\[\]'-]+\}?|%s|%d",
    ".ts": r"\$\{[^{}]*\}",
    ".cs": r"\{[^{}]*\}",
    ".java": r"%[sd]",
    ".c": r"%[ldzu]*[sdu]",
    ".kt": r"\$\{[^{}]*\}|\$\w+",
    ".swift": r"\\\([^()]*\)",
    ".zig": r"\{[sd*!any]*\}",
    ".ex": r"#\{[^{}]*\}",
}
VALUES = (
    "users", "order_items", "42", "/var/app/config.json", "Foo", "com.example.Widget", "3", "'id'",
    "1024", "int", "my-topic", "10.0.0.7", "UserController", "<object at 0x7f3a>", "abc123",
)  # fmt: skip


@dataclass(frozen=True)
class Message:
    """What a program prints, and the files that may have printed it."""

    checkout: Path
    text: str
    paths: frozenset[str]


def messages_of(checkout: Path, pick: random.Random) -> Iterator[Message]:
    """Some messages of the sources of *checkout*."""
    files_of: dict[str, set[str]] = {}
    formats: list[tuple[str, str]] = []
    for path in sorted(checkout.rglob("*")):
        name = path.relative_to(checkout).as_posix()
        if path.suffix in PLACEHOLDERS and not ELSEWHERE.search(name) and path.is_file():
            for text in formats_in(path):
                files_of.setdefault(fixed_words(text, path.suffix), set()).add(name)
                formats.append((text, path.suffix))
    pick.shuffle(formats)
    chosen: set[str] = set()
    for text, suffix in formats:
        fixed = fixed_words(text, suffix)
        if fixed not in chosen and len(chosen) < OF_EACH:
            chosen.add(fixed)
            yield Message(checkout, printed(text, suffix, pick), frozenset(files_of[fixed]))


def formats_in(path: Path) -> Iterator[str]:
    """Strings with placeholders and enough words, near a word that speaks of a message."""
    lines = path.read_text(errors="replace").split("\n")
    for at, line in enumerate(lines):
        if COMMENT.match(line) or not NEAR.search(" ".join(lines[max(0, at - 2) : at + 1])):
            continue
        for match in STRING.finditer(line):
            fixed = fixed_words(match[2], path.suffix)
            if fixed != match[2] and len(re.findall(r"[A-Za-z]{2,}", fixed)) >= LEAST_WORDS:
                yield match[2]


def fixed_words(text: str, suffix: str) -> str:
    """What stays the same whatever the values."""
    return re.sub(PLACEHOLDERS[suffix], " ", text)


def printed(text: str, suffix: str, pick: random.Random) -> str:
    """The message with values in it."""
    filled = re.sub(PLACEHOLDERS[suffix], lambda _: pick.choice(VALUES), text)
    return filled.replace("\\n", " ").replace('\\"', '"').replace("\\'", "'").strip()


def rank_of(services: Services, message: Message) -> tuple[int | None, str]:
    """Where the first right file stands, if it does, and which file is first."""
    scope = Scope(projects=(str(message.checkout),), skip_stale_check=True)
    answer = search_unrecorded(services, SearchRequest(message.text, scope, limit=TOP))
    paths = [hit.path for hit in answer.results]
    found = [at for at, path in enumerate(paths, start=1) if path in message.paths]
    return found[0] if found else None, paths[0] if paths else ""


def summary(ranks: Mapping[str, list[int | None]]) -> str:
    """A table in Markdown, one row a checkout."""
    every = [rank for of_one in ranks.values() for rank in of_one]
    rows = ["| | messages | first | in the first 3 | in the first 10 |", "|---|---|---|---|---|"]
    for name, found in [*ranks.items(), ("all", every)]:
        shares = (sum(rank is not None and rank <= top for rank in found) for top in (1, 3, TOP))
        cells = " | ".join(f"{share / len(found):.3f}" for share in shares)
        rows.append(f"| {name} | {len(found)} | {cells} |")
    return "\n".join(rows)


def main() -> None:
    """Ask, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--index-root", type=Path)
    parser.add_argument("--misses", action="store_true")
    options = parser.parse_args()
    pick = random.Random(5)
    ranks: dict[str, list[int | None]] = {}
    with TemporaryDirectory() as scratch:
        root = options.index_root or Path(scratch)
        with Services(load_settings({"index_root": root})) as services:
            for checkout in sorted(path for path in options.repos.resolve().iterdir()):
                messages = list(messages_of(checkout, pick))
                if not messages:
                    continue
                add_project(services, str(checkout))
                for message in messages:
                    rank, first = rank_of(services, message)
                    ranks.setdefault(checkout.name, []).append(rank)
                    if options.misses and rank != 1:
                        print(f"{rank} {checkout.name} {message.text!r}: {first}", file=sys.stderr)
    print(summary(ranks))


if __name__ == "__main__":
    main()
