"""What narrows, cuts and explains a search."""

import subprocess

import pytest

SESSION = '''class Session:
    """A user who is logged in."""

    def refresh_token(self):
        """Ask for a new token before the old one expires."""
        return self.client.post("/token")


def close_session(session):
    session.token = None
'''


@pytest.fixture
def shop(project_dir, write_files, run_cli):
    write_files(
        {
            "auth/session.py": SESSION,
            "cart/total.py": "def cart_total(items):\n    return sum(item.price for item in items)\n",
            "web/[id]/page.ts": "export function tokenPage() { return token }\n",
            "README.md": "# Shop\n\nHow a session token is refreshed.\n",
        }
    )
    run_cli("add-project", project_dir)
    return project_dir


@pytest.fixture
def search(run_cli, shop):
    def run(*arguments):
        return run_cli("semantic-search", *arguments, "--project", shop)

    return run


def paths(done):
    return [hit["path"] for hit in done.json()["results"]]


def commit(folder):
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "all"]):
        identity = ["-c", "user.name=x", "-c", "user.email=x@y"]
        subprocess.run(["git", "-C", folder, *identity, *arguments], check=True)


def test_the_help_names_every_option(run_cli):
    text = run_cli("semantic-search", "--help").out

    for option in ("--adaptive-limit", "--symbol-type", "--changed", "--max-tokens", "--explain"):
        assert option in text
    assert "code-indexer semantic-search" in text


def test_a_page_says_how_far_it_can_be_trusted(search):
    answer = search("refresh_token", "--json").json()
    text = search("refresh_token")

    assert answer["confidence"] in {"high", "low"}
    assert text.err.splitlines()[-1] == f"confidence: {answer['confidence']}"
    assert "confidence" not in text.out


def test_confidence_does_not_depend_on_the_limit(search):
    answers = [search("refresh_token", "--limit", n, "--json").json() for n in (1, 3, 8)]

    assert len({answer["confidence"] for answer in answers}) == 1


def test_the_adaptive_limit_keeps_what_stands_above_the_drop(search):
    everything = search("refresh_token", "--json").json()
    cut = search("refresh_token", "--adaptive-limit", "--json").json()

    assert paths(search("refresh_token", "--adaptive-limit", "--json"))[0] == "auth/session.py"
    assert 1 <= len(cut["results"]) < len(everything["results"])
    assert cut["left_out"] == len(everything["results"]) - len(cut["results"])


def test_a_kind_of_symbol_is_asked_for(search):
    functions = search("session token", "--symbol-type", "function", "--json").json()["results"]
    several = search("session", "--symbol-type", "class, method", "--json").json()["results"]

    assert {hit["kind"] for hit in functions} == {"function"}
    assert [hit["path"] for hit in several] == ["auth/session.py"]


def test_an_unknown_kind_of_symbol_is_a_wrong_request(search):
    done = search("session", "--symbol-type", "gizmo")

    assert done.code == 2
    assert "Known: function" in done.err


@pytest.mark.parametrize("bare", [["--changed", "token"], ["token", "--changed"]])
def test_only_changed_files_are_searched(search, shop, bare):
    commit(shop)
    (shop / "cart/total.py").write_text("def cart_token(items):\n    return items.token\n")
    (shop / "new.py").write_text("token = 1\n")

    assert set(paths(search(*bare, "--json"))) == {"cart/total.py", "new.py"}


def test_an_older_revision_counts_later_commits(search, shop):
    commit(shop)
    (shop / "new.py").write_text("token = 1\n")
    commit(shop)

    assert paths(search("token", "--changed", "--json")) == []
    assert paths(search("token", "--changed", "HEAD~1", "--json")) == ["new.py"]
    assert paths(search("token", "--changed=HEAD~1", "--json")) == ["new.py"]


def test_without_git_nothing_can_have_changed(search):
    done = search("token", "--changed")

    assert done.code == 2
    assert "does not lie in a git repository" in done.err


@pytest.mark.parametrize("revision", ["--output=stolen", "-p", "nowhere"])
def test_what_is_no_revision_is_a_wrong_request(search, shop, revision):
    commit(shop)
    done = search("token", f"--changed={revision}")

    assert done.code == 2
    assert "revision" in done.err
    assert not (shop / "stolen").exists()


def test_among_several_projects_those_without_git_are_named(run_cli, shop, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "token.py").write_text("token = 2\n")
    commit(other)
    (other / "token.py").write_text("token = 3\n")

    done = run_cli("semantic-search", "token", "--changed", "-p", shop, "-p", other, "--json")

    assert paths(done) == ["token.py"]
    assert "git repository" in done.json()["warnings"][0]


@pytest.mark.parametrize(
    ("globs", "expected"),
    [
        (["*.{py,md}", "!cart/**"], {"auth/session.py", "README.md"}),
        (["web/[id]/*"], {"web/[id]/page.ts"}),
        (["web/[id]/page.ts"], {"web/[id]/page.ts"}),
        (["**/*.ts"], {"web/[id]/page.ts"}),
        (["!*.py", "!*.ts"], {"README.md"}),
        (["auth"], {"auth/session.py"}),
    ],
)
def test_globs_choose_files(search, globs, expected):
    options = [word for glob in globs for word in ("--file-filter", glob)]

    assert set(paths(search("session token", *options, "--json"))) == expected


def test_a_glob_may_be_the_absolute_path_that_a_shell_completes(search, shop):
    assert paths(search("token", "--file-filter", shop / "auth/*.py", "--json")) == [
        "auth/session.py"
    ]
    assert "auth/session.py" not in paths(
        search("token", "--file-filter", f"!{shop}/auth/*.py", "--json")
    )


def test_code_comes_first_unless_documentation_is_asked_for(search):
    assert paths(search("session token refreshed", "--json"))[0] == "auth/session.py"
    assert paths(search("documentation of the shop", "--json"))[0] == "README.md"
    assert paths(search("session token", "--content", "docs", "--json")) == ["README.md"]


def test_an_answer_fits_its_budget(search):
    answer = search("session token", "--max-tokens", 60, "--json").json()
    text = search("session token", "--max-tokens", 60).err

    assert answer["tokens"] <= 60
    assert answer["left_out"] >= 1
    assert f"{answer['left_out']} left out; about {answer['tokens']} tokens" in text


def test_without_a_budget_tokens_are_not_counted(search):
    answer = search("session token", "--json").json()

    assert (answer["tokens"], answer["left_out"]) == (None, 0)


def test_a_budget_of_nothing_is_a_wrong_request(search):
    assert search("token", "--max-tokens", 0).code == 2


def test_the_explanation_says_where_a_hit_came_from_and_what_moved_it(search):
    text = search("refresh_token", "--limit", 1, "--explain").out
    hit = search("refresh_token", "--limit", 1, "--explain", "--json").json()["results"][0]

    assert "found by words, meaning, definition" in text
    assert "defines what the query names [definition]" in text
    assert {"lexical", "definition"} <= hit["signals"].keys()
    assert "definition" in hit["found_by"]


def test_projects_are_ranked_together_fairly(run_cli, shop, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "ledger.py").write_text(
        "def reconcile_invoices(ledger, invoices):\n"
        '    """Match each invoice with its booking in the ledger."""\n'
        "    return [ledger.find(invoice.number) for invoice in invoices]\n"
    )
    for query in ("match invoices with bookings", "reconcile_invoices", "invoice ledger number"):
        for order in ((shop, other), (other, shop)):
            projects = [word for one in order for word in ("-p", one)]
            found = run_cli("semantic-search", query, *projects, "--json").json()["results"]

            assert (found[0]["project"], found[0]["path"]) == (str(other), "ledger.py")
            assert found[0]["score"] > 2 * found[1]["score"]


@pytest.mark.parametrize(
    ("option", "wrong", "meant"),
    [
        ("--language", "pyton", "python"),
        ("--language", "TypeScipt", "typescript"),
        ("--symbol-type", "clas", "class"),
    ],
)
def test_a_misspelled_choice_gets_a_suggestion_before_all_that_is_known(
    run_cli, project_dir, option, wrong, meant
):
    done = run_cli("semantic-search", "x", "--project", project_dir, option, wrong)

    assert 2 == done.code
    assert f"hint: Did you mean {meant}? Known: " in done.err


def test_a_language_may_be_called_by_its_suffix(search):
    assert paths(search("token", "--language", "TS", "--json")) == ["web/[id]/page.ts"]


@pytest.mark.parametrize(
    ("filters", "named"),
    [
        (("--file-filter", "*.nope"), "file filter '*.nope'"),
        (("--language", "ruby", "--content", "docs"), "language ruby, content docs"),
    ],
)
def test_filters_that_leave_no_file_are_named(search, filters, named):
    done = search("token", *filters)

    assert done.code == 0
    assert f"warning: no indexed file passes the filters: {named}" in done.err
    assert search("token", *filters, "--json").json()["warnings"] == [
        f"no indexed file passes the filters: {named}"
    ]


def test_filters_that_leave_files_without_a_hit_are_not_named(search):
    done = search("§", "--language", "python")

    assert "no hits" in done.err
    assert "filters" not in done.err


def test_the_time_to_wait_is_a_number(search):
    assert search("token", "--max-wait", "nan").code == 2
