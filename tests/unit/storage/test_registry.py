"""Which projects exist."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from code_indexer.errors import NameTakenError, ProjectNotFoundError, UsageError
from code_indexer.identity import slug_of
from code_indexer.storage import registry as registry_module
from code_indexer.storage.registry import Registry


@pytest.fixture
def registry(tmp_path):
    with Registry.open(tmp_path) as opened:
        yield opened


def _roots(registry):
    return [record.project.root for record in registry.projects()]


def test_a_project_is_found_by_path_slug_and_name(registry):
    added = registry.add("/work/app", name="app", now=5.0)

    assert ("/work/app", slug_of("/work/app"), "app", "idx_app", 5.0) == (
        added.project.root,
        added.project.slug,
        added.project.name,
        added.project.collection,
        added.created,
    )
    assert added == registry.by_path("/work/app")
    assert added == registry.by_slug(added.project.slug)
    assert added == registry.by_name("app")


def test_the_registry_outlives_the_process(tmp_path):
    with Registry.open(tmp_path) as registry:
        added = registry.add("/work/app", now=1.0)
    with Registry.open(tmp_path, read_only=True) as registry:
        assert [added] == registry.projects()


def test_adding_twice_changes_nothing(registry):
    first = registry.add("/work/app", name="app", now=1.0)

    assert first == registry.add("/work/app", now=2.0)
    assert [first] == registry.projects()


def test_a_name_given_later_is_taken_and_the_collection_stays(registry):
    registry.add("/work/app", now=1.0)
    named = registry.add("/work/app", name="later", now=2.0).project

    assert ("later", f"idx_{named.slug}") == (named.name, named.collection)


@pytest.mark.parametrize("name", ["app", slug_of("/work/app")], ids=["name", "slug"])
def test_a_name_that_belongs_to_another_project_is_refused(registry, name):
    registry.add("/work/app", name="app", now=1.0)

    with pytest.raises(NameTakenError, match="/work/app"):
        registry.add("/work/other", name=name, now=1.0)
    assert ["/work/app"] == _roots(registry)


@pytest.mark.parametrize("name", ["", "a b", "../x", "x" * 65, "ä"])
def test_a_name_of_other_signs_is_refused(registry, name):
    with pytest.raises(UsageError):
        registry.add("/work/app", name=name, now=1.0)
    assert [] == _roots(registry)


def test_a_project_can_lose_its_name(registry):
    slug = registry.add("/work/app", name="app", now=1.0).project.slug

    assert registry.set_name(slug, None).project.name is None
    assert registry.by_name("app") is None


def test_a_name_that_is_free_again_gets_a_collection_of_its_own(registry):
    first = registry.add("/work/app", name="app", now=1.0).project
    registry.set_name(first.slug, "renamed")
    second = registry.add("/work/other", name="app", now=1.0).project

    assert ("idx_app", f"idx_{second.slug}") == (first.collection, second.collection)


def test_two_roots_of_one_slug_get_different_ones(registry, monkeypatch):
    monkeypatch.setattr(
        registry_module, "slug_of", lambda root: slug_of(root) if "\0" in root else "0123abcd"
    )
    first = registry.add("/work/app", now=1.0).project
    second = registry.add("/work/other", now=1.0).project

    assert ("0123abcd", slug_of("/work/other\0001")) == (first.slug, second.slug)
    assert second == registry.by_path("/work/other").project


def test_containment_goes_by_folders_not_by_letters(registry):
    for root in ("/work/app", "/work/app2", "/work/app-old", "/work/app/inner"):
        registry.add(root, now=1.0)

    def containing(path):
        found = registry.containing(path)
        return found and found.project.root

    assert {
        "/work/app": "/work/app",
        "/work/app/src/x.py": "/work/app",
        "/work/app/inner/deep/y": "/work/app/inner",
        "/work/app2/src": "/work/app2",
        "/work/app-old": "/work/app-old",
        "/work/app3": None,
        "/work": None,
    } == {path: containing(path) for path in (
        "/work/app", "/work/app/src/x.py", "/work/app/inner/deep/y",
        "/work/app2/src", "/work/app-old", "/work/app3", "/work",
    )}  # fmt: skip


def test_removing_one_twin_leaves_the_others(registry):
    slugs = [
        registry.add(root, now=1.0).project.slug for root in ("/w/app", "/w/app2", "/w/app-old")
    ]
    registry.remove(slugs[0])
    registry.remove(slugs[0])

    assert ["/w/app-old", "/w/app2"] == _roots(registry)


def test_a_moved_project_keeps_its_slug_and_the_old_place_can_be_added_again(registry):
    moved = registry.add("/old", now=1.0).project
    registry.re_root(moved.slug, "/new")
    again = registry.add("/old", now=2.0).project

    assert "/new" == registry.by_slug(moved.slug).project.root
    assert again.slug != moved.slug
    assert ["/new", "/old"] == _roots(registry)


def test_a_project_is_not_moved_onto_another(registry):
    registry.add("/one", now=1.0)
    slug = registry.add("/two", now=1.0).project.slug

    with pytest.raises(NameTakenError, match="/one"):
        registry.re_root(slug, "/one")


def test_an_unknown_slug_is_said(registry):
    with pytest.raises(ProjectNotFoundError):
        registry.set_name("00000000", "x")
    assert registry.by_name("\udcff") is None


@settings(max_examples=25, deadline=None)
@given(st.lists(st.binary(min_size=1, max_size=20), min_size=1, max_size=5, unique=True))
def test_any_path_comes_back(tmp_path_factory, names):
    roots = sorted(
        {"/" + name.replace(b"\0", b"x").decode("utf-8", "surrogateescape") for name in names}
    )
    with Registry.open(tmp_path_factory.mktemp("root")) as registry:
        for root in roots:
            registry.add(root, now=1.0)

        assert roots == sorted(_roots(registry))
        assert roots == [registry.by_path(root).project.root for root in roots]
