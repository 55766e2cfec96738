"""Passes that are set aside for another project's, and taken up again."""

import os

import pytest
from fakes_ollama import FakeOllama, Installed
from index_contents import index_contents

from code_indexer.core.passes import run_pass
from code_indexer.core.projects import add_project
from code_indexer.core.services import Services
from code_indexer.core.status import project_status
from code_indexer.indexing.progress import PassSetAsideError
from code_indexer.settings import load_settings
from code_indexer.storage.manifest import Manifest
from code_indexer.watch import run as running
from code_indexer.watch.signals import Stop


@pytest.fixture
def many_files(project_dir, write_files):
    write_files({f"m{n}.py": f"def step_{n}():\n    return {n}\n" for n in range(60)})
    return project_dir


def set_aside_when(phase, done):
    def listen(moment):
        if moment.phase == phase and moment.done >= done:
            raise PassSetAsideError

    return listen


def test_it_is_taken_up_where_it_stood_and_nothing_is_checked_for_damage(
    many_files, tmp_path, monkeypatch
):
    with Services(load_settings()) as services:
        project = services.register(str(many_files))
        with pytest.raises(PassSetAsideError):
            run_pass(services, project, progress=set_aside_when("indexing", 30))
        assert project_status(services, project).state == "interrupted"

        monkeypatch.setattr(Manifest, "integrity_check", lambda _: ["it was asked"])
        run_pass(services, project)

        assert project_status(services, project).state == "idle"
        present = index_contents(services.manifest_path(project))
    with Services(load_settings({"index_root": tmp_path / "fresh"})) as services:
        add_project(services, str(many_files))
        assert present == index_contents(services.manifest_path(services.projects()[0]))


def test_what_a_server_has_embedded_by_then_is_kept(many_files, monkeypatch):
    with FakeOllama(Installed("fake-embed:latest")) as ollama:
        monkeypatch.setenv("OLLAMA_URL", f"http://127.0.0.1:{ollama.port}")
        monkeypatch.setenv("EMBED_MODEL", "fake-embed")
        with Services(load_settings()) as services:
            project = services.register(str(many_files))
            with pytest.raises(PassSetAsideError):
                run_pass(services, project, progress=set_aside_when("embedding", 1))
            kept = project_status(services, project).embedded_chunks
            assert kept > 0

            report = run_pass(services, project)

            assert report.embedded == 60 - kept


def test_the_watcher_ends_a_pass_whose_turn_is_over_or_that_is_to_stop(many_files, monkeypatch):
    monkeypatch.setattr(running, "_ASK_SECONDS", -1.0)
    settings = load_settings()
    with Services(settings) as services:
        project = services.register(os.fspath(many_files))

    with pytest.raises(PassSetAsideError):
        running._run_pass(settings, project, lambda: True, Stop())
    with pytest.raises(PassSetAsideError):
        running._run_pass(settings, project, lambda: False, Stop(is_requested=True))
    assert running._run_pass(settings, project, lambda: False, Stop()).scanned == 60
