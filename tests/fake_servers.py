"""What the fake servers share: a server on loopback in a thread, and how it answers."""

import json
import socket
import struct
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, handler: type["JsonHandler"], fake: "FakeServer") -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self.fake = fake

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of clients that left: stderr belongs to the command under test."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class FakeServer:
    """Answers on a free port while its ``with`` block runs; *handler* reads ``self.fake``."""

    def __init__(self, handler: type["JsonHandler"], *, prefix: str = "") -> None:
        self.prefix = prefix
        self.lock = threading.RLock()
        self._server = _Server(handler, self)
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.01,), daemon=True
        )

    @property
    def port(self) -> int:
        return self._server.server_port

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}{self.prefix}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


class JsonHandler(BaseHTTPRequestHandler):
    """One request, answered with JSON unless told otherwise."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_: object) -> None:
        pass

    @property
    def fake(self) -> Any:
        return self.server.fake

    def reply(
        self,
        status: int,
        body: object,
        content_type: str = "application/json",
        headers: dict[str, str] | None = None,
    ) -> bool:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(data)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)
        return True

    def reset(self) -> bool:
        """Close the connection as one does that has crashed."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True
        return True
