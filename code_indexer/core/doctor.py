"""``doctor``: is everything as it should be, and what to do where it is not."""

import logging
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Literal

from code_indexer.core.engines import Engines
from code_indexer.core.freshness import is_root_gone
from code_indexer.core.registered import index_folders
from code_indexer.core.remembered import remembered_project
from code_indexer.core.services import Services
from code_indexer.core.status import project_status
from code_indexer.errors import CodeIndexerError, IndexCorruptError
from code_indexer.storage.locks import exclusive_lock, lock_info, lock_is_held
from code_indexer.storage.manifest import Manifest
from code_indexer.types import Project

State = Literal["ok", "warn", "broken"]
Repair = Literal["rebuild", "restore-vectors", "rebuild-registry", "register", "permissions"]
"""What can be done about a finding without asking: see ``core.repairs``."""

_log = logging.getLogger(__name__)
_OLDEST_PYTHON = (3, 11)
_SYSCTL = Path("/proc/sys/fs/inotify")
_FEW_WATCHES = 16_384
_SERVER_PATIENCE_SECONDS = 2.0
_PRIVATE = 0o077
_SURE_LANGUAGES = ("python", "javascript")
_DEFAULT_REMEDY = "See docs/troubleshooting.md"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    subject: str
    state: State
    message: str
    remedy: str = ""
    repair: Repair | None = None
    project: Project | None = None


def diagnose(services: Services) -> Iterator[Finding]:
    """Everything that can be looked at, one finding after the other."""
    yield from _guarded("python", _python)
    yield from _guarded("sqlite", _sqlite)
    yield from _guarded("model", _embedded_model)
    yield from _guarded("index root", lambda: _index_root(services))
    yield from _guarded("disk", lambda: _disk(services))
    yield from _guarded("locks", lambda: _locks(services))
    yield from _guarded("inotify", _inotify)
    yield from _guarded("ollama", lambda: _ollama(services))
    yield from _guarded("qdrant", lambda: _qdrant(services))
    registry = list(_guarded("registry", lambda: _registry(services)))
    yield from registry
    is_registry_broken = _any_broken(registry)
    projects = [] if is_registry_broken else services.projects()
    languages: set[str] = set()
    for project in projects:
        check = partial(_project, services, project, languages)
        yield from _guarded(_subject(project), check)
    if not is_registry_broken:
        yield from _guarded("left behind", lambda: _left_behind(services, projects))
    yield from _guarded("grammars", lambda: _grammars(languages))


def unregistered(services: Services, registered: Iterable[Project]) -> Iterator[Path]:
    """Folders of the index root that hold a manifest and belong to no registered project."""
    known = {project.slug for project in registered}
    for folder in index_folders(services.settings.index_root):
        if folder.name not in known:
            yield folder


def owner_of(folder: Path) -> Project | None:
    """The project whose index lies in *folder*, if its manifest can be read and says so."""
    try:
        with Manifest.open(folder / "manifest.db", read_only=True) as manifest:
            found = remembered_project(manifest)
    except CodeIndexerError:
        return None
    return found if found is not None and found.slug == folder.name else None


def _any_broken(findings: Iterable[Finding]) -> bool:
    return any(one.state == "broken" for one in findings)


def _guarded(subject: str, check: Callable[[], Iterable[Finding]]) -> Iterator[Finding]:
    """The findings of *check*; what stops it is one too."""
    try:
        yield from check()
    except CodeIndexerError as error:
        yield Finding(subject, "broken", error.message, error.hint or _DEFAULT_REMEDY)
    except Exception as error:  # noqa: BLE001 - nothing that is broken keeps the rest unseen
        _log.debug("%s could not be checked", subject, exc_info=True)
        what = f"could not be checked: {type(error).__name__}: {error}"
        yield Finding(subject, "broken", what, _DEFAULT_REMEDY)


def _python() -> Iterator[Finding]:
    version = ".".join(map(str, sys.version_info[:3]))
    message = f"{version} at {sys.executable}"
    if sys.version_info[:2] < _OLDEST_PYTHON:
        yield Finding("python", "broken", message, "Install with Python 3.11 or newer")
    else:
        yield Finding("python", "ok", message)


def _sqlite() -> Iterator[Finding]:
    from code_indexer.storage.sqlite_library import sqlite_facts

    facts = sqlite_facts()
    if facts.has_full_text_search:
        yield Finding("sqlite", "ok", f"{facts.version} with full-text search (FTS5)")
        return
    remedy = "Use a Python whose sqlite3 module was built with FTS5"
    yield Finding("sqlite", "broken", f"{facts.version} without full-text search", remedy)


def _grammars(languages: Iterable[str]) -> Iterator[Finding]:
    """All grammars are loaded; rules are compiled for the languages that projects hold."""
    from code_indexer.languages import LANGUAGES
    from code_indexer.parsing.grammars import grammar_for, queries_for

    remedy = "Install code-indexer anew: a part of tree-sitter-language-pack (below 1.0) is missing"
    count = 0
    broken = []
    for name, language in LANGUAGES.items():
        if language.grammar is None:
            continue
        try:
            if grammar_for(name) is not None:
                count += 1
            if name in languages or name in _SURE_LANGUAGES:
                queries_for(name)
        except Exception as error:  # noqa: BLE001 - whatever a binary package does when it is broken
            broken.append(f"{name} ({error})")
    if broken:
        yield Finding("grammars", "broken", f"cannot be loaded: {', '.join(broken)}", remedy)
    else:
        yield Finding("grammars", "ok", f"{count} grammars load")


def _embedded_model() -> Iterator[Finding]:
    from code_indexer.inference.embedded import MODEL_NAME, EmbeddedEmbedder

    remedy = "Install code-indexer anew: its model file is damaged"
    try:
        model = EmbeddedEmbedder()
        code = ["def read_file(path):\n    return open(path).read()", "the colour of the sky"]
        near, far = (model.embed_documents(code) @ model.embed_query("read a file")).tolist()
    except (OSError, ValueError, KeyError) as error:
        message = f"{MODEL_NAME} cannot be loaded: {error}"
        yield Finding("model", "broken", message, remedy)
        return
    if not far < near <= 1.001:
        yield Finding("model", "broken", f"{MODEL_NAME} embeds a test text wrongly", remedy)
        return
    size = model.identity.dimension
    yield Finding("model", "ok", f"{MODEL_NAME} embeds a test text, {size} dimensions")


def _index_root(services: Services) -> Iterator[Finding]:
    root = services.settings.index_root
    if not root.exists():
        yield Finding("index root", "ok", f"{root} is made when it is needed")
        return
    if not root.is_dir() or not os.access(root, os.R_OK | os.W_OK | os.X_OK):
        remedy = "Give the folder to yourself, or choose another INDEX_ROOT"
        yield Finding("index root", "broken", f"{root} cannot be read and written", remedy)
        return
    mode = stat.S_IMODE(root.stat().st_mode)
    if mode & _PRIVATE:
        message = f"{root} is open to others (mode {mode:04o}), and it holds your code"
        yield Finding("index root", "warn", message, f"chmod 700 {root}", "permissions")
        return
    yield Finding("index root", "ok", f"{root}")


def _disk(services: Services) -> Iterator[Finding]:
    root = services.settings.index_root
    place = next(one for one in (root, *root.parents) if one.exists())
    free = shutil.disk_usage(place).free
    message = f"{free // 1_000_000} MB free at {place}"
    if free < services.settings.min_free_disk:
        remedy = "Free some space, or set MIN_FREE_DISK lower: indexing stops until then"
        yield Finding("disk", "broken", message, remedy)
        return
    yield Finding("disk", "ok", message)


def _locks(services: Services) -> Iterator[Finding]:
    root = services.settings.index_root
    if not root.is_dir() or not os.access(root, os.W_OK):
        return
    handle, name = tempfile.mkstemp(prefix="doctor-", suffix=".lock", dir=root)
    os.close(handle)
    try:
        with exclusive_lock(Path(name)):
            is_seen = lock_is_held(Path(name))
    finally:
        Path(name).unlink(missing_ok=True)
    if not is_seen:
        remedy = "Choose an INDEX_ROOT on a local disk"
        yield Finding("locks", "broken", f"the file system of {root} keeps no locks", remedy)
        return
    held = [path for path in sorted(root.glob("*.lock")) if lock_is_held(path)]
    holders = [f"{path.stem} by process {lock_info(path).get('pid', '?')}" for path in held]
    yield Finding("locks", "ok", f"held: {', '.join(holders)}" if holders else "work, none is held")


def _inotify() -> Iterator[Finding]:
    if sys.platform != "linux":
        return
    try:
        watches, instances = (
            int((_SYSCTL / name).read_text(encoding="ascii"))
            for name in ("max_user_watches", "max_user_instances")
        )
    except (OSError, ValueError):
        remedy = "watch looks at the files in intervals instead; nothing else is affected"
        yield Finding("inotify", "warn", "its limits cannot be read", remedy)
        return
    message = f"{watches} watches, {instances} instances"
    if watches < _FEW_WATCHES:
        remedy = "For watch on large projects: sysctl fs.inotify.max_user_watches=524288"
        yield Finding("inotify", "warn", message, remedy)
        return
    yield Finding("inotify", "ok", message)


def _ollama(services: Services) -> Iterator[Finding]:
    if not services.settings.ollama_url:
        yield Finding("ollama", "ok", "not set; the model in the package embeds")
        return
    ollama = _impatient(services).ollama()
    assert ollama is not None
    version = ollama.server.version()
    identity = ollama.ensure_ready()
    message = f"{version} at {ollama.server.url}, {identity.model}, {identity.dimension} dimensions"
    placement = ollama.placement()
    yield Finding(
        "ollama", "ok", message + (f", on the {placement.processor}" if placement else "")
    )


def _qdrant(services: Services) -> Iterator[Finding]:
    if not services.settings.qdrant_url:
        yield Finding("qdrant", "ok", "not set; vectors lie in the manifest")
        return
    from code_indexer.storage.qdrant_server import OLDEST_VERSION, version_numbers

    server = _impatient(services).qdrant_server()
    version = server.version_text()
    numbers = version_numbers(version)
    if numbers and numbers < OLDEST_VERSION:
        oldest = ".".join(map(str, OLDEST_VERSION))
        message = f"{version} at {server.url} is too old"
        yield Finding("qdrant", "broken", message, f"Upgrade it to {oldest} or later")
        return
    server.ask("GET", "/collections")
    yield Finding("qdrant", "ok", f"{version or 'of unknown version'} at {server.url}")


def _impatient(services: Services) -> Engines:
    """Engines that do not wait long for a server that is away."""
    return Engines(replace(services.settings, server_patience=_SERVER_PATIENCE_SECONDS))


def _registry(services: Services) -> Iterator[Finding]:
    if not services.settings.index_root.is_dir():
        yield Finding("registry", "ok", "no projects yet")
        return
    remedy = "code-indexer doctor --repair (sets it aside and rebuilds it from the indexes)"
    try:
        damage = services.registry.integrity_check()
    except IndexCorruptError as error:
        damage = [error.message]
    if damage:
        yield Finding("registry", "broken", damage[0], remedy, "rebuild-registry")
        return
    yield Finding("registry", "ok", f"{len(services.projects())} projects")


def _left_behind(services: Services, projects: Iterable[Project]) -> Iterator[Finding]:
    for folder in unregistered(services, projects):
        owner = owner_of(folder)
        if owner is None:
            message = f"{folder} belongs to no registered project, and does not say to which"
            yield Finding("left behind", "warn", message, f"Delete it: rm -r {folder}")
        else:
            message = f"an index of {owner.root} that is not registered"
            remedy = "code-indexer doctor --repair (registers it again)"
            yield Finding("left behind", "warn", message, remedy, "register", owner)


def _project(services: Services, project: Project, languages: set[str]) -> Iterator[Finding]:
    subject = _subject(project)
    services.settings_of(project.root)  # a bad value in its own file is named by the error
    if not services.manifest_path(project).exists():
        remedy = f"code-indexer index-status {project.root}"
        yield Finding(subject, "warn", "nothing is indexed yet", remedy)
        return
    damage = _damage(services, project)
    if damage:
        services.forget_manifest(project)
        remedy = f"code-indexer reindex-project {project.root}"
        yield Finding(subject, "broken", damage, remedy, "rebuild", project)
        return
    status = project_status(services, project)
    languages |= set(status.languages)
    found = list(_project_warnings(services, project, status.state, status.problem))
    if services.engines.stores_on_server and not found:
        found += _collection(services, project)
    yield from found
    if not found:
        yield Finding(subject, "ok", f"{status.state}, {status.files} files, {project.root}")


def _project_warnings(
    services: Services, project: Project, state: str, problem: str | None
) -> Iterator[Finding]:
    subject = _subject(project)
    here = project.root
    if is_root_gone(here):
        remedy = f"code-indexer move-project {here} NEW, or code-indexer remove-project {here}"
        yield Finding(subject, "warn", f"the folder is gone or empty: {here}", remedy)
    elif state == "interrupted":
        remedy = f"code-indexer index-status {here} (goes on from there)"
        yield Finding(subject, "warn", "the last pass was interrupted", remedy)
    elif problem:
        yield Finding(subject, "warn", problem, f"code-indexer index-status {here}")
    elif state != "indexing" and (pending := services.manifest(project).counts().pending_files):
        remedy = f"code-indexer index-status {here}"
        yield Finding(subject, "warn", f"{pending} files have no vectors yet", remedy)


def _damage(services: Services, project: Project) -> str:
    """The first damage of the manifest; the whole of it is read unless a pass is writing."""
    try:
        manifest = services.manifest(project)
        manifest.check_quickly()
        if lock_is_held(services.lock_path(project)):
            return ""
        return next(iter(manifest.integrity_check()), "")
    except IndexCorruptError as error:
        return error.message


def _collection(services: Services, project: Project) -> Iterator[Finding]:
    from code_indexer.storage.qdrant_server import CollectionMissingError

    subject = _subject(project)
    remedy = "code-indexer doctor --repair (restores it from the manifest)"
    try:
        check = _impatient(services).qdrant(project, services.manifest(project)).check()
    except CollectionMissingError:
        message = f"the collection {project.collection} is gone"
        yield Finding(subject, "broken", message, remedy, "restore-vectors", project)
        return
    if not check.is_whole:
        message = f"the collection holds {check.found} of {check.expected} points"
        yield Finding(subject, "broken", message, remedy, "restore-vectors", project)


def _subject(project: Project) -> str:
    return f"project {project.name or project.slug}"
