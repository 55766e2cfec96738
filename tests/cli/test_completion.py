"""Shell completion: commands, and the projects that are registered."""

import pytest


@pytest.fixture
def offered(run_process):
    """What bash is offered for a line whose last word is being typed."""
    import os

    def ask(line: str) -> list[str]:
        environment = os.environ | {
            "_CODE_INDEXER_COMPLETE": "complete_bash",
            "COMP_WORDS": f"code-indexer {line}",
            "COMP_CWORD": str(len(line.split(" "))),
        }
        return run_process(env=environment).out.split()

    return ask


@pytest.fixture
def shop(project_dir, run_cli):
    (project_dir / "a.py").write_text("x = 1\n")
    run_cli("add-project", project_dir, "--name", "shop")
    return project_dir


def test_commands_are_offered(offered):
    assert ["semantic-search"] == offered("sem")


def test_short_names_are_offered_beside_the_long_ones(offered):
    assert ["search"] == offered("sea")
    assert ["status", "stats"] == sorted(offered("sta"), key=len, reverse=True)


def test_agents_are_offered(offered):
    assert ["claude-desktop", "claude-code"] == offered("install cl")


def test_projects_are_offered_by_name_and_by_path(offered, shop):
    assert ["shop"] == offered("index-status sh")
    assert ["shop"] == offered("semantic-search x --project s")
    assert str(shop) in offered(f"remove-project {str(shop)[:-2]}")


def test_without_an_index_or_with_bad_settings_nothing_is_offered(
    offered, private_state, monkeypatch
):
    assert [] == offered("index-status s")
    assert not private_state.exists()
    monkeypatch.setenv("STALE_TTL", "soon")
    assert [] == offered("index-status s")
