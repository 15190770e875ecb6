"""1,000 mixed calls by MCP over stdio: every line is whole JSON, every call is answered, the page answers after."""

import json
import os
import queue
import random
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pinebench.studio.session import StudioSession
from pinebench.tools import registry
from pinebench.tools.arguments import ChoiceArgument, Flag
from pinebench.tools.registry import Tool
from pinebench.tradingview import browser
from tests.studio.support import CLEAN, WRONG, Driver, Tabs
from tests.tools.test_gone import NEVER, anything
from tests.tools.test_registry import fitting
from tests.tradingview.support import patience, start_browser

pytestmark = pytest.mark.soak

CALLS = 1_000
AT_ONCE = 4
TOOLS = {name: tool for name, tool in registry.tools().items() if name not in {*NEVER, "ui_keyboard", "ui_evaluate"}}
SOME: dict[str, tuple[object, ...]] = {
    "symbol": ("NASDAQ:AAPL", "MSFT", "BINANCE:BTCUSDT", "NO:SUCH"),
    "symbols": (["NASDAQ:MSFT", "AMEX:SPY"], ["NO:SUCH", "AAPL"]),
    "timeframe": ("1D", "60", "4h", "W"),
    "indicator": ("Relative Strength Index", "MACD", "No Such Index"),
    "source": (
        CLEAN,
        WRONG,
        "",
        '//@version=6\nstrategy("S")\nif close > open\n    strategy.entry("L", strategy.long)\n',
    ),
    "name": ("Trend ribbon", "ta.sma", "ema_ribbon", "nothing"),
    "query": ("apple", "ema", "Add symbol"),
    "date": ("2025-06-30", "1750000000", "yesterday"),
    "layout": ("s", "2h", "4"),
    "index": (0, 1, 7),
    "preset": ("trend_following", "mean_reversion", "nothing"),
    "entries": (["ema_cross"], ["nothing"]),
    "section": ("Funds", "Shares"),
    "price": (100, 231.5, -1),
    "path": ("/tmp/pinebench-mixed-calls/bars.csv",),
    "value": ("No such button", "Watchlist"),
}
"""Values that somebody may give an argument of this name, good ones and others."""


class Server:
    """`pinebench mcp` over its standard input and output, spoken to line by line."""

    def __init__(self, port: int, errors: Path) -> None:
        command = [sys.executable, "-m", "pinebench", "mcp", "--tools", "all", "--cdp-port", str(port)]
        self._errors = errors.open("w")
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            env=os.environ.copy(),
        )
        self.answers: queue.Queue[dict[str, Any] | str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self._number = 0

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            try:
                self.answers.put(json.loads(line))
            except ValueError:
                self.answers.put(line)

    def send(self, method: str, params: dict[str, Any], *, answered: bool = True) -> int:
        self._number += 1
        told = {"jsonrpc": "2.0", "method": method, "params": params, **({"id": self._number} if answered else {})}
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(told) + "\n")
        self.process.stdin.flush()
        return self._number

    def answer(self) -> dict[str, Any]:
        """The next answer; what is told besides, as progress, is passed over."""
        while True:
            found = self.answers.get(timeout=120)
            assert isinstance(found, dict), f"no JSON on stdout: {found!r}"
            if "id" in found and "method" not in found:
                return found


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Driver, Server]]:
    """A studio's page in a browser of its own, and a server that drives it."""
    with patience():
        launched: browser.RunningBrowser = start_browser(tmp_path / "profile")
        try:
            with StudioSession() as session:
                driver = Tabs(launched.port, session)()
                server = Server(launched.port, tmp_path / "errors")
                try:
                    about = {"protocolVersion": "2025-06-18", "capabilities": {}}
                    server.send("initialize", {**about, "clientInfo": {"name": "mixed", "version": "1"}})
                    assert "result" in server.answer()
                    server.send("notifications/initialized", {}, answered=False)
                    yield driver, server
                finally:
                    server.process.terminate()
                    server.process.wait(30)
        finally:
            launched.stop()


def given(tool: Tool, random_: random.Random) -> dict[str, Any]:
    """Arguments that fit, that nearly fit, or that do not."""
    found: dict[str, Any] = {}
    for name, kind in tool.arguments.items():
        if name == "target" or (name not in tool.required and random_.random() < 0.5):
            continue
        if name in SOME:
            found[name] = random_.choice(SOME[name])
        elif isinstance(kind, ChoiceArgument):
            found[name] = random_.choice(kind.values)
        elif isinstance(kind, Flag):
            found[name] = random_.random() < 0.5
        else:
            found[name] = fitting(tool, name)
    if random_.random() < 0.3:
        found[random_.choice([*tool.arguments, "nonsense"])] = anything(random_)
    return plain(found)


def plain(value: Any) -> Any:
    """`value` as JSON can say it."""
    return json.loads(json.dumps(value).replace("NaN", "null").replace("-Infinity", "null").replace("Infinity", "null"))


@pytest.mark.parametrize("seed", [1])
def test_1000_mixed_calls_are_answered_whole(
    served: tuple[Driver, Server], seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    driver, server = served
    random_, told, errors = random.Random(seed), Counter[str](), Counter[str]()
    names = list(TOOLS)
    pending: dict[int, str] = {}
    for number in range(CALLS):
        name = names[number] if number < len(names) else random_.choice(names)
        asked = server.send("tools/call", {"name": name, "arguments": given(TOOLS[name], random_)})
        pending[asked] = name
        while len(pending) >= AT_ONCE or (pending and number == CALLS - 1):
            answer = server.answer()
            answered = pending.pop(answer["id"])
            result = answer["result"]
            content = result["structuredContent"]
            assert json.loads(result["content"][0]["text"]) == content
            assert content["success"] is not result.get("isError", False), (answered, content)
            assert "internal error" not in content.get("error", ""), (answered, content)
            told["good" if content["success"] else "refused"] += 1
            errors[answered] += not content["success"]
    for name in ("replay_stop", "pane_set_layout", "chart_set_symbol", "tv_health_check"):
        arguments = {"pane_set_layout": {"layout": "s"}, "chart_set_symbol": {"symbol": "NASDAQ:AAPL"}}.get(name, {})
        server.send("tools/call", {"name": name, "arguments": arguments})
        last = server.answer()["result"]["structuredContent"]
        assert last["success"], (name, last)
    assert last["chart_symbol"] == "NASDAQ:AAPL"
    assert driver.js("TradingViewApi._activeChartWidgetWV.value().symbol()") == "NASDAQ:AAPL"
    assert told["good"] > CALLS / 4 and told["refused"] > CALLS / 10
    with capsys.disabled():
        print(f"\n{CALLS} calls of {len(names)} tools: {told['good']} went well, {told['refused']} were refused")
