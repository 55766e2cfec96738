"""Terms and phrases that a search can afford."""

from code_indexer.search.cost import MAX_POSTINGS, affordable_phrases, affordable_terms


def test_in_a_small_project_every_known_term_is_searched() -> None:
    assert affordable_terms(["a", "b", "c"], {"a": 5, "b": 900, "c": 0}) == ["a", "b"]


def test_in_a_large_one_the_commonest_terms_are_left_out() -> None:
    frequencies = {"return": MAX_POSTINGS, "retry": 40, "value": 5000}

    assert affordable_terms(["return", "retry", "value"], frequencies) == ["retry", "value"]


def test_two_terms_are_always_searched() -> None:
    frequencies = {"return": MAX_POSTINGS * 2, "value": MAX_POSTINGS}

    assert affordable_terms(["return", "value"], frequencies) == ["return", "value"]


def test_a_pasted_page_is_cut_to_its_rarest_words() -> None:
    terms = [f"word{n}" for n in range(500)]
    kept = affordable_terms(terms, {term: n + 1 for n, term in enumerate(terms)})

    assert kept == terms[:64]


def test_a_phrase_with_an_unknown_term_stands_nowhere() -> None:
    assert affordable_phrases(["no such user", "such user x"], {"no": 9, "such": 4, "user": 7}) == [
        "no such user"
    ]


def test_phrases_of_common_words_are_left_out() -> None:
    frequencies = {"return": MAX_POSTINGS, "the": MAX_POSTINGS, "zebra": 1, "crossing": 1}

    assert affordable_phrases(["return the", "zebra crossing"], frequencies) == ["zebra crossing"]
