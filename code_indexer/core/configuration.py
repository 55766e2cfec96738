"""``config``: each setting with its value, where that came from, and what it may be."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from code_indexer.core.lookup import find_project, get_project
from code_indexer.core.roots import absolute_path
from code_indexer.core.services import Services
from code_indexer.settings import (
    CONFIG_FILE,
    PROJECT_FILE,
    RULES,
    Settings,
    project_settings,
    setting_names,
    toml_values,
)


@dataclass(frozen=True, slots=True)
class ConfiguredValue:
    """One setting as it holds."""

    name: str
    variable: str | None
    """The environment variable that sets it, if one does."""
    value: str
    """As one would write it; empty where it is not set, hidden where it is a secret."""
    source: str
    default: str
    allowed: str
    from_project: bool
    """Whether a project's own file may set it."""


@dataclass(frozen=True, slots=True)
class IgnoredValue:
    """A line of a settings file that sets nothing."""

    name: str
    file: str
    why: str


@dataclass(frozen=True, slots=True)
class Configuration:
    """All settings, and the files that were read for them."""

    values: tuple[ConfiguredValue, ...]
    ignored: tuple[IgnoredValue, ...]
    files: tuple[str, ...]
    """Where settings can be written, whether or not the files exist."""
    project: str | None = None


def describe_configuration(services: Services, project: str | None = None) -> Configuration:
    """Every setting; with *project* (path, slug or name), as it holds for that project.

    Raises:
        InvalidSettingError: A value is bad; the message names its source.
        ProjectNotFoundError: *project* is neither registered nor a folder.
    """
    settings = services.settings
    files = [settings.index_root / CONFIG_FILE]
    root = None
    if project is not None:
        root = _root_of(services, project)
        files.append(Path(root) / PROJECT_FILE)
        settings = project_settings(settings, Path(root))
    return Configuration(
        values=tuple(_value(settings, name) for name in setting_names()),
        ignored=tuple(one for file in files for one in _ignored(file)),
        files=tuple(map(str, files)),
        project=root,
    )


def _root_of(services: Services, project: str) -> str:
    """The folder of *project*, which need not be registered."""
    folder = absolute_path(project, services.settings)
    if find_project(services, project) is None and Path(folder).is_dir():
        return folder
    return get_project(services, project).root


def _value(settings: Settings, name: str) -> ConfiguredValue:
    rule = RULES[name]
    default = "~/.code-indexer" if name == "index_root" else rule.shown(rule.default)
    return ConfiguredValue(
        name=name,
        variable=rule.variable if rule.from_environment else None,
        value=rule.shown(getattr(settings, name)),
        source=_sources(settings)[name],
        default=default,
        allowed=rule.allowed,
        from_project=rule.from_project,
    )


def _sources(settings: Settings) -> Mapping[str, str]:
    return settings.sources or dict.fromkeys(RULES, "default")


def _ignored(file: Path) -> list[IgnoredValue]:
    is_of_project = file.name == PROJECT_FILE
    ignored = []
    for name in toml_values(file):
        rule = RULES.get(name)
        if rule is None:
            ignored.append(IgnoredValue(name, str(file), "no such setting"))
        elif name == "index_root":
            ignored.append(IgnoredValue(name, str(file), "set it by INDEX_ROOT or --index-root"))
        elif is_of_project and not rule.from_project:
            why = "a project's own file may say what is indexed, and nothing else"
            ignored.append(IgnoredValue(name, str(file), why))
    return ignored
