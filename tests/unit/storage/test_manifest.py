"""Files in and out of the manifest, with everything that belongs to them."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from storage_builders import (
    EMBEDDER,
    make_reference,
    make_rows,
    make_stamp,
    make_symbol,
    open_manifest,
    picture,
    vector_record,
    vectors_of,
)

from code_indexer.storage.file_filter import FileFilter
from code_indexer.storage.manifest import EmbedderKey, Manifest
from code_indexer.storage.pass_journal import ChunkFailure, PassRecord
from code_indexer.storage.rows import CHUNK_BITS
from code_indexer.storage.vectors import FileVectors
from code_indexer.types import LexicalRow, SkippedFile


@pytest.fixture
def manifest(tmp_path):
    with open_manifest(tmp_path) as opened:
        yield opened


def test_a_written_file_is_read_back(manifest):
    stamp = make_stamp(inode=2**64 - 1, mtime_ns=-5)
    (file_id,) = manifest.write_files(
        [make_rows("src/a.py", ["one", "two"], stamp=stamp, error="odd")]
    )

    record = manifest.file("src/a.py")

    assert (file_id, "src/a.py", stamp, "python", "code", 2, False, "odd") == (
        record.file_id,
        record.path,
        record.stamp,
        record.language,
        record.content,
        record.chunk_count,
        record.embedded,
        record.error,
    )
    assert {"src/a.py": record} == manifest.files()


def test_a_path_that_is_not_utf8_is_found_again(manifest):
    manifest.write_files([make_rows("dir/\udcff\udc80.py")])

    assert ["dir/\udcff\udc80.py"] == list(manifest.files())
    assert manifest.file("dir/\udcff\udc80.py") is not None


def test_no_id_of_a_file_is_given_twice(manifest):
    ids = manifest.write_files([make_rows("a.py", ["one"])])
    ids += manifest.write_files([make_rows("a.py", ["two"])])
    manifest.delete_files(["a.py"])
    ids += manifest.write_files([make_rows("a.py", ["one"])])

    assert 3 == len(set(ids))
    assert ids[-1:] == [record.file_id for record in manifest.files().values()]


def test_coverage_is_the_share_of_chunks_with_vectors(manifest):
    assert manifest.coverage() is None

    whole, empty = manifest.write_files([make_rows("a.py", ["one"]), make_rows("b.py", ["two"])])
    assert 0.0 == manifest.coverage()
    assert 2 == manifest.pending_count()

    manifest.mark_embedded({whole: 1})
    assert 0.5 == manifest.coverage()

    manifest.mark_embedded({empty: 1})
    assert 1.0 == manifest.coverage()
    assert (2, 0) == (manifest.file_count(), manifest.pending_count())


def test_a_file_without_chunks_counts_as_embedded(manifest):
    manifest.write_files([make_rows("empty.py", [])])

    assert manifest.file("empty.py").embedded
    assert [] == manifest.pending_files()


def test_a_path_given_twice_is_a_mistake_of_the_caller(manifest):
    with pytest.raises(ValueError, match="twice"):
        manifest.write_files([make_rows("a.py"), make_rows("a.py", ["other"])])


def test_deleting_an_unknown_path_changes_nothing(manifest):
    manifest.write_files([make_rows("a.py")])
    manifest.delete_files(["b.py"])

    assert ["a.py"] == list(manifest.files())


def test_stamps_change_alone(manifest):
    manifest.write_files([make_rows("a.py", hash="abc")])
    manifest.update_stamps({"a.py": make_stamp(size=99), "unknown.py": make_stamp()})

    assert ("abc", 99) == (
        manifest.file("a.py").content_hash,
        manifest.file("a.py").stamp.size,
    )


def test_lone_surrogates_in_texts_do_not_stop_a_file(manifest):
    (file_id,) = manifest.write_files(
        [make_rows("a.ipynb", ["x \ud800 y"], symbols=(make_symbol("\udfff"),))]
    )

    assert ["x ? y"] == [one.chunk.text for one in manifest.chunk_texts(file_id)]


def test_chunks_are_found_by_id_with_their_file(manifest):
    one, two = manifest.write_files(
        [make_rows("a.py", ["first", "second"]), make_rows("b.md", ["third"], language="markdown")]
    )

    found = manifest.chunks_by_id([one << CHUNK_BITS | 1, two << CHUNK_BITS, 12345])

    assert [("a.py", "second", 11, 20), ("b.md", "third", 1, 10)] == [
        (row.path, row.text, row.start_line, row.end_line) for row in found.values()
    ]


def test_counts_add_up(manifest):
    manifest.write_files(
        [
            make_rows(
                "a.py", ["x", "y"], symbols=(make_symbol(),), references=(make_reference(),) * 3
            ),
            make_rows("b", ["z"], language=None, error="bad", degraded="no grammar"),
        ],
        [vectors_of(["x", "y"]), None],
    )

    counts = manifest.counts()

    assert (2, 3, 1, 3, 2, 1, 1, {"python": 1, "unknown": 1}) == (
        counts.files,
        counts.chunks,
        counts.symbols,
        counts.references,
        counts.embedded_chunks,
        counts.pending_files,
        counts.failed_files,
        counts.languages,
    )
    assert {"no grammar": 1} == manifest.degraded_counts()


def test_an_exception_takes_the_whole_batch_back(manifest):
    with pytest.raises(UnicodeError), manifest.transaction():
        _write_and_fail(manifest)

    assert {} == manifest.files()
    assert [] == manifest.integrity_check()


def _write_and_fail(manifest):
    manifest.write_files([make_rows("b.py", ["bad"])])
    raise UnicodeError


def test_a_part_of_a_batch_can_fail_alone(manifest):
    with manifest.transaction():
        manifest.write_files([make_rows("a.py")])
        with pytest.raises(UnicodeError), manifest.transaction():
            _write_and_fail(manifest)
        manifest.write_files([make_rows("c.py")])

    assert ["a.py", "c.py"] == sorted(manifest.files())
    assert [] == manifest.lexical_match(["bad"], limit=5)
    assert [] == manifest.integrity_check()


def test_another_connection_sees_only_committed_batches(manifest, tmp_path):
    with Manifest.open(tmp_path / "manifest.db", read_only=True) as reader:
        with manifest.transaction():
            manifest.write_files([make_rows("a.py")])
            seen_inside = list(reader.files())

        assert ([], ["a.py"]) == (seen_inside, list(reader.files()))


def test_a_snapshot_stays_at_one_state(manifest, tmp_path):
    manifest.write_files([make_rows("a.py")])
    with Manifest.open(tmp_path / "manifest.db", read_only=True) as reader:
        with reader.snapshot():
            before = list(reader.files())
            manifest.write_files([make_rows("b.py")])

            assert before == list(reader.files())
        assert ["a.py", "b.py"] == sorted(reader.files())


def test_nothing_is_written_within_a_snapshot(manifest):
    with pytest.raises(RuntimeError, match="for reading"), manifest.snapshot():
        manifest.write_files([make_rows("a.py")])


def test_facts_are_recorded_and_forgotten(manifest):
    manifest.set_meta({"one": "1", "two": "2"})
    manifest.set_meta({"one": None, "three": "3"})

    assert {"two": "2", "three": "3"} == {
        key: value for key, value in manifest.meta().items() if key != "embedder"
    }


def test_outdated_files_keep_everything_but_their_hash(manifest):
    manifest.write_files([make_rows("a.py", ["one"])], [vectors_of(["one"])])
    manifest.mark_outdated()

    record = manifest.file("a.py")
    assert ("", True) == (record.content_hash, record.embedded)


# Vectors


def test_vectors_arrive_with_the_rows_or_later(manifest):
    manifest.write_files(
        [make_rows("a.py", ["one"]), make_rows("b.py", ["two", "three"])],
        [vectors_of(["one"]), None],
    )
    (pending,) = manifest.pending_files()
    stored = manifest.chunk_texts(pending.file_id)
    manifest.set_vectors({pending.file_id: vectors_of([one.chunk.text for one in stored])})

    assert ("b.py", 2, 0) == (pending.path, pending.chunk_count, pending.vector_count)
    assert [] == manifest.pending_files()
    assert manifest.file("b.py").embedded


def test_a_file_with_a_missing_vector_stays_pending(manifest):
    vectors = FileVectors.of(4, [vector_record("one"), None])
    (file_id,) = manifest.write_files([make_rows("a.py", ["one", "two"])], [vectors])

    assert [(file_id, 1)] == [(one.file_id, one.vector_count) for one in manifest.pending_files()]
    assert [make_rows("a.py", ["one"]).text_hashes[0]] == list(
        manifest.known_vectors(make_rows("a.py", ["one", "two"]).text_hashes)
    )


@pytest.mark.parametrize(
    "vectors",
    [vectors_of(["one", "two"]), FileVectors.of(8, [bytes(12)])],
    ids=["count", "dimension"],
)
def test_vectors_of_another_shape_are_refused(manifest, vectors):
    with pytest.raises(ValueError, match="vectors"):
        manifest.write_files([make_rows("a.py", ["one"])], [vectors])

    assert {} == manifest.files()


def test_a_text_is_known_wherever_it_was_embedded(manifest):
    rows = make_rows("a.py", ["zero", "one", "two"])
    manifest.write_files([rows], [vectors_of(["zero", "one", "two"])])

    assert {
        hash_: vector_record(text)
        for hash_, text in zip(rows.text_hashes, ["zero", "one", "two"], strict=True)
    } == manifest.known_vectors(rows.text_hashes)


@pytest.mark.parametrize("how", ["delete", "replace", "rename"])
def test_a_text_that_has_gone_is_still_known(manifest, how):
    rows = make_rows("a.py", ["one"])
    manifest.write_files([rows], [vectors_of(["one"])])

    with manifest.transaction():
        if how == "replace":
            manifest.write_files([make_rows("a.py", ["other"])])
        else:
            manifest.delete_files(["a.py"])
        known = manifest.known_vectors(rows.text_hashes)
        if how == "rename":
            manifest.write_files(
                [make_rows("b.py", ["one"])], [FileVectors.of(4, list(known.values()))]
            )

    assert {rows.text_hashes[0]: vector_record("one")} == known
    assert known == manifest.known_vectors(rows.text_hashes)


def test_a_text_that_lives_again_is_no_spare(manifest):
    manifest.write_files([make_rows("a.py", ["one"])], [vectors_of(["one"])])
    manifest.write_files([make_rows("a.py", ["two"])], [vectors_of(["two"])])
    manifest.write_files([make_rows("a.py", ["one"])], [vectors_of(["one"])])

    spares = manifest.database.rows("SELECT text_hash FROM spare_vectors")
    assert [(make_rows("a.py", ["two"]).text_hashes[0],)] == spares


def test_the_oldest_spares_go_first(tmp_path):
    with open_manifest(tmp_path, spare_limit=2) as manifest:
        for text in ("one", "two", "three", "four"):
            manifest.write_files([make_rows("a.py", [text])], [vectors_of([text])])
        texts = ["one", "two", "three"]
        known = manifest.known_vectors([make_rows("a.py", [text]).text_hashes[0] for text in texts])

    assert {vector_record("two"), vector_record("three")} == set(known.values())


def test_another_embedder_makes_every_file_pending(manifest):
    rows = make_rows("a.py", ["one"])
    manifest.write_files(
        [rows, make_rows("b.py", ["two"])], [vectors_of(["one"]), vectors_of(["two"])]
    )
    manifest.delete_files(["b.py"])
    manifest.set_embedder(EmbedderKey("other", 8))

    assert ["a.py"] == [one.path for one in manifest.pending_files()]
    assert {} == manifest.known_vectors(
        [*rows.text_hashes, *make_rows("b.py", ["two"]).text_hashes]
    )


def test_the_same_embedder_keeps_all_vectors(manifest):
    manifest.write_files([make_rows("a.py", ["one"])], [vectors_of(["one"])])
    manifest.set_embedder(EMBEDDER)

    assert [] == manifest.pending_files()


def test_vectors_kept_elsewhere_can_be_recorded(manifest):
    (file_id,) = manifest.write_files([make_rows("a.py", ["one", "two"])])
    manifest.mark_embedded({file_id: 1})
    half = manifest.file("a.py").embedded
    manifest.mark_embedded({file_id: 2})

    assert (False, True) == (half, manifest.file("a.py").embedded)


def test_a_refused_chunk_is_remembered_until_it_is_embedded(manifest):
    (file_id,) = manifest.write_files([make_rows("a.py", ["one", "two"])])
    failures = [ChunkFailure((file_id << CHUNK_BITS) + i, "too long", 1, 99.5) for i in (0, 1)]
    manifest.record_chunk_failures(failures)
    manifest.set_vectors({file_id: FileVectors.of(4, [vector_record("one"), None])})

    assert failures[1:] == manifest.chunk_failures()


def test_a_refused_chunk_goes_with_its_file(manifest):
    (file_id,) = manifest.write_files([make_rows("a.py")])
    manifest.record_chunk_failures([ChunkFailure(file_id << CHUNK_BITS, "no", 1, 0.0)])
    manifest.delete_files(["a.py"])

    assert [] == manifest.chunk_failures()


# Passes


def test_a_new_manifest_has_had_no_pass(manifest):
    assert PassRecord() == manifest.read_pass()


def test_a_failed_pass_leaves_the_end_of_the_last_good_one(manifest):
    manifest.write_pass(PassRecord("idle", 1, 10.0, 20.0, {"added": 3}))
    manifest.write_pass(PassRecord("failed", 2, 30.0, None, {}, "no \ud800 space"))

    assert PassRecord("failed", 2, 30.0, 20.0, {}, "no ? space") == manifest.read_pass()


def test_progress_is_seen_from_outside(manifest, tmp_path):
    manifest.write_pass(PassRecord("indexing", 7, 1.0, counters={"done": 5}))

    with Manifest.open(tmp_path / "manifest.db", read_only=True) as reader:
        assert PassRecord("indexing", 7, 1.0, None, {"done": 5}) == reader.read_pass()


def test_skipped_and_failed_files_are_those_of_the_last_pass(manifest):
    manifest.replace_skipped([SkippedFile("old", "binary")])
    skipped = [SkippedFile("b\udcff", "ignored", ".gitignore:1"), SkippedFile("a", "ignored")]
    manifest.replace_skipped(skipped)
    manifest.replace_failed([SkippedFile("c", "vanished", "while read")])

    assert skipped == manifest.skipped()
    assert {"ignored": 2} == manifest.skipped_counts()
    assert [SkippedFile("c", "vanished", "while read")] == manifest.failed()


# Filters


def test_files_are_filtered_by_all_three_at_once(manifest):
    ids = manifest.write_files(
        [
            make_rows("src/a.py"),
            make_rows("src/b.md", language="markdown", content="docs"),
            make_rows("lib/c.py"),
        ]
    )

    assert set(ids) == manifest.matching_files(FileFilter())
    assert {ids[0], ids[2]} == manifest.matching_files(FileFilter(languages=("python", "go")))
    assert {ids[0]} == manifest.matching_files(FileFilter(("src/**",), ("python",), ("code",)))


# Whatever happened before, the rows are those of the files that are left

_WORDS = st.sampled_from(["def", "run", "=run_all", "größe", "x-y", "a.b", '"', "c++", "\0", "ß"])
_TEXTS = st.lists(st.lists(_WORDS, max_size=6).map(" ".join), max_size=3)
_SYMBOLS = st.lists(st.sampled_from(["run", "Run", "walk"]).map(make_symbol), max_size=2)
_REFERENCES = st.lists(
    st.builds(
        make_reference,
        st.sampled_from(["run", "walk", "wälk"]),
        line=st.integers(1, 10**6),
        column=st.integers(0, 10**6),
        shape=st.sampled_from(["bare", "import"]),
    ),
    max_size=4,
)
_STEPS = st.lists(
    st.tuples(
        st.sampled_from(["a.py", "b.py", "c/\udcff.py"]),
        st.none() | st.tuples(_TEXTS, _SYMBOLS, _REFERENCES, st.booleans()),
    ),
    max_size=8,
)


@settings(max_examples=40, deadline=None)
@given(steps=_STEPS)
def test_after_any_changes_the_rows_equal_those_of_a_fresh_manifest(tmp_path_factory, steps):
    worn_folder, fresh_folder = tmp_path_factory.mktemp("worn"), tmp_path_factory.mktemp("fresh")
    left = {}
    with open_manifest(worn_folder) as worn, open_manifest(fresh_folder) as fresh:
        for path, content in steps:
            if content is None:
                worn.delete_files([path])
                left.pop(path, None)
                continue
            texts, symbols, references, has_vectors = content
            terms = [LexicalRow(text, "names", text, "stem", "dirs") for text in texts]
            rows = make_rows(
                path, texts, symbols=tuple(symbols), references=tuple(references), terms=terms
            )
            vectors = vectors_of(texts) if has_vectors else None
            worn.write_files([rows], [vectors])
            left[path] = (rows, vectors)
        fresh.write_files([rows for rows, _ in left.values()], [v for _, v in left.values()])

        assert picture(fresh) == picture(worn)
        assert [] == worn.integrity_check()


def test_a_large_batch_gives_each_file_its_own_rows(manifest):
    texts = [[f"word{number}", f"more{number}"] for number in range(300)]
    manifest.write_files([make_rows(f"f{number}.py", one) for number, one in enumerate(texts)])

    for number in (0, 150, 299):
        (best, *_) = manifest.lexical_match([f"more{number}"], limit=3)
        assert f"more{number}" == manifest.chunks_by_id([best.chunk_id])[best.chunk_id].text
    assert 600 == len(set(itertools.chain(*texts)))
