"""The real server process, on pipes: the protocol, its end, and that it always answers."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import anyio
import pytest

from code_indexer.identity import slug_of
from code_indexer.storage.locks import exclusive_lock


def text_of(result):
    return result["content"][0]["text"]


def children_of(pid):
    found = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, check=False
    )
    return [int(word) for word in found.stdout.split()]


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def eventually(question, seconds=60.0):
    deadline = time.monotonic() + seconds
    while not (answer := question()):
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.02)
    return answer


@pytest.fixture
def held(private_state):
    """Hold a project's lock, as another process does that indexes it."""

    def hold(root):
        private_state.mkdir(exist_ok=True)
        return exclusive_lock(private_state / f"{slug_of(root)}.lock", info={"pid": 1})

    return hold


def test_the_official_client_works_on_stdio_in_both_eras(shop):
    from mcp.client import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client

    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-P", "-m", "code_indexer.mcp_server"],
        env=dict(os.environ),
    )

    async def body(mode):
        async with Client(stdio_client(parameters), mode=mode) as client:
            result = await client.call_tool("find_definition", {"name": "renew", "project": shop})
            return result.structured_content["results"][0]["line"]

    assert [anyio.run(body, mode) for mode in ("auto", "legacy")] == [7, 7]


# -- MCP-01: nothing but JSON-RPC on stdout --------------------------------------------------------


def test_mcp_01_stdout_holds_json_rpc_alone_whatever_fails(
    start_server, shop, private_state, monkeypatch
):
    monkeypatch.setenv("PYTHONWARNINGS", "default")
    Path(shop, "latin.py").write_bytes(b"x = '\xe4\xf6'\n")
    with start_server() as wire:
        wire.handshake()
        wire.result("semantic_search", query="session", project=shop)
        config = private_state / "config.toml"
        for lines in (
            'ollama_url = "http://127.0.0.1:9"\n',
            'qdrant_url = "http://127.0.0.1:9"\n',
            "stale_ttl = 'never'\n",
            "not toml",
        ):
            config.write_text(lines)
            wire.result("semantic_search", query="session", project=shop)
            wire.result("index_status", path=shop)
        config.unlink()
        wire.result("get_code_context", file="latin.py", project=shop)
        (manifest,) = private_state.glob("*/manifest.db")
        manifest.write_bytes(b"nonsense" * 2000)
        wire.result("semantic_search", query="session", project=shop)
        wire.result("add_project", path=f"{shop}/src")
        private_state.rename(f"{private_state}-away")
        private_state.write_text("a file where the folder should be")
        assert wire.result("list_projects")["isError"]
        assert wire.close() == 0

    assert wire.junk == []
    assert "Traceback" not in wire.said()


def test_what_prints_goes_to_stderr_and_not_on_the_wire():
    program = (
        "import os, subprocess\n"
        "from code_indexer.mcp_server.descriptors import take_wire\n"
        "wire = take_wire()\n"
        "print('printed', flush=True)\n"
        "os.write(1, b'written\\n')\n"
        "subprocess.run(['echo', 'of a child'])\n"
        "assert os.read(0, 10) == b''\n"
        "assert os.read(wire.incoming, 10) == b'in'\n"
        "os.write(wire.outgoing, b'out')\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], input=b"in", capture_output=True, check=True
    )

    assert done.stdout == b"out"
    assert done.stderr == b"printed\nwritten\nof a child\n"


# -- MCP-02: the end -------------------------------------------------------------------------------


def test_mcp_02_the_server_ends_with_stdin_and_takes_its_worker_along(wire):
    wire.result("list_projects")
    children = children_of(wire.process.pid)

    assert wire.close() == 0
    assert len(children) == 1
    assert eventually(lambda: not any(is_alive(pid) for pid in children))


def test_mcp_02_a_server_without_stdin_ends_at_once():
    done = subprocess.run(
        [sys.executable, "-P", "-m", "code_indexer.mcp_server"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_mcp_02_it_ends_in_the_middle_of_a_call(wire, shop, held):
    with held(shop):
        wire.call("semantic_search", query="session", project=shop)
        wire.result("list_projects")

        assert wire.close() == 0


def test_a_client_that_closes_stdin_after_its_requests_still_gets_the_answers(shop):
    requests = [
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "printf", "version": "0"},
            },
        },
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]

    done = subprocess.run(
        [sys.executable, "-P", "-m", "code_indexer.mcp_server"],
        input="\n".join(map(json.dumps, requests)).encode(),
        capture_output=True,
        timeout=60,
        check=True,
    )

    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [1, 2]


def test_a_client_that_no_longer_reads_ends_the_server_without_a_word():
    reading, writing = os.pipe()
    os.close(reading)
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "code_indexer.mcp_server"],
        stdin=subprocess.PIPE,
        stdout=writing,
        stderr=subprocess.PIPE,
    )
    os.close(writing)
    process.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
    process.stdin.flush()

    assert process.wait(60) == 0
    assert process.stderr.read() == b""
    process.stdin.close()
    process.stderr.close()


def test_ctrl_c_ends_it_with_130_and_without_a_traceback(wire):
    wire.process.send_signal(signal.SIGINT)

    assert wire.process.wait(60) == 130
    assert wire.said() == ""


# -- MCP-04: it always answers ---------------------------------------------------------------------


def test_mcp_04_pings_and_other_calls_are_answered_while_a_search_waits_for_a_pass(
    wire, shop, held
):
    with held(shop):
        search = wire.call("semantic_search", _progress="p1", query="new token", project=shop)
        others = [
            wire.ask("ping"),
            wire.call("list_projects"),
            wire.ask("tools/list"),
            wire.call("add_project", path=shop),
            wire.ask("ping"),
        ]
        assert all("result" in wire.answer(other) for other in others)
        progress = eventually(
            lambda: (
                [m for m in wire.messages if m.get("method") == "notifications/progress"]
                or (wire.next() and None)
            )
        )
        assert search not in [message.get("id") for message in wire.messages]

    assert progress[0]["params"]["progressToken"] == "p1"
    found = wire.answer(search)["result"]["structuredContent"]
    assert found["results"][0]["path"] == "src/session.py"


def test_mcp_04_an_answer_during_the_first_pass_is_partial_with_a_percentage(
    wire, shop, held, private_state
):
    wire.result("semantic_search", query="session", project=shop)
    database = sqlite3.connect(private_state / slug_of(shop) / "manifest.db")
    with database:
        database.execute("DELETE FROM meta WHERE key LIKE '%scan%'")
        database.execute(
            "UPDATE pass_journal SET state = 'indexing', pid = 1, started = ?, counters = ?",
            (time.time() - 1000, json.dumps({"phase": "indexing", "done": 30, "total": 90})),
        )
    database.close()

    with held(shop):
        result = wire.result("semantic_search", query="session", project=shop)
        status = wire.result("index_status", path=shop)

    found = result["structuredContent"]
    assert (found["partial"], found["percent"]) == (True, 33)
    assert found["results"]
    assert "partial: 33 % of the index was there" in text_of(result)
    assert status["structuredContent"]["project"]["progress"] == "33 % (30 of 90 files)"


def test_mcp_04_add_project_indexes_in_the_background_and_adding_again_starts_nothing(
    wire, shop, private_state
):
    first = wire.result("add_project", path=shop, name="shop")["structuredContent"]
    assert (first["created"], first["in_background"]) == (True, True)

    def state():
        looked_up = wire.result("lookup_project", path="shop")["structuredContent"]
        return looked_up["project"]["state"] == "idle"

    eventually(state)
    log = (private_state / "background.log").stat()
    again = wire.result("add_project", path=shop)["structuredContent"]

    assert (again["created"], again["in_background"]) == (False, False)
    assert again["project"]["files"] == 4
    # Whoever starts a process in the background sets the mode of its log first.
    assert (private_state / "background.log").stat().st_ctime_ns == log.st_ctime_ns


def test_a_project_is_removed_while_it_is_indexed_and_can_be_added_again(
    wire, tmp_path, private_state
):
    for n in range(400):
        (tmp_path / f"m{n}.py").write_text(f"def step_{n}():\n    return {n}\n" * 20)
    root = os.fspath(tmp_path)
    for _ in range(2):
        assert wire.result("add_project", path=root)["structuredContent"]["in_background"]
        removed = wire.result("remove_project", path=root)

        assert removed["structuredContent"]["removed"]
        assert wire.result("list_projects")["structuredContent"]["projects"] == []
        assert [path.name for path in private_state.iterdir() if path.is_dir()] == []


def test_a_cancelled_call_is_not_answered_and_the_next_one_is(wire, shop, held):
    with held(shop):
        search = wire.call("semantic_search", query="x", project=shop)
        wire.result("list_projects")
        wire.tell("notifications/cancelled", {"requestId": search, "reason": "test"})
        assert "result" in wire.answer(wire.ask("ping"))
    wire.result("semantic_search", query="session", project=shop)

    assert search not in [message.get("id") for message in wire.messages]


def test_a_worker_that_dies_costs_the_calls_it_had_and_no_more(wire, shop, held):
    wire.result("list_projects")
    (worker,) = children_of(wire.process.pid)
    with held(shop):
        search = wire.call("semantic_search", query="x", project=shop)
        wire.result("list_projects")
        os.kill(worker, signal.SIGKILL)
        answer = wire.answer(search)["result"]

    assert answer["isError"]
    assert "the worker process ended" in text_of(answer)
    assert "signal 9" in text_of(answer)
    assert not wire.result("semantic_search", query="session", project=shop).get("isError")


# -- MCP-06: started anywhere ----------------------------------------------------------------------


def test_mcp_06_a_server_started_in_a_project_neither_indexes_it_nor_leaves_a_trace(
    start_server, shop
):
    before = sorted(Path(shop).iterdir())
    with start_server(cwd=shop) as wire:
        wire.handshake()
        assert "no project is registered" in text_of(wire.result("list_projects"))
        refused = wire.result("semantic_search", query="session")
        assert refused["isError"]
        assert "semantic_search with its absolute path as project" in text_of(refused)
        assert wire.result("get_code_context", file="src/session.py")["isError"]
        assert wire.result("add_project", path=".")["isError"]
        assert "no project is registered" in text_of(wire.result("list_projects"))
        wire.close()

    assert sorted(Path(shop).iterdir()) == before


# -- MCP-09: many at once --------------------------------------------------------------------------


def test_mcp_09_parallel_reads_in_two_servers_are_all_answered(start_server, wire, shop):
    wire.result("semantic_search", query="session", project=shop)
    with start_server() as other:
        other.handshake()
        calls = []
        for _ in range(6):
            for server in (wire, other):
                calls += [
                    (server, server.call("find_symbol", name="Session", project=shop)),
                    (server, server.call("semantic_search", query="session", project=shop)),
                    (server, server.call("index_status", path=shop)),
                ]
        results = [server.answer(call)["result"] for server, call in calls]

    assert [text_of(result) for result in results if result.get("isError")] == []
    assert len(results) == 36


def test_mcp_09_parallel_searches_after_an_edit_all_find_it(wire, shop):
    wire.result("semantic_search", query="session", project=shop)
    Path(shop, "src/new.py").write_text("def zebra_crossing():\n    return 1\n")

    calls = [wire.call("find_definition", name="zebra_crossing", project=shop) for _ in range(12)]

    found = [wire.answer(call)["result"]["structuredContent"] for call in calls]
    assert [each["total"] for each in found] == [1] * 12
    assert not any(each["partial"] for each in found)


def test_a_flood_of_calls_is_answered_with_as_few_files_open_as_macos_grants(
    start_server, wire, shop
):
    wire.result("semantic_search", query="session", project=shop)
    command = f"ulimit -n 256; exec {sys.executable} -P -m code_indexer.mcp_server"
    with start_server(command=["sh", "-c", command]) as limited:
        limited.handshake()
        calls = [
            limited.call("find_definition", name="renew", project=shop, _progress=n + 1)
            for n in range(150)
        ]

        answers = [limited.answer(call)["result"] for call in calls]

    assert not [text_of(answer) for answer in answers if answer.get("isError")]


def test_calls_that_wait_for_nothing_are_answered_while_many_wait(wire, shop, held):
    with held(shop):
        for _ in range(40):
            wire.call("semantic_search", query="session", project=shop)

        assert not wire.result("lookup_project", path=shop).get("isError")


# -- junk ------------------------------------------------------------------------------------------


def test_lines_that_are_no_messages_do_no_harm(wire):
    lines = (b"not json", b"\xef\xbb\xbf{}", b"[]", b"", b"\xff\xfe", b'{"jsonrpc":"2.0"}')
    for line in (*lines, b"[" * 100_000, b"1" * 5_000):
        wire.send(line)
    unknown = wire.ask("no/such")

    assert wire.answer(unknown)["error"]["code"] == -32601
    assert "result" in wire.answer(wire.ask("tools/list"))
    assert wire.junk == []


@pytest.mark.parametrize(
    "line",
    [
        b'{"id": 70, "method": "ping"}',
        b'{"jsonrpc": "1.0", "id": 70, "method": "ping"}',
        b'{"jsonrpc": "2.0", "id": 70}',
        b'{"jsonrpc": "2.0", "id": 70, "method": 5}',
        b'{"jsonrpc": "2.0", "id": 70, "method": "ping", "params": [1]}',
        b'[{"jsonrpc": "2.0", "id": 70, "method": "ping"}]',
    ],
)
def test_a_request_that_is_not_valid_is_answered_with_an_error(wire, line):
    wire.send(line)

    assert wire.answer(70)["error"]["code"] == -32600
    assert "result" in wire.answer(wire.ask("tools/list"))


@pytest.mark.parametrize(
    "line",
    [
        b'{"jsonrpc": "2.0", "id": 70, "result": 5}',
        b'{"jsonrpc": "2.0", "id": 70, "error": {"code": 1, "message": "no"}}',
        b'{"jsonrpc": "2.0", "id": null, "method": "ping"}',
        b'{"jsonrpc": "2.0", "id": true, "method": 5}',
        b"[[[1]], 5, null]",
    ],
)
def test_what_nobody_waits_for_is_passed_over(wire, line):
    wire.send(line)

    assert "result" in wire.answer(wire.ask("tools/list"))
    assert [message["id"] for message in wire.messages] == [1, 2]


def test_a_message_behind_a_byte_order_mark_is_read(wire):
    wire.send(b"\xef\xbb\xbf" + json.dumps({"jsonrpc": "2.0", "id": 77, "method": "ping"}).encode())

    assert "result" in wire.answer(77)


@pytest.mark.parametrize("cut_sign", [rb"\ud83d", b"\xf0\x9f", b"\xff"])
def test_a_text_that_ends_in_the_middle_of_a_character_is_answered(wire, cut_sign):
    call = {"name": "lookup_project", "arguments": {"path": "/shop @"}}
    message = {"jsonrpc": "2.0", "id": 77, "method": "tools/call", "params": call}
    wire.send(json.dumps(message).encode().replace(b"@", cut_sign))

    assert "/shop" in wire.answer(77)["result"]["content"][0]["text"]
    assert wire.junk == []


def test_a_very_long_query_is_answered(wire, shop):
    result = wire.result("semantic_search", query="x" * 200_000, project=shop)

    assert not result.get("isError")
