"""What a path says about its file: a test, an example, generated, the face of a folder."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from code_indexer.ranking.terms import word_terms

_DIRECTORIES = 2
# Well-tested projects are four fifths tests and still searched for the rest.
_USUAL = 0.9
_COPIES = 2
_TEST_TOOL_TEXT = """
ava bats catch2 cucumber cypress doctest googletest gtest hypothesis jasmine jest junit karma kotest
minitest mocha nunit pest phpunit playwright pytest quickcheck rspec selenium spock testify testng
tox vitest xunit
"""
_TEST_TOOLS = frozenset(_TEST_TOOL_TEXT.split())

# Class of path, and what its files' scores are multiplied by. Folder names are compared whole.
_FOLDERS = {
    "test": "test tests spec specs __tests__ testing testdata e2e mock mocks fixture fixtures",
    "example": "example examples sample samples demo demos docs_src benchmark benchmarks benches"
    " tutorial tutorials playground website",
    "docs": "docs doc documentation",
    "legacy": "compat legacy deprecated deprecations obsolete old",
    "vendored": "vendor vendored third_party thirdparty 3rdparty external node_modules",
    "generated": "generated __generated__ gen autogen",
}
_CLASS_OF_FOLDER = {
    folder: name for name, folders in _FOLDERS.items() for folder in folders.split()
}
_SOURCE_FOLDERS = frozenset({"src", "source", "sources", "lib", "app"})
_TEST_FILE = re.compile(
    r"^(?:test_.*|.*_test\.[^.]+|.*_spec\.[^.]+|.*\.(?:test|spec)\.[^.]+"
    r"|.*(?:Tests?|Spec|TestCase)\.(?:java|kt|cs|swift|php|scala)|conftest\.py|tests?\.[^.]+)$"
)
_GENERATED_FILE = re.compile(
    r"(?:_pb2(?:_grpc)?\.pyi?|\.pb\.(?:go|cc|h)|\.g\.(?:dart|cs)|\.generated\.[^.]+|\.min\.(?:js|css))$"
)
_VERSION = re.compile(r"v\d{1,4}")
_DECLARATION_FILE = re.compile(r"\.(?:d\.[cm]?ts|pyi)$")
_HEADERS = frozenset({"h", "hh", "hpp", "hxx"})
_SOURCES = frozenset({"c", "cc", "cpp", "cxx", "m", "mm"})
_FACE_FILES = {"__init__.py": 0.6, "package-info.java": 0.6} | dict.fromkeys(
    ("index.ts", "index.js", "index.tsx", "mod.rs", "lib.rs", "__main__.py"), 0.85
)
_FACTORS = {"older": 0.25, "test": 0.3, "example": 0.3, "docs": 0.3, "legacy": 0.4, "vendored": 0.4,
            "generated": 0.5, "declaration": 0.7}  # fmt: skip


@dataclass(frozen=True, slots=True)
class PathFacts:
    """What ranking reads from one path."""

    stem_words: frozenset[str]
    """Stems of the words in the file's name."""
    directory_words: frozenset[str]
    """Stems of the words in its last folders."""
    parent_words: frozenset[str]
    """Stems of the words in the name of the folder it lies in."""
    squeezed_stem: str
    """The name in lower case without separators, to be compared with a symbol's name."""
    squeezed_parent: str
    """The same of the folder it lies in."""
    depth: int
    classes: frozenset[str]
    face_factor: float
    """Below 1 for files that mostly re-export what others define."""


@lru_cache(maxsize=20_000)
def path_facts(path: str) -> PathFacts:
    """What *path* says about its file."""
    *folders, name = path.split("/")
    stem = name.rpartition(".")[0] or name.lstrip(".")
    return PathFacts(
        stem_words=frozenset(word_terms(stem)),
        directory_words=frozenset(word_terms(" ".join(folders[-_DIRECTORIES:]))),
        parent_words=frozenset(word_terms(folders[-1] if folders else "")),
        squeezed_stem=squeezed(stem),
        squeezed_parent=squeezed(folders[-1]) if folders else "",
        depth=len(folders),
        classes=frozenset(_classes(folders, name)),
        face_factor=_FACE_FILES.get(name, 1.0),
    )


def path_penalty(
    facts: PathFacts,
    *,
    ignored: frozenset[str],
    beside: frozenset[str] = frozenset(),
    strength: float = 0.6,
) -> float:
    """What the scores of a file are multiplied by; classes in *ignored* cost nothing.

    *beside* are classes that it has only because of other files.
    """
    factor = facts.face_factor
    for name in (facts.classes | beside) - ignored:
        factor *= _FACTORS[name]
    return float(factor**strength)


def usual_classes(paths: Sequence[str]) -> frozenset[str]:
    """The classes that most of *paths* have, so that in their project they tell nothing.

    A project of tests, examples or generated files is searched for just these.
    """
    counts: dict[str, int] = {}
    for path in paths:
        *folders, name = path.split("/")
        for found in set(_classes(folders, name)):
            counts[found] = counts.get(found, 0) + 1
    return frozenset(found for found, count in counts.items() if count > _USUAL * len(paths))


def is_test_tool(root: str) -> bool:
    """Whether the folder is named after a tool for tests, whose sources are named like tests."""
    names = [part.lower() for part in root.split("/")[-2:]]
    return any(word in _TEST_TOOLS for name in names for word in re.findall(r"[a-z]+2?", name))


def older_versions(paths: Iterable[str], text: str) -> set[str]:
    """The paths below a folder such as ``v3`` beside which there is a ``v4``, or newer copies.

    Copies: files of the same names one folder up. A version that *text* names is not old.
    """
    known = frozenset(paths)
    named = frozenset(re.findall(r"v\d+", text.lower()))
    newest: dict[str, int] = {}
    copies: dict[str, int] = {}
    below: dict[str, list[tuple[str, str]]] = {}
    for path in known:
        folders = path.split("/")[:-1]
        for depth, folder in enumerate(folders):
            if _VERSION.fullmatch(folder):
                parent, rest = "/".join(folders[:depth]), path.split("/")[depth + 1 :]
                newest[parent] = max(newest.get(parent, 0), int(folder[1:]))
                if "/".join((*folders[:depth], *rest)) in known and rest[-1] not in _FACE_FILES:
                    here = f"{parent}/{folder}"
                    copies[here] = copies.get(here, 0) + 1
                if folder not in named:
                    below.setdefault(path, []).append((parent, folder))
    return {
        path
        for path, versions in below.items()
        if any(
            int(folder[1:]) < newest[parent] or copies.get(f"{parent}/{folder}", 0) >= _COPIES
            for parent, folder in versions
        )
    }


def headers_of_sources(paths: Iterable[str]) -> set[str]:
    """The headers of C and its kin that have a source file of their name among *paths*."""
    headers: dict[str, list[str]] = {}
    sources: set[str] = set()
    for path in paths:
        stem, _, suffix = path.rpartition("/")[2].rpartition(".")
        if suffix in _HEADERS:
            headers.setdefault(stem, []).append(path)
        elif suffix in _SOURCES:
            sources.add(stem)
    return {path for stem, found in headers.items() if stem in sources for path in found}


def squeezed(name: str) -> str:
    """*name* in lower case without ``_`` and ``-``."""
    return name.lower().replace("_", "").replace("-", "")


def _classes(folders: Iterable[str], name: str) -> Iterable[str]:
    is_in_sources = False
    for folder in map(str.lower, folders):
        found = _CLASS_OF_FOLDER.get(folder)
        # A product may be about benchmarks or samples; those beside its sources are about it.
        if found is not None and not (is_in_sources and found == "example"):
            yield found
        is_in_sources = is_in_sources or folder in _SOURCE_FOLDERS
    if _TEST_FILE.match(name):
        yield "test"
    if _GENERATED_FILE.search(name):
        yield "generated"
    if _DECLARATION_FILE.search(name):
        yield "declaration"
