"""Tools called through the SDK's client: what an agent gets to read."""

import os
from pathlib import Path

import pytest

from code_indexer.mcp_server import answers, operations


def text_of(result):
    (content,) = result.content
    return content.text


@pytest.fixture
def words(ask_tool):
    """The text of an answer that is no error."""

    def ask(tool, **arguments):
        result = ask_tool(tool, **arguments)
        assert not result.is_error, text_of(result)
        return text_of(result)

    return ask


@pytest.fixture
def refusal(ask_tool):
    """The text of an answer that is an error."""

    def ask(tool, **arguments):
        result = ask_tool(tool, **arguments)
        assert result.is_error
        assert result.structured_content is None
        return text_of(result)

    return ask


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_search_of_a_folder_that_is_not_registered_registers_and_answers(ask_tool, shop, mode):
    result = ask_tool("semantic_search", mode, query="new token before expiry", project=shop)

    first = result.structured_content["results"][0]
    assert first["path"] == "src/session.py"
    assert first["symbol"].startswith("Session")
    assert result.structured_content["partial"] is False
    assert result.structured_content["percent"] == 100
    assert ask_tool("lookup_project", path=shop).structured_content["registered"] is True


def test_the_text_of_a_search_names_place_and_symbol_above_each_snippet(words, shop):
    text = words("semantic_search", query="open basket", project=shop, limit=1)

    assert text.splitlines() == [
        f"project: {shop}",
        "",
        "src/basket.py:4-5 function open_basket",
        "def open_basket():",
        "    return Session().refresh()",
    ] or text.splitlines()[2].startswith("src/basket.py:1-5")


def test_a_limit_and_lines_given_as_text_are_taken(ask_tool, shop):
    found = ask_tool("semantic_search", query="session", project=shop, limit="1")
    lines = ask_tool(
        "get_code_context", file="src/basket.py", project=shop, start_line="4", end_line="5"
    )

    assert len(found.structured_content["results"]) == 1
    assert lines.structured_content["text"].startswith("def open_basket")


def test_file_filters_are_globs_with_commas_between(ask_tool, shop):
    def paths(file_filter):
        found = ask_tool(
            "semantic_search", query="session shop", project=shop, file_filter=file_filter
        )
        return {hit["path"] for hit in found.structured_content["results"]}

    assert paths("*.md") == {"README.md"}
    assert paths("src/**, !**/basket.py") == {"src/session.py"}


def test_a_project_goes_by_path_name_and_slug(ask_tool, words, shop):
    words("add_project", path=shop, name="shop")
    slug = ask_tool("lookup_project", path="shop").structured_content["project"]["slug"]

    for project in (shop, f"{shop}/", "shop", slug):
        assert "src/session.py:1" in words("find_definition", name="Session", project=project)


def test_without_a_project_all_are_asked_and_paths_are_absolute(words, shop, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "more.py").write_text("class Session:\n    pass\n")
    words("semantic_search", query="x", project=shop)
    words("semantic_search", query="x", project=str(other))

    text = words("find_definition", name="Session")

    assert f"{shop}/src/session.py:1: class Session" in text
    assert f"{other}/more.py:1: class Session" in text


def test_references_say_what_is_meant_how_sure_and_from_where(words, shop):
    text = words("find_references", name="renew", project=shop)

    assert "1 uses (calls 1) of function renew, defined in src/session.py:7" in text
    assert "src/session.py:4: calls exact in Session.refresh" in text


def test_uses_of_a_name_from_outside_say_that_it_is_not_defined(words, shop, write_files):
    write_files({"src/parcel.py": "import zlib\n\nzlib.compress(b'')\n"})
    text = words("find_references", name="compress", project=shop)

    assert "1 uses (calls 1)" in text
    assert "src/parcel.py:3: calls likely" in text
    assert "it is not defined in the project; these places name it" in text


def test_a_name_that_is_unknown_gets_suggestions(words, shop):
    assert "did you mean Session" in words("find_definition", name="Sesion", project=shop)


def test_a_partial_name_is_said_to_be_one(words, shop):
    text = words("find_symbol", name="bask", project=shop)

    assert "nothing is called exactly 'bask'" in text
    assert "src/basket.py:4: function open_basket — def open_basket()" in text


def test_a_symbol_is_read_without_knowing_its_lines(words, shop):
    words("semantic_search", query="x", project=shop)
    text = words("get_code_context", file=f"{shop}/src/session.py", symbol="Session.refresh")

    assert text.startswith(f"{shop}/src/session.py:2-4 of 8 lines method Session.refresh\n")
    assert text.endswith("        return renew(self)")


def test_code_like_the_code_at_a_place_is_found(words, shop):
    Path(shop, "src/copy.py").write_text("def open_cart():\n    return Session().refresh()\n")
    words("semantic_search", query="x", project=shop)

    text = words("find_similar", place="src/basket.py:5", limit=1)

    assert "src/copy.py:1-2 function open_cart" in text


def test_an_edit_is_found_by_the_next_call(words, shop):
    words("semantic_search", query="session", project=shop)
    Path(shop, "src/new.py").write_text("def zebra_crossing():\n    return 1\n")

    assert "src/new.py:1-2" in words("semantic_search", query="zebra crossing", project=shop)


def test_the_status_counts_names_languages_and_what_was_left_out(ask_tool, words, shop):
    words("semantic_search", query="x", project=shop)
    result = ask_tool("index_status", path=shop)

    status = result.structured_content["project"]
    assert status["state"] == "idle"
    assert status["languages"]["python"] == 2
    assert status["skipped"]["credentials"] == 1
    assert "languages: python 2" in text_of(result)


def test_removing_forgets_the_index_and_leaves_the_files(words, shop):
    words("semantic_search", query="x", project=shop)

    assert "its files are untouched" in words("remove_project", path=shop)
    assert "not registered" in words("lookup_project", path=shop)
    assert Path(shop, "src/session.py").exists()


def test_reindexing_builds_the_index_anew_in_another_process(ask_tool, words, shop):
    words("semantic_search", query="x", project=shop)

    result = ask_tool("reindex_project", path=shop)

    assert result.structured_content["in_background"] is False
    assert "the index was built anew" in text_of(result)
    assert "src/session.py:1" in words("find_definition", name="Session", project=shop)


# -- errors ---------------------------------------------------------------------------------------


def test_errors_name_tools_and_not_commands(refusal, shop):
    assert "add_project" in refusal("reindex_project", path=shop)
    assert "code-indexer" not in refusal("reindex_project", path=shop)
    assert "project" in refusal("semantic_search", query="x")


def test_an_empty_query_is_refused(refusal, shop):
    assert "the query is empty" in refusal("semantic_search", query="  ", project=shop)


def test_a_project_that_is_misspelled_gets_suggestions(words, refusal, shop):
    words("add_project", path=shop, name="shop")

    assert "hint: Did you mean shop?" in refusal("semantic_search", query="x", project="shpo")
    assert "hint: Did you mean shop?" in refusal("index_status", path="shpo")
    assert "hint: Did you mean shop?" in refusal("find_definition", name="x", project="SHOP")


@pytest.mark.parametrize("name", ["no_such_tool", "n" * 50_000])
def test_an_unknown_tool_is_a_protocol_error_that_lists_the_known_ones(ask_tool, name):
    with pytest.raises(ExceptionGroup) as caught:
        ask_tool(name)

    (error,) = caught.value.exceptions
    while isinstance(error, ExceptionGroup):
        (error,) = error.exceptions
    assert "there are: semantic_search, find_definition" in str(error)
    assert len(str(error)) < 2_000


def test_what_nobody_foresaw_is_an_error_and_not_a_broken_server(refusal, monkeypatch, caplog):
    def fails(services, given, progress):
        raise RuntimeError("boom")

    monkeypatch.setitem(operations.OPERATIONS, "list_projects", fails)

    text = refusal("list_projects")

    assert "list_projects failed unexpectedly: RuntimeError: boom" in text
    assert "hint:" in text
    assert "boom" in caplog.text


def test_a_broken_setting_is_an_error_with_its_remedy(refusal, monkeypatch):
    monkeypatch.setenv("STALE_TTL", "soon")

    assert "STALE_TTL is 'soon'" in refusal("list_projects")


def test_a_damaged_index_says_how_to_mend_it(words, refusal, shop, private_state):
    words("semantic_search", query="x", project=shop)
    (manifest,) = private_state.glob("*/manifest.db")
    manifest.write_bytes(b"nonsense" * 5000)
    for side in ("-wal", "-shm"):
        Path(f"{manifest}{side}").unlink(missing_ok=True)

    assert "reindex_project" in refusal("semantic_search", query="x", project=shop)
    assert "built anew" in words("reindex_project", path=shop)
    assert "src/session.py" in words("semantic_search", query="session", project=shop)


# -- MCP-06: the working directory means nothing ---------------------------------------------------


@pytest.mark.parametrize("path", ["/", "~", "", ".", "..", "src", "./src", "no/such", "\0"])
def test_mcp_06_unsuitable_and_relative_folders_are_refused(refusal, shop, monkeypatch, path):
    monkeypatch.chdir(shop)

    assert "hint: " in refusal("add_project", path=path)
    if path:
        assert "hint: " in refusal("semantic_search", query="x", project=path)


def test_mcp_06_the_home_folder_is_refused(refusal):
    assert "too much for one project" in refusal("add_project", path=os.environ["HOME"])
    assert "too much for one project" in refusal(
        "semantic_search", query="x", project=os.environ["HOME"]
    )


@pytest.mark.parametrize(("path", "why"), [("/", "too much"), ("/no/such/folder", "no such")])
def test_a_folder_that_cannot_be_registered_is_not_said_to_be(words, path, why):
    said = words("lookup_project", path=path)

    assert why in said
    assert "add_project" not in said


def test_mcp_06_a_relative_file_is_one_of_a_project_and_never_of_the_working_directory(
    words, refusal, shop, tmp_path, monkeypatch
):
    here = tmp_path / "here"
    here.mkdir()
    (here / "notes.py").write_text("secret = 1\n")
    monkeypatch.chdir(here)
    words("semantic_search", query="x", project=shop)

    assert "no such file: notes.py" in refusal("get_code_context", file="notes.py")
    assert "def open_basket" in words("get_code_context", file="src/basket.py")
    assert [each.name for each in here.iterdir()] == ["notes.py"]


@pytest.mark.parametrize("with_project", [True, False])
def test_a_place_is_taken_as_answers_print_it(ask_tool, words, shop, with_project):
    words("semantic_search", query="x", project=shop)
    more = {"project": shop} if with_project else {}

    (hit, *_) = words("semantic_search", query="open basket", limit=1, **more).splitlines()[2:]
    place = hit.split(" ")[0]
    shown = ask_tool("get_code_context", file=place, **more).structured_content

    assert place.endswith(f":{shown['start_line']}-{shown['end_line']}"), place
    assert words("find_similar", place=place, **more)
    assert "open_basket" in words("find_definition", name="src/basket.py:4-5", **more)


def test_a_file_is_shown_from_the_lines_that_are_asked_for_beside_it(ask_tool, words, shop):
    words("semantic_search", query="x", project=shop)

    def shown(**arguments):
        found = ask_tool("get_code_context", project=shop, **arguments).structured_content
        return found["start_line"], found["end_line"]

    assert (1, 2) == shown(file="src/basket.py:4", start_line=1, end_line=2)
    assert (3, 5) == shown(file="src/basket.py:4", context_lines=1)


def test_a_file_that_is_misspelled_gets_suggestions(words, refusal, shop):
    words("semantic_search", query="x", project=shop)

    said = refusal("get_code_context", file="src/baskt.py:3", project=shop)

    assert "no such file: src/baskt.py" in said
    assert "Did you mean src/basket.py?" in said


# -- MCP-08: no way out of the project -------------------------------------------------------------


@pytest.fixture
def twins(tmp_path, words):
    for name in ("app", "app2"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "m.py").write_text(f"def in_{name}():\n    return 1\n")
    (tmp_path / "outside.py").write_text("TOP = 1\n")
    app = tmp_path / "app"
    (app / ".git").mkdir()
    (app / ".git" / "config").write_text("[remote]\nurl = https://token@example.org\n")
    (app / ".gitignore").write_text("generated/\n")
    (app / "generated").mkdir()
    (app / "generated" / "g.py").write_text("G = 1\n")
    (app / ".env").write_text("PASSWORD=1\n")
    (app / "link.py").symlink_to("../outside.py")
    (app / "folder").symlink_to(tmp_path)
    words("semantic_search", query="x", project=str(app))
    return tmp_path


@pytest.mark.parametrize("with_project", [True, False])
@pytest.mark.parametrize(
    "file",
    [
        "../outside.py",
        "{top}/outside.py",
        "../app2/m.py",
        "{top}/app2/m.py",
        "{top}/app/../outside.py",
        "{top}/app/folder/outside.py",
        "folder/outside.py",
        "link.py",
        "/etc/passwd",
        "m.py\0x",
        "",
        ".",
        ".git/config",
        ".env",
        "generated/g.py",
        "{top}/app/generated/g.py",
        "missing.py",
    ],
)
def test_mcp_08_only_files_of_the_project_are_shown(refusal, twins, file, with_project):
    more = {"project": str(twins / "app")} if with_project else {}

    text = refusal("get_code_context", file=file.format(top=twins), **more)

    assert text.startswith("error: ")
    assert "hint: " in text
    assert "Traceback" not in text


@pytest.mark.parametrize(
    ("start", "end"), [(0, None), (-5, None), (10**9, None), (2, 1), (None, 0), ("x", None)]
)
def test_mcp_08_lines_that_do_not_exist_are_refused(refusal, twins, start, end):
    given = {"start_line": start, "end_line": end}
    given = {name: value for name, value in given.items() if value is not None}

    assert "hint: " in refusal("get_code_context", file="m.py", project=str(twins / "app"), **given)


def test_mcp_08_an_end_beyond_the_file_is_said_to_be_clamped(ask_tool, twins):
    result = ask_tool(
        "get_code_context", file="m.py", project=str(twins / "app"), start_line=2, end_line=10**9
    )

    assert result.structured_content["end_line"] == 2
    assert result.structured_content["warnings"] == [
        "end_line 1000000000 is beyond the end; the file has 2 lines"
    ]


# -- sizes ----------------------------------------------------------------------------------------


def test_a_long_file_is_cut_at_a_line_and_says_how_to_go_on(ask_tool, words, shop):
    Path(shop, "long.py").write_text("".join(f"value_{n} = {n}\n" for n in range(1900)) * 3)
    result = ask_tool("get_code_context", file=f"{shop}/long.py")
    assert result.is_error  # not registered yet
    words("semantic_search", query="x", project=shop)

    result = ask_tool("get_code_context", file=f"{shop}/long.py")

    end = result.structured_content["end_line"]
    assert result.structured_content["cut"] == [
        f"the lines after {end}; ask again with start_line {end + 1}"
    ]
    assert len(text_of(result)) < 34_000


def test_a_file_of_characters_that_are_spelled_out_is_cut_after_that(ask_tool, words, shop):
    Path(shop, "bells.py").write_text(("x = '" + "\x07" * 300 + "'\n") * 90)
    words("semantic_search", query="x", project=shop)

    result = ask_tool("get_code_context", file=f"{shop}/bells.py")

    end = result.structured_content["end_line"]
    assert end < 90
    assert f"the lines after {end}" in result.structured_content["cut"][0]
    assert len(text_of(result)) < 34_000


def test_a_search_with_a_huge_limit_stays_readable(ask_tool, words, shop):
    for n in range(120):
        body = "".join(f"    basket_{n}_{k} = 'session token'\n" for k in range(25))
        Path(shop, f"src/part_{n}.py").write_text(f"def basket_{n}():\n{body}")

    result = ask_tool("semantic_search", query="basket session token", project=shop, limit=1000)

    found = result.structured_content
    assert len(found["results"]) == answers.MAX_HITS
    assert "limit 1000 is more than the 100" in found["warnings"][0]
    assert any("the snippets of the last" in what for what in found["cut"])
    assert len(text_of(result)) < 30_000


def test_odd_characters_arrive_as_text(words, ask_tool, shop):
    name = os.fsdecode("sn\xf6w\u202e.py".encode())
    Path(shop, name).write_text("def snowball():\n    return '\x1b[31m \U0001f600'\n")

    text = words("semantic_search", query="snowball", project=shop)

    assert "snöw\\u202e.py:1-2" in text
    assert "\\x1b[31m \U0001f600" in text
