"""Whose collection it is: what belongs to a stranger or another project is never deleted."""

import pytest

from code_indexer.errors import CollectionTakenError

FILES = {"src/cart.py": ["add item to the cart", "remove item"], "src/login.py": ["check password"]}
OTHER = {"blog/post.py": ["publish a post"]}


@pytest.fixture
def app(make_project):
    """A project that is whole."""
    project = make_project()
    project.prepare()
    project.embed(FILES)
    return project


@pytest.fixture
def other(make_project):
    """Another project that goes by the same name on another machine."""
    return make_project("other", root="/home/you/blog", scope="55667788")


@pytest.fixture
def laptop(make_project):
    """The same project on another machine, in another folder."""
    return make_project("laptop", root="/Users/me/app", scope="11223344")


def has(path):
    return path in FILES


def rebuild(project):
    """What reindex-project does with the collection."""
    project.prepare(beside=True, exists=has)
    project.embed(FILES)
    project.store.discard_others(replaced=project.store.activate())


def test_a_reindex_of_another_project_is_refused(app, other, qdrant):
    with pytest.raises(CollectionTakenError, match="/home/me/app"):
        other.prepare(beside=True, exists=lambda path: path in OTHER)

    assert ["idx_app.1"] == list(qdrant.collections)
    assert 3 == app.store.count()


def test_removing_a_project_that_was_refused_leaves_the_other_projects_collection(app, other):
    with pytest.raises(CollectionTakenError):
        other.prepare()
    other.store.remove()

    assert 3 == app.store.count()


def test_a_reindex_never_deletes_a_strangers_collection(make_project, qdrant):
    qdrant.create("idx_app", {"vectors": {"size": 4, "distance": "Dot"}})
    project = make_project()

    with pytest.raises(CollectionTakenError, match="did not make"):
        project.prepare(beside=True)

    assert ["idx_app"] == list(qdrant.collections)


def test_a_strangers_collection_made_during_a_reindex_is_not_deleted_by_the_switch(
    make_project, qdrant
):
    project = make_project()
    project.prepare(beside=True)
    qdrant.create("idx_app", {"vectors": {"size": 4, "distance": "Dot"}})

    with pytest.raises(CollectionTakenError, match="did not make"):
        project.store.activate()

    assert "idx_app" in qdrant.collections


def test_a_collection_of_the_same_number_made_by_another_project_is_not_taken_for_the_own(
    app, other, qdrant
):
    qdrant.collections.clear()  # the server was emptied
    qdrant.aliases.clear()
    other.prepare()
    other.embed(OTHER)

    with pytest.raises(CollectionTakenError, match="/home/you/blog"):
        app.prepare(exists=has)

    assert 1 == other.store.count()


def test_who_shares_a_collection_follows_the_others_reindex(app, laptop):
    laptop.prepare(exists=has)
    laptop.embed(FILES)
    rebuild(laptop)

    assert "attached" == app.prepare(exists=has)
    assert "idx_app.2" == app.store.info().name
    assert 3 == app.known(FILES)


def test_a_reindex_replaces_a_collection_that_another_machine_took_over(app, laptop, qdrant):
    laptop.prepare(exists=has)
    laptop.embed(FILES)
    rebuild(app)

    assert ["idx_app.2"] == list(qdrant.collections)


def test_a_collection_that_another_machine_fills_for_its_reindex_is_left_alone(app, laptop, qdrant):
    laptop.prepare(exists=has)
    laptop.prepare(beside=True, exists=has)
    rebuild(app)

    assert ["idx_app.2", "idx_app.3"] == sorted(qdrant.collections)


def test_removal_leaves_a_collection_to_the_machine_that_took_it_over(app, laptop, qdrant):
    laptop.prepare(exists=has)
    app.store.remove()
    assert ["idx_app.1"] == list(qdrant.collections)

    laptop.store.remove()
    assert [] == list(qdrant.collections)


def test_a_project_that_was_moved_still_owns_its_collection(app, make_project, qdrant):
    app.manifest.close()
    moved = make_project(root="/home/me/projects/app")

    assert "ready" == moved.prepare()
    assert "/home/me/projects/app" == moved.store.info().ownership.root
    moved.store.remove()
    assert [] == list(qdrant.collections)
