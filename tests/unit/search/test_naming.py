"""A hit is named by the definition in its chunk that answers the question."""

from code_indexer.search.naming import name_of_hit
from code_indexer.search.query import read_query
from code_indexer.storage.chunks import ChunkRow
from code_indexer.types import Symbol

CHUNK = ChunkRow(1, 1, "a.py", "hash", "python", "code", 1, 13, "", "first_function", "function")


def symbol(name, line, kind="function"):
    return Symbol(name, name, kind, line, line + 1, line)


SYMBOLS = [symbol("first_function", 1), symbol("parse_header", 5), symbol("Reader", 9, "class")]


def named(query):
    return name_of_hit(CHUNK, SYMBOLS, read_query(query))


def test_a_name_that_was_asked_for_names_the_hit():
    assert named("Reader") == ("Reader", "class")


def test_the_definition_with_most_words_of_the_question_names_the_hit():
    assert named("where is the header parsed") == ("parse_header", "function")


def test_without_a_word_in_any_name_the_chunk_keeps_its_own():
    assert named("zebra crossing") == ("first_function", "function")


def test_definitions_outside_the_chunk_do_not_count():
    outside = [symbol("parse_header", 20)]

    assert name_of_hit(CHUNK, outside, read_query("parse_header")) == ("first_function", "function")
