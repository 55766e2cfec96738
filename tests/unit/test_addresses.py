import pytest

from code_indexer.addresses import ServerAddress, ollama_address, qdrant_address
from code_indexer.errors import InvalidSettingError


@pytest.mark.parametrize(
    ("written", "url"),
    [
        ("", "http://127.0.0.1:11434"),
        ("1.2.3.4", "http://1.2.3.4:11434"),
        (":1234", "http://127.0.0.1:1234"),
        ("1.2.3.4:1234", "http://1.2.3.4:1234"),
        ("example.com", "http://example.com:11434"),
        ("Example.com:1234", "http://example.com:1234"),
        ("[::1]", "http://[::1]:11434"),
        ("::1", "http://[::1]:11434"),
        ("[::1]:1337", "http://[::1]:1337"),
        ("[0:0:0:0:0:0:0:1]:1337", "http://[::1]:1337"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("0.0.0.0:5000", "http://127.0.0.1:5000"),
        ("[::]", "http://[::1]:11434"),
        (" 1.2.3.4 ", "http://1.2.3.4:11434"),
        ('"1.2.3.4"', "http://1.2.3.4:11434"),
        (" ' 1.2.3.4 ' ", "http://1.2.3.4:11434"),
        ("http://1.2.3.4", "http://1.2.3.4:80"),
        ("http://1.2.3.4:4321/", "http://1.2.3.4:4321"),
        ("https://example.com", "https://example.com:443"),
        ("HTTPS://example.com:66", "https://example.com:66"),
        ("https://example.com/ollama", "https://example.com:443/ollama"),
        ("https://example.com/a/b/", "https://example.com:443/a/b"),
        ("example.com/ollama", "http://example.com:11434/ollama"),
        ("ollama.com", "https://ollama.com:443"),
        (":66000", "http://127.0.0.1:11434"),
        (":-1", "http://127.0.0.1:11434"),
        ("http://gpu:port", "http://gpu:80"),
        ("http://me:secret@gpu:1", "http://gpu:1"),
    ],
)
def test_every_form_of_ollama_host_is_read(written: str, url: str) -> None:
    assert url == ollama_address(written).url


@pytest.mark.parametrize(
    ("written", "url"),
    [
        ("nas", "http://nas:6333"),
        ("nas:7000", "http://nas:7000"),
        ("localhost:6333", "http://localhost:6333"),
        ("http://nas", "http://nas:6333"),
        ("http://nas:6333/", "http://nas:6333"),
        ("http://nas/qdrant", "http://nas:80/qdrant"),
        ("https://nas", "https://nas:443"),
        ("https://nas:6333", "https://nas:6333"),
        ("https://nas/qdrant/", "https://nas:443/qdrant"),
        ("[fd00::5]:6333", "http://[fd00::5]:6333"),
        ("fd00::5", "http://[fd00::5]:6333"),
    ],
)
def test_every_form_of_a_qdrant_address_is_read(written: str, url: str) -> None:
    assert url == qdrant_address(written).url


@pytest.mark.parametrize(
    "written", ["ftp://nas", "grpc://nas:6334", "http://na s", "http://nas?x=1", "http://[nas"]
)
def test_what_is_no_web_address_is_refused_by_its_setting(written: str) -> None:
    for read in (ollama_address, qdrant_address):
        with pytest.raises(InvalidSettingError) as caught:
            read(written)

        assert "_URL is not an address" in caught.value.message


@pytest.mark.parametrize("written", ["nas:99999", "nas:x", "http://", ":6333"])
def test_a_qdrant_address_needs_a_host_and_a_port_in_range(written: str) -> None:
    with pytest.raises(InvalidSettingError):
        qdrant_address(written)


def test_credentials_are_kept_but_never_shown() -> None:
    address = ollama_address("https://me:p%40ss@gpu/x")

    assert ("me", "p@ss") == address.credentials
    assert "p@ss" not in repr(address)
    assert "me" not in address.url


def test_a_refused_address_does_not_show_its_password() -> None:
    with pytest.raises(InvalidSettingError) as caught:
        ollama_address("ftp://me:secret@nas")

    assert "secret" not in caught.value.message


@pytest.mark.parametrize(
    ("host", "loopback"),
    [
        ("localhost", True),
        ("a.localhost", True),
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("192.168.1.4", False),
        ("localhost.example.com", False),
    ],
)
def test_loopback_is_recognised(host: str, loopback: bool) -> None:
    assert loopback == ServerAddress("http", host, 1).is_loopback
