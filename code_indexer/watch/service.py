"""Files that make the system keep a watcher running: a systemd user unit, a launchd plist."""

import plistlib
from collections.abc import Mapping, Sequence

LABEL = "code-indexer.watch"


def systemd_unit(command: Sequence[str], environment: Mapping[str, str]) -> str:
    """A user unit; goes to ``~/.config/systemd/user/code-indexer-watch.service``."""
    lines = [
        "# Save as ~/.config/systemd/user/code-indexer-watch.service, then:",
        "#   systemctl --user daemon-reload",
        "#   systemctl --user enable --now code-indexer-watch",
        "[Unit]",
        "Description=Keep the indexes of code-indexer fresh",
        "",
        "[Service]",
        # A dollar sign means a variable in a command, but not in an assignment.
        "ExecStart=" + " ".join(_systemd_word(word.replace("$", "$$")) for word in command),
        *(
            f"Environment={_systemd_word(f'{name}={value}')}"
            for name, value in sorted(environment.items())
        ),
        "Restart=on-failure",
        "RestartSec=30",
        "# 2: a wrong request; 4: another watcher runs. Trying again changes neither.",
        "RestartPreventExitStatus=2 4",
        "Nice=10",
        "",
        "[Install]",
        "WantedBy=default.target",
    ]
    return "\n".join(lines) + "\n"


def _systemd_word(word: str) -> str:
    """*word* as one word of a unit file: %, quotes and backslashes have meanings there."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    plain = escaped and not any(sign in escaped for sign in " \t'\"\\;#")
    return escaped if plain else f'"{escaped}"'


def launchd_plist(command: Sequence[str], environment: Mapping[str, str], log: str) -> str:
    """A launch agent; goes to ``~/Library/LaunchAgents/code-indexer.watch.plist``."""
    document: dict[str, object] = {
        "Label": LABEL,
        "ProgramArguments": list(command),
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "ThrottleInterval": 30,
        "ProcessType": "Background",
        "StandardErrorPath": log,
    }
    if environment:
        document["EnvironmentVariables"] = dict(sorted(environment.items()))
    return plistlib.dumps(document, sort_keys=False).decode()
