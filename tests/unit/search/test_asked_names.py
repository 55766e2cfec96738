"""Names of symbols, as people write them or paste them from code."""

import pytest

from code_indexer.search.asked_names import named_symbols


@pytest.mark.parametrize(
    "text",
    [
        "Session.close",
        "Session::close",
        "Session#close",
        "Session->close",
        "Session:close",
        "App\\Session::close",
        "com.acme.Session.close",
        "(*Session).close",
        "github.com/acme-inc/shop.(*Session).close",
        "Session.close/2",
        "Session<T>.close",
        "Session<Map<K, V>>.close<T>()",
        "Session[T].close",
        "Session.close()",
        "Session.close(connection, 1)",
        "Session.close(",
        "func (s *Session) close(reason string) error {",
        "def Session.close(reason)",
        "void Session::close(int reason) const {",
        "Session.close = function(reason)",
    ],
)
def test_a_method_is_known_in_every_notation(text: str) -> None:
    (named,) = named_symbols(text)

    assert (named.name, named.qualifier, named.certainty) == ("close", "Session", 1.0)


@pytest.mark.parametrize(
    "text",
    [
        "def load(self, path: Path) -> str:",
        "async def load",
        "async function load(x: string): Promise<void> {",
        "export const load = async (path) => {",
        "local function load(path)",
        "public static function load($path)",
        "public <T> T load(String path, Class<T> type) throws IOException {",
        "static int load(const char *path, bool *done)",
        "pub(crate) fn load<R: Read>(reader: R) -> Result<()>",
        "fn load(",
        "#define load",
        "load(path): string",
        "load(",
    ],
)
def test_a_line_that_declares_a_function_is_its_name(text: str) -> None:
    (named,) = named_symbols(text)

    assert (named.name, named.certainty) == ("load", 1.0)


@pytest.mark.parametrize(
    "text",
    [
        "class Loader(Base):",
        "export class Loader extends Base {",
        "pub struct Loader<'a> {",
        "type Loader struct {",
        "type Loader = string",
        "typedef struct Loader",
        "impl<R: Read> Loader",
        "data class Loader(val path: String)",
        "Loader<T>",
        "@Loader",
    ],
)
def test_a_line_that_declares_a_type_is_its_name(text: str) -> None:
    (named,) = named_symbols(text)

    assert (named.name, named.certainty) == ("Loader", 1.0)


@pytest.mark.parametrize(
    "text",
    [
        "static files",
        "public api",
        "private key",
        "export data",
        "override defaults",
        "function call",
        "type of argument",
        "let me see",
        "parse (fast)",
        "how does load(path) work",
        "load(path) is slow",
        "open(/tmp/x): permission denied",
        "error: load(path)",
    ],
)
def test_prose_is_no_declaration(text: str) -> None:
    assert all(named.certainty < 1 for named in named_symbols(text))


def test_words_around_a_colon_may_be_no_name() -> None:
    (named,) = named_symbols("background:red")

    assert named.certainty < 1


def test_a_name_may_have_hyphens() -> None:
    assert [named.name for named in named_symbols("reload-theme")] == ["reload-theme"]


def test_a_call_in_a_sentence_is_a_name() -> None:
    assert [named.name for named in named_symbols("where is connected() asked")] == ["connected"]
