import pytest

from code_indexer.navigation.modules import (
    ModuleMatch,
    is_own_module,
    match_module,
    may_be_known,
    names_of_modules,
)

FILE, PACKAGE, NONE = ModuleMatch.FILE, ModuleMatch.PACKAGE, ModuleMatch.NONE


@pytest.mark.parametrize(
    ("module", "importer", "path", "expected"),
    [
        ("requests.sessions", "t.py", "src/requests/sessions.py", FILE),
        ("requests", "t.py", "src/requests/__init__.py", FILE),
        ("requests", "t.py", "src/requests/sessions.py", FILE),
        ("requests", "t.py", "src/requests/a/b.py", PACKAGE),
        ("os", "t.py", "src/requests/sessions.py", NONE),
        (".compat", "src/requests/models.py", "src/requests/compat.py", FILE),
        (".compat", "src/requests/models.py", "src/compat.py", NONE),
        ("..a.b", "x/y/z.py", "x/a/b.py", FILE),
        (".", "src/requests/models.py", "src/requests/sessions.py", PACKAGE),
        ("./store", "src/app.ts", "src/store.ts", FILE),
        ("./store.js", "src/app.ts", "src/store.ts", FILE),
        ("./store", "src/app.ts", "src/store/index.ts", FILE),
        ("./index", "src/app.ts", "src/store/index.ts", PACKAGE),
        ("./index", "src/app.ts", "src/index.ts", FILE),
        ("pkg.main", "t.py", "pkg/main.py", FILE),
        ("pkg.main", "t.py", "pkg/other.py", NONE),
        ("../lib/x", "src/app/a.ts", "src/lib/x.tsx", FILE),
        ("../lib/x", "src/app/a.ts", "lib/x.tsx", NONE),
        ("x.org/p/net", "main.go", "net/dial.go", FILE),
        ("x.org/p/net", "main.go", "p/net/dial.go", FILE),
        ("x.org/p/net", "main.go", "q/net/dial.go", NONE),
        ("x.org/p/src/net", "src/main.go", "src/net/dial.go", FILE),
        ("x.org/p/src", "main.go", "src/run.go", FILE),
        ("x.org/p/net", "main.go", "src/net/dial.go", NONE),
        ("x.org/p/src/lib", "main.go", "src/net/dial.go", NONE),
        ("com.acme.Box", "A.java", "src/com/acme/Box.java", FILE),
        ("com.acme", "A.java", "src/com/acme/Box.java", FILE),
        ("crate::net::client", "src/main.rs", "src/net/client.rs", FILE),
        ("crate::net", "src/main.rs", "src/net/mod.rs", FILE),
        ("net/client.h", "a.c", "include/net/client.h", FILE),
    ],
)
def test_a_module_fits_the_files_that_it_may_mean(module, importer, path, expected):
    assert match_module(module, importer, path) is expected


@pytest.mark.parametrize("module", ["self", "super", "crate", "super::super"])
def test_modules_that_mean_the_file_itself(module):
    assert is_own_module(module)


def test_a_module_may_be_known_when_the_project_has_a_file_or_folder_of_its_name():
    names = names_of_modules(["src/requests/sessions.py", "src/app/index.ts"])

    assert may_be_known("requests", names)
    assert may_be_known("a.sessions", names)
    assert may_be_known("../app", names)
    assert not may_be_known("os.path", names)
