"""A project inside of another one: both hold its files, and an answer shows each once."""

import pytest


@pytest.fixture
def outer(project_dir, write_files, run_cli, monkeypatch):
    write_files(
        {
            "src/cart.py": "def cart_total(items):\n    return sum(items)\n\n\ncart_total([1])\n",
            "src/copy.py": "def cart_total_again(items):\n    return sum(items)\n",
            "main.py": "from src.cart import cart_total\n\nprint(cart_total([2]))\n",
        }
    )
    run_cli("add-project", project_dir)
    run_cli("add-project", project_dir / "src")
    monkeypatch.chdir(project_dir)
    return project_dir


def places(answer):
    return [
        (one["project"] + "/" + one["path"], one.get("line", one["start_line"]))
        for one in answer["results"]
    ]


@pytest.mark.parametrize(
    "command",
    [
        ("semantic-search", "cart total"),
        ("semantic-search", "cart total", "--chunks"),
        ("find-definition", "cart_total"),
        ("find-symbol", "cart"),
        ("find-similar", "src/cart.py:1"),
    ],
)
def test_no_place_is_shown_twice(run_cli, outer, command):
    found = places(run_cli(*command, "--all", "--json").json())

    assert found
    assert len(set(found)) == len(found)


def test_uses_are_counted_once(run_cli, outer):
    answer = run_cli("find-references", "cart_total", "--all", "--json").json()
    alone = run_cli("find-references", "cart_total", "--json").json()

    found = [(one["path"], one["line"], one["column"]) for one in answer["results"]]
    assert len(set(found)) == len(found)
    assert alone["total"] == answer["total"] == len(found)
    assert alone["by_relationship"] == answer["by_relationship"]
    assert 1 == len(answer["meanings"])


def test_code_is_no_copy_of_itself(run_cli, outer):
    answer = run_cli("find-similar", "src/cart.py:1", "--all", "--json").json()

    assert f"{outer}/src/cart.py" not in [place for place, _ in places(answer)]


def test_a_lower_limit_is_filled_with_other_places(run_cli, outer):
    answer = run_cli("semantic-search", "cart total", "--all", "--limit", 3, "--json").json()

    assert 3 == len({place for place, _ in places(answer)})
