"""Which projects a command line asks: its options as the scope of an operation."""

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from code_indexer.errors import UsageError

if TYPE_CHECKING:
    from code_indexer.core.asking import Scope


def scope_of(
    projects: Iterable[str] | None,
    *,
    all_projects: bool = False,
    max_wait: float | None = None,
    skip_stale_check: bool = False,
) -> "Scope":
    """The scope that the options of a command name, seen from the working directory."""
    from code_indexer.core.asking import Scope
    from code_indexer.rendering import working_directory

    if max_wait is not None and math.isnan(max_wait):
        raise UsageError("the time to wait is not a number", hint="Give seconds: --max-wait 5")
    return Scope(
        projects=tuple(projects or ()),
        all_projects=all_projects,
        working_directory=working_directory(),
        max_wait=max_wait,
        skip_stale_check=skip_stale_check,
    )
