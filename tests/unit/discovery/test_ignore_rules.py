"""Which ignore rules hold where."""

import os
from pathlib import Path

import pytest
from unit.discovery.trees import (
    commit_all,
    files_of_git,
    found,
    git,
    git_repository,
    skipped,
    write_tree,
)

from code_indexer.discovery.folders import DiscoveryRules
from code_indexer.discovery.repository import global_excludes_file
from code_indexer.discovery.walk import explain_path
from code_indexer.types import FoundFile, SkippedFile

SOURCE = "def f():\n    return 1\n"


def sources(*paths: str) -> dict[str, str | bytes]:
    return dict.fromkeys(paths, SOURCE)


# The given cases, each named as it is there.


def test_ign_01_an_allow_list_leaves_the_same_files_as_in_git(tmp_path):
    project = git_repository(
        tmp_path,
        {".gitignore": "*\n!*/\n!*.go\n!go.mod\n!.gitignore\n"}
        | sources("main.go", "internal/auth/token.go", "go.mod", "bin/out", "internal/auth/x.txt"),
    )

    assert found(project) == [".gitignore", "go.mod", "internal/auth/token.go", "main.go"]
    assert found(project) == files_of_git(project)


def test_ign_02_negated_siblings_of_a_wildcard_stay(tmp_path):
    project = git_repository(
        tmp_path,
        {".gitignore": "themes/*\n!themes/ours\n!themes/shared\n"}
        | sources("themes/ours/a.php", "themes/shared/o.php", "themes/bought/t.php"),
    )

    assert found(project) == [".gitignore", "themes/ours/a.php", "themes/shared/o.php"]


def test_ign_03_nested_files_are_relative_to_their_own_folder(tmp_path):
    project = git_repository(
        tmp_path,
        {".gitignore": "out/\n", "web/.gitignore": ".cache\n/fetched/\n"}
        | sources(
            *("web/.cache/b.js", "web/fetched/d.js", "web/src/fetched/keep.js"),
            *("fetched/root.js", "web/out/x.js", "web/src/ok.js"),
        ),
    )

    assert found(project) == files_of_git(project)
    assert {"web/src/fetched/keep.js", "fetched/root.js"} <= set(found(project))


def test_ign_04_nothing_comes_back_from_an_excluded_folder(tmp_path):
    project = git_repository(
        tmp_path,
        {".gitignore": "cache\n!keep.py\nlogs/*\n!logs/keep.py\n"}
        | sources("cache/keep.py", "cache/a.py", "logs/keep.py", "logs/a.py", "keep.py"),
    )

    assert found(project) == [".gitignore", "keep.py", "logs/keep.py"]


def test_ign_05_trailing_blanks_escapes_stars_and_folder_forms(tmp_path):
    project = git_repository(
        tmp_path,
        {
            ".gitignore": "trail.py   \n\\#hash.py\n\\!bang.py\nspace.py\\ \n**/gen/**\na/**/z.py\n"
            "onlydir/\n"
        }
        | sources(
            *("trail.py", "#hash.py", "!bang.py", "space.py ", "x/gen/y/k.py", "a/z.py"),
            *("a/b/c/z.py", "onlydir/q.py", "sub/onlydir", "sub/ok.py"),
        ),
    )

    assert found(project) == files_of_git(project) == [".gitignore", "sub/ok.py", "sub/onlydir"]


def test_ign_10_the_exclude_files_of_the_repository_and_of_the_user_hold(tmp_path):
    home = tmp_path / "home"
    project = git_repository(tmp_path / "p", sources("private.py", "junk.py", "ok.py"))
    write_tree(project, {".git/info/exclude": "private.py\n"})
    write_tree(home, {".config/git/ignore": "junk.py\n"})

    rules = DiscoveryRules(global_excludes=global_excludes_file(home, None))

    assert found(project, rules) == files_of_git(project, home) == ["ok.py"]


def test_ign_10_codeindexignore_overrides_them(tmp_path):
    project = git_repository(tmp_path / "p", sources("private.py", "ok.py"))
    write_tree(project, {".git/info/exclude": "private.py\n", ".codeindexignore": "!private.py\n"})

    assert "private.py" in found(project)


# Git's rules beyond the cases.


def test_one_bad_pattern_does_not_drop_the_rest(tmp_path):
    project = git_repository(
        tmp_path, {".gitignore": "bad\\\n[open\n***\\\nlast.py\n"} | sources("last.py", "ok.py")
    )

    assert found(project) == files_of_git(project) == [".gitignore", "ok.py"]


def test_ignore_files_hold_in_a_folder_that_is_no_repository(tmp_path):
    write_tree(tmp_path, {".gitignore": "junk/\n"} | sources("junk/a.py", "b.py"))

    assert found(tmp_path) == [".gitignore", "b.py"]


def test_rules_above_the_root_hold_up_to_the_top_of_the_repository(tmp_path):
    write_tree(tmp_path, {".gitignore": "b.py\n"})
    top = git_repository(tmp_path / "top", {".gitignore": "junk.py\n/app/only.py\n/only2.py\n"})
    write_tree(top, {"app/.gitignore": "own.py\n"})
    write_tree(top, sources(*(f"app/{name}.py" for name in ("b", "junk", "only", "only2", "own"))))

    assert found(top / "app") == [".gitignore", "b.py", "only2.py"]


def test_a_root_that_is_ignored_from_above_is_seen_all_the_same(tmp_path):
    git_repository(tmp_path, {".gitignore": "scratch/\n*.py\n"} | sources("scratch/a.py"))

    assert found(tmp_path / "scratch") == ["a.py"]


def test_a_worktree_reads_the_exclude_file_of_its_main_repository(tmp_path):
    main = git_repository(tmp_path / "main", sources("a.py"))
    commit_all(main)
    git(main, "worktree", "add", "-q", "-b", "side", "../side")
    write_tree(main, {".git/info/exclude": "mine.py\n"})
    write_tree(tmp_path / "side", sources("mine.py"))

    assert found(tmp_path / "side") == files_of_git(tmp_path / "side") == ["a.py"]


def test_the_excludes_named_in_the_configuration_of_the_repository_win(tmp_path):
    project = git_repository(tmp_path / "p", sources("a.py", "b.py", "c.py"))
    write_tree(tmp_path, {"global": "a.py\n", "own": "b.py\n"})
    git(project, "config", "core.excludesFile", str(tmp_path / "own"))

    assert found(project, DiscoveryRules(global_excludes=tmp_path / "global")) == ["a.py", "c.py"]


def test_an_ignore_file_that_is_a_link_is_not_read(tmp_path):
    project = git_repository(tmp_path / "p", sources("a.py"))
    write_tree(tmp_path, {"rules": "*.py\n"})
    (project / ".gitignore").symlink_to(tmp_path / "rules")

    assert found(project) == ["a.py"]


@pytest.mark.parametrize("version", ["2", "4"])
def test_files_that_git_tracks_are_not_ignored(tmp_path, version):
    project = git_repository(tmp_path, {})
    git(project, "config", "index.version", version)
    write_tree(project, sources("gen/made.py", "gen/deep/more.py", "a.gen.py"))
    commit_all(project)
    write_tree(project, {".gitignore": "gen/\n*.gen.py\n"} | sources("gen/new.py", "b.gen.py"))

    assert found(project) == files_of_git(project)
    assert found(project) == [".gitignore", "a.gen.py", "gen/deep/more.py", "gen/made.py"]


@pytest.mark.parametrize("version", ["2", "4"])
def test_files_that_git_tracks_in_an_index_split_in_two_are_not_ignored(tmp_path, version):
    made = [f"gen/t{number}.py" for number in range(200)]
    project = git_repository(tmp_path, sources(*made, "a.py"))
    git(project, "config", "index.version", version)
    git(project, "config", "splitIndex.maxPercentChange", "100")
    commit_all(project)
    git(project, "update-index", "--split-index")
    git(project, "rm", "-q", "--cached", *made[:3], *made[100:170])
    write_tree(project, {".gitignore": "gen/\n"} | {made[5]: "changed = 1\n"})
    write_tree(project, sources("gen/link.py"))
    git(project, "add", "-f", made[5], "gen/link.py")

    assert list((project / ".git").glob("sharedindex.*"))
    assert len(found(project)) == 2 + 200 - 73 + 1
    assert found(project) == files_of_git(project)


def test_of_folders_for_build_output_what_git_tracks_is_source(tmp_path):
    files = ["build/lib/parse.py", "target/a.c", "dist/bundle.js", "build/node_modules/b/c.js"]
    root = git_repository(tmp_path, dict.fromkeys(files, "text\n"))
    commit_all(root)
    write_tree(root, {"build/lib/out.py": "made\n", "sub/target/out.c": "made\n"})

    assert found(root) == ["build/lib/parse.py", "target/a.c"]


def test_many_ignored_files_are_told_from_tracked_ones(tmp_path):
    project = git_repository(
        tmp_path, sources(*(f"t{number}.gen.py" for number in range(0, 80, 2)))
    )
    commit_all(project)
    write_tree(project, {".gitignore": "*.gen.py\n"})
    write_tree(project, sources(*(f"t{number}.gen.py" for number in range(1, 80, 2))))

    assert found(project) == files_of_git(project)


def test_a_damaged_index_is_as_good_as_none(tmp_path):
    project = git_repository(tmp_path, sources("a.gen.py", "b.py"))
    commit_all(project)
    write_tree(project, {".gitignore": "*.gen.py\n"})
    index = project / ".git/index"
    index.write_bytes(index.read_bytes()[:90])

    assert found(project) == [".gitignore", "b.py"]


def test_pipes_in_the_place_of_gits_files_do_not_block(tmp_path):
    project = git_repository(tmp_path, {"a.gen.py": SOURCE, "b.py": SOURCE})
    for name in (".git/index", ".gitignore", ".codeindexignore"):
        os.mkfifo(project / name)
    for name in (".git/info/exclude", ".git/config"):
        (project / name).unlink()
        os.mkfifo(project / name)

    assert found(project) == ["a.gen.py", "b.py"]


def test_folders_in_the_place_of_gits_files_hide_nothing(tmp_path):
    project = git_repository(tmp_path, {"a.gen.py": SOURCE, "b.py": SOURCE})
    for name in (
        ".git/index",
        ".gitignore",
        ".codeindexignore",
        ".git/info/exclude",
        ".git/config",
    ):
        (project / name).unlink(missing_ok=True)
        (project / name).mkdir()

    assert found(project) == ["a.gen.py", "b.py"]


# .codeindexignore


def test_codeindexignore_excludes_on_top_of_git(tmp_path):
    project = git_repository(
        tmp_path,
        {".codeindexignore": "vendor/\n*.gen.go\n"} | sources("vendor/v.go", "a.gen.go", "a.go"),
    )

    assert found(project) == [".codeindexignore", "a.go"]
    assert {"vendor/": "codeindexignore", "a.gen.go": "codeindexignore"}.items() <= skipped(
        project
    ).items()


def test_a_nested_codeindexignore_is_relative_to_its_folder(tmp_path):
    write_tree(
        tmp_path, {"sub/.codeindexignore": "/a.py\n"} | sources("a.py", "sub/a.py", "sub/b.py")
    )

    assert found(tmp_path) == ["a.py", "sub/.codeindexignore", "sub/b.py"]


def test_a_bang_forces_in_a_file_that_git_ignores(tmp_path):
    write_tree(
        tmp_path,
        {
            ".gitignore": "*.log.py\n",
            "sub/.gitignore": "*.log.py\n",
            ".codeindexignore": "!*.log.py\n",
        }
        | sources("a.log.py", "sub/b.log.py"),
    )

    assert {"a.log.py", "sub/b.log.py"} <= set(found(tmp_path))


def test_a_bang_forces_in_a_folder_that_is_skipped(tmp_path):
    write_tree(
        tmp_path,
        {".gitignore": "generated/\n*.tmp.py\n", ".codeindexignore": "!build/\n!generated/\n"}
        | sources(
            "build/a.py", "build/sub/b.py", "generated/c.py", "generated/d.tmp.py", "dist/e.py"
        ),
    )

    assert found(tmp_path) == [
        ".codeindexignore",
        ".gitignore",
        "build/a.py",
        "build/sub/b.py",
        "generated/c.py",
    ]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("!build/keep.py", ["build/keep.py"]),
        ("!/build/sub/", ["build/sub/keep.py"]),
        ("!build/**/keep.py", ["build/keep.py", "build/sub/keep.py"]),
        ("!build/**", ["build/keep.py", "build/other.py", "build/sub/keep.py"]),
        ("!b*/*/keep.py", ["build/sub/keep.py"]),
        ("!keep.py", []),
        ("!**/sub/keep.py", []),
        ("!other/keep.py", []),
    ],
)
def test_inside_a_skipped_folder_a_bang_works_when_its_path_leads_there(
    tmp_path, pattern, expected
):
    write_tree(
        tmp_path,
        {".codeindexignore": pattern + "\n"}
        | sources("build/keep.py", "build/other.py", "build/sub/keep.py"),
    )

    assert [path for path in found(tmp_path) if path != ".codeindexignore"] == expected


def test_a_bang_leads_into_a_folder_that_git_ignores_too(tmp_path):
    project = git_repository(
        tmp_path,
        {".gitignore": "api/gen/\n", ".codeindexignore": "!api/gen/client.py\n"}
        | sources("api/gen/client.py", "api/gen/server.py"),
    )

    assert "api/gen/client.py" in found(project)
    assert "api/gen/server.py" not in found(project)
    assert skipped(project)["api/gen/"] == "gitignore"


def test_what_codeindexignore_excludes_it_does_not_bring_back_from_inside(tmp_path):
    write_tree(
        tmp_path, {".codeindexignore": "lib/\n!lib/keep.py\n"} | sources("lib/keep.py", "a.py")
    )

    assert found(tmp_path) == [".codeindexignore", "a.py"]


@pytest.mark.parametrize("path", [".env", "keys/id_rsa", ".git/hooks/run.py", "logo.png"])
def test_nothing_forces_in_what_may_never_be_read(tmp_path, path):
    write_tree(tmp_path, {".codeindexignore": "!*\n!.git/\n!**\n"} | sources("a.py", path))

    assert found(tmp_path) == [".codeindexignore", "a.py"]


def test_data_comes_in_when_it_is_asked_for(tmp_path):
    write_tree(tmp_path, {".codeindexignore": "!rates.csv\n", "rates.csv": "a,b\n", "x.csv": "a\n"})

    assert "rates.csv" in found(tmp_path)
    assert skipped(tmp_path) == {"x.csv": "data"}


# Explanations


def test_an_explanation_names_the_file_the_line_and_the_pattern(tmp_path):
    write_tree(tmp_path, {"sub/.gitignore": "# why\n*.tmp.py\n"} | sources("sub/a.tmp.py"))

    expected = SkippedFile("sub/a.tmp.py", "gitignore", "sub/.gitignore:2: *.tmp.py")

    assert explain_path(tmp_path, "sub/a.tmp.py", DiscoveryRules()) == expected


def test_an_explanation_names_the_rule_of_the_folder_above(tmp_path):
    write_tree(tmp_path, {".gitignore": "gén/\n"} | sources("a/gén/deep/b.py"))

    expected = SkippedFile("a/gén/deep/b.py", "gitignore", ".gitignore:1: gén/")

    assert explain_path(tmp_path, "a/gén/deep/b.py", DiscoveryRules()) == expected


@pytest.mark.parametrize(
    ("path", "reason"),
    [("nowhere/a.py", "vanished"), ("src", "folder"), ("", "folder"), ("link/a.py", "symlink")],
)
def test_an_explanation_is_there_for_what_is_no_file(tmp_path, path, reason):
    write_tree(tmp_path, sources("src/a.py"))
    (tmp_path / "link").symlink_to("src")

    explained = explain_path(tmp_path, path, DiscoveryRules())

    assert isinstance(explained, SkippedFile)
    assert explained.reason == reason


def test_an_indexed_file_is_explained_as_found(tmp_path):
    write_tree(tmp_path, sources("src/a.py"))

    explained = explain_path(tmp_path, "src/a.py", DiscoveryRules())

    assert isinstance(explained, FoundFile)
    assert (explained.path, explained.language) == ("src/a.py", "python")


# The user's git configuration


def test_without_a_configuration_the_default_file_is_taken(tmp_path):
    assert global_excludes_file(tmp_path, None) == tmp_path / ".config/git/ignore"
    assert global_excludes_file(tmp_path, tmp_path / "xdg") == tmp_path / "xdg/git/ignore"
    assert global_excludes_file(None, None) is None


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ("[core]\n\texcludesFile = ~/mine\n", "mine"),
        ("[CORE] excludesfile = ~/mine # why\n", "mine"),
        ('[core]\nexcludesfile = "~/with # sign"\n', "with # sign"),
        ("[user]\nname = a\\\nb\n[core]\nexcludesFile = ~/a\nexcludesFile = ~/b ; x\n", "b"),
        ("[include]\npath = more\n", "from-more"),
    ],
)
def test_the_configuration_names_the_file(tmp_path, config, expected):
    write_tree(tmp_path, {".gitconfig": config, "more": "[core]\nexcludesFile = ~/from-more\n"})

    assert global_excludes_file(tmp_path, None) == tmp_path / expected


def test_an_empty_setting_means_no_file(tmp_path):
    write_tree(tmp_path, {".gitconfig": "[core]\nexcludesFile =\n"})

    assert global_excludes_file(tmp_path, None) is None


def test_a_configuration_that_includes_itself_ends(tmp_path):
    write_tree(tmp_path, {".gitconfig": "[include]\npath = .gitconfig\n"})

    assert global_excludes_file(tmp_path, None) == Path(tmp_path / ".config/git/ignore")


@pytest.mark.parametrize(
    "pattern",
    ["*a" * 40 + "*b", "/a*" * 2 + "a*" * 40 + "b", "**/" * 60 + "x/y", "**/a/" * 30 + "b"],
)
def test_a_repository_cannot_hold_up_a_scan_by_its_ignore_rules(tmp_path, pattern):
    files = ["a/" * 60 + "f.py", "a" * 100 + "/" + "a" * 200]
    write_tree(tmp_path, {".codeindexignore": f"{pattern}\n"} | sources(*files))

    assert found(tmp_path) == sorted([".codeindexignore", *files])
