"""The package that a file says it belongs to, which is part of no symbol's own name."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from code_indexer.navigation.names import NameQuery, has_owners, qualified_parts
from code_indexer.storage.known_vectors import chunk_range
from code_indexer.storage.manifest import Manifest
from code_indexer.storage.structure import FoundSymbol
from code_indexer.types import Symbol

_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_JVM: Final = re.compile(r"^[ \t]*package[ \t]+(?!object\b)([\w.`]+)", re.MULTILINE)
_CLAUSES: Final[Mapping[str, re.Pattern[str]]] = {
    "go": re.compile(r"^package[ \t]+(\w+)", re.MULTILINE),
    "java": _JVM,
    "kotlin": _JVM,
    "scala": _JVM,
    "csharp": re.compile(r"^[ \t]*namespace[ \t]+([\w.]+)\s*;", re.MULTILINE),
    "php": re.compile(r"^[ \t]*(?:<\?php\s+)?namespace[ \t]+([\w\\]+)\s*;", re.MULTILINE),
    "proto": re.compile(r"^[ \t]*package[ \t]+([\w.]+)\s*;", re.MULTILINE),
}
_FIRST_CHUNKS: Final = 6
"""A package is named before anything is defined; a long licence may stand before it."""
_MAX_FILES: Final = 2_000


def package_of(text: str, language: str | None) -> tuple[str, ...]:
    """The parts of the package that *text*, the start of a file, says it belongs to."""
    clause = _CLAUSES.get(language or "")
    if clause is None:
        return ()
    names = clause.findall(_COMMENT.sub("", text))
    if language != "scala":
        # Elsewhere a second one is no clause, or begins another part of the file.
        names = names[:1]
    return tuple(part for name in names for part in qualified_parts(name.replace("`", "")))


def in_their_packages(
    manifest: Manifest, query: NameQuery, found: Sequence[FoundSymbol], *, ignore_case: bool
) -> list[FoundSymbol]:
    """The symbols of *found* whose files belong to the package that *query* begins with."""
    fitting = [
        each
        for each in found
        if each.language in _CLAUSES and _owners_fit(query, each.symbol, ignore_case=ignore_case)
    ]
    packages = _packages(manifest, {each.file_id: each.language for each in fitting})
    return [
        each
        for each in fitting
        if _is_package(
            _package_in(query, each.symbol),
            packages.get(each.file_id, ()),
            each.language,
            ignore_case=ignore_case,
        )
    ]


def package_of_file(manifest: Manifest, found: FoundSymbol) -> tuple[str, ...]:
    """The package of the file that defines *found*; empty where the language has none."""
    if found.language not in _CLAUSES:
        return ()
    return _packages(manifest, {found.file_id: found.language}).get(found.file_id, ())


def is_in_package(query: NameQuery, symbol: Symbol, text: str, language: str | None) -> bool:
    """Whether *query* names *symbol* of the file *text*, its package before the owners."""
    return _owners_fit(query, symbol, ignore_case=False) and _is_package(
        _package_in(query, symbol), package_of(text, language), language, ignore_case=False
    )


def _package_in(query: NameQuery, symbol: Symbol) -> tuple[str, ...]:
    """What *query* writes before all owners of *symbol*."""
    owners = qualified_parts(symbol.qualified_name)[:-1]
    return query.owner[: max(0, len(query.owner) - len(owners))]


def _owners_fit(query: NameQuery, symbol: Symbol, *, ignore_case: bool) -> bool:
    package = _package_in(query, symbol)
    inner = NameQuery(query.text, query.name, query.owner[len(package) :])
    return bool(package) and has_owners(inner, symbol, ignore_case=ignore_case)


def _is_package(
    asked: Sequence[str], package: Sequence[str], language: str | None, *, ignore_case: bool
) -> bool:
    """Whether *asked* are the last parts of *package*; Go has its last part behind a path."""
    if ignore_case:
        asked = [part.lower() for part in asked]
        package = [part.lower() for part in package]
    if not asked or not package:
        return False
    if language == "go":
        return asked[-1] == package[-1]
    return list(package[-len(asked) :]) == list(asked)


def _packages(manifest: Manifest, files: Mapping[int, str | None]) -> dict[int, tuple[str, ...]]:
    """The packages of *files*, which are ids with their languages."""
    firsts = [chunk_range(file_id)[0] for file_id in list(files)[:_MAX_FILES]]
    chunks = manifest.chunks_by_id(
        [first + index for first in firsts for index in range(_FIRST_CHUNKS)]
    )
    starts: dict[int, list[str]] = {}
    for _, chunk in sorted(chunks.items()):
        starts.setdefault(chunk.file_id, []).append(chunk.text)
    return {
        file_id: package_of("\n".join(texts), files[file_id]) for file_id, texts in starts.items()
    }
