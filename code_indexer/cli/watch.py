"""The command that keeps indexes fresh while files change."""

import re
import sys
import time
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from code_indexer.cli.options import Json
from code_indexer.cli.session import Session
from code_indexer.errors import UsageError

if TYPE_CHECKING:
    from code_indexer.watch.pid_file import WatcherStatus

_DURATION = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*(s|m|min|h|d)?\s*")
_UNITS = {None: 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
_LONGEST_SECONDS = 1e8
"""Some three years; timers of the system end not far beyond."""
_SHOWN_LOG_LINES = 5


def register(app: typer.Typer) -> None:
    """Add the command to *app*."""
    app.command("watch")(watch)


def watch(
    context: typer.Context,
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PATH]...", help="Projects. Default: the one around you."),
    ] = None,
    all_projects: Annotated[
        bool, typer.Option("--all", help="Every registered project, also those added later.")
    ] = False,
    duration: Annotated[
        str | None, typer.Option(metavar="T", help="End after so long: 90, 90s, 5m, 2h.")
    ] = None,
    background: Annotated[
        bool,
        typer.Option(
            "--background/--foreground",
            help="Go on without the terminal, writing to watch.log in the index root.",
        ),
    ] = False,
    stop: Annotated[bool, typer.Option("--stop", help="End the watcher that runs.")] = False,
    status: Annotated[bool, typer.Option("--status", help="Say whether one runs.")] = False,
    print_service: Annotated[
        Literal["systemd", "launchd"] | None,
        typer.Option(help="Print a file that makes the system run the watcher."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Keep indexes fresh while files change.

    An index pass starts when files have changed and been quiet for WATCH_DEBOUNCE (3 s), and every
    WATCH_SWEEP_INTERVAL (5 min) whatever happens. One watcher runs for each index root.

    Examples:
      code-indexer watch ~/src/shop
      code-indexer watch --all --background
    """
    session: Session = context.obj
    _check(paths, (stop, status, print_service is not None, all_projects))
    seconds = None if duration is None else _seconds(duration)
    if stop:
        _stop(session, as_json=as_json)
    elif status:
        _status(session, as_json=as_json)
    elif print_service is not None:
        _print_service(session, print_service)
    elif background:
        _watch_in_background(session, paths, seconds, all_projects=all_projects, as_json=as_json)
    else:
        _watch_here(session, paths, seconds, all_projects=all_projects)


def _check(paths: list[str] | None, modes: tuple[bool, ...]) -> None:
    if paths and modes[-1]:
        raise UsageError("--all and paths exclude each other", hint="Give either")
    if sum(modes[:-1]) > 1 or (paths and any(modes[:-1])):
        raise UsageError(
            "--stop, --status and --print-service stand alone", hint="There is one watcher for all"
        )


def _seconds(text: str) -> float:
    match = _DURATION.fullmatch(text)
    seconds = 0.0 if match is None else float(match[1]) * _UNITS[match[2]]
    if not 0 < seconds <= _LONGEST_SECONDS:
        raise UsageError(f"not a duration: {text!r}", hint="Examples: 90, 90s, 5m, 2h")
    return seconds


def _watch_here(
    session: Session, paths: list[str] | None, seconds: float | None, *, all_projects: bool
) -> None:
    from code_indexer.watch.pid_file import held_pid_file
    from code_indexer.watch.run import watch_projects
    from code_indexer.watch.signals import stop_on_signals

    settings = session.settings()

    def say(text: str) -> None:
        session.note(f"{time.strftime('%H:%M:%S')} {text}")

    with stop_on_signals(seconds) as stopping, held_pid_file(settings.index_root) as held:
        roots = _roots(session, paths, all_projects=all_projects)
        watch_projects(settings, roots, say, stopping, held.is_kept)


def _watch_in_background(
    session: Session,
    paths: list[str] | None,
    seconds: float | None,
    *,
    all_projects: bool,
    as_json: bool,
) -> None:
    from code_indexer.watch.daemon import SayReady, start_in_background
    from code_indexer.watch.pid_file import LOG_FILE

    settings = session.settings()

    def body(say_ready: SayReady) -> int:
        import logging
        import os

        from code_indexer.watch.daemon import log_to
        from code_indexer.watch.pid_file import held_pid_file
        from code_indexer.watch.run import watch_projects
        from code_indexer.watch.signals import stop_on_signals

        log = logging.getLogger("code_indexer.watch")
        with (
            stop_on_signals(seconds, hangup_stops=False) as stopping,
            held_pid_file(settings.index_root) as held,
        ):
            roots = _roots(session, paths, all_projects=all_projects)
            log_to(settings.index_root / LOG_FILE)
            os.chdir("/")
            say_ready()
            log.info("the watcher starts, pid %d", os.getpid())
            watch_projects(
                settings, roots, lambda text: log.info("%s", text), stopping, held.is_kept
            )
        log.info("the watcher has stopped")
        return 0

    pid = start_in_background(body)
    log_path = settings.index_root / LOG_FILE
    if as_json:
        session.say_json({"pid": pid, "log": str(log_path)})
    else:
        session.say(f"watching in the background, pid {pid}, log {log_path}")


def _roots(
    session: Session, paths: list[str] | None, *, all_projects: bool
) -> frozenset[str] | None:
    """Roots of the projects to watch; None means whatever is registered."""
    from code_indexer.core.lookup import get_or_add_project
    from code_indexer.rendering import working_directory

    if all_projects:
        return None
    with session.services() as services:
        if paths:
            return frozenset(get_or_add_project(services, path).root for path in paths)
        here = working_directory()
        around = services.registry.containing(here) if here is not None else None
        if around is None:
            raise UsageError(
                "no project is named, and none is registered around the working directory",
                hint="Name a folder, or watch every project with --all",
            )
        return frozenset({around.project.root})


def _stop(session: Session, *, as_json: bool) -> None:
    from code_indexer.watch.pid_file import stop_watcher

    pid = stop_watcher(session.settings().index_root)
    if as_json:
        session.say_json({"stopped": pid is not None, "pid": pid})
    else:
        session.say("no watcher is running" if pid is None else f"stopped the watcher, pid {pid}")


def _status(session: Session, *, as_json: bool) -> None:
    from code_indexer.watch.pid_file import watcher_status

    found = watcher_status(session.settings().index_root)
    if as_json:
        session.say_json(
            {
                "running": found.is_running,
                "pid": found.pid,
                "since": found.since,
                "log": None if found.log is None else str(found.log),
            }
        )
    else:
        session.say("\n".join(_status_lines(found)))


def _status_lines(found: "WatcherStatus") -> list[str]:
    if not found.is_running:
        return ["no watcher is running"]
    since = ""
    if found.since is not None:
        since = time.strftime(" since %Y-%m-%d %H:%M:%S", time.localtime(found.since))
    pid = "unknown" if found.pid is None else found.pid
    lines = [f"a watcher is running, pid {pid}{since}"]
    if found.log is not None:
        lines.append(f"log: {found.log}")
        text = found.log.read_text(encoding="utf-8", errors="replace")
        lines += [f"  {line}" for line in text.splitlines()[-_SHOWN_LOG_LINES:]]
    return lines


def _print_service(session: Session, kind: str) -> None:
    import shutil
    from pathlib import Path

    from code_indexer.cli.handed_on import handed_on
    from code_indexer.watch.service import launchd_plist, systemd_unit

    settings = session.settings()
    script = Path(sys.argv[0])
    found = str(script) if script.name == "code-indexer" else shutil.which("code-indexer")
    program = [str(Path(found).absolute())] if found else [sys.executable, "-m", "code_indexer"]
    command = [*program, "watch", "--all", "--foreground"]
    # A service starts without the variables and flags of this terminal.
    handed = handed_on(settings)
    if kind == "systemd":
        session.say(systemd_unit(command, handed.environment))
    else:
        log = str(settings.index_root / "watch.log")
        session.say(launchd_plist(command, handed.environment, log))
    warning = handed.warning(settings, "this file")
    if warning:
        session.note(warning)
