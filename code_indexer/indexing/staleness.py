"""Whether a project may have changed since it was last scanned."""

import os
from collections.abc import Iterable

_SLACK_NS = 1_000_000_000
"""File systems stamp with a coarser clock than ours."""


def is_within_ttl(last_scan_ns: int | None, now_ns: int, ttl_seconds: float) -> bool:
    """Whether a scan that began at *last_scan_ns* is still believed.

    A scan from the future (the clock was set back) is not.
    """
    if last_scan_ns is None:
        return False
    return 0 <= now_ns - last_scan_ns < ttl_seconds * 1e9


def is_later(moment_ns: int, since_ns: int) -> bool:
    """Whether a time in a stamp may be after *since_ns*."""
    return moment_ns >= since_ns - _SLACK_NS


def anything_touched(
    root: str, paths: Iterable[str], since_ns: int, *, neighbours: Iterable[str] = ()
) -> bool:
    """Whether a file of *paths*, or a folder that holds one, changed after *since_ns* or is gone.

    One ``lstat`` each and nothing read: cheap enough to do even within the TTL. A new file shows
    by its folder's times, and so does a rename; an edit by the file's own. Of *neighbours* only
    the folders count. Of both times the later one counts: some tools put back the first.
    """
    limit = since_ns - _SLACK_NS
    prefix = root + os.sep
    folders = {root}
    try:
        for path in paths:
            state = os.lstat(prefix + path)
            if state.st_ctime_ns >= limit or state.st_mtime_ns >= limit:
                return True
            _add_folders(folders, prefix, path)
        for path in neighbours:
            _add_folders(folders, prefix, path)
        return any(_latest_ns(os.lstat(folder)) >= limit for folder in folders)
    except OSError:
        return True


def _latest_ns(state: os.stat_result) -> int:
    return max(state.st_ctime_ns, state.st_mtime_ns)


def _add_folders(folders: set[str], prefix: str, path: str) -> None:
    parent = path.rstrip("/").rpartition("/")[0]
    while parent and (folder := prefix + parent) not in folders:
        folders.add(folder)
        parent = parent.rpartition("/")[0]
