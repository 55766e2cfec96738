"""A watcher and an MCP server that run for long, while files are edited and searched.

``python tests/stress/soak.py --minutes 60 [--folder DIR]``

Prints memory, open files, and the size of the state every so often, and ends with an error where
one of them keeps growing.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from stress.commands import say, settle_environment

FILES = 200
VERSIONS = 12
"""Texts of a file that come again and again: new ones would make the index rightly grow."""
SHOWN = "m1.py"
"""The one file that is never deleted, so that its lines can always be asked for."""
SAMPLES = 40
MEMORY_MB = 12
"""What the second half of a run may add: allocators settle slowly."""


@dataclass(frozen=True)
class Sample:
    """One look at the processes."""

    seconds: float
    watcher_kb: int
    server_kb: int
    watcher_files: int
    server_files: int
    state_kb: int

    @property
    def line(self) -> str:
        return (
            f"{self.seconds:6.0f} s  watcher {self.watcher_kb / 1024:6.1f} MB"
            f" {self.watcher_files:3} files  server {self.server_kb / 1024:6.1f} MB"
            f" {self.server_files:3} files  state {self.state_kb / 1024:6.1f} MB"
        )


class Soak:
    """The tree, the watcher, the server."""

    def __init__(self, base: Path) -> None:
        self.chance = random.Random(1)
        self.root = base / "project"
        self.root.mkdir()
        self.index = Path(os.environ["INDEX_ROOT"])
        self.edits = self.searches = self.requests = 0
        for number in range(FILES):
            self._edit(number)
        self._command("add-project")
        self.watcher = subprocess.Popen(
            [*_PYTHON, "code_indexer", "watch", str(self.root)],
            stdout=subprocess.DEVNULL,
            stderr=(base / "watch.err").open("wb"),
        )
        self.server = subprocess.Popen(
            [*_PYTHON, "code_indexer.mcp_server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=(base / "server.err").open("wb"),
        )
        client = {"name": "soak", "version": "1"}
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
        self._ask("initialize", hello)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def run(self, seconds: float) -> list[Sample]:
        started = time.monotonic()
        samples: list[Sample] = []
        while (now := time.monotonic() - started) < seconds:
            self._edit(self.chance.randrange(FILES))
            if self.edits % 2 == 0:
                self._search()
            if self.edits % 50 == 0:
                self._command("semantic-search", f"step of module {self.edits % FILES}", "-p")
            if now >= len(samples) * seconds / SAMPLES:
                samples.append(self._sample(now))
                say(samples[-1].line)
            time.sleep(0.15)
        return samples

    def close(self) -> None:
        self.server.stdin.close()
        assert self.server.wait(30) == 0
        self.watcher.terminate()
        assert self.watcher.wait(30) == 0

    def _edit(self, number: int) -> None:
        version = self.chance.randrange(VERSIONS)
        self.edits += 1
        path = self.root / f"m{number}.py"
        if path.name != SHOWN and self.chance.random() < 0.03:
            path.unlink(missing_ok=True)
            return
        body = "".join(f"    value += {line} * {version}\n" for line in range(20))
        path.write_text(
            f"def step_{number}_{version}(value):\n"
            f'    """A step of module {number}."""\n{body}    return value\n'
        )

    def _search(self) -> None:
        number = self.chance.randrange(FILES)
        self.searches += 1
        tool, arguments = self.chance.choice(
            (
                ("semantic_search", {"query": f"step of module {number}"}),
                ("find_symbol", {"name": f"step_{number}_"}),
                ("find_references", {"name": "value"}),
                ("get_code_context", {"file": SHOWN}),
                ("find_definition", {"name": f"step_{number}_1"}),
            )
        )
        self._ask(
            "tools/call", {"name": tool, "arguments": {**arguments, "project": str(self.root)}}
        )

    def _ask(self, method: str, parameters: dict) -> dict:
        self.requests += 1
        self._send({"jsonrpc": "2.0", "id": self.requests, "method": method, "params": parameters})
        while True:
            answer = json.loads(self.server.stdout.readline())
            if answer.get("id") == self.requests:
                assert not answer["result"].get("isError"), answer
                return answer["result"]

    def _send(self, message: dict) -> None:
        self.server.stdin.write(json.dumps(message).encode() + b"\n")
        self.server.stdin.flush()

    def _command(self, *words: str) -> None:
        done = subprocess.run(
            [*_PYTHON, "code_indexer", *words, str(self.root)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr

    def _sample(self, seconds: float) -> Sample:
        watcher, server = self.watcher.pid, self.server.pid
        return Sample(
            seconds,
            _memory_kb(watcher),
            _memory_kb(server),
            _open_files(watcher),
            _open_files(server),
            _size_kb(self.index),
        )


_PYTHON = (sys.executable, "-P", "-m")


def _memory_kb(pid: int) -> int:
    """Of the process and those that it started and that live on, such as the server's worker."""
    own = Path(f"/proc/{pid}/status").read_text().partition("VmRSS:")[2].split()[0]
    found = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False
    )
    total = int(own)
    for child in found.stdout.split():
        status = Path(f"/proc/{child}/status")
        if status.exists():
            total += int((status.read_text().partition("VmRSS:")[2] or "0").split()[0])
    return total


def _open_files(pid: int) -> int:
    return sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())


def _size_kb(folder: Path) -> int:
    size = 0
    for path in folder.rglob("*"):
        try:
            size += path.stat().st_size
        except FileNotFoundError:
            continue
    return size // 1024


def growth(samples: list[Sample]) -> list[str]:
    """What is larger in the last quarter than in the second, by more than its noise."""
    quarter = len(samples) // 4
    early, late = samples[quarter : 2 * quarter], samples[-quarter:]

    def median(part: list[Sample], name: str) -> float:
        return sorted(getattr(one, name) for one in part)[len(part) // 2]

    allowed = {
        "watcher_kb": MEMORY_MB * 1024,
        "server_kb": MEMORY_MB * 1024,
        "watcher_files": 4,
        "server_files": 4,
        "state_kb": 6 * 1024,
    }
    return [
        f"{name} grew from {median(early, name)} to {median(late, name)}"
        for name, most in allowed.items()
        if median(late, name) - median(early, name) > most
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    base = Path(tempfile.mkdtemp(prefix="soak-", dir=given.folder)).resolve()
    settle_environment(base)
    os.environ["STALE_TTL"] = "5"
    os.environ["WATCH_DEBOUNCE"] = "1"
    soak = Soak(base)
    samples = soak.run(60 * given.minutes)
    soak.close()
    for name in ("watch.err", "server.err"):
        assert "Traceback" not in (base / name).read_text(), (base / name).read_text()
    say(f"{soak.edits} edits, {soak.searches} searches; {growth(samples) or 'nothing grew'}")
    shutil.rmtree(base)
    if growth(samples):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
