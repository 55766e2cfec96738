"""What no path of an index tells of is noticed all the same, by a query soon after the last scan."""

import os
import subprocess
import time

import pytest

from code_indexer.core.freshness import ensure_fresh
from code_indexer.core.projects import add_project
from code_indexer.core.services import Services
from code_indexer.indexing import staleness
from code_indexer.settings import load_settings

CODE = "def bravo():\n    return 2\n"


@pytest.fixture(autouse=True)
def believed(monkeypatch, tmp_path):
    """Scans are believed for long, and times of files are taken as they are, without slack."""
    monkeypatch.setenv("STALE_TTL", "600")
    monkeypatch.setattr(staleness, "_SLACK_NS", 0)
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return home


def git(folder, *arguments):
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True)


def look(project_dir):
    """How the next query of another process finds the project, and what it holds then."""
    with Services(load_settings()) as services:
        project = services.project_at(str(project_dir))
        state = ensure_fresh(services, project).state
        return state, services.manifest(project).paths(100)


def indexed(project_dir):
    with Services(load_settings()) as services:
        add_project(services, str(project_dir))
    state, paths = look(project_dir)
    assert state == "unchecked"
    time.sleep(0.02)  # the clock that stamps files ticks more coarsely than ours
    return paths


@pytest.mark.parametrize("folder", ["new", "src/new/deep"])
def test_the_first_file_of_an_empty_folder(project_dir, write_files, folder):
    write_files({"src/a.py": CODE})
    (project_dir / folder).mkdir(parents=True)
    indexed(project_dir)

    write_files({f"{folder}/b.py": CODE})

    assert look(project_dir) == ("fresh", sorted(["src/a.py", f"{folder}/b.py"]))


def test_more_empty_folders_than_are_remembered(project_dir, write_files, monkeypatch):
    monkeypatch.setattr("code_indexer.indexing.index_pass._EMPTY_FOLDERS", 1)
    write_files({"a.py": CODE})
    (project_dir / "one").mkdir()
    (project_dir / "two").mkdir()
    with Services(load_settings()) as services:
        add_project(services, str(project_dir))

    write_files({"two/b.py": CODE})

    assert look(project_dir) == ("fresh", ["a.py", "two/b.py"])


def test_a_file_in_a_folder_whose_time_was_put_back(project_dir, write_files):
    write_files({"src/a.py": CODE})
    before = (project_dir / "src").stat()
    indexed(project_dir)

    write_files({"src/b.py": CODE})
    os.utime(project_dir / "src", ns=(before.st_atime_ns, before.st_mtime_ns))

    assert look(project_dir) == ("fresh", ["src/a.py", "src/b.py"])


@pytest.mark.parametrize("folder", ["", "lib/"])
def test_an_ignore_file_that_is_ignored_itself(project_dir, write_files, folder):
    write_files({f"{folder}.gitignore": "*\n!a.py\n", f"{folder}a.py": CODE, f"{folder}b.py": CODE})
    assert indexed(project_dir) == [f"{folder}a.py"]

    write_files({f"{folder}.gitignore": "*\n!*.py\n"})

    assert look(project_dir) == ("fresh", [f"{folder}a.py", f"{folder}b.py"])


def test_an_ignore_file_above_the_project(project_dir, write_files):
    git(project_dir, "init", "-q")
    write_files({".gitignore": "b.py\n", "part/a.py": CODE, "part/b.py": CODE})
    assert indexed(project_dir / "part") == ["a.py"]

    write_files({".gitignore": "\n"})

    assert look(project_dir / "part") == ("fresh", ["a.py", "b.py"])


def test_what_git_is_told_to_exclude(project_dir, write_files):
    git(project_dir, "init", "-q")
    write_files({"a.py": CODE, "b.py": CODE})
    indexed(project_dir)

    (project_dir / ".git" / "info" / "exclude").write_text("b.py\n")

    assert look(project_dir) == ("fresh", ["a.py"])


def test_an_ignored_file_that_git_tracks_from_now_on(project_dir, write_files):
    git(project_dir, "init", "-q")
    write_files({".gitignore": "lib/\n", "a.py": CODE, "lib/b.py": CODE})
    indexed(project_dir)

    git(project_dir, "add", "-f", "lib/b.py")

    assert look(project_dir) == ("fresh", [".gitignore", "a.py", "lib/b.py"])


def test_the_excludes_of_the_user(project_dir, write_files, believed):
    write_files({"a.py": CODE, "b.py": CODE})
    indexed(project_dir)

    (believed / ".config" / "git").mkdir(parents=True)
    (believed / ".config" / "git" / "ignore").write_text("b.py\n")

    assert look(project_dir) == ("fresh", ["a.py"])


def test_a_setting_that_selects_files(project_dir, write_files, monkeypatch):
    write_files({"a.py": CODE, "b.py": CODE * 20})
    indexed(project_dir)

    monkeypatch.setenv("MAX_FILE_BYTES", "100")

    assert look(project_dir) == ("fresh", ["a.py"])


def test_a_limit_that_lets_more_in_where_nothing_else_has_changed(
    project_dir, write_files, monkeypatch
):
    monkeypatch.setattr("code_indexer.indexing.index_pass._FINGERPRINT_FILES", 1)
    monkeypatch.setenv("MAX_FILE_BYTES", "100")
    write_files({"a.py": CODE, "b.py": CODE * 20})
    time.sleep(1.1)  # a fingerprint is believed from the next second on
    assert indexed(project_dir) == ["a.py"]
    monkeypatch.setenv("MAX_FILE_BYTES", "101")
    assert look(project_dir) == ("fresh", ["a.py"])

    monkeypatch.setenv("MAX_FILE_BYTES", "10000")

    assert look(project_dir) == ("fresh", ["a.py", "b.py"])


def test_own_rules_in_a_folder_of_which_only_what_git_tracks_is_indexed(project_dir, write_files):
    write_files({"lib/a.py": CODE, "lib/b.py": CODE})
    git(project_dir, "init", "-q")
    git(project_dir, "add", "lib")
    write_files({".gitignore": "lib/\n", "lib/.codeindexignore": "b.py\n"})
    assert indexed(project_dir) == [".gitignore", "lib/a.py"]

    write_files({"lib/.codeindexignore": "#.py\n"})

    assert look(project_dir) == ("fresh", [".gitignore", "lib/a.py", "lib/b.py"])


def test_a_settings_file_of_the_project_that_is_ignored(project_dir, write_files):
    write_files({".gitignore": ".*\n", "a.py": CODE, "b.py": CODE})
    write_files({".code-indexer.toml": 'exclude = ["b.py"]\n'})
    assert indexed(project_dir) == ["a.py"]

    write_files({".code-indexer.toml": "exclude = []\n"})

    assert look(project_dir) == ("fresh", ["a.py", "b.py"])


@pytest.mark.parametrize("mark", ["pyvenv.cfg", ".git/HEAD"])
def test_a_folder_that_is_no_environment_or_checkout_any_more(project_dir, write_files, mark):
    write_files({"a.py": CODE, f"inner/{mark}": "", "inner/b.py": CODE})
    assert indexed(project_dir) == ["a.py"]

    (project_dir / "inner" / mark).unlink()
    if mark.startswith(".git"):
        (project_dir / "inner" / ".git").rmdir()

    assert look(project_dir) == ("fresh", ["a.py", "inner/b.py"])


@pytest.mark.parametrize(
    "unfit",
    [b"def alpha():\n\0", b"# caf\xe9\n", b"#" * 2_000_000, b"-----BEGIN RSA PRIVATE KEY-----\n"],
    ids=["binary", "of another encoding", "too large", "a key"],
)
def test_a_skipped_file_that_becomes_source(project_dir, write_files, unfit):
    write_files({"a.py": CODE, "b.py": unfit})
    assert indexed(project_dir) == ["a.py"]

    write_files({"b.py": CODE})

    assert look(project_dir) == ("fresh", ["a.py", "b.py"])
