"""What tests of the market page are staged with: a chart server with an engine on a loopback exchange, and its page."""

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import websocket

from pinebench.engine import EngineSettings, TradingEngine, start_engine
from pinebench.engine.paper import Terms
from pinebench.tradingview import targets
from pinebench.tradingview.tab import Tab
from pinebench.tradingview.targets import Target
from tests.engine.exchange import Exchange, messages, until
from tests.engine.markets import BEGIN, MINUTE, bars_of, ticks
from tests.tradingview.support import LIMIT

HISTORY = 60
RISING = bars_of([(100 + i, 101.5 + i, 99.5 + i, 101 + i) for i in range(80)])
"""Each bar closes one above the close before: bar i at 101 + i."""

_SET = """((field, value) => {
  const kinds = {SELECT: HTMLSelectElement, TEXTAREA: HTMLTextAreaElement};
  const kind = (kinds[field.tagName] ?? HTMLInputElement).prototype;
  Object.getOwnPropertyDescriptor(kind, 'value').set.call(field, value);
  field.dispatchEvent(new Event(field.tagName === 'SELECT' ? 'change' : 'input', {bubbles: true}));
})"""


class Market:
    """A market page in a tab."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab

    def js(self, expression: str) -> Any:
        """The value of an expression, awaited if it is a promise."""
        asked = {"expression": expression, "returnByValue": True, "awaitPromise": True}
        answer = self._tab.request("Runtime.evaluate", asked, LIMIT)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def until(self, condition: str) -> None:
        """Wait until a condition holds. It does not while another document is loaded."""
        until(lambda: self._holds(condition), LIMIT)

    def _holds(self, condition: str) -> bool:
        try:
            return bool(self.js(condition))
        except Exception as error:
            if "AssertionError" in type(error).__name__:
                raise
            return False

    def resize(self, width: int, height: int) -> None:
        """Give the page another size."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self._tab.request("Emulation.setDeviceMetricsOverride", size, LIMIT)

    def picture(self) -> bytes:
        """What is seen, as a PNG."""
        return base64.b64decode(self._tab.request("Page.captureScreenshot", {"format": "png"}, LIMIT)["data"])

    def press(self, key: str, code: int) -> None:
        """Press a key."""
        for kind in ("keyDown", "keyUp"):
            told = {"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code}
            if key == "Enter":
                told["text"] = "\r"
            self._tab.request("Input.dispatchKeyEvent", told, LIMIT)

    def click(self, selector: str, text: str = "") -> None:
        """Wait for a button that can be pressed, with a text if one is given, and click it once."""
        found = (
            f"[...document.querySelectorAll({json.dumps(selector)})]"
            f".find((one) => one.textContent.includes({json.dumps(text)}) && !one.disabled)"
        )
        self.until(f"{found} !== undefined")
        self.js(f"void {found}.click()")

    def fill(self, selector: str, value: str) -> None:
        """Enter a value as a person does."""
        self.until(f"!!document.querySelector({json.dumps(selector)})")
        self.js(f"{_SET}(document.querySelector({json.dumps(selector)}), {json.dumps(value)})")

    def says(self, text: str, where: str = ".market") -> None:
        """Wait until a part of the page says something."""
        self.until(f"document.querySelector({json.dumps(where)})?.textContent.includes({json.dumps(text)})")

    def text(self, selector: str) -> str:
        return str(self.js(f"document.querySelector({json.dumps(selector)})?.textContent ?? ''"))

    def tab(self, name: str) -> None:
        self.click(f"#market-tab-{name}")

    def chart(self, symbol: str, timeframe: str) -> None:
        """Load a chart."""
        self.fill(".market__bar input", symbol)
        self.fill(".market__bar select", timeframe)
        self.click(".market__bar .button--accent")
        self.until("document.querySelector('.market__status').dataset.kind === 'ready'")

    def held(self) -> list[list[dict[str, Any]]]:
        """The series of each pane of the chart: their types, and how many points and levels they have."""
        return self.js("__PINEBENCH_MARKET__.held().panes")


@contextmanager
def opened(port: int, address: str) -> Iterator[Market]:
    """A page in a browser of its own: it shares neither cookies nor anything that pages keep with other pages."""
    address_of_browser = targets.ask_browser("127.0.0.1", port, "/json/version")["webSocketDebuggerUrl"]
    line = websocket.create_connection(address_of_browser, suppress_origin=True, timeout=LIMIT)

    def ask(method: str, **params: Any) -> Any:
        line.send(json.dumps({"id": 1, "method": method, "params": params}))
        while "id" not in (answer := json.loads(line.recv())):
            pass
        return answer["result"]

    context = ask("Target.createBrowserContext")["browserContextId"]
    target = ask("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
    tab = Tab("127.0.0.1", port, Target(target, "page", "", "about:blank"))
    tab.start()
    try:
        tab.request("Emulation.setFocusEmulationEnabled", {"enabled": True}, LIMIT)  # a hidden page asks nothing
        tab.request("Page.navigate", {"url": address}, LIMIT)
        yield Market(tab)
    finally:
        tab.stop()
        ask("Target.disposeBrowserContext", browserContextId=context)
        line.close()


@contextmanager
def trading(folder: Path, patch: pytest.MonkeyPatch) -> Iterator[tuple[TradingEngine, Exchange]]:
    """An engine on BTCUSDT in minutes, and the exchange of this computer that it follows."""
    patch.setenv("PINEBENCH_CACHE_DIR", str(folder / "cache"))
    settings = EngineSettings(
        str(folder / "engine"),
        terms=Terms(commission=0, slippage=0),
        clock=lambda: BEGIN + HISTORY * MINUTE + MINUTE // 2,
    )
    with Exchange({"BTCUSDT": RISING}, HISTORY) as exchange:
        patch.setenv("PINEBENCH_BINANCE_URL", exchange.rest_url)
        patch.setenv("PINEBENCH_BINANCE_STREAM_URL", exchange.stream_url)
        with start_engine(["BTCUSDT"], "1m", settings) as engine:
            until(lambda: exchange.connections == 1)
            yield engine, exchange


def play(engine: TradingEngine, exchange: Exchange, bar: int) -> None:
    """Let the exchange send all updates of a bar, and wait until the engine has worked on them."""
    exchange.send(*messages(list(ticks(RISING, bar))))
    until(lambda: engine.last(("BTCUSDT", "1m")) == RISING.time[bar])
