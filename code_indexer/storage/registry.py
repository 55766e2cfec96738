"""The registry: which projects exist, in ``registry.db`` under the index root."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import Self

from code_indexer.errors import (
    IndexCorruptError,
    NameTakenError,
    ProjectNotFoundError,
    StateError,
)
from code_indexer.identity import checked_name, collection_name, slug_of
from code_indexer.storage.database import Database, Row, open_database
from code_indexer.storage.migrations import REGISTRY_STEPS
from code_indexer.storage.rows import path_bytes, path_text
from code_indexer.types import Project

REGISTRY_FILE = "registry.db"
REPAIR_HINT = "Rebuild it with: code-indexer doctor --repair"
_COLUMNS = "root, slug, name, collection, created"
_SLUG_ATTEMPTS = 100


@dataclass(frozen=True, slots=True)
class ProjectRecord:
    """The registry's row about one project."""

    project: Project
    created: float
    """Seconds since 1970."""


class Registry:
    """The open registry; a context manager."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @classmethod
    def open(cls, index_root: Path, *, read_only: bool = False) -> Self:
        """The registry under *index_root*; without *read_only* it is created if missing.

        Raises:
            IndexCorruptError: It is damaged.
            StateError: It cannot be read or written.
        """
        path = index_root / REGISTRY_FILE
        return cls(open_database(path, REGISTRY_STEPS, read_only=read_only, hint=REPAIR_HINT))

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
        """Close the database; closing twice is allowed."""
        self._database.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit everything inside, or nothing."""
        with self._database.transaction():
            yield

    def add(self, root: str, *, name: str | None = None, now: float) -> ProjectRecord:
        """Register the folder *root* (absolute, resolved), or give what is registered already.

        A *name* given for a registered project becomes its name.

        Raises:
            NameTakenError: Another project goes by this name.
        """
        with self._database.transaction():
            known = self.by_path(root)
            if known is None:
                return self._insert(root, name, now)
            if name is not None and name != known.project.name:
                return self.set_name(known.project.slug, name)
            return known

    def restore(self, project: Project, *, now: float) -> ProjectRecord:
        """Register a project again as it was; its name is left out where another has it.

        Raises:
            NameTakenError: Another project has its root, slug or collection.
        """
        with self._database.transaction():
            path = path_bytes(project.root)
            condition = "root = ? OR slug = ? OR collection = ?"
            taken = self._one(condition, path, project.slug, project.collection)
            if taken is not None:
                raise NameTakenError(f"{project.root} or its slug is registered already")
            name = project.name
            if name is not None and self._one("name = ? OR slug = ?", name, name) is not None:
                name = None
            self._database.run(
                f"INSERT INTO projects ({_COLUMNS}) VALUES (?, ?, ?, ?, ?)",
                (path, project.slug, name, project.collection, now),
            )
            return ProjectRecord(replace(project, name=name), now)

    def projects(self) -> list[ProjectRecord]:
        """All projects, by root."""
        return self._database.records(_record, f"SELECT {_COLUMNS} FROM projects ORDER BY root")

    def by_path(self, root: str) -> ProjectRecord | None:
        """The project with exactly this root."""
        return self._one("root = ?", path_bytes(root))

    def by_slug(self, slug: str) -> ProjectRecord | None:
        """The project with this slug."""
        return self._one("slug = ?", slug)

    def by_name(self, name: str) -> ProjectRecord | None:
        """The project that the user gave this name."""
        return self._one("name = ?", name)

    def containing(self, path: str) -> ProjectRecord | None:
        """The deepest project whose folder is, or contains, the absolute *path*."""
        place = PurePosixPath(path)
        for folder in (place, *place.parents):
            found = self.by_path(str(folder))
            if found is not None:
                return found
        return None

    def set_name(self, slug: str, name: str | None) -> ProjectRecord:
        """Rename a project; its collection keeps the name under which it was made.

        See :meth:`name_collection` for one that was not made yet.

        Raises:
            NameTakenError: Another project goes by this name.
            ProjectNotFoundError: There is no such project.
        """
        with self._database.transaction():
            if name is not None:
                self._check_name(name, slug)
            return self._change(slug, "name", name)

    def name_collection(self, slug: str) -> ProjectRecord:
        """Let a project whose collection was never made have one of its present name.

        Raises:
            ProjectNotFoundError: There is no such project.
        """
        with self._database.transaction():
            known = self.by_slug(slug)
            if known is None:
                raise ProjectNotFoundError(f"no project has the slug {slug}")
            collection = collection_name(slug, known.project.name)
            if self._one("collection = ?", collection) is not None:
                return known
            return self._change(slug, "collection", collection)

    def re_root(self, slug: str, root: str) -> ProjectRecord:
        """Point a project at the place its folder was moved to; slug and collection stay.

        Raises:
            NameTakenError: The new root belongs to another project.
            ProjectNotFoundError: There is no such project.
        """
        with self._database.transaction():
            holder = self.by_path(root)
            if holder is not None and holder.project.slug != slug:
                raise NameTakenError(
                    f"{root} is registered already, as {holder.project.slug}",
                    hint="Remove one of the two with 'code-indexer remove-project'.",
                )
            return self._change(slug, "root", path_bytes(root))

    def integrity_check(self) -> list[str]:
        """Everything that is wrong with the file."""
        try:
            self.projects()
            rows = self._database.rows("PRAGMA integrity_check")
        except IndexCorruptError as error:
            return [error.message]
        return [str(row[0]) for row in rows if row[0] != "ok"]

    def remove(self, slug: str) -> None:
        """Forget a project; forgetting twice is allowed."""
        self._database.run("DELETE FROM projects WHERE slug = ?", (slug,))

    def _insert(self, root: str, name: str | None, now: float) -> ProjectRecord:
        slug = self._free_slug(root)
        if name is not None:
            self._check_name(name, slug)
        collection = collection_name(slug, name)
        if self._one("collection = ?", collection) is not None:
            # Another project keeps it from the time when it had this name.
            collection = collection_name(slug, None)
        self._database.run(
            f"INSERT INTO projects ({_COLUMNS}) VALUES (?, ?, ?, ?, ?)",
            (path_bytes(root), slug, name, collection, now),
        )
        return ProjectRecord(Project(root, slug, name, collection), now)

    def _free_slug(self, root: str) -> str:
        """The root's slug; if another project has it, that of the root with a number behind it.

        Slugs are 32 bits of a hash: two roots may share one, and a moved project keeps its own.
        """
        for attempt in range(_SLUG_ATTEMPTS):
            slug = slug_of(root if attempt == 0 else f"{root}\0{attempt}")
            if (
                self._one("slug = ? OR name = ? OR collection = ?", slug, slug, f"idx_{slug}")
                is None
            ):
                return slug
        raise StateError(f"no free slug for {root}")

    def _check_name(self, name: str, slug: str) -> None:
        checked_name(name)
        other = self._one("(name = ? OR slug = ?) AND slug != ?", name, name, slug)
        if other is not None:
            raise NameTakenError(
                f"the name {name} belongs to {other.project.root}",
                hint="Choose another --name, or remove that project.",
            )

    def _change(self, slug: str, column: str, value: object) -> ProjectRecord:
        self._database.run(f"UPDATE projects SET {column} = ? WHERE slug = ?", (value, slug))
        changed = self.by_slug(slug)
        if changed is None:
            raise ProjectNotFoundError(f"no project has the slug {slug}")
        return changed

    def _one(self, condition: str, *values: object) -> ProjectRecord | None:
        found = self._database.records(
            _record, f"SELECT {_COLUMNS} FROM projects WHERE {condition}", values
        )
        return found[0] if found else None


def _record(row: Row) -> ProjectRecord:
    root, slug, name, collection, created = row
    return ProjectRecord(Project(path_text(root), slug, name, collection), created)
