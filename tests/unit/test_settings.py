"""Settings: sources, their order, words for sizes and times, and bad values."""

from pathlib import Path

import pytest

from code_indexer.errors import InvalidSettingError
from code_indexer.settings import RULES, load_settings, project_settings, setting_names


@pytest.fixture
def config_file(tmp_path):
    """Write config.toml and give the environment that finds it."""

    def write(text: str) -> dict[str, str]:
        (tmp_path / "config.toml").write_text(text)
        return {"INDEX_ROOT": str(tmp_path), "HOME": str(tmp_path)}

    return write


def test_flags_win_over_the_environment_and_that_over_the_file(config_file):
    environment = config_file("embed_batch = 1\nupsert_batch = 1\nworkers = 1\n")
    environment |= {"UPSERT_BATCH": "2", "WORKERS": "2"}

    settings = load_settings({"workers": 3}, environment=environment)

    assert (1, 2, 3) == (settings.embed_batch, settings.upsert_batch, settings.workers)
    assert "flag" == settings.sources["workers"]
    assert "UPSERT_BATCH in the environment" == settings.sources["upsert_batch"]
    assert settings.sources["embed_batch"].endswith("config.toml")
    assert "default" == settings.sources["stale_ttl"]


@pytest.mark.parametrize(
    ("text", "count"), [("500MB", 500 << 20), ("1 gib", 1 << 30), ("2k", 2048), ("17", 17)]
)
def test_sizes_are_understood_in_words(text, count):
    assert count == load_settings(environment={"MAX_FILE_BYTES": text}).max_file_bytes


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90s", 90), ("5m", 300), ("2 hours", 7200), ("250ms", 0.25), ("1d", 86400)],
)
def test_durations_are_understood_in_words(text, seconds):
    assert seconds == load_settings(environment={"STALE_TTL": text}).stale_ttl


@pytest.mark.parametrize(
    ("variable", "text"),
    [
        ("STALE_TTL", "soon"),
        ("STALE_TTL", "-1"),
        ("STALE_TTL", "9" * 400),
        ("EMBED_BATCH", "0"),
        ("EMBED_BATCH", "1.5"),
        ("MAX_FILE_BYTES", "2TB"),
        ("MAX_FILE_BYTES", "9" * 400),
        ("ALLOW_CLOUD_MODELS", "perhaps"),
    ],
)
def test_a_bad_value_is_named_with_its_source_and_what_it_may_be(variable, text):
    with pytest.raises(InvalidSettingError) as caught:
        load_settings(environment={variable: text})

    assert f"({variable} in the environment)" in caught.value.message
    assert RULES[variable.lower()].allowed in caught.value.hint


@pytest.mark.parametrize("value", ["nan", "inf", "true", '"x"', "[1]"])
def test_what_toml_can_say_and_a_setting_cannot_be_is_refused(config_file, value):
    with pytest.raises(InvalidSettingError, match=r"config\.toml"):
        load_settings(environment=config_file(f"embed_batch = {value}\n"))


@pytest.mark.parametrize("content", [b"a = [", b"a = " + b"[" * 50_000, b"\xff", b"#" * (2 << 20)])
def test_a_file_that_holds_no_settings_is_named_with_what_to_do(tmp_path, content):
    (tmp_path / ".code-indexer.toml").write_bytes(content)

    with pytest.raises(InvalidSettingError, match=r"\.code-indexer\.toml") as caught:
        project_settings(load_settings(environment={}), tmp_path)

    assert "Mend the file" in caught.value.hint


def test_a_secret_is_not_told_in_an_error(config_file):
    with pytest.raises(InvalidSettingError) as caught:
        load_settings(environment=config_file("qdrant_api_key = 12345\n"))

    assert "12345" not in caught.value.message


def test_a_projects_own_file_says_what_is_indexed_and_not_where_it_is_sent(tmp_path):
    (tmp_path / ".code-indexer.toml").write_text(
        'max_file_bytes = "2MB"\nexclude = ["*.gen.ts"]\nollama_url = "http://evil"\nworkers = 9\n'
    )

    settings = project_settings(load_settings(environment={}), tmp_path)

    assert (2 << 20, ("*.gen.ts",)) == (settings.max_file_bytes, settings.exclude)
    assert ("", 0) == (settings.ollama_url, settings.workers)
    assert str(tmp_path / ".code-indexer.toml") == settings.sources["exclude"]


def test_the_environment_wins_over_a_projects_own_file(tmp_path):
    (tmp_path / ".code-indexer.toml").write_text("max_file_bytes = 10\n")

    settings = project_settings(load_settings(environment={"MAX_FILE_BYTES": "20"}), tmp_path)

    assert 20 == settings.max_file_bytes


def test_a_projects_own_file_wins_over_the_file_in_the_index_root(config_file, tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    (project / ".code-indexer.toml").write_text("max_file_bytes = 10\n")

    settings = load_settings(environment=config_file("max_file_bytes = 20\n"))

    assert 10 == project_settings(settings, project).max_file_bytes


def test_a_variable_that_other_programs_use_sets_nothing():
    assert () == load_settings(environment={"EXCLUDE": "*.py", "INCLUDE": "*"}).exclude


def test_every_setting_is_a_field_and_every_field_has_a_rule():
    assert list(RULES) == setting_names()


def test_a_shown_default_can_be_written_as_it_is_shown():
    for rule in RULES.values():
        if rule.kind in ("bytes", "seconds", "count", "yes or no") and rule.shown(rule.default):
            again = load_settings(environment={rule.variable: rule.shown(rule.default)})
            assert rule.default == getattr(again, rule.name)


def test_a_missing_home_is_no_reason_to_fail():
    assert isinstance(load_settings(environment={}).index_root, Path)
