"""Local code search that is never stale: the operations as a typed library.

A name is loaded from its module when it is first used, so that importing the package costs nothing.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from code_indexer.core.asking import Scope as Scope
    from code_indexer.core.asking import bring_up_to_date as bring_up_to_date
    from code_indexer.core.code_context import get_code_context as get_code_context
    from code_indexer.core.configuration import Configuration as Configuration
    from code_indexer.core.configuration import describe_configuration as describe_configuration
    from code_indexer.core.doctor import Finding as Finding
    from code_indexer.core.doctor import diagnose as diagnose
    from code_indexer.core.evaluation import Evaluation as Evaluation
    from code_indexer.core.evaluation import LabelledQuery as LabelledQuery
    from code_indexer.core.evaluation import evaluate as evaluate
    from code_indexer.core.evaluation import read_queries as read_queries
    from code_indexer.core.migration import Migrated as Migrated
    from code_indexer.core.migration import migrate_vectors as migrate_vectors
    from code_indexer.core.projects import add_project as add_project
    from code_indexer.core.projects import index_status as index_status
    from code_indexer.core.projects import list_projects as list_projects
    from code_indexer.core.projects import lookup_project as lookup_project
    from code_indexer.core.projects import reindex_project as reindex_project
    from code_indexer.core.projects import remove_project as remove_project
    from code_indexer.core.queries import semantic_search as semantic_search
    from code_indexer.core.repairs import Repaired as Repaired
    from code_indexer.core.repairs import repair as repair
    from code_indexer.core.results import AddedProject as AddedProject
    from code_indexer.core.results import CodeContextAnswer as CodeContextAnswer
    from code_indexer.core.results import ProjectReference as ProjectReference
    from code_indexer.core.results import ProjectStatus as ProjectStatus
    from code_indexer.core.results import ProjectSymbol as ProjectSymbol
    from code_indexer.core.results import ReferencesFound as ReferencesFound
    from code_indexer.core.results import SearchAnswer as SearchAnswer
    from code_indexer.core.results import SearchedProject as SearchedProject
    from code_indexer.core.results import SymbolsFound as SymbolsFound
    from code_indexer.core.search_request import SearchRequest as SearchRequest
    from code_indexer.core.services import Services as Services
    from code_indexer.core.similar import find_similar as find_similar
    from code_indexer.core.symbols import find_definition as find_definition
    from code_indexer.core.symbols import find_references as find_references
    from code_indexer.core.symbols import find_symbol as find_symbol
    from code_indexer.core.transfer import ExportedIndex as ExportedIndex
    from code_indexer.core.transfer import ImportedIndex as ImportedIndex
    from code_indexer.core.transfer import export_index as export_index
    from code_indexer.core.transfer import import_index as import_index
    from code_indexer.core.upkeep import GoneProject as GoneProject
    from code_indexer.core.upkeep import MovedProject as MovedProject
    from code_indexer.core.upkeep import gone_projects as gone_projects
    from code_indexer.core.upkeep import move_project as move_project
    from code_indexer.core.upkeep import prune_projects as prune_projects
    from code_indexer.core.usage import UsageStats as UsageStats
    from code_indexer.core.usage import clear_usage as clear_usage
    from code_indexer.core.usage import usage_stats as usage_stats
    from code_indexer.core.why import FileReasons as FileReasons
    from code_indexer.core.why import why as why
    from code_indexer.errors import CodeIndexerError as CodeIndexerError
    from code_indexer.errors import IndexBusyError as IndexBusyError
    from code_indexer.errors import IndexCorruptError as IndexCorruptError
    from code_indexer.errors import InvalidSettingError as InvalidSettingError
    from code_indexer.errors import ModelChangedError as ModelChangedError
    from code_indexer.errors import NameTakenError as NameTakenError
    from code_indexer.errors import OutsideProjectError as OutsideProjectError
    from code_indexer.errors import ProjectNotFoundError as ProjectNotFoundError
    from code_indexer.errors import ServiceUnavailableError as ServiceUnavailableError
    from code_indexer.errors import StateError as StateError
    from code_indexer.errors import UnsuitableRootError as UnsuitableRootError
    from code_indexer.errors import UsageError as UsageError
    from code_indexer.indexing.progress import PassProgress as PassProgress
    from code_indexer.indexing.progress import ReportProgress as ReportProgress
    from code_indexer.settings import Settings as Settings
    from code_indexer.settings import load_settings as load_settings
    from code_indexer.types import IndexReport as IndexReport
    from code_indexer.types import Project as Project
    from code_indexer.types import Reference as Reference
    from code_indexer.types import SearchHit as SearchHit
    from code_indexer.types import Symbol as Symbol

__version__ = "0.1.0"

_HOMES = {
    "core.asking": "Scope bring_up_to_date",
    "core.code_context": "get_code_context",
    "core.configuration": "Configuration describe_configuration",
    "core.doctor": "Finding diagnose",
    "core.evaluation": "Evaluation LabelledQuery evaluate read_queries",
    "core.migration": "Migrated migrate_vectors",
    "core.projects": (
        "add_project index_status list_projects lookup_project reindex_project remove_project"
    ),
    "core.queries": "semantic_search",
    "core.repairs": "Repaired repair",
    "core.results": (
        "AddedProject CodeContextAnswer ProjectReference ProjectStatus ProjectSymbol "
        "ReferencesFound SearchAnswer SearchedProject SymbolsFound"
    ),
    "core.search_request": "SearchRequest",
    "core.services": "Services",
    "core.similar": "find_similar",
    "core.symbols": "find_definition find_references find_symbol",
    "core.transfer": "ExportedIndex ImportedIndex export_index import_index",
    "core.upkeep": "GoneProject MovedProject gone_projects move_project prune_projects",
    "core.usage": "UsageStats clear_usage usage_stats",
    "core.why": "FileReasons why",
    "errors": (
        "CodeIndexerError IndexBusyError IndexCorruptError InvalidSettingError "
        "ModelChangedError NameTakenError OutsideProjectError ProjectNotFoundError "
        "ServiceUnavailableError StateError UnsuitableRootError UsageError"
    ),
    "indexing.progress": "PassProgress ReportProgress",
    "settings": "Settings load_settings",
    "types": "IndexReport Project Reference SearchHit Symbol",
}
"""Names by the module that each lives in."""

__all__ = [  # noqa: PLE0604 - tests/unit/test_public_names.py compares it with the imports above
    "__version__",
    *(name for names in _HOMES.values() for name in names.split()),
]


def __getattr__(name: str) -> object:
    from importlib import import_module  # noqa: PLC0415 - seldom wanted

    home = next((home for home, names in _HOMES.items() if name in names.split()), None)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return __all__
