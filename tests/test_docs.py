"""The documentation says what is there: commands, options, settings, exit codes, links, output."""

import os
import re
from pathlib import Path

import pytest
from documented_commands import DOCS, Shop, commands, with_outputs, with_sections, with_tables

from code_indexer import errors
from code_indexer.settings import RULES

UPDATE = "run: UPDATE_DOCS=1 uv run pytest tests/test_docs.py"
ROOT = DOCS.parent
PAGES = sorted([ROOT / "README.md", *DOCS.rglob("*.md")])
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")
_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)


def _updated(page: Path, text: str) -> str:
    if os.environ.get("UPDATE_DOCS"):
        page.write_text(text, encoding="utf-8")
    return page.read_text(encoding="utf-8")


def _anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in headings}


def test_every_command_has_a_section_and_a_table():
    page = DOCS / "cli.md"
    wanted = with_sections(page.read_text(encoding="utf-8"))

    assert wanted == _updated(page, wanted), UPDATE


def test_every_table_of_options_is_as_the_program_has_it():
    page = DOCS / "cli.md"
    wanted = with_tables(page.read_text(encoding="utf-8"))

    assert wanted == _updated(page, wanted), UPDATE


def test_every_example_prints_what_the_page_shows(tmp_path):
    page = DOCS / "cli.md"
    wanted = with_outputs(page.read_text(encoding="utf-8"), Shop(tmp_path))

    assert wanted == _updated(page, wanted), UPDATE


@pytest.mark.parametrize("name", sorted(commands()))
def test_every_command_has_a_help_text_with_an_example_and_documented_options(name):
    command = commands()[name]
    text = command.help or ""

    assert f"code-indexer {name}" in text.partition("Example")[2]
    assert [] == [one.name for one in command.params if not getattr(one, "help", "")]


def test_every_setting_is_documented_with_its_default():
    text = (DOCS / "configuration.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \|(.*)$", text, re.MULTILINE))

    assert list(RULES) == list(rows)
    for name, rule in RULES.items():
        default = rule.shown(rule.default) if rule.default not in (None, "", ()) else "–"
        assert name == "index_root" or f"| {default} |" in rows[name], name
        assert ("yes" if rule.from_project else "") == rows[name].split("|")[0].strip(), name


def test_every_exit_code_is_documented():
    text = (DOCS / "exit-codes.md").read_text(encoding="utf-8")
    kinds = [one for one in vars(errors).values() if isinstance(one, type)]
    codes = {one.exit_code for one in kinds if issubclass(one, errors.CodeIndexerError)}

    assert {0, 130} | codes == {
        int(code) for code in re.findall(r"^\| (\d+) \|", text, re.MULTILINE)
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    text = _CODE.sub("", page.read_text(encoding="utf-8"))
    broken = []
    for link in (one or other for one, other in _LINK.findall(text)):
        if re.match(r"[a-z]+:", link):
            continue
        place, _, anchor = link.partition("#")
        target = page.parent / place if place else page
        if not target.exists() or (anchor and anchor not in _anchors(target)):
            broken.append(link)

    assert [] == broken


def test_every_page_can_be_reached_from_the_index():
    seen: set[Path] = set()
    waiting = [DOCS / "index.md"]
    while waiting:
        page = waiting.pop().resolve()
        if page in seen or page.suffix != ".md":
            continue
        seen.add(page)
        text = page.read_text(encoding="utf-8")
        links = [one or other for one, other in _LINK.findall(text)]
        places = {link.partition("#")[0] for link in links if not re.match(r"[a-z]+:", link)}
        waiting += [page.parent / place for place in places if place]

    assert [] == [str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md") if page not in seen]


def test_the_files_that_contributors_are_sent_to_exist():
    text = (DOCS / "contributing.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:code_indexer|tests|core|cli|inference|storage)/[^` ]*)`", text))
    missing = [
        place
        for place in sorted(named)
        for pattern in [re.sub(r"<\w+>", "*", place).rstrip("/")]
        if not [*ROOT.glob(pattern), *(ROOT / "code_indexer").glob(pattern)]
    ]

    assert len(named) > 20
    assert [] == missing


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_that_pages_show_exist(page):
    from code_indexer.cli.short_names import SHORT_NAMES

    text = page.read_text(encoding="utf-8")
    blocks = "\n".join(re.findall(r"```(?:sh|console)\n(.*?)```", text, re.DOTALL))
    shown = set(re.findall(r"^(?:\$ )?code-indexer ([a-z][a-z-]+)", blocks, re.MULTILINE))

    assert set() == shown - commands().keys() - SHORT_NAMES.keys() - {"serch"}
