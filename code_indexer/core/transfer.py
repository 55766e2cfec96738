"""``export`` and ``import``: an index as one file that another computer can use.

The file is a zip archive of two members: a header in JSON and the manifest, a SQLite database. The
header says how long the manifest is and what its sha256 is. Nothing in it is code.
"""

import hashlib
import json
import os
import shutil
import time
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

from code_indexer import __version__
from code_indexer.core.lookup import get_project
from code_indexer.core.remembered import remember_project
from code_indexer.core.results import ProjectStatus
from code_indexer.core.roots import checked_root
from code_indexer.core.services import Services
from code_indexer.core.status import project_status
from code_indexer.errors import (
    IndexCorruptError,
    NameTakenError,
    ProjectNotFoundError,
    StateError,
    UsageError,
)
from code_indexer.identity import checked_name
from code_indexer.storage.database_files import make_private_folder, put_in_place
from code_indexer.storage.locks import exclusive_lock, lock_is_held
from code_indexer.storage.portable import (
    SCHEMA,
    check_foreign_copy,
    settle_foreign_copy,
    write_portable_copy,
)
from code_indexer.types import Project

FORMAT = "code-indexer index"
VERSION = 1
_HEADER = "header.json"
_MANIFEST = "manifest.db"
_MAX_HEADER_BYTES = 65_536
_BLOCK = 1 << 20
_SCRATCH = "transfer-"
_SCRATCH_LOCK = "lock"
_SCRATCH_SECONDS = 60.0
_NO_FILE = "Check the spelling of the path; code-indexer export writes such a file"


@dataclass(frozen=True, slots=True)
class IndexHeader:
    """What an exported index says of itself."""

    format: str
    version: int
    schema: int
    """The form of the manifest's tables."""
    program: str
    created: float
    name: str | None
    """Of the project."""
    folder: str
    """Last part of the project's root."""
    engine: str
    files: int
    chunks: int
    embedded_chunks: int
    bytes: int
    """Of the manifest."""
    sha256: str
    """Of the manifest."""


@dataclass(frozen=True, slots=True)
class ExportedIndex:
    """What was written."""

    project: Project
    file: str
    file_bytes: int
    header: IndexHeader


@dataclass(frozen=True, slots=True)
class ImportedIndex:
    """What was taken over."""

    status: ProjectStatus
    header: IndexHeader
    warnings: tuple[str, ...] = ()


def export_index(
    services: Services, project: str, file: str, *, overwrite: bool = False
) -> ExportedIndex:
    """Write the index of a project, as it stands, to *file*.

    Raises:
        UsageError: The file exists, or nothing is indexed yet.
        StateError: It cannot be written.
    """
    found = get_project(services, project)
    target = Path(file)
    if target.exists() and not overwrite:
        raise UsageError(f"{file} exists", hint="Choose another file, or pass --force")
    if services.last_scan_ns(found) is None:
        raise UsageError(
            f"nothing is indexed yet: {found.root}",
            hint=f"Index it first: code-indexer index-status {found.root}",
        )
    with _writing(target), _scratch_folder(services) as scratch:
        copy = scratch / _MANIFEST
        write_portable_copy(services.manifest_path(found), copy)
        header = _header(services, found, copy)
        _write_archive(target, header, copy)
    return ExportedIndex(found, str(target), target.stat().st_size, header)


def import_index(
    services: Services,
    file: str,
    path: str = ".",
    *,
    name: str | None = None,
    replace: bool = False,
) -> ImportedIndex:
    """Take over an exported index for the folder *path*; the next query compares it with the files.

    Raises:
        UsageError: The folder is indexed already, or the file is no index of this version.
        IndexCorruptError: The file is damaged; nothing was changed.
    """
    if not Path(file).exists():
        raise UsageError(f"no such file: {file}", hint=_NO_FILE)
    root = checked_root(path, services.settings)
    if name is not None:
        checked_name(name)
    known = services.project_at(root)
    if known is not None and not replace and services.last_scan_ns(known) is not None:
        raise UsageError(
            f"the folder is indexed already: {root}", hint="Pass --replace to give that index up"
        )
    with _scratch_folder(services) as scratch:
        copy = scratch / _MANIFEST
        header = _extract(Path(file), copy)
        check_foreign_copy(copy, scratch / "empty.db")
        settle_foreign_copy(copy)
        project = _registered(services, root, name, header)
        _put_in_place(services, project, copy)
    status = project_status(services, project)
    return ImportedIndex(status, header, tuple(_warnings(header, status)))


@contextmanager
def _scratch_folder(services: Services) -> Iterator[Path]:
    index_root = services.settings.index_root
    make_private_folder(index_root)
    _delete_abandoned(index_root)
    with (
        TemporaryDirectory(prefix=_SCRATCH, dir=index_root) as folder,
        exclusive_lock(Path(folder) / _SCRATCH_LOCK, info={"pid": os.getpid()}),
    ):
        yield Path(folder)


def _delete_abandoned(index_root: Path) -> None:
    """Delete what transfers that were killed have left: each is as large as an index."""
    for folder in index_root.glob(f"{_SCRATCH}*"):
        with suppress(OSError, StateError):
            # One that was made a moment ago may not be locked yet.
            age = time.time() - folder.stat().st_mtime
            if age > _SCRATCH_SECONDS and not lock_is_held(folder / _SCRATCH_LOCK):
                shutil.rmtree(folder)


@contextmanager
def _writing(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StateError(
            f"{target} cannot be written: {error.strerror}",
            hint="Name a file in a folder that is there and may be written",
        ) from error


def _header(services: Services, project: Project, copy: Path) -> IndexHeader:
    counts = services.manifest(project).counts()
    with copy.open("rb") as manifest:
        digest = hashlib.file_digest(manifest, "sha256").hexdigest()
    return IndexHeader(
        format=FORMAT,
        version=VERSION,
        schema=SCHEMA,
        program=__version__,
        created=round(time.time(), 3),
        name=project.name,
        folder=os.path.basename(project.root),  # noqa: PTH119 - a string is wanted
        engine=services.engines.words(),
        files=counts.files,
        chunks=counts.chunks,
        embedded_chunks=counts.embedded_chunks,
        bytes=copy.stat().st_size,
        sha256=digest,
    )


def _write_archive(target: Path, header: IndexHeader, copy: Path) -> None:
    """Write beside *target* first, so that it is whole or not there."""
    beside = target.with_name(f"{target.name}.{os.getpid()}.tmp")
    try:
        with zipfile.ZipFile(beside, "x", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
            archive.writestr(_HEADER, json.dumps(asdict(header), indent=2))
            archive.write(copy, _MANIFEST)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


@contextmanager
def _opened_archive(file: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(file) as archive:
            yield archive
    except FileNotFoundError as error:
        raise UsageError(f"no such file: {file}", hint=_NO_FILE) from error
    except (zipfile.BadZipFile, EOFError, NotImplementedError, ValueError) as error:
        raise IndexCorruptError(
            f"{file} is not an exported index, or damaged ({error})", hint="Export it again"
        ) from error
    except OSError as error:
        raise StateError(f"{file} cannot be read: {error.strerror or error}") from error


def _checked_header(archive: zipfile.ZipFile, file: Path) -> IndexHeader:
    hint = "Export it again with: code-indexer export"
    # Members are looked up by these two names; what else the archive holds is never written out.
    if sorted(archive.namelist()) != sorted((_HEADER, _MANIFEST)):
        raise UsageError(f"{file} is not an exported index", hint=hint)
    if archive.getinfo(_HEADER).file_size > _MAX_HEADER_BYTES:
        raise UsageError(f"{file} is not an exported index", hint=hint)
    try:
        found: Mapping[str, Any] = json.loads(archive.read(_HEADER))
        header = IndexHeader(**{name: found[name] for name in IndexHeader.__slots__})
        sizes = (header.bytes, header.files, header.chunks, header.embedded_chunks, header.version)
        sizes_are_numbers = all(type(size) is int and size >= 0 for size in sizes)
    except (KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UsageError(f"{file} is not an exported index", hint=hint) from error
    if header.format != FORMAT or not sizes_are_numbers:
        raise UsageError(f"{file} is not an exported index", hint=hint)
    if (header.version, header.schema) != (VERSION, SCHEMA):
        raise UsageError(
            f"{file} was written by code-indexer {header.program}, in another form"
            f" ({header.version}.{header.schema}, this release reads {VERSION}.{SCHEMA})",
            hint="Export it with the same release that imports it",
        )
    return header


def _extract(file: Path, copy: Path) -> IndexHeader:
    """Write the manifest to *copy*, exactly as long as the header says and with its sha256."""
    with _opened_archive(file) as archive:
        header = _checked_header(archive, file)
        if header.bytes > shutil.disk_usage(copy.parent).free:
            raise StateError(f"no space left for {header.bytes} bytes beside {copy.parent}")
        digest = hashlib.sha256()
        with archive.open(_MANIFEST) as packed, copy.open("xb") as unpacked:
            length = _copy(packed, unpacked, digest, most=header.bytes)
    if length != header.bytes or digest.hexdigest() != header.sha256:
        raise IndexCorruptError(
            f"{file} is damaged: its contents are not what its header says", hint="Export it again"
        )
    return header


def _copy(packed: Any, unpacked: BinaryIO, digest: Any, *, most: int) -> int:  # noqa: ANN401
    length = 0
    while block := packed.read(_BLOCK):
        length += len(block)
        if length > most:
            break
        digest.update(block)
        unpacked.write(block)
    return length


def _registered(services: Services, root: str, name: str | None, header: IndexHeader) -> Project:
    if name is None and services.project_at(root) is None and header.name is not None:
        # The name that it had elsewhere, if it is free here and usable.
        with suppress(UsageError):
            checked_name(header.name)
            return services.register(root, header.name)
    try:
        return services.register(root, name)
    except NameTakenError as error:
        raise NameTakenError(error.message, hint="Choose another --name") from error


def _put_in_place(services: Services, project: Project, copy: Path) -> None:
    with exclusive_lock(services.lock_path(project), info={"pid": os.getpid()}):
        if services.registry.by_slug(project.slug) is None:
            raise ProjectNotFoundError(f"{project.root} was removed meanwhile")
        target = services.manifest_path(project)
        services.forget_manifest(project)
        put_in_place(target, copy)
        remember_project(services.manifest(project), project)


def _warnings(header: IndexHeader, status: ProjectStatus) -> Iterator[str]:
    if status.problem:
        yield status.problem
    folder = os.path.basename(status.project.root)  # noqa: PTH119 - a string is wanted
    if folder != header.folder:
        yield f"the index was made of a folder called {header.folder}, this one is {folder}"
