import base64
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from code_indexer.inference.lengths import estimated_tokens, shortened

texts = st.text() | st.text("aZ_09 \n{}é漢🙂", max_size=400)


@given(texts, st.integers(0, 200))
def test_a_shortened_text_is_a_start_that_fits(text, limit):
    cut = shortened(text, limit)

    assert text.startswith(cut)
    assert estimated_tokens(cut) <= max(limit, 1) or len(cut) <= 4 * limit
    assert cut == shortened(cut, limit)


@given(texts)
def test_a_text_that_fits_is_left_alone(text):
    assert text == shortened(text, estimated_tokens(text))


@given(texts)
def test_no_text_is_estimated_above_its_bytes(text):
    assert estimated_tokens(text) <= len(text.encode("utf-8", "surrogatepass"))


def dense(kind):
    numbers = random.Random(5)
    data = bytes(numbers.randrange(256) for _ in range(3000))
    return {"base64": base64.b64encode(data).decode(), "hex": data.hex(), "signs": "+-{};" * 800}[
        kind
    ]


@pytest.mark.parametrize(
    ("kind", "chars_a_token"),
    # What a vocabulary learnt on text needs for such strings, at worst.
    [("base64", 1.5), ("hex", 1.4), ("signs", 1.0)],
)
def test_dense_text_cut_to_1500_stays_below_the_physical_batch(kind, chars_a_token):
    cut = shortened(dense(kind), 1500)

    assert len(cut) / chars_a_token < 2048


def test_a_megabyte_without_a_break_is_cut():
    assert len(shortened("x" * 1_000_000, 1500)) <= 6000
