"""Git's index where it is split in two: a large shared part, and what has changed since.

The format is described in git's ``gitformat-index``, under "Split index".
"""

from collections.abc import Iterator

_WORD = 8


def shared_part(extensions: bytes, hash_size: int) -> tuple[str, frozenset[int]] | None:
    """The name of the file with the shared part, and which of its entries are gone.

    *extensions* is what follows the entries of an index, its checksum included. None: it is whole.

    Raises:
        ValueError, IndexError: It cannot be understood.
    """
    at = 0
    while at + 8 <= len(extensions) - hash_size:
        name, size = extensions[at : at + 4], int.from_bytes(extensions[at + 4 : at + 8], "big")
        data = extensions[at + 8 : at + 8 + size]
        if name == b"link":
            base = data[:hash_size]
            if not any(base):
                return None
            return f"sharedindex.{base.hex()}", frozenset(_set_bits(data[hash_size:]))
        at += 8 + size
    return None


def _set_bits(bitmap: bytes) -> Iterator[int]:
    """The places of the ones in the first bitmap, which is packed as EWAH does it."""
    count = int.from_bytes(bitmap[4:8], "big")
    words = [
        int.from_bytes(bitmap[at : at + _WORD], "big")
        for at in range(8, min(8 + count * _WORD, len(bitmap)), _WORD)
    ]
    at = place = 0
    while at < len(words):
        # A word about the words to come: so many that are all zeros or ones, so many as they are.
        head = words[at]
        run, literal = (head >> 1) & 0xFFFFFFFF, head >> 33
        if head & 1:
            yield from range(place, place + 64 * run)
        place += 64 * run
        for word in words[at + 1 : at + 1 + literal]:
            yield from (place + bit for bit in range(64) if word >> bit & 1)
            place += 64
        at += 1 + literal
