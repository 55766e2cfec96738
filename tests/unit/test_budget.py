"""Fitting hits to a budget of tokens."""

from code_indexer.core.budget import estimated_tokens, fit_hits, hit_tokens
from code_indexer.types import SearchHit

LINES = [f"line {number} of some file" for number in range(1, 41)]
LINES[9] = ""


def hit(start=1, end=4, *, path="a.py", also=(), score=1.0):
    return SearchHit(
        project="/p",
        path=path,
        start_line=start,
        end_line=end,
        score=score,
        symbol="f",
        kind="function",
        language="python",
        snippet="\n".join(LINES[start - 1 : end]),
        also=also,
    )


def fit(hits, tokens):
    return fit_hits(hits, tokens, lambda _: LINES)


def spans(fitted):
    return [(one.path, one.start_line, one.end_line) for one in fitted.hits]


def test_a_token_is_three_and_a_half_characters_rounded_up():
    assert [estimated_tokens("x" * count) for count in (0, 1, 7, 8)] == [0, 1, 2, 3]


def test_what_fits_is_kept_as_it_is_best_first():
    fitted = fit([hit(path="b.py"), hit(path="a.py")], 10_000)

    assert spans(fitted) == [("b.py", 1, 4), ("a.py", 1, 4)]
    assert (fitted.left_out, fitted.tokens) == (0, sum(map(hit_tokens, fitted.hits)))


def test_neighbouring_places_of_a_file_become_one():
    fitted = fit([hit(5, 9, also=((11, 14), (1, 4), (30, 32)))], 10_000)

    # Line 10 is blank; between 14 and 30 there is code.
    assert spans(fitted) == [("a.py", 1, 14), ("a.py", 30, 32)]
    assert fitted.hits[0].snippet == "\n".join(LINES[:14])
    assert (fitted.hits[0].symbol, fitted.hits[1].symbol) == ("f", None)


def test_hits_of_one_file_that_touch_become_one():
    assert spans(fit([hit(5, 8), hit(1, 4)], 10_000)) == [("a.py", 1, 8)]


def test_the_best_of_every_file_comes_before_the_rest_of_any():
    hits = [hit(1, 4, also=((20, 24),)), hit(1, 4, path="b.py")]
    fitted = fit(hits, sum(map(hit_tokens, hits)))

    assert spans(fitted) == [("a.py", 1, 4), ("b.py", 1, 4)]
    assert fitted.left_out == 1


def test_the_budget_holds_and_what_is_left_out_is_counted():
    hits = [hit(1, 8, path=f"{name}.py", also=((20, 30),)) for name in "abcdef"]
    for budget in range(0, 2000, 37):
        fitted = fit(hits, budget)
        shown = sum(map(hit_tokens, fitted.hits))

        assert shown == fitted.tokens
        assert shown <= budget
        assert fitted.left_out + len(fitted.hits) == 12


def test_a_first_hit_that_is_too_large_is_cut():
    large = hit(1, 9)
    fitted = fit([large], hit_tokens(large) - 1)

    assert spans(fitted) == [("a.py", 1, 8)]
    assert fitted.left_out == 0


def test_no_room_at_all_gives_no_hits():
    fitted = fit([hit()], 1)

    assert (fitted.hits, fitted.tokens, fitted.left_out) == ((), 0, 1)


def test_a_file_that_is_gone_keeps_its_snippet():
    fitted = fit_hits([hit(5, 9, also=((1, 4),))], 10_000, lambda _: None)

    assert fitted.hits[0].snippet == hit(5, 9).snippet


def test_nothing_fits_into_any_budget():
    assert fit([], 100).hits == ()
