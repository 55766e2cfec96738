"""Messages that were written for the command line, in an agent's words and never without end."""

import re

_FIRST_SEARCH = re.compile(r"code-indexer (?:semantic-)?search QUERY --project (?:PATH|\.)")
_COMMAND = re.compile(
    r"code-indexer (?=[a-z]+-)|(?<![\w/-])"
    r"((?:add|lookup|list|remove|reindex)-projects?|index-status|semantic-search"
    r"|find-(?:symbol|definition|references)|get-code-context)(?![\w-])"
)
_OPTION = re.compile(r"--(project|limit|name|file-filter|relationship|start-line|end-line)\b")
_MAX_CHARACTERS = 1_000
_END_CHARACTERS = 250


def for_agents(text: str) -> str:
    """*text* with commands and options named as the tools and arguments that do the same."""
    text = bounded(text)
    text = _FIRST_SEARCH.sub("semantic_search with its absolute path as project", text)
    text = _COMMAND.sub(lambda match: (match[1] or "").replace("-", "_"), text)
    return _OPTION.sub(lambda match: match[1].replace("-", "_"), text)


def bounded(text: str) -> str:
    """*text*, or its start and its end: it may repeat what was asked, however long that was."""
    if len(text) <= _MAX_CHARACTERS:
        return text
    return f"{text[: _MAX_CHARACTERS - _END_CHARACTERS]} … {text[-_END_CHARACTERS:]}"
