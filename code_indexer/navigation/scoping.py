"""How names reach across the files of a project, by language."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Scoping:
    """What a name without an import, and a name behind a receiver, may mean."""

    family: str = ""
    """Languages of one family see each other's names."""
    package: Literal["file", "folder", "project"] = "project"
    """How far a name is seen without an import."""
    folders_are_closed: bool = False
    """Nothing outside of its folder sees a name."""
    imports_are_open: bool = False
    """An import brings in every name of its module; elsewhere one of ``*`` does."""
    loose: bool = True
    """A name that is neither defined nor imported may still be one of the project's."""
    loose_modules: bool = False
    """A module that fits no file may still be one of the project's."""
    implicit_self: bool = False
    """Members of the class around a place, and inherited ones, need no receiver."""
    owners_are_closed: bool = False
    """What a class or a namespace holds is named through it from outside."""
    members_are_bare: bool = False
    """Members are functions like any other: no receiver stands before them."""
    extensions_are_imported: bool = False
    """A method that a file adds to a type from outside is imported by its name."""
    types_are_extended: bool = False
    """A file may add methods to a type from outside."""
    methods_are_called: bool = False
    """A method that is not called is not named, and a field is never called."""
    paths_are_packages: bool = False
    r"""The namespace of a file stands before its functions: ``\App\Net\fetch()``."""
    methods_are_values: bool = False
    """Behind its type a method need not be called: ``map(Client::ping)``."""
    types_are_capitals: bool = False
    """A receiver in capital letters is a type."""
    types_are_stated: bool = False
    """A receiver of a type that owns no such member means none of the project's."""
    types_are_structural: bool = False
    """A type of the project may be another one without saying so."""
    modules_are_names: bool = False
    """An imported module is used by its name."""
    roots_are_packages: bool = False
    """The root of a project may be a package, which others import by where it is published."""
    modules_are_owners: bool = False
    """A module owns what it holds, and an import names it as its definition does."""
    modules_are_imported: bool = False
    """What an import names may be a module in the one that it names."""
    modules_hold_members: bool = False
    """A module may be a table or class, whose members stand behind the module's name."""
    members_are_of_modules: bool = False
    """What stands behind a module's name is a member of what that module holds."""
    values_as_types: bool = False
    """A variable may stand where a type is expected."""
    has_variants: bool = False
    """A preprocessor picks one of several definitions of a name."""
    macros_are_text: bool = False
    """A macro is replaced wherever its name stands, behind a receiver too."""
    private_is_file: bool = False
    """What is private is seen in its file alone."""

    def same_family(self, language: str | None) -> bool:
        """Whether code of this language can name definitions of the other one."""
        other = SCOPING.get(language or "")
        return other is None or other.family == self.family


_DEFAULT = Scoping()
_PYTHON = Scoping(
    "python",
    "file",
    types_are_stated=True,
    loose=False,
    owners_are_closed=True,
    types_are_capitals=True,
    modules_are_names=True,
    modules_are_imported=True,
    values_as_types=True,
)
_ECMASCRIPT = Scoping(
    "ecmascript",
    "file",
    types_are_stated=True,
    types_are_structural=True,
    loose=False,
    owners_are_closed=True,
    loose_modules=True,
    modules_are_names=True,
    modules_hold_members=True,
)
SCOPING: Mapping[str, Scoping] = {
    "python": _PYTHON,
    "javascript": _ECMASCRIPT,
    "typescript": _ECMASCRIPT,
    "tsx": _ECMASCRIPT,
    "go": Scoping(
        "go",
        "folder",
        types_are_stated=True,
        loose=False,
        modules_are_names=True,
        roots_are_packages=True,
    ),
    "java": Scoping(
        "jvm",
        "folder",
        types_are_stated=True,
        implicit_self=True,
        methods_are_called=True,
        types_are_capitals=True,
    ),
    "rust": Scoping(
        "rust",
        "file",
        types_are_stated=True,
        loose=False,
        loose_modules=True,
        modules_are_imported=True,
        methods_are_called=True,
        methods_are_values=True,
    ),
    "c": Scoping(
        "c",
        "project",
        types_are_stated=True,
        imports_are_open=True,
        private_is_file=True,
        macros_are_text=True,
        has_variants=True,
    ),
    "cpp": Scoping(
        "c",
        "project",
        types_are_stated=True,
        imports_are_open=True,
        private_is_file=True,
        macros_are_text=True,
        implicit_self=True,
    ),
    "csharp": Scoping(
        "csharp",
        "project",
        types_are_stated=True,
        imports_are_open=True,
        implicit_self=True,
        types_are_capitals=True,
    ),
    "php": Scoping(
        "php",
        "project",
        imports_are_open=True,
        types_are_capitals=True,
        paths_are_packages=True,
    ),
    "ruby": Scoping(
        "ruby", "project", imports_are_open=True, implicit_self=True, types_are_capitals=True
    ),
    "kotlin": Scoping(
        "jvm",
        "folder",
        types_are_stated=True,
        implicit_self=True,
        extensions_are_imported=True,
        types_are_extended=True,
        types_are_capitals=True,
    ),
    "scala": Scoping(
        "jvm", "folder", types_are_stated=True, implicit_self=True, types_are_capitals=True
    ),
    "swift": Scoping(
        "swift",
        "project",
        types_are_extended=True,
        types_are_stated=True,
        imports_are_open=True,
        implicit_self=True,
        types_are_capitals=True,
    ),
    "elixir": Scoping(
        "elixir",
        "file",
        imports_are_open=True,
        loose_modules=True,
        private_is_file=True,
        modules_are_owners=True,
    ),
    "lua": Scoping(
        "lua",
        "file",
        loose_modules=True,
        modules_are_names=True,
        modules_hold_members=True,
        members_are_of_modules=True,
    ),
    "bash": Scoping("bash", "project", imports_are_open=True),
    "haskell": Scoping(
        "haskell",
        "file",
        imports_are_open=True,
        loose=False,
        loose_modules=True,
        members_are_bare=True,
    ),
    "zig": Scoping("zig", "file", loose=False, loose_modules=True),
    "sql": Scoping("sql", "project"),
    "hcl": Scoping("hcl", "folder", folders_are_closed=True),
    "proto": Scoping("proto", "project", imports_are_open=True),
    "graphql": Scoping("graphql", "project"),
    "vue": _ECMASCRIPT,
    "svelte": _ECMASCRIPT,
    "html": _ECMASCRIPT,
    "notebook": _PYTHON,
    "markdown": Scoping("documentation", "project"),
    "restructuredtext": Scoping("documentation", "project"),
    "asciidoc": Scoping("documentation", "project"),
}


def scoping_of(language: str | None) -> Scoping:
    """How names reach in *language*; what holds of most where it has no entry."""
    return SCOPING.get(language or "", _DEFAULT)
