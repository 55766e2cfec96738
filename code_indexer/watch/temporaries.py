"""Names of the files that editors and tools make beside the one they write."""

import re

_TEMPORARY = re.compile(
    r"""
      .*~                                   # backups of Emacs, Vim, Kate, gedit
    | \.?\#.*                               # Emacs: locks (.#name) and autosaves (#name#)
    | \..*\.sw[a-z] | .*\.kate-swp          # swap files
    | [4-9]\d{3,5}                          # Vim probes whether it may write: 4913, 5036, ...
    | .*___jb_(?:tmp|old|bak)___            # JetBrains
    | .*\.te?mp(?:[.\-_][\w.\-]*)?          # name.tmp, name.tmp.1234.5678
    | .*\.(?:part|partial|crdownload)       # downloads
    | \.goutputstream-\w+                   # GLib
    | sed[A-Za-z0-9]{6}                     # sed -i
    | tmp[a-z0-9_]{8}                       # Python's tempfile
    | \.~lock\..*\#                         # LibreOffice
    | \.nfs[0-9a-f]{8,} | \.fuse_hidden.*   # deleted while open, on network file systems
    | \.DS_Store
    """,
    re.VERBOSE | re.DOTALL,
)


def is_editor_temporary(name: str) -> bool:
    """Whether a file of this name is there for the time of a save or an edit only.

    The file that is renamed over the real one is such a temporary; the rename itself is an event
    about the real one.
    """
    return _TEMPORARY.fullmatch(name) is not None
