"""The shapes of the tools' results, as JSON Schema.

What is unknown is left out rather than null, so that plain types are enough for every client. They
do not forbid further fields: results get new ones in time.
"""

from collections.abc import Mapping
from typing import Any, TypeAlias

Schema: TypeAlias = dict[str, Any]

_TEXT: Schema = {"type": "string"}
_COUNT: Schema = {"type": "integer"}
_SHARE: Schema = {"type": "number"}
_FLAG: Schema = {"type": "boolean"}
_COUNTS: Schema = {"type": "object", "additionalProperties": _COUNT}


def _said(schema: Schema, description: str) -> Schema:
    return {**schema, "description": description}


def _list(items: Schema, description: str = "") -> Schema:
    schema: Schema = {"type": "array", "items": items}
    return _said(schema, description) if description else schema


def _object(required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None) -> Schema:
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
    }


_SPAN = _object({"start_line": _COUNT, "end_line": _COUNT})
_PERCENT = _said(_COUNT, "How much of the files (or vectors) the index holds; 100 is all.")
_WARNINGS = _list(_TEXT, "What to know about this answer, with what to do.")
_CUT = _list(_TEXT, "What was left out to keep the answer short, and how to get it.")

_SEARCHED = _object(
    {
        "path": _said(_TEXT, "Absolute path of the project's folder."),
        "slug": _TEXT,
        "state": _said(_TEXT, "idle, indexing, partial, missing or damaged."),
        "coverage": _said(_SHARE, "Share of the chunks that have vectors, from 0 to 1."),
        "pending": _said(_COUNT, "Files that wait for vectors."),
    },
    {"name": _TEXT, "percent": _PERCENT},
)
_ANSWERED: Schema = {
    "projects": _list(_SEARCHED, "The projects asked."),
    "partial": _said(_FLAG, "The index was not complete yet: ask again later for the rest."),
    "warnings": _WARNINGS,
    "cut": _CUT,
}

SEARCH = _object(
    {
        "query": _TEXT,
        "mode": _said(_TEXT, "hybrid (meaning and words) or lexical (words alone)."),
        "confidence": _said(
            _TEXT, "high: some first results stand clearly above the rest; or low."
        ),
        "results": _list(
            _object(
                {
                    "project": _TEXT,
                    "path": _said(_TEXT, "Relative to the project's folder."),
                    "start_line": _COUNT,
                    "end_line": _COUNT,
                    "score": _said(_SHARE, "Higher is better."),
                    "freshness": _said(
                        _TEXT, "fresh or corrected: compared with the file a moment ago."
                    ),
                },
                {
                    "symbol": _TEXT,
                    "kind": _TEXT,
                    "language": _TEXT,
                    "snippet": _TEXT,
                    "also": _list(_SPAN, "Other spans of the file that match."),
                },
            ),
            "Best first.",
        ),
        **_ANSWERED,
    },
    {
        "percent": _PERCENT,
        "left_out": _said(_COUNT, "Matching places that were left out to keep the answer short."),
    },
)

SYMBOLS = _object(
    {
        "query": _TEXT,
        "match": _said(_TEXT, "How they were found: place, exact, any case, substring or none."),
        "results": _list(
            _object(
                {
                    "project": _TEXT,
                    "path": _TEXT,
                    "line": _said(_COUNT, "Where the name stands."),
                    "start_line": _COUNT,
                    "end_line": _COUNT,
                    "name": _TEXT,
                    "qualified_name": _TEXT,
                    "kind": _TEXT,
                },
                {
                    "language": _TEXT,
                    "parent": _TEXT,
                    "visibility": _TEXT,
                    "is_test": _FLAG,
                    "is_declaration": _FLAG,
                    "signature": _TEXT,
                    "documentation": _TEXT,
                },
            )
        ),
        "total": _COUNT,
        "left_out": _said(_COUNT, "Symbols of a lesser kind that share the name."),
        "suggestions": _list(_TEXT, "Names like the one that was not found."),
        **_ANSWERED,
    },
    {"percent": _PERCENT},
)

REFERENCES = _object(
    {
        "query": _TEXT,
        "results": _list(
            _object(
                {
                    "project": _TEXT,
                    "path": _TEXT,
                    "line": _COUNT,
                    "column": _COUNT,
                    "name": _TEXT,
                    "relationship": _said(_TEXT, "calls, inherits, includes or references."),
                    "confidence": _said(_TEXT, "exact, likely or heuristic."),
                },
                {
                    "enclosing": _said(_TEXT, "The symbol around the place."),
                    "language": _TEXT,
                    "through": _said(_TEXT, "The macro that brings the name in."),
                    "means": _list(_TEXT, "The definitions it may mean."),
                },
            ),
            "Surest first.",
        ),
        "total": _COUNT,
        "by_relationship": _COUNTS,
        "by_confidence": _COUNTS,
        "meanings": _list(
            _object({"project": _TEXT, "symbol": _TEXT, "kind": _TEXT, "defined_in": _TEXT}),
            "What the name means.",
        ),
        "left_out": _said(_COUNT, "Uses of fields and the like that share the name."),
        "suggestions": _list(_TEXT, "Names like the one that was not found."),
        **_ANSWERED,
    },
    {"percent": _PERCENT},
)

CONTEXT = _object(
    {
        "project": _TEXT,
        "path": _TEXT,
        "start_line": _COUNT,
        "end_line": _COUNT,
        "total_lines": _COUNT,
        "text": _TEXT,
        "warnings": _WARNINGS,
        "cut": _CUT,
    },
    {
        "language": _TEXT,
        "symbol": _TEXT,
        "kind": _TEXT,
        "others": _list(
            _object({"symbol": _TEXT, "start_line": _COUNT, "end_line": _COUNT}),
            "Further symbols of that name in the file.",
        ),
    },
)

_PROJECT: Mapping[str, Schema] = {
    "path": _said(_TEXT, "Absolute path of the project's folder."),
    "slug": _TEXT,
    "state": _said(_TEXT, "idle, indexing, interrupted, failed, empty, missing or damaged."),
    "files": _COUNT,
    "chunks": _COUNT,
}
_PROJECT_MORE: Mapping[str, Schema] = {
    "name": _TEXT,
    "last_indexed": _said(_TEXT, "ISO 8601, UTC."),
    "percent": _PERCENT,
    "progress": _said(_TEXT, "What a running pass has done."),
    "problem": _said(_TEXT, "What is wrong, with what to do."),
}
_SHORT = _object(_PROJECT, _PROJECT_MORE)
_FULL = _object(
    {**_PROJECT, "symbols": _COUNT, "references": _COUNT, "coverage": _SHARE},
    {
        **_PROJECT_MORE,
        "collection": _TEXT,
        "embedded_chunks": _COUNT,
        "languages": _said(_COUNTS, "Files by language."),
        "skipped": _said(_COUNTS, "Files and folders left out, by reason."),
        "skipped_files": _list(
            _object({"path": _TEXT, "reason": _TEXT}, {"detail": _TEXT}),
            "Those that one may not expect.",
        ),
        "failed": _list(_object({"path": _TEXT, "error": _TEXT})),
        "degraded": _said(_COUNTS, "Files without structure, by the reason why."),
        "index_bytes": _COUNT,
        "engine": _TEXT,
        "last_pass": {"type": "object"},
    },
)

STATUS = _object(
    {
        "project": _FULL,
        "partial": _ANSWERED["partial"],
        "warnings": _WARNINGS,
        "cut": _CUT,
    }
)
LISTED = _object({"projects": _list(_SHORT), "cut": _CUT})
LOOKED_UP = _object({"registered": _FLAG}, {"project": _SHORT})
ADDED = _object(
    {
        "project": _SHORT,
        "created": _said(_FLAG, "It was registered by this call."),
        "in_background": _said(_FLAG, "A pass goes on; index_status tells how far it is."),
    }
)
REMOVED = _object({"removed": _FLAG, "project": _SHORT})
