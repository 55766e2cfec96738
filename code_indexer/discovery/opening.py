"""How files and folders are opened here: nothing blocks, no link is followed, bytes stay bytes.

What a system does not know of these is left out; that no child inherits a descriptor is Python's
own rule.
"""

import os

NO_FOLLOW: int = getattr(os, "O_NOFOLLOW", 0)
NO_WAIT: int = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
BYTES: int = getattr(os, "O_BINARY", 0)
FOLDER: int = getattr(os, "O_DIRECTORY", 0)
ON_THE_WAY: int = getattr(os, "O_PATH", os.O_RDONLY)

BY_DESCRIPTOR = os.open in os.supports_dir_fd and os.scandir in os.supports_fd
"""Whether folders can be opened, and walked from one to the next; on Windows they cannot."""
