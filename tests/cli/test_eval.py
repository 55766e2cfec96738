"""``eval``: the user's own queries, scored."""

import json

import pytest


@pytest.fixture
def shop(project_dir, write_files, run_cli):
    write_files(
        {
            "auth/session.py": "class Session:\n    def refresh_token(self):\n        return 'token'\n",
            "cart/total.py": "def cart_total(items):\n    return sum(item.price for item in items)\n",
        }
    )
    run_cli("add-project", project_dir)
    return project_dir


@pytest.fixture
def queries(tmp_path):
    file = tmp_path / "queries.jsonl"
    lines = [
        {"query": "refresh the token", "relevant": ["auth/session.py:2-3"]},
        {"query": "cart_total", "relevant": ["cart/total.py", "cart/gone.py"]},
    ]
    file.write_text("\n".join(map(json.dumps, lines)))
    return file


def test_json_holds_each_query_and_the_means(run_cli, shop, queries):
    done = run_cli("eval", queries, "--project", shop, "--json")

    answer = done.json()
    assert (answer["mode"], answer["depth"], answer["comparison"]) == ("hybrid", 10, None)
    assert answer["queries"][0] == {
        "query": "refresh the token",
        "relevant": ["auth/session.py:2-3"],
        "ranks": [1],
        "recall": 1.0,
        "reciprocal_rank": 1.0,
        "ndcg": 1.0,
    }
    assert answer["queries"][1]["ranks"] == [1, None]
    assert answer["queries"][1]["ndcg"] == 0.6131
    assert answer["mean"] == {"recall": 0.75, "mrr": 1.0, "ndcg": 0.8066}
    assert answer["warnings"] == ["not in the index: cart/gone.py"]


def test_the_text_is_a_table_with_the_means_below(run_cli, shop, queries):
    done = run_cli("eval", queries, "-p", shop)

    assert done.out.splitlines() == [
        "  ndcg  recall  first  query",
        " 1.000   1.000      1  refresh the token",
        " 0.613   0.500      1  cart_total",
        "",
        "2 queries, hybrid: NDCG@10 0.807, recall@10 0.750, MRR 1.000",
    ]
    assert "warning: not in the index: cart/gone.py" in done.err


def test_two_modes_are_compared(run_cli, shop, queries):
    done = run_cli("eval", queries, "-p", shop, "--compare", "lexical")

    assert done.out.splitlines()[-1] == (
        "against lexical: NDCG@10 0.807 -> 0.807 (+0.000);"
        " 0 better, 0 worse, 2 the same (by chance alone: p = 1.00)"
    )


def test_an_earlier_run_is_compared_with(run_cli, shop, queries, tmp_path):
    before = tmp_path / "before.json"
    (shop / "auth/session.py").rename(shop / "auth/other.py")
    before.write_text(run_cli("eval", queries, "-p", shop, "--json").out)
    (shop / "auth/other.py").rename(shop / "auth/session.py")

    comparison = run_cli("eval", queries, "-p", shop, "--compare", before, "--json").json()[
        "comparison"
    ]

    assert (comparison["better"], comparison["worse"], comparison["same"]) == (1, 0, 1)
    assert comparison["queries"]["refresh the token"] == 0.0


def test_words_alone_can_be_scored(run_cli, shop, queries):
    assert run_cli("eval", queries, "-p", shop, "--mode", "lexical", "--json").json()["mode"] == (
        "lexical"
    )


def test_a_file_that_cannot_be_read_is_a_wrong_request(run_cli, shop, tmp_path):
    (tmp_path / "binary").write_bytes(b"\xff\xfe\0")

    for file in (tmp_path / "gone.jsonl", tmp_path, tmp_path / "binary"):
        assert run_cli("eval", file, "-p", shop).code == 2


def test_the_help_has_an_example(run_cli):
    assert "code-indexer eval queries.jsonl --project shop" in run_cli("eval", "--help").out
