"""Case INC-13: a database that is damaged is named, with what repairs it, and never replaced."""

import os
import random
import shutil

import numpy as np
import pytest
from storage_builders import (
    make_reference,
    make_rows,
    make_symbol,
    open_manifest,
    vector_record,
    vectors_of,
)

from code_indexer.errors import IndexCorruptError
from code_indexer.storage.manifest import EmbedderKey, Manifest
from code_indexer.storage.registry import Registry


@pytest.fixture(scope="module")
def healthy(tmp_path_factory):
    """A closed manifest of some hundred pages."""
    folder = tmp_path_factory.mktemp("healthy")
    texts = [[f"word{at} {part} " * 30 for part in range(4)] for at in range(60)]
    with open_manifest(folder) as manifest:
        manifest.write_files(
            [
                make_rows(
                    f"f{at}.py",
                    one,
                    symbols=(make_symbol(f"run{at}"),),
                    references=tuple(make_reference(f"name{at}_{n}") for n in range(50)),
                )
                for at, one in enumerate(texts)
            ],
            [vectors_of(one) for one in texts],
        )
    return folder / "manifest.db"


@pytest.fixture
def path(healthy, tmp_path):
    shutil.copy(healthy, tmp_path / "manifest.db")
    return tmp_path / "manifest.db"


def _garbage(path):
    path.write_bytes(b"\xff" * 4096)


def _garbage_at_the_start(path):
    with path.open("r+b") as file:
        file.write(b"\xff" * 4096)


def _cut_to_100_bytes(path):
    os.truncate(path, 100)


def _cut_in_half(path):
    os.truncate(path, path.stat().st_size // 2)


def _cut_within_a_page(path):
    os.truncate(path, path.stat().st_size - 1000)


def _folder(path):
    path.unlink()
    path.mkdir()


def _text(path):
    path.write_text("not a database\n" * 1000)


DAMAGES = [_garbage, _garbage_at_the_start, _cut_to_100_bytes, _cut_in_half, _folder, _text]


@pytest.mark.parametrize("read_only", [True, False], ids=["reading", "writing"])
@pytest.mark.parametrize("damage", [*DAMAGES, _cut_within_a_page])
def test_a_damaged_manifest_is_named_with_its_remedy(path, damage, read_only):
    damage(path)

    with (
        pytest.raises(IndexCorruptError, match=r"manifest\.db") as caught,
        Manifest.open(path, read_only=read_only) as manifest,
    ):
        manifest.check_quickly()
    assert "reindex-project" in caught.value.hint


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_registry_is_named_with_its_remedy(tmp_path, damage):
    with Registry.open(tmp_path) as registry:
        registry.add("/work/app", now=1.0)
    damage(tmp_path / "registry.db")

    with (
        pytest.raises(IndexCorruptError, match=r"registry\.db") as caught,
        Registry.open(tmp_path) as registry,
    ):
        registry.projects()
    assert "doctor --repair" in caught.value.hint


def test_an_empty_file_is_damage_to_a_reader_and_a_start_to_a_writer(path):
    os.truncate(path, 0)
    with pytest.raises(IndexCorruptError, match="is empty"):
        Manifest.open(path, read_only=True)

    with Manifest.open(path) as manifest:
        assert (True, {}) == (manifest.created, manifest.files())


@pytest.mark.parametrize("suffix", ["-wal", "-shm"])
@pytest.mark.parametrize("how", ["missing", "garbage"])
def test_side_files_may_be_lost_or_garbage(path, tmp_path, suffix, how):
    with Manifest.open(path) as manifest:
        manifest.write_files([make_rows("late.py")])
        copy = tmp_path / "copy" / "manifest.db"
        copy.parent.mkdir()
        for name in ("", "-wal", "-shm"):
            shutil.copy(f"{path}{name}", f"{copy}{name}")
    side = copy.with_name(f"manifest.db{suffix}")
    if how == "missing":
        side.unlink()
    else:
        side.write_bytes(random.Random(1).randbytes(100_000))

    with Manifest.open(copy) as manifest:
        assert set(manifest.files()) >= {"f0.py", "f59.py"}
        assert [] == manifest.integrity_check()


def test_a_sound_manifest_has_no_damage(path):
    with Manifest.open(path) as manifest:
        manifest.check_quickly()

        assert [] == manifest.integrity_check()


def test_a_reader_can_check_too(path):
    with Manifest.open(path, read_only=True) as manifest:
        assert [] == manifest.integrity_check()


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM files WHERE path = x'66302e7079'",
        "DELETE FROM chunks WHERE chunk_id = (SELECT min(chunk_id) FROM chunks)",
        "DELETE FROM symbols",
        "UPDATE files SET chunk_count = 1 WHERE file_id = 1",
        "DELETE FROM lexical_docsize WHERE id = (SELECT min(id) FROM lexical_docsize)",
        "INSERT INTO reference_names VALUES (1, 999)",
        "DROP TABLE symbols",
    ],
)
def test_rows_that_do_not_fit_together_are_found(path, statement):
    with Manifest.open(path) as manifest:
        manifest.database.run(statement)

        assert [] != manifest.integrity_check()


def test_a_value_that_cannot_be_unpacked_is_damage(path):
    with Manifest.open(path) as manifest:
        manifest.database.run("UPDATE file_references SET places = x'00', imports = x'789c'")
        manifest.database.run("UPDATE lexical_sources SET terms = x'1234'")

        for read in (
            lambda: list(manifest.references_named("name0_0")),
            lambda: manifest.imports_of(1),
            lambda: manifest.delete_files(["f0.py"]),
        ):
            with pytest.raises(IndexCorruptError, match="cannot be read"):
                read()


@pytest.mark.parametrize("seed", range(25))
def test_a_damaged_page_is_found_and_surfaces_as_nothing_else(path, seed):
    chance = random.Random(seed)
    start = chance.randrange(path.stat().st_size // 4096) * 4096
    with path.open("r+b") as file:
        file.seek(start)
        file.write(chance.randbytes(4096))
    try:
        with Manifest.open(path) as manifest:
            problems = manifest.integrity_check()
            _use_everything(manifest)
    except IndexCorruptError as error:
        problems = [error.message]

    assert problems


def _use_everything(manifest):
    for read in (
        manifest.files,
        manifest.counts,
        manifest.pending_files,
        lambda: manifest.lexical_match(["word1", "word30"], limit=9),
        lambda: list(manifest.references_named("name1_1")),
        lambda: manifest.symbols_like("run", limit=9),
        lambda: manifest.chunks_by_id(range(1 << 20, 1 << 25, 1 << 19)),
        lambda: manifest.known_vectors(make_rows("f3.py", ["word3 0 " * 30]).text_hashes),
        lambda: manifest.vectors().nearest(np.ones(4, np.float32), limit=9),
        lambda: manifest.delete_files(["f1.py"]),
        lambda: manifest.write_files([make_rows("f2.py", ["new"])]),
    ):
        try:
            read()
        except IndexCorruptError:
            continue


def test_vectors_survive_the_manifest_they_were_in(path, tmp_path):
    texts = [f"word7 {part} " * 30 for part in range(4)]
    page = path.read_bytes().index(b"word30 1 word30 1") // 4096
    with path.open("r+b") as file:
        file.seek(page * 4096)
        file.write(b"\xff" * 4096)

    with open_manifest(tmp_path / "new") as manifest:
        adopted = manifest.adopt_vectors(path)
        known = manifest.known_vectors(make_rows("x.py", texts).text_hashes)

    assert 200 < adopted < 240
    assert {vector_record(text) for text in texts} == set(known.values())


def test_a_vector_of_which_a_byte_was_damaged_is_noticed_and_not_adopted(path, tmp_path):
    texts = [f"word7 {part} " * 30 for part in range(4)]
    content = bytearray(path.read_bytes())
    content[content.index(vector_record(texts[0]))] ^= 0x10
    path.write_bytes(content)

    with Manifest.open(path) as damaged:
        assert damaged.integrity_check() == ["file_vectors: 1 vectors are not as they were written"]
    with open_manifest(tmp_path / "new") as manifest:
        adopted = manifest.adopt_vectors(path)
        known = manifest.known_vectors(make_rows("x.py", texts).text_hashes)

    assert adopted == 239
    assert {vector_record(text) for text in texts[1:]} == set(known.values())


@pytest.mark.parametrize("damage", [*DAMAGES, lambda path: path.unlink()])
def test_a_manifest_of_which_nothing_is_left_gives_no_vectors(path, tmp_path, damage):
    damage(path)

    with open_manifest(tmp_path / "new") as manifest:
        assert 0 == manifest.adopt_vectors(path)


def test_vectors_of_another_embedder_are_not_adopted(path, tmp_path):
    with Manifest.open(tmp_path / "new" / "manifest.db") as manifest:
        manifest.set_embedder(EmbedderKey("other", 4))

        assert 0 == manifest.adopt_vectors(path)


def test_vectors_of_a_sound_manifest_are_adopted_with_its_spares(path, tmp_path):
    with open_manifest(tmp_path) as old:
        old.delete_files(["f0.py"])
    texts = [f"word0 {part} " * 30 for part in range(4)]

    with open_manifest(tmp_path / "new") as manifest:
        adopted = manifest.adopt_vectors(path)
        known = manifest.known_vectors(make_rows("x.py", texts).text_hashes)

    assert (240, {vector_record(text) for text in texts}) == (adopted, set(known.values()))
