"""A process that parses what its parent hands it; see ``workers``."""

import os
import signal
import sys
from typing import IO

from code_indexer.indexing.jobs import PrepareOptions
from code_indexer.indexing.prepare import prepare_file
from code_indexer.indexing.workers import read_frame, write_frame


def main() -> None:
    """Answer batches until stdin closes."""
    # Ctrl-C reaches the whole group; the parent decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    output = _private_stdout()
    source = sys.stdin.buffer
    options = read_frame(source)
    if not isinstance(options, PrepareOptions):
        return
    while isinstance(batch := read_frame(source), list):
        try:
            write_frame(output, [prepare_file(job, options) for job in batch])
        except BrokenPipeError:
            return


def _private_stdout() -> IO[bytes]:
    """The protocol's stream; whatever a library prints goes to stderr instead."""
    output = os.fdopen(os.dup(1), "wb", buffering=1 << 16)
    os.dup2(2, 1)
    return output


if __name__ == "__main__":
    main()
