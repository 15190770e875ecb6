"""What tests in a real Chromium are staged with: a studio's page in a tab, driven by pinebench's own connection."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

from pinebench.errors import UnavailableError
from pinebench.studio.session import StudioSession
from pinebench.tradingview import targets
from pinebench.tradingview.connection import Connection, document_gone
from pinebench.tradingview.editor import PageEditor
from pinebench.tradingview.errors import PageError, ProtocolError
from pinebench.tradingview.page import Page
from pinebench.tradingview.saved_scripts import SavedScripts
from pinebench.tradingview.tab import Tab
from pinebench.tradingview.targets import Target
from tests.tradingview.support import LIMIT

FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))"
CTRL = 2
SHIFT = 8
CHART = "TradingViewApi._activeChartWidgetWV.value()"
BARS = f"{CHART}._chartWidget.model().mainSeries().bars()"
CLEAN = "//@version=6\nindicator('Mine', overlay = true)\nplot(close)\n"
WRONG = "//@version=6\nindicator('x')\na = zzz\nb = yyy\nplot(xxx)\n"


_LOOK = """(async () => {
  const end = performance.now() + 250;
  for (;;) {
    const value = await (EXPRESSION
    );
    if (value || performance.now() > end) return value;
    await new Promise((done) => setTimeout(done, 10));
  }
})()"""
"""Looks for a quarter of a second whether an expression is true."""


class Driver:
    """The page in one tab."""

    def __init__(self, port: int, tab: str) -> None:
        self.port = port
        self.tab = tab
        self.connection = Connection(port=port, target=tab, notify=lambda _line: None)
        self.page = Page(self.connection)
        self.scripts = SavedScripts(PageEditor(self.page))
        self.editor = self.scripts.editor

    def js(self, expression: str) -> Any:
        """The value of `expression` on the page, awaited if it is a promise."""
        return self.connection.evaluate(expression, await_promise=True, timeout=LIMIT)

    def until(self, expression: str) -> Any:
        """Wait until `expression` is true on the page and return its value.

        The page looks by itself: to ask it again and again took an eighth of the work of such tests.
        """
        end, look = time.monotonic() + LIMIT, _LOOK.replace("EXPRESSION", expression)
        while True:
            value = None
            try:
                value = self.connection.evaluate(look, await_promise=True, read=True, timeout=LIMIT)
            except (ProtocolError, PageError) as error:
                if not document_gone(error):  # then another document comes
                    raise
            if value:
                return value
            assert time.monotonic() < end, f"still not true: {expression}"

    def click(self, selector: str) -> None:
        """Wait for a node and click it."""
        self.until(f"!!document.querySelector({json.dumps(selector)})")
        self.js(f"document.querySelector({json.dumps(selector)}).click()")

    def open_sample(self) -> None:
        """Open the script that a fresh studio holds; the editor itself begins with one that has no name."""
        assert self.scripts.open("Trend ribbon", discard=True).bound

    def press(self, key: str, code: str, key_code: int, modifiers: int = 0) -> None:
        """Press a key as a keyboard would."""
        self.page.press_key(key, code, key_code, modifiers)

    def set(self, **faults: Any) -> None:
        """Switch faults on or off while the page runs."""
        self.js(f"void Object.assign(window.__studioFaults, {json.dumps(faults)})")


_CLEAR = f"""(async () => {{
  window.fetch = window.__fetch ??= window.fetch;
  Object.assign(window.__studioFaults, window.__faults ??= {{...window.__studioFaults}});
  let rounds = 0;
  const moment = () => new Promise((done, refused) => {{
    if (++rounds > 2000) refused(new Error('something stays in front of the page, so that it cannot be cleared'));
    setTimeout(done, 5);  // a page behind another one draws no frames
  }});
  const api = TradingViewApi.pineEditorTestApi();
  const key = () => new KeyboardEvent('keydown', {{key: 'Escape', code: 'Escape', bubbles: true, cancelable: true}});
  while (document.querySelector('[role="dialog"], [role="menu"]') !== null) {{
    document.activeElement.dispatchEvent(key());
    await moment();
  }}
  if (document.documentElement.dataset.theme === 'light') {{
    document.querySelector('[data-name="header-toolbar-theme"]').click();
  }}
  localStorage.removeItem('pinebench-studio-theme');
  if (document.querySelector('.watchlist') === null) {{
    document.querySelector('[data-name="base-watchlist-widget-button"]').click();
  }}
  TradingViewApi._replayApi.stopReplay();
  const charts = TradingViewApi._chartWidgetCollection;
  if (charts._layoutType.value() !== 's') await charts.setLayout('s');
  const chart = {CHART};
  chart.removeAllStudies();
  chart.removeAllShapes();
  chart.setChartType(1);
  const shown = (symbol) => new Promise((done) => chart.setSymbol(symbol, done));
  if (chart.resolution() !== '1D') await new Promise((done) => chart.setResolution('1D', done));
  if (chart.symbol() === 'NASDAQ:AAPL' && {BARS}.size() !== 500) await shown('NASDAQ:MSFT');  // it has older bars
  if (chart.symbol() !== 'NASDAQ:AAPL') await shown('NASDAQ:AAPL');
  TradingView.bottomWidgetBar.showWidget('pine-editor');
  let asked = true;
  void api.openNewScript().then(() => {{ asked = false; }});
  while (asked || document.querySelector('.view-lines') === null) {{
    document.querySelector('[data-name="confirm-dialog"] [name="yes"]')?.click();
    await moment();
  }}
  document.activeElement.blur();
}})()"""


def clear(driver: Driver) -> None:
    """Let a page show what a fresh one shows: one chart with nothing on it and an untitled script, nothing in front.

    What is saved stays, and so do the watchlist and the layout that is open.
    """
    driver.connection.command("Emulation.clearDeviceMetricsOverride")
    driver.js(_CLEAR)


def away(driver: Driver) -> None:
    """Move the pointer off the chart: values in the legend are of the bar under it."""
    driver.connection.command("Input.dispatchMouseEvent", type="mouseMoved", x=2, y=2)
    driver.js(FRAMES)


def click_at(driver: Driver, selector: str, across: float = 0.5, down: float = 0.5) -> None:
    """Wait until a node can be clicked and click it with the mouse, at a share of its width and height."""
    place = (
        f"((node) => {{ if (node === null) return null; node.scrollIntoView({{block: 'nearest'}});"
        " const {x, y, width, height} = node.getBoundingClientRect();"
        f" const [left, top] = [x + width * {across}, y + height * {down}];"
        " const at = document.elementFromPoint(left, top);"
        " return width > 0 && (node === at || node.contains(at)) ? [left, top] : null; })"
        f"(document.querySelector({json.dumps(selector)}))"
    )
    x, y = driver.until(place)
    for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
        pressed = {} if kind == "mouseMoved" else {"button": "left", "clickCount": 1}
        driver.connection.command("Input.dispatchMouseEvent", type=kind, x=x, y=y, **pressed)


def type_text(driver: Driver, text: str) -> None:
    """Type characters into the field that has the focus, key by key."""
    for character in text:
        driver.connection.command("Input.dispatchKeyEvent", type="keyDown", text=character, key=character)
        driver.connection.command("Input.dispatchKeyEvent", type="keyUp", key=character)


def begin_so(driver: Driver, faults: dict[str, Any]) -> None:
    """Switch faults on, and let the documents that this page loads next begin with them."""
    driver.set(**faults)
    driver.js(f"""void (() => {{
      const query = new URLSearchParams(location.search);
      query.set('faults', {json.dumps(json.dumps(faults))});
      history.replaceState(null, '', `${{location.pathname}}?${{query}}`);
    }})()""")


def reload(driver: Driver, session: StudioSession) -> None:
    """Load the driver's page anew, as its button does, and wait until chart and editor answer."""
    session.studio.ready.clear()
    driver.connection.command("Page.reload")
    assert session.wait_until_ready(LIMIT), "chart and editor did not come up"


_PORTS: list[int] = []
"""Ports on which studios of this process ran before."""


@contextmanager
def studio_session(**options: Any) -> Iterator[StudioSession]:
    """A running studio, on a port of an earlier one if such a port is free.

    A browser keeps the compiled code of a page for each port: with a new port, it would compile the page anew.
    """
    with _started(**options) as session:
        if session.port not in _PORTS:
            _PORTS.append(session.port)
        yield session


def _started(**options: Any) -> StudioSession:
    for port in _PORTS:
        try:
            return StudioSession(port, **options)
        except UnavailableError:  # another studio of this process or another program has it now
            continue
    return StudioSession(**options)


def forget_kept(port: int, session: StudioSession) -> None:
    """Let the browser forget what pages at the studio's address have kept in it; each studio has its own cookie."""
    blank = next((one for one in targets.list_targets("127.0.0.1", port) if one.url == "about:blank"), None)
    if blank is None:
        entry = targets.ask_browser("127.0.0.1", port, "/json/new?about:blank", "PUT")
        blank = Target(entry["id"], "page", "", "about:blank")
    tab = Tab("127.0.0.1", port, blank)
    tab.start()
    try:
        kept = {"origin": f"http://127.0.0.1:{session.port}", "storageTypes": "local_storage,indexeddb"}
        tab.request("Storage.clearDataForOrigin", kept, LIMIT)
    finally:
        tab.stop()


class Tabs:
    """Opens a studio's page in tabs of a browser, in which no earlier studio at this address has left anything."""

    def __init__(self, port: int, session: StudioSession) -> None:
        forget_kept(port, session)
        self._port = port
        self._session = session
        self._opened: list[Driver] = []

    def __call__(self, path: str = "", ready: bool = True, named: str = "", **faults: Any) -> Driver:
        """The page below `/chart/` at `path` with `faults` on; waits until chart and editor answer if `ready`.

        Faults may also be `named` as in an address: `staleNode,depth:20`.
        """
        self._session.studio.ready.clear()
        asked = named or (json.dumps(faults) if faults else "")
        address = quote(self._session.address(path, **({"faults": asked} if asked else {})), safe="")
        entry = targets.ask_browser("127.0.0.1", self._port, f"/json/new?{address}", "PUT")
        driver = Driver(self._port, entry["id"])
        self._opened.append(driver)
        if ready:
            assert self._session.wait_until_ready(LIMIT), "chart and editor did not come up"
        return driver

    def close(self) -> None:
        """Close every tab."""
        for driver in self._opened:
            driver.connection.close()
            targets.ask_browser("127.0.0.1", self._port, f"/json/close/{driver.tab}", "GET")
