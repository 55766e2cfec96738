"""Short names of the commands that people type daily."""

import typer

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


def register(app: typer.Typer) -> None:
    """Let each short name stand for its command; call it when all commands are there."""
    commands = {command.name: command for command in app.registered_commands}
    for short, name in SHORT_NAMES.items():
        command = commands[name]
        assert command.callback is not None
        app.command(short, cls=command.cls, hidden=True)(command.callback)
