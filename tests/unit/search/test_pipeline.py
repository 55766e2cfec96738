"""The search of one project, on a real manifest."""

from pathlib import Path

import pytest
from search_projects import SearchableProject

from code_indexer.search.filters import SearchFilters

SESSION = '''"""Login sessions and their tokens."""


class Session:
    """A user who is logged in."""

    def refresh_token(self):
        """Ask the server for a new access token before the old one expires."""
        if self.expires_soon():
            self.token = self.client.post("/token", refresh=self.secret)
        return self.token

    def close(self):
        """Forget the token and say goodbye to the server."""
        self.client.delete("/session")
        self.token = None
'''
POOL = '''"""Connections that wait to be used again."""


def take_connection(pool):
    """An idle connection, or a new one when all are busy."""
    return pool.idle.pop() if pool.idle else pool.connect()


def close(pool):
    """Close every idle connection."""
    for connection in pool.idle:
        connection.close()
'''
FILES = {
    "src/app/session.py": SESSION,
    "src/app/pool.py": POOL,
    "tests/test_session.py": (
        "from app.session import Session\n\n\ndef test_refresh_token():\n"
        "    assert Session().refresh_token()\n"
    ),
    "docs/session.md": "# Sessions\n\nA session refreshes its token before it expires.\n",
    "settings.toml": "[session]\ntoken_lifetime = 300\n",
}


@pytest.fixture
def project(tmp_path: Path) -> SearchableProject:
    return SearchableProject(tmp_path, FILES)


def test_a_question_finds_the_place(project: SearchableProject) -> None:
    answer = project.search("where is the token refreshed")

    first = answer.hits[0]
    assert (first.path, first.freshness, answer.mode) == ("src/app/session.py", "fresh", "hybrid")
    assert "refresh_token" in first.snippet


def test_a_name_finds_its_definition(project: SearchableProject) -> None:
    first = project.search("Session").hits[0]

    assert (first.path, first.kind) == ("src/app/session.py", "class")
    assert first.start_line <= 4 <= first.end_line


def test_a_qualified_name_finds_the_method_of_that_class(project: SearchableProject) -> None:
    assert project.paths("Session.close")[0] == "src/app/session.py"


@pytest.mark.parametrize(
    "query", ["Session:close", "Session<T>.close(1)", "Session.close/1", "def close(self)"]
)
def test_a_name_in_any_notation_shows_its_definition(
    project: SearchableProject, query: str
) -> None:
    first = project.search(query).hits[0]

    assert "def close" in first.snippet


def test_a_name_in_another_notation_is_where_it_is_defined(tmp_path: Path) -> None:
    uses = "".join(f"check.expectJson({n});\nexpectJson_{n}();\n" for n in range(30))
    project = SearchableProject(
        tmp_path, {"expect.js": "function expectJson(x) {\n  return x;\n}\n", "uses.js": uses}
    )

    assert project.paths("expect_json")[0] == "expect.js"
    assert project.paths("expect-json")[0] == "expect.js"


def test_a_whole_path_comes_first_whatever_signs_it_has(tmp_path: Path) -> None:
    pages = ["+page.js", "login/+page.js", "article/[slug]/+page.js", "(app)/$id/+page.js"]
    project = SearchableProject(
        tmp_path, {f"routes/{page}": f"export const n = {n};\n" for n, page in enumerate(pages)}
    )

    assert project.paths("routes/article/[slug]/+page.js")[0] == "routes/article/[slug]/+page.js"
    assert project.paths("[slug]/+page.js")[0] == "routes/article/[slug]/+page.js"
    assert project.paths("see (app)/$id/+page.js there")[0] == "routes/(app)/$id/+page.js"


def test_copies_of_a_place_stand_behind_other_places(tmp_path: Path) -> None:
    copy = "def ship_order(order):\n    return order.shipped\n"
    other = "def cancel(order):\n    ship_nothing(order)\n"
    files = {f"service_{n}/orders.py": copy for n in range(4)} | {"billing/cancel.py": other}
    project = SearchableProject(tmp_path, files)
    hits = project.search("ship order").hits

    assert hits[1].path == "billing/cancel.py"
    assert [hit.snippet for hit in hits[2:]] == [hits[0].snippet] * 3
    assert "copy" in dict(hits[2].signals)


def test_settings_are_asked_for_by_the_name_of_their_file(tmp_path: Path) -> None:
    workflow = "name: deploy\non: push\njobs:\n  pages:\n    runs-on: ubuntu\n"
    script = 'def deploy_workflow():\n    """Deploy the pages."""\n    deploy("pages")\n'
    project = SearchableProject(
        tmp_path, {".github/workflows/deploy-pages.yml": workflow, "tools/site.py": script}
    )

    assert project.paths("deploy pages workflow")[0] == ".github/workflows/deploy-pages.yml"


def test_the_owner_may_be_the_file(project: SearchableProject) -> None:
    assert project.paths("pool.close")[0] == "src/app/pool.py"


def test_the_owner_is_a_whole_name(project: SearchableProject) -> None:
    project.index("src/app/sub.py", "class SubSession:\n    def close(self):\n        pass\n")

    assert project.paths("Session.close()")[0] == "src/app/session.py"


def test_the_only_definition_comes_first_wherever_it_lies(project: SearchableProject) -> None:
    project.index("src/old/v1/legacy/token.py", "class Token:\n    def wipe(self):\n        pass\n")
    project.index("src/app/wipe.py", "# wipe tokens\ntoken = wipe = None\nclass TokenWipe: pass\n")

    assert project.paths("Token.wipe")[0] == "src/old/v1/legacy/token.py"


@pytest.mark.parametrize(
    "query",
    [
        '"the pool is closed"',
        "PoolError: the pool is closed",
        "the pool is closed",
        'PoolError: the pool is closed: "main" after 5 s',
    ],
)
def test_the_only_place_with_a_message_comes_first(project: SearchableProject, query: str) -> None:
    project.index(
        "src/app/workers.py",
        "def give(worker):\n    if worker.done:\n"
        '        raise PoolError(f"the pool is closed: {worker.name}")\n',
    )
    project.index("src/app/closed_pool.py", "class ClosedPool:\n    pool_is_closed = True\n")

    assert project.paths(query)[0] == "src/app/workers.py"


def test_a_frame_of_another_version_finds_the_function(project: SearchableProject) -> None:
    text = 'Traceback (most recent call last):\n  File "app/session.py", line 90, in close'

    assert "def close" in project.search(text, chunks=True).hits[0].snippet


def test_a_blank_line_is_the_place_before_it(project: SearchableProject) -> None:
    body = "".join(f"    step_{n} = {n} * settings.value_{n}\n" for n in range(60))
    project.index("src/long.py", f"def one():\n{body}\n\ndef two():\n{body}")

    first = project.search("src/long.py:62").hits[0]

    assert first.start_line > 1
    assert first.end_line <= 62


def test_a_file_is_one_hit_with_its_other_places_beneath(project: SearchableProject) -> None:
    paths = project.paths("session token")

    assert paths
    assert len(paths) == len(set(paths))


def test_every_chunk_can_be_a_hit_of_its_own(project: SearchableProject) -> None:
    hits = project.search("connection", chunks=True).hits

    assert hits
    assert all(hit.also == () for hit in hits)


def test_without_vectors_the_answer_is_lexical(project: SearchableProject) -> None:
    answer = project.search("take a connection", dense=False)

    assert (answer.hits[0].path, answer.mode) == ("src/app/pool.py", "lexical")


def test_the_limit_holds(project: SearchableProject) -> None:
    assert len(project.search("session token connection", limit=2).hits) == 2


def test_filters_choose_files(project: SearchableProject) -> None:
    def among(**fields: object) -> set[str]:
        filters = SearchFilters(**fields)  # type: ignore[arg-type]
        return set(project.paths("session token", filters=filters, limit=50))

    assert among(globs=("tests/**",)) == {"tests/test_session.py"}
    assert "tests/test_session.py" not in among(globs=("!tests/**",))
    assert among(contents=("docs",)) == {"docs/session.md"}
    assert among(languages=("toml",)) == {"settings.toml"}
    assert among(paths=frozenset({"src/app/pool.py", "gone.py"})) == {"src/app/pool.py"}
    assert among(globs=("*.md",), languages=("python",)) == set()


def test_a_kind_of_symbol_can_be_asked_for(project: SearchableProject) -> None:
    filters = SearchFilters(symbol_kinds=("function",))
    hits = project.search("close the connection", filters=filters, limit=50).hits

    assert {hit.kind for hit in hits} == {"function"}


def test_lines_that_moved_since_the_pass_are_corrected(project: SearchableProject) -> None:
    before = project.search("take_connection").hits[0]
    project.files["src/app/pool.py"] = "# one\n# two\n" + POOL

    after = project.search("take_connection").hits[0]

    assert after.freshness == "corrected"
    assert after.start_line == before.start_line + 2


def test_a_file_that_went_since_the_pass_is_no_hit(project: SearchableProject) -> None:
    del project.files["src/app/pool.py"]

    assert "src/app/pool.py" not in project.paths("take a connection", limit=50)


def test_a_file_that_is_named_comes_first(project: SearchableProject) -> None:
    assert project.paths("what does pool.py do with the session token")[0] == "src/app/pool.py"
    assert project.paths("src/app/pool.py")[0] == "src/app/pool.py"


def test_a_stack_frame_of_another_machine_finds_its_line(project: SearchableProject) -> None:
    frame = 'File "/srv/build/src/app/session.py", line 15, in close'
    first = project.search(frame).hits[0]

    assert first.path == "src/app/session.py"
    assert first.start_line <= 15 <= first.end_line


def test_quoted_words_are_looked_for_in_their_order(tmp_path: Path) -> None:
    project = SearchableProject(
        tmp_path,
        {
            "a.py": 'def f():\n    raise Problem("user no longer known here")\n' * 3,
            "b.py": 'def g():\n    raise Problem("no such user")\n',
        },
    )

    assert project.paths('where is "no such user" raised')[0] == "b.py"


def test_an_error_message_is_found_by_its_fixed_words(tmp_path: Path) -> None:
    source = 'def load(path):\n    raise OSError(f"cannot open settings file {path}")\n'
    others = {
        f"m{n}.py": f"def open_{n}(file):\n    return cannot(file, settings)\n" for n in range(9)
    }
    project = SearchableProject(tmp_path, others | {"loader.py": source})

    assert project.paths("OSError: cannot open settings file /etc/app.toml")[0] == "loader.py"


def test_a_message_is_found_by_the_words_between_its_values(tmp_path: Path) -> None:
    source = 'def pick(kind, path):\n    log(f"Formatter {kind} of {path} is not known here")\n'
    others = {
        f"formatter/path_{n}.py": f"def known_formatter(path):\n    return here(path, {n})\n"
        for n in range(9)
    }
    project = SearchableProject(tmp_path, others | {"registry.py": source})

    assert project.paths('Formatter "path" of formatter/path is not known here')[0] == "registry.py"


def test_the_message_of_a_trace_through_other_code_is_found(tmp_path: Path) -> None:
    source = 'def pick(kind):\n    raise ValueError(f"no formatter is known for {kind}")\n'
    others = {f"formatter_{n}.py": f"def formatter(value):\n    return {n}\n" for n in range(9)}
    project = SearchableProject(tmp_path, others | {"registry.py": source})
    trace = (
        'Traceback (most recent call last):\n  File "/usr/lib/python3/runpy.py", line 88, in run\n'
        "    exec(formatter, value)\nValueError: no formatter is known for value"
    )

    assert project.paths(trace)[0] == "registry.py"


def test_a_test_comes_first_if_it_alone_holds_what_is_asked_for(tmp_path: Path) -> None:
    sources = {f"app/handler_{n}.py": f"def handler_{n}():\n    handle()\n" for n in range(9)}
    tests = {"tests/test_road.py": "def test_road():\n    zebra.crossing.handler()\n"}
    project = SearchableProject(tmp_path, sources | tests)

    assert "tests/test_road.py" == project.search("zebra crossing handler").hits[0].path


def test_one_rare_word_of_many_does_not_decide(tmp_path: Path) -> None:
    body = 'def login():\n    """Check the password of a user at login."""\n'
    sources = {f"app/other_{n}.py": f"def other_{n}():\n    pass\n" for n in range(9)}
    odd = {"app/login.py": body, "tests/test_odd.py": "def test_odd():\n    zebra()\n"}
    project = SearchableProject(tmp_path, sources | odd)

    assert "app/login.py" == project.search("check password of user at login zebra").hits[0].path


def test_in_a_project_of_tests_a_test_is_no_exception(tmp_path: Path) -> None:
    tests = {f"tests/test_{n}.py": f"def test_login_{n}():\n    login()\n" for n in range(5)}
    project = SearchableProject(tmp_path, tests)

    assert "path" not in dict(project.search("login").hits[0].signals)


def test_a_query_of_signs_finds_nothing(project: SearchableProject) -> None:
    assert project.search("!!! ???").hits == ()


def test_an_empty_project_has_no_hits(tmp_path: Path) -> None:
    assert SearchableProject(tmp_path, {}).search("anything").hits == ()


def test_the_signals_say_what_moved_a_hit(project: SearchableProject) -> None:
    signals = dict(project.search("how is the session token refreshed").hits[0].signals)

    assert {"lexical", "dense", "file name"} <= signals.keys()


def test_a_project_that_knows_nothing_of_the_query_has_lower_scores(
    project: SearchableProject, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    other = SearchableProject(
        tmp_path / "other", {"paint.py": "def paint(wall):\n    return wall.colour\n"}
    )
    query = "how is the session token refreshed"

    assert other.search(query).hits[0].score < project.search(query).hits[0].score


def test_what_was_added_makes_the_score(project: SearchableProject) -> None:
    for hit in project.search("take a connection from the pool").hits:
        added = [value for stage, value in hit.signals if stage not in ("path", "content")]
        assert abs(sum(added) - hit.score) < 0.00001


def test_a_small_definition_inside_a_larger_chunk_is_found_by_its_kind(tmp_path: Path) -> None:
    source = "LIMIT = 3\n\n\nclass Basket:\n    items = []\n    owner = None\n    total = 0\n\n\ndef empty():\n    pass\n"
    project = SearchableProject(tmp_path, {"basket.py": source})

    for kind in ("class", "function"):
        filters = SearchFilters(symbol_kinds=(kind,))
        assert project.paths("basket", filters=filters) == ["basket.py"]
    assert project.paths("basket", filters=SearchFilters(symbol_kinds=("method",))) == []
