"""The shapes of the tools' results, as JSON Schema.

What is unknown is left out rather than null, so that plain types are enough for every client. They
do not forbid further fields: results get new ones in time. Clients send the list of tools to the
model with each conversation, so a field is described only where its name does not say it, and what
stands beside the results is not spelled out in each tool.
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
_PERCENT = _said(_COUNT, "How much of the index is there.")
_WARNINGS = _list(_TEXT)
_CUT = _list(_TEXT, "What was left out for length, and how to get it.")

_ANSWERED: Schema = {
    "projects": _list({"type": "object"}, "Those asked: path, slug, state, coverage, pending."),
    "partial": _said(_FLAG, "The index was not complete yet: ask again later for the rest."),
    "warnings": _WARNINGS,
    "cut": _CUT,
}

SEARCH = _object(
    {
        "query": _TEXT,
        "mode": _TEXT,
        "confidence": _said(_TEXT, "high: the first results stand out; or low."),
        "results": _list(
            _object(
                {
                    "project": _TEXT,
                    "path": _TEXT,
                    "start_line": _COUNT,
                    "end_line": _COUNT,
                    "score": _SHARE,
                    "freshness": _TEXT,
                },
                {
                    "symbol": _TEXT,
                    "kind": _TEXT,
                    "language": _TEXT,
                    "snippet": _TEXT,
                    "also": _list(_SPAN),
                },
            ),
            "Best first.",
        ),
        **_ANSWERED,
    },
    {
        "percent": _PERCENT,
    },
)

SYMBOLS = _object(
    {
        "query": _TEXT,
        "match": _said(_TEXT, "place, exact, any case, substring or none."),
        "results": _list(
            _object(
                {
                    "project": _TEXT,
                    "path": _TEXT,
                    "line": _COUNT,
                    "start_line": _COUNT,
                    "end_line": _COUNT,
                    "name": _TEXT,
                    "qualified_name": _TEXT,
                    "kind": _TEXT,
                },
                {
                    "parent": _TEXT,
                    "is_declaration": _FLAG,
                    "signature": _TEXT,
                    "documentation": _TEXT,
                },
            )
        ),
        "total": _COUNT,
        "left_out": _COUNT,
        "suggestions": _list(_TEXT),
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
                    "relationship": _TEXT,
                    "confidence": _said(_TEXT, "exact, likely or heuristic."),
                },
                {
                    "enclosing": _said(_TEXT, "The symbol around the place."),
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
        "left_out": _COUNT,
        "suggestions": _list(_TEXT),
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
    "path": _TEXT,
    "slug": _TEXT,
    "state": _TEXT,
    "files": _COUNT,
    "chunks": _COUNT,
}
_PROJECT_MORE: Mapping[str, Schema] = {
    "name": _TEXT,
    "last_indexed": _TEXT,
    "percent": _PERCENT,
    "progress": _TEXT,
    "problem": _TEXT,
}
_SHORT = _object(_PROJECT, _PROJECT_MORE)
_FULL = _object(
    {**_PROJECT, "symbols": _COUNT, "references": _COUNT, "coverage": _SHARE},
    {
        **_PROJECT_MORE,
        "languages": _said(_COUNTS, "Files by language."),
        "skipped": _said(_COUNTS, "Files and folders left out, by reason."),
        "skipped_files": _list({"type": "object"}),
        "failed": _list({"type": "object"}),
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
        "in_background": _said(_FLAG, "A pass goes on."),
    }
)
REMOVED = _object({"removed": _FLAG, "project": _SHORT})
