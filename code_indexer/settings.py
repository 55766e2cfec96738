"""Settings: what can be set, where each value came from, and whether it is usable.

Order of precedence: flags, environment, ``.code-indexer.toml`` in the project (only what is safe to
take from a cloned repository), ``config.toml`` in the index root, defaults.
"""

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal

from code_indexer.errors import InvalidSettingError

PROJECT_FILE = ".code-indexer.toml"
_SIZE_UNITS = {
    "": 1,
    "b": 1,
    "k": 1 << 10,
    "kb": 1 << 10,
    "kib": 1 << 10,
    "m": 1 << 20,
    "mb": 1 << 20,
}
_SIZE_UNITS |= {"mib": 1 << 20, "g": 1 << 30, "gb": 1 << 30, "gib": 1 << 30}
_TIME_UNITS = {"": 1.0, "s": 1.0, "ms": 0.001, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
_TRUTHS = dict.fromkeys(("yes", "true", "1", "on"), True)
_TRUTHS |= dict.fromkeys(("no", "false", "0", "off"), False)
_AMOUNT = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([A-Za-z]*)\s*")


@dataclass(frozen=True, slots=True)
class SettingRule:
    """How one setting is read and checked."""

    name: str
    kind: Literal["text", "path", "count", "bytes", "seconds", "yes or no"]
    default: Any
    minimum: float | None = None
    maximum: float | None = None
    from_project: bool = False
    """Whether a project's own file may set it: it says what is indexed, not where it is sent."""

    @property
    def variable(self) -> str:
        """Name of the environment variable."""
        return self.name.upper()

    @property
    def allowed(self) -> str:
        """The allowed values, in words."""
        noun = {
            "text": "text",
            "path": "a path",
            "yes or no": "yes or no",
            "count": "a whole number",
            "bytes": "a size such as 500MB",
        }
        words = noun.get(self.kind, "a duration such as 90s")
        if self.minimum is not None and self.maximum is not None:
            return f"{words}, from {self.minimum:g} to {self.maximum:g}"
        return words


RULES: Mapping[str, SettingRule] = {
    rule.name: rule
    for rule in (
        SettingRule("index_root", "path", None),
        SettingRule("ollama_url", "text", ""),
        SettingRule("qdrant_url", "text", ""),
        SettingRule("qdrant_api_key", "text", ""),
        SettingRule("ollama_api_key", "text", ""),
        SettingRule("embed_model", "text", ""),
        SettingRule("embed_query_prompt", "text", ""),
        SettingRule("embed_document_prompt", "text", ""),
        SettingRule("allow_cloud_models", "yes or no", default=False),
        SettingRule("server_patience", "seconds", 45.0, 0, 86_400),
        SettingRule("qdrant_timeout", "seconds", 90.0, 1, 86_400),
        SettingRule("qdrant_shards", "count", 0, 0, 10_000),
        SettingRule("qdrant_replicas", "count", 0, 0, 1000),
        SettingRule("qdrant_write_consistency", "count", 0, 0, 1000),
        SettingRule("qdrant_read_consistency", "text", ""),
        SettingRule("qdrant_compact_above", "bytes", 500_000_000, 0, 1 << 50),
        SettingRule("embed_batch", "count", 48, 1, 4096),
        SettingRule("upsert_batch", "count", 256, 1, 100_000),
        SettingRule("stale_ttl", "seconds", 60.0, 0, 86_400 * 365),
        SettingRule("max_file_bytes", "bytes", 1 << 20, 1, 1 << 30, from_project=True),
        SettingRule("min_free_disk", "bytes", 500_000_000, 0, 1 << 50),
        SettingRule("workers", "count", 0, 0, 256),
        SettingRule("watch_debounce", "seconds", 3.0, 0.05, 86_400),
        SettingRule("watch_quiet_period", "seconds", None, 0.05, 86_400),
        SettingRule("watch_sweep_interval", "seconds", 300.0, 1, 86_400 * 7),
    )
}


@dataclass(frozen=True, slots=True)
class Settings:
    """Every value that can be set, checked."""

    index_root: Path
    ollama_url: str
    """Address of the Ollama server; empty means the embedded model."""
    qdrant_url: str
    """Address of the Qdrant server; empty means vectors in the manifest."""
    qdrant_api_key: str
    ollama_api_key: str
    embed_model: str
    """Name of the Ollama model; empty means the default one."""
    embed_query_prompt: str
    """Put around queries instead of the model family's prompt: a prefix, or a text with {text}."""
    embed_document_prompt: str
    """The same for documents; part of the index identity."""
    allow_cloud_models: bool
    """Whether a model may be used that Ollama sends to somebody's cloud."""
    server_patience: float
    """Seconds within which a failing request is repeated, pauses included."""
    qdrant_timeout: float
    """Seconds that one write to Qdrant may take."""
    qdrant_shards: int
    """Shards of a new collection; 0 leaves it to the server."""
    qdrant_replicas: int
    qdrant_write_consistency: int
    qdrant_read_consistency: str
    """``majority``, ``quorum``, ``all`` or a number of replicas; empty leaves it to the server."""
    qdrant_compact_above: int
    """Bytes of raw vectors above which they lie on disk, quantised in memory."""
    embed_batch: int
    """Texts in one request to the embedding server."""
    upsert_batch: int
    """Points in one request to the vector server."""
    stale_ttl: float
    """Seconds within which a finished scan is believed."""
    max_file_bytes: int
    min_free_disk: int
    """Bytes that a pass leaves free on the disk of the index root."""
    workers: int
    """Processes that parse; 0 means one per processor."""
    watch_debounce: float
    """Seconds of quiet after the last event before a pass starts."""
    watch_quiet_period: float | None
    """Wins over ``watch_debounce`` where it is set."""
    watch_sweep_interval: float
    """Seconds between full sweeps of the watcher."""
    home: Path = Path("/")
    config_home: Path | None = None
    """``$XDG_CONFIG_HOME``, where it is set."""
    sources: Mapping[str, str] = None  # type: ignore[assignment]  # filled by load_settings
    """Setting name to the place its value came from."""


def load_settings(
    flags: Mapping[str, Any] | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    project_root: Path | None = None,
) -> Settings:
    """Settings from all their sources.

    Raises:
        InvalidSettingError: A value is outside its range, or a file cannot be read.
    """
    environment = os.environ if environment is None else environment
    home = Path(environment.get("HOME") or os.path.expanduser("~"))  # noqa: PTH111 - HOME may be unset
    values: dict[str, Any] = {rule.name: rule.default for rule in RULES.values()}
    sources = dict.fromkeys(values, "default")
    given = {name: value for name, value in (flags or {}).items() if value is not None}
    index_root = _index_root(given, environment, home)
    layers = (
        (_toml_values(index_root / "config.toml"), str(index_root / "config.toml"), False),
        (_toml_values(project_root / PROJECT_FILE) if project_root else {}, PROJECT_FILE, True),
        (_environment_values(environment), "environment", False),
        (given, "flag", False),
    )
    for layer, source, is_project in layers:
        for name, raw in layer.items():
            rule = RULES.get(name)
            if rule is None or (is_project and not rule.from_project):
                continue
            place = f"{rule.variable} in the environment" if source == "environment" else source
            values[name] = _checked(rule, raw, place)
            sources[name] = place
    values["index_root"] = index_root
    config_home = environment.get("XDG_CONFIG_HOME")
    return Settings(
        **values,
        home=home,
        config_home=Path(config_home) if config_home else None,
        sources=sources,
    )


def _index_root(flags: Mapping[str, Any], environment: Mapping[str, str], home: Path) -> Path:
    raw = flags.get("index_root") or environment.get("INDEX_ROOT") or home / ".code-indexer"
    text = os.fspath(raw)
    if text.startswith("~"):
        text = str(home) + text[1:]
    if "\0" in text:
        raise InvalidSettingError(f"index_root is not a path: {text!r}")
    return Path(os.path.abspath(text))  # noqa: PTH100 - resolve() would follow links


def _environment_values(environment: Mapping[str, str]) -> dict[str, str]:
    return {
        rule.name: environment[rule.variable]
        for rule in RULES.values()
        if environment.get(rule.variable)
    }


def _toml_values(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidSettingError(f"{path} cannot be read: {error}") from error
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidSettingError(f"{path} is not valid TOML: {error}") from error


def _checked(rule: SettingRule, raw: Any, source: str) -> Any:  # noqa: ANN401 - TOML gives anything
    try:
        value = _converted(rule, raw)
    except (KeyError, TypeError, ValueError) as error:
        raise _bad(rule, raw, source) from error
    too_small = rule.minimum is not None and value is not None and value < rule.minimum
    too_large = rule.maximum is not None and value is not None and value > rule.maximum
    if too_small or too_large:
        raise _bad(rule, raw, source)
    return value


def _bad(rule: SettingRule, raw: object, source: str) -> InvalidSettingError:
    return InvalidSettingError(
        f"{rule.variable} is {raw!r} ({source})", hint=f"It takes {rule.allowed}"
    )


def _converted(rule: SettingRule, raw: Any) -> Any:  # noqa: ANN401
    if rule.kind == "path":
        return Path(raw)
    if rule.kind == "text":
        if not isinstance(raw, str):
            raise TypeError(raw)
        return raw.strip()
    if rule.kind == "yes or no":
        return _TRUTHS[str(raw).strip().lower()]
    if isinstance(raw, bool):
        raise TypeError(raw)
    if rule.kind == "count":
        return int(raw)
    if isinstance(raw, int | float):
        return raw if rule.kind == "seconds" else int(raw)
    return _amount(str(raw), _SIZE_UNITS if rule.kind == "bytes" else _TIME_UNITS, rule.kind)


def _amount(text: str, units: Mapping[str, float], kind: str) -> float | int:
    match = _AMOUNT.fullmatch(text)
    if match is None or match[2].lower() not in units:
        raise ValueError(text)
    number = float(match[1]) * units[match[2].lower()]
    return int(number) if kind == "bytes" else number


def setting_names() -> list[str]:
    """Names of the fields that can be set, in order."""
    return [field.name for field in fields(Settings) if field.name in RULES]
