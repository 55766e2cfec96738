import pytest

from code_indexer.parsing.declared_types import TYPE_PLACES, declared_type


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("java", "void f(Box <x>) {}", "Box"),
        ("java", "void f(Map<String, List<Box>> <x>) {}", "Map"),
        ("java", "void f(List<A> a, Box... <x>) {}", "Box"),
        ("java", "final var <x> = new Box<>(1);", "Box"),
        ("java", "f((<x>) -> 1)", None),
        ("csharp", "void F(Box? <x>) {}", "Box"),
        ("c", "int f(const struct box *<x>) {}", "box"),
        ("cpp", "void f(std::vector<int> &<x>) {}", "vector"),
        ("cpp", "auto <x> = f();", None),
        ("cpp", "void f(const std::shared_ptr<Box>& <x>) {}", None),
        ("cpp", "std::map<int, Box>::iterator <x>;", None),
        ("python", "def f(<x>: net.Box): ...", "Box"),
        ("python", "def f(<x>: 'Box'): ...", "Box"),
        ("python", "def f(<x>: 'Box | None'): ...", "Box"),
        ("python", "def f(<x>: None | Box): ...", "Box"),
        ("python", "def f(<x>: str | Box): ...", None),
        ("python", "def f(<x>: list[int] | Box): ...", None),
        ("python", "def f(<x>: t.Union[str, Box]): ...", None),
        ("python", "def f(<x>: t.Optional[net.Box]): ...", "Box"),
        ("python", "def f(<x>: Annotated[Box, 1]): ...", "Box"),
        ("python", "def f(<x>: type[Box]): ...", "Box"),
        ("python", "<x> = await net.Box(1)", "Box"),
        ("python", "with Box(1) as <x>: ...", "Box"),
        ("python", "<x> = make(1)", None),
        ("python", "with open(1) as <x>:\n    rest = 1", None),
        ("python", "for <x> in y:\n    z", None),
        ("python", "f(lambda a, <x>: rest)", None),
        ("python", "f(lambda a: 1, b)\n<x>: Box = 1", "Box"),
        ("python", "<x> = {}", "dict"),
        ("python", "def f(**<x>): ...", "dict"),
        ("javascript", "const <x> = [];", "list"),
        ("go", "func f(<x> *net.Box) {}", "Box"),
        ("go", "<x> := &Box{}", "Box"),
        ("go", "<x>, err := net.Box{}, nil", "Box"),
        ("go", "<x> := make(1)", None),
        ("typescript", "function f(<x>?: net.Box<A>) {}", "Box"),
        ("typescript", "const <x> = new Box()", "Box"),
        ("typescript", "function f(<x>: Box | null) {}", "Box"),
        ("typescript", "function f(<x>: undefined | Box) {}", "Box"),
        ("typescript", "function f(<x>: string | Box) {}", None),
        ("typescript", "function f(<x>: Array<Box> | Box) {}", None),
        ("typescript", "function f(<x>: Readonly<Box>) {}", "Box"),
        ("typescript", "function f(<x>: typeof box) {}", None),
        ("rust", "fn f(<x>: &mut Crate<T>) {}", "Crate"),
        ("rust", "let <x> = net::Crate::new(1);", "Crate"),
        ("rust", "let <x>: Box<dyn Crate> = f();", "Crate"),
        ("rust", "fn f(<x>: std::sync::Arc<net::Crate>) {}", "Crate"),
        ("rust", "fn f(<x>: Cow<'_, Crate>) {}", "Crate"),
        ("rust", "fn f(<x>: &mut impl Crate) {}", "Crate"),
        ("rust", "let <x> = Arc::new(Crate::new());", "Crate"),
        ("rust", "let <x> = Arc::clone(&crate);", None),
        ("rust", "fn f(<x>: Arc<Mutex<Crate>>) {}", "Mutex"),
        ("kotlin", "val <x> = Box(1)", "Box"),
        ("swift", "let <x>: Box? = nil", "Box"),
        ("swift", "func f(<x>: Box...) {}", "Box"),
        ("swift", "func f(<x>: some Box) {}", "Box"),
        ("swift", "func f(<x>: any Box) {}", "Box"),
    ],
)
def test_the_type_of_a_name_is_read_from_beside_it(language, text, expected):
    start = text.index("<x>")
    data = text.replace("<x>", "x").encode()
    found = declared_type(TYPE_PLACES[language], data, data[::-1], start, start + 1)

    assert (found and found.decode()) == expected
