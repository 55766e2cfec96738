"""Work on an index that another process may remove, or put another in the place of, meanwhile."""

from collections.abc import Callable
from typing import TypeVar

from code_indexer.core.services import Services, removed_meanwhile
from code_indexer.errors import IndexCorruptError, StateError
from code_indexer.types import Project

_ATTEMPTS = 3

_Result = TypeVar("_Result")


def steadily(services: Services, project: Project, work: Callable[[], _Result]) -> _Result:
    """What *work* gives; done again where the index it began with is no longer the project's.

    Files that are deleted under a reader surface as errors of the disk, or as damage.

    Raises:
        ProjectNotFoundError: The project was removed.
        IndexCorruptError, StateError: As *work* raises them about the index that is there.
    """
    for _ in range(_ATTEMPTS - 1):
        try:
            return work()
        except (IndexCorruptError, StateError) as error:
            if services.registry.by_slug(project.slug) is None:
                raise removed_meanwhile(project) from error
            if services.has_manifest_in_place(project):
                raise
            services.forget_manifest(project)
    return work()
