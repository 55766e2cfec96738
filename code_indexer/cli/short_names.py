"""Short names of the commands that people type daily."""

from typing import Any

import typer
from typer.core import TyperGroup

SHORT_NAMES = {
    "add": "add-project",
    "search": "semantic-search",
    "status": "index-status",
    "list": "list-projects",
    "remove": "remove-project",
    "reindex": "reindex-project",
    "def": "find-definition",
    "refs": "find-references",
    "show": "get-code-context",
}


class CommandGroup(TyperGroup):
    """All commands: the help lists each once, the shell is offered the short names too."""

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:  # noqa: ANN401 - typer's own
        """What goes on as *incomplete* does."""
        for name in SHORT_NAMES:
            self.commands[name].hidden = False
        return super().shell_complete(ctx, incomplete)


def register(app: typer.Typer) -> None:
    """Let each short name stand for its command; call it when all commands are there."""
    commands = {command.name: command for command in app.registered_commands}
    for short, name in SHORT_NAMES.items():
        command = commands[name]
        assert command.callback is not None
        app.command(short, cls=command.cls, hidden=True)(command.callback)
