"""Places in stack traces and messages of tools: a file, a line, and what the frame is called."""

import re
from collections.abc import Iterator
from dataclasses import replace

from code_indexer.ranking.question import PathMention

_PLACE = re.compile(
    r"(?:File \"(?P<quoted>[^\"\n]+)\"|(?<![\w./@~+\\-])(?P<path>[\w./@~+\\-]+\.[A-Za-z]\w{0,4}))"
    r"(?::(?:line )?|\(|,? (?:on |at )?line )(?P<line>\d{1,9})\b"
)
_START = re.compile(
    r"^\s*(?:at |#\d+ |File \"|from /|goroutine \d+|panic:|Traceback)", re.MULTILINE
)
_IDENTIFIER = re.compile(r"\b[^\W\d]\w*[!?]?")
_LAST_IS_INNERMOST = re.compile(r"^Traceback \(most recent call last\)", re.MULTILINE)
_MAX_NAMES = 12
_AROUND = 200


def has_frames(text: str) -> bool:
    """Whether *text* reads like a stack trace."""
    return _START.search(text) is not None and _PLACE.search(text) is not None


def frames_of(text: str) -> list[PathMention]:
    """The places with line numbers in *text*, the innermost first."""
    places: dict[tuple[str, int | None], PathMention] = {}
    for frame in _in_order(text):
        known = places.get((frame.path, frame.line), frame)
        names = tuple(dict.fromkeys((*known.names, *frame.names)))
        places[frame.path, frame.line] = replace(frame, names=names)
    found = list(places.values())
    return found[::-1] if _LAST_IS_INNERMOST.search(text) else found


def lines_beside_frames(text: str) -> list[str]:
    """The lines of a trace that name no place: the message, and code that the trace shows."""
    return [line for line in text.splitlines() if _PLACE.search(line) is None]


def _in_order(text: str) -> Iterator[PathMention]:
    before = ""
    for line in text.splitlines():
        for place in _PLACE.finditer(line):
            start, end = place.span()
            rest = f"{line[max(0, start - _AROUND) : start]} {line[end : end + _AROUND]}"
            # Go and Rust write the name of the function on the line above its place.
            named = rest if len(_IDENTIFIER.findall(rest)) > rest.count("at ") else before
            names = _IDENTIFIER.findall(named)[-_MAX_NAMES:]
            yield PathMention(
                place["quoted"] or place["path"], int(place["line"]), tuple(dict.fromkeys(names))
            )
        before = line
