"""Jupyter notebooks: the cells one below the other, without their outputs.

A notebook is JSON. Its lines here are those of the cells, and their places are the lines of the
file where they stand, so that a place opens in an editor.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from code_indexer.languages import LANGUAGES
from code_indexer.parsing.json_tree import JsonValue, parse_json
from code_indexer.parsing.layers import Layer, MixedDocument
from code_indexer.parsing.lines import is_blank, split_lines
from code_indexer.parsing.markdown import markdown_headings, prose_rows
from code_indexer.parsing.partition import FORCED, FREE
from code_indexer.parsing.prose import section_cuts, sections

_NEAR_BYTES = 1_000
"""Cells that stand closer in the file have little output between them, and may share a chunk."""
_CELL_LANGUAGES = {"ipython": "python", "python3": "python", "c++": "cpp", "c#": "csharp"}
_CELL_MAGIC = re.compile(r"%%(\w+)")
_MAGIC_LANGUAGES = {
    "bash": "bash",
    "sh": "bash",
    "script": "bash",
    "javascript": "javascript",
    "js": "javascript",
    "html": "html",
    "sql": "sql",
    "bigquery": "sql",
    "r": "r",
    "ruby": "ruby",
    "perl": "perl",
    "latex": "latex",
    "writefile": "python",
}
_LINE_MAGIC = re.compile(r"\s*(?:%{1,2}\w|![\w\s]|\?|[\w.]+\?+\s*$)")
_BASE64 = re.compile(r"[A-Za-z0-9+/=_-]{80,}")


@dataclass(frozen=True, slots=True)
class _Cell:
    kind: str
    lines: list[str]
    rows: list[int]
    """Where each line begins in the file, from 0."""
    extent: range
    """Where the source stands in the file, in bytes."""


def notebook_document(text: str, *, time_limit_seconds: float = 5.0) -> MixedDocument:
    """The cells of the notebook *text* as a document, or its lines if it is none."""
    notebook = parse_json(text, time_limit_seconds=time_limit_seconds)
    if notebook is None:
        return _without_base64(text)
    cells = [*_cells(notebook.objects() if notebook.damaged else _cell_objects(notebook))]
    if notebook.damaged:
        cells = _in_order(cells)
    if cells or notebook.member("cells") or notebook.member("worksheets"):
        return _joined(cells, _kernel_language(notebook))
    return _without_base64(text)


def _in_order(cells: Iterable[_Cell]) -> list[_Cell]:
    """*cells* by place; in damaged JSON one may lie in another, and then only the outer counts."""
    ordered: list[_Cell] = []
    for cell in sorted(cells, key=lambda each: each.extent.start):
        if not ordered or cell.extent.start >= ordered[-1].extent.stop:
            ordered.append(cell)
    return ordered


def _without_base64(text: str) -> MixedDocument:
    """The lines of a file that is no readable notebook, what looks like an image cut out."""
    lines = [_BASE64.sub("", line) for line in split_lines(text)]
    return MixedDocument(lines, range(1, len(lines) + 1))


def _joined(cells: Sequence[_Cell], language: str | None) -> MixedDocument:
    """The cells one below the other, a blank line between them."""
    lines: list[str] = []
    places: list[int] = []
    cuts: dict[int, float] = {}
    layers: dict[str, list[str]] = {}
    reached = 0
    for cell in cells:
        near = not lines or cell.extent.start - reached < _NEAR_BYTES
        cuts[len(lines)] = FREE if near else FORCED
        reached = cell.extent.stop
        cell_language = "markdown" if cell.kind == "markdown" else _cell_language(cell, language)
        if cell_language is not None:
            layer = layers.setdefault(cell_language, [])
            layer += [""] * (len(lines) - len(layer))
            layer += cell.lines if cell.kind == "markdown" else _without_magic(cell.lines)
        lines += [*cell.lines, ""]
        places += [row + 1 for row in [*cell.rows, cell.rows[-1]]]
    prose = layers.pop("markdown", [])
    headings = markdown_headings(prose)
    return MixedDocument(
        lines,
        places,
        [Layer(name, "\n".join(layer)) for name, layer in layers.items()],
        {**section_cuts(prose, headings, prose_rows(prose)), **cuts},
        sections(headings, len(lines)),
    )


def _cell_language(cell: _Cell, language: str | None) -> str | None:
    magic = _CELL_MAGIC.match(cell.lines[0])
    return _MAGIC_LANGUAGES.get(magic[1].lower(), language) if magic else language


def _without_magic(lines: Sequence[str]) -> list[str]:
    """*lines* with commands to the notebook itself blanked: they are not of its language."""
    return ["" if _LINE_MAGIC.match(line) else line for line in lines]


def _kernel_language(notebook: JsonValue) -> str | None:
    for part, key in (("language_info", "name"), ("kernelspec", "language")):
        value = notebook.member("metadata", part, key)
        name = value.string().lower() if value else ""
        name = _CELL_LANGUAGES.get(name, name)
        if name:
            return name if name in LANGUAGES else None
    return "python"


def _cell_objects(notebook: JsonValue) -> Iterator[JsonValue]:
    """The cells of a notebook, also of one before version 4, which has them in worksheets."""
    sheets = notebook.member("worksheets")
    for holder in [notebook, *(sheets.items() if sheets else ())]:
        cells = holder.member("cells")
        yield from cells.items() if cells else ()


def _cells(objects: Iterable[JsonValue]) -> Iterator[_Cell]:
    """Code and text that is not blank; outputs and attachments are never looked at."""
    for item in objects:
        members = item.members()
        source = members.get("source") or members.get("input")
        if "cell_type" not in members or source is None:
            continue
        kind = members["cell_type"].string()
        cell = _cell(kind, source)
        if kind in {"code", "markdown"} and not all(map(is_blank, cell.lines)):
            yield cell


def _cell(kind: str, source: JsonValue) -> _Cell:
    """A cell whose source is one string, or a list of strings that hold about a line each."""
    lines = [""]
    rows = [source.row]
    for item in source.items() or [source]:
        first, *others = item.string().replace("\r\n", "\n").split("\n")
        if not lines[-1]:
            rows[-1] = item.row
        lines[-1] += first
        lines += others
        rows += [item.row] * len(others)
    if not lines[-1] and len(lines) > 1:
        del lines[-1], rows[-1]
    return _Cell(kind, lines, rows, source.extent)
