"""Places in stack traces, as languages and tools write them."""

import pytest

from code_indexer.search.frames import frames_of, has_frames


@pytest.mark.parametrize(
    "text",
    [
        'Traceback (most recent call last):\n  File "src/pool.x", line 12, in take',
        "TypeError: no\n    at take (src/pool.x:12:5)",
        "   at Shop.Pool.take(String a) in src/pool.x:line 12",
        "src/pool.x:12:in `take': undefined method (NoMethodError)",
        "#0 src/pool.x(12): Pool->take()",
        "panic: no\n\nshop.(*Pool).take(0xc000)\n\tsrc/pool.x:12 +0x2b",
        "   3: shop::pool::take\n             at src/pool.x:12:9",
        "    (shop 1.0.0) src/pool.x:12: Pool.take/2",
        "#1 0x4f5 in take src/pool.x:12:7",
        "\tsrc/pool.x:12: in function 'take'",
        "Uncaught Exception: take in src/pool.x on line 12",
        "src/pool.x(12): error in take",
    ],
)
def test_a_frame_is_a_file_a_line_and_a_function(text: str) -> None:
    (frame,) = frames_of(text)

    assert (frame.path, frame.line, "take" in frame.names) == ("src/pool.x", 12, True)


def test_a_python_traceback_ends_with_the_place() -> None:
    text = (
        "Traceback (most recent call last):\n"
        '  File "main.py", line 3, in <module>\n    run()\n'
        '  File "pool.py", line 9, in run\n    take()\n'
    )

    assert [frame.path for frame in frames_of(text)] == ["pool.py", "main.py"]


def test_other_traces_begin_with_the_place() -> None:
    text = "Error: no\n    at take (pool.js:9:1)\n    at run (main.js:3:1)"

    assert [frame.path for frame in frames_of(text)] == ["pool.js", "main.js"]


def test_a_place_named_twice_is_one_with_all_names() -> None:
    text = "PHP Fatal error: no in pool.php:12\n#0 pool.php(12): Pool->take()"

    (frame,) = frames_of(text)

    assert "take" in frame.names


def test_prose_has_no_frames() -> None:
    assert not has_frames("what happens at line 12 of the pool")
