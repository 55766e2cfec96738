"""The rules, one by one."""

from code_indexer.ranking import rules
from code_indexer.ranking.paths import path_facts
from code_indexer.ranking.question import Candidate, FoundDefinition, NamedSymbol
from code_indexer.storage.vectors import ChunkScore

SESSION = NamedSymbol("Session", None, 1.0)


def candidate(chunk_id: int, path: str, file_id: int = 0) -> Candidate:
    return Candidate(chunk_id, file_id or chunk_id, path, None, "code", 1, 9, None, None)


def found(
    chunk_id: int, name: str = "Session", kind: str = "class", **more: bool | int
) -> FoundDefinition:
    return FoundDefinition(
        chunk_id, name, name, kind, bool(more.get("declaration")), int(more.get("lines", 1))
    )


def definition_order(*matches: FoundDefinition, paths: dict[int, str] | None = None) -> list[int]:
    facts = {
        match.chunk_id: path_facts((paths or {}).get(match.chunk_id, "a.py")) for match in matches
    }
    bonuses = rules.definition(matches, [SESSION], facts, {n: n for n in facts})
    return sorted(bonuses, key=lambda chunk: -bonuses[chunk])


def test_a_type_comes_before_a_method_and_a_field_of_the_same_name() -> None:
    matches = [found(1, kind="field"), found(2, kind="method"), found(3, kind="class")]

    assert definition_order(*matches) == [3, 2, 1]


def test_a_definition_comes_before_its_declaration() -> None:
    assert definition_order(found(1, declaration=True), found(2)) == [2, 1]


def test_the_exact_letter_case_comes_first() -> None:
    assert definition_order(found(1, "session"), found(2, "Session")) == [2, 1]


def test_of_two_definitions_the_longer_comes_first() -> None:
    assert definition_order(found(1, lines=2), found(2, lines=90)) == [2, 1]


def test_a_file_that_bears_the_name_comes_first() -> None:
    paths = {1: "src/models.py", 2: "src/session.py"}

    assert definition_order(found(1, lines=200), found(2), paths=paths) == [2, 1]


def test_the_qualifier_in_the_query_chooses_among_methods() -> None:
    named = NamedSymbol("close", "Session", 1.0)
    matches = [
        FoundDefinition(1, "close", "File.close", "method", is_declaration=False),
        FoundDefinition(2, "close", "Session.close", "method", is_declaration=False),
    ]
    facts = {n: path_facts("a.py") for n in (1, 2)}
    bonuses = rules.definition(matches, [named], facts, {1: 1, 2: 2})

    assert bonuses[2] > bonuses[1]


def test_a_name_among_words_says_more_when_one_file_defines_it() -> None:
    named = NamedSymbol("Session", None, 0.25)
    facts = {n: path_facts("a.py") for n in (1, 2, 3)}
    files = {1: 1, 2: 2, 3: 3}

    alone = rules.definition([found(1)], [named], facts, files)
    among = rules.definition([found(1), found(2), found(3)], [named], facts, files)

    assert alone[1] > among[1]


def test_coherence_is_the_share_of_the_file_with_the_most() -> None:
    candidates = [candidate(1, "a", 1), candidate(2, "a", 1), candidate(3, "b", 2)]
    base = {1: 1.0, 2: 1.0, 3: 1.0}

    assert rules.coherence(candidates, base, {1: 1, 2: 3}) == {1: 1.0, 3: 0.5}


def test_closeness_runs_from_the_closest_to_the_farthest() -> None:
    candidates = {n: candidate(n, "a") for n in (1, 2, 3)}
    dense = [ChunkScore(1, 0.9), ChunkScore(2, 0.6), ChunkScore(3, 0.5)]

    bonuses = rules.closeness(candidates, dense, {n: n for n in (1, 2, 3)})

    assert bonuses[1] == 1.0
    assert round(bonuses[2], 6) == 0.25
    assert bonuses[3] == 0.0


def test_a_file_named_after_the_whole_query_gets_the_most() -> None:
    facts = {1: path_facts("token_cache.py"), 2: path_facts("cache.py"), 3: path_facts("app.py")}
    bonuses = rules.file_name_match({"token": 1.0, "cach": 1.0}, {n: n for n in facts}, facts)

    assert bonuses[1] == 1.0
    assert 0 < bonuses[2] < 1
    assert 3 not in bonuses


def test_a_generic_word_in_a_name_takes_nothing_away() -> None:
    facts = {1: path_facts("BooleanUtils.java")}

    assert rules.file_name_match({"boolean": 1.0}, {1: 1}, facts) == {1: 1.0}


def test_names_half_made_of_the_query_count() -> None:
    names = ["refreshToken", "token_store", "Token", "connectDatabase"]

    assert rules.symbol_name_match(["refresh", "token"], names) > rules.symbol_name_match(
        ["refresh", "token"], names[1:]
    )
    assert rules.symbol_name_match(["refresh", "token"], names[3:]) == 0


def test_no_candidates_get_no_bonuses() -> None:
    assert rules.coherence([], {}, {}) == {}
    assert rules.closeness({}, [], {}) == {}
    assert rules.best_chunks([], {}) == {}
