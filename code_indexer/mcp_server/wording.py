"""Messages that were written for the command line, in the words of an agent's tools."""

import re

_COMMAND = re.compile(
    r"code-indexer (?=[a-z]+-)|(?<![\w/-])"
    r"((?:add|lookup|list|remove|reindex)-projects?|index-status|semantic-search"
    r"|find-(?:symbol|definition|references)|get-code-context)(?![\w-])"
)
_OPTION = re.compile(r"--(project|limit|name|file-filter|relationship|start-line|end-line)\b")


def for_agents(text: str) -> str:
    """*text* with commands and options named as the tools and arguments that do the same."""
    text = text.replace(" QUERY --project PATH", " and the folder's path as project")
    text = _COMMAND.sub(lambda match: (match[1] or "").replace("-", "_"), text)
    return _OPTION.sub(lambda match: match[1].replace("-", "_"), text)
