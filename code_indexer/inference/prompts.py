"""What is put around a query or a document before a model of some family embeds it."""

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

_TEXT = "{text}"
# Raised when texts are cut or joined with their prompt in another way.
_LAYOUT_VERSION = 1


@dataclass(frozen=True, slots=True)
class Prompts:
    """Two templates in which ``{text}`` stands for what is embedded."""

    query: str = _TEXT
    document: str = _TEXT

    @property
    def version(self) -> int:
        """Changes with the document template: stored vectors depend on it, on the query's not."""
        return zlib.crc32(f"{_LAYOUT_VERSION}|{self.document}".encode())

    def query_text(self, text: str) -> str:
        """The query as the model wants to see it."""
        return self.query.replace(_TEXT, text)

    def document_text(self, text: str) -> str:
        """The document as the model wants to see it."""
        return self.document.replace(_TEXT, text)


_PASSAGES = Prompts(query="Represent this sentence for searching relevant passages: {text}")
_CODE_TASK = "Given a natural language query about a codebase, retrieve relevant code snippets"

# First match wins. Patterns are for the base name in lower case, without namespace and tag.
# The words are those of the models' cards.
_FAMILIES: Sequence[tuple[str, Prompts]] = (
    (r"qwen3-embedding|qwen3-.*embed", Prompts(query=f"Instruct: {_CODE_TASK}\nQuery:{{text}}")),
    (
        r"embeddinggemma|embedding-gemma",
        Prompts(
            query="task: code retrieval | query: {text}", document="title: none | text: {text}"
        ),
    ),
    (
        r"nomic-embed-code",
        Prompts(query="Represent this query for searching relevant code: {text}"),
    ),
    (
        r"nomic-embed",
        Prompts(query="search_query: {text}", document="search_document: {text}"),
    ),
    (r"mxbai-embed", _PASSAGES),
    (r"bge-m3", Prompts()),
    (r"bge-.*-en|bge-(small|base|large)", _PASSAGES),
    (r"snowflake-arctic-embed-?(2|.*v2)", Prompts(query="query: {text}")),
    (r"snowflake-arctic-embed", _PASSAGES),
    (
        r"jina-code-embeddings",
        Prompts(
            query="Find the most relevant code snippet given the following query:\n{text}",
            document="Candidate code snippet:\n{text}",
        ),
    ),
    (r"multilingual-e5.*instruct", Prompts(query=f"Instruct: {_CODE_TASK}\nQuery: {{text}}")),
    (r"(^|[-_])e5[-_]", Prompts(query="query: {text}", document="passage: {text}")),
)


def base_name(model: str) -> str:
    """The name a model is published under: no registry, namespace or tag, in lower case."""
    return model.rsplit("/", 1)[-1].partition(":")[0].lower()


def prompts_for(model: str, *, query: str | None = None, document: str | None = None) -> Prompts:
    """The prompts of the model's family; *query* and *document* override them.

    An override without ``{text}`` is taken as a prefix. Families without prompts (all-minilm,
    granite-embedding, jina-embeddings-v2, bge-m3 and every unknown model) get the bare text.
    """
    known = next(
        (prompts for pattern, prompts in _FAMILIES if re.search(pattern, base_name(model))),
        Prompts(),
    )
    return Prompts(
        query=known.query if query is None else _template(query),
        document=known.document if document is None else _template(document),
    )


def _template(written: str) -> str:
    return written if _TEXT in written else written + _TEXT
