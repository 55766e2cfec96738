"""The references of one file, packed into a few bytes each.

A pass makes millions of them, about four a line; rows of their own would be most of the manifest.
So a file's references are one value, sorted by name; ``reference_names`` says which files to open.
"""

import json
import sys
import zlib
from array import array
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from operator import itemgetter
from typing import get_args

from code_indexer.types import Reference, Relationship

_SHAPES = ("bare", "member", "type", "import")
_KINDS = [
    (relationship, shape, preprocessed)
    for preprocessed in (False, True)
    for relationship in get_args(Relationship)
    for shape in _SHAPES
]
_CODES = {kind: code for code, kind in enumerate(_KINDS)}
_HEADER_SIZE_BYTES = 4
_COLUMNS = 4
"""Line, column, enclosing symbol, qualifier; then one byte for the rest."""


def name_key(name: str) -> int:
    """The number under which files that mention *name* are found; two names may share one."""
    return zlib.crc32(name.encode("utf-8", "surrogatepass"))


def pack_references(references: Sequence[Reference]) -> bytes:
    """All *references* as one value; empty for none."""
    if not references:
        return b""
    ordered = sorted(references, key=itemgetter(0))
    names, lines, places, relationships, enclosing, qualifiers, *kinds = zip(*ordered, strict=True)
    counts = Counter(names)  # in the order of the names
    strings = dict.fromkeys((None, *enclosing, *qualifiers))
    number_of = dict(zip(strings, range(len(strings)), strict=True)).__getitem__
    columns = [
        _narrow(lines),
        _narrow(places),
        _narrow(list(map(number_of, enclosing))),
        _narrow(list(map(number_of, qualifiers))),
    ]
    codes = bytes(map(_CODES.__getitem__, zip(relationships, *kinds, strict=True)))
    header = json.dumps(
        [list(counts), list(counts.values()), list(strings), [one.typecode for one in columns]],
        separators=(",", ":"),
    ).encode()
    parts = [len(header).to_bytes(_HEADER_SIZE_BYTES, "little"), header]
    parts += [_little_endian(column).tobytes() for column in columns]
    return zlib.compress(b"".join([*parts, codes]), 1)


def unpack_references(packed: bytes, name: str | None = None) -> list[Reference]:
    """The references in *packed*, those to *name* alone if it is given, in the file's order."""
    if not packed:
        return []
    data = zlib.decompress(packed)
    header_end = _HEADER_SIZE_BYTES + int.from_bytes(data[:_HEADER_SIZE_BYTES], "little")
    names, counts, strings, typecodes = json.loads(data[_HEADER_SIZE_BYTES:header_end])
    total = sum(counts)
    spans = _spans(names, counts, name)
    columns: list[array[int]] = []
    offset = header_end
    for typecode in typecodes:
        column = array(typecode)
        end = offset + total * column.itemsize
        column.frombytes(data[offset:end])
        columns.append(_little_endian(column))
        offset = end
    kinds = data[offset:]
    lines, places, enclosing, qualifiers = columns
    found = [
        Reference(
            spelled,
            lines[at],
            places[at],
            _KINDS[kinds[at]][0],
            strings[enclosing[at]],
            strings[qualifiers[at]],
            _KINDS[kinds[at]][1],  # type: ignore[arg-type]  # the shapes of types.Reference
            _KINDS[kinds[at]][2],
        )
        for spelled, start, end in spans
        for at in range(start, end)
    ]
    return sorted(found, key=itemgetter(1, 2))


def names_in(packed: bytes) -> list[str]:
    """The different names in *packed*."""
    if not packed:
        return []
    data = zlib.decompress(packed)
    header_end = _HEADER_SIZE_BYTES + int.from_bytes(data[:_HEADER_SIZE_BYTES], "little")
    names: list[str] = json.loads(data[_HEADER_SIZE_BYTES:header_end])[0]
    return names


def _spans(
    names: Sequence[str], counts: Sequence[int], wanted: str | None
) -> list[tuple[str, int, int]]:
    """(name, start, end) of the names, or of the wanted one, in the columns."""
    if wanted is None:
        ends = list(accumulate(counts))
        return [
            (name, end - count, end) for name, count, end in zip(names, counts, ends, strict=True)
        ]
    if wanted not in names:
        return []
    at = names.index(wanted)
    start = sum(counts[:at])
    return [(wanted, start, start + counts[at])]


def _narrow(values: Sequence[int]) -> "array[int]":
    try:
        return array("H", values)
    except OverflowError:
        return array("Q", values)


def _little_endian(column: "array[int]") -> "array[int]":
    if sys.byteorder == "big":
        column.byteswap()
    return column
