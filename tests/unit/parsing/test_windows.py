from itertools import pairwise

from chunk_rules import assert_holds_every_line, assert_well_formed
from hypothesis import given
from hypothesis import strategies as st

from code_indexer.parsing.lines import CAP
from code_indexer.parsing.windows import OVERLAP_LINES, WINDOW_LINES, chunk_windows

texts = st.lists(
    st.text(alphabet="ab \t\r\x0b\x0c\x1c\x85\u2028é漢", max_size=30), max_size=60
).map("\n".join)
short_lines = st.lists(st.text(alphabet="abc ", min_size=1, max_size=9), max_size=400)


def spans(chunks):
    return [(chunk.start_line, chunk.end_line) for chunk in chunks]


def numbered(count):
    return "".join(f"line {number}\n" for number in range(1, count + 1))


def test_a_text_of_short_lines_is_cut_every_seventy():
    assert spans(chunk_windows(numbered(200))) == [(1, 80), (71, 150), (141, 200)]


def test_a_text_that_fits_is_one_window():
    assert spans(chunk_windows(numbered(80))) == [(1, 80)]


def test_windows_that_the_characters_end_share_an_eighth_of_their_lines():
    line = "x" * 40 + "\n"

    assert spans(chunk_windows(line * 60)) == [(1, 24), (22, 45), (43, 60)]


def test_the_text_of_a_window_is_that_of_its_lines():
    (chunk,) = chunk_windows("one\n  two\n\nthree\n")

    assert chunk.text == "one\n  two\n\nthree"


def test_a_long_line_is_cut_into_pieces_with_its_number():
    long_line = "word " * 900
    chunks = chunk_windows(f"before\n{long_line}\nafter\n")

    assert "".join(chunk.text for chunk in chunks[1:-1]) == long_line
    assert {(chunk.start_line, chunk.end_line) for chunk in chunks[1:-1]} == {(2, 2)}
    assert [chunks[0].text, chunks[-1].text] == ["before", "after"]


def test_odd_02_blank_texts_have_no_window():
    assert [chunk_windows(text) for text in ("", "\n\n\n", "   \n\t\n", "\x0c\n", "\r\n \r\n")] == [
        []
    ] * 5


def test_blank_lines_at_the_ends_are_left_out():
    assert spans(chunk_windows("\n\n  \nx\n\ny\n\n\n")) == [(4, 6)]


def test_enc_03_line_ends_do_not_change_windows():
    text = numbered(120)

    assert chunk_windows(text.replace("\n", "\r\n")) == chunk_windows(text)


def test_only_a_line_feed_ends_a_line():
    (chunk,) = chunk_windows("a\x0cb\x85c\u2028d\re\nf\n")

    assert (chunk.start_line, chunk.end_line, chunk.text) == (1, 2, "a\x0cb\x85c\u2028d\re\nf")


@given(texts)
def test_every_line_is_in_a_window(text):
    chunks = chunk_windows(text)

    assert_well_formed(chunks)
    assert_holds_every_line(text, chunks)


@given(short_lines)
def test_windows_overlap_by_exactly_ten(words):
    text = "\n".join(word.strip() or "x" for word in words)
    windows = spans(chunk_windows(text))

    for (start, end), (next_start, _) in pairwise(windows):
        assert end - start + 1 == WINDOW_LINES
        assert end - next_start + 1 == OVERLAP_LINES


def test_a_million_lines_are_cut():
    chunks = chunk_windows("x\n" * 1_000_000)

    assert chunks[-1].end_line == 1_000_000
    assert max(len(chunk.text) for chunk in chunks) <= CAP
