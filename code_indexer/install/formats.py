"""The server's entry in the format of each agent: put in, taken out, looked for."""

from collections.abc import Sequence
from typing import Any

from code_indexer.install import jsonc, toml_text, yaml_text
from code_indexer.install.agents import Agent
from code_indexer.install.edits import SERVER_NAME, ServerEntry

_CONTAINERS = {
    "mcpServers": ("mcpServers",),
    "stdio mcpServers": ("mcpServers",),
    "servers": ("servers",),
    "zed": ("context_servers",),
}


def with_server(agent: Agent, text: str, entry: ServerEntry, *, is_block: bool = False) -> str:
    """The agent's file with the server in it.

    *is_block* says that a YAML file is there for this server alone.

    Raises:
        DamagedConfigurationError: The file is not valid, or cannot be edited safely.
    """
    if agent.shape == "toml":
        return toml_text.with_server(text, entry)
    if agent.shape == "yaml":
        if is_block and not text.strip():
            return yaml_text.new_block(entry)
        return yaml_text.with_server(text, entry)
    path = (*_container(agent, text), SERVER_NAME)
    old = _at(_parsed(agent, text), path)
    if not isinstance(old, dict):
        return jsonc.with_member(text, path, _data(agent, entry, path), comments=agent.comments)
    # What the user has added to the entry stays.
    for key, value in _data(agent, entry, path).items():
        if key in ("env", "environment") and isinstance(old.get(key), dict):
            for name, setting in value.items():
                text = _with_changed(agent, text, (*path, key, name), setting)
        elif key not in ("enabled", "args") or (key == "args" and (value or key in old)):
            text = _with_changed(agent, text, (*path, key), value)
    return text


def without_server(agent: Agent, text: str, *, keep_container: bool) -> str:
    """The agent's file without the server, and without what only it needed.

    Raises:
        DamagedConfigurationError: The file is not valid, or cannot be edited safely.
    """
    if agent.shape == "toml":
        return toml_text.without_server(text)
    if agent.shape == "yaml":
        return yaml_text.without_server(text)
    data = _parsed(agent, text)
    for container in _containers(agent):
        if _at(data, (*container, SERVER_NAME)) is None:
            continue
        text = jsonc.without_member(text, (*container, SERVER_NAME), comments=agent.comments)
        if not keep_container and _at(_parsed(agent, text), container) == {}:
            text = jsonc.without_member(text, container, comments=agent.comments)
    return text


def has_server(agent: Agent, text: str) -> bool:
    """Whether the server is in the agent's file."""
    if agent.shape == "toml":
        return toml_text.server_of(text) is not None
    if agent.shape == "yaml":
        return yaml_text.has_server(text)
    data = _parsed(agent, text)
    return any(_at(data, (*container, SERVER_NAME)) is not None for container in _containers(agent))


def has_container(agent: Agent, text: str) -> bool:
    """Whether a JSON file has an object for servers, even an empty one."""
    if agent.shape in ("toml", "yaml"):
        return True
    data = _parsed(agent, text)
    return any(_at(data, container) is not None for container in _containers(agent))


def is_empty(agent: Agent, text: str, *, is_block: bool = False) -> bool:
    """Whether nothing is left in the file that somebody may miss."""
    if agent.shape == "yaml" and is_block:
        return not yaml_text.has_servers(text)
    if agent.shape in ("toml", "yaml"):
        return not text.strip()
    return text.strip("\ufeff{} \t\r\n") == ""


def _with_changed(agent: Agent, text: str, path: Sequence[str], value: Any) -> str:  # noqa: ANN401
    if _at(_parsed(agent, text), path) == value:
        return text
    return jsonc.with_member(text, path, value, comments=agent.comments)


def _parsed(agent: Agent, text: str) -> Any:  # noqa: ANN401 - JSON is anything
    return jsonc.parse(text, comments=agent.comments) if text.strip("\ufeff \t\r\n") else {}


def _containers(agent: Agent) -> tuple[tuple[str, ...], ...]:
    """Every object that may hold the server."""
    if agent.shape == "opencode":
        return ("mcp", "servers"), ("mcp",)
    return (_CONTAINERS[agent.shape],)


def _container(agent: Agent, text: str) -> tuple[str, ...]:
    """The object that is to hold the server.

    OpenCode 2 has ``mcp.servers`` and reads the flat ``mcp`` of OpenCode 1 too, which does not
    know the new one: a file keeps the shape it has, and a new one gets what both understand.
    """
    if agent.shape != "opencode":
        return _CONTAINERS[agent.shape]
    nested = _at(_parsed(agent, text), ("mcp", "servers"))
    is_native = isinstance(nested, dict) and not {"type", "command", "url"} & nested.keys()
    return ("mcp", "servers") if is_native else ("mcp",)


def _data(agent: Agent, entry: ServerEntry, path: Sequence[str]) -> dict[str, Any]:
    if agent.shape == "opencode":
        data: dict[str, Any] = {"type": "local", "command": [entry.command, *entry.arguments]}
        if len(path) == 2:
            data["enabled"] = True
        return data | ({"environment": dict(entry.environment)} if entry.environment else {})
    data = {"command": entry.command, "args": list(entry.arguments)}
    if agent.shape in ("servers", "stdio mcpServers"):
        data = {"type": "stdio", **data}
    if entry.environment:
        data["env"] = dict(entry.environment)
    return data


def _at(data: Any, path: Sequence[str]) -> Any:  # noqa: ANN401
    for key in path:
        if not isinstance(data, dict):
            return None
        data = data.get(key)
    return data
