"""The table of the tools: names, arguments, and the words by which an agent chooses among them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from code_indexer.mcp_server.schemas import (
    ADDED,
    CONTEXT,
    LISTED,
    LOOKED_UP,
    REFERENCES,
    REMOVED,
    SEARCH,
    STATUS,
    SYMBOLS,
    Schema,
)


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a tool."""

    name: str
    kind: Literal["text", "count"]
    description: str
    required: bool = False
    default: int | None = None
    minimum: int | None = None
    choices: tuple[str, ...] = ()

    @property
    def schema(self) -> Schema:
        """As JSON Schema, in keywords that every client knows."""
        schema: Schema = {
            "type": "string" if self.kind == "text" else "integer",
            "description": self.description,
        }
        if self.choices:
            schema["enum"] = list(self.choices)
        if self.minimum is not None:
            schema["minimum"] = self.minimum
        if self.default is not None:
            schema["default"] = self.default
        return schema


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool."""

    name: str
    title: str
    description: str
    arguments: tuple[Argument, ...]
    output: Schema
    reads_only: bool = True
    destroys: bool = False

    @property
    def input_schema(self) -> Schema:
        """The arguments as JSON Schema."""
        return {
            "type": "object",
            "properties": {each.name: each.schema for each in self.arguments},
            "required": [each.name for each in self.arguments if each.required],
            "additionalProperties": False,
        }


INSTRUCTIONS = """\
Search of code on this machine, in any number of projects (folders). Prefer it to grep and to
opening files one by one when you do not know yet where something is.

- You know what the code does, not what it is called: semantic_search.
- You know a name: find_definition (where is it defined), find_references (who calls, imports or
  inherits it), find_symbol (the name is partial or its spelling unsure).
- You know file and lines, or file and symbol: get_code_context.
- You have code and look for more of its kind: find_similar.

Give `project` as the absolute path of the folder you work in; a folder that is new is indexed by
the first search. Without `project` all registered projects are searched. There is no indexing
step: each tool brings the index up to date before it answers. An answer that says "partial" was
given while the index was still being built; ask again a little later for the rest. Use grep for
regular expressions and for every occurrence of a literal text."""

_PROJECT = Argument(
    "project",
    "text",
    "Absolute path of the project's folder, or its registered name or slug. Default: every"
    " registered project.",
)
_PATH = Argument(
    "path",
    "text",
    "Absolute path of the project's folder, or its registered name or slug.",
    required=True,
)
_NAME = Argument(
    "name",
    "text",
    "A name as in the code: bare (refresh) or qualified (Session.refresh, pkg::Type::new), or the"
    " place of a definition as path:line.",
    required=True,
)
_SYMBOL_TYPE = Argument(
    "symbol_type",
    "text",
    "Only this kind, or several with commas: function, method, class, struct, interface, enum,"
    " trait, type, variable, constant, module, macro, …",
)

TOOLS: Mapping[str, Tool] = {
    tool.name: tool
    for tool in (
        Tool(
            "semantic_search",
            "Search code by meaning",
            "Find code by what it does, in your own words or with words that stand in it. Use it"
            " first when you do not know the name or the file: 'where are expired sessions"
            " deleted', 'retry with backoff', an error message, a feature. It ranks by meaning"
            " and by words together and gives one hit per file: path:lines, symbol, snippet."
            " Covers code, documentation and configuration. With an exact name, find_definition"
            " and find_references are surer. A project folder that is not registered yet is"
            " registered and indexed by the search.",
            (
                Argument(
                    "query",
                    "text",
                    "What you look for: a question, a description of behaviour, names, an error"
                    " message.",
                    required=True,
                ),
                _PROJECT,
                Argument(
                    "limit", "count", "At most so many hits (100 at most).", default=8, minimum=1
                ),
                Argument(
                    "file_filter",
                    "text",
                    "Only files that match this glob: '*.py', 'src/**', 'tests/**/*.ts'. Several"
                    " with commas; one that starts with ! excludes.",
                ),
            ),
            SEARCH,
        ),
        Tool(
            "find_definition",
            "Go to a definition",
            "Where is this name defined? Gives the place, kind and signature of every definition"
            " of exactly this function, method, class, type, constant, … Use it when you have"
            " seen a name in code and want what it is. For a name you know in part use"
            " find_symbol, for its uses find_references.",
            (_NAME, _PROJECT),
            SYMBOLS,
        ),
        Tool(
            "find_references",
            "Find uses of a name",
            "Who uses this name? Gives the places that call, inherit from, import or mention a"
            " symbol, each with the function around it and how sure it is, surest first. Use it"
            " before you change or remove something, or to learn how it is used. It understands"
            " scopes and imports, so it beats grep for a name that is common.",
            (
                _NAME,
                _PROJECT,
                Argument(
                    "relationship",
                    "text",
                    "Only these uses: calls; inherits (subclasses, implementations); includes"
                    " (imports of it); references (other mentions). Default: all.",
                    choices=("calls", "inherits", "includes", "references"),
                ),
                Argument(
                    "limit", "count", "At most so many places (200 at most).", default=25, minimum=1
                ),
            ),
            REFERENCES,
        ),
        Tool(
            "find_symbol",
            "Find symbols by name",
            "Find functions, methods, classes and other symbols by a name that is partial or"
            " unsure: exact matches first, then in any letter case, then names that contain it"
            " ('token' finds refreshToken and TokenStore). Can be narrowed to a kind with"
            " symbol_type. For the definition of a name you know exactly use find_definition.",
            (_NAME, _PROJECT, _SYMBOL_TYPE),
            SYMBOLS,
        ),
        Tool(
            "find_similar",
            "Find similar code",
            "Find code like the code at a place that you know: copies, variants, other ways to do"
            " the same. Use it to change all copies of something, or to see how the same was done"
            " elsewhere before you write it again. To find code from a description use"
            " semantic_search.",
            (
                Argument(
                    "place",
                    "text",
                    "A line of the code, as path:line; the path relative to the project's folder or"
                    " absolute.",
                    required=True,
                ),
                _PROJECT,
                Argument(
                    "limit", "count", "At most so many hits (100 at most).", default=8, minimum=1
                ),
            ),
            SEARCH,
        ),
        Tool(
            "get_code_context",
            "Read lines of a file",
            "Read source lines of one file of a project as it is now: a range of lines, or the"
            " whole body of a symbol by its name (without knowing its lines). Use it after a"
            " search gave you path:lines, to see more than the snippet. Without lines and symbol"
            " it gives the file from its start.",
            (
                Argument(
                    "file",
                    "text",
                    "The file: relative to the project's folder as the other tools print it, or"
                    " absolute.",
                    required=True,
                ),
                Argument(
                    "project",
                    "text",
                    "Absolute path of the project's folder, or its registered name or slug. Not"
                    " needed for an absolute file, or where one project alone has such a file.",
                ),
                Argument("start_line", "count", "First line, counted from 1.", minimum=1),
                Argument("end_line", "count", "Last line, itself included.", minimum=1),
                Argument(
                    "symbol",
                    "text",
                    "Instead of lines: a function, class or other symbol of the file.",
                ),
                Argument(
                    "context_lines",
                    "count",
                    "So many lines more before and after.",
                    default=0,
                    minimum=0,
                ),
            ),
            CONTEXT,
        ),
        Tool(
            "index_status",
            "Status of an index",
            "Bring a project's index up to date and say what it holds: files, languages, symbols,"
            " how far a running pass is, and which files were left out and why. Use it when a"
            " search misses something that should be there, or to see whether indexing is done.",
            (_PATH,),
            STATUS,
        ),
        Tool(
            "list_projects",
            "List projects",
            "List every registered project with its path, name, slug, state and size. Use it to"
            " learn what can be searched and how projects are called.",
            (),
            LISTED,
        ),
        Tool(
            "lookup_project",
            "Look up a project",
            "Say whether a folder is registered as a project, and its name, slug and state. Looks"
            " at nothing and indexes nothing.",
            (_PATH,),
            LOOKED_UP,
        ),
        Tool(
            "add_project",
            "Register a project",
            "Register a folder as a project and index it in the background; returns at once."
            " Seldom needed, as a search of a folder registers it: use it to give the project a"
            " name, or to index a large one ahead. Adding it again returns its status and starts"
            " nothing.",
            (
                Argument("path", "text", "Absolute path of the folder to register.", required=True),
                Argument(
                    "name",
                    "text",
                    "A name to call the project by: letters, digits, _ and -.",
                ),
            ),
            ADDED,
            reads_only=False,
        ),
        Tool(
            "reindex_project",
            "Rebuild an index",
            "Build a project's index anew, from every file. Only needed when another tool says"
            " that the index is damaged or was made with another model: ordinary changes are"
            " picked up by every search. Searches keep the old index until the new one is"
            " complete.",
            (_PATH,),
            ADDED,
            reads_only=False,
        ),
        Tool(
            "remove_project",
            "Remove a project",
            "Forget a project and delete its index. The project's own files are not touched. Do"
            " this only when the user asks for it.",
            (_PATH,),
            REMOVED,
            reads_only=False,
            destroys=True,
        ),
    )
}
"""In the order in which clients list them: the most useful first."""
