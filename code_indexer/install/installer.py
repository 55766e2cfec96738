"""Installing the server for an agent, and taking it out again."""

import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from code_indexer.errors import CodeIndexerError
from code_indexer.install import formats, instructions
from code_indexer.install.agents import (
    AGENTS,
    Agent,
    Scope,
    System,
    configuration_file,
    instructions_file,
)
from code_indexer.install.edits import DamagedConfigurationError, ServerEntry
from code_indexer.install.files import BY_HAND, backup_of, delete, read_text, write_text

Outcome = Literal["added", "updated", "unchanged", "removed", "restored", "deleted", "absent"]

SERVER_PROGRAM = "code-indexer-mcp"


@dataclass(frozen=True, slots=True)
class FileChange:
    """What was done to one file."""

    path: Path
    outcome: Outcome
    backup: Path | None = None
    """Where the old file is kept."""


@dataclass(frozen=True, slots=True)
class AgentState:
    """How an agent stands on this computer."""

    agent: Agent
    is_detected: bool
    path: Path | None
    """Its configuration file of the scope in question; None when it has none."""
    is_installed: bool = False
    problem: str | None = None
    """Why its file cannot be used as it is."""


def server_entry(environment: Mapping[str, str], arguments_zero: str = "") -> ServerEntry:
    """How to start the server that belongs to the running program.

    *arguments_zero* is how the program was called: what lies beside it is tried first, as that
    place survives upgrades.
    """
    called = shutil.which(arguments_zero) or arguments_zero
    beside = [Path(called).absolute().parent] if called else []
    for folder in (*beside, Path(sys.executable).parent):
        program = shutil.which(SERVER_PROGRAM, path=str(folder))
        if program is not None:
            return ServerEntry(program, environment=dict(environment))
    found = shutil.which(SERVER_PROGRAM)
    if found is not None:
        return ServerEntry(str(Path(found).absolute()), environment=dict(environment))
    return ServerEntry(sys.executable, ("-m", "code_indexer", "mcp"), dict(environment))


def agent_states(system: System, scope: Scope) -> list[AgentState]:
    """Every agent, with what is known about it here."""
    return [_state(agent, system, scope) for agent in AGENTS.values()]


def is_detected(agent: Agent, system: System) -> bool:
    """Whether there are signs of the agent on this computer."""
    if any(sign(system).exists() for sign in agent.signs):
        return True
    return any(shutil.which(program) is not None for program in agent.programs)


def install(agent: Agent, system: System, scope: Scope, entry: ServerEntry) -> FileChange:
    """Put the server into the agent's file.

    Raises:
        DamagedConfigurationError: The file is not valid or cannot be edited safely.
        CodeIndexerError: It cannot be read or written, or the agent has none of this scope.
    """
    path = _path_of(agent, system, scope)
    old = read_text(path)
    with _naming(path):
        is_old = old is not None and formats.has_server(agent, old)
        new = formats.with_server(agent, old or "", entry, is_block=_is_block(path))
    if new == old:
        return FileChange(path, "unchanged")
    # An update keeps the first backup: it is the file from before the server.
    backup = None if old is None or is_old else old
    write_text(path, new, backup=backup)
    return FileChange(
        path,
        "updated" if is_old else "added",
        backup_of(path) if backup_of(path).exists() else None,
    )


def uninstall(agent: Agent, system: System, scope: Scope, entry: ServerEntry) -> FileChange:
    """Take the server out of the agent's file.

    A file that has not been changed since is put back as it was before, byte for byte.

    Raises:
        DamagedConfigurationError: The file is not valid or cannot be edited safely.
        CodeIndexerError: It cannot be read or written, or the agent has none of this scope.
    """
    path = _path_of(agent, system, scope)
    text = read_text(path)
    if text is None:
        return FileChange(path, "absent")
    before = read_text(backup_of(path))
    with _naming(path):
        if not formats.has_server(agent, text):
            return FileChange(path, "absent")
        if before is not None and _is_result(agent, path, before, text, entry):
            write_text(path, before, backup=None)
            delete(backup_of(path))
            return FileChange(path, "restored")
        keep = before is not None and formats.has_container(agent, before)
        new = formats.without_server(agent, text, keep_container=keep)
        if before is None and formats.is_empty(agent, new, is_block=_is_block(path)):
            delete(path, up_to=_kept_folders(system))
            return FileChange(path, "deleted")
    write_text(path, new, backup=None)
    delete(backup_of(path))
    return FileChange(path, "removed")


def install_instructions(path: Path) -> FileChange:
    """Put the block of instructions into *path*."""
    old = read_text(path)
    new = instructions.with_block(old or "")
    if new == old:
        return FileChange(path, "unchanged")
    is_old = old is not None and instructions.has_block(old)
    write_text(path, new, backup=None if old is None or is_old else old)
    kept = backup_of(path) if backup_of(path).exists() else None
    return FileChange(path, "updated" if is_old else "added", kept)


def uninstall_instructions(path: Path, system: System) -> FileChange:
    """Take the block of instructions out of *path*.

    A file that has not been changed since is put back as it was before, byte for byte.
    """
    old = read_text(path)
    if old is None or not instructions.has_block(old):
        return FileChange(path, "absent")
    before = read_text(backup_of(path))
    delete(backup_of(path))
    if before is not None and instructions.with_block(before) == instructions.with_block(old):
        write_text(path, before, backup=None)
        return FileChange(path, "restored")
    new = instructions.without_block(old)
    if not new.strip():
        delete(path, up_to=_kept_folders(system))
        return FileChange(path, "deleted")
    write_text(path, new, backup=None)
    return FileChange(path, "removed")


def instruction_files(agents: list[Agent], system: System, scope: Scope) -> list[Path]:
    """The files of instructions that *agents* read, each once."""
    files = (instructions_file(agent, system, scope) for agent in agents)
    return list(dict.fromkeys(file for file in files if file is not None))


def snippet(agent: Agent, path: Path, entry: ServerEntry) -> str:
    """What a file would hold that has the server alone."""
    return formats.with_server(agent, "", entry, is_block=_is_block(path))


def _state(agent: Agent, system: System, scope: Scope) -> AgentState:
    path = configuration_file(agent, system, scope)
    detected = is_detected(agent, system)
    if path is None:
        return AgentState(agent, detected, None)
    try:
        text = read_text(path)
        installed = text is not None and formats.has_server(agent, text)
    except CodeIndexerError as error:
        return AgentState(agent, detected, path, problem=error.message)
    return AgentState(agent, detected, path, installed)


def _path_of(agent: Agent, system: System, scope: Scope) -> Path:
    path = configuration_file(agent, system, scope)
    if path is None:
        raise CodeIndexerError(
            f"{agent.title} has no configuration of {scope} scope", hint="Leave out --scope"
        )
    return path


def _kept_folders(system: System) -> list[Path]:
    """Folders that are nobody's in particular: they stay, whatever becomes empty below them."""
    return [
        folder
        for folder in (system.home, system.config, system.applications, system.project)
        if folder is not None
    ]


def _is_block(path: Path) -> bool:
    """Whether a YAML file is there for one server alone."""
    return path.parent.name == "mcpServers"


def _is_result(agent: Agent, path: Path, before: str, text: str, entry: ServerEntry) -> bool:
    """Whether *text* is what installing made of *before*, perhaps with another command."""
    try:
        mine = formats.with_server(agent, before, entry, is_block=_is_block(path))
        return formats.with_server(agent, text, entry) == mine
    except DamagedConfigurationError:
        return False


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Puts the file's path before the message of what is wrong with it."""
    try:
        yield
    except DamagedConfigurationError as error:
        raise DamagedConfigurationError(
            f"{path}: {error.message}; nothing was changed",
            hint=error.hint or BY_HAND,
        ) from error
