"""What holds a server: scripts without end, broken lines, clients that go; others are answered all the same."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mcp.speaking import Served, Speaker
from tests.processes import all_end, descriptors, family, resident, workers

HEAD = '//@version=6\nindicator("x")\n'
ENDLESS = f"{HEAD}s = 0\nwhile close > 0\n    s += 1\nplot(s)"
PLAIN = f"{HEAD}plot(close)"


@pytest.fixture(scope="module")
def server() -> Iterator[Speaker]:
    with Speaker("--tools", "check", "--cdp-port", "9") as speaker:
        yield speaker


@pytest.mark.parametrize(
    ("line", "number"),
    [
        (b'{"jsonrpc": "2.0", "id": "half", "method": "ping", "params": {"x": "\\ud800"}}', "half"),
        (b'{"jsonrpc": "2.0", "id": "half2", "method": "tools/call", "params": {"name": "\\udfff"}}', "half2"),
        (b"nonsense", None),
        (b'{"jsonrpc": "2.0", "id": 7777, "method"', None),
        (b"[" * 100_000, None),
        (b'{"a":' * 50_000, None),
        (b"\xff\xfe\x00", None),
        (b'{"jsonrpc": "2.0", "id": "old", "method": 5}', "old"),
        (b'{"jsonrpc": "1.0", "id": "version", "method": "ping"}', "version"),
        (b"[]", None),
        (b"5", None),
        (b'{"jsonrpc": "2.0", "id": 99' + b"9" * 6000 + b', "method": "ping"}', None),
    ],
)
def test_a_line_that_is_no_message_is_answered_with_an_error(server: Speaker, line: bytes, number: str | None) -> None:
    before = len(server.order)
    server.send(b"")
    server.send(line)
    assert server.ask("ping")["result"] == {}
    came = server.order[before:]
    assert came[0] == number and len(came) == 2
    assert server.answer(number)["error"]["code"] in (-32700, -32600)


def begun(server: Speaker) -> tuple[int, set[int]]:
    """The id of a call that never ends by itself, the first of a server, and the worker that runs it."""
    number = server.call("pine_run", source=ENDLESS)
    while not (came := workers(server.process.pid)):
        assert server.ask("ping")["result"] == {}
    return number, came


def test_others_are_answered_before_a_script_that_never_ends() -> None:
    with Speaker("--tools", "check", "--cdp-port", "9") as server:
        hog, working = begun(server)
        hogs = [hog] + [server.call("pine_run", source=ENDLESS) for _ in range(2)]
        for _ in range(5):
            assert server.ask("ping")["result"] == {}
        checked = server.call("pine_analyze", source=PLAIN)
        assert server.answer(checked)["result"]["structuredContent"]["passes_check"]
        ran = server.call("pine_run", source=PLAIN)
        assert server.answer(ran)["result"]["structuredContent"]["success"]
        assert not any(server.has(each) for each in hogs)
        for each in hogs:
            server.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": each}})
        assert all_end(working), "a run that was called off goes on"
        assert server.ask("ping")["result"] == {}


def test_a_crash_and_bars_that_are_none_end_only_their_own_calls(tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_text("time,open,high,low,close\n2024-01-01,1,1,1,1\nyesterday,1,1,1,1\n")
    with Speaker("--tools", "check", "--cdp-port", "9") as server:
        hog, working = begun(server)
        bad = server.call("pine_run", source=PLAIN, data=str(tmp_path / "bad.csv"))
        fine = server.call("pine_run", source=PLAIN)
        for each in working:
            os.kill(each, signal.SIGKILL)
        told = server.answer(hog)["result"]["structuredContent"]
        assert not told["success"] and "the process that ran the script ended" in told["error"]
        told = server.answer(bad)["result"]["structuredContent"]
        assert not told["success"] and "bad.csv, line 3: 'yesterday'" in told["error"]
        assert server.answer(fine)["result"]["structuredContent"]["success"]


@pytest.mark.parametrize("how", ["end of input", "SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"])
def test_no_run_goes_on_once_its_client_or_server_has_gone(how: str) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup the server would inherit that it is ignored
    try:
        speaker = Speaker("--tools", "check", "--cdp-port", "9")
    finally:
        signal.signal(signal.SIGHUP, before)
    with speaker as server:
        begun(server)
        everybody = {server.process.pid, *family(server.process.pid)}
        if how == "end of input":
            assert server.process.stdin is not None
            server.process.stdin.close()
        else:
            server.process.send_signal(getattr(signal, how))
        code = server.process.wait(120)
        assert code == (0 if how != "SIGKILL" else -signal.SIGKILL)
        assert all_end(everybody), "a worker goes on"


def test_what_a_run_held_is_given_back() -> None:
    """The server keeps nothing of runs that filled their memory or answered at length."""
    fills = (
        f"{HEAD}var a = array.new<string>(0)\nif bar_index == 9\n    for i = 0 to 20000\n"
        "        a.push(str.repeat(str.tostring(i), 400))\nplot(a.size())"
    )
    tells = f'{HEAD}if barstate.islast\n    for i = 0 to 500\n        log.info(str.repeat("a", 4000))\nplot(close)'
    with Speaker("--tools", "check", "--cdp-port", "9") as server:
        for source in (fills, tells):
            server.answer(server.call("pine_run", source=source))
        before = resident(server.process.pid), descriptors(server.process.pid)
        for source in (fills, tells) * 2:
            server.answer(server.call("pine_run", source=source))
        assert resident(server.process.pid) - before[0] < 32 << 20
        assert descriptors(server.process.pid) <= before[1]


def test_the_end_of_a_session_over_http_ends_its_run(tmp_path: Path) -> None:
    with Served(tmp_path) as served:
        session = served.session()
        held = served.begin("pine_run", {"source": ENDLESS}, session)
        while not (came := workers(served.process.pid)):
            served.ask("pine_analyze", {"source": PLAIN}, session)
        served.close(session)
        assert all_end(came), "a run goes on that nobody waits for"
        held.close()
