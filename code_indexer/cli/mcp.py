"""The command that serves agents."""

import os
import sys

import typer

from code_indexer.cli.session import Session


def register(app: typer.Typer) -> None:
    """Add the command to *app*."""
    app.command("mcp")(mcp)


def mcp(context: typer.Context) -> None:
    """Serve agents: an MCP server on stdin and stdout, the same as code-indexer-mcp.

    It is started by an agent, as configured by code-indexer install.

    Example: claude mcp add code-indexer -- code-indexer mcp
    """
    session: Session = context.obj
    flags = [
        f"--{name.replace('_', '-')}={value}"
        for name, value in session.flags.items()
        if value is not None
    ]
    command = [sys.executable, "-P", "-m", "code_indexer.mcp_server", *flags]
    if sys.platform == "win32":
        # There, exec starts another process and ends this one, which the agent waits for.
        import subprocess

        raise typer.Exit(subprocess.run(command, check=False).returncode)
    # Another program rather than a call: nothing that the command line loaded stays in memory.
    sys.stdout.flush()
    os.execv(sys.executable, command)  # noqa: S606 - no shell is wanted
