"""One server over HTTP: retries, deadlines, and what never leaves this machine."""

import socket
import subprocess
import sys
import time

import pytest
from fakes_ollama import FakeOllama

from code_indexer.addresses import ServerAddress
from code_indexer.transport import Patience, RequestFailedError, Server, persist


class Clock:
    """Time that passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0
        self.pauses: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.now += seconds


class Flaky:
    """Fails some times, then works."""

    def __init__(self, failures: int, **options) -> None:
        self.failures, self.options, self.calls = failures, options, 0

    def __call__(self) -> str:
        self.calls += 1
        if self.calls <= self.failures:
            raise RequestFailedError("no", **({"again": True} | self.options))
        return "yes"


@pytest.fixture
def clock():
    return Clock()


def test_what_may_pass_is_tried_again_with_growing_pauses(clock):
    flaky = Flaky(4)
    patience = Patience(seconds=100, first_pause=1.0, longest_pause=3.0)

    assert "yes" == persist(flaky, patience, sleep=clock.sleep, clock=clock)
    for pause, longest in zip(clock.pauses, (1.0, 2.0, 3.0, 3.0), strict=True):
        assert longest / 2 <= pause <= longest


def test_what_is_final_is_not_tried_again(clock):
    flaky = Flaky(9, again=False)
    with pytest.raises(RequestFailedError):
        persist(flaky, Patience(seconds=100), sleep=clock.sleep, clock=clock)

    assert 1 == flaky.calls


def test_no_try_starts_after_the_deadline(clock):
    with pytest.raises(RequestFailedError):
        persist(Flaky(1000), Patience(seconds=30), sleep=clock.sleep, clock=clock)

    assert clock.now <= 30


def test_the_pause_that_the_server_names_is_kept(clock):
    persist(Flaky(1, pause=7.0), Patience(seconds=30), sleep=clock.sleep, clock=clock)

    assert [7.0] == clock.pauses


def test_a_pause_beyond_the_deadline_is_not_waited_for(clock):
    with pytest.raises(RequestFailedError):
        persist(Flaky(1, pause=600.0), Patience(seconds=30), sleep=clock.sleep, clock=clock)

    assert [] == clock.pauses


def test_a_trickle_does_not_last_beyond_its_time():
    def trickle(handler, body):
        handler.send_response(200)
        handler.send_header("Content-Length", "1000000")
        handler.end_headers()
        for _ in range(200):
            handler.wfile.write(b" ")
            handler.wfile.flush()
            time.sleep(0.02)
        return True

    with FakeOllama() as fake:
        fake.fault = trickle
        server = Server(
            ServerAddress("http", "127.0.0.1", fake.port), service="Ollama", setting="OLLAMA_URL"
        )
        with pytest.raises(RequestFailedError, match="did not answer within"):
            server.send("POST", "/api/embed", b'{"model":"fake-embed","input":["x"]}', seconds=0.2)


def test_a_host_that_does_not_exist_is_said(monkeypatch):
    def look_up(*_arguments, **_options):
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    server = Server(
        ServerAddress("http", "no-such-host.invalid", 1), service="Qdrant", setting="QDRANT_URL"
    )

    with pytest.raises(RequestFailedError) as caught:
        server.send("GET", "/", seconds=2)

    assert "no-such-host.invalid:1: the host name is not known" in caught.value.message
    assert "QDRANT_URL" in caught.value.hint


def test_neither_the_command_line_of_httpx_nor_the_qdrant_client_is_loaded():
    code = (
        "import sys, code_indexer.storage.qdrant_vectors, code_indexer.transport;"
        "print(sorted({'click', 'rich', 'pygments', 'qdrant_client', 'grpc'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "[]\n" == done.stdout
