"""Which language a file is in."""

import subprocess
import sys

import pytest

from code_indexer.languages import (
    _OTHER_NAMES,
    LANGUAGES,
    is_data,
    is_minified,
    language_of,
    languages_called,
)


def name_of(path: str, first_line: bytes = b"") -> str | None:
    language = language_of(path, first_line)
    return language.name if language is not None else None


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        *(
            ("a/b.py", "python"),
            ("a.pyi", "python"),
            ("a.js", "javascript"),
            ("a.jsx", "javascript"),
        ),
        *(
            ("a.mjs", "javascript"),
            ("a.ts", "typescript"),
            ("a.tsx", "tsx"),
            ("a.d.ts", "typescript"),
        ),
        *(("a.go", "go"), ("a.rs", "rust"), ("a.java", "java"), ("a.c", "c"), ("a.h", "c")),
        *(("a.cpp", "cpp"), ("a.hh", "cpp"), ("a.C", "cpp"), ("a.cs", "csharp"), ("a.php", "php")),
        *(("a.rb", "ruby"), ("Gemfile", "ruby"), ("a.kt", "kotlin"), ("a.kts", "kotlin")),
        *(("a.swift", "swift"), ("a.scala", "scala"), ("a.ex", "elixir"), ("a.exs", "elixir")),
        *(("a.lua", "lua"), ("a.sh", "bash"), ("a.bats", "bash"), (".bashrc", "bash")),
        *(
            ("a.hs", "haskell"),
            ("a.zig", "zig"),
            ("a.zon", "zig"),
            ("a.sql", "sql"),
            ("a.tf", "hcl"),
        ),
        *(("a.proto", "proto"), ("a.graphql", "graphql"), ("a.vue", "vue"), ("a.svelte", "svelte")),
        *(("a.ipynb", "notebook"), ("a.html", "html"), ("a.css", "css"), ("a.dart", "dart")),
        *(("a.R", "r"), ("a.jl", "julia"), ("a.pl", "perl"), ("a.blade.php", "blade")),
        *(("README.md", "markdown"), ("a.rst", "restructuredtext"), ("a.adoc", "asciidoc")),
        *(("a.txt", "text"), ("LICENSE", "text"), ("README", "text"), ("license", "text")),
        *(("a.yml", "yaml"), ("a.toml", "toml"), ("a.json", "json"), ("a.ini", "ini")),
        *((".editorconfig", "ini"), ("Dockerfile", "dockerfile"), ("Dockerfile.dev", "dockerfile")),
        *(("app.dockerfile", "dockerfile"), ("Makefile", "makefile"), ("makefile", "makefile")),
        *(
            ("rules.mk", "makefile"),
            ("CMakeLists.txt", "cmake"),
            ("requirements.txt", "requirements"),
        ),
        *(("go.mod", "gomod"), (".eslintrc", "json"), ("Jenkinsfile", "jenkinsfile")),
        *((".env.example", "properties"), (".gitignore", "gitignore"), ("pom.xml", "xml")),
        *(
            ("config.h.in", "c"),
            ("app.yml.dist", "yaml"),
            ("channel.rb.tt", "ruby"),
            ("a.in", None),
            ("manifest.c.inc", "c"),
            ("a.cpp.inc", "cpp"),
            ("a.inc", None),
        ),
        *(("x.zig9", None), ("bin/tool", None), ("", None), ("a.", None), (".hidden", None)),
    ],
)
def test_the_name_tells_the_language(path, expected):
    assert name_of(path) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        *(
            (b"#!/bin/sh\n", "bash"),
            (b"#! /usr/bin/env bash", "bash"),
            (b"#!/usr/bin/perl -w", "perl"),
        ),
        *((b"#!/usr/bin/env python3.12\n", "python"), (b"#!/usr/bin/python3", "python")),
        *(
            (b"#!/usr/bin/env -S python3 -u\r\n", "python"),
            (b"#!/usr/bin/env -Snode --x", "javascript"),
        ),
        *((b"#!/usr/bin/env -i FOO=1 ruby2.7", "ruby"), (b"#!/usr/bin/env -u PATH lua5.4", "lua")),
        *((b"#!/usr/bin/env node", "javascript"), (b"#!/usr/bin/env deno run", "typescript")),
        *((b"#!/usr/bin/env -S uv run --script", "python"), (b"#!/usr/bin/Rscript", "r")),
        *((b"\xef\xbb\xbf#!/bin/zsh", "bash"), (b"#!/usr/bin/make -f", "makefile")),
        *(
            (b"<?php echo 1;", "php"),
            (b"<?xml version='1.0'?>", "xml"),
            (b"<!DOCTYPE html>", "html"),
        ),
        *((b"#!", None), (b"#!/usr/bin/env", None), (b"#!/opt/own-thing", None), (b"hello", None)),
        (b"#!\xff\xfe/sh", "bash"),
    ],
)
def test_the_first_line_tells_the_language_of_a_name_that_does_not(line, expected):
    assert name_of("bin/tool", line) == expected


def test_the_name_counts_more_than_the_first_line():
    assert name_of("a.rb", b"#!/bin/sh\n") == "ruby"


@pytest.mark.parametrize(
    ("path", "content"),
    [
        *(("a.py", "code"), ("a.html", "code"), ("a.md", "docs"), ("a.rst", "docs")),
        *(("a.adoc", "docs"), ("a.txt", "docs"), ("a.yaml", "config"), ("a.toml", "config")),
        *(("a.json", "config"), ("a.ini", "config"), ("Dockerfile", "config")),
        *(
            ("Makefile", "config"),
            (".github/workflows/ci.yml", "config"),
            (".editorconfig", "config"),
        ),
    ],
)
def test_every_language_is_code_documentation_or_configuration(path, content):
    language = language_of(path)

    assert language is not None
    assert language.content == content


@pytest.mark.parametrize(
    "path",
    [
        *("a.csv", "a.TSV", "icon.svg", "yarn.lock", "package-lock.json", "pnpm-lock.yaml"),
        *("go.sum", "app.js.map", "Cargo.lock", "sub/poetry.lock", "a.log", "x.snap"),
    ],
)
def test_recorded_and_generated_data_is_known_by_name(path):
    assert is_data(path)


@pytest.mark.parametrize("path", ["a.py", "lock.py", "csv", "package.json", "map.ts", "data/x.go"])
def test_source_is_not_data(path):
    assert not is_data(path)


def test_json_is_data_when_it_is_large():
    assert is_data("a.json", size=300_000)
    assert not is_data("a.json", size=3_000)
    assert not is_data("a.py", size=300_000)


def test_bundles_are_known_by_their_middle_name():
    assert is_minified("static/app.min.js")
    assert not is_minified("static/admin.js")


def test_every_grammar_is_one_of_the_language_pack():
    from typing import get_args

    from tree_sitter_language_pack import SupportedLanguage

    named = {language.grammar for language in LANGUAGES.values() if language.grammar}

    assert named <= set(get_args(SupportedLanguage))


def test_suffixes_and_names_are_written_as_they_are_looked_up():
    for language in LANGUAGES.values():
        assert all(s.startswith(".") and s == s.lower() for s in language.suffixes), language.name
        assert all("/" not in name for name in language.filenames), language.name


def test_the_table_brings_no_slow_import():
    program = "import sys, code_indexer.languages; print('re' in sys.modules, 'tree_sitter' in sys.modules)"
    output = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert "True" not in output.stdout.split()[1:]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("python", ("python",)),
        ("Python", ("python",)),
        ("py", ("python",)),
        (".rs", ("rust",)),
        ("ex", ("elixir",)),
        ("C#", ("csharp",)),
        ("c++", ("cpp",)),
        ("golang", ("go",)),
        ("shell", ("bash",)),
        ("terraform", ("hcl",)),
        ("d", ("d",)),
        ("elixr", ()),
        ("", ()),
        (".", ()),
    ],
)
def test_a_language_goes_by_its_name_its_suffix_and_what_else_people_call_it(word, expected):
    assert languages_called(word) == expected


def test_who_asks_for_typescript_means_its_files_with_markup_as_well():
    assert languages_called("ts") == languages_called("typescript") == ("typescript", "tsx")
    assert languages_called("tsx") == ("tsx",)


def test_the_other_names_of_languages_are_none_of_their_own():
    assert not set(_OTHER_NAMES) & set(LANGUAGES)
    assert set(_OTHER_NAMES.values()) <= set(LANGUAGES)
