"""How fast the installed command is: a table of figures, each a ratio or CPU seconds of this run.

usage: speed.py --repos DIR [--peer-index CMD --peer-search CMD] [--only NAME…]

DIR holds the benchmark's checkouts (each folder is one project). A peer's commands take {root} and
{query}. Everything is generated and indexed under a temporary folder.
"""

import argparse
import json
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

RUNS = 7
QUERY = "where is the token refreshed"
DEFINITION = re.compile(r"\b(?:def|class) \w+")
SOURCE = Path(__file__).parents[2] / "code_indexer"


@dataclass(frozen=True)
class Timing:
    """One command: wall and CPU seconds, its own and its children's."""

    wall: float
    cpu: float


class Bench:
    """Runs commands against an index root of its own."""

    def __init__(self, folder: Path, command: str) -> None:
        self.folder = folder
        self.command = shlex.split(command)
        self.env = {**os.environ, "INDEX_ROOT": str(folder / "index"), "STALE_TTL": "3600"}

    def run(self, *words: str, ttl: str = "3600", quiet: bool = True) -> Timing:
        """One run of the tool."""
        return timed([*self.command, *words], {**self.env, "STALE_TTL": ttl}, quiet=quiet)

    def median(self, *words: str, ttl: str = "3600", runs: int = RUNS) -> Timing:
        """The run with the median wall time."""
        return middle([self.run(*words, ttl=ttl) for _ in range(runs)])

    def answer(self, *words: str) -> dict[str, Any]:
        """What a status-like command says of the one project."""
        done = subprocess.run(
            [*self.command, *words, "--json"], env=self.env, capture_output=True, check=True
        )
        status: dict[str, Any] = json.loads(done.stdout)["projects"][0]
        return status

    def reset(self) -> None:
        """Forget all indexes."""
        shutil.rmtree(self.folder / "index", ignore_errors=True)


def timed(command: Sequence[str], env: dict[str, str], *, quiet: bool = True) -> Timing:
    """Wall and CPU seconds of a command; it must succeed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    out = subprocess.DEVNULL if quiet else None
    done = subprocess.run(command, env=env, stdout=out, stderr=subprocess.PIPE, check=False)
    wall = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"{shlex.join(command)} failed: {done.stderr.decode()[-500:]}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Timing(wall, cpu)


def middle(timings: Sequence[Timing]) -> Timing:
    """The timing with the median wall time."""
    return sorted(timings, key=lambda timing: timing.wall)[len(timings) // 2]


def row(name: str, *cells: object) -> None:
    """One line of the table."""
    print("| " + " | ".join([name, *(str(cell) for cell in cells)]) + " |", flush=True)


def seconds(timing: Timing) -> str:
    """Wall and CPU seconds in words."""
    return f"{timing.wall:.3f} s wall, {timing.cpu:.3f} s CPU"


def lines_below(root: Path) -> int:
    """Lines of all files that git would call text."""
    total = 0
    for path in root.rglob("*"):
        if path.is_file() and not path.is_symlink():
            data = path.read_bytes()
            if b"\0" not in data[:8000]:
                total += data.count(b"\n")
    return total


def copies(folder: Path, files: int) -> Path:
    """A git repository of so many real source files, each with its definitions renamed."""
    sources = [path.read_text() for path in sorted(SOURCE.rglob("*.py"))]
    for number in range(files):
        target = folder / f"part{number // 500:03d}" / f"m{number % 500:03d}.py"
        target.parent.mkdir(parents=True, exist_ok=True)
        text = sources[number % len(sources)]
        target.write_text(DEFINITION.sub(rf"\g<0>_{number}", text))
    for words in (["init", "-q"], ["add", "-A"]):
        subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)
    return folder


def start_up(bench: Bench, _: argparse.Namespace) -> None:
    """--version and --help."""
    row("`--version`", seconds(bench.median("--version")))
    row("`--help`", seconds(bench.median("--help")))


def first_index(bench: Bench, options: argparse.Namespace) -> None:
    """All checkouts, each indexed once."""
    roots = [root for root in sorted(options.repos.iterdir()) if root.is_dir()]
    lines = sum(lines_below(root) for root in roots)
    bench.reset()
    ours = [bench.run("add-project", str(root)) for root in roots]
    wall, cpu = sum(one.wall for one in ours), sum(one.cpu for one in ours)
    row(
        "first index, all checkouts",
        f"{lines:,} lines",
        f"{wall:.1f} s wall, {cpu:.1f} s CPU",
        f"{lines / cpu:,.0f} lines per CPU second",
    )
    if options.peer_index:
        peer = [
            timed(shlex.split(options.peer_index.format(root=root, query="warm")), bench.env)
            for root in roots
        ]
        peer_wall = sum(one.wall for one in peer)
        row(
            "the peer, same checkouts",
            f"{peer_wall:.1f} s wall",
            f"{sum(one.cpu for one in peer):.1f} s CPU",
            f"ours takes {wall / peer_wall:.2f} of it",
        )


def cold_query(bench: Bench, options: argparse.Namespace) -> None:
    """Cold searches within the TTL, by size of the project."""
    for name in ("laravel-framework", "rails"):
        root = options.repos / name
        if not root.is_dir():
            continue
        bench.run("add-project", str(root))
        ours = bench.median("semantic-search", QUERY, "--project", str(root))
        symbol = bench.median("find-definition", "Session", "--project", str(root))
        row(f"cold search, {name}", seconds(ours))
        row(f"cold find-definition, {name}", seconds(symbol))
        if options.peer_search:
            command = shlex.split(options.peer_search.format(root=root, query=shlex.quote(QUERY)))
            timed(command, bench.env)
            peer = middle([timed(command, bench.env) for _ in range(RUNS)])
            row(
                "the peer, the same", seconds(peer), f"ours takes {ours.wall / peer.wall:.2f} of it"
            )


def probe(bench: Bench, _: argparse.Namespace) -> None:
    """Nothing changed: the cost of noticing that, against git status."""
    base = bench.median("--version").wall
    for files in (1_000, 50_000):
        root = copies(bench.folder / f"tree{files}", files)
        bench.run("add-project", str(root))
        time.sleep(1.2)
        bench.run("find-definition", "main", "--project", str(root), ttl="0")
        git = middle(
            [timed(["git", "-C", str(root), "status", "--short"], bench.env) for _ in range(RUNS)]
        )
        within = bench.median("find-definition", "main", "--project", str(root))
        ours = bench.median("find-definition", "main", "--project", str(root), ttl="0")
        check = ours.wall - within.wall
        row(
            f"no-change check, {files:,} files",
            f"{check:.3f} s more than within the TTL",
            f"git status {git.wall:.3f} s",
            f"{check / git.wall:.2f} times",
            f"within the TTL {within.wall - base:.3f} s over --version",
        )


def one_edit(bench: Bench, _: argparse.Namespace) -> None:
    """One file edited in a project of 5,000."""
    root = copies(bench.folder / "tree5000", 5_000)
    bench.run("add-project", str(root))
    time.sleep(1.2)
    bench.run("semantic-search", QUERY, "--project", str(root), ttl="0")
    cold = bench.median("semantic-search", QUERY, "--project", str(root))
    edits = []
    for number in range(RUNS):
        with (root / "part003" / "m007.py").open("a") as file:
            file.write(f"\n\ndef added_{number}():\n    return {number}\n")
        edits.append(bench.run("semantic-search", QUERY, "--project", str(root)))
    edited = middle(edits)
    row(
        "one file edited of 5,000",
        seconds(edited),
        f"cold query {cold.wall:.3f} s",
        f"{edited.wall - cold.wall:.3f} s more",
    )


def growth(bench: Bench, options: argparse.Namespace) -> None:
    """Time, memory, disk and queries by size; the first pass is killed once and taken up again."""
    for files in options.growth:
        bench.reset()
        root = copies(bench.folder / f"growth{files}", files)
        words = ["add-project", str(root)]
        index, peak = watched(bench, words)
        chunks = bench.answer("list-projects")["chunks"]
        disk = sum(path.stat().st_size for path in (bench.folder / "index").rglob("*.db"))
        query = bench.median("semantic-search", QUERY, "--project", str(root), runs=3)
        version = bench.median("--version")
        name = some_definition(root)
        exact = bench.median("find-definition", name, "--project", str(root))
        part = bench.median("find-symbol", name[1:-1], "--project", str(root), runs=3)
        row(
            f"growth, {files:,} files, {chunks:,} chunks",
            f"index {seconds(index)}, {peak:,} MB at most",
            f"{disk / 1e6:,.0f} MB on disk",
            f"query {seconds(query)}",
            f"find-definition {exact.wall - version.wall:.3f} s, a part of a name"
            f" {part.wall - version.wall:.3f} s over --version",
        )
        bench.reset()
        watched(bench, words, kill_after=index.wall * 0.4)
        kept = bench.answer("list-projects")["files"]  # asking for more would go on with the pass
        resumed, _ = watched(bench, words)
        done = bench.answer("list-projects")["files"]
        row(
            f"killed, {files:,} files",
            f"{kept:,} files were committed, {done:,} after the next pass",
            f"which took {resumed.wall:.1f} s",
        )
        shutil.rmtree(root)


def some_definition(root: Path) -> str:
    """A name that is defined once in a tree of copies, in about the middle of it."""
    files = sorted(root.rglob("*.py"))
    for path in files[len(files) // 2 :]:
        if found := DEFINITION.findall(path.read_text()):
            return str(found[-1].split()[-1])
    raise ValueError(f"no definition below {root}")


def watched(
    bench: Bench, words: Sequence[str], *, kill_after: float | None = None
) -> tuple[Timing, int]:
    """One run, and the most memory (MB) that all of its processes together took at a time."""
    started, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(
        [*bench.command, *words],
        env=bench.env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    peak_kb = 0
    while process.poll() is None:
        peak_kb = max(peak_kb, memory_kb(process.pid))
        if kill_after is not None and time.perf_counter() - started > kill_after:
            os.killpg(process.pid, signal.SIGKILL)
        time.sleep(0.1)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Timing(time.perf_counter() - started, cpu), peak_kb // 1024


def memory_kb(session: int) -> int:
    """Proportional memory of all processes of a session: what they share counts once."""
    total = 0
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError):
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(fields[3]) == session:
                found = re.search(
                    r"^Pss:\s+(\d+)", (folder / "smaps_rollup").read_text(), re.MULTILINE
                )
                total += int(found[1]) if found else 0
    return total


PARTS: dict[str, Callable[[Bench, argparse.Namespace], None]] = {
    "start-up": start_up,
    "first-index": first_index,
    "cold-query": cold_query,
    "probe": probe,
    "one-edit": one_edit,
    "growth": growth,
}


def main() -> None:
    """Run the parts that are asked for and print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--command", default=f"{Path(sys.executable).parent}/code-indexer")
    parser.add_argument("--peer-index")
    parser.add_argument("--peer-search")
    parser.add_argument("--only", nargs="*", choices=PARTS, default=[])
    parser.add_argument("--growth", nargs="*", type=int, default=[1_000, 10_000, 100_000])
    options = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f} at the start; medians of {RUNS} runs")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), options.command)
        for name, part in PARTS.items():
            if not options.only or name in options.only:
                part(bench, options)


if __name__ == "__main__":
    main()
