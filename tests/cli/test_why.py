"""``why``: what stands between a file and an answer."""

import subprocess

import pytest


@pytest.fixture
def shop(project_dir, write_files, run_cli):
    write_files(
        {
            "auth/session.py": "class Session:\n    def refresh_token(self):\n        return 'token'\n",
            "cart/total.py": "def cart_total(items):\n    return sum(items)\n",
            "empty.py": "",
            "logs/today.log": "token\n",
            "big.py": "# token\n" * 200_000,
            "data.csv": "token,1\n",
            ".gitignore": "# noise\n\nlogs/\n",
            "node_modules/x/index.js": "token()\n",
        }
    )
    run_cli("add-project", project_dir)
    return project_dir


@pytest.fixture
def why(run_cli, shop):
    def run(path, *arguments):
        return run_cli("why", path, "--project", shop, *arguments)

    return run


def test_a_file_of_the_answer_has_a_rank_with_its_signals(why):
    answer = why("auth/session.py", "--query", "refresh the token", "--json").json()

    assert (answer["standing"], answer["rank"]) == ("found", 1)
    assert (answer["best"]["start_line"], answer["best"]["symbol"]) == (1, "Session.refresh_token")
    assert "lexical" in answer["best"]["signals"]
    assert answer["words_held"] == ["refresh", "token"]


def test_the_text_gives_the_verdict_first(why, shop):
    lines = why("auth/session.py", "-q", "refresh the zebra").out.splitlines()

    assert lines[0].startswith(f"{shop}/auth/session.py: rank 1 of ")
    assert "  indexed as python code, 1 chunks with vectors" in lines
    assert "  words of the query it holds: refresh" in lines
    assert "  words of the query it lacks: zebra" in lines
    assert "  best place: auth/session.py:1-3  method Session.refresh_token" in lines


def test_an_ignored_file_names_its_rule(why):
    answer = why("logs/today.log", "-q", "token", "--json").json()

    assert (answer["standing"], answer["rank"]) == ("skipped", None)
    assert ".gitignore:3" in answer["detail"]
    assert "logs/" in answer["detail"]
    assert "rule: " in why("logs/today.log").out


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("big.py", "larger than the size limit"),
        ("data.csv", "recorded or generated data"),
        ("node_modules/x/index.js", "a folder that never holds the project's own source"),
        ("cart", "a folder, not a file"),
    ],
)
def test_a_skipped_file_has_a_reason(why, path, words):
    done = why(path, "--query", "token")

    assert done.code == 0
    assert f": not indexed: {words}" in done.out


def test_a_file_that_is_not_there_is_said_to_be_missing(why):
    assert why("gone.py", "-q", "token", "--json").json()["standing"] == "missing"
    assert "no such file" in why("gone.py").out


def test_a_file_without_text_has_no_rank(why):
    answer = why("empty.py", "-q", "token", "--json").json()

    assert (answer["standing"], answer["reason"]) == ("indexed", "it holds no text")


def test_without_a_query_it_says_whether_the_file_is_indexed(why):
    answer = why("cart/total.py", "--json").json()

    assert (answer["standing"], answer["query"], answer["chunks"]) == ("indexed", None, 1)
    assert why("cart/total.py").out.splitlines()[0].endswith("cart/total.py: indexed")


def test_a_file_beyond_the_candidates_is_outranked(project_dir, write_files, run_cli):
    write_files({f"m{n}.py": f"def token_{n}():\n    return token\n" for n in range(700)})
    write_files({"z.py": "def colour(wall):\n    return wall.paint\n"})
    run_cli("add-project", project_dir)

    answer = run_cli("why", "z.py", "-q", "token", "-p", project_dir, "--json").json()

    assert answer["standing"] == "outranked"
    assert answer["words_lacked"] == ["token"]
    assert answer["best"]["start_line"] == 1


def test_a_path_outside_the_project_is_a_wrong_request(why):
    assert why("../elsewhere.py", "-q", "token").code == 2


def test_an_empty_query_is_a_wrong_request(why):
    assert why("cart/total.py", "-q", " ").code == 2


def test_the_help_has_an_example(run_cli):
    assert "code-indexer why src/auth.py --query" in run_cli("why", "--help").out


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'NAME = "caf\xe9"\n', "text in another encoding than UTF-8"),
        (b"x = 1\0\0y\n", "not text"),
        (b"-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\n", "a secret"),
    ],
)
def test_a_file_that_its_content_keeps_out_has_a_reason(shop, why, content, words):
    (shop / "kept_out.py").write_bytes(content)

    for arguments in ((), ("--query", "name")):
        line = why("kept_out.py", *arguments).out.splitlines()[0]
        assert "not indexed: " in line
        assert words in line


def test_a_file_that_the_settings_exclude_is_not_blamed_on_a_file_alone(shop, why):
    (shop / ".code-indexer.toml").write_text('exclude = ["total.py"]\n')

    lines = why("cart/total.py").out.splitlines()

    assert lines[0].endswith("excluded by a .codeindexignore file, or by the settings")
    assert lines[1] == "  rule: exclude and include in the settings:1: total.py"


@pytest.mark.parametrize("path", ["build/new.py", "build/sub/new.py"])
def test_a_file_beside_those_that_git_tracks_in_a_build_folder_is_no_folder(why, shop, path):
    (shop / "build/sub").mkdir(parents=True)
    (shop / "build/kept.py").write_text("token = 1\n")
    subprocess.run(["git", "init", "-q"], cwd=shop, check=True)
    subprocess.run(["git", "add", "build"], cwd=shop, check=True)
    (shop / path).write_text("token = 2\n")

    answer = why(path, "--json").json()

    assert (answer["standing"], "only what git tracks" in answer["reason"]) == ("skipped", True)
    assert why("build/kept.py", "--json").json()["standing"] == "indexed"
    assert "a folder" in why("build").out
