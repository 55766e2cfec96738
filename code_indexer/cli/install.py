"""The command that tells coding agents about the MCP server."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from code_indexer.cli.completion import complete_agent
from code_indexer.cli.options import Json
from code_indexer.cli.session import Session
from code_indexer.errors import CodeIndexerError, UsageError
from code_indexer.extras import install_command

if TYPE_CHECKING:
    from code_indexer.install.agents import Agent, Scope, System
    from code_indexer.install.edits import ServerEntry
    from code_indexer.install.installer import FileChange

_WORDS = {
    "added": "added to",
    "updated": "updated in",
    "unchanged": "already in",
    "removed": "removed from",
    "restored": "restored as it was before:",
    "deleted": "deleted, as nothing else was in it:",
    "absent": "not in",
}


def register(app: typer.Typer) -> None:
    """Add the command to *app*."""
    app.command("install")(install)


def install(
    context: typer.Context,
    agents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[AGENT]...", help="Names from --list.", autocompletion=complete_agent
        ),
    ] = None,
    all_agents: Annotated[
        bool, typer.Option("--all", help="Every agent that is found on this computer.")
    ] = False,
    list_agents: Annotated[
        bool, typer.Option("--list", help="List the agents, and which of them are here.")
    ] = False,
    scope: Annotated[
        Literal["user", "project"],
        typer.Option(help="For all your projects, or for the one around the working directory."),
    ] = "user",
    only_print: Annotated[
        bool, typer.Option("--print", help="Show file and entry; write nothing.")
    ] = False,
    undo: Annotated[bool, typer.Option("--undo", help="Take the server out again.")] = False,
    with_instructions: Annotated[
        bool,
        typer.Option(
            "--with-instructions",
            help="Also say when to use which tool, in AGENTS.md, CLAUDE.md or GEMINI.md.",
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Tell coding agents about the MCP server, in their own configuration files.

    Everything else in a file stays as it is, comments included; the old file is kept beside it.

    Examples:
      code-indexer install --list
      code-indexer install claude-code cursor
      code-indexer install --all --undo
    """
    session: Session = context.obj
    system = system_of(session)
    if list_agents:
        _list(session, system, scope, as_json=as_json)
        return
    chosen = _chosen(session, agents or [], system, scope, all_agents=all_agents)
    entry = _entry(session)
    if not undo:
        _warn(session)
    if only_print:
        _print(session, chosen, system, scope, entry, with_instructions=with_instructions)
        return
    changes, problems = _apply(chosen, system, scope, entry, undo=undo)
    if with_instructions or undo:
        changes += _apply_instructions(
            chosen, system, scope, problems, undo=undo, asked=with_instructions
        )
    if as_json:
        session.say_json(_document(changes, problems))
        raise typer.Exit(problems[0].exit_code if problems else 0)
    _report(session, changes)
    if problems:
        _raise_first(session, problems)


def system_of(session: Session) -> "System":
    """What agents' configurations depend on: the platform, the home folder, the project."""
    from code_indexer.discovery.repository import repository_around
    from code_indexer.install.agents import System
    from code_indexer.rendering import working_directory

    settings = session.settings()
    here = working_directory()
    project = None
    if here is not None:
        repository = repository_around(Path(here))
        project = Path(here) if repository is None else repository.top
    platform: Literal["linux", "darwin", "win32"] = "linux"
    if sys.platform in ("darwin", "win32"):
        platform = "darwin" if sys.platform == "darwin" else "win32"
    return System(platform, settings.home, settings.config_home, project)


def _entry(session: Session) -> "ServerEntry":
    from code_indexer.cli.handed_on import handed_on
    from code_indexer.install.installer import server_entry

    # An agent starts without the variables and flags of this terminal.
    return server_entry(handed_on(session.settings()).environment, sys.argv[0])


def _chosen(
    session: Session, names: list[str], system: "System", scope: "Scope", *, all_agents: bool
) -> "list[Agent]":
    import difflib

    from code_indexer.install.agents import AGENTS, configuration_file
    from code_indexer.install.installer import is_detected

    if names and all_agents:
        raise UsageError("--all and names exclude each other", hint="Give either")
    detected = [agent for agent in AGENTS.values() if is_detected(agent, system)]
    if all_agents:
        usable = [a for a in detected if configuration_file(a, system, scope) is not None]
        skipped = [agent.title for agent in detected if agent not in usable]
        if skipped:
            session.note(f"skipped, without a configuration of {scope} scope: {', '.join(skipped)}")
        if not usable:
            raise UsageError("no agent was found here", hint=f"Known are: {', '.join(AGENTS)}")
        return usable
    if not names:
        found = " ".join(agent.name for agent in detected)
        hint = f"Found here: code-indexer install {found}" if found else "See --list"
        raise UsageError("no agent is named", hint=hint)
    chosen = []
    for name in names:
        agent = AGENTS.get(name.lower())
        if agent is None:
            near = difflib.get_close_matches(name.lower(), AGENTS, n=1)
            hint = f"Did you mean {near[0]}?" if near else f"Known are: {', '.join(AGENTS)}"
            raise UsageError(f"no agent goes by {name!r}", hint=hint)
        if configuration_file(agent, system, scope) is None:
            raise UsageError(
                f"{agent.title} has no configuration of {scope} scope", hint="Leave out --scope"
            )
        chosen.append(agent)
    return list(dict.fromkeys(chosen))


def _list(session: Session, system: "System", scope: "Scope", *, as_json: bool) -> None:
    from code_indexer.install.installer import agent_states

    states = agent_states(system, scope)
    if as_json:
        session.say_json(
            {
                "agents": [
                    {
                        "name": state.agent.name,
                        "title": state.agent.title,
                        "detected": state.is_detected,
                        "installed": state.is_installed,
                        "path": None if state.path is None else str(state.path),
                        "problem": state.problem,
                    }
                    for state in states
                ]
            }
        )
        return
    for state in states:
        word = "found here" if state.is_detected else "-"
        if state.is_installed:
            word = "installed"
        elif state.problem:
            word = "unusable"
        path = state.path or f"(no configuration of {scope} scope)"
        session.say(f"{state.agent.name:<15} {word:<11} {path}")
        if state.problem:
            session.note(f"warning: {state.problem}")
    offered = [
        state.agent.name
        for state in states
        if state.is_detected and state.path and not state.is_installed and not state.problem
    ]
    if offered:
        session.note(f"install them with: code-indexer install {' '.join(offered)}")


def _print(
    session: Session,
    chosen: "list[Agent]",
    system: "System",
    scope: "Scope",
    entry: "ServerEntry",
    *,
    with_instructions: bool,
) -> None:
    from code_indexer.install import instructions
    from code_indexer.install.agents import configuration_file
    from code_indexer.install.installer import instruction_files, snippet

    for agent in chosen:
        path = configuration_file(agent, system, scope)
        assert path is not None
        session.say(f"# {agent.title}: {path}\n{snippet(agent, path, entry)}")
    if with_instructions:
        for path in instruction_files(chosen, system, scope):
            session.say(f"# {path}\n{instructions.with_block('')}")


def _warn(session: Session) -> None:
    """Say what the entry alone does not bring along."""
    from importlib.util import find_spec

    from code_indexer.cli.handed_on import handed_on

    if find_spec("mcp") is None:
        session.note(f"warning: the server needs the extra mcp: {install_command('mcp')}")
    settings = session.settings()
    warning = handed_on(settings).warning(settings, "the files of agents")
    if warning:
        session.note(warning)


def _apply(
    chosen: "list[Agent]", system: "System", scope: "Scope", entry: "ServerEntry", *, undo: bool
) -> "tuple[list[tuple[str, FileChange, str]], list[CodeIndexerError]]":
    """What was done, and what went wrong: one unusable file does not keep the others waiting."""
    from code_indexer.install import installer

    action = installer.uninstall if undo else installer.install
    changes = []
    problems = []
    for agent in chosen:
        try:
            change = action(agent, system, scope, entry)
        except CodeIndexerError as error:
            problems.append(error)
        else:
            has_news = change.outcome not in ("unchanged", "absent")
            changes.append((agent.title, change, agent.restart if has_news else ""))
    return changes, problems


def _apply_instructions(
    chosen: "list[Agent]",
    system: "System",
    scope: "Scope",
    problems: list[CodeIndexerError],
    *,
    undo: bool,
    asked: bool,
) -> "list[tuple[str, FileChange, str]]":
    from code_indexer.install import installer

    changes = []
    for path in installer.instruction_files(chosen, system, scope):
        try:
            if undo:
                change = installer.uninstall_instructions(path, system)
            else:
                change = installer.install_instructions(path)
        except CodeIndexerError as error:
            problems.append(error)
        else:
            if asked or change.outcome != "absent":
                changes.append(("instructions", change, ""))
    return changes


def _report(session: Session, changes: "list[tuple[str, FileChange, str]]") -> None:
    for title, change, restart in changes:
        session.say(f"{title}: {_WORDS[change.outcome]} {change.path}")
        if change.backup is not None and change.outcome in ("added", "updated"):
            session.note(f"  the old file is kept as {change.backup}")
        if restart:
            session.note(f"  {restart}")


def _document(
    changes: "list[tuple[str, FileChange, str]]", problems: list[CodeIndexerError]
) -> dict[str, object]:
    return {
        "changes": [
            {
                "agent": title,
                "path": str(change.path),
                "outcome": change.outcome,
                "backup": None if change.backup is None else str(change.backup),
            }
            for title, change, _ in changes
        ],
        "problems": [{"message": error.message, "hint": error.hint} for error in problems],
    }


def _raise_first(session: Session, problems: list[CodeIndexerError]) -> None:
    for error in problems[1:]:
        session.note(f"error: {error.message}")
    raise problems[0]
