"""What the tests of processes share."""

from pathlib import Path

import pytest


@pytest.fixture
def sources(project_dir, write_files):
    """Some 450 files that take some seconds to index."""
    package = Path(__file__).parents[2] / "code_indexer"
    texts = [path.read_text() for path in sorted(package.rglob("*.py"))]
    write_files(
        {f"copy{n}/m{i}.py": f"# {n}\n{text}" for n in range(2) for i, text in enumerate(texts)}
    )
    return project_dir
