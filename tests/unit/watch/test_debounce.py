from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from code_indexer.watch.debounce import Debounce, longer_pause

QUIET = 3.0
gaps = st.lists(st.floats(0, 10, allow_nan=False), min_size=1, max_size=60)


def passes_of(moments, debounce, step=0.25):
    """The moments at which passes start, when the clock is looked at every *step*."""
    started = []
    waiting = sorted(moments)
    now = 0.0
    while waiting or debounce.due_at() is not None:
        while waiting and waiting[0] <= now:
            debounce.note(waiting.pop(0))
        if debounce.is_due(now):
            debounce.begin_pass(now)
            started.append(now)
        now += step
    return started


def moments_of(gaps):
    moments, now = [], 0.0
    for gap in gaps:
        now += gap
        moments.append(now)
    return moments


@given(gaps)
def test_a_burst_gets_at_most_one_pass_per_quiet_period(gaps):
    started = passes_of(moments_of(gaps), Debounce(QUIET))

    assert all(later - earlier >= QUIET for earlier, later in pairwise(started))


@given(gaps)
def test_every_event_is_followed_by_a_pass(gaps):
    moments = moments_of(gaps)
    debounce = Debounce(QUIET)

    started = passes_of(moments, debounce)

    limit = debounce.longest_burst_seconds + QUIET + 0.5
    assert all(any(0 <= begun - moment <= limit for begun in started) for moment in moments)


@given(gaps)
def test_a_pass_waits_for_quiet_unless_the_burst_is_too_long(gaps):
    moments = moments_of(gaps)
    debounce = Debounce(QUIET)

    started = passes_of(moments, debounce)

    for begun in started:
        last = max(moment for moment in moments if moment <= begun)
        burst = [moment for moment in moments if moment <= begun]
        too_long = begun - burst[0] >= debounce.longest_burst_seconds
        assert begun - last >= QUIET or too_long


def test_nothing_is_due_without_an_event():
    assert Debounce(QUIET).due_at() is None


def test_a_pass_for_another_reason_covers_the_events_before_it():
    debounce = Debounce(QUIET)
    debounce.note(1.0)

    debounce.begin_pass(2.0)

    assert debounce.due_at() is None


def test_an_event_right_after_a_pass_waits_its_quiet_period():
    debounce = Debounce(QUIET)
    debounce.begin_pass(10.0)

    debounce.note(10.1)

    assert debounce.due_at() == 13.1


def test_pauses_double_up_to_a_minute():
    pauses = [None]
    for _ in range(6):
        pauses.append(longer_pause(pauses[-1]))

    assert pauses[1:] == [5.0, 10.0, 20.0, 40.0, 60.0, 60.0]
