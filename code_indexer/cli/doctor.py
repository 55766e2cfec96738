"""The command that looks at the whole installation, and mends what it can."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from code_indexer.cli.install import system_of
from code_indexer.cli.options import Json, JsonLines
from code_indexer.cli.progress import progress_on
from code_indexer.cli.session import Session
from code_indexer.errors import InvalidSettingError
from code_indexer.extras import install_command

if TYPE_CHECKING:
    from code_indexer.core.doctor import Finding
    from code_indexer.core.repairs import Repaired


_ROUNDS = 3


def register(app: typer.Typer) -> None:
    """Add the command to *app*."""
    app.command("doctor")(doctor)


def doctor(
    context: typer.Context,
    repair: Annotated[
        bool,
        typer.Option("--repair", help="Mend what can be mended without losing anything."),
    ] = False,
    as_json: Json = False,
    as_lines: JsonLines = False,
) -> None:
    """Check that everything works: program, model, index root, servers, indexes, agents.

    Each line is ok, warn or broken; what is not ok comes with a remedy. The exit code is 1 when
    something is broken. --repair rebuilds damaged indexes from what is left of them, restores
    Qdrant collections and a damaged registry, and registers indexes that were forgotten.

    Example: code-indexer doctor --repair
    """
    session: Session = context.obj
    try:
        session.settings()
    except InvalidSettingError as error:
        from code_indexer.core.doctor import Finding

        found = Finding("settings", "broken", error.message, error.hint)
        _say(session, [found], [], as_json=as_json, as_lines=as_lines)
        raise typer.Exit(1) from error
    findings = _findings(session)
    repaired: list[Repaired] = []
    # A mended registry brings projects to light that may want mending themselves.
    for _ in range(_ROUNDS if repair else 0):
        done = _repair(session, findings)
        repaired += done
        if not any(one.is_done for one in done):
            break
        findings = _findings(session)
    _say(session, findings, repaired, as_json=as_json, as_lines=as_lines)
    if any(one.state == "broken" for one in findings):
        raise typer.Exit(1)


def _repair(session: Session, findings: "list[Finding]") -> "list[Repaired]":
    if not any(one.repair for one in findings):
        return []
    from code_indexer.core.repairs import repair

    with session.services() as services, progress_on(session) as progress:
        return repair(services, findings, progress)


def _findings(session: Session) -> "list[Finding]":
    from code_indexer.core.doctor import diagnose

    with session.services() as services:
        findings = list(diagnose(services))
    return [*findings, *_agents(session), *_watcher(session)]


def _agents(session: Session) -> "Iterator[Finding]":
    from importlib.util import find_spec

    from code_indexer.core.doctor import Finding
    from code_indexer.install.installer import agent_states

    states = agent_states(system_of(session), "user")
    has_server = find_spec("mcp") is not None
    for state in states:
        subject = f"agent {state.agent.name}"
        if state.problem:
            remedy = f"Mend {state.path}, or add by hand: code-indexer install --print"
            yield Finding(subject, "warn", state.problem, remedy)
        elif state.is_installed and not has_server:
            remedy = f"Install the extra: {install_command('mcp')}"
            yield Finding(subject, "broken", "its server lacks the MCP SDK", remedy)
        elif state.is_installed:
            yield Finding(subject, "ok", f"knows the server ({state.path})")
        elif state.is_detected:
            message = f"is here and not told: code-indexer install {state.agent.name}"
            yield Finding(subject, "ok", message)


def _watcher(session: Session) -> "Iterator[Finding]":
    from code_indexer.core.doctor import Finding
    from code_indexer.errors import CodeIndexerError
    from code_indexer.watch.pid_file import watcher_status

    try:
        found = watcher_status(session.settings().index_root)
    except CodeIndexerError as error:
        yield Finding("watcher", "warn", error.message, error.hint)
        return
    yield Finding("watcher", "ok", f"runs, pid {found.pid}" if found.is_running else "none runs")


def _say(
    session: Session,
    findings: "list[Finding]",
    repaired: "list[Repaired]",
    *,
    as_json: bool,
    as_lines: bool,
) -> None:
    from code_indexer.rendering import visible

    if as_json or as_lines:
        rows = [
            {
                "subject": one.subject,
                "state": one.state,
                "message": one.message,
                "remedy": one.remedy,
                "can_repair": one.repair is not None,
            }
            for one in findings
        ]
        is_well = not any(one.state == "broken" for one in findings)
        document = {"ok": is_well, "findings": rows, "repaired": [asdict(one) for one in repaired]}
        session.say_data(document, "findings", as_lines=as_lines)
        return
    for done in repaired:
        word = "mended" if done.is_done else "not mended"
        session.say(f"{word}: {visible(done.subject)}: {visible(done.message)}")
    width = max(len(visible(one.subject)) for one in findings)
    for one in findings:
        session.say(f"{one.state:<6}  {visible(one.subject):<{width}}  {visible(one.message)}")
        if one.remedy and one.state != "ok":
            session.say(f"{'':<6}  {'':<{width}}  -> {visible(one.remedy)}")
