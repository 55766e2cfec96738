"""Whatever happens to a tree, after the next query its index equals one built from scratch."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from index_contents import index_contents

from code_indexer.core.passes import run_pass
from code_indexer.core.projects import reindex_project
from code_indexer.core.services import Services
from code_indexer.errors import ModelChangedError
from code_indexer.settings import load_settings

NAMES = ("a.py", "b.py", "c.md", "d.js", "e.h", "f.cpp", "notes.txt", "data.json")
FOLDERS = ("", "src/", "src/deep/", "lib/")
PATHS = st.builds(str.__add__, st.sampled_from(FOLDERS), st.sampled_from(NAMES))
TEXTS = st.sampled_from(
    (
        "def alpha(x):\n    return beta(x)\n\n\nclass Gamma:\n    def delta(self):\n        return 1\n",
        "def beta(x):\n    return x + 1\n",
        "# Title\n\nSome words.\n\n## Part\n\nMore words.\n",
        "function gamma(a) { return a; }\n\nclass Box { open() { return gamma(1); } }\n",
        "struct rec { int a; };\nint total(struct rec *r);\n",
        '{"name": "thing", "list": [1, 2, 3]}\n',
        "",
        "   \n\n",
        "caf\u00e9 \u8cc7\u6599\n",
        "def long_one():\n" + "".join(f"    step_{i} = {i}\n" for i in range(120)),
    )
)
GIT_OPTIONS = ("-c", "user.name=t", "-c", "user.email=t@example.invalid")
IGNORES = st.sampled_from(("", "lib/\n", "*.md\n!c.md\n", "src/*\n!src/deep/\n", "notes.*\n"))


class AnyHistory(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.base = Path(tempfile.mkdtemp())
        self.root = self.base / "project"
        self.root.mkdir()
        (self.root / "always.py").write_text("def always():\n    return True\n")
        self._git("init", "-q")
        self.services = Services(load_settings({"index_root": self.base / "index"}))
        self.project = self.services.register(str(self.root))
        self.texts_seen = set()
        self.has_been_killed = False
        """What a killed pass has embedded is not known; never too much is all that is asked."""

    def teardown(self):
        self.services.close()
        shutil.rmtree(self.base)

    @initialize()
    def first_pass(self):
        run_pass(self.services, self.project)

    @rule(path=PATHS, text=TEXTS)
    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    @rule(path=PATHS, text=TEXTS)
    def write_with_the_old_times(self, path, text):
        file = self.root / path
        if file.exists():
            state = file.stat()
            file.write_text(text)
            os.utime(file, ns=(state.st_atime_ns, state.st_mtime_ns))

    @rule(path=PATHS)
    def delete(self, path):
        (self.root / path).unlink(missing_ok=True)

    @rule(old=PATHS, new=PATHS)
    def rename(self, old, new):
        if (self.root / old).exists():
            (self.root / new).parent.mkdir(parents=True, exist_ok=True)
            (self.root / old).rename(self.root / new)

    @rule(first=st.sampled_from(("src", "lib")))
    def swap_folders(self, first):
        other = "lib" if first == "src" else "src"
        if (self.root / first).exists() and (self.root / other).exists():
            (self.root / first).rename(self.root / "aside")
            (self.root / other).rename(self.root / first)
            (self.root / "aside").rename(self.root / other)

    @rule(path=PATHS)
    def touch(self, path):
        if (self.root / path).exists():
            os.utime(self.root / path, (1, 1))

    @rule(path=PATHS, mode=st.sampled_from((0o644, 0o755, 0o400)))
    def change_mode(self, path, mode):
        if (self.root / path).exists():
            (self.root / path).chmod(mode)

    @rule(text=IGNORES, name=st.sampled_from((".gitignore", ".codeindexignore")))
    def ignore(self, text, name):
        (self.root / name).write_text(text)

    @rule(text=st.sampled_from(("", 'exclude = ["lib/"]\n', "max_file_bytes = 100\n")))
    def set_what_is_indexed(self, text):
        (self.root / ".code-indexer.toml").write_text(text)
        self._start_anew()

    @rule(branch=st.sampled_from(("one", "two")))
    def switch_branch(self, branch):
        self._git("add", "-A")
        self._git("commit", "-q", "--allow-empty", "-m", "all that there is")
        if self._git("branch", "--list", branch):
            self._git("checkout", "-q", branch)
        else:
            self._git("checkout", "-q", "-b", branch)

    @rule(milliseconds=st.integers(50, 600))
    def kill_a_pass(self, milliseconds):
        with self._pass_in_another_process() as process:
            time.sleep(milliseconds / 1000)
            process.kill()
        self.has_been_killed = True

    @rule()
    def pass_in_two_processes_at_once(self):
        known = self.texts_seen
        with self._pass_in_another_process() as one, self._pass_in_another_process() as other:
            codes = {one.wait(), other.wait()}
        assert {0} == codes
        self.texts_seen = known | self._texts()

    @rule()
    def change_the_embedded_model(self):
        """As if another release had brought another one: the next pass embeds all texts anew."""
        self._pretend_vectors_of("embedded", "another-model")
        self.texts_seen = set()

    @rule()
    def change_to_the_embedded_model(self):
        """The vectors of a server's model are not thrown away unasked; a reindex replaces them."""
        self._pretend_vectors_of("ollama", "some-model")
        if self.services.manifest(self.project).counts().embedded_chunks:
            with pytest.raises(ModelChangedError):
                run_pass(self.services, self.project)
        reindex_project(self.services, str(self.root))
        self.texts_seen = self._texts()

    @rule()
    def reindex(self):
        reindex_project(self.services, str(self.root))

    @rule()
    def raise_a_version(self):
        """As if another release had made the rows."""
        self.services.manifest(self.project).set_meta({"structure": "of another release"})

    def _pretend_vectors_of(self, engine, model):
        manifest = self.services.manifest(self.project)
        key, dimension = json.loads(manifest.meta()["embedder"])
        other = json.dumps({**json.loads(key), "engine": engine, "model": model}, sort_keys=True)
        manifest.set_meta({"embedder": json.dumps([other, dimension])})

    def _git(self, *arguments):
        # A file that cannot be read, or an ignored one in the way, is git's trouble, not ours.
        return subprocess.run(
            ["git", *GIT_OPTIONS, *arguments],
            check=False,
            cwd=self.root,
            capture_output=True,
            text=True,
        ).stdout

    def _pass_in_another_process(self):
        return subprocess.Popen(
            [sys.executable, "-m", "code_indexer", "index-status", str(self.root), "--json"],
            env={**os.environ, "INDEX_ROOT": str(self.base / "index"), "STALE_TTL": "0"},
            stdout=subprocess.DEVNULL,
        )

    def _texts(self):
        contents = index_contents(self.services.manifest_path(self.project))
        return {chunk[-1] for rows in contents.values() for chunk in rows.get("chunks", ())}

    def _start_anew(self):
        self.services.close()
        self.services = Services(load_settings({"index_root": self.base / "index"}))

    @invariant()
    def index_equals_one_built_from_scratch(self):
        report = run_pass(self.services, self.project)
        present = index_contents(self.services.manifest_path(self.project))
        with Services(load_settings({"index_root": self.base / "fresh"})) as fresh:
            again = fresh.register(str(self.root))
            run_pass(fresh, again)
            wanted = index_contents(fresh.manifest_path(again))
        shutil.rmtree(self.base / "fresh")
        assert present == wanted
        self._no_text_is_embedded_twice(present, report)

    def _no_text_is_embedded_twice(self, present, report):
        hashes = {chunk[-1] for rows in present.values() for chunk in rows.get("chunks", ())}
        new = len(hashes - self.texts_seen)
        if self.has_been_killed:
            assert report.embedded <= new
        elif self.texts_seen:
            assert report.embedded == new
        self.texts_seen |= hashes
        self.has_been_killed = False
        assert report.scanned == report.unchanged + report.added + report.changed
        assert len(present) == report.scanned


AnyHistory.TestCase.settings = settings(
    max_examples=8,
    stateful_step_count=10,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
test_any_history = AnyHistory.TestCase
