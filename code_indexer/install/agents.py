"""The agents: where each keeps its configuration, on which system, in which shape.

Checked against the documentation of each in November 2026; docs/agents.md lists the places.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Platform = Literal["linux", "darwin", "win32"]
Scope = Literal["user", "project"]
Shape = Literal["mcpServers", "stdio mcpServers", "servers", "opencode", "zed", "toml", "yaml"]


@dataclass(frozen=True, slots=True)
class System:
    """The computer and the user, as far as configuration files depend on them."""

    platform: Platform
    home: Path
    config_home: Path | None = None
    """``$XDG_CONFIG_HOME``, where it is set."""
    project: Path | None = None
    """Root of the project that files of project scope belong to."""

    @property
    def config(self) -> Path:
        """Where programs that follow the XDG rules keep their configuration."""
        return self.config_home or self.home / ".config"

    @property
    def applications(self) -> Path:
        """Where applications with windows keep their configuration."""
        if self.platform == "darwin":
            return self.home / "Library" / "Application Support"
        if self.platform == "win32":
            return self.home / "AppData" / "Roaming"
        return self.config


Place = Callable[[System], Path]


@dataclass(frozen=True, slots=True)
class Agent:
    """One coding agent."""

    name: str
    title: str
    shape: Shape
    user: Place
    """The configuration file of the user."""
    project: str | None
    """The configuration file of a project, relative to its root; None: the agent knows none."""
    signs: tuple[Place, ...]
    """Folders or files that are there when the agent is."""
    programs: tuple[str, ...] = ()
    """Commands that are there when the agent is."""
    comments: bool = True
    """Whether its JSON may hold comments and trailing commas."""
    user_instructions: Place | None = None
    project_instructions: str | None = "AGENTS.md"
    restart: str = "Restart it"
    """What makes it read the file."""


def _home(*parts: str) -> Place:
    return lambda system: system.home.joinpath(*parts)


def _config(*parts: str) -> Place:
    return lambda system: system.config.joinpath(*parts)


def _application(*parts: str) -> Place:
    return lambda system: system.applications.joinpath(*parts)


def _zed(*parts: str) -> Place:
    """Zed follows the XDG rules on macOS too."""

    def place(system: System) -> Path:
        if system.platform == "win32":
            return system.applications.joinpath("Zed", *parts)
        return system.config.joinpath("zed", *parts)

    return place


_ALL = (
    Agent(
        name="claude-desktop",
        title="Claude Desktop",
        shape="mcpServers",
        user=_application("Claude", "claude_desktop_config.json"),
        project=None,
        signs=(_application("Claude"),),
        comments=False,
        project_instructions=None,
        restart="Quit and start it again",
    ),
    Agent(
        name="claude-code",
        title="Claude Code",
        shape="stdio mcpServers",
        user=_home(".claude.json"),
        project=".mcp.json",
        signs=(_home(".claude.json"), _home(".claude")),
        programs=("claude",),
        comments=False,
        user_instructions=_home(".claude", "CLAUDE.md"),
        project_instructions="CLAUDE.md",
        restart="Start a new session",
    ),
    Agent(
        name="cursor",
        title="Cursor",
        shape="mcpServers",
        user=_home(".cursor", "mcp.json"),
        project=".cursor/mcp.json",
        signs=(_home(".cursor"), _application("Cursor")),
        programs=("cursor", "cursor-agent"),
    ),
    Agent(
        name="vscode",
        title="VS Code",
        shape="servers",
        user=_application("Code", "User", "mcp.json"),
        project=".vscode/mcp.json",
        signs=(_application("Code"),),
        programs=("code",),
        restart="Start the server in the list of MCP servers",
    ),
    Agent(
        name="codex",
        title="Codex",
        shape="toml",
        user=_home(".codex", "config.toml"),
        project=".codex/config.toml",
        signs=(_home(".codex"),),
        programs=("codex",),
        user_instructions=_home(".codex", "AGENTS.md"),
        restart="Start a new session",
    ),
    Agent(
        name="opencode",
        title="OpenCode",
        shape="opencode",
        user=_config("opencode", "opencode.json"),
        project="opencode.json",
        signs=(_config("opencode"),),
        programs=("opencode",),
        user_instructions=_config("opencode", "AGENTS.md"),
        restart="Start a new session",
    ),
    Agent(
        name="gemini",
        title="Gemini CLI",
        shape="mcpServers",
        user=_home(".gemini", "settings.json"),
        project=".gemini/settings.json",
        signs=(_home(".gemini"),),
        programs=("gemini",),
        user_instructions=_home(".gemini", "GEMINI.md"),
        project_instructions="GEMINI.md",
        restart="Start a new session",
    ),
    Agent(
        name="zed",
        title="Zed",
        shape="zed",
        user=_zed("settings.json"),
        project=".zed/settings.json",
        signs=(_zed(),),
        programs=("zed", "zeditor"),
        restart="It reads the file at once",
    ),
    Agent(
        name="windsurf",
        title="Windsurf",
        shape="mcpServers",
        user=_home(".codeium", "windsurf", "mcp_config.json"),
        project=None,
        signs=(_home(".codeium", "windsurf"), _application("Windsurf")),
        programs=("windsurf",),
        comments=False,
        user_instructions=_home(".codeium", "windsurf", "memories", "global_rules.md"),
        restart="Refresh the list of MCP servers",
    ),
    Agent(
        name="continue",
        title="Continue",
        shape="yaml",
        user=_home(".continue", "config.yaml"),
        project=".continue/mcpServers/code-indexer.yaml",
        signs=(_home(".continue"),),
        programs=("cn",),
        project_instructions=None,
        restart="Reload the window",
    ),
)

AGENTS: Mapping[str, Agent] = {agent.name: agent for agent in _ALL}
"""Every agent by its name."""


def configuration_file(agent: Agent, system: System, scope: Scope) -> Path | None:
    """The file to write; None when the agent has none of this scope."""
    if scope == "project":
        if agent.project is None or system.project is None:
            return None
        return _preferred(system.project / agent.project, agent)
    return _preferred(agent.user(system), agent)


def _preferred(path: Path, agent: Agent) -> Path:
    """*path*, or what stands for it on this computer."""
    if agent.shape == "opencode" and not path.exists() and path.with_suffix(".jsonc").exists():
        return path.with_suffix(".jsonc")
    if agent.shape == "yaml" and path.name == "config.yaml":
        # A new config.yaml would hide an old config.json; a file of its own hides nothing.
        block = path.parent / "mcpServers" / "code-indexer.yaml"
        return block if block.exists() or not path.exists() else path
    return path


def instructions_file(agent: Agent, system: System, scope: Scope) -> Path | None:
    """Where the agent reads standing instructions; None when it has no file for them."""
    if scope == "user":
        return None if agent.user_instructions is None else agent.user_instructions(system)
    if agent.project_instructions is None or system.project is None:
        return None
    return system.project / agent.project_instructions
