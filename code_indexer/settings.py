"""Settings: what can be set, where each value came from, and whether it is usable.

Order of precedence: flags, environment, ``.code-indexer.toml`` in the project (only what is safe to
take from a cloned repository), ``config.toml`` in the index root, defaults.
"""

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal

from code_indexer.errors import InvalidSettingError

PROJECT_FILE = ".code-indexer.toml"
CONFIG_FILE = "config.toml"
_MAX_TOML_BYTES = 1 << 20
_MEND = "Mend the file, or move it away: without it the defaults hold"
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
_SIZE_UNITS |= {"t": 1 << 40, "tb": 1 << 40, "tib": 1 << 40}
_TIME_UNITS = {"": 1.0, "s": 1.0, "ms": 0.001, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
_TIME_UNITS |= {"sec": 1.0, "second": 1.0, "seconds": 1.0, "minute": 60.0, "minutes": 60.0}
_TIME_UNITS |= {"hour": 3600.0, "hours": 3600.0, "day": 86400.0, "days": 86400.0}
_TIME_UNITS |= {"w": 7 * 86400.0, "week": 7 * 86400.0, "weeks": 7 * 86400.0}
_TRUTHS = dict.fromkeys(("yes", "true", "1", "on"), True)
_TRUTHS |= dict.fromkeys(("no", "false", "0", "off"), False)
_PASSWORD = re.compile(r"^((?:[a-z][a-z0-9+.-]*://)?)[^@/]*@", re.IGNORECASE)
HIDDEN = "(hidden)"
_AMOUNT = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([A-Za-z]*)\s*")


@dataclass(frozen=True, slots=True)
class SettingRule:
    """How one setting is read and checked."""

    name: str
    kind: Literal["text", "path", "count", "bytes", "seconds", "yes or no", "patterns"]
    default: Any
    minimum: float | None = None
    maximum: float | None = None
    from_project: bool = False
    """Whether a project's own file may set it: it says what is indexed, not where it is sent."""
    from_environment: bool = True
    """Whether a variable may set it; names that other programs use are left alone."""
    is_secret: bool = False
    """Whether its value is never shown."""

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
            "patterns": "a list of patterns, each as a line of .codeindexignore",
        }
        words = noun.get(self.kind, "a duration such as 90s")
        if self.minimum is not None and self.maximum is not None:
            low, high = self.shown(self.minimum), self.shown(self.maximum)
            return f"{words}, from {low} to {high}"
        return words

    def shown(self, value: Any) -> str:  # noqa: ANN401 - whatever its kind holds
        """A value of this setting as one would write it."""
        if value is None or value in ("", ()):
            return ""
        if self.is_secret:
            return HIDDEN
        if self.kind == "bytes":
            return _size_text(int(value))
        if self.kind == "seconds":
            return _time_text(float(value))
        if self.kind == "yes or no":
            return "yes" if value else "no"
        if self.kind == "patterns":
            return ", ".join(value)
        return without_password(str(value)) if self.name.endswith("_url") else f"{value}"


RULES: Mapping[str, SettingRule] = {
    rule.name: rule
    for rule in (
        SettingRule("index_root", "path", None),
        SettingRule("ollama_url", "text", ""),
        SettingRule("qdrant_url", "text", ""),
        SettingRule("qdrant_api_key", "text", "", is_secret=True),
        SettingRule("ollama_api_key", "text", "", is_secret=True),
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
        SettingRule("exclude", "patterns", (), from_project=True, from_environment=False),
        SettingRule("include", "patterns", (), from_project=True, from_environment=False),
        SettingRule("min_free_disk", "bytes", 500_000_000, 0, 1 << 50),
        SettingRule("max_index_bytes", "bytes", 0, 0, 1 << 50),
        SettingRule("workers", "count", 0, 0, 256),
        SettingRule("watch_debounce", "seconds", 3.0, 0.05, 86_400),
        SettingRule("watch_quiet_period", "seconds", None, 0.05, 86_400),
        SettingRule("watch_sweep_interval", "seconds", 300.0, 1, 86_400 * 7),
        SettingRule("record_stats", "yes or no", default=True),
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
    """Larger files are not indexed."""
    exclude: tuple[str, ...]
    """Patterns of files that are not indexed, each as a line of ``.codeindexignore``."""
    include: tuple[str, ...]
    """Patterns of files that are indexed although git ignores them."""
    min_free_disk: int
    """Bytes that a pass leaves free on the disk of the index root."""
    max_index_bytes: int
    """Size from which an index takes in no further files; 0 sets no limit."""
    workers: int
    """Processes that parse; 0 means one per processor."""
    watch_debounce: float
    """Seconds of quiet after the last event before a pass starts."""
    watch_quiet_period: float | None
    """Wins over ``watch_debounce`` where it is set."""
    watch_sweep_interval: float
    """Seconds between full sweeps of the watcher."""
    record_stats: bool
    """Whether each search leaves a line of numbers in the index root, for ``stats``."""
    home: Path = Path("/")
    config_home: Path | None = None
    """``$XDG_CONFIG_HOME``, where it is set."""
    terminal: str = ""
    """``$TERM``: which kind of terminal there is."""
    editor: str | None = None
    """``$VISUAL``, else ``$EDITOR``: what the user edits with."""
    sources: Mapping[str, str] = None  # type: ignore[assignment]  # filled by load_settings
    """Setting name to the place its value came from."""


def load_settings(
    flags: Mapping[str, Any] | None = None,
    *,
    environment: Mapping[str, str] | None = None,
) -> Settings:
    """Settings from all their sources but the projects' own files.

    Raises:
        InvalidSettingError: A value is outside its range, or a file cannot be read.
    """
    environment = os.environ if environment is None else environment
    home = Path(environment.get("HOME") or os.path.expanduser("~"))  # noqa: PTH111 - HOME may be unset
    values: dict[str, Any] = {rule.name: rule.default for rule in RULES.values()}
    sources = dict.fromkeys(values, "default")
    given = {name: value for name, value in (flags or {}).items() if value is not None}
    index_root = _index_root(given, environment, home)
    config_file = index_root / CONFIG_FILE
    layers = (
        (toml_values(config_file), str(config_file)),
        (_environment_values(environment), "environment"),
        (given, "flag"),
    )
    for layer, source in layers:
        for name, raw in layer.items():
            rule = RULES.get(name)
            if rule is None:
                continue
            place = in_environment(name) if source == "environment" else source
            values[name] = _checked(rule, raw, place)
            sources[name] = place
    values["index_root"] = index_root
    config_home = environment.get("XDG_CONFIG_HOME")
    return Settings(
        **values,
        home=home,
        config_home=Path(config_home) if config_home else None,
        terminal=environment.get("TERM", ""),
        editor=environment.get("VISUAL") or environment.get("EDITOR") or None,
        sources=sources,
    )


def project_settings(settings: Settings, root: Path) -> Settings:
    """*settings* with what the project's own file may set; flags and the environment win over it.

    Raises:
        InvalidSettingError: A value is outside its range, or the file cannot be read.
    """
    file = root / PROJECT_FILE
    try:
        given = toml_values(file)
    except OSError as error:  # the folder lets nobody look at what is in it
        raise InvalidSettingError(
            f"{file} cannot be read: {error.strerror}", hint="Check the folder's permissions"
        ) from error
    sources = dict(settings.sources or {})
    values: dict[str, Any] = {}
    for name, raw in given.items():
        rule = RULES.get(name)
        is_said = sources.get(name) in ("flag", in_environment(name))
        if rule is None or not rule.from_project or is_said:
            continue
        values[name] = _checked(rule, raw, str(file))
        sources[name] = str(file)
    return replace(settings, **values, sources=sources) if values else settings


def in_environment(name: str) -> str:
    """How a value from the environment names its source."""
    return f"{name.upper()} in the environment"


def without_password(address: str) -> str:
    """An address as it may be shown."""
    return _PASSWORD.sub(rf"\1{HIDDEN}@", address)


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
        if rule.from_environment and environment.get(rule.variable)
    }


def toml_values(path: Path) -> dict[str, Any]:
    """What a settings file holds, by name; nothing where there is none.

    Raises:
        InvalidSettingError: It cannot be read, or is not TOML.
    """
    if not path.is_file():  # and no pipe or device of a repository somebody cloned
        return {}
    try:
        if path.stat().st_size > _MAX_TOML_BYTES:
            raise InvalidSettingError(f"{path} is too large to hold settings", hint=_MEND)
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except UnicodeDecodeError as error:
        raise InvalidSettingError(f"{path} is not UTF-8 text", hint=_MEND) from error
    except OSError as error:
        raise InvalidSettingError(
            f"{path} cannot be read: {error.strerror}", hint="Check its permissions"
        ) from error
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidSettingError(f"{path} is not valid TOML: {error}", hint=_MEND) from error
    except RecursionError as error:
        raise InvalidSettingError(f"{path} is nested too deeply", hint=_MEND) from error


def _checked(rule: SettingRule, raw: Any, source: str) -> Any:  # noqa: ANN401 - TOML gives anything
    try:
        value = _converted(rule, raw)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise _bad(rule, raw, source) from error
    if rule.minimum is None or rule.maximum is None:
        return value
    if not rule.minimum <= value <= rule.maximum:  # nor is nan
        raise _bad(rule, raw, source)
    return value


def _bad(rule: SettingRule, raw: object, source: str) -> InvalidSettingError:
    shown = HIDDEN if rule.is_secret else repr(raw)
    name = rule.variable if rule.from_environment else rule.name
    return InvalidSettingError(f"{name} is {shown} ({source})", hint=f"It takes {rule.allowed}")


def _converted(rule: SettingRule, raw: Any) -> Any:  # noqa: ANN401
    if rule.kind == "path":
        return Path(raw)
    if rule.kind == "text":
        if not isinstance(raw, str):
            raise TypeError(raw)
        return raw.strip()
    if rule.kind == "yes or no":
        return _TRUTHS[str(raw).strip().lower()]
    if rule.kind == "patterns":
        if not isinstance(raw, list) or not all(isinstance(one, str) for one in raw):
            raise TypeError(raw)
        return tuple(raw)
    if isinstance(raw, bool):
        raise TypeError(raw)
    if rule.kind == "count":
        if isinstance(raw, float) and not raw.is_integer():
            raise ValueError(raw)
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


def _size_text(count: int) -> str:
    for unit, factor in (("TB", 1 << 40), ("GB", 1 << 30), ("MB", 1 << 20), ("kB", 1 << 10)):
        if count and count % factor == 0:
            return f"{count // factor}{unit}"
    return f"{count}"


def _time_text(seconds: float) -> str:
    for unit, factor in (("d", 86_400), ("h", 3600), ("m", 60)):
        if seconds >= factor and seconds % factor == 0:
            return f"{seconds / factor:g}{unit}"
    return f"{seconds:g}s"


def setting_names() -> list[str]:
    """Names of the fields that can be set, in order."""
    return [field.name for field in fields(Settings) if field.name in RULES]


def one_thread_for_numpy() -> None:
    """Keep numpy, if it is imported after this, from starting threads, unless the user says so.

    They spin while there is nothing to do: a third of the processor time of a query, and a tenth of
    its wall time, with 100,000 chunks as well.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
