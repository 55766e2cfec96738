"""The install command, in a home folder of its own."""

import json

import pytest


@pytest.fixture
def home(private_state, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.chdir(tmp_path)
    return private_state.parent


def test_the_list_offers_the_agents_that_are_here(run_cli, home):
    (home / ".cursor").mkdir()

    done = run_cli("install", "--list")

    assert done.code == 0
    assert f"cursor          found here  {home}/.cursor/mcp.json" in done.out.splitlines()
    assert "code-indexer install cursor" in done.err


def test_installing_and_undoing(run_cli, home, private_state):
    file = home / ".cursor/mcp.json"
    file.parent.mkdir()
    file.write_text("{}\n")

    added = run_cli("install", "cursor")
    entry = json.loads(file.read_text())["mcpServers"]["code-indexer"]
    undone = run_cli("install", "cursor", "--undo")

    assert added.out == f"Cursor: added to {file}\n"
    assert entry["command"].startswith("/")
    assert entry["env"]["INDEX_ROOT"] == str(private_state)
    assert undone.out == f"Cursor: restored as it was before: {file}\n"
    assert file.read_text() == "{}\n"


def test_print_writes_nothing(run_cli, home):
    done = run_cli("install", "codex", "--print", "--with-instructions")

    assert done.code == 0
    assert "[mcp_servers.code-indexer]" in done.out
    assert "semantic_search" in done.out
    assert not (home / ".codex").exists()


def test_all_means_those_that_are_here(run_cli, home):
    (home / ".gemini").mkdir()
    (home / ".codex").mkdir()

    done = run_cli("install", "--all", "--json")

    assert [change["agent"] for change in done.json()["changes"]] == ["Codex", "Gemini CLI"]


def test_one_damaged_file_does_not_keep_the_others_waiting(run_cli, home):
    (home / ".codex").mkdir()
    (home / ".codex/config.toml").write_text("model = \n")

    done = run_cli("install", "codex", "gemini")

    assert done.code == 1
    assert "config.toml: not valid TOML" in done.err
    assert (home / ".gemini/settings.json").exists()
    assert (home / ".codex/config.toml").read_text() == "model = \n"


def test_a_project_gets_its_files_at_the_top_of_its_repository(
    run_cli, home, tmp_path, monkeypatch
):
    (tmp_path / "shop/.git").mkdir(parents=True)
    (tmp_path / "shop/.git/HEAD").write_text("ref: refs/heads/main\n")
    (tmp_path / "shop/src").mkdir()
    monkeypatch.chdir(tmp_path / "shop/src")

    done = run_cli("install", "claude-code", "--scope", "project", "--with-instructions")

    assert done.code == 0
    assert (tmp_path / "shop/.mcp.json").exists()
    assert "find_references" in (tmp_path / "shop/CLAUDE.md").read_text()


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["corsor"], "Did you mean cursor?"),
        ([], "See --list"),
        (["cursor", "--all"], "Give either"),
        (["windsurf", "--scope", "project"], "Leave out --scope"),
    ],
)
def test_a_wrong_request_is_refused_with_a_hint(arguments, hint, run_cli, home):
    done = run_cli("install", *arguments)

    assert done.code == 2
    assert hint in done.err


@pytest.mark.parametrize("only_print", [(), ("--print",)])
def test_secrets_are_left_out_and_named_with_their_place(
    only_print, run_cli, home, private_state, monkeypatch
):
    monkeypatch.setenv("OLLAMA_URL", "http://me:hunter2@embedder:11434")
    monkeypatch.setenv("QDRANT_URL", "http://store:6333")
    monkeypatch.setenv("QDRANT_API_KEY", "hunter3")

    done = run_cli("install", "cursor", *only_print)

    file = home / ".cursor/mcp.json"
    written = done.out if only_print else file.read_text()
    assert "hunter" not in written + done.err
    assert "OLLAMA_URL" not in written
    assert "http://store:6333" in written
    assert (
        "OLLAMA_URL and QDRANT_API_KEY hold secrets and are not written into the files of agents;"
        f" put ollama_url, qdrant_api_key into {private_state / 'config.toml'}"
    ) in done.err


def test_all_skips_agents_without_a_file_of_the_project_and_says_so(run_cli, home, tmp_path):
    (home / ".cursor").mkdir()
    (home / ".codeium/windsurf").mkdir(parents=True)

    done = run_cli("install", "--all", "--scope", "project")

    assert done.code == 0
    assert "skipped, without a configuration of project scope: Windsurf" in done.err
    assert (tmp_path / ".cursor/mcp.json").exists()


def test_instructions_that_cannot_be_edited_do_not_hide_what_was_done(run_cli, home):
    (home / ".claude").mkdir()
    (home / ".claude/CLAUDE.md").write_bytes(b"\xff")

    done = run_cli("install", "claude-code", "gemini", "--with-instructions")

    assert 1 == done.code
    assert "Claude Code: added to" in done.out
    assert f"instructions: added to {home / '.gemini/GEMINI.md'}" in done.out
    assert "CLAUDE.md is not UTF-8 text" in done.err
    assert "--print" in done.err


def test_an_agent_with_an_unusable_file_is_not_offered(run_cli, home):
    (home / ".cursor").mkdir()
    (home / ".gemini").mkdir()
    (home / ".cursor/mcp.json").write_text("{ broken")

    done = run_cli("install", "--list")

    assert "install them with: code-indexer install gemini\n" in done.err
