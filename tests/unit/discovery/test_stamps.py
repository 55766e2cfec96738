"""When a stamp vouches for a content."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from code_indexer.discovery.stamps import stamp_is_trusted
from code_indexer.types import FileStamp

SECOND = 1_000_000_000
RECORDED = FileStamp(
    size=10,
    mtime_ns=100 * SECOND + 5,
    ctime_ns=101 * SECOND + 999_999_999,
    inode=7,
    observed_ns=102 * SECOND,
)


def stamp(**changes: int) -> FileStamp:
    return FileStamp(**{**RECORDED._asdict(), **changes})


def test_an_unchanged_file_that_was_at_rest_is_trusted():
    assert stamp_is_trusted(RECORDED, stamp(observed_ns=200 * SECOND))


@pytest.mark.parametrize("field", ["size", "mtime_ns", "ctime_ns", "inode"])
def test_any_difference_is_distrusted(field):
    assert not stamp_is_trusted(RECORDED, stamp(**{field: getattr(RECORDED, field) - 1}))


@pytest.mark.parametrize("field", ["mtime_ns", "ctime_ns"])
def test_a_file_written_in_the_second_it_was_observed_is_distrusted(field):
    recorded = stamp(**{field: 102 * SECOND + 1, "observed_ns": 102 * SECOND + 900_000_000})

    assert not stamp_is_trusted(recorded, recorded)


def test_a_time_in_the_future_is_distrusted():
    recorded = stamp(mtime_ns=500 * SECOND)

    assert not stamp_is_trusted(recorded, recorded)


@given(st.integers(0, 2**62), st.integers(0, 2**62), st.integers(0, 2**62))
def test_only_whole_seconds_in_between_make_a_stamp_trusted(mtime_ns, ctime_ns, observed_ns):
    recorded = FileStamp(1, mtime_ns, ctime_ns, 1, observed_ns)

    expected = max(mtime_ns, ctime_ns) // SECOND < observed_ns // SECOND

    assert stamp_is_trusted(recorded, recorded) == expected
