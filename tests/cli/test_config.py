"""``config``, and what settings of a project do."""

import pytest


def _paths(status):
    return sorted(status.json()["projects"][0]["languages"])


def test_each_setting_is_shown_with_its_value_source_and_range(run_cli, monkeypatch):
    monkeypatch.setenv("STALE_TTL", "2m")

    done = run_cli("config")

    line = next(line for line in done.out.splitlines() if line.startswith("stale_ttl"))
    assert ["stale_ttl", "2m", "STALE_TTL", "in", "the", "environment"] == line.split()[:6]
    assert "from 0s to 365d" in line


def test_json_names_every_setting(run_cli):
    from code_indexer.settings import RULES

    found = run_cli("config", "--json").json()

    assert list(RULES) == list(found["settings"])
    keys = {"variable", "value", "source", "default", "allowed", "from_project"}
    assert all(keys == set(one) for one in found["settings"].values())


def test_secrets_and_passwords_are_hidden(run_cli, monkeypatch):
    monkeypatch.setenv("QDRANT_API_KEY", "hush")
    monkeypatch.setenv("OLLAMA_URL", "me:sesame@gpu-box")

    for arguments in ((), ("--json",)):
        done = run_cli("config", *arguments)
        assert "hush" not in done.out + done.err
        assert "sesame" not in done.out + done.err


def test_what_a_file_says_in_vain_is_remarked(run_cli, project_dir, private_state):
    private_state.mkdir()
    (private_state / "config.toml").write_text("stale_tll = 5\n")
    (project_dir / ".code-indexer.toml").write_text('qdrant_url = "http://evil"\n')

    done = run_cli("config", "--project", project_dir)

    assert "stale_tll" in done.err
    assert "qdrant_url" in done.err
    assert "evil" not in done.out


def test_a_bad_value_in_a_projects_file_is_a_wrong_request_that_names_the_file(
    run_cli, project_dir
):
    (project_dir / ".code-indexer.toml").write_text('max_file_bytes = "huge"\n')
    (project_dir / "a.py").write_text("x = 1\n")

    for command in (("config", "--project"), ("add-project",)):
        done = run_cli(*command, project_dir)
        assert done.code == 2
        assert str(project_dir / ".code-indexer.toml") in done.err
        assert "a size such as 500MB" in done.err


def test_a_project_that_was_indexed_answers_with_a_bad_file_too(run_cli, project_dir):
    (project_dir / "a.py").write_text("def needle(): pass\n")
    run_cli("add-project", project_dir)
    (project_dir / ".code-indexer.toml").write_text("max_file_bytes = [\n")

    done = run_cli("semantic-search", "needle", "--project", project_dir, "--json")

    assert done.code == 0
    assert "a.py" in [hit["path"] for hit in done.json()["results"]]
    assert any(".code-indexer.toml" in warning for warning in done.json()["warnings"])


def test_exclude_and_include_work_like_lines_of_a_codeindexignore(
    run_cli, project_dir, write_files
):
    write_files(
        {
            ".gitignore": "*.rs\n",
            ".code-indexer.toml": 'exclude = ["/gen/", "*.js"]\ninclude = ["kept.rs"]\n',
            "gen/a.go": "package gen\n",
            "b.js": "x\n",
            "kept.rs": "fn kept() {}\n",
            "other.rs": "fn other() {}\n",
            "c.py": "x = 1\n",
        }
    )
    run_cli("add-project", project_dir)

    status = run_cli("index-status", project_dir, "--json").json()["projects"][0]

    assert {"python": 1, "rust": 1} == {
        name: count
        for name, count in status["languages"].items()
        if name in ("python", "rust", "go", "javascript")
    }
    details = {one["path"]: one["detail"] for one in status["skipped_files"]}
    assert "exclude and include in the settings:2: *.js" == details["b.js"]


def test_a_change_of_what_is_indexed_holds_from_the_next_query_on(
    run_cli, project_dir, write_files, monkeypatch
):
    monkeypatch.setenv("STALE_TTL", "60")
    write_files({"a.py": "x = 1\n", "big.py": "y = 2\n" * 100, ".code-indexer.toml": ""})
    run_cli("add-project", project_dir)
    write_files({".code-indexer.toml": "max_file_bytes = 100\n"})

    status = run_cli("index-status", project_dir, "--json").json()["projects"][0]

    assert 1 == status["languages"]["python"]
    assert 1 == status["skipped"]["too-large"]


@pytest.mark.parametrize("short", ["add", "search", "status", "list", "reindex", "remove"])
def test_daily_commands_have_short_names(run_cli, short):
    done = run_cli(short, "--help")

    assert done.code == 0
    assert f"code-indexer {short}" in done.out


def test_a_mistyped_command_gets_a_suggestion(run_cli):
    done = run_cli("serch", "x")

    assert done.code == 2
    assert "'search'" in done.err


@pytest.mark.parametrize("mistyped", ["prject", "shpo"])
def test_a_mistyped_project_gets_a_suggestion(run_cli, project_dir, mistyped):
    name = ("--name", "shop") if mistyped == "shpo" else ()
    (project_dir / "a.py").write_text("x = 1\n")
    run_cli("add-project", project_dir, *name)

    done = run_cli("status", mistyped)

    assert done.code == 2
    assert f"Did you mean {'shop' if name else project_dir}?" in done.err


def test_a_bad_file_of_one_project_keeps_no_other_from_answering(run_cli, project_dir, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "b.py").write_text("def needle(): pass\n")
    run_cli("add-project", other)
    (project_dir / "a.py").write_text("x = 1\n")
    (project_dir / ".code-indexer.toml").write_text("exclude = 5\n")
    assert run_cli("add-project", project_dir).code == 2

    done = run_cli("search", "needle", "--all", "--json")

    assert done.code == 0
    assert "b.py" in [hit["path"] for hit in done.json()["results"]]
    assert any("exclude is 5" in warning for warning in done.json()["warnings"])


def test_a_project_that_is_neither_registered_nor_a_folder_is_no_project(run_cli, project_dir):
    unknown = run_cli("config", "--project", "nosuch")
    gone = run_cli("config", "--project", project_dir / "nosuch")

    assert (unknown.code, unknown.out) == (gone.code, gone.out) == (2, "")
    assert "no project goes by 'nosuch'" in unknown.err
    assert "There is no such folder either" in gone.err
    assert run_cli("config", "--project", project_dir).code == 0
