"""What every command shares: the settings, the streams, and how answers are printed."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from code_indexer.cli.streams import remark
from code_indexer.settings import Settings, load_settings

if TYPE_CHECKING:
    from code_indexer.core.results import SearchedProject
    from code_indexer.core.services import Services


@dataclass(slots=True)
class Session:
    """The global options of one command line."""

    flags: dict[str, object]
    as_json: bool = False
    quiet: bool = False
    verbose: bool = False

    def settings(self) -> Settings:
        """The settings of this command line."""
        return load_settings(self.flags)

    def services(self) -> "Services":
        """The parts that operations work with."""
        from code_indexer.core.services import Services

        return Services(self.settings())

    def say(self, text: str) -> None:
        """The answer: stdout."""
        sys.stdout.write(text if text.endswith("\n") or not text else text + "\n")

    def say_json(self, document: object) -> None:
        """The answer as one JSON document."""
        from code_indexer.rendering import to_json

        self.say(to_json(document))

    def say_data(self, document: Mapping[str, object], rows: str, *, as_lines: bool) -> None:
        """The answer as one JSON document, or with *as_lines* only its *rows*, one a line."""
        if not as_lines:
            self.say_json(document)
            return
        from code_indexer.rendering import to_json_line

        found = document[rows]
        assert isinstance(found, Iterable)
        for row in found:
            self.say(to_json_line(row))

    def note_elsewhere(self, projects: "Sequence[SearchedProject]", *, is_chosen: bool) -> None:
        """Say so where all projects were asked because none is registered around the user."""
        from code_indexer.rendering import working_directory

        here = f"{working_directory()}/"
        if is_chosen or any(here.startswith(f"{one.project.root}/") for one in projects):
            return
        self.note(
            "this folder is not indexed, so every project was asked; to index and ask this one"
            " alone: --project ."
        )

    def note(self, text: str) -> None:
        """A remark beside the answer: stderr, unless ``--quiet``."""
        if not self.quiet:
            from code_indexer.rendering import visible

            remark(f"{visible(text)}\n")

    def warn(self, warnings: Iterable[str]) -> None:
        """Remarks that something is not as it should be."""
        for warning in warnings:
            self.note(f"warning: {warning}")


def is_fancy(stream: object) -> bool:
    """Whether *stream* is a terminal that shows colour."""
    isatty = getattr(stream, "isatty", None)
    return bool(isatty and isatty())
