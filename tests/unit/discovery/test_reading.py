"""How one file becomes text, or why not."""

import hashlib
import os
import time
from pathlib import Path

import pytest
from unit.discovery.processes import as_ordinary_user
from unit.discovery.trees import write_tree

from code_indexer.discovery.reading import SourceText, read_source
from code_indexer.types import SkippedFile

LIMIT = 1_000_000


def read(root: Path, path: str, limit: int = LIMIT) -> SourceText:
    source = read_source(root, path, limit)
    assert isinstance(source, SourceText), source
    return source


def refusal(root: Path, path: str, limit: int = LIMIT) -> tuple[str, str]:
    source = read_source(root, path, limit)
    assert isinstance(source, SkippedFile), source
    assert source.path == path
    return source.reason, source.detail


# The given cases, each named as it is there.


def test_enc_01_a_byte_order_mark_is_not_part_of_the_text(tmp_path):
    data = b"\xef\xbb\xbfdef first_line_fn():\n    return 1\n"
    write_tree(tmp_path, {"bom.py": data})

    source = read(tmp_path, "bom.py")

    assert source.text == "def first_line_fn():\n    return 1\n"
    assert source.content_hash == hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize(
    ("prefix", "codec", "expected"),
    [
        (b"\xff\xfe", "utf-16-le", ("not-utf8", "UTF-16")),
        (b"\xfe\xff", "utf-16-be", ("not-utf8", "UTF-16")),
        (b"", "utf-16-le", ("binary", "it holds a NUL byte")),
    ],
)
def test_enc_02_utf16_is_skipped_whole(tmp_path, prefix, codec, expected):
    write_tree(tmp_path, {"wide.py": prefix + "class WideOnly: 'zebra'\n".encode(codec)})

    assert refusal(tmp_path, "wide.py") == expected


def test_enc_03_line_ends_are_kept_as_they_are(tmp_path):
    text = "a\r\nb\nc\rd\r\n"
    write_tree(tmp_path, {"mixed.py": text})

    assert read(tmp_path, "mixed.py").text == text


def test_enc_06_a_latin_1_byte_is_reported_with_its_line(tmp_path):
    write_tree(tmp_path, {"m.py": b"one = 1\n# caf\xe9\n"})

    assert refusal(tmp_path, "m.py") == ("not-utf8", "byte 0xe9 in line 2")


def test_path_02_no_route_over_a_link_leads_out_of_the_root(tmp_path):
    write_tree(tmp_path / "outside", {"secret.py": "hunter2 = 1\n"})
    project = write_tree(tmp_path / "p", {"sub/in.py": "x = 1\n"})
    (project / "alias.py").symlink_to(tmp_path / "outside/secret.py")
    (project / "vendored").symlink_to(tmp_path / "outside")
    (project / "sub/deep").symlink_to(project)

    assert refusal(project, "alias.py")[0] == "symlink"
    assert refusal(project, "vendored/secret.py") == ("symlink", "vendored is a symbolic link")
    assert refusal(project, "sub/deep/sub/in.py") == ("symlink", "sub/deep is a symbolic link")


@pytest.mark.parametrize(
    "path", ["../outside/secret.py", "/etc/hosts", "sub/../../x", "", "sub//in.py", "./a", "a\0b"]
)
def test_path_02_a_path_that_is_not_below_the_root_is_refused(tmp_path, path):
    write_tree(tmp_path, {"p/sub/in.py": "x = 1\n", "outside/secret.py": "x"})

    assert refusal(tmp_path / "p", path)[0] == "outside-root"


def test_path_03_a_pipe_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe.py")

    assert refusal(tmp_path, "pipe.py") == ("special-file", "")


def test_path_03_a_device_is_not_opened():
    assert refusal(Path("/dev"), "null")[0] == "special-file"


def test_path_07_a_file_that_is_gone_has_vanished(tmp_path):
    write_tree(tmp_path, {"a.py": ""})

    assert refusal(tmp_path, "gone.py") == ("vanished", "")
    assert refusal(tmp_path, "gone/b.py") == ("vanished", "")
    assert refusal(tmp_path, "a.py/b.py") == ("vanished", "")


# Sizes, kinds, contents


def test_an_empty_file_is_a_text_without_characters(tmp_path):
    write_tree(tmp_path, {"zero.py": b"", "bom.py": b"\xef\xbb\xbf"})

    assert read(tmp_path, "zero.py").text == ""
    assert read(tmp_path, "bom.py").text == ""


def test_a_file_at_the_limit_is_read_and_one_over_it_is_not(tmp_path):
    write_tree(tmp_path, {"a.py": "x" * 100, "b.py": "x" * 101})

    assert read(tmp_path, "a.py", 100).text == "x" * 100
    assert refusal(tmp_path, "b.py", 100) == ("too-large", "101 bytes")


def test_a_folder_is_not_a_file(tmp_path):
    write_tree(tmp_path, {"dir.py/a.py": ""})

    assert refusal(tmp_path, "dir.py") == ("folder", "")


def test_a_nul_anywhere_makes_it_binary(tmp_path):
    write_tree(tmp_path, {"a.py": b"x" * 50_000 + b"\0"})

    assert refusal(tmp_path, "a.py")[0] == "binary"


@pytest.mark.parametrize(
    "head",
    [
        "-----BEGIN PRIVATE KEY-----\n",
        "-----BEGIN RSA PRIVATE KEY-----\r\n",
        "\n\n-----BEGIN OPENSSH PRIVATE KEY-----\n",
        "PuTTY-User-Key-File-2: ssh-rsa\n",
    ],
)
def test_a_private_key_is_known_by_its_head(tmp_path, head):
    write_tree(tmp_path, {"deploy": head + "MIIE\n"})

    assert refusal(tmp_path, "deploy") == ("credentials", "it begins like a private key")


def test_source_that_speaks_of_keys_is_read(tmp_path):
    text = 'HEAD = "-----BEGIN RSA PRIVATE KEY-----"\n'
    write_tree(tmp_path, {"keys.py": text, "public": "-----BEGIN PUBLIC KEY-----\n"})

    assert read(tmp_path, "keys.py").text == text
    assert read(tmp_path, "public").text == "-----BEGIN PUBLIC KEY-----\n"


def test_a_credential_is_not_read_by_its_name_either(tmp_path):
    write_tree(tmp_path, {".env": "TOKEN=1\n"})

    assert refusal(tmp_path, ".env") == ("credentials", "by its name")


def test_a_bundle_of_few_long_lines_is_minified(tmp_path):
    squeezed = ";".join(f"function a{n}(b){{return b+{n}}}" for n in range(2000))
    write_tree(tmp_path, {"bundle.js": squeezed, "one_line.py": "x = '" + "y" * 90_000 + "'\n"})

    assert refusal(tmp_path, "bundle.js")[0] == "minified"
    assert len(read(tmp_path, "one_line.py").text) > 90_000


def test_an_unreadable_file_is_reported_with_what_the_system_says(tmp_path):
    write_tree(tmp_path, {"a.py": "x"})
    tmp_path.chmod(0o755)
    for above in tmp_path.parents:
        if above.stat().st_uid == os.getuid() and len(above.parts) > 2:
            above.chmod(0o755)
    (tmp_path / "a.py").chmod(0)

    answer = as_ordinary_user(lambda: read_source(tmp_path, "a.py", LIMIT))

    assert answer == SkippedFile("a.py", "unreadable", "Permission denied")


def test_a_name_too_long_is_reported_as_such(tmp_path):
    assert refusal(tmp_path, "x" * 300) == ("name-too-long", "")


def _open_descriptors() -> int:
    return len(list(Path("/dev/fd").iterdir()))


def test_reading_leaves_no_descriptor_open(tmp_path):
    write_tree(tmp_path, {"a/b/c.py": "x"})
    (tmp_path / "link").symlink_to("a")
    before = _open_descriptors()

    for path in ("a/b/c.py", "a/b", "link/b/c.py", "gone/c.py", "a/b/c.py/d"):
        read_source(tmp_path, path, LIMIT)

    assert _open_descriptors() <= before  # what earlier tests left open may be closed by now


def test_a_file_that_changes_while_it_is_read_has_the_older_stamp(tmp_path, monkeypatch):
    write_tree(tmp_path, {"a.py": "x" * 100})
    os.utime(tmp_path / "a.py", (1, 1))
    read_at = []
    really = os.read

    def write_and_read(descriptor, count):
        read_at.append(time.time_ns())
        (tmp_path / "a.py").write_text("y" * 100)
        return really(descriptor, count)

    monkeypatch.setattr(os, "read", write_and_read)
    source = read(tmp_path, "a.py")

    assert (source.text, source.stamp.mtime_ns) == ("y" * 100, 10**9)
    assert source.stamp.observed_ns <= read_at[0]
