"""``find-similar``: code like the code at one place."""

import pytest

PARSE_DATE = '''def parse_{0}(text):
    """The {0} written in a text, or None."""
    match = {1}_PATTERN.fullmatch(text.strip())
    if match is None:
        return None
    return {1}(int(match["year"]), int(match["month"]), int(match["day"]))
'''


@pytest.fixture
def shop(project_dir, write_files, run_cli):
    write_files(
        {
            "dates.py": PARSE_DATE.format("date", "Date"),
            "times.py": "\n\n" + PARSE_DATE.format("moment", "Moment"),
            "cart.py": "def cart_total(items):\n    return sum(item.price for item in items)\n",
            "notes.md": "# Dates\n\nparse_date reads the date written in a text.\n",
            "long.txt": "x\n",
        }
    )
    run_cli("add-project", project_dir)
    return project_dir


def test_the_code_most_alike_comes_first_and_not_the_place_itself(run_cli, shop):
    answer = run_cli("find-similar", "dates.py:3", "--project", shop, "--json").json()

    assert [hit["path"] for hit in answer["results"]] == ["times.py", "cart.py"]
    assert answer["results"][0]["score"] > 2 * answer["results"][1]["score"]
    assert (answer["query"], answer["mode"], answer["confidence"]) == (
        "dates.py:3",
        "hybrid",
        "high",
    )


def test_a_copy_scores_one(run_cli, shop):
    (shop / "copy.py").write_text((shop / "dates.py").read_text())

    hit = run_cli("find-similar", "dates.py:1", "-p", shop, "--json").json()["results"][0]

    assert hit["path"] == "copy.py"
    assert hit["score"] > 0.99


def test_the_text_is_blocks_as_a_search_prints(run_cli, shop):
    done = run_cli("find-similar", "dates.py:1", "-p", shop, "--limit", 1, "--explain")

    assert done.out.startswith(f"{shop}/times.py:3-8  function parse_moment\n    def parse_moment")
    assert "found by meaning, words" in done.out


def test_a_path_is_looked_up_from_the_working_directory(run_cli, shop, monkeypatch):
    monkeypatch.chdir(shop)

    assert run_cli("find-similar", "./dates.py:1", "-n", 1).out.startswith("times.py:3-8")


def test_a_blank_line_means_what_stands_above_it(run_cli, shop):
    (shop / "dates.py").write_text(PARSE_DATE.format("date", "Date") + "\n\n\n")

    assert run_cli("find-similar", "dates.py:9", "-p", shop, "--json").json()["results"]


def test_every_project_can_be_compared(run_cli, shop, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "years.py").write_text(PARSE_DATE.format("date", "Date"))
    run_cli("add-project", other)

    alone = run_cli("find-similar", shop / "dates.py:1", "--json").json()
    everywhere = run_cli("find-similar", shop / "dates.py:1", "--all", "--json").json()

    assert {hit["project"] for hit in alone["results"]} == {str(shop)}
    assert everywhere["results"][0]["project"] == str(other)
    assert len(everywhere["projects"]) == 2


@pytest.mark.parametrize("place", ["dates.py", "dates.py:", "dates.py:x", "dates.py:0", ":3"])
def test_what_is_no_place_is_a_wrong_request(run_cli, shop, place):
    done = run_cli("find-similar", place, "-p", shop)

    assert done.code == 2
    assert "PATH:LINE" in done.err


@pytest.mark.parametrize("place", ["dates.py:99", "gone.py:1", "../x.py:1"])
def test_a_place_that_is_not_indexed_is_a_wrong_request(run_cli, shop, place):
    assert run_cli("find-similar", place, "-p", shop).code == 2


def test_the_help_has_an_example(run_cli):
    assert "code-indexer find-similar src/auth.py:42" in run_cli("find-similar", "--help").out
