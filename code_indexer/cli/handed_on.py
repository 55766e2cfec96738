"""The settings of this terminal that a program started elsewhere has to be told."""

from dataclasses import dataclass

from code_indexer.settings import Settings, without_password

_HANDED_ON = ("index_root", "ollama_url", "qdrant_url", "embed_model")
_SECRET = ("ollama_api_key", "qdrant_api_key")


@dataclass(frozen=True, slots=True)
class HandedOn:
    """What is written down for that program, and what is not."""

    environment: dict[str, str]
    withheld: tuple[str, ...]
    """Variables that hold a secret: files that others read and copy are no place for one."""

    def warning(self, settings: Settings, where: str) -> str:
        """What to do about those that are withheld; empty without any."""
        if not self.withheld:
            return ""
        names = " and ".join(self.withheld)
        verb = "holds a secret and is" if len(self.withheld) == 1 else "hold secrets and are"
        lines = ", ".join(name.lower() for name in self.withheld)
        return (
            f"warning: {names} {verb} not written into {where}; put {lines}"
            f" into {settings.index_root / 'config.toml'}"
        )


def handed_on(settings: Settings) -> HandedOn:
    """Those that were set by a flag or a variable: the other program finds the files by itself."""
    environment = {}
    withheld = []
    for name in (*_HANDED_ON, *_SECRET):
        source = settings.sources.get(name, "default")
        if source not in ("flag", f"{name.upper()} in the environment"):
            continue
        value = str(getattr(settings, name))
        if name in _SECRET or (name.endswith("_url") and without_password(value) != value):
            withheld.append(name.upper())
        else:
            environment[name.upper()] = value
    return HandedOn(environment, tuple(withheld))
