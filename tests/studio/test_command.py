"""`pinebench studio` as a program: one line of JSON when chart and editor answer, and nothing left behind."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from pinebench.tradingview import targets
from tests.studio.support import CHART, LIMIT, Driver
from tests.tradingview.support import until

pytestmark = pytest.mark.live

COMMAND = [sys.executable, "-m", "pinebench", "studio"]


class Program:
    """A studio that runs with a state folder of its own; a failing test leaves it to the fixture to end it."""

    def __init__(self, state: Path, *arguments: str, **environment: str) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, *arguments],
            env={**os.environ, "XDG_STATE_HOME": str(state), "PINEBENCH_STATE_DIR": "", **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        _running.append(self.process)

    def line(self) -> str:
        """The next line on stdout."""
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def end(self, number: signal.Signals = signal.SIGTERM) -> tuple[int, str, str]:
        """Send a signal; exit code, the rest of stdout, stderr."""
        self.process.send_signal(number)
        output, errors = self.process.communicate(timeout=LIMIT)
        return self.process.returncode, output, errors


_running: list[subprocess.Popen[str]] = []


@pytest.fixture
def state(tmp_path: Path) -> Iterator[Path]:
    """A state folder, which no process uses any more afterwards."""
    folder = tmp_path / "state"
    yield folder
    while _running:
        process = _running.pop()
        if process.poll() is None:
            process.terminate()
            process.communicate(timeout=LIMIT)
    # What ends with a browser may be there for a moment longer than the browser itself.
    until(lambda: not [line for line in processes() if str(folder) in line])


def processes() -> list[str]:
    """The command lines of everything that runs."""
    found: list[str] = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found.append(entry.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace"))
        except OSError:
            continue
    return found


def refuses(port: int) -> bool:
    """Whether nobody listens on `port` any more."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=2).close()
    except OSError:
        return True
    return False


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_headless_says_where_it_is_once_it_answers(state: Path, number: signal.Signals) -> None:
    program = Program(state, "--headless")
    said: dict[str, Any] = json.loads(program.line())
    assert sorted(said) == ["debug_port", "pid", "url"]
    assert said["pid"] == program.process.pid
    assert 9222 not in (said["debug_port"], int(said["url"].split(":")[2].split("/")[0]))
    # Clients written for TradingView's page choose it by these words.
    addresses = [page.url for page in targets.list_targets("127.0.0.1", said["debug_port"]) if page.type == "page"]
    page, _, token = said["url"].partition("?token=")
    assert [address.startswith(page) and "tradingview.com/chart" in address for address in addresses] == [True]
    # Everybody on this computer may read command lines, and the browser's list of pages.
    assert len(token) > 20
    assert [text for text in (*processes(), *addresses) if token in text] == []
    driver = Driver(said["debug_port"], "")
    driver.connection.wanted = None
    assert driver.js(f"{CHART}.symbol()") == "NASDAQ:AAPL"
    assert driver.editor.find() is not None
    driver.connection.close()
    assert program.end(number) == (0, "", "")
    assert refuses(said["debug_port"])
    assert profiles(state) == []


def test_a_studio_that_was_killed_leaves_no_browser_and_the_next_one_no_profile(state: Path) -> None:
    program = Program(state, "--headless")
    said = json.loads(program.line())
    assert program.end(signal.SIGKILL)[0] == -signal.SIGKILL
    until(lambda: not [line for line in processes() if str(state) in line])
    assert refuses(said["debug_port"])
    program = Program(state, "--headless")
    json.loads(program.line())
    assert len(profiles(state)) == 1
    assert program.end()[0] == 0
    assert profiles(state) == []


def profiles(state: Path) -> list[Path]:
    """The folders of browsers below a state folder."""
    return [path.parent for path in (state / "pinebench").rglob("open.html")]


def test_without_a_browser_it_only_serves(state: Path) -> None:
    program = Program(state, "--headless", "--no-browser")
    said = json.loads(program.line())
    assert said["debug_port"] is None
    host, port = said["url"].removeprefix("http://").split("/")[0].split(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=LIMIT)
    connection.request("GET", "/studio/api/health")
    assert json.loads(connection.getresponse().read())["ready"] is False
    connection.close()
    assert program.end() == (0, "", "")


@pytest.mark.soak
def test_two_studios_run_side_by_side(state: Path) -> None:
    first, second = Program(state, "--headless"), Program(state, "--headless")
    said = [json.loads(program.line()) for program in (first, second)]
    assert len({entry["url"] for entry in said} | {entry["debug_port"] for entry in said}) == 4
    assert [program.end()[0] for program in (first, second)] == [0, 0]


def test_a_signal_while_it_starts_leaves_nothing_behind(state: Path) -> None:
    program = Program(state, "--headless")
    end = time.monotonic() + LIMIT
    while not any("remote-debugging-port" in line and str(state) in line for line in processes()):
        assert time.monotonic() < end, "no browser was started"
        time.sleep(0.005)
    code, output, _ = program.end()
    assert (code, output) == (0, "") or (code == 0 and json.loads(output))


def test_a_browser_that_dies_ends_a_headless_studio_with_an_error(state: Path) -> None:
    program = Program(state, "--headless")
    said = json.loads(program.line())
    driver = Driver(said["debug_port"], "")
    driver.connection.wanted = None
    driver.connection.tab()
    driver.connection.tab().post("Browser.close")
    _, errors = program.process.communicate(timeout=LIMIT)
    driver.connection.close()
    assert program.process.returncode == 3
    assert "browser ended" in errors


def test_the_scripts_of_a_studio_are_there_the_next_time(state: Path) -> None:
    for expected in ([], ["Kept"]):
        program = Program(state, "--headless", "--no-browser")
        address = urlsplit(json.loads(program.line())["url"])
        connection = http.client.HTTPConnection(address.netloc, timeout=LIMIT)
        connection.request("GET", f"/pine-facade/list/?{address.query}")
        names = [script["scriptName"] for script in json.loads(connection.getresponse().read())]
        assert names == [*expected, "Trend ribbon"]
        connection.request(
            "POST",
            f"/pine-facade/save/new?name=Kept&{address.query}",
            b"source=plot(1)",
            {"Content-Type": "application/x-www-form-urlencoded"},
        )
        assert connection.getresponse().status == (409 if expected else 200)
        connection.close()
        assert program.end()[0] == 0


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--port", "70000"], 2, "must be a port"),
        (["--port", "6000"], 2, "browsers refuse pages at port 6000"),
        (["--debug-port", "x"], 2, "must be a port"),
        (["--bars", "none"], 2, "no folder"),
        (["--headless", "--frob"], 2, "--frob"),
    ],
)
def test_wrong_usage_is_said(state: Path, arguments: list[str], code: int, words: str) -> None:
    ended = subprocess.run(
        [*COMMAND, *arguments],
        env={**os.environ, "XDG_STATE_HOME": str(state)},
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (code, "")
    assert words in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_taken_port_cannot_be_had(state: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = subprocess.run(
            [*COMMAND, "--no-browser", "--headless", "--port", str(port)],
            env={**os.environ, "XDG_STATE_HOME": str(state)},
            capture_output=True,
            text=True,
            timeout=LIMIT,
            check=False,
        )
    assert ended.returncode == 3
    assert str(port) in ended.stderr


def test_without_any_browser_headless_says_so(state: Path, tmp_path: Path) -> None:
    ended = subprocess.run(
        [*COMMAND, "--headless"],
        env={**os.environ, "XDG_STATE_HOME": str(state), "PINEBENCH_BROWSER": str(tmp_path / "none")},
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    assert ended.returncode in (2, 3)
    assert "none" in ended.stderr
    assert ended.stdout == ""
