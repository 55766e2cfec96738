"""Small projects in a manifest, parsed for real."""

from pathlib import Path

from storage_builders import make_rows, open_manifest

from code_indexer.languages import language_of
from code_indexer.parsing.parse import parse_file
from code_indexer.storage.manifest import Manifest


def manifest_of(folder: Path, files: dict[str, str]) -> Manifest:
    """A manifest with the symbols and references of *files* (path to text)."""
    manifest = open_manifest(folder)
    rows = []
    for path, text in files.items():
        language = language_of(path)
        parsed = parse_file(path, text, language.name if language else None)
        rows.append(
            make_rows(
                path,
                texts=(text,),
                language=parsed.language,
                symbols=parsed.symbols,
                references=parsed.references,
            )
        )
    manifest.write_files(rows)
    return manifest
