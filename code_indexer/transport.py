"""One server spoken to over HTTP: direct or through a proxy, with deadlines and patience."""

import ipaddress
import logging
import random
import ssl
import sys
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import TypeVar
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from code_indexer.addresses import ServerAddress
from code_indexer.errors import ServiceUnavailableError

if "httpx" not in sys.modules:
    # httpx imports its own command line (click, rich, pygments) where those are installed: more
    # processor time than all the rest of a query. It is only ever reached through ``httpx.main``.
    _no_command_line = ModuleType("httpx._main")
    _no_command_line.main = lambda: None  # type: ignore[attr-defined]  # what httpx asks for
    sys.modules.setdefault("httpx._main", _no_command_line)
import httpx

_log = logging.getLogger(__name__)
# httpx writes every request at INFO; addresses and paths of requests are nobody's business.
logging.getLogger("httpx").setLevel(logging.WARNING)

_Result = TypeVar("_Result")

# Qdrant closes idle connections after 5 s; a request sent in that very moment would be lost.
_KEEPALIVE_SECONDS = 3.0
_CONNECT_SECONDS = 5.0
_MAX_CONNECTIONS = 8


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server sent back, whatever its status."""

    status: int
    content_type: str
    body: bytes
    retry_after: float | None = None
    """Seconds to wait, where the server names them."""
    location: str = ""
    """Where a redirection points; it is never followed."""

    @property
    def text(self) -> str:
        """The start of the body, for messages."""
        return self.body[:2000].decode("utf-8", "replace").strip()


class RequestFailedError(ServiceUnavailableError):
    """One request to a server went wrong."""

    def __init__(
        self, message: str, *, hint: str = "", again: bool = False, pause: float | None = None
    ) -> None:
        super().__init__(message, hint=hint)
        self.again = again
        """Whether the same request may succeed later."""
        self.pause = pause
        """Seconds the server asks to wait."""


class NotReachedError(RequestFailedError):
    """No connection came about; the request was not seen by the server."""


class NotAnsweredError(RequestFailedError):
    """The server took longer than the request was given."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long and how often a request is repeated."""

    seconds: float
    """No further try starts after this time."""
    first_pause: float = 0.5
    longest_pause: float = 10.0
    tries: int = 1_000


def persist(
    attempt: Callable[[], _Result],
    patience: Patience,
    *,
    sleep: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> _Result:
    """The result of *attempt*, tried again with growing, jittered pauses while that may help.

    Raises:
        RequestFailedError: The last failure, when time or tries are used up or it is final.
    """
    end = clock() + patience.seconds
    pause = patience.first_pause
    for number in range(1, patience.tries + 1):
        try:
            return attempt()
        except RequestFailedError as error:
            # Half the pause is drawn: processes that failed together must not return together.
            wait = max(error.pause or 0.0, pause * random.uniform(0.5, 1.0))  # noqa: S311
            if not error.again or number == patience.tries or clock() + wait > end:
                raise
            _log.debug("%s; trying again in %.1f s", error.message, wait)
            sleep(wait)
            pause = min(pause * 2, patience.longest_pause)
    raise AssertionError(patience)


class Server:
    """Connections to one server; usable from several threads."""

    def __init__(
        self,
        address: ServerAddress,
        *,
        service: str,
        setting: str,
        headers: Mapping[str, str] | None = None,
        connect_seconds: float = _CONNECT_SECONDS,
    ) -> None:
        self.address = address
        self.service = service
        """``Ollama`` or ``Qdrant``, for messages."""
        self.setting = setting
        """Name of the setting that holds the address, for hints."""
        self._connect_seconds = connect_seconds
        self._proxy = _proxy_for(address)
        auth = httpx.BasicAuth(*address.credentials) if address.credentials else None
        self._client = httpx.Client(
            transport=self._transport(),
            headers={"user-agent": "code-indexer", **(headers or {})},
            auth=auth,
            follow_redirects=False,
            trust_env=False,
        )
        self._closing = weakref.finalize(self, self._client.close)

    @property
    def url(self) -> str:
        """The server's address, without credentials."""
        return self.address.url

    def close(self) -> None:
        """Let go of the connections; also done when the object goes or the process ends."""
        self._closing()

    def send(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        *,
        seconds: float,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """The answer to one request, whole and within *seconds*.

        Raises:
            RequestFailedError: There was no whole answer.
        """
        end = time.monotonic() + seconds
        with self._opened(method, path, body, seconds, headers) as response:
            parts = []
            for part in response.iter_bytes():
                parts.append(part)
                # The read timeout starts anew with every byte; a trickle must not last forever.
                if time.monotonic() > end:
                    raise self._too_slow(seconds)
            return _answer(response, b"".join(parts))

    @contextmanager
    def lines(
        self, method: str, path: str, body: bytes | None = None, *, seconds: float
    ) -> Iterator[tuple[Answer, Iterator[str]]]:
        """The start of an answer and its lines as they come; *seconds* may pass between two."""
        with self._opened(method, path, body, seconds, None) as response:
            if response.status_code != httpx.codes.OK:
                yield _answer(response, response.read()), iter(())
            else:
                yield _answer(response, b""), response.iter_lines()

    def _transport(self) -> httpx.HTTPTransport:
        verify = True if self.address.scheme == "https" else _no_certificates()
        limits = httpx.Limits(
            max_connections=_MAX_CONNECTIONS,
            max_keepalive_connections=_MAX_CONNECTIONS,
            keepalive_expiry=_KEEPALIVE_SECONDS,
        )
        try:
            return httpx.HTTPTransport(
                verify=verify,
                limits=limits,
                proxy=self._proxy.url if self._proxy else None,
            )
        except (ImportError, ValueError) as error:
            variable = self._proxy.variable if self._proxy else "the proxy"
            raise RequestFailedError(
                f"{self.service} at {self.url} cannot be reached through {variable}: {error}",
                hint=f"Add {self.address.host} to NO_PROXY, or unset {variable}",
            ) from error

    @contextmanager
    def _opened(
        self,
        method: str,
        path: str,
        body: bytes | None,
        seconds: float,
        headers: Mapping[str, str] | None,
    ) -> Iterator[httpx.Response]:
        sent = {"content-type": "application/json"} if body is not None else {}
        try:
            with self._client.stream(
                method,
                self.url + path,
                content=body,
                headers={**sent, **(headers or {})},
                timeout=httpx.Timeout(seconds, connect=min(seconds, self._connect_seconds)),
            ) as response:
                yield response
        except httpx.TransportError as error:
            raise self._failure(error, seconds) from error
        except (httpx.DecodingError, httpx.InvalidURL) as error:
            raise RequestFailedError(f"{self._name}: {error}", hint=self._hint) from error

    @property
    def _name(self) -> str:
        """How messages name the server, and the proxy in between."""
        through = f" (through the proxy of {self._proxy.variable})" if self._proxy else ""
        return f"{self.service} at {self.url}{through}"

    @property
    def _hint(self) -> str:
        hint = f"Check that it runs and that {self.setting} is right"
        if self._proxy:
            hint += f", or add {self.address.host} to NO_PROXY"
        return hint

    def _too_slow(self, seconds: float) -> NotAnsweredError:
        return NotAnsweredError(
            f"{self._name} did not answer within {seconds:.0f} s", hint=self._hint, again=True
        )

    def _failure(self, error: httpx.TransportError, seconds: float) -> RequestFailedError:
        if isinstance(error, httpx.ConnectTimeout):
            limit = min(seconds, self._connect_seconds)
            return NotReachedError(
                f"{self._name} does not answer (no connection within {limit:.0f} s)",
                hint=self._hint,
                again=True,
            )
        if isinstance(error, httpx.TimeoutException):
            return self._too_slow(seconds)
        if isinstance(error, httpx.ConnectError):
            return self._not_connected(error)
        if isinstance(error, httpx.ProxyError):
            return NotReachedError(
                f"{self._name} cannot be reached: the proxy says {_reason(error)}", hint=self._hint
            )
        return RequestFailedError(
            f"{self._name} broke off the connection ({_reason(error)})", hint=self._hint, again=True
        )

    def _not_connected(self, error: httpx.ConnectError) -> NotReachedError:
        reason = _reason(error)
        if "CERTIFICATE" in reason.upper():
            return NotReachedError(
                f"{self._name} has a certificate that is not trusted ({reason})",
                hint="Point SSL_CERT_FILE at the certificate of your authority",
            )
        unknown = any(word in reason for word in ("Name or service", "getaddrinfo", "nodename"))
        if unknown:
            return NotReachedError(f"{self._name}: the host name is not known", hint=self._hint)
        return NotReachedError(
            f"{self._name} does not answer ({reason})", hint=self._hint, again=True
        )


@dataclass(frozen=True, slots=True)
class _Proxy:
    url: str
    variable: str


def _proxy_for(address: ServerAddress) -> _Proxy | None:
    """The proxy that the environment names for this address; never one for this machine."""
    if address.is_loopback:
        return None
    proxies = getproxies()
    for key in (address.scheme, "all"):
        url = proxies.get(key)
        if url:
            if _goes_direct(address.host, proxies.get("no", "")):
                return None
            url = url if "://" in url else f"http://{url}"
            return _Proxy(url, f"{key.upper()}_PROXY")
    return None


def _goes_direct(host: str, no_proxy: str) -> bool:
    """Whether ``NO_PROXY`` names *host*; unlike the standard library, also by network."""
    if proxy_bypass(host):
        return True
    try:
        number = ipaddress.ip_address(host)
    except ValueError:
        return False
    for entry in no_proxy.split(","):
        try:
            if "/" in entry and number in ipaddress.ip_network(entry.strip(), strict=False):
                return True
        except ValueError:
            continue
    return False


def _no_certificates() -> ssl.SSLContext:
    """A context that trusts nobody: loading authorities costs 0.1 s, and plain HTTP needs none."""
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def _answer(response: httpx.Response, body: bytes) -> Answer:
    return Answer(
        status=response.status_code,
        content_type=response.headers.get("content-type", ""),
        body=body,
        retry_after=_seconds(response.headers.get("retry-after", "")),
        location=_without_login(response.headers.get("location", "")),
    )


def _seconds(text: str) -> float | None:
    # The other form, a date, is not used by the servers we speak to.
    return min(float(text), 3600.0) if text.isascii() and text.isdecimal() else None


def _without_login(location: str) -> str:
    parts = urlsplit(location)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def _reason(error: BaseException) -> str:
    """The innermost text of a chain of exceptions."""
    while error.__cause__ is not None or error.__context__ is not None:
        inner = error.__cause__ or error.__context__
        if inner is None or not str(inner):
            break
        error = inner
    return str(error) or type(error).__name__
