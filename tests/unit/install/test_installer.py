"""Every agent's writer, on files as they really look."""

import json
import os
import stat
import tomllib

import pytest

from code_indexer.errors import CodeIndexerError
from code_indexer.install import jsonc
from code_indexer.install.agents import AGENTS, System, configuration_file
from code_indexer.install.edits import DamagedConfigurationError, ServerEntry
from code_indexer.install.files import backup_of
from code_indexer.install.installer import (
    agent_states,
    install,
    install_instructions,
    instruction_files,
    is_detected,
    server_entry,
    snippet,
    uninstall,
    uninstall_instructions,
)

COMMAND = "/opt/tools/bin/code-indexer-mcp"
ENTRY = ServerEntry(COMMAND, environment={"INDEX_ROOT": "/data/index"})

REAL = {
    "claude-desktop": """{
  "globalShortcut": "Alt+Space",
  "mcpServers": {
    "filesystem": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "/home/me/Desktop"]
    }
  },
  "preferences": {
    "menuBarEnabled": false
  }
}
""",
    "claude-code": """{
  "numStartups": 184,
  "installMethod": "native",
  "tipsHistory": {
    "new-user-warmup": 3
  },
  "projects": {
    "/home/me/shop": {
      "allowedTools": [],
      "mcpServers": {},
      "hasTrustDialogAccepted": true
    }
  },
  "oauthAccount": {
    "emailAddress": "me@example.org"
  }
}""",
    "cursor": """{
\t"mcpServers": {
\t\t"linear": { "url": "https://mcp.linear.app/sse" },
\t}
}
""",
    "vscode": """{
\t// asked for when it is needed
\t"inputs": [
\t\t{ "type": "promptString", "id": "token", "description": "Token", "password": true }
\t],
\t"servers": {
\t\t"github": {
\t\t\t"type": "http",
\t\t\t"url": "https://api.githubcopilot.com/mcp/"
\t\t} // remote
\t}
}
""",
    "codex": """model = "gpt-5.5"
sandbox_mode = "workspace-write"

[tui]
notifications = true # ring

[mcp_servers.context7]
command = "npx"
args = ["-y", "@upstash/context7-mcp"]

[projects."/home/me/shop"]
trust_level = "trusted"
""",
    "opencode": """{
  "$schema": "https://opencode.ai/config.json",
  // the model of the day
  "model": "anthropic/claude-sonnet-4-5",
  "mcp": {
    "jira": {
      "type": "remote",
      "url": "https://jira.example.com/mcp",
      "enabled": false,
    },
  },
}
""",
    "gemini": """{
  "security": {
    "auth": {
      "selectedType": "gemini-api-key"
    }
  },
  "mcpServers": {},
  "ui": {
    "theme": "Default"
  }
}
""",
    "zed": """// Zed settings
//
// To see all of them, run: zed: open default settings
{
  "theme": {
    "mode": "system",
    "light": "One Light",
    "dark": "One Dark"
  },
  "context_servers": {
    "postgres": {
      "command": "docker",
      "args": ["run", "-i", "mcp/postgres"], // local
      "env": {}
    }
  },
  "buffer_font_size": 15
}
""",
    "windsurf": """{
  "mcpServers": {
    "github": {
      "command": "docker",
      "args": ["run", "-i", "--rm", "ghcr.io/github/github-mcp-server"],
      "env": {
        "GITHUB_PERSONAL_ACCESS_TOKEN": "x"
      }
    }
  }
}
""",
    "continue": """name: Local Agent
version: 1.0.0
schema: v1
models:
  # local first
  - name: Llama
    provider: ollama
    model: llama3.1:8b
mcpServers:
  - name: SQLite
    command: npx
    args:
      - "-y"
      - mcp-sqlite
rules:
  - Be brief
""",
}

PLACES = {
    ("claude-desktop", "linux"): ".config/Claude/claude_desktop_config.json",
    ("claude-desktop", "darwin"): "Library/Application Support/Claude/claude_desktop_config.json",
    ("claude-desktop", "win32"): "AppData/Roaming/Claude/claude_desktop_config.json",
    ("claude-code", "linux"): ".claude.json",
    ("claude-code", "darwin"): ".claude.json",
    ("claude-code", "win32"): ".claude.json",
    ("cursor", "linux"): ".cursor/mcp.json",
    ("cursor", "win32"): ".cursor/mcp.json",
    ("vscode", "linux"): ".config/Code/User/mcp.json",
    ("vscode", "darwin"): "Library/Application Support/Code/User/mcp.json",
    ("vscode", "win32"): "AppData/Roaming/Code/User/mcp.json",
    ("codex", "linux"): ".codex/config.toml",
    ("opencode", "linux"): ".config/opencode/opencode.json",
    ("opencode", "darwin"): ".config/opencode/opencode.json",
    ("gemini", "linux"): ".gemini/settings.json",
    ("zed", "linux"): ".config/zed/settings.json",
    ("zed", "darwin"): ".config/zed/settings.json",
    ("zed", "win32"): "AppData/Roaming/Zed/settings.json",
    ("windsurf", "linux"): ".codeium/windsurf/mcp_config.json",
    ("continue", "linux"): ".continue/mcpServers/code-indexer.yaml",
}

each_agent = pytest.mark.parametrize("name", list(AGENTS))


@pytest.fixture
def system(tmp_path):
    project = tmp_path / "shop"
    project.mkdir()
    return System("linux", tmp_path / "home", None, project)


@pytest.fixture
def with_file(system):
    """Give an agent its realistic file; the path."""

    def give(name, text=None):
        agent = AGENTS[name]
        path = agent.user(system)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes((REAL[name] if text is None else text).encode())
        return path

    return give


def data_of(name, path):
    text = path.read_text()
    if name == "codex":
        return tomllib.loads(text)
    if name == "continue":
        return pytest.importorskip("yaml").safe_load(text)
    return jsonc.parse(text)


def server_in(name, data):
    key = {"vscode": "servers", "codex": "mcp_servers", "opencode": "mcp", "zed": "context_servers"}
    servers = data[key.get(name, "mcpServers")]
    if name == "continue":
        return next(server for server in servers if server["name"] == "code-indexer")
    return servers["code-indexer"]


EXPECTED = {
    "vscode": {"type": "stdio", "command": COMMAND, "args": [], "env": dict(ENTRY.environment)},
    "claude-code": {
        "type": "stdio",
        "command": COMMAND,
        "args": [],
        "env": dict(ENTRY.environment),
    },
    "codex": {"command": COMMAND, "env": dict(ENTRY.environment)},
    "opencode": {
        "type": "local",
        "command": [COMMAND],
        "enabled": True,
        "environment": dict(ENTRY.environment),
    },
    "continue": {"name": "code-indexer", "command": COMMAND, "env": dict(ENTRY.environment)},
}
PLAIN = {"command": COMMAND, "args": [], "env": dict(ENTRY.environment)}


@pytest.mark.parametrize(("key", "place"), PLACES.items())
def test_each_agent_has_its_file_on_each_system(key, place, tmp_path):
    name, platform = key

    found = configuration_file(AGENTS[name], System(platform, tmp_path), "user")

    assert found == tmp_path / place


def test_the_users_own_place_of_configuration_is_respected(tmp_path):
    system = System("linux", tmp_path, tmp_path / "conf")

    assert configuration_file(AGENTS["zed"], system, "user") == tmp_path / "conf/zed/settings.json"


@each_agent
def test_the_server_is_added_in_the_agents_own_format(name, system, with_file):
    path = with_file(name)

    change = install(AGENTS[name], system, "user", ENTRY)

    assert (change.path, change.outcome) == (path, "added")
    assert server_in(name, data_of(name, path)) == EXPECTED.get(name, PLAIN)


@each_agent
def test_everything_else_in_the_file_stays(name, system, with_file):
    path = with_file(name)
    install(AGENTS[name], system, "user", ENTRY)

    text = path.read_text()
    missing = [
        line
        for line in REAL[name].splitlines()
        if line.strip(" \t,{}") and line.strip(" \t,{}") not in text
    ]
    assert [line for line in missing if '"mcpServers": {}' not in line] == []


@each_agent
def test_installing_twice_changes_nothing_more(name, system, with_file):
    path = with_file(name)
    install(AGENTS[name], system, "user", ENTRY)
    once = path.read_bytes()

    change = install(AGENTS[name], system, "user", ENTRY)

    assert change.outcome == "unchanged"
    assert path.read_bytes() == once


@each_agent
def test_undo_gives_the_file_back_byte_for_byte(name, system, with_file):
    path = with_file(name)
    install(AGENTS[name], system, "user", ENTRY)

    change = uninstall(AGENTS[name], system, "user", ENTRY)

    assert change.outcome == "restored"
    assert path.read_text() == REAL[name]
    assert not backup_of(path).exists()


@each_agent
def test_undo_keeps_what_was_changed_meanwhile(name, system, with_file):
    path = with_file(name)
    install(AGENTS[name], system, "user", ENTRY)
    comment = "# mine\n" if name in ("codex", "continue") else "\n"
    path.write_text(path.read_text() + comment)

    change = uninstall(AGENTS[name], system, "user", ENTRY)

    assert change.outcome == "removed"
    text = path.read_text()
    assert text.endswith(comment)
    assert "code-indexer" not in text
    assert data_of(name, path) == data_of(name, with_file(name))


@each_agent
def test_an_agent_without_a_file_gets_one_and_undo_takes_it_away(name, system):
    agent = AGENTS[name]

    added = install(agent, system, "user", ENTRY)
    assert server_in(name, data_of(name, added.path)) == EXPECTED.get(name, PLAIN)
    deleted = uninstall(agent, system, "user", ENTRY)

    assert (added.outcome, deleted.outcome) == ("added", "deleted")
    assert not added.path.exists()
    assert [] == [place for place in system.home.rglob("*") if place != system.config]
    assert not is_detected(agent, system)


def test_undo_leaves_folders_that_hold_something_else(system):
    install(AGENTS["cursor"], system, "user", ENTRY)
    (system.home / ".cursor/rules").mkdir()

    uninstall(AGENTS["cursor"], system, "user", ENTRY)

    assert (system.home / ".cursor/rules").is_dir()


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: path.symlink_to(path)])
def test_what_is_no_file_is_refused_and_not_waited_for(system, with_file, make):
    path = with_file("cursor")
    path.unlink()
    make(path)

    with pytest.raises(CodeIndexerError) as caught:
        install(AGENTS["cursor"], system, "user", ENTRY)

    assert "Move away what stands in its place" == caught.value.hint
    assert agent_states(system, "user")[2].problem


@each_agent
def test_a_new_command_replaces_the_old_one_and_keeps_the_first_backup(name, system, with_file):
    path = with_file(name)
    install(AGENTS[name], system, "user", ServerEntry("/old/code-indexer-mcp"))

    change = install(AGENTS[name], system, "user", ENTRY)

    assert change.outcome == "updated"
    assert backup_of(path).read_text() == REAL[name]
    assert server_in(name, data_of(name, path)) == EXPECTED.get(name, PLAIN) | (
        {"args": []} if "args" in server_in(name, data_of(name, path)) else {}
    )
    assert uninstall(AGENTS[name], system, "user", ENTRY).outcome == "restored"


@each_agent
def test_a_damaged_file_is_refused_and_left_alone(name, system, with_file):
    broken = {"codex": "model = \n[x\n", "continue": "a: [1\nb: 2\n"}.get(name, '{"a": {"b": 1,\n')
    path = with_file(name, broken)

    with pytest.raises(DamagedConfigurationError, match=str(path.name)):
        install(AGENTS[name], system, "user", ENTRY)

    assert path.read_text() == broken
    assert not backup_of(path).exists()
    assert [file.name for file in path.parent.iterdir() if file.is_file()] == [path.name]


def test_a_file_in_another_encoding_is_refused(system, with_file):
    path = with_file("cursor")
    path.write_bytes('{"name": "é"}'.encode("latin-1"))

    with pytest.raises(DamagedConfigurationError, match="UTF-8"):
        install(AGENTS["cursor"], system, "user", ENTRY)


@pytest.mark.parametrize(
    "name", [name for name, agent in AGENTS.items() if agent.project is not None]
)
def test_a_project_gets_a_file_of_its_own(name, system):
    change = install(AGENTS[name], system, "project", ENTRY)

    assert change.path == system.project / AGENTS[name].project
    assert server_in(name, data_of(name, change.path)) == EXPECTED.get(name, PLAIN)


@pytest.mark.parametrize("name", ["claude-desktop", "windsurf"])
def test_an_agent_without_project_scope_says_so(name, system):
    with pytest.raises(CodeIndexerError, match="project scope"):
        install(AGENTS[name], system, "project", ENTRY)


def test_what_the_user_added_to_the_entry_stays(system, with_file):
    path = with_file("cursor")
    install(AGENTS["cursor"], system, "user", ServerEntry("/old"))
    data = jsonc.with_member(path.read_text(), ("mcpServers", "code-indexer", "env"), {"MINE": "1"})
    path.write_text(jsonc.with_member(data, ("mcpServers", "code-indexer", "disabled"), True))

    install(AGENTS["cursor"], system, "user", ENTRY)

    assert server_in("cursor", data_of("cursor", path)) == {
        **PLAIN,
        "env": {"MINE": "1", "INDEX_ROOT": "/data/index"},
        "disabled": True,
    }


def test_opencode_2_keeps_its_own_shape(system, with_file):
    path = with_file("opencode", '{\n  "mcp": {\n    "servers": {\n      "x": {}\n    }\n  }\n}\n')

    install(AGENTS["opencode"], system, "user", ENTRY)

    assert json.loads(path.read_text())["mcp"]["servers"]["code-indexer"] == {
        "type": "local",
        "command": [COMMAND],
        "environment": dict(ENTRY.environment),
    }
    assert uninstall(AGENTS["opencode"], system, "user", ENTRY).outcome == "restored"


def test_opencodes_file_with_comments_in_its_name_is_found(system, tmp_path):
    path = system.home / ".config/opencode/opencode.jsonc"
    path.parent.mkdir(parents=True)
    path.write_text("{\n  // nothing yet\n}\n")

    change = install(AGENTS["opencode"], system, "user", ENTRY)

    assert change.path == path
    assert "// nothing yet" in path.read_text()


def test_an_old_continue_configuration_is_not_hidden_by_a_new_one(system):
    old = system.home / ".continue/config.json"
    old.parent.mkdir(parents=True)
    old.write_text("{}")

    change = install(AGENTS["continue"], system, "user", ENTRY)

    assert change.path.parent.name == "mcpServers"
    assert not (old.parent / "config.yaml").exists()


def test_mode_and_link_of_a_file_are_kept(system, with_file, tmp_path):
    path = with_file("claude-code")
    path.chmod(0o600)
    target = tmp_path / "dotfiles.json"
    path.rename(target)
    path.symlink_to(target)

    install(AGENTS["claude-code"], system, "user", ENTRY)

    assert path.is_symlink()
    assert COMMAND in target.read_text()
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert stat.S_IMODE(backup_of(path).stat().st_mode) == 0o600


def test_undo_leaves_a_link_that_led_nowhere_as_it_was(system, tmp_path):
    path = configuration_file(AGENTS["cursor"], system, "user")
    path.parent.mkdir(parents=True)
    path.symlink_to(tmp_path / "not-yet.json")

    install(AGENTS["cursor"], system, "user", ENTRY)
    uninstall(AGENTS["cursor"], system, "user", ENTRY)

    assert path.is_symlink()
    assert not (tmp_path / "not-yet.json").exists()


def test_agents_are_detected_by_what_they_leave_behind(system, monkeypatch):
    monkeypatch.setenv("PATH", "")
    (system.home / ".codex").mkdir(parents=True)
    (system.home / ".config/zed").mkdir(parents=True)

    found = [state.agent.name for state in agent_states(system, "user") if state.is_detected]

    assert found == ["codex", "zed"]


def test_an_unusable_file_is_named_in_the_list(system, with_file):
    with_file("gemini", "{")

    state = next(s for s in agent_states(system, "user") if s.agent.name == "gemini")

    assert state.problem
    assert not state.is_installed


@each_agent
def test_the_printed_entry_is_what_would_be_written(name, system):
    agent = AGENTS[name]
    path = configuration_file(agent, system, "user")

    printed = snippet(agent, path, ENTRY)
    install(agent, system, "user", ENTRY)

    assert path.read_text() == printed


def test_the_server_is_named_by_its_absolute_path(tmp_path, monkeypatch):
    program = tmp_path / "bin/code-indexer-mcp"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)

    assert server_entry({}, str(tmp_path / "bin/code-indexer")).command == str(program)


def test_instructions_are_put_into_each_file_once_and_taken_out(system):
    agents = [AGENTS[name] for name in ("claude-code", "codex", "opencode", "cursor")]
    (system.project / "AGENTS.md").write_text("# Mine\n")

    files = instruction_files(agents, system, "project")
    added = [install_instructions(file).outcome for file in files]
    again = [install_instructions(file).outcome for file in files]
    removed = [uninstall_instructions(file, system).outcome for file in files]

    assert [file.name for file in files] == ["CLAUDE.md", "AGENTS.md"]
    assert (added, again) == (["added"] * 2, ["unchanged"] * 2)
    assert removed == ["deleted", "restored"]
    assert (system.project / "AGENTS.md").read_text() == "# Mine\n"
    assert not (system.project / "CLAUDE.md").exists()


@pytest.mark.parametrize("text", ["# Mine", "# Mine\r\nmixed\nends", "# Mine\n"])
def test_undo_gives_a_file_of_instructions_back_byte_for_byte(text, system):
    path = system.project / "CLAUDE.md"
    path.write_bytes(text.encode())

    install_instructions(path)
    uninstall_instructions(path, system)

    assert path.read_bytes() == text.encode()
    assert not backup_of(path).exists()
