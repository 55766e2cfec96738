"""Which folders can be projects, and which hold too much."""

from pathlib import Path

import pytest

from code_indexer.core.roots import checked_root
from code_indexer.errors import UnsuitableRootError
from code_indexer.settings import load_settings


@pytest.fixture
def settings(tmp_path, monkeypatch):
    home = tmp_path / "people" / "me"
    home.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    return load_settings({"index_root": str(tmp_path / "elsewhere" / "index")})


@pytest.mark.parametrize("folder", ["/", "/proc", "/proc/self", "/sys", "/dev", "/usr", "/tmp"])
def test_a_folder_of_the_system_is_refused(folder, settings):
    if not Path(folder).is_dir():
        pytest.skip(f"{folder} is not on this system")

    with pytest.raises(UnsuitableRootError, match="too much for one project"):
        checked_root(folder, settings)


def test_the_home_folder_and_what_lies_above_it_are_refused(settings):
    for folder in (settings.home, settings.home.parent):
        with pytest.raises(UnsuitableRootError, match="too much for one project"):
            checked_root(str(folder), settings)


def test_a_folder_below_one_of_the_system_can_be_a_project(settings, tmp_path):
    (tmp_path / "shop").mkdir()

    assert checked_root(str(tmp_path / "shop"), settings) == str(tmp_path / "shop")
