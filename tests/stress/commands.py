"""Commands of the real command line, each in a process that is forked and so starts at once.

A program that is started afresh spends most of its time on imports; one that is forked from a
process which has them spends it where the damage could be done.
"""

import hashlib
import os
import sys
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path

FAILED = 70
"""Exit code of a command that ended with a traceback."""


@dataclass
class Command:
    """One running command."""

    words: tuple[str, ...]
    pid: int
    out: Path
    err: Path
    started: float = field(default_factory=time.monotonic)
    code: int | None = None
    ended: float = 0.0

    def poll(self) -> bool:
        """Whether it is over."""
        if self.code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self._end(status)
        return self.code is not None

    def wait(self) -> int:
        if self.code is None:
            self._end(os.waitpid(self.pid, 0)[1])
        return self.code

    def kill(self) -> bool:
        """Kill it; whether it was still running."""
        if self.poll():
            return False
        os.kill(self.pid, 9)
        return self.wait() == -9

    def _end(self, status):
        self.code = os.waitstatus_to_exitcode(status)
        self.ended = time.monotonic()


def settle_environment(base: Path) -> None:
    """No user's own state, no wait before a scan, one thread for the arithmetic."""
    for name in list(os.environ):
        if name.startswith(("OLLAMA_", "QDRANT_", "EMBED_", "STALE_", "MAX_", "WATCH_", "GIT_")):
            del os.environ[name]
    os.environ |= {
        "HOME": str(base / "home"),
        "INDEX_ROOT": str(base / "index"),
        "STALE_TTL": "0",
        "MIN_FREE_DISK": "0",
        "OPENBLAS_NUM_THREADS": "1",
    }
    (base / "home").mkdir(parents=True, exist_ok=True)


def load_everything() -> None:
    """Import what commands import, so that forked ones need not."""
    import code_indexer.cli.app
    import code_indexer.core.projects
    import code_indexer.core.queries
    import code_indexer.core.symbols
    import code_indexer.indexing.index_pass
    import code_indexer.inference.embedded
    import code_indexer.storage.embedded_vectors  # noqa: F401


def start(words, folder: Path, *, prepare=None) -> Command:
    """Start a command line; *prepare* is called in its process first."""
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{time.monotonic_ns()}"
    out, err = folder / f"{name}.out", folder / f"{name}.err"
    for path in (out, err):
        path.touch(0o600)  # it may be killed before it has opened them itself
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid:
        return Command(tuple(words), pid, out, err)
    code = FAILED
    try:
        for path, number in ((out, 1), (err, 2)):
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            os.dup2(descriptor, number)
            os.close(descriptor)
        # Where a test runner has put streams of its own in their place.
        sys.stdout, sys.stderr = (open(number, "w", closefd=False) for number in (1, 2))  # noqa: SIM115
        if prepare is not None:
            prepare()
        from code_indexer.cli.app import main

        code = main([str(word) for word in words])
    except BaseException:  # noqa: BLE001 - it must not go on in the parent's code
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def forget(command: Command) -> None:
    """Delete what it printed."""
    command.out.unlink(missing_ok=True)
    command.err.unlink(missing_ok=True)


def hash_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def say(text: str) -> None:
    """Tell whoever waits for a long run."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()
