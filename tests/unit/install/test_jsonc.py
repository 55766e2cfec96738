import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from code_indexer.install.edits import DamagedConfigurationError
from code_indexer.install.jsonc import parse, with_member, without_member

PATH = ("servers", "ours")
ENTRY = {"command": "/opt/bin/server", "args": ["--all", "x"]}

FILES = {
    "nothing": "",
    "empty": "{}",
    "empty with a newline": "{}\n",
    "other members": '{\n  "a": 1,\n  "b": [1, 2]\n}\n',
    "empty servers": '{\n  "servers": {}\n}\n',
    "spread empty servers": '{\n  "servers": {\n  }\n}\n',
    "another server": '{\n  "servers": {\n    "other": {\n      "command": "x"\n    }\n  }\n}\n',
    "four spaces": '{\n    "servers": {\n        "other": {"command": "x"}\n    }\n}\n',
    "tabs": '{\n\t"servers": {\n\t\t"other": {}\n\t},\n\t"z": null\n}\n',
    "windows lines": '{\r\n  "servers": {\r\n    "other": {}\r\n  }\r\n}\r\n',
    "one line": '{"servers": {"other": {"command": "x"}}, "z": true}',
    "no blanks": '{"servers":{"other":{}}}',
    "byte order mark": '\ufeff{\n  "a": 1\n}\n',
    "comments": (
        '// settings\n{\n  /* first */\n  "a": 1, // one\n  "servers": {\n'
        '    // the other\n    "other": { "command": "x" } // stays\n    // last words\n  }\n'
        "  // end\n}\n// after\n"
    ),
    "trailing commas": '{\n  "a": [1, 2,],\n  "servers": {\n    "other": {},\n  },\n}\n',
    "only comments inside": '{\n  "servers": {\n    // none yet\n  }\n}\n',
    "slashes in strings": '{\n  "url": "http://x//y", // z\n  "t": "/* no */"\n}\n',
}


@pytest.mark.parametrize("text", FILES.values(), ids=FILES.keys())
def test_a_member_is_added_and_the_rest_stays(text):
    before = parse(text) if text.strip() else {}

    result = with_member(text, PATH, ENTRY)

    expected = {**before, "servers": {**before.get("servers", {}), "ours": ENTRY}}
    assert parse(result) == expected


@pytest.mark.parametrize("text", [text for text in FILES.values() if "\n" in text])
def test_every_old_line_is_still_there(text):
    result = with_member(text, PATH, ENTRY)

    kept = result.replace(",", "").replace("{", "").replace("}", "")
    for line in text.replace(",", "").replace("{", "").replace("}", "").splitlines():
        assert line.strip() in kept


EXACT = ["another server", "four spaces", "tabs", "windows lines", "one line", "comments"]


@pytest.mark.parametrize("name", [*EXACT, "trailing commas"])
def test_the_file_is_the_same_byte_for_byte_afterwards(name):
    text = FILES[name]

    assert without_member(with_member(text, PATH, ENTRY), PATH) == text


@pytest.mark.parametrize("text", FILES.values(), ids=FILES.keys())
def test_adding_twice_changes_nothing_more(text):
    once = with_member(text, PATH, ENTRY)

    assert with_member(once, PATH, ENTRY) == once


def test_an_old_value_is_replaced_in_its_place():
    text = '{\n  "servers": {\n    "ours": {"command": "old"}, // here\n    "z": {}\n  }\n}\n'

    result = with_member(text, PATH, {"command": "new"})

    assert list(parse(result)["servers"]) == ["ours", "z"]
    assert "// here" in result
    assert parse(result)["servers"]["ours"] == {"command": "new"}


def test_the_style_of_the_file_is_kept():
    result = with_member(FILES["tabs"], PATH, {"command": "x"})

    assert '\n\t\t"ours": {\n\t\t\t"command": "x"\n\t\t}\n\t},\n' in result


def test_the_first_of_several_is_taken_out():
    text = '{\n  "servers": {\n    "ours": {},\n    "other": {}\n  }\n}\n'

    assert without_member(text, PATH) == '{\n  "servers": {\n    "other": {}\n  }\n}\n'


def test_the_middle_one_is_taken_out_and_comments_stay():
    text = '{"servers": {\n  "a": 1,\n  // mine\n  "ours": {},\n  // other\n  "b": 2\n}}\n'

    result = without_member(text, PATH)

    assert parse(result) == {"servers": {"a": 1, "b": 2}}
    assert "// other" in result


def test_taking_out_what_is_not_there_changes_nothing():
    assert without_member('{"a": 1}', PATH) == '{"a": 1}'


DAMAGED = [
    '{"a": 1',
    '{"a": 1} x',
    '{"a" 1}',
    '{"a": }',
    "{a: 1}",
    '{"a": 1 "b": 2}',
    '{"a": "x\ny"}',
    '{"a": "\\q"}',
    '{"a": /* }',
    '{"a": 01}',
    "[1, 2",
    '{"a": 1, "a": 2}',
    "[" * 5000,
    "not json at all",
]


@pytest.mark.parametrize("text", DAMAGED)
def test_a_damaged_file_is_refused(text):
    with pytest.raises(DamagedConfigurationError):
        with_member(text, PATH, ENTRY)


@pytest.mark.parametrize("text", ["[]", '"x"', '{"servers": []}', '{"servers": null}'])
def test_something_else_in_the_way_is_refused(text):
    with pytest.raises(DamagedConfigurationError):
        with_member(text, PATH, ENTRY)


@pytest.mark.parametrize("text", ['{"a": 1,}', '{"a": 1} // x', "{/* x */}"])
def test_a_file_without_comments_by_its_format_must_have_none(text):
    assert parse(text) is not None

    with pytest.raises(DamagedConfigurationError):
        parse(text, comments=False)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(
    st.dictionaries(st.text(max_size=6), json_values, max_size=4),
    st.sampled_from([None, 1, 2, 4, "\t"]),
)
def test_any_object_can_be_added_to_and_taken_from(data, indent):
    data.pop("servers", None)
    text = json.dumps(data, indent=indent)

    added = with_member(text, PATH, ENTRY)
    taken = without_member(without_member(added, PATH), ("servers",))

    assert json.loads(added) == {**data, "servers": {"ours": ENTRY}}
    assert json.loads(taken) == data
