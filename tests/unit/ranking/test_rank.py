"""The order that the stages make together."""

from hypothesis import given
from hypothesis import strategies as st

from code_indexer.ranking.question import Candidate, FoundDefinition
from code_indexer.ranking.rank import Retrieved, add_symbol_names, rank
from code_indexer.search.query import read_query
from code_indexer.storage.vectors import ChunkScore


def candidates_of(*paths: str, content: str = "code") -> dict[int, Candidate]:
    return {
        n: Candidate(n, n, path, None, content, 1, 9, None, None)  # type: ignore[arg-type]
        for n, path in enumerate(paths, 1)
    }


def order(query: str, retrieved: Retrieved, candidates: dict[int, Candidate]) -> list[int]:
    scores = rank(read_query(query), retrieved, candidates).scores
    return sorted(scores, key=lambda chunk: -scores[chunk])


def listed(*chunk_ids: int) -> list[ChunkScore]:
    return [ChunkScore(chunk, 1.0 - n / 100) for n, chunk in enumerate(chunk_ids)]


def test_a_source_comes_before_its_test() -> None:
    candidates = candidates_of("tests/test_pool.py", "src/server.py")

    assert order("open a connection", Retrieved(listed(1, 2)), candidates) == [2, 1]


def test_a_query_for_tests_gets_the_test_first() -> None:
    candidates = candidates_of("tests/test_pool.py", "src/server.py")

    assert order("tests of a connection", Retrieved(listed(1, 2)), candidates) == [1, 2]


def test_code_comes_before_documentation() -> None:
    candidates = candidates_of("guide/intro.md") | {
        2: Candidate(2, 2, "src/server.py", None, "code", 1, 9, None, None)
    }
    candidates[1] = Candidate(1, 1, "guide/intro.md", None, "docs", 1, 9, None, None)

    assert order("open a connection", Retrieved(listed(1, 2)), candidates) == [2, 1]
    assert order("getting started guide", Retrieved(listed(1, 2)), candidates) == [1, 2]


def test_a_definition_comes_first_though_no_list_holds_it() -> None:
    candidates = candidates_of("src/a.py", "src/b.py")
    definition = FoundDefinition(2, "Pool", "Pool", "class", is_declaration=False)

    assert order("Pool", Retrieved(listed(1), definitions=[definition]), candidates) == [2, 1]


def test_the_symbols_of_a_file_speak_for_it() -> None:
    question = read_query("retry failed requests")
    board = rank(question, Retrieved(listed(1, 2)), candidates_of("src/a.py", "src/b.py"))

    add_symbol_names(board, question, {1: ["main"], 2: ["retry_request", "Retry"]})

    assert board.scores[2] > board.scores[1]


def test_a_chunk_that_is_no_candidate_is_left_out() -> None:
    assert order("connection", Retrieved(listed(9, 1)), candidates_of("src/a.py")) == [1]


def test_the_signals_explain_the_score() -> None:
    board = rank(
        read_query("open a connection"),
        Retrieved(listed(1, 2), listed(2, 1)),
        candidates_of("tests/test_connection.py", "src/connection.py"),
    )

    for chunk_id, signals in board.signals.items():
        moves = [value for stage, value in signals if stage not in ("path", "content")]
        assert round(sum(moves), 9) == round(board.scores[chunk_id], 9)


@given(
    st.lists(st.tuples(st.integers(1, 4), st.floats(0.01, 1)), max_size=8),
    st.floats(0.01, 100),
)
def test_rescaled_lexical_scores_change_nothing(found: list[tuple[int, float]], by: float) -> None:
    candidates = candidates_of("src/a.py", "src/b.py", "tests/c.py", "d/e.py")
    unique = dict(found)
    ranked = sorted(unique.items(), key=lambda pair: -pair[1])
    plain = [ChunkScore(chunk, score) for chunk, score in ranked]
    scaled = [ChunkScore(chunk, score * by) for chunk, score in ranked]
    question = read_query("how is a connection opened")

    assert rank(question, Retrieved(plain), candidates) == rank(
        question, Retrieved(scaled), candidates
    )
