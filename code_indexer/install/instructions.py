"""A short block in AGENTS.md, CLAUDE.md and the like, between two marks."""

import re

START = "<!-- code-indexer: start -->"
END = "<!-- code-indexer: end -->"

# A mark that lost its other one is words of the user, and so is what follows it.
_BLOCK = re.compile(
    f"{re.escape(START)}(?:(?!{re.escape(START)}).)*?{re.escape(END)}(?:\r?\n)?", re.DOTALL
)

TEXT = """\
## Finding code

The MCP server `code-indexer` knows this code and is always up to date; it needs no indexing step.

- `semantic_search`: where something is done, when you know what it does but not what it is called.
- `find_definition`, `find_symbol`: where a name is defined.
- `find_references`: who calls, inherits, includes or mentions a name, before you change it.
- `get_code_context`: the lines around a place or of a symbol, instead of reading a whole file.

Search for exact text with grep; use these tools for everything else before you open files.
"""


def with_block(text: str) -> str:
    """*text* with the block: in its old place, or at the end after a blank line."""
    newline = "\r\n" if "\r\n" in text else "\n"
    block = f"{START}\n{TEXT}{END}\n".replace("\n", newline)
    if has_block(text):
        return _BLOCK.sub(lambda _: block, text, count=1)
    if not text:
        return block
    return text + ("" if text.endswith("\n") else newline) + newline + block


def without_block(text: str) -> str:
    """*text* without the block and the blank line before it."""
    found = _BLOCK.search(text)
    if found is None:
        return text
    before = text[: found.start()]
    shorter = before.removesuffix("\r\n")
    return (shorter if shorter != before else before.removesuffix("\n")) + text[found.end() :]


def has_block(text: str) -> bool:
    """Whether the block is there."""
    return _BLOCK.search(text) is not None
