"""What can be tried of Windows elsewhere: its missing modules, calls and flags taken away.

Backslashes, drives and its consoles cannot be tried so.
"""

import subprocess
import sys

import pytest

PRETENCE = r"""
import asyncio, ctypes, fcntl, importlib, os, pkgutil, select, shutil, signal, sqlite3, subprocess
import sys, tempfile, threading, types
import httpx, mcp, numpy, rich.console, rich.progress, rich.syntax, typer, watchdog.observers
import tree_sitter, tree_sitter_language_pack

def locking(descriptor, mode, count):
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise PermissionError(13, "Permission denied") from error

msvcrt = types.ModuleType("msvcrt")
msvcrt.locking, msvcrt.LK_NBLCK = locking, 2
sys.modules["msvcrt"] = msvcrt
for name in ("fcntl", "termios", "tty", "pty", "resource", "pwd", "grp"):
    sys.modules[name] = None
for name in (
    "O_CLOEXEC O_DIRECTORY O_NOCTTY O_NOFOLLOW O_NONBLOCK O_PATH fork pread pwrite register_at_fork "
    "setsid statvfs uname getuid geteuid killpg getpgid sched_getaffinity"
).split():
    if hasattr(os, name):
        delattr(os, name)
for name in "SIGALRM SIGHUP SIGKILL SIGWINCH SIGTSTP SIGPIPE SIGUSR1 setitimer ITIMER_REAL".split():
    delattr(signal, name)
os.supports_dir_fd, os.supports_fd = set(), set()
shutil.disk_usage = lambda path: types.SimpleNamespace(total=1 << 40, free=1 << 40)
sys.platform = "win32"
"""

IMPORT_ALL = (
    PRETENCE
    + r"""
import code_indexer
for found in pkgutil.walk_packages(code_indexer.__path__, "code_indexer."):
    if found.name not in ("code_indexer.cli.screen_keys", "code_indexer.cli.browse_view") and "__main__" not in found.name:
        importlib.import_module(found.name)
print("done")
"""
)

RUN = (
    PRETENCE
    + r"""
from code_indexer.cli.app import main
sys.exit(main(sys.argv[1:]))
"""
)


@pytest.fixture
def run_there():
    """Run the command line where nothing is that Windows lacks."""

    def run(*arguments, program=RUN):
        return subprocess.run(
            [sys.executable, "-P", "-c", program, *map(str, arguments)],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return run


def test_every_module_can_be_imported_but_the_one_for_posix_terminals(run_there):
    done = run_there(program=IMPORT_ALL)

    assert (0, "done\n") == (done.returncode, done.stdout), done.stderr


def test_a_project_is_indexed_and_answers(run_there, project_dir, write_files):
    files = {f"part_{n}/a.py": f"def number_{n}():\n    return {n}\n" * 30 for n in range(80)}
    write_files({**files, "auth/token.py": "def refresh_token():\n    return 1\n"})

    added = run_there("add-project", project_dir, "--name", "shop")
    again = run_there("add-project", project_dir)
    found = run_there("search", "refresh the token", "-p", "shop", "--limit", 1)
    defined = run_there("def", "refresh_token", "-p", "shop")

    assert (0, 0) == (added.returncode, again.returncode), added.stderr
    assert "files=81" in added.stdout
    assert "auth/token.py:1-2" in found.stdout, found.stderr
    assert "auth/token.py:1: function refresh_token" in defined.stdout, defined.stderr


def test_no_link_is_followed_there_either(run_there, project_dir, write_files, tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.py").write_text("def outside_secret(): pass\n")
    write_files({"a.py": "x = 1\n"})
    (project_dir / "link.py").symlink_to(tmp_path / "outside" / "secret.py")
    (project_dir / "folder").symlink_to(tmp_path / "outside")

    run_there("add-project", project_dir, "--name", "shop")

    assert "" == run_there("def", "outside_secret", "-p", "shop").stdout
    shown = run_there("show", "folder/secret.py", "--start-line", 1, "-p", "shop")
    assert (2, "") == (shown.returncode, shown.stdout)


def test_a_lock_is_held_by_one_process_there(run_there, tmp_path):
    program = PRETENCE + (
        "from pathlib import Path\n"
        "from code_indexer.storage.locks import exclusive_lock, lock_is_held\n"
        "path = Path(sys.argv[1])\n"
        "with exclusive_lock(path, info={'pid': 1}):\n"
        "    print(lock_is_held(path))\n"
        "    try:\n"
        "        exclusive_lock(path).__enter__()\n"
        "    except Exception as error:\n"
        "        print(type(error).__name__)\n"
        "print(lock_is_held(path))\n"
    )

    done = run_there(tmp_path / "a.lock", program=program)

    assert ["True", "IndexBusyError", "False"] == done.stdout.split(), done.stderr


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [(("watch", "--all", "--background"), "no way to leave the watcher in the background")],
)
def test_what_cannot_be_done_there_says_why(run_there, arguments, reason):
    done = run_there(*arguments)

    assert 2 == done.returncode
    assert reason in done.stderr
    assert "hint: " in done.stderr
