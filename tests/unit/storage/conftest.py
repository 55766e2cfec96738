"""A Qdrant-shaped server, and projects whose vectors lie in it."""

import pytest
from fakes_qdrant import FakeQdrant
from qdrant_projects import Project


@pytest.fixture
def qdrant():
    with FakeQdrant() as fake:
        yield fake


@pytest.fixture
def make_project(qdrant, tmp_path):
    """Makes projects, each in a folder of its name; they are closed at the end."""
    made = []

    def make(name="app", url=None, **options) -> Project:
        project = Project(url or qdrant.url, tmp_path / name, **options)
        made.append(project)
        return project

    yield make
    for project in made:
        project.close()
