"""Draw the plots of docs/benchmarks.md from its own figures, and the rooms from the import contract.

uv run python tests/plots.py [--folder DOCS]
"""

import argparse
import ast
import math
import re
import textwrap
import tomllib
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "benchmarks.md"
_WIDTH = 760
_FONT = "font-family='ui-sans-serif, Helvetica, Arial, sans-serif'"
_INK, _FAINT, _OURS, _OTHERS, _PAPER = "#1f2933", "#66727f", "#2f6f9f", "#b8c4ce", "#ffffff"
_ROW, _LABELS = 22, 210


# -- bars -----------------------------------------------------------------------------------------


def bars(title, rows, *, unit="", most=None, ours=()):
    """A bar for each (label, value): those named in *ours* stand out."""
    most = most or max(abs(value) for _, value in rows)
    height = 46 + _ROW * len(rows) + 10
    parts = [_text(16, 27, title, size=15, weight=600)]
    for at, (label, value) in enumerate(rows):
        y = 46 + _ROW * at
        length = max(1, round(abs(value) / most * (_WIDTH - _LABELS - 90)))
        colour = _OURS if not ours or label in ours else _OTHERS
        parts += [
            _text(_LABELS - 8, y + 12, label, anchor="end"),
            f"<rect x='{_LABELS}' y='{y}' width='{length}' height='16' rx='2' fill='{colour}'/>",
            _text(_LABELS + length + 6, y + 12, f"{value:.3f}{unit}", colour=_FAINT),
        ]
    return _svg(height, parts, title)


def curves(title, panels):
    """Beside each other one curve for each (label, points), both axes logarithmic."""
    width, top, height = (_WIDTH - 32) / len(panels), 70, 150
    parts = [_text(16, 27, title, size=15, weight=600)]
    for at, (label, points) in enumerate(panels):
        left = 16 + at * width
        places = [
            (left + 30 + x * (width - 100), top + height * (1 - y))
            for x, y in _on_unit_square(points)
        ]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts += [
            _text(left, 50, label, weight=600),
            f"<polyline points='{line}' fill='none' stroke='{_OURS}' stroke-width='2'/>",
        ]
        for (x, y), (chunks, value) in zip(places, points, strict=True):
            parts += [
                f"<circle cx='{x:.1f}' cy='{y:.1f}' r='3.5' fill='{_OURS}'/>",
                _text(round(x + 7), round(y + 4), f"{value:,g}"),
                _text(round(x), top + height + 22, f"{chunks:,.0f}", anchor="middle", size=10),
            ]
    return _svg(top + height + 36, parts, title)


def _on_unit_square(points):
    logs = [(math.log10(x), math.log10(y)) for x, y in points]
    least_x, least_y = (min(one[axis] for one in logs) for axis in (0, 1))
    span = max(x for x, _ in logs) - least_x
    # One measure for both axes: what grows like the tree does rises at half a right angle.
    return [((x - least_x) / span, (y - least_y) / span) for x, y in logs]


def _text(x, y, words, *, size=12, anchor="start", colour=_INK, weight=400):
    return (
        f"<text x='{x}' y='{y}' font-size='{size}' fill='{colour}' text-anchor='{anchor}'"
        f" font-weight='{weight}' {_FONT}>{escape(words)}</text>"
    )


def _svg(height, parts, title):
    body = "\n".join(parts)
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {_WIDTH} {height}' role='img'>\n"
        f"<title>{escape(title)}</title>\n"
        f"<rect width='{_WIDTH}' height='{height}' rx='6' fill='{_PAPER}'/>\n{body}\n</svg>\n"
    )


# -- what the page says ---------------------------------------------------------------------------


def benchmark_plots(page):
    """File name to SVG, from the text of docs/benchmarks.md."""
    return {
        "answers.svg": bars(
            "NDCG@10, 420 queries on 21 repositories", _answers(page), most=1, ours=["code-indexer"]
        ),
        "by-language.svg": bars("NDCG@10 by language", _by_language(page), most=1),
        "stages.svg": bars("What NDCG@10 loses without each stage", _stages(page)),
        "speed.svg": bars(
            "A cold search, seconds",
            _speed(page),
            unit=" s",
            ours=[label for label, _ in _speed(page)[::2]],
        ),
        "growth.svg": curves("By number of chunks, both axes logarithmic", _growth(page)),
    }


def _answers(page):
    ours = _found(r"\| \*\*overall\*\* \| \d+ \| \*\*([\d.]+)\*\*", page)
    words = page.replace("\n", " ")
    others = {
        "semble, hybrid (published)": r"([\d.]+) is its published figure",
        "semble, BM25 and rules": r"semble [\d.]+ with its BM25 and ranking rules ([\d.]+)",
        "BM25 over line chunks": r"BM25 over line chunks ([\d.]+)",
        "ripgrep": r"ripgrep ([\d.]+)",
    }
    return [
        ("code-indexer", float(ours[1])),
        *((label, float(_found(pattern, words)[1])) for label, pattern in others.items()),
    ]


def _by_language(page):
    words = _found(r"By language: (.*?)\.\n", page, re.DOTALL)[1]
    rows = re.findall(r"([A-Za-z#+]+) ([01]\.\d+)", words)
    return sorted(((name, float(value)) for name, value in rows), key=lambda row: -row[1])


def _stages(page):
    rows = re.findall(r"^\| (all stages|without [\w ]+) \| ([\d.]+) \|", page, re.MULTILINE)
    whole = float(dict(rows)["all stages"])
    losses = [(label, round(whole - float(value), 3)) for label, value in rows[1:]]
    return sorted((row for row in losses if row[1] >= 0.005), key=lambda row: -row[1])


def _speed(page):
    rows = re.findall(
        r"^\| cold search, (\S+) \| ([\d.]+) s \| the peer's ([\d.]+) s", page, re.MULTILINE
    )
    return [
        (f"{label}: {who}", float(value))
        for label, ours, theirs in rows
        for who, value in (("code-indexer", ours), ("the peer", theirs))
    ]


def _growth(page):
    """For each column of the table of growth its values, with the chunks that they belong to."""
    rows = re.findall(
        r"^\| [\d,]+ \| ([\d,]+) \| ([\d.]+) s \| [\d,]+ MB \| ([\d,]+) MB \| ([\d.]+) s",
        page,
        re.MULTILINE,
    )
    numbers = [[float(cell.replace(",", "")) for cell in row] for row in rows]
    titles = ("first index, s", "on disk, MB", "cold search, s")
    return [
        (title, [(row[0], row[at]) for row in numbers]) for at, title in enumerate(titles, start=1)
    ]


def _found(pattern, text, flags=0):
    match = re.search(pattern, text, flags)
    assert match, f"docs/benchmarks.md no longer holds {pattern!r}: mend tests/plots.py"
    return match


# -- the rooms ------------------------------------------------------------------------------------


def rooms():
    """The layers of the import contract from above to below, each a list of rooms."""
    configuration = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = configuration["tool"]["importlinter"]["contracts"]
    layers = next(one["layers"] for one in contracts if one["id"] == "layers")
    return [[name.strip(" ()") for name in layer.split("|")] for layer in layers]


def architecture():
    """A box for each room with its own first sentence; imports go from above to below."""
    title = "The rooms of code_indexer: imports point down only"
    parts = [_text(16, 27, title, size=15, weight=600)]
    y = 44
    for layer in rooms():
        width = (_WIDTH - 32 - 10 * (len(layer) - 1)) / len(layer)
        boxes = [_wrapped(_first_sentence(name), width) for name in layer]
        height = 26 + 15 * max(map(len, boxes))
        for at, (name, lines) in enumerate(zip(layer, boxes, strict=True)):
            x = 16 + at * (width + 10)
            parts.append(
                f"<rect x='{x:.0f}' y='{y}' width='{width:.0f}' height='{height}' rx='4'"
                f" fill='#eef3f7' stroke='{_OTHERS}'/>"
            )
            parts.append(_text(round(x) + 10, y + 18, name, size=13, weight=600, colour=_OURS))
            parts += [
                _text(round(x) + 10, y + 33 + 15 * row, line, colour=_FAINT)
                for row, line in enumerate(lines)
            ]
        y += height + 8
    return _svg(y + 6, parts, title)


def _wrapped(sentence, width):
    return textwrap.wrap(sentence, max(12, int((width - 20) / 6.1)))


def _first_sentence(name):
    package = ROOT / "code_indexer" / name
    file = package / "__init__.py" if package.is_dir() else package.with_suffix(".py")
    text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return text.split("\n\n")[0].replace("\n", " ").rstrip(".")


def drawn():
    """File name in docs/ to SVG."""
    return {"architecture.svg": architecture(), **benchmark_plots(PAGE.read_text(encoding="utf-8"))}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=ROOT / "docs")
    folder = parser.parse_args().folder
    for name, svg in drawn().items():
        (folder / name).write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
