import pytest

from code_indexer.watch.temporaries import is_editor_temporary

TEMPORARY = [
    "a.py~",
    ".a.py.swp",
    ".a.py.swx",
    "4913",
    ".#main.c",
    "#main.c#",
    "main.py___jb_tmp___",
    "main.py___jb_old___",
    ".a.py.tmp",
    "settings.json.tmp.4242.1718000000000",
    ".goutputstream-7GFX1Z",
    "sedAbC123",
    "tmpab12cd_3",
    ".main.py.kate-swp",
    "report.odt.part",
    ".~lock.notes.odt#",
    ".nfs000000000123",
]
REAL = [
    "a.py",
    "main.c",
    ".gitignore",
    ".eslintrc.json",
    "tmp.py",
    "template.html",
    "README",
    "sediment.py",
    "4913.py",
    "c#.md",
    "swap.swift",
    "Makefile",
    "tmp",
    "temp.c",
]


@pytest.mark.parametrize("name", TEMPORARY)
def test_what_is_there_for_a_save_only_is_temporary(name):
    assert is_editor_temporary(name)


@pytest.mark.parametrize("name", REAL)
def test_source_files_are_not_temporary(name):
    assert not is_editor_temporary(name)
