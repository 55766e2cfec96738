"""Hits compared with their files."""

from collections.abc import Callable

from code_indexer.search.verify import PresentFile, VerifiedChunk, Verifier, moved_line
from code_indexer.storage.chunks import ChunkRow
from code_indexer.types import Chunk, ParsedFile

BODY = "def close(self):\n    self.open = False"


def chunk_row(**changes: object) -> ChunkRow:
    fields: dict[str, object] = {
        "chunk_id": 1,
        "file_id": 1,
        "path": "a.py",
        "content_hash": "old",
        "language": "python",
        "content": "code",
        "start_line": 3,
        "end_line": 4,
        "text": BODY,
        "symbol": "Session.close",
        "kind": "method",
    }
    return ChunkRow(**(fields | changes))  # type: ignore[arg-type]


def verified(
    text: str | None, content_hash: str = "new", chunks: tuple[Chunk, ...] = ()
) -> VerifiedChunk | None:
    present = None if text is None else PresentFile(text, content_hash)

    def read(path: str) -> PresentFile | None:
        return present

    return Verifier(read, parser_of(chunks)).verified(chunk_row())


def parser_of(chunks: tuple[Chunk, ...] = ()) -> Callable[[str, str, str | None], ParsedFile]:
    def parse(path: str, text: str, language: str | None) -> ParsedFile:
        return ParsedFile(language, chunks)

    return parse


def test_an_unchanged_file_makes_a_fresh_hit() -> None:
    shown = verified("whatever", content_hash="old")

    assert shown is not None
    assert (shown.start_line, shown.end_line, shown.freshness) == (3, 4, "fresh")


def test_a_chunk_that_moved_gets_its_new_lines() -> None:
    shown = verified(f"import os\n\n\n\n\n{BODY}\n")

    assert shown is not None
    assert (shown.start_line, shown.end_line, shown.freshness) == (6, 7, "corrected")


def test_of_two_copies_the_nearer_one_is_meant() -> None:
    shown = verified(f"{BODY}\n" * 4)

    assert shown is not None
    assert shown.start_line == 3


def test_an_edited_definition_is_found_by_its_name() -> None:
    edited = Chunk(0, 9, 11, "def close(self):\n    pass\n", "Session.close", "method")
    shown = verified("x\n" * 12, chunks=(edited,))

    assert shown is not None
    assert (shown.start_line, shown.end_line, shown.text) == (9, 11, edited.text)


def test_a_chunk_that_is_gone_is_dropped() -> None:
    assert verified("x = 1\n") is None


def test_a_file_that_is_gone_is_dropped() -> None:
    assert verified(None) is None


def test_a_file_is_read_once() -> None:
    reads = []

    def read(path: str) -> PresentFile:
        reads.append(path)
        return PresentFile(BODY, "new")

    verifier = Verifier(read, parser_of())
    verifier.verified(chunk_row())
    verifier.verified(chunk_row(chunk_id=2))

    assert reads == ["a.py"]


def test_a_part_of_a_line_is_not_the_chunk() -> None:
    assert moved_line("close()", "self.close()\n", 1) is None
    assert moved_line("close()", "close()and_more\n", 1) is None
    assert moved_line("close()", "a\nclose()", 1) == 2


def test_a_blank_chunk_is_nowhere() -> None:
    assert moved_line(" \n", "\n\n", 1) is None
