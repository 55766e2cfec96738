"""What the watch command says without watching."""

import plistlib

import pytest

from code_indexer.watch.service import systemd_unit


def test_all_and_paths_exclude_each_other(run_cli, project_dir):
    done = run_cli("watch", "--all", project_dir)

    assert done.code == 2
    assert "--all" in done.err


@pytest.mark.parametrize("text", ["soon", "-5", "0", "5 parsecs", "99999999999d"])
def test_a_duration_that_is_none_is_refused(text, run_cli):
    assert run_cli("watch", f"--duration={text}").code == 2


def test_without_a_project_around_it_asks_for_one(run_cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    done = run_cli("watch")

    assert done.code == 2
    assert "--all" in done.err


def test_stop_and_status_stand_alone(run_cli, project_dir):
    assert run_cli("watch", "--stop", "--status").code == 2
    assert run_cli("watch", project_dir, "--stop").code == 2


def test_the_systemd_unit_starts_the_watcher_of_this_index_root(run_cli, private_state):
    unit = run_cli("watch", "--print-service", "systemd").out

    lines = unit.splitlines()
    command = next(line for line in lines if line.startswith("ExecStart="))
    assert command.startswith("ExecStart=/")
    assert command.endswith("watch --all --foreground")
    assert f"Environment=INDEX_ROOT={private_state}" in lines


def test_the_launchd_plist_starts_the_watcher_of_this_index_root(run_cli, private_state):
    text = run_cli("watch", "--print-service", "launchd").out

    document = plistlib.loads(text.encode())
    assert document["ProgramArguments"][-3:] == ["watch", "--all", "--foreground"]
    assert document["EnvironmentVariables"] == {"INDEX_ROOT": str(private_state)}


@pytest.mark.parametrize("kind", ["systemd", "launchd"])
def test_a_service_file_holds_no_password(kind, run_cli, monkeypatch):
    monkeypatch.setenv("QDRANT_URL", "http://me:hunter2@store:6333")

    done = run_cli("watch", "--print-service", kind)

    assert "hunter2" not in done.out + done.err
    assert "QDRANT_URL holds a secret and is not written into this file" in done.err


def test_signs_with_a_meaning_in_unit_files_are_escaped():
    unit = systemd_unit(["/opt/100% mine/$x/code-indexer"], {"INDEX_ROOT": "/a b/$y%"})

    assert 'ExecStart="/opt/100%% mine/$$x/code-indexer"' in unit
    assert 'Environment="INDEX_ROOT=/a b/$y%%"' in unit


def test_importing_the_command_line_does_not_load_watchdog(run_process):
    import subprocess
    import sys

    code = "import sys, code_indexer.cli.app; print('watchdog' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "False\n"
