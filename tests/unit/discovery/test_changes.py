"""Which files differ from a revision, asked of a real git."""

import subprocess
from pathlib import Path

import pytest

from code_indexer.discovery.changes import changed_files
from code_indexer.errors import UsageError


def git(root: Path, *arguments: str) -> None:
    subprocess.run(
        ["git", "-C", str(root), "-c", "user.name=x", "-c", "user.email=x@y", *arguments],
        check=True,
        capture_output=True,
    )


@pytest.fixture
def repository(project_dir: Path) -> Path:
    (project_dir / "src").mkdir()
    for name in ("kept.py", "src/edited.py", "src/gone.py", "old name.py"):
        (project_dir / name).write_text(f"# {name}\n")
    (project_dir / ".gitignore").write_text("*.log\n")
    git(project_dir, "init", "-q", "-b", "main")
    git(project_dir, "add", "-A")
    git(project_dir, "commit", "-q", "-m", "first")
    return project_dir


def test_a_clean_tree_has_no_changes(repository: Path) -> None:
    assert changed_files(repository) == frozenset()


def test_edited_staged_untracked_and_renamed_files_are_changed(repository: Path) -> None:
    (repository / "src/edited.py").write_text("x = 1\n")
    (repository / "staged.py").write_text("y = 1\n")
    git(repository, "add", "staged.py")
    (repository / "ünträcked\n.py").write_text("z = 1\n")
    (repository / "ignored.log").write_text("noise\n")
    git(repository, "mv", "old name.py", "new name.py")

    changed = changed_files(repository)

    assert {"src/edited.py", "staged.py", "ünträcked\n.py", "new name.py"} <= changed
    assert not {"kept.py", "ignored.log"} & changed


def test_an_older_revision_includes_what_was_committed_since(repository: Path) -> None:
    (repository / "src/edited.py").write_text("x = 1\n")
    git(repository, "commit", "-q", "-a", "-m", "second")

    assert changed_files(repository) == frozenset()
    assert changed_files(repository, "HEAD~1") == {"src/edited.py"}


def test_paths_are_those_of_the_folder_that_is_asked_about(repository: Path) -> None:
    (repository / "kept.py").write_text("changed outside\n")
    (repository / "src/edited.py").write_text("x = 1\n")
    (repository / "src/new.py").write_text("x = 1\n")

    assert changed_files(repository / "src") == {"edited.py", "new.py"}


def test_before_the_first_commit_every_file_is_changed(project_dir: Path) -> None:
    git(project_dir, "init", "-q")
    (project_dir / "a.py").write_text("a = 1\n")
    (project_dir / "b.py").write_text("b = 1\n")
    git(project_dir, "add", "a.py")

    assert changed_files(project_dir) == {"a.py", "b.py"}


def test_a_folder_without_git_is_a_wrong_request(project_dir: Path) -> None:
    with pytest.raises(UsageError, match="not lie in a git repository"):
        changed_files(project_dir)


@pytest.mark.parametrize(
    "revision", ["nowhere", "--output=x", "-p", "a..b", "HEAD:kept.py", "x\0y"]
)
def test_what_is_no_revision_is_a_wrong_request(repository: Path, revision: str) -> None:
    with pytest.raises(UsageError, match="revision"):
        changed_files(repository, revision)


def test_git_variables_of_a_hook_do_not_lead_astray(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "kept.py").write_text("edited\n")
    monkeypatch.setenv("GIT_DIR", "/nowhere/.git")
    monkeypatch.setenv("GIT_INDEX_FILE", "/nowhere/index")

    assert changed_files(repository) == {"kept.py"}


def test_no_program_of_the_repository_is_run(repository: Path, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {mark}\n")
    program.chmod(0o755)
    git(repository, "config", "core.fsmonitor", str(program))
    git(repository, "config", "diff.external", str(program))
    (repository / "kept.py").write_text("edited\n")
    mark.unlink(missing_ok=True)

    assert changed_files(repository) == {"kept.py"}
    assert not mark.exists()
