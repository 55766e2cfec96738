import pytest

from code_indexer.install.instructions import END, START, has_block, with_block, without_block

TEXTS = [
    "",
    "# Mine\n",
    "# Mine\n\nDo this.\n\n",
    "# Mine\r\n\r\nDo this.\r\n",
    "# Mixed\r\nends\nof lines\r\n",
]


@pytest.mark.parametrize("text", TEXTS)
def test_the_block_comes_after_what_is_there_and_goes_without_a_trace(text):
    added = with_block(text)

    assert added.startswith(text)
    assert has_block(added)
    assert without_block(added) == text


@pytest.mark.parametrize("text", TEXTS)
def test_adding_twice_changes_nothing_more(text):
    once = with_block(text)

    assert with_block(once) == once


def test_an_old_block_is_renewed_in_its_place():
    text = f"# Mine\n\n{START}\nold words\n{END}\n\n## After\n"

    result = with_block(text)

    assert "old words" not in result
    assert result.endswith(f"{END}\n\n## After\n")
    assert without_block(result) == "# Mine\n\n## After\n"


def test_a_file_without_the_block_stays_as_it_is():
    assert without_block("# Mine\n") == "# Mine\n"


def test_a_mark_without_its_other_one_takes_nothing_along():
    text = f"# Mine\n\n{START}\nwords of the user\n"

    assert without_block(with_block(text)) == text
