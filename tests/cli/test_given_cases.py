"""Situations that broke tools of this kind, through the command line; each named as it is given."""

import json
import os
import shutil
import subprocess
import sys

import pytest

COMMAND = [sys.executable, "-P", "-m", "code_indexer"]


@pytest.fixture
def search(project_dir, run_cli):
    def search(query, *options):
        outcome = run_cli("semantic-search", query, "--project", project_dir, "--json", *options)
        assert outcome.code == 0, outcome.err
        return outcome.json()["results"]

    return search


def functions(count):
    """A file of so many functions, each large enough to be a chunk of its own."""
    filler = "".join(f"    pad_{line} = 'padding {line}'\n" for line in range(30))
    return "".join(
        f"def fn_{n:02}():\n    return 'needle-{n:02}'\n{filler}\n\n" for n in range(count)
    )


def test_inc_01_an_edit_of_the_same_size_and_time_is_found(project_dir, write_files, search):
    write_files({"s.py": "def alpha_one():\n    return 1\n"})
    file = project_dir / "s.py"
    state = file.stat()
    assert search("alpha_one")[0]["symbol"] == "alpha_one"

    file.write_text("def bravo_two():\n    return 2\n")
    os.utime(file, ns=(state.st_atime_ns, state.st_mtime_ns))

    assert search("bravo_two")[0]["symbol"] == "bravo_two"
    assert all("alpha_one" not in hit["snippet"] for hit in search("alpha_one"))


def test_inc_04_after_renames_and_swaps_only_the_new_paths_are_there(
    project_dir, write_files, run_cli
):
    def places(name):
        found = run_cli("find-definition", name, "--project", project_dir, "--json").json()
        return [one["path"] for one in found["results"]]

    write_files({"old.py": "def moved_fn(): pass\n", "dir/d.py": "def moved_dir_fn(): pass\n"})
    assert (places("moved_fn"), places("moved_dir_fn")) == (["old.py"], ["dir/d.py"])

    (project_dir / "old.py").rename(project_dir / "new.py")
    (project_dir / "dir").rename(project_dir / "moved")
    assert (places("moved_fn"), places("moved_dir_fn")) == (["new.py"], ["moved/d.py"])

    (project_dir / "new.py").rename(project_dir / "aside")
    (project_dir / "moved" / "d.py").rename(project_dir / "new.py")
    (project_dir / "aside").rename(project_dir / "moved" / "d.py")
    assert (places("moved_fn"), places("moved_dir_fn")) == (["moved/d.py"], ["new.py"])


def test_inc_11_of_four_reindexes_at_once_one_works_and_searches_answer(
    project_dir, write_files, run_cli
):
    write_files({f"m{n}.py": functions(12) for n in range(8)})
    run_cli("add-project", project_dir)

    def start(*words):
        return subprocess.Popen(
            [*COMMAND, *map(str, words)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "STALE_TTL": "60"},
        )

    reindexes = [start("reindex-project", project_dir) for _ in range(4)]
    searches = [start("semantic-search", "needle-03", "-p", project_dir) for _ in range(4)]
    done = [(one.communicate(timeout=120), one.returncode) for one in reindexes + searches]

    said = "".join(errors for (_, errors), _ in done)
    assert ("Traceback" in said, "locked" in said) == (False, False), said
    codes = [code for _, code in done[:4]]
    assert set(codes) <= {0, 4}
    assert 0 in codes
    assert all("indexing in progress" in errors for (_, errors), code in done[:4] if code == 4)
    assert [code for _, code in done[4:]] == [0] * 4
    (status,) = run_cli("index-status", project_dir, "--json").json()["projects"]
    assert (status["state"], status["embedded_chunks"]) == ("idle", status["chunks"])


def test_lic_01_symbols_need_no_network(project_dir, write_files, tmp_path):
    write_files({"d.py": "class Svc:\n    def cached(self): pass\n"})
    words = ["find-symbol", "Svc", "--project", str(project_dir), "--json"]
    alone = ["unshare", "-rn"] if _can_unshare() else []
    home = tmp_path / "nobody"
    home.mkdir()

    done = subprocess.run(
        [*alone, *COMMAND, *words],
        capture_output=True,
        env={**os.environ, "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache")},
        timeout=60,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert [one["kind"] for one in json.loads(done.stdout)["results"]] == ["class"]
    assert list(home.iterdir()) == []


def _can_unshare():
    if shutil.which("unshare") is None:
        return False
    tried = subprocess.run(["unshare", "-rn", "true"], capture_output=True, check=False)
    return tried.returncode == 0


@pytest.mark.parametrize("columns", ["20", "80", ""])
def test_cli_01_a_long_path_is_whole_on_one_line_when_piped(
    project_dir, write_files, run_process, monkeypatch, columns
):
    path = "/".join(f"longdirname{n:02}" for n in range(9)) + "/f.py"
    write_files({path: "def far(): pass\n"})
    monkeypatch.setenv("COLUMNS", columns)

    outputs = [
        run_process("find-symbol", "far", "--project", project_dir).out,
        run_process("list-projects").out,
    ]

    assert any(path in line for line in outputs[0].splitlines())
    assert any(str(project_dir) in line for line in outputs[1].splitlines())
    assert not any("\x1b" in output for output in outputs)


def test_cli_02_square_brackets_are_text(project_dir, write_files, run_cli, search):
    code = "export default function SlugPage() { return '[bold]x[/bold]' }\n"
    write_files({"pages/[slug].tsx": code, "m.py": "def bracket_fn(a): return a['[/red]']\n"})

    assert search("SlugPage")[0]["path"] == "pages/[slug].tsx"
    assert "[bold]x[/bold]" in search("SlugPage")[0]["snippet"]
    assert [hit["path"] for hit in search("x", "--file-filter", "pages/[slug].tsx")] == [
        "pages/[slug].tsx"
    ]
    shown = run_cli("get-code-context", "pages/[slug].tsx", "--project", project_dir)
    assert "[bold]x[/bold]" in shown.out
    assert "['[/red]']" in run_cli("get-code-context", "m.py", "--project", project_dir).out


def test_cli_04_a_reader_that_goes_away_is_no_error(project_dir, write_files, run_cli):
    write_files({f"m{n}.py": functions(12) for n in range(5)})
    run_cli("add-project", project_dir)
    words = ["semantic-search", "pad", "--project", str(project_dir), "--limit", "50"]

    with subprocess.Popen(
        [*COMMAND, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        process.stdout.readline()
        process.stdout.close()
        errors = process.stderr.read()
        code = process.wait(timeout=60)

    assert (code in (0, 141), b"Traceback" in errors, b"ignored" in errors) == (True, False, False)


def test_cli_06_a_query_that_begins_with_a_dash_needs_two(project_dir, write_files, run_cli):
    write_files({"a.py": functions(2)})
    run_cli("add-project", project_dir)

    place = ("--project", project_dir)
    assert run_cli("semantic-search", *place, "--", "->next(x").code == 0
    assert run_cli("find-symbol", *place, "--", "-x").code == 0
    bare = run_cli("semantic-search", "-needle", *place)
    assert (bare.code, "--" in bare.err) == (2, True)


@pytest.mark.parametrize("command", ["semantic-search", "find-symbol", "find-references"])
@pytest.mark.parametrize("limit", ["0", "-1", "abc", "", "1.5"])
def test_cli_07_a_limit_below_one_is_a_wrong_request(
    project_dir, write_files, run_cli, command, limit
):
    write_files({"a.py": functions(2)})
    run_cli("add-project", project_dir)

    outcome = run_cli(command, "needle", "--project", project_dir, f"--limit={limit}")

    assert (outcome.code, outcome.out, "Traceback" in outcome.err) == (2, "", False)
    assert "error: " in outcome.err


@pytest.mark.parametrize("command", ["semantic-search", "find-symbol", "find-references"])
def test_cli_07_a_huge_limit_is_cut(project_dir, write_files, run_cli, command):
    write_files({"a.py": functions(2)})
    run_cli("add-project", project_dir)

    for limit in (10**9, 10**30):
        assert run_cli(command, "needle", "--project", project_dir, "--limit", limit).code == 0


@pytest.mark.parametrize(
    "words",
    [
        ("semantic-search", "good"),
        ("semantic-search", "nothing at all like it", "--file-filter", "*.nothing"),
        ("find-symbol", "good_3"),
        ("find-symbol", "nobody_has_this_name"),
        ("find-references", "good_3"),
        ("get-code-context", "good_3.py"),
        ("get-code-context", "missing.py"),
        ("semantic-search", ""),
        ("semantic-search", "x", "--language", "klingon"),
    ],
)
def test_cli_08_stdout_is_one_json_document_whatever_happens(
    project_dir, write_files, run_process, words
):
    write_files({f"good_{n}.py": f"def good_{n}(): pass\n" for n in range(4)})
    write_files({"latin.py": b"# caf\xe9\ndef lost(): pass\n"})

    for _ in range(2):  # on a fresh project, and on one that is indexed
        outcome = run_process(*words, "--project", project_dir, "--json")
        assert json.loads(outcome.out) is not None
        assert "Traceback" not in outcome.err
        assert ("error" in json.loads(outcome.out)) == (outcome.code != 0)
