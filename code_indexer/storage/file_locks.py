"""The lock that the kernel keeps on an open file, and lets go of when its holder dies."""

import errno
import os
import sys

if sys.platform == "win32":
    import msvcrt

    _PLACE = 1 << 30
    """The byte that is locked; nobody else can read it, so it lies beyond the note in the file."""

    def take_lock(descriptor: int, *, shared: bool = False) -> None:
        """Lock the file behind *descriptor* at once, until it is closed.

        Windows knows no shared locks of this kind: a probe holds it alone, for a moment.

        Raises:
            BlockingIOError: Another process holds it.
            OSError: The file system has no locks.
        """
        del shared
        os.lseek(descriptor, _PLACE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            if error.errno in (errno.EACCES, errno.EDEADLK):
                raise BlockingIOError(error.errno, error.strerror) from error
            raise

else:
    import fcntl

    def take_lock(descriptor: int, *, shared: bool = False) -> None:
        """Lock the file behind *descriptor* at once, until its last copy is closed.

        Raises:
            BlockingIOError: Another process holds it.
            OSError: The file system has no locks.
        """
        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
