"""The option that writes the expected files anew; what changes is read before it is committed."""


def pytest_addoption(parser):
    parser.addoption(
        "--update-golden", action="store_true", help="write tests/golden/*/expected.json anew"
    )
