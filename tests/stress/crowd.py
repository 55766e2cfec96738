"""Eight processes at once on one project: searches, look-ups, additions, a watcher, reindexes,
removals that are followed by additions, while files are edited.

``python tests/stress/crowd.py --minutes 10 [--processes 8] [--seed 1] [--folder DIR]``

Two passes on one project never overlap, nobody is told of a locked database, no command ends with a
traceback or an exit code that is not documented for its situation, and every answer shows a state
that was committed: each file in one version, and none that was not written yet.
"""

import argparse
import json
import os
import random
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from index_contents import index_contents
from stress.commands import Command, forget, load_everything, say, settle_environment, start

FILES = 24
MARK = re.compile(r"(first|second)_(\d+)_v(\d+)")
BUSY, WRONG = 4, 2
# A wrong request is one about a project that another process has just removed.
ALLOWED = {
    "search": (0, WRONG),
    "symbols": (0, WRONG),
    "context": (0, WRONG),
    "status": (0, WRONG),
    "add": (0, WRONG),
    "reindex": (0, BUSY, WRONG),
    "remove": (0, BUSY, WRONG),
    "watch": (0, WRONG),
}


class Crowd:
    """Slots that each run one command after the other, beside an editor."""

    def __init__(self, base: Path, seed: int, processes: int) -> None:
        self.chance = random.Random(seed)
        self.processes = processes
        self.root = base / "project"
        self.logs = base / "logs"
        self.passes = base / "passes.log"
        self.versions = dict.fromkeys(range(FILES), 0)
        self.done: Counter[str] = Counter()
        self.busy: Counter[str] = Counter()
        self.marks = 0
        self.root.mkdir()
        for number in range(FILES):
            self._write(number)
        _note_passes(self.passes)

    def run(self, seconds: float) -> None:
        roles = ("watch", "remove", "reindex", "add", "search", "symbols", "search", "mixed")
        slots: dict[int, Command | None] = dict.fromkeys(range(self.processes))
        kinds: dict[int, str] = {}
        end = time.monotonic() + seconds
        told = time.monotonic()
        while time.monotonic() < end or any(slots.values()):
            for slot, command in slots.items():
                if command is not None and command.poll():
                    self._check(kinds[slot], command)
                    slots[slot] = None
                elif command is None and time.monotonic() < end:
                    kinds[slot] = self._kind(roles[slot % len(roles)])
                    slots[slot] = start(self._words(kinds[slot]), self.logs)
            if self.chance.random() < 0.3:
                self._write(self.chance.randrange(FILES))
            time.sleep(0.02)
            if time.monotonic() - told > 30:
                told = time.monotonic()
                say(self.summary())
        self._check_end()

    def summary(self) -> str:
        kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(self.done.items()))
        return (
            f"{self.processes} processes, {self.done.total()} commands ({kinds}),"
            f" {self.busy.total()} of them told that another is at it,"
            f" {len(self._pass_times())} passes, {self.marks} versions in answers checked"
        )

    def _kind(self, role: str) -> str:
        if role == "mixed":
            return self.chance.choice(("context", "status", "symbols", "search", "add"))
        return role

    def _words(self, kind: str) -> tuple[object, ...]:
        number = self.chance.randrange(FILES)
        project = ("--project", self.root, "--json")
        return {
            "search": ("semantic-search", f"step of module {number}", *project),
            "symbols": ("find-symbol", f"_{number}_v", *project),
            "context": ("get-code-context", f"m{number}.py", *project),
            "status": ("index-status", self.root, "--json"),
            "add": ("add-project", self.root, "--json"),
            "reindex": ("reindex-project", self.root, "--json"),
            "remove": ("remove-project", self.root, "--json"),
            "watch": ("watch", self.root, "--duration", 6),
        }[kind]

    def _write(self, number: int) -> None:
        version = self.versions[number] + 1
        filler = "".join(f"    value += {line}\n" for line in range(12))
        text = "".join(
            f"def {name}_{number}_v{version}(value):\n"
            f'    """One step of module {number}."""\n{filler}    return value\n\n\n'
            for name in ("first", "second")
        )
        path = self.root / f"m{number}.py"
        beside = path.with_name(f".m{number}.py.tmp")
        beside.write_text(text)
        self.versions[number] = version  # before it can be seen
        beside.replace(path)

    # What must hold

    def _check(self, kind: str, command: Command) -> None:
        out = command.out.read_text("utf-8", "replace")
        errors = command.err.read_text("utf-8", "replace")
        said = f"{kind} {command.words[:2]} ended with {command.code}:\n{errors}\n{out[-2000:]}"
        assert command.code in ALLOWED[kind], said
        if command.code == WRONG:
            assert "was removed meanwhile" in errors or "no project goes by" in errors, said
        for word in ("Traceback", "locked", "damaged", "no such table", "disk I/O"):
            assert word not in errors + out, said
        if command.code == 0 and kind in ("search", "symbols"):
            self._check_versions(json.loads(out), said)
        self.done[kind] += 1
        self.busy[kind] += command.code == BUSY or "indexing in progress" in errors
        forget(command)

    def _check_versions(self, document, said: str) -> None:
        """Every file in one version, and in none that nobody wrote."""
        seen: dict[int, set[int]] = {}
        for one in document["results"]:
            text = f"{one.get('symbol')} {one.get('name')} {one.get('snippet', '')}"
            for _, number, version in MARK.findall(text):
                seen.setdefault(int(number), set()).add(int(version))
        for number, versions in seen.items():
            self.marks += 1
            assert len(versions) == 1, f"two versions of m{number}.py: {versions}\n{said}"
            assert max(versions) <= self.versions[number], f"m{number}.py: {versions}\n{said}"

    def _pass_times(self) -> list[tuple[float, float, int]]:
        open_passes: dict[int, float] = {}
        passes = []
        for line in self.passes.read_text().splitlines():
            what, pid, moment = line.split()
            if what == "begin":
                assert int(pid) not in open_passes
                open_passes[int(pid)] = float(moment)
            elif int(pid) in open_passes:
                passes.append((open_passes.pop(int(pid)), float(moment), int(pid)))
        return sorted(passes)

    def _check_end(self) -> None:
        for (_, ended, one), (began, _, other) in pairwise(self._pass_times()):
            assert ended <= began, f"passes of {one} and {other} overlap"
        command = start(("add-project", self.root, "--json"), self.logs)
        assert command.wait() == 0, command.err.read_text()
        command = start(("index-status", self.root, "--json"), self.logs)
        assert command.wait() == 0, command.err.read_text()
        (status,) = json.loads(command.out.read_text())["projects"]
        index = Path(os.environ["INDEX_ROOT"])
        present = index_contents(index / status["slug"] / "manifest.db")
        names = {row[0] for one in present.values() for row in one["symbols"]}
        assert names == {
            f"{name}_{number}_v{version}"
            for number, version in self.versions.items()
            for name in ("first", "second")
        }


def _note_passes(log: Path) -> None:
    """Let every pass of a forked command write down when it began and ended.

    Within the project's lock, so that the times of two passes could only cross if both held it.
    """
    from code_indexer.indexing import index_pass

    log.touch()
    run = index_pass.run_index_pass

    def note(what: str) -> None:
        with log.open("a") as file:
            file.write(f"{what} {os.getpid()} {time.monotonic():.6f}\n")

    def noted(*arguments, **options):
        note("begin")
        try:
            return run(*arguments, **options)
        finally:
            note("end")

    index_pass.run_index_pass = noted


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    base = Path(tempfile.mkdtemp(prefix="crowd-", dir=given.folder)).resolve()
    settle_environment(base)
    load_everything()
    say(f"seed {given.seed}, folder {base}")
    crowd = Crowd(base, given.seed, given.processes)
    crowd.run(60 * given.minutes)
    say(crowd.summary())
    shutil.rmtree(base)


if __name__ == "__main__":
    main()
