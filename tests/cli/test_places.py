"""A place is understood in every form in which an editor or an answer writes it."""

import pytest


@pytest.mark.parametrize(
    "form", ["cart.py:2", "./cart.py:2", "src/cart.py:2", "{root}/src/cart.py:2"]
)
def test_a_place_may_be_absolute_or_relative_to_the_folder_or_the_root(
    project_dir, write_files, run_cli, monkeypatch, form
):
    write_files({"src/cart.py": "class Cart:\n    def total(self): ...\n"})
    assert run_cli("add-project", project_dir).code == 0
    monkeypatch.chdir(project_dir / "src")
    place = form.format(root=project_dir)

    assert "method Cart.total" in run_cli("find-symbol", place).out
    assert "method Cart.total" in run_cli("find-definition", place).out
    assert (
        run_cli("find-references", place, "--json").json()["meanings"][0]["symbol"] == "Cart.total"
    )


def test_a_place_outside_of_the_project_finds_nothing(project_dir, write_files, run_cli, tmp_path):
    write_files({"cart.py": "class Cart: ...\n"})
    (tmp_path / "other.py").write_text("class Other: ...\n")

    outcome = run_cli("find-symbol", f"{tmp_path}/other.py:1", "--project", project_dir)

    assert (outcome.code, outcome.out) == (0, "")


@pytest.mark.parametrize(
    "question",
    [("semantic-search", "total"), ("find-definition", "total"), ("find-references", "total")],
)
def test_a_folder_that_is_not_indexed_is_told_that_others_answer(
    run_cli, project_dir, write_files, tmp_path, monkeypatch, question
):
    write_files({"a.py": "def total():\n    return 1\n"})
    run_cli("add-project", project_dir)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    def remarks(folder, *options):
        monkeypatch.chdir(folder)
        return run_cli(*question, *options).err

    assert "this folder is not indexed" in remarks(elsewhere)
    assert "this folder is not indexed" not in remarks(elsewhere, "--all")
    assert "this folder is not indexed" not in remarks(elsewhere, "--project", project_dir)
    assert "this folder is not indexed" not in remarks(project_dir)


def test_uses_of_a_name_from_outside_are_shown_with_a_remark(project_dir, write_files, run_cli):
    write_files({"parcel.py": "import zlib\n\nzlib.compress(b'')\n"})
    outcome = run_cli("find-references", "compress", "--project", project_dir)

    assert "parcel.py:3: calls likely" in outcome.out
    assert "compress is not defined in the project; these places name it" in outcome.err


def test_a_name_of_many_definitions_has_a_heading_that_can_be_read_whole(
    project_dir, write_files, run_cli
):
    write_files(
        {f"part_{n}.py": "class Store:\n    def save(self): ...\n" for n in range(9)}
        | {"use.py": "def run(store):\n    store.save()\n"}
    )
    run_cli("add-project", project_dir)

    text = run_cli("find-references", "save", "--project", project_dir).out
    found = run_cli("find-references", "save", "--project", project_dir, "--json").json()

    heading = next(line for line in text.splitlines() if line.startswith("# method"))
    assert heading.count("Store.save") == 3
    assert heading.endswith(" or 6 more")
    assert len(found["results"][0]["means"]) == 9


@pytest.mark.parametrize("command", ["find-definition", "find-references", "find-symbol"])
def test_a_name_that_nothing_is_like_is_handed_on_to_the_search_by_words(
    project_dir, write_files, run_cli, command
):
    write_files({"cart.py": "class Cart: ...\n"})
    run_cli("add-project", project_dir)

    done = run_cli(command, "zyxwvut quux", "--project", project_dir)

    assert (done.code, done.out) == (0, "")
    assert "nothing found; search by words as well: code-indexer search 'zyxwvut quux'" in done.err
