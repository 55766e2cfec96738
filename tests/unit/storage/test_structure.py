"""Symbols and references by name, file and line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from storage_builders import make_reference, make_rows, make_symbol, open_manifest

from code_indexer.storage.packed_references import names_in, pack_references, unpack_references
from code_indexer.types import Reference


@pytest.fixture
def manifest(tmp_path):
    with open_manifest(tmp_path) as opened:
        yield opened


def _write(manifest, **symbols_by_file):
    manifest.write_files(
        [
            make_rows(f"{path}.py", symbols=tuple(map(make_symbol, names)))
            for path, names in symbols_by_file.items()
        ]
    )


def _names(found):
    return [(one.path, one.symbol.name) for one in found]


def test_a_symbol_comes_back_with_every_field(manifest):
    symbol = make_symbol(
        "Größe",
        qualified_name="Outer.Größe",
        kind="method",
        parent="Outer",
        visibility="private",
        is_test=True,
        is_declaration=True,
        signature="def Größe(self):",
        documentation="How large.",
    )
    manifest.write_files([make_rows(symbols=(symbol,))])

    (found,) = manifest.symbols_named("Größe")
    assert symbol == found.symbol


def test_an_exact_name_minds_its_case(manifest):
    _write(manifest, b=["run", "Run"], a=["run", "runner"])

    assert [("a.py", "run"), ("b.py", "run")] == _names(manifest.symbols_named("run"))
    assert 3 == len(manifest.symbols_named("RUN", ignore_case=True))


def test_a_part_of_a_name_finds_the_closest_first(manifest):
    _write(manifest, a=["unload", "load_all", "Load", "LOADER", "other"])

    assert ["Load", "LOADER", "load_all", "unload"] == [
        name for _, name in _names(manifest.symbols_like("loa", limit=9))
    ]
    assert 2 == len(manifest.symbols_like("loa", limit=2))


@pytest.mark.parametrize("part", ["_", "%", "a*", "'", '"', "\\"])
def test_no_sign_in_a_part_has_a_meaning(manifest, part):
    _write(manifest, a=["plain", f"x{part}y"])

    assert [("a.py", f"x{part}y")] == _names(manifest.symbols_like(part, limit=9))


def test_the_symbol_at_a_line_is_the_innermost(manifest):
    outer = make_symbol("Outer", start_line=1, end_line=30)
    inner = make_symbol("inner", start_line=5, end_line=9)
    (file_id,) = manifest.write_files([make_rows(symbols=(outer, inner))])

    assert [None, "Outer", "inner", "Outer", None] == [
        found and found.name for found in (manifest.symbol_at("a.py", n) for n in (0, 4, 9, 30, 31))
    ]
    assert manifest.symbol_at("unknown.py", 1) is None
    assert [outer, inner] == manifest.symbols_of_file(file_id)


def test_references_are_found_by_name_in_the_order_of_files_and_lines(manifest):
    late = make_reference("run", line=9, enclosing="main", qualifier="self", shape="member")
    early = make_reference("run", line=2, relationship="includes", shape="import", qualifier="pkg")
    manifest.write_files(
        [
            make_rows("b.py", references=(make_reference("run"),)),
            make_rows("a.py", references=(late, make_reference("walk"), early)),
        ]
    )

    found = list(manifest.references_named("run"))

    assert [("a.py", early), ("a.py", late), ("b.py", make_reference("run"))] == [
        (one.path, one.reference) for one in found
    ]
    assert [early] == [one.reference for one in manifest.references_named("run", "includes")]
    assert [] == list(manifest.references_named("nothing"))


def test_two_names_with_one_key_do_not_mix(manifest):
    # "plumless" and "buckeroo" have the same CRC-32.
    manifest.write_files(
        [
            make_rows("a.py", references=(make_reference("plumless"), make_reference("buckeroo"))),
            make_rows("b.py", references=(make_reference("buckeroo"),)),
        ]
    )

    assert ["a.py"] == [one.path for one in manifest.references_named("plumless")]


def test_imports_are_known_by_file(manifest):
    imported = make_reference("run", relationship="includes", shape="import", qualifier="pkg")
    call = make_reference("run", line=4)
    with_import, without = manifest.write_files(
        [make_rows("a.py", references=(call, imported)), make_rows("b.py", references=(call,))]
    )

    assert [imported] == manifest.imports_of(with_import)
    assert [] == manifest.imports_of(without)
    assert [("a.py", imported)] == [(one.path, one.reference) for one in manifest.all_imports()]
    assert [imported, call] == manifest.references_of_file(with_import)


_NAMES = st.text(min_size=1, max_size=8)
_REFERENCES = st.builds(
    Reference,
    _NAMES,
    st.integers(1, 2**40),
    st.integers(0, 2**20),
    st.sampled_from(["calls", "inherits", "includes", "references"]),
    st.none() | _NAMES,
    st.none() | _NAMES,
    st.sampled_from(["bare", "member", "type", "import"]),
)


@given(st.lists(_REFERENCES, max_size=30))
def test_references_survive_packing(references):
    packed = pack_references(references)

    assert sorted(references, key=repr) == sorted(unpack_references(packed), key=repr)
    assert sorted({one.name for one in references}) == sorted(names_in(packed))
    for name in names_in(packed):
        assert {name} == {one.name for one in unpack_references(packed, name)}
