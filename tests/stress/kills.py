"""SIGKILL at random moments of passes, reindexes, removals, additions and migrations.

``python tests/stress/kills.py --count 500 [--seed 1] [--folder DIR]``

After each kill: the index opens, holds what was committed, no row is an orphan or there twice. After
every few kills a command is let through: it finds all that was committed (nothing is parsed or
embedded again without need), and the index equals one built from scratch.
"""

import argparse
import os
import random
import shutil
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from index_contents import index_contents
from stress.commands import (
    FAILED,
    forget,
    hash_of,
    load_everything,
    say,
    settle_environment,
    start,
)

FILES = 70
SETTLE_EVERY = 6
ACTIONS = ("small pass", "large pass", "reindex", "removal", "migration", "killed first pass")
COPIES = 60


class KillRounds:
    """A project that is changed, worked on and killed, again and again."""

    def __init__(self, base: Path, seed: int) -> None:
        self.base = base
        self.chance = random.Random(seed)
        self.root = base / "project"
        self.other = base / "other"
        self.logs = base / "logs"
        self.index = Path(os.environ["INDEX_ROOT"])
        self.version = 0
        self.kills: Counter[str] = Counter()
        self.finished: Counter[str] = Counter()
        self.settled = 0
        self.seconds = dict.fromkeys(ACTIONS, 0.6)
        self.root.mkdir(parents=True)
        self.other.mkdir()
        (self.other / "beside.py").write_text("def beside():\n    return 1\n")
        for number in range(FILES):
            self._write(number)
        self._let_through("add-project", self.other)
        self._let_through("add-project", self.root)
        self.slug, self.other_slug = (self._slug(one) for one in (self.root, self.other))
        self.other_contents = index_contents(self._manifest(self.other_slug))

    def run(self, count: int) -> None:
        while self.kills.total() < count:
            self._round()
            if sum(self.kills.values()) % SETTLE_EVERY == 0:
                self._settle()
            if self.kills.total() % 25 == 0:
                say(self.summary())
        self._settle()

    def summary(self) -> str:
        kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(self.kills.items()))
        return f"{self.kills.total()} kills survived ({kinds}); {self.settled} comparisons"

    # One round

    def _round(self) -> None:
        action = self.chance.choice(ACTIONS)
        words, prepare = self._prepared(action)
        before = self._committed()
        command = start(words, self.logs, prepare=prepare)
        time.sleep(self.chance.uniform(0, 1.15) * self.seconds[action])
        if command.kill():
            self.kills[action] += 1
            self.seconds[action] = min(3.0, self.seconds[action] * 1.02)
        else:
            self.finished[action] += 1
            self.seconds[action] = max(
                0.02, 0.6 * self.seconds[action] + 0.4 * (command.ended - command.started)
            )
        self._check_output(command, allowed=(0, -9))
        self._check_state(action, before)
        forget(command)

    def _prepared(self, action: str):
        """The command line of an action, after the changes that give it something to do."""
        if action == "killed first pass":
            self._let_through("remove-project", self.root, allowed=(0, 2))
            return ("add-project", self.root, "--json"), None
        if action == "removal":
            return self._registered("remove-project"), None
        if action == "reindex":
            return self._registered("reindex-project"), None
        if action == "migration":
            self._registered("")
            return ("index-status", self.root, "--json"), _with_a_step_more
        self._change(3 if action == "small pass" else FILES // 2)
        return self._registered("index-status"), None

    def _registered(self, command: str):
        if self._slug(self.root) is None or not self._committed():
            self._let_through("add-project", self.root)
        return (command, self.root, "--json")

    def _change(self, count: int) -> None:
        for number in self.chance.sample(range(FILES), count):
            path = self._path(number)
            if path.exists() and self.chance.random() < 0.2:
                path.unlink()
            else:
                self._write(number)

    def _path(self, number: int) -> Path:
        return self.root / f"part{number % 7}" / f"m{number}.py"

    def _write(self, number: int) -> None:
        self.version += 1
        kept = self.chance.choice((0, 1, 2))  # texts that come again are known by their vectors
        body = "".join(
            f"def step_{number}_{part}_{self.version if part > kept else 0}(value):\n"
            f'    """Step {part} of module {number}."""\n'
            + "".join(f"    value += {line} * {part}\n" for line in range(25))
            + "    return value\n\n\n"
            for part in range(4)
        )
        path = self._path(number)
        path.parent.mkdir(exist_ok=True)
        beside = path.with_suffix(".tmp")
        beside.write_text(body)
        beside.replace(path)

    # What must hold

    def _check_output(self, command, *, allowed) -> None:
        errors = command.err.read_text("utf-8", "replace")
        bad = command.code not in allowed or "Traceback" in errors or "locked" in errors
        if bad or command.code == FAILED:
            raise AssertionError(f"{command.words} ended with {command.code}:\n{errors}")

    def _check_state(self, action: str, before) -> None:
        assert self._slug(self.other) == self.other_slug, "the registry lost another project"
        assert index_contents(self._manifest(self.other_slug)) == self.other_contents
        if action == "migration":
            self._check_migration()
        after = self._committed()
        if action not in ("removal", "killed first pass"):
            present = self._on_disk()
            lost = {
                path
                for path, content in before.items()
                if present.get(path) == content and after.get(path) != content
            }
            assert not lost, f"{action}: committed files were lost: {sorted(lost)[:5]}"
        if after:
            index_contents(self._manifest(self.slug))  # finds orphans
            self._check_rows()

    def _check_rows(self) -> None:
        from code_indexer.storage.manifest import Manifest

        with Manifest.open(self._manifest(self.slug), read_only=True) as manifest:
            damage = manifest.integrity_check()
        assert not damage, damage

    def _check_migration(self) -> None:
        """A step was done wholly or not at all; then it is undone, for the next round."""
        connection = sqlite3.connect(self._manifest(self.slug))
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_schema")}
        assert version in (1, 2, 3), version
        assert ("copy_of_chunks" in tables) == (version == 2), (version, tables)
        if version == 2:
            chunks, copies = (
                connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                for table in ("chunks", "copy_of_chunks")
            )
            assert copies == chunks * (COPIES + 1), (copies, chunks)
        connection.execute("DROP TABLE IF EXISTS copy_of_chunks")
        connection.execute("PRAGMA user_version = 1")
        connection.close()

    def _settle(self) -> None:
        """Let a pass through and compare with an index of the same files made from nothing."""
        from code_indexer.storage.locks import lock_is_held

        assert not lock_is_held(self.index / f"{self.slug}.lock"), "a dead process holds the lock"
        self._let_through("add-project", self.root)
        before, known = self._committed(), self._known_texts()
        self._change(5)
        present = self._on_disk()
        answer = self._let_through("index-status", self.root, "--json")
        (status,) = answer["projects"]
        report = status["last_pass"]
        same = sum(present.get(path) == content for path, content in before.items())
        contents = index_contents(self._manifest(self.slug))
        texts = {chunk[-1] for rows in contents.values() for chunk in rows.get("chunks", ())}
        assert status["state"] == "idle", status
        assert report["unchanged"] == same, (report, same)
        assert report["embedded"] == len(texts - known), (report, len(texts - known))
        assert contents == self._from_scratch(), "it differs from an index made from nothing"
        self.settled += 1

    def _from_scratch(self):
        """In a process of its own: this one must not open what its children inherit."""
        fresh = self.base / "fresh"
        command = start(("--index-root", fresh, "add-project", self.root), self.logs)
        command.wait()
        self._check_output(command, allowed=(0,))
        (manifest,) = fresh.glob("*/manifest.db")
        contents = index_contents(manifest)
        shutil.rmtree(fresh)
        forget(command)
        return contents

    def _let_through(self, *words, allowed=(0,)):
        import json

        words = words if "--json" in words else (*words, "--json")
        command = start(words, self.logs)
        command.wait()
        self._check_output(command, allowed=allowed)
        document = json.loads(command.out.read_text())
        forget(command)
        return document

    # Looking into the state

    def _manifest(self, slug: str) -> Path:
        return self.index / slug / "manifest.db"

    def _slug(self, root: Path) -> str | None:
        connection = sqlite3.connect(f"file:{self.index / 'registry.db'}?mode=rw", uri=True)
        row = connection.execute(
            "SELECT slug FROM projects WHERE root = ?", (os.fsencode(root),)
        ).fetchone()
        connection.close()
        return row and row[0]

    def _rows(self, sql: str) -> list[tuple]:
        if not self._manifest(self.slug).exists():
            return []
        # For writing: killed while it was made, a database has to be rolled back first.
        connection = sqlite3.connect(f"file:{self._manifest(self.slug)}?mode=rw", uri=True)
        try:
            return connection.execute(sql).fetchall()
        except sqlite3.OperationalError as error:  # killed before the first step
            if "no such table" not in str(error):
                raise
            return []
        finally:
            connection.close()

    def _committed(self) -> dict[str, str]:
        return {
            os.fsdecode(path): content
            for path, content in self._rows("SELECT path, content_hash FROM files")
        }

    def _known_texts(self) -> set[bytes]:
        chunks = "SELECT text_hash FROM chunks UNION SELECT text_hash FROM spare_vectors"
        return {row[0] for row in self._rows(chunks)}

    def _on_disk(self) -> dict[str, str]:
        return {str(path.relative_to(self.root)): hash_of(path) for path in self.root.rglob("*.py")}


def _copy_chunks(connection) -> None:
    connection.execute("CREATE TABLE copy_of_chunks AS SELECT * FROM chunks")
    for _ in range(COPIES):
        connection.execute("INSERT INTO copy_of_chunks SELECT * FROM chunks")


def _drop_copy(connection) -> None:
    connection.execute("DROP TABLE copy_of_chunks")


def _with_a_step_more() -> None:
    """Two steps that only this test knows."""
    import code_indexer.storage.manifest as module

    module.MANIFEST_STEPS = (*module.MANIFEST_STEPS, _copy_chunks, _drop_copy)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    base = Path(tempfile.mkdtemp(prefix="kills-", dir=given.folder)).resolve()
    settle_environment(base)
    load_everything()
    say(f"seed {given.seed}, folder {base}")
    rounds = KillRounds(base, given.seed)
    rounds.run(given.count)
    say(rounds.summary())
    shutil.rmtree(base)


if __name__ == "__main__":
    main()
