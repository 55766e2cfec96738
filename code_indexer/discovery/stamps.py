"""Stat stamps: what they hold, and when they vouch for a file's content."""

import os

from code_indexer.types import FileStamp

_SECOND = 1_000_000_000


def stamp_of(status: os.stat_result, observed_ns: int) -> FileStamp:
    """The stamp of a file whose status was asked at *observed_ns*, or after."""
    return FileStamp(
        size=status.st_size,
        mtime_ns=status.st_mtime_ns,
        ctime_ns=status.st_ctime_ns,
        inode=status.st_ino,
        observed_ns=observed_ns,
    )


def same_status(recorded: FileStamp, present: FileStamp) -> bool:
    """Whether the system says the same of a file as before."""
    return (
        recorded.mtime_ns == present.mtime_ns
        and recorded.ctime_ns == present.ctime_ns
        and recorded.size == present.size
        and recorded.inode == present.inode
    )


def stamp_is_trusted(recorded: FileStamp, present: FileStamp) -> bool:
    """Whether the content recorded with *recorded* can be taken as unchanged without reading it.

    A file that was written in the second in which it was observed may have been written again in
    the same tick of the clock, without a trace in the stamp.
    """
    observed_second = recorded.observed_ns // _SECOND
    return (
        same_status(recorded, present)
        and recorded.mtime_ns // _SECOND < observed_second
        and recorded.ctime_ns // _SECOND < observed_second
    )
