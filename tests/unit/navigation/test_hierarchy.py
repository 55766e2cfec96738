from navigation_projects import manifest_of

from code_indexer.navigation.hierarchy import Hierarchy


def test_supertypes_are_those_of_every_step_and_circles_end(tmp_path):
    files = {
        "A.java": "class A extends B {}\n",
        "B.java": "class B implements C, Outside {}\n",
        "C.java": "interface C extends A {}\n",
    }
    with manifest_of(tmp_path, files) as manifest:
        hierarchy = Hierarchy(manifest.symbols_named, manifest.references_of_file)

        assert hierarchy.supertypes("A") == {"A", "B", "C", "Outside"}
        assert hierarchy.supertypes("Outside") == set()
        assert hierarchy.is_type("B")
        assert not hierarchy.is_type("Outside")
