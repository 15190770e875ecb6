"""Streams for ten minutes: memory is held, each change is told once, a chart that went away is waited for."""

import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from pinebench.studio.session import StudioSession
from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.tool_calls import call
from tests.studio.support import Tabs
from tests.tradingview.support import patience, start_browser

pytestmark = pytest.mark.soak

SECONDS = 600
SYMBOLS = ("NASDAQ:AAPL", "NASDAQ:MSFT", "AMEX:SPY", "NASDAQ:NVDA")
STREAMS = ("quote", "values", "bars")


class Stream:
    """A `pinebench tv stream` that runs, and what it has printed."""

    def __init__(self, what: str, port: int, folder: Path) -> None:
        command = [
            sys.executable,
            "-m",
            "pinebench",
            "tv",
            "stream",
            what,
            "--interval",
            "100",
            "--cdp-port",
            str(port),
        ]
        self.errors = (folder / f"{what}.err").open("w+")
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.errors, text=True)
        self.lines: list[str] = []
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        self.lines.extend(iter(self.process.stdout.readline, ""))

    def memory(self) -> int:
        """Kilobytes that it holds."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0])

    def told(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in list(self.lines)]

    def stop(self) -> tuple[int, str]:
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(30)
        self._reader.join(30)
        self.errors.seek(0)
        return code, self.errors.read()


class Opened:
    """A browser of its own, with one page of a studio; a blank tab keeps it alive while that is gone."""

    def __init__(self, port: int, tabs: Tabs, chart_browser: ChartBrowser) -> None:
        self.port, self.chart_browser, self._tabs = port, chart_browser, tabs
        self._browser("/json/new?about:blank", "PUT")
        self._driver = tabs()
        self._add_study()

    def go_away(self) -> None:
        """Close the chart's tab."""
        self._browser(f"/json/close/{self._driver.tab}")

    def come_back(self) -> None:
        """Open a chart in another tab."""
        self._driver = self._tabs()
        self._add_study()

    def _add_study(self) -> None:
        done = call(
            self.chart_browser, "chart_manage_indicator", {"action": "add", "indicator": "Relative Strength Index"}
        )
        assert done["success"], done

    def _browser(self, path: str, method: str = "GET") -> None:
        from pinebench.tradingview import targets

        targets.ask_browser("127.0.0.1", self.port, path, method)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    """The browser."""
    with patience():
        launched = start_browser(tmp_path / "profile")
        try:
            with StudioSession() as session, ChartBrowser(port=launched.port) as chart_browser:
                yield Opened(launched.port, Tabs(launched.port, session), chart_browser)
        finally:
            launched.stop()


def test_streams_hold_memory_tell_each_change_once_and_come_back(
    opened: Opened, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    streams = {what: Stream(what, opened.port, tmp_path) for what in STREAMS}
    began, changes, lost = time.monotonic(), 0, 0
    memory: dict[str, list[int]] = {what: [] for what in STREAMS}
    try:
        while time.monotonic() - began < SECONDS:
            if changes % 40 == 20:
                lost += 1
                opened.go_away()
                time.sleep(5)  # longer than a stream waits until it looks again
                opened.come_back()
            wanted = SYMBOLS[(changes + 1) % len(SYMBOLS)]
            done = call(opened.chart_browser, "chart_set_symbol", {"symbol": wanted})
            assert done["success"], done
            changes += 1
            wait_for(lambda symbol=wanted: streams["quote"].told()[-1]["symbol"] == symbol, streams["quote"])
            for what, stream in streams.items():
                assert stream.process.poll() is None, what
                memory[what].append(stream.memory())
            time.sleep(2)
    finally:
        ended = {what: stream.stop() for what, stream in streams.items()}
    for what, stream in streams.items():
        bare = [{key: value for key, value in each.items() if key != "_ts"} for each in stream.told()]
        assert all(one != other for one, other in pairwise(bare)), "something was told twice"
        assert {each["_stream"] for each in bare} == {what}
        code, said = ended[what]
        assert code == 0 and said.strip().splitlines()[-1].endswith(" s"), said
        kept = memory[what][len(memory[what]) // 4 :]
        assert max(kept) <= 1.15 * kept[0], f"{what}: {memory[what]}"
    symbols = [each["symbol"] for each in streams["quote"].told()]
    assert sum(one != other for one, other in pairwise(symbols)) >= changes - 1
    with capsys.disabled():
        for what, stream in streams.items():
            count, grown = len(stream.lines), memory[what]
            print(f"\n{what}: {count} lines, {changes} changes, gone {lost} times, {grown[0]} to {max(grown)} kB")


def wait_for(holds: Any, stream: Stream) -> None:
    end = time.monotonic() + 60
    while True:
        if stream.lines and holds():
            return
        assert time.monotonic() < end, stream.lines[-3:]
        time.sleep(0.05)
