"""Which editor opens a place, and how each is told the line."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath

from code_indexer.cli.session import Session, is_fancy
from code_indexer.cli.streams import remark
from code_indexer.errors import UsageError

# How a line is told: ``+N file``, ``-g file:N``, ``file:N``, ``--line N file``.
_PLUS = "vi vim nvim view gvim mvim nano emacs emacsclient micro kak joe ne vis mg jed"
_GOTO = "code code-insiders codium vscodium cursor windsurf positron"
_COLON = "subl sublime_text zed zeditor hx helix lapce"
_OPTION = (
    "idea pycharm goland webstorm clion rubymine phpstorm rider rustrover studio fleet kate kwrite"
)
_FORMS: Mapping[str, str] = {
    **dict.fromkeys(_PLUS.split(), "+{line} {path}"),
    **dict.fromkeys(_GOTO.split(), "-g {path}:{line}"),
    **dict.fromkeys(_COLON.split(), "{path}:{line}"),
    **dict.fromkeys(_OPTION.split(), "--line {line} {path}"),
}
_TERMINAL = "vi vim nvim view nano micro kak joe ne vis mg jed hx helix"
_ENDINGS = (".exe", ".cmd", ".bat", ".sh")


@dataclass(frozen=True, slots=True)
class Editor:
    """A program that shows files, as the user calls it."""

    words: tuple[str, ...]
    """The program and the user's own options."""

    @property
    def name(self) -> str:
        """The program without folder and ending: ``code`` for ``/usr/bin/code``."""
        name = PurePath(self.words[0].replace("\\", "/")).name
        for ending in _ENDINGS:
            name = name.removesuffix(ending)
        return name

    @property
    def needs_terminal(self) -> bool:
        """Whether it draws in the terminal; only of known editors can that be told."""
        return self.name in _TERMINAL.split()

    def command(self, path: str, line: int) -> list[str]:
        """The command line that shows *path*; an unknown editor is not told the *line*."""
        form = _FORMS.get(self.name, "{path}")
        return [*self.words, *(word.format(path=path, line=line) for word in form.split(" "))]

    def open(self, path: str, line: int) -> None:
        """Show the place, and wait until the editor gives the terminal back.

        Raises:
            UsageError: It does not start.
        """
        import subprocess

        sys.stdout.flush()
        try:
            done = subprocess.run(self.command(path, line), check=False)
        except OSError as error:
            raise UsageError(
                f"the editor {self.words[0]} does not start: {error.strerror}", hint=_HINT
            ) from error
        if done.returncode:
            remark(f"the editor {self.words[0]} ended with {done.returncode}\n")


_HINT = "Set VISUAL or EDITOR, or name one with --editor"


def wanted_editor(session: Session, *, is_wanted: bool, named: str | None) -> Editor | None:
    """The editor of ``--open`` and ``--editor``; None where neither was said.

    Raises:
        UsageError: There is none, it is not installed, or it needs a terminal and has none.
    """
    if named is None and not is_wanted:
        return None
    editor = find_editor(session, named)
    if editor.needs_terminal and not (is_fancy(sys.stdin) and is_fancy(sys.stdout)):
        raise UsageError(
            f"{editor.name} needs a terminal",
            hint="Run it in one, or name an editor with a window: --editor code",
        )
    return editor


def find_editor(session: Session, named: str | None = None) -> Editor:
    """The editor named, else that of the environment.

    Raises:
        UsageError: There is none, or it is not installed.
    """
    import shlex
    import shutil

    given = named if named is not None else session.settings().editor
    if not given:
        raise UsageError("no editor is known", hint=_HINT)
    try:
        words = tuple(shlex.split(given))
    except ValueError as error:
        raise UsageError(f"not a command: {given!r} ({error})", hint=_HINT) from error
    if not words or shutil.which(words[0]) is None:
        raise UsageError(f"no such editor: {given}", hint=_HINT)
    return Editor(words)
