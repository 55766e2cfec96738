"""``stats``: what searches cost and saved, in a small file of numbers that stays on this computer.

Neither queries nor paths are written down.
"""

import json
import os
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from code_indexer.core.results import SearchAnswer
from code_indexer.core.services import Services
from code_indexer.settings import Settings
from code_indexer.storage.database_files import make_private_folder

USAGE_FILE = "stats.jsonl"
_MAX_BYTES = 1_000_000
"""About ten thousand searches; then the older half is dropped."""
_BYTES_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class RecordedSearch:
    """The numbers of one search."""

    at: float
    """Seconds since 1970."""
    milliseconds: float
    hits: int
    shown_bytes: int
    """Of the snippets that were shown."""
    whole_bytes: int
    """Of the files that were hit, each once."""
    mode: str


@dataclass(frozen=True, slots=True)
class UsageStats:
    """All recorded searches in a few numbers."""

    searches: int
    since: float | None
    last_week: int
    without_hits: int
    lexical: int
    """Searches that were answered without vectors."""
    median_milliseconds: float
    slow_milliseconds: float
    """Nineteen of twenty searches were faster."""
    shown_tokens: int
    whole_tokens: int
    """What reading the files that were hit would have taken."""
    is_recorded: bool
    """Whether new searches are recorded (``RECORD_STATS``)."""

    @property
    def saved_tokens(self) -> int:
        """Tokens that nobody had to read."""
        return max(0, self.whole_tokens - self.shown_tokens)


def record_search(services: Services, answer: SearchAnswer, seconds: float) -> None:
    """Note a search; a note that cannot be written is no reason for anything."""
    if not services.settings.record_stats:
        return
    with suppress(OSError, ValueError):
        shown = sum(len(hit.snippet.encode("utf-8", "replace")) for hit in answer.results)
        files = {f"{hit.project}/{hit.path}" for hit in answer.results}
        note = {
            "at": round(time.time(), 3),
            "ms": round(seconds * 1000, 1),
            "hits": len(answer.results),
            "shown": shown,
            "whole": sum(map(_size, files)),
            "mode": answer.mode,
        }
        _append(usage_file(services.settings), json.dumps(note, separators=(",", ":")))


def usage_stats(services: Services, *, now: float) -> UsageStats:
    """What the recorded searches come to."""
    searches = list(_recorded(usage_file(services.settings)))
    times = sorted(one.milliseconds for one in searches)
    return UsageStats(
        searches=len(searches),
        since=min((one.at for one in searches), default=None),
        last_week=sum(one.at > now - 7 * 86_400 for one in searches),
        without_hits=sum(one.hits == 0 for one in searches),
        lexical=sum(one.mode == "lexical" for one in searches),
        median_milliseconds=times[len(times) // 2] if times else 0.0,
        slow_milliseconds=times[(len(times) * 19) // 20] if times else 0.0,
        shown_tokens=_tokens(one.shown_bytes for one in searches),
        whole_tokens=_tokens(one.whole_bytes for one in searches),
        is_recorded=services.settings.record_stats,
    )


def clear_usage(services: Services) -> None:
    """Forget all recorded searches."""
    usage_file(services.settings).unlink(missing_ok=True)


def usage_file(settings: Settings) -> Path:
    """Where searches are recorded."""
    return settings.index_root / USAGE_FILE


def _tokens(byte_counts: Iterable[int]) -> int:
    return sum(byte_counts) // _BYTES_PER_TOKEN


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size  # noqa: PTH116 - a path may hold undecodable bytes
    except OSError:
        return 0


def _append(file: Path, line: str) -> None:
    """One write at the end, which other processes cannot tear apart."""
    make_private_folder(file.parent)
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    descriptor = os.open(file, flags, 0o600)
    try:
        os.write(descriptor, f"{line}\n".encode())
        is_long = os.fstat(descriptor).st_size > _MAX_BYTES
    finally:
        os.close(descriptor)
    if is_long:
        _drop_older_half(file)


def _drop_older_half(file: Path) -> None:
    # What another process appends meanwhile is lost: a few numbers of thousands.
    lines = file.read_bytes().splitlines(keepends=True)
    beside = file.with_name(f"{file.name}.{os.getpid()}.tmp")
    beside.touch(mode=0o600)
    beside.write_bytes(b"".join(lines[len(lines) // 2 :]))
    beside.replace(file)


def _recorded(file: Path) -> Iterator[RecordedSearch]:
    try:
        lines = file.read_bytes().splitlines()
    except OSError:
        return
    for line in lines:
        with suppress(ValueError, KeyError, TypeError, RecursionError):
            note = json.loads(line)
            yield RecordedSearch(
                at=float(note["at"]),
                milliseconds=float(note["ms"]),
                hits=int(note["hits"]),
                shown_bytes=int(note["shown"]),
                whole_bytes=int(note["whole"]),
                mode=str(note["mode"]),
            )
