"""The parts that operations work with; the one place that builds them."""

import os
import shutil
import sys
import time
from contextlib import nullcontext, suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from code_indexer.core.engines import Engines
from code_indexer.core.registered import open_registry
from code_indexer.errors import (
    CodeIndexerError,
    IndexBusyError,
    InvalidSettingError,
    ProjectNotFoundError,
)
from code_indexer.indexing.notes import CPP_HEADERS, LAST_SCAN
from code_indexer.settings import Settings, project_settings
from code_indexer.storage.locks import exclusive_lock, lock_info
from code_indexer.storage.manifest import Manifest
from code_indexer.storage.pass_journal import PassRecord
from code_indexer.storage.registry import Registry
from code_indexer.types import ParsedFile, Project, SkippedFile

if TYPE_CHECKING:
    from code_indexer.discovery.walk import DiscoveryRules
    from code_indexer.indexing.server_vectors import StoreWishes
    from code_indexer.search.verify import Verifier


class Services:
    """Settings, registry, manifests, embedder: opened on first use, closed together."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._registry: Registry | None = None
        self._manifests: dict[str, Manifest] = {}
        self._replaced: list[Manifest] = []
        self._project_settings: dict[str, Settings] = {}
        self.engines = Engines(settings)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close every database."""
        for manifest in (*self._manifests.values(), *self._replaced):
            manifest.close()
        self._manifests.clear()
        self._replaced.clear()
        self.forget_registry()

    def now_ns(self) -> int:
        """Wall clock, in nanoseconds since the epoch."""
        return time.time_ns()

    def say(self, text: str) -> None:
        """A remark for whoever watches stderr."""
        sys.stderr.write(f"{text}\n")

    @property
    def registry(self) -> Registry:
        """Which projects exist."""
        if self._registry is None:
            self._registry = open_registry(self.settings.index_root)
        return self._registry

    def forget_registry(self) -> None:
        """Close the registry: opened while the disk was full, it can only be read."""
        if self._registry is not None:
            self._registry.close()
            self._registry = None

    def projects(self) -> list[Project]:
        """Every registered project."""
        return [record.project for record in self.registry.projects()]

    def project_at(self, root: str) -> Project | None:
        """The project with exactly this root."""
        record = self.registry.by_path(root)
        return None if record is None else record.project

    def register(self, root: str, name: str | None = None) -> Project:
        """The project at *root*, registered now if it was not."""
        return self.registry.add(root, name=name, now=time.time()).project

    def last_scan_ns(self, project: Project) -> int | None:
        """When the last complete scan of the project began, on the wall clock."""
        found = self.manifest(project).meta().get(LAST_SCAN)
        return None if found is None else int(found)

    def folder(self, project: Project) -> Path:
        """Where the project's index lies."""
        return self.settings.index_root / project.slug

    def lock_path(self, project: Project) -> Path:
        """The project's lock file; it is never deleted."""
        return self.settings.index_root / f"{project.slug}.lock"

    def removal_path(self, slug: str) -> Path:
        """The mark that whoever removes the project holds; it is there only for so long."""
        return self.settings.index_root / f"{slug}.removal"

    def manifest_path(self, project: Project) -> Path:
        """The project's database."""
        return self.folder(project) / "manifest.db"

    def rebuild_path(self, project: Project) -> Path:
        """The database that a rebuild fills, beside the project's."""
        return self.manifest_path(project).with_name("rebuild.db")

    def index_bytes(self, project: Project) -> int:
        """How much the project's index takes on the disk."""
        try:
            files = [entry.stat() for entry in self.folder(project).iterdir() if entry.is_file()]
        except OSError:
            return 0
        return sum(status.st_size for status in files)

    def manifest(self, project: Project) -> Manifest:
        """The project's manifest, opened once, and again when another has taken its place."""
        manifest = self._manifests.get(project.slug)
        if manifest is not None and not manifest.is_in_place():
            # Somebody further up may still be reading it.
            self._replaced.append(self._manifests.pop(project.slug))
            manifest = None
        if manifest is None:
            path = self.manifest_path(project)
            is_new = not os.path.exists(path)  # noqa: PTH110 - opening it says what is refused
            manifest = self._manifests[project.slug] = Manifest.open(path)
            if is_new:
                self._take_back_if_removed(project)
        return manifest

    def _take_back_if_removed(self, project: Project) -> None:
        """Delete the manifest just made where the project was removed between two of our steps.

        Raises:
            ProjectNotFoundError: It was.
        """
        if self.registry.by_slug(project.slug) is not None:
            return
        self.forget_manifest(project)
        with suppress(IndexBusyError), exclusive_lock(self.lock_path(project)):
            if self.registry.by_slug(project.slug) is None:
                self.delete_folder(project)
        raise removed_meanwhile(project)

    def has_manifest_in_place(self, project: Project) -> bool:
        """Whether the project's manifest is open, and still the file that others would open."""
        manifest = self._manifests.get(project.slug)
        return manifest is not None and manifest.is_in_place()

    def running_pass(self, project: Project) -> PassRecord | None:
        """What the pass that holds the project's lock has noted so far."""
        holder = lock_info(self.lock_path(project)).get("pid")
        records = [self.manifest(project).read_pass()]
        beside = self.rebuild_path(project)
        if beside.exists():
            with suppress(CodeIndexerError), Manifest.open(beside, read_only=True) as manifest:
                records.append(manifest.read_pass())
        # A pass that was killed leaves its notes behind.
        return next((one for one in reversed(records) if one.pid == holder), None)

    def use_rebuild(self, project: Project) -> Manifest:
        """The manifest of a rebuild, which from now on is taken for the project's."""
        manifest = self._manifests[project.slug] = Manifest.open(self.rebuild_path(project))
        return manifest

    def forget_manifest(self, project: Project) -> None:
        """Close the project's manifest, so that its files can be replaced or deleted."""
        manifest = self._manifests.pop(project.slug, None)
        if manifest is not None:
            manifest.close()

    def has_cpp(self, project: Project) -> bool:
        """Whether ``.h`` files of the project are C++."""
        return self.manifest(project).meta().get(CPP_HEADERS) == "1"

    def read_text(self, root: str, path: str, *, with_secrets: bool = False) -> str | None:
        """The present text of a project's file, or None when it cannot be read."""
        from code_indexer.discovery.reading import read_source

        max_bytes = self._max_file_bytes(root)
        source = read_source(Path(root), path, max_bytes, with_secrets=with_secrets)
        return None if isinstance(source, SkippedFile) else source.text

    def verifier(self, project: Project) -> "Verifier":
        """Compares hits with the project's files."""
        from code_indexer.discovery.reading import read_source
        from code_indexer.search.verify import PresentFile, Verifier

        max_bytes = self._max_file_bytes(project.root)

        def read_file(path: str) -> PresentFile | None:
            source = read_source(Path(project.root), path, max_bytes)
            if isinstance(source, SkippedFile):
                return None
            return PresentFile(source.text, source.content_hash)

        def parse_text(path: str, text: str, language: str | None) -> ParsedFile:
            from code_indexer.parsing.parse import parse_file

            return parse_file(path, text, language)

        return Verifier(read_file, parse_text)

    def store_wishes(self, project: Project, *, adopt: bool = False) -> "StoreWishes | None":
        """How a pass treats a collection it finds; None without a server."""
        if not self.engines.stores_on_server:
            return None
        from code_indexer.indexing.server_vectors import StoreWishes

        root = Path(project.root)
        return StoreWishes(adopt=adopt, exists=lambda path: (root / path).is_file())

    def settings_of(self, root: str) -> Settings:
        """The settings for the project at *root*, with what its own file says.

        Raises:
            InvalidSettingError: That file holds a bad value.
        """
        if root not in self._project_settings:
            self._project_settings[root] = project_settings(self.settings, Path(root))
        return self._project_settings[root]

    def discovery_rules(self, project: Project, *, strict: bool = True) -> "DiscoveryRules":
        """Which files of the project a pass lets through.

        Raises:
            InvalidSettingError: Its own file holds a bad value; unless *strict*, it is passed over.
        """
        from code_indexer.discovery.repository import global_excludes_file
        from code_indexer.discovery.walk import DiscoveryRules

        settings = self.settings
        with nullcontext() if strict else suppress(InvalidSettingError):
            settings = self.settings_of(project.root)
        return DiscoveryRules(
            max_file_bytes=settings.max_file_bytes,
            global_excludes=global_excludes_file(settings.home, settings.config_home),
            home=settings.home,
            patterns=(*settings.exclude, *(f"!{pattern}" for pattern in settings.include)),
            patterns_source="exclude and include in the settings",
        )

    def _max_file_bytes(self, root: str) -> int:
        """The limit for reading a file again; a bad file of settings does not keep hits away."""
        with suppress(InvalidSettingError):
            return self.settings_of(root).max_file_bytes
        return self.settings.max_file_bytes

    def delete_folder(self, project: Project) -> None:
        """Delete what lies here of the project's index, and what killed removals left of it."""
        self.forget_manifest(project)
        folder = self.folder(project)
        # Aside first, in one step: nobody is to open a database of which only the -wal is left, or
        # to make a new one beside it. A removal that was killed is ended by the next.
        aside = folder.with_name(f"{project.slug}.removed-{time.time_ns()}")
        try:
            with suppress(FileNotFoundError):
                folder.rename(aside)
            self.delete_removed(project)
        except OSError as error:
            raise CodeIndexerError(
                f"{folder} cannot be deleted: {error.strerror}",
                hint="Check its permissions and delete it by hand",
            ) from error

    def delete_removed(self, project: Project) -> None:
        """Delete what removals, and those that were killed, have put aside."""
        for leftover in self.settings.index_root.glob(f"{project.slug}.removed-*"):
            shutil.rmtree(leftover)


def removed_meanwhile(project: Project) -> ProjectNotFoundError:
    """What to raise when a project is no longer registered."""
    return ProjectNotFoundError(
        f"{project.root} was removed meanwhile",
        hint=f"Register it again with: code-indexer add-project {project.root}",
    )
