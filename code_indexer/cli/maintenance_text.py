"""What the maintenance commands print, as text and as JSON."""

from dataclasses import asdict

from code_indexer.core.configuration import Configuration
from code_indexer.rendering import visible


def configuration_document(found: Configuration) -> dict[str, object]:
    """The JSON object of ``config``."""
    return {
        "settings": {one.name: _without_name(asdict(one)) for one in found.values},
        "ignored": [asdict(one) for one in found.ignored],
        "files": list(found.files),
        "project": found.project,
    }


def configuration_text(found: Configuration) -> str:
    """A line for each setting: name, value, source, allowed values."""
    rows = [(one.name, visible(one.value) or "-", one.source, one.allowed) for one in found.values]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    widths[1] = min(widths[1], _MAX_VALUE_WIDTH)
    lines = []
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, (*widths, 0), strict=True)]
        lines.append("  ".join(cells).rstrip())
    lines += ["", *(f"read from: {visible(file, keep='')}" for file in found.files)]
    return "\n".join(lines)


_MAX_VALUE_WIDTH = 40


def _without_name(document: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in document.items() if key != "name"}
