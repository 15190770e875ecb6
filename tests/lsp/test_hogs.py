"""Scripts that hog do not hold the server, end when the editor cancels their request, and leave nothing behind."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lsp.client import Client, Failed, start_server
from tests.processes import all_end, family, workers

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

HEAD = '//@version=6\nindicator("x")\n'
ENDLESS = f"{HEAD}s = 0\nwhile close > 0\n    s += 1\nplot(s)"
PLAIN, HOG = "untitled:plain", "untitled:hog"
CANCELLED = -32800
"""The protocol's code for a request that the editor cancelled."""


class Spoken(Client):
    """A client of a server in a process of its own, with a script that hogs and one that does no harm."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None and process.stdout is not None
        super().__init__(process.stdout, process.stdin)
        self.process = process

    def run(self, uri: str, **more: str) -> int:
        """Ask for a run; gives the number of the request."""
        return self.start("workspace/executeCommand", command="pinebench.run", arguments=[{"uri": uri, **more}])

    def busy(self) -> set[int]:
        """The workers, once there is one."""
        end = time.monotonic() + 120
        while not (found := workers(self.process.pid)):
            assert time.monotonic() < end, "no worker has begun"
            time.sleep(0.02)
        return found


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Spoken]:
    process = start_server(cwd=str(tmp_path))
    client = Spoken(process)
    client.begin()
    client.open(PLAIN, f"{HEAD}plot(close)")
    client.open(HOG, ENDLESS)
    yield client
    process.kill()
    with contextlib.suppress(ValueError):  # The input is closed already.
        process.communicate()


def test_a_cancelled_run_is_answered_and_its_worker_ends(server: Spoken) -> None:
    number = server.run(HOG)
    busy = server.busy()
    server.notify("$/cancelRequest", id=number)
    with pytest.raises(Failed) as failed:
        server.result(number)
    assert failed.value.code == CANCELLED
    # The time of a run is far longer.
    assert all_end(busy, 10), "the worker goes on"
    assert server.result(server.run(PLAIN))["ok"]


def test_a_run_ends_when_the_server_is_shut_down(server: Spoken) -> None:
    server.run(HOG)
    busy = server.busy()
    server.send_request("shutdown", None)
    assert all_end(busy, 10), "the worker goes on"


def test_a_crash_and_bars_that_are_none_end_only_their_own_runs(server: Spoken, tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_text("time,open,high,low,close\n2024-01-01,1,1,1,1\nyesterday,1,1,1,1\n")
    number = server.run(HOG)
    for each in server.busy():
        os.kill(each, signal.SIGKILL)
    with pytest.raises(Failed, match="the process that ran the script ended"):
        server.result(number)
    with pytest.raises(Failed, match=r"bad\.csv, line 3: 'yesterday'"):
        server.result(server.run(PLAIN, data=str(tmp_path / "bad.csv")))
    assert server.result(server.run(PLAIN))["ok"]


@pytest.mark.parametrize("how", ["end of input", "SIGTERM", "SIGINT", "SIGKILL"])
def test_nothing_goes_on_when_the_editor_or_the_server_is_gone(server: Spoken, how: str) -> None:
    server.run(HOG)
    server.busy()
    everybody = {server.process.pid, *family(server.process.pid)}
    if how == "end of input":
        assert server.process.stdin is not None
        server.process.stdin.close()
    else:
        server.process.send_signal(getattr(signal, how))
    assert server.process.wait(120) is not None
    assert all_end(everybody, 10), "a process goes on"


def test_others_are_answered_while_a_script_hogs(server: Spoken) -> None:
    number = server.run(HOG)
    server.busy()
    hover = server.start("textDocument/hover", textDocument={"uri": PLAIN}, position={"line": 2, "character": 6})
    another = server.run(PLAIN)
    answered = [server.next_response()["id"] for _ in range(2)]
    assert answered == [hover, another], "the script that hogs is answered last"
    server.notify("$/cancelRequest", id=number)


def test_an_error_of_a_cancelled_run_is_not_printed(server: Spoken) -> None:
    """Who does not read the server's stderr would hold it, once enough had been printed."""
    for _ in range(30):
        number = server.run(PLAIN, data="/dev/zero")
        server.notify("$/cancelRequest", id=number)
        with contextlib.suppress(Failed):
            server.result(number)
    for _ in range(100):  # what nobody holds any more is freed meanwhile
        server.ask("textDocument/hover", textDocument={"uri": PLAIN}, position={"line": 2, "character": 6})
    server.process.kill()
    _, told = server.process.communicate()
    assert told == b""
