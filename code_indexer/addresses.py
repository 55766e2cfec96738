"""Addresses of servers: every form in which people write them, read into one noun."""

import ipaddress
import logging
from dataclasses import dataclass, field
from urllib.parse import unquote

from code_indexer.errors import InvalidSettingError

_log = logging.getLogger(__name__)

_OLLAMA_PORT = 11434
_QDRANT_PORT = 6333
_SCHEME_PORTS = {"http": 80, "https": 443}
# What a server binds to is not what a client can connect to on every system.
_CONNECTABLE = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - not a bind


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """Where a server listens."""

    scheme: str
    """``http`` or ``https``."""
    host: str
    """Name or number; IPv6 without brackets."""
    port: int
    path: str = ""
    """What stands before every path of the server: empty, or ``/prefix`` without a last slash."""
    credentials: tuple[str, str] | None = field(default=None, repr=False)
    """User and password from the address; never shown."""

    @property
    def url(self) -> str:
        """The address without its credentials; paths of the server follow it directly."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}{self.path}"

    @property
    def is_loopback(self) -> bool:
        """Whether it names this machine, so that no proxy may stand in between."""
        if self.host == "localhost" or self.host.endswith(".localhost"):
            return True
        try:
            return ipaddress.ip_address(self.host.partition("%")[0]).is_loopback
        except ValueError:
            return False


def ollama_address(text: str, setting: str = "OLLAMA_URL") -> ServerAddress:
    """The address that *text* means, in any form that ``OLLAMA_HOST`` takes.

    As with Ollama itself, the port is 11434 unless a scheme is written, then 80 or 443, and a port
    outside its range is ignored (``envconfig.Host`` in its source).

    Raises:
        InvalidSettingError: It is no address of a web server.
    """
    written = _unquoted(text)
    if written == "ollama.com":
        return ServerAddress("https", "ollama.com", 443)
    scheme, found, _ = written.partition("://")
    default = _SCHEME_PORTS.get(scheme.lower(), 0) if found else _OLLAMA_PORT
    return _address(written, setting, default_port=default, lenient_port=True)


def qdrant_address(text: str, setting: str = "QDRANT_URL") -> ServerAddress:
    """The address that *text* means: a URL, or a host with or without a port.

    Without a port it is 6333, but 443 for ``https`` and 80 for ``http`` with a path: both mean that
    a web server stands in front.

    Raises:
        InvalidSettingError: It is no address of a web server.
    """
    written = _unquoted(text)
    scheme, found, rest = written.partition("://")
    default = _QDRANT_PORT
    if found and scheme.lower() == "https":
        default = 443
    elif found and rest.partition("/")[2].strip("/"):
        default = 80
    return _address(written, setting, default_port=default, lenient_port=False)


def _unquoted(text: str) -> str:
    return text.strip().strip("\"'").strip()


def _address(text: str, setting: str, *, default_port: int, lenient_port: bool) -> ServerAddress:
    scheme, found, rest = text.partition("://")
    if not found:
        scheme, rest = "http", text
    scheme = scheme.lower()
    if scheme not in _SCHEME_PORTS:
        raise _unusable(setting, text, f"{scheme}:// is neither http nor https")
    if any(character.isspace() or character in "?#\\" for character in rest):
        raise _unusable(setting, text, "it holds characters that no address has")
    place, _, path = rest.partition("/")
    login, _, place = place.rpartition("@")
    host, port_text = _host_and_port(place)
    if not lenient_port and not host:
        raise _unusable(setting, text, "it names no host")
    if any(character in "[]@" for character in host):
        raise _unusable(setting, text, "its host cannot be read")
    port = _port(port_text, default_port)
    if port is None and not lenient_port:
        raise _unusable(setting, text, f"{port_text} is no port")
    if port is None:
        _log.warning("%s: %s is no port, using %d", setting, port_text, default_port)
        port = default_port
    user, _, password = login.partition(":")
    return ServerAddress(
        scheme=scheme,
        host=_CONNECTABLE.get(host, host),
        port=port,
        path=f"/{path.strip('/')}" if path.strip("/") else "",
        credentials=(unquote(user), unquote(password)) if login else None,
    )


def _host_and_port(place: str) -> tuple[str, str]:
    """Host without brackets and the text of the port, which may be empty."""
    if place.startswith("["):
        host, closed, rest = place[1:].partition("]")
        if not closed or (rest and not rest.startswith(":")):
            return place, ""
        return _shortest(host), rest[1:]
    if place.count(":") > 1:
        return _shortest(place), ""
    host, _, port = place.partition(":")
    return host.lower(), port


def _shortest(host: str) -> str:
    try:
        return ipaddress.ip_address(host).compressed
    except ValueError:
        return host.lower()


def _port(text: str, default: int) -> int | None:
    if not text:
        return default
    # isdecimal alone would let other scripts' digits through.
    if not (text.isascii() and text.isdecimal()):
        return None
    return int(text) if 0 < int(text) <= 65_535 else None


def _unusable(setting: str, text: str, why: str) -> InvalidSettingError:
    scheme, found, rest = text.rpartition("://")
    place, slash, path = rest.partition("/")
    shown = f"{scheme}{found}{place.rpartition('@')[2]}{slash}{path}"
    return InvalidSettingError(
        f"{setting} is not an address: {shown!r} ({why})",
        hint="Write it like 192.168.1.20, gpu-box:11434, [::1]:6333 or https://host/prefix",
    )
