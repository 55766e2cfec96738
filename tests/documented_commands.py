"""The command line as the documentation shows it: tables of options, and examples that are run.

``UPDATE_DOCS=1 uv run pytest tests/test_docs.py`` writes both anew into docs/cli.md.
"""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import typer

from code_indexer.cli.app import app
from code_indexer.cli.short_names import SHORT_NAMES

DOCS = Path(__file__).parent.parent / "docs"
PROGRAM = "code-indexer"
HIDDEN = {"index-in-background"}

SHOP = {
    "auth/session.py": (
        "class Session:\n"
        '    """A signed-in customer."""\n'
        "\n"
        "    def refresh_token(self, now):\n"
        '        """A new token before the old one ends."""\n'
        "        if self.expires - now < 60:\n"
        "            self.token = issue_token(self.customer)\n"
        "        return self.token\n"
        "\n"
        "\n"
        "def issue_token(customer):\n"
        "    return sign({'sub': customer.id})\n"
    ),
    "cart/total.py": (
        "from auth.session import Session\n"
        "\n"
        "\n"
        "def cart_total(items, session: Session):\n"
        "    session.refresh_token(now())\n"
        "    return sum(item.price * item.count for item in items)\n"
    ),
    "README.md": "# Shop\n\nA small shop.\n",
    "photo.bin": "\0\1\2",
}

_STEADY = (
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "2026-11-29T12:00:00Z"),
    (r"\bslug=[0-9a-f]{8}\b", "slug=1a2b3c4d"),
    (r"\bidx_[0-9a-f]{8}\b", "idx_1a2b3c4d"),
    (r"(slug: +)[0-9a-f]{8}\b", r"\g<1>1a2b3c4d"),
    (r"\b\d+(\.\d+)? (B|kB|MB|GB)\b", "96.0 kB"),
    (r"\bin \d+\.\d s\b", "in 0.2 s"),
    (r"\b\d+ ms\b", "12 ms"),
    # These grow with what the parser sees, which is not what the page is about.
    (r"((symbols|references): +)\d+", r"\g<1>9"),
)


def commands() -> dict[str, typer.core.TyperCommand]:
    """The commands that people see, by name."""
    group = typer.main.get_command(app)
    hidden = HIDDEN | set(SHORT_NAMES)
    return {name: one for name, one in group.commands.items() if name not in hidden}


def options_table(name: str) -> str:
    """A row for each argument and option of a command."""
    rows = ["| Argument or option | Meaning |", "|---|---|"]
    for one in commands()[name].params:
        if one.name == "help":
            continue
        is_argument = one.param_type_name == "argument"
        spelled = (
            one.make_metavar(None) if is_argument else ", ".join([*one.opts, *one.secondary_opts])
        )
        value = ""
        if not is_argument and not one.is_flag:
            value = f" {one.metavar or _value_words(one.type)}"
        text = (getattr(one, "help", "") or "").replace("|", "\\|")
        shown = f"{spelled}{value}".replace("|", "\\|")
        rows.append(f"| `{shown}` | {text} |")
    return "\n".join(rows) if len(rows) > 2 else "No arguments and no options."


def _value_words(kind: object) -> str:
    choices = getattr(kind, "choices", None)
    if choices:
        return "|".join(map(str, choices))
    name = str(getattr(kind, "name", "text")).upper()
    return {"STR": "TEXT", "INT": "N", "INT RANGE": "N", "FLOAT RANGE": "N"}.get(name, name)


class Shop:
    """A home folder with a small project, in which examples are run one after the other."""

    def __init__(self, home: Path) -> None:
        self._home = home
        for name, text in SHOP.items():
            path = home / "shop" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def output(self, line: str) -> str:
        """What a command prints, stderr after stdout, with what changes from run to run settled."""
        program, *arguments = shlex.split(line)
        if program != PROGRAM:
            return self._plain(line)
        environment = {
            name: value
            for name, value in os.environ.items()
            if name in ("PATH", "LANG", "SYSTEMROOT", "PYTHONPATH")
        }
        environment |= {"HOME": str(self._home), "STALE_TTL": "0", "MIN_FREE_DISK": "0"}
        done = subprocess.run(
            [sys.executable, "-P", "-m", "code_indexer", *arguments],
            cwd=self._home,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert "Traceback" not in done.stderr, done.stderr
        return self._settled(done.stdout.rstrip("\n") + "\n" + done.stderr)

    def _plain(self, line: str) -> str:
        done = subprocess.run(
            ["sh", "-c", line], cwd=self._home, capture_output=True, text=True, check=True
        )
        return self._settled(done.stdout)

    def _settled(self, text: str) -> str:
        text = text.replace(str(self._home), "/home/you")
        for pattern, steady in _STEADY:
            text = re.sub(pattern, steady, text)
        return "\n".join(line.rstrip() for line in text.strip("\n").split("\n"))


CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)
TABLE = re.compile(r"<!-- options: ([a-z-]+) -->\n.*?<!-- /options -->", re.DOTALL)


def with_sections(text: str) -> str:
    """*text* with a section for every command that has none, to be written by hand from there."""
    for name, command in commands().items():
        if f"\n## {name}\n" not in text or f"<!-- options: {name} -->" not in text:
            summary = (command.help or "").partition("\n\n")[0].replace("\n", " ")
            table = f"<!-- options: {name} -->\n<!-- /options -->"
            text = f"{text.rstrip()}\n\n## {name}\n\n{summary}\n\n{table}\n"
    return with_tables(text)


def with_tables(text: str) -> str:
    """*text* with every table of options as it is now."""
    return TABLE.sub(
        lambda found: f"<!-- options: {found[1]} -->\n{options_table(found[1])}\n<!-- /options -->",
        text,
    )


def with_outputs(text: str, shop: Shop) -> str:
    """*text* with the output of each example as it is now; a line ``…`` cuts the rest of one."""
    return CONSOLE.sub(lambda found: f"```console\n{_run(found[1], shop)}```", text)


def _run(block: str, shop: Shop) -> str:
    done = []
    for part in re.split(r"^(?=\$ )", block, flags=re.MULTILINE):
        if not part.strip():
            continue
        line, _, shown = part.partition("\n")
        output = shop.output(line.removeprefix("$ "))
        kept = shown.rstrip("\n").split("\n")
        if kept[-1] == "…":
            output = "\n".join([*output.split("\n")[: len(kept) - 1], "…"])
        done.append(f"{line}\n{output}\n" if output else f"{line}\n")
    return "".join(done)
