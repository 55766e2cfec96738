import pytest

from code_indexer.inference.prompts import Prompts, base_name, prompts_for

PASSAGES = "Represent this sentence for searching relevant passages: find it"


@pytest.mark.parametrize(
    ("model", "query", "document"),
    [
        ("nomic-embed-text", "search_query: find it", "search_document: code"),
        ("nomic-embed-text-v2-moe:latest", "search_query: find it", "search_document: code"),
        (
            "manutic/nomic-embed-code:7b-q4_K_M",
            "Represent this query for searching relevant code: find it",
            "code",
        ),
        (
            "embeddinggemma:300m",
            "task: code retrieval | query: find it",
            "title: none | text: code",
        ),
        ("mxbai-embed-large:335m-v1-fp16", PASSAGES, "code"),
        ("bge-large", PASSAGES, "code"),
        ("hf.co/BAAI/bge-small-en-v1.5", PASSAGES, "code"),
        ("bge-m3:567m", "find it", "code"),
        ("snowflake-arctic-embed:33m", PASSAGES, "code"),
        ("snowflake-arctic-embed2", "query: find it", "code"),
        ("snowflake-arctic-embed-m-v2.0", "query: find it", "code"),
        (
            "jina-code-embeddings-0.5b",
            "Find the most relevant code snippet given the following query:\nfind it",
            "Candidate code snippet:\ncode",
        ),
        ("jina/jina-embeddings-v2-base-code", "find it", "code"),
        ("all-minilm:l6-v2", "find it", "code"),
        ("granite-embedding:30m", "find it", "code"),
        ("some-model-of-tomorrow", "find it", "code"),
    ],
)
def test_each_family_is_asked_as_its_card_says(model, query, document):
    prompts = prompts_for(model)

    assert query == prompts.query_text("find it")
    assert document == prompts.document_text("code")


@pytest.mark.parametrize("tag", ["", ":8b", ":0.6b-q8_0", ":latest"])
def test_qwen3_is_told_its_task(tag):
    query = prompts_for(f"qwen3-embedding{tag}").query_text("find it")

    assert query.startswith("Instruct: Given a natural language query about a codebase")
    assert query.endswith("\nQuery:find it")


def test_prompts_can_be_overridden_as_template_or_as_prefix():
    prompts = prompts_for("nomic-embed-text", query="<{text}>", document="doc: ")

    assert "<find it>" == prompts.query_text("find it")
    assert "doc: code" == prompts.document_text("code")


def test_the_version_changes_with_the_document_prompt_alone():
    assert Prompts(query="a {text}").version == Prompts(query="b {text}").version
    assert Prompts(document="a {text}").version != Prompts(document="b {text}").version


def test_braces_of_the_text_are_left_alone():
    assert "q: {text} {0} {" == Prompts(query="q: {text}").query_text("{text} {0} {")


@pytest.mark.parametrize(
    "name", ["Qwen3-Embedding:8b", "reg.example/ns/qwen3-embedding", "qwen3-embedding:latest"]
)
def test_the_base_name_has_neither_registry_nor_tag(name):
    assert "qwen3-embedding" == base_name(name)
