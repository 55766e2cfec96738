"""What every test can ask for: a state folder of its own, a project folder, the command line."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from code_indexer.settings import RULES

# A busy machine is slow; that is no finding. The same examples each time, so that a failure can be
# repeated; HYPOTHESIS_EXPLORES in the environment asks for new ones.
settings.register_profile(
    "unhurried",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize="HYPOTHESIS_EXPLORES" not in os.environ,
)
settings.load_profile("unhurried")


# What is started in the background by a shell ignores Ctrl-C, and so would all that it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)


@dataclass(frozen=True)
class Outcome:
    """What a command did."""

    code: int
    out: str
    err: str

    def json(self):
        return json.loads(self.out)


@pytest.fixture(autouse=True)
def private_state(tmp_path_factory, monkeypatch) -> Iterator[Path]:
    """No test reads or writes the user's own index, settings, proxies or git configuration."""
    home = tmp_path_factory.mktemp("home")
    settings_of_user = {rule.variable for rule in RULES.values()}
    for name in list(os.environ):
        is_of_proxy = name.lower().endswith("_proxy")
        if name in settings_of_user or is_of_proxy or name.startswith(("GIT_", "XDG_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("INDEX_ROOT", str(home / "index-root"))
    monkeypatch.setenv("STALE_TTL", "0")
    monkeypatch.setenv("MIN_FREE_DISK", "0")
    return home / "index-root"


@pytest.fixture(autouse=True)
def shared_process() -> Iterator[None]:
    """No test leaves the process, which the next one gets, other than it was."""
    before = _state_of_this_process()
    yield
    assert _state_of_this_process() == before


def _state_of_this_process() -> dict[str, object]:
    handlers = {number.name: signal.getsignal(number) for number in signal.Signals}
    mask = os.umask(0)
    os.umask(mask)
    return handlers | {"umask": mask}


@pytest.fixture
def project_dir(tmp_path) -> Path:
    """An empty folder for a project."""
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def write_files(project_dir) -> Callable[..., None]:
    """Write files into the project: path to content."""

    def write(files: dict[str, str | bytes]) -> None:
        for name, content in files.items():
            path = project_dir / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())

    return write


@pytest.fixture
def run_cli(capfd) -> Callable[..., Outcome]:
    """Run the command line in this process."""
    from code_indexer.cli.app import main

    def run(*arguments: object) -> Outcome:
        capfd.readouterr()
        code = main([str(argument) for argument in arguments])
        captured = capfd.readouterr()
        return Outcome(code, captured.out, captured.err)

    return run


@pytest.fixture
def run_process() -> Callable[..., Outcome]:
    """Run the command line in a process of its own."""

    def run(*arguments: object, timeout: float = 60, **options) -> Outcome:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "code_indexer", *map(str, arguments)],
            capture_output=True,
            timeout=timeout,
            check=False,
            **options,
        )
        return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run
