"""The market page: charts with all seven channels, alerts, and a paper account whose orders are sent once."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from pinebench.engine import TradingEngine
from pinebench.studio.session import StudioSession
from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.tool_calls import call
from pinebench.tradingview import browser
from tests.engine.exchange import Exchange
from tests.mcp.web.support import PASSPHRASE, Server
from tests.studio.market_page import HISTORY, RISING, Market, opened, play, trading
from tests.studio.test_look import findings

ANNA = "anna's own words"
_ORDERS = '[data-name="orders"]'
TWICE = """(() => { const one = document.querySelector('[data-name="send-order"]'); one.click(); one.click(); })()"""
LOSE_ANSWER = """(() => {
  const network = window.fetch;
  window.fetch = async (path, init) => {
    const answer = await network(path, init);
    if (!String(init?.body).includes('place_order')) return answer;
    window.fetch = network;
    throw new TypeError('the connection broke');
  };
})()"""
HOLD_ORDER = """(() => {
  const network = window.fetch;
  window.fetch = async (path, init) => {
    const answer = await network(path, init);
    if (String(path).endsWith('place_order')) await new Promise((done) => { window.let_go = done; });
    return answer;
  };
})()"""
NO_LIST = """(() => {
  const network = window.fetch;
  window.fetch = (path, init) => {
    if (String(init?.body).includes('list_indicators')) return Promise.reject(new TypeError('no network'));
    return network(path, init);
  };
})()"""
CHANNELS = ["lines", "histogram", "fills", "signals", "hlines", "hbars", "divlines"]


@pytest.fixture(scope="module")
def traded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TradingEngine, Exchange]]:
    with pytest.MonkeyPatch.context() as patch, trading(tmp_path_factory.mktemp("traded"), patch) as found:
        yield found


@pytest.fixture(scope="module")
def server(traded: tuple[TradingEngine, Exchange], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("served"), engine=traded[0], users={"anna": ANNA}) as found:
        yield found


def log_in(page: Market, user: str, passphrase: str) -> None:
    page.click('[data-name="log-in"]')
    page.until("document.querySelector('input[name=passphrase]') !== null")
    page.fill("input[name=user]", user)
    page.fill("input[name=passphrase]", passphrase)
    page.click("button[value=allow]")
    page.until("document.querySelector('.market') !== null")


def order(page: Market, side: str, quantity: str, **more: str) -> None:
    """Enter an order and look at its confirmation."""
    for name, value in {"quantity": quantity, **more}.items():
        page.fill(f'[data-name="new-order"] [name={name}]', value)
    page.click(f"[name=side][value={side}]")
    page.click('[data-name="new-order"] button')
    page.until("document.querySelector('[data-name=\"send-order\"]') !== null")


def token(page: Market) -> str:
    return str(page.js("JSON.parse(sessionStorage.getItem('pinebench-login')).access"))


def test_a_person_logs_in_and_has_alerts_and_paper_orders(
    chromium: browser.RunningBrowser, server: Server, traded: tuple[TradingEngine, Exchange]
) -> None:
    engine, exchange = traded
    address = f"{server.url}/app"
    with opened(chromium.port, address) as page, opened(chromium.port, address) as anna:
        log_in(page, "owner", PASSPHRASE)
        log_in(anna, "anna", ANNA)
        assert page.js("location.href") == address, "neither code nor state stays in the address"

        page.chart("BTCUSDT", "1m")
        assert page.text(".market__legend").startswith("BINANCE:BTCUSDT")
        assert page.text(".market__warning") == ""
        assert [one["type"] for one in page.held()[0]][:2] == ["Candlestick", "Histogram"]

        page.tab("alerts")
        page.says("alerts: live", '[data-name="stream"]')
        page.fill("[name=level]", "161.5")
        page.click('[data-name="new-alert"] button')
        page.says("close at or above 161.5", '[data-name="alerts"]')
        anna.tab("alerts")
        anna.says("No alert waits.")
        play(engine, exchange, HISTORY)  # it closes at 161
        play(engine, exchange, HISTORY + 1)  # it closes at 162
        page.says("Alert: BTCUSDT", ".market__toasts")
        page.says("at 162", '[data-name="history"]')
        page.says("No alert waits.", '[data-name="alerts"]')
        assert findings(page) == []
        assert "BTCUSDT" not in anna.text(".market__toasts") + anna.text('[data-name="history"]')
        page.click('[data-name="history"] button', "Set again")
        page.says("close at or above 161.5", '[data-name="alerts"]')
        page.click('[data-name="alerts"] button', "Delete")
        page.click("dialog button", "Delete")
        page.says("No alert waits.", '[data-name="alerts"]')

        page.tab("paper")
        order(page, "buy", "2", stop_loss="90.005")
        assert page.text("dialog dl") == "SideBUYQuantity2SymbolBTCUSDTTypemarketStop loss90.005"
        assert findings(page, "dialog") == []
        page.js(LOSE_ANSWER)  # it reaches the server, but the page does not learn that
        page.js(TWICE)
        page.says("is not known", "dialog [role=alert]")
        page.click('[data-name="send-order"]', "Send again")
        page.says("Buy 2 BTCUSDT", _ORDERS)
        play(engine, exchange, HISTORY + 2)  # it opens at 162
        page.says("Long 2 BTCUSDT from 162", '[data-name="positions"]')
        assert [each["state"] for each in engine.orders("owner") if each["type"] == "market"] == ["Filled"]
        assert engine.orders("anna") == []
        server.clock.ahead = 604_900  # the access token has ended, so that the page needs another one
        before = token(page)
        page.click('[data-name="positions"] button', "Close")
        page.says("SELL", "dialog")
        page.js(TWICE)
        page.until("document.querySelector('dialog') === null")
        play(engine, exchange, HISTORY + 3)
        page.says("No open position.")
        assert token(page) != before
        assert [each["state"] for each in engine.orders("owner") if each["type"] == "market"] == ["Filled"] * 2
        anna.tab("paper")
        anna.says("No open order.", _ORDERS)
        anna.click('[data-name="kill-switch"]')
        anna.click("dialog button", "Stop paper trading")
        anna.says("only the owner", ".market__toasts")
        page.click('[data-name="kill-switch"]')
        page.click("dialog button", "Stop paper trading")
        page.says("Paper trading is stopped: stopped by the owner")
        page.click(".market__warning button")
        page.until("!document.querySelector('.market__warning')")
        page.js("window.network = window.fetch; window.fetch = () => Promise.reject(new TypeError('no network')); 0")
        page.says("not live: ", '[data-name="money"] ~ h2')
        page.until("document.querySelector('[data-name=money]').dataset.stale === 'true'")
        page.js("window.fetch = window.network; 0")
        page.until("document.querySelector('[data-name=money]').dataset.stale === 'false'")

        known = token(page)
        assert server.is_let_in(known)
        page.click('[data-name="log-out"]')
        page.until("document.querySelector('[data-name=\"log-in\"]') !== null")
        assert not server.is_let_in(known)
        assert page.js("sessionStorage.getItem('pinebench-login')") is None
        assert server.is_let_in(token(anna)), "another person's log-in stays"
        page.js("void (location.search = '?code=c&state=s&iss=' + encodeURIComponent(location.origin))")
        page.says("does not belong to a log-in that began here", ".app--door")
        assert page.js("location.href") == address


# charts

_SHOW = """((payload, without) => {
  const told = structuredClone(payload);
  for (const name of without) for (const one of Object.values(told.indicators)) delete one[name];
  __PINEBENCH_MARKET__.show(told, Object.keys(told.indicators));
  const picture = __PINEBENCH_MARKET__.held().picture();
  const {data} = picture.getContext('2d').getImageData(0, 0, picture.width, picture.height);
  return data;
})"""
_DIFFERENT = """((one, other) => {
  let count = 0;
  for (let i = 0; i < one.length; i += 4) count += [0, 1, 2].some((part) => one[i + part] !== other[i + part]);
  return count;
})"""


@pytest.fixture(scope="module")
def charts(chromium: browser.RunningBrowser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Market]:
    """The page of a server without an engine that lets everybody in."""
    with (
        Server(tmp_path_factory.mktemp("charts"), auth=False) as server,
        opened(chromium.port, f"{server.url}/app") as page,
    ):
        page.until("document.querySelector('.market__status')?.dataset.kind === 'ready'")
        yield page


def payload(*names: str) -> str:
    chart = ChartBrowser(port=9)
    entries = [{"name": name, "id": name} for name in names]
    told = call(chart, "generate_chart", {"format": "series", "bars": 200, "indicators": entries})
    assert told["success"] is True, told
    return json.dumps(told)


def test_all_seven_channels_of_a_payload_are_drawn(charts: Market) -> None:
    told = payload("bbands", "volume_profile", "cipher_b", "macd")
    found = {name for one in json.loads(told)["indicators"].values() for name in one}
    assert found >= set(CHANNELS)
    changed = charts.js(
        f"(() => {{ const all = {_SHOW}({told}, []); return {json.dumps(CHANNELS)}"
        f".map((name) => {_DIFFERENT}(all, {_SHOW}({told}, [name]))); }})()"
    )
    assert all(count > 20 for count in changed), dict(zip(CHANNELS, changed, strict=True))
    charts.js(f"void {_SHOW}({told}, [])")
    assert [each["type"] for each in charts.held()[0]] == ["Candlestick", "Histogram", "Line", "Line", "Line"]
    assert charts.held()[0][0]["levels"] == len(json.loads(told)["indicators"]["volume_profile"]["hlines"])
    assert len(charts.held()) == 3, "the panels have panes of their own"


def test_a_line_has_a_gap_where_values_are_missing(charts: Market) -> None:
    """Joined ends would be values that nobody computed."""
    values = [5.0 if i < 20 or i >= 100 else None for i in range(120)]
    bars = [{"t": None, "o": 1, "h": 1, "l": 1, "c": 1, "v": 0} for _ in values]
    one = {"label": "Gap", "is_overlay": False, "y_range": [0, 10], "lines": [{"label": "x", "values": values}]}
    told = {"symbol": None, "interval": "4h", "source": "sample", "last_bar": None, "bars": bars, "remarks": []}
    with_gap = json.dumps(told | {"indicators": {"gap": one}})
    columns = charts.js(
        f"(() => {{ const data = {_SHOW}({with_gap}, []), none = {_SHOW}({with_gap}, ['lines']);"
        " const width = __PINEBENCH_MARKET__.held().picture().width; const found = new Set();"
        " for (let i = 0; i < data.length; i += 4) if (data[i] !== none[i]) found.add((i / 4) % width);"
        " return {width, found: [...found]}; })()"
    )
    share = [x / columns["width"] for x in columns["found"]]
    assert share and not [x for x in share if 0.25 < x < 0.7], "nothing is drawn in the gap"
    assert min(share) < 0.1 and max(share) > 0.75


def test_indicators_are_chosen_with_the_keyboard(charts: Market) -> None:
    charts.js("document.querySelector('.market__bar button[type=button]').focus()")
    charts.press("Enter", 13)
    charts.until("document.activeElement.type === 'search'")
    charts.fill("dialog input[type=search]", "zero line of nothing")
    charts.says("No indicator has this name.", "dialog")
    charts.fill("dialog input[type=search]", "parabolic")
    charts.until("document.querySelectorAll('[data-indicator]').length === 1")
    charts.js("document.querySelector('[data-indicator=sar]').focus()")
    charts.press("Enter", 13)
    charts.says("1 on the chart", "dialog")
    charts.press("Escape", 27)
    charts.until("document.querySelector('dialog') === null")
    labels = "[...document.querySelectorAll('.chip__name')].map((one) => one.textContent)"
    charts.until(f"{labels}.at(-1)?.startsWith('SAR')")
    charts.click('[aria-label^="Move SAR"][aria-label$="back"]')
    charts.until(f"{labels}.at(-2)?.startsWith('SAR')")
    charts.click(".chip__name", "RSI")
    charts.fill("dialog [name=length]", "7")
    charts.click("dialog button", "Apply")
    charts.until(f"{labels}.includes('RSI(7)')")
    charts.click('[aria-label="Remove RSI(7)"]')
    charts.until(f"!{labels}.some((one) => one.startsWith('RSI'))")
    kept = json.loads(charts.js("localStorage.getItem('pinebench-market-chips')"))
    assert [(one["name"], one["settings"]) for one in kept] == [("ema_stack", {}), ("sar", {})]
    charts.says("SAMPLE DATA", ".market__warning")
    charts.tab("paper")
    charts.says("pinebench mcp --trade BTCUSDT")


# the studio


def test_the_studio_has_the_same_page_for_its_own_engine(
    chromium: browser.RunningBrowser, traded: tuple[TradingEngine, Exchange]
) -> None:
    engine, exchange = traded
    with StudioSession(engine=engine) as session, opened(chromium.port, session.address()) as page:
        page.click('[data-name="open-market"]')
        page.until("document.querySelector('dialog .market__status')?.dataset.kind === 'ready'")
        # A first visit shows a market, not a random walk below zero, and says that it is made up.
        assert "AAPL" in page.text(".market__legend") and "SAMPLE DATA" in page.text(".market__warning")
        page.tab("alerts")
        page.says("alerts: live", '[data-name="stream"]')
        page.fill("[name=level]", str(RISING.close[HISTORY + 4] - 0.5))
        page.fill("[name=message]", "{{ticker}} is here")
        page.click('[data-name="new-alert"] button')
        page.says("is here", '[data-name="alerts"]')
        play(engine, exchange, HISTORY + 4)
        page.says("is here", ".market__toasts")
        page.tab("paper")
        order(page, "sell", "1")
        page.js(TWICE)
        page.says("Sell 1 BTCUSDT", _ORDERS)
        play(engine, exchange, HISTORY + 5)
        page.says("Short 1 BTCUSDT", '[data-name="positions"]')
        assert findings(page, '[data-name="market"]') == []
        page.js("document.activeElement.blur()")
        page.press("Escape", 27)
        page.until("document.querySelector('[data-name=\"market\"]') === null")


@pytest.fixture
def desk(
    chromium: browser.RunningBrowser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[TradingEngine, Market]]:
    """A studio with an engine of its own, and its page."""
    with (
        trading(tmp_path, monkeypatch) as (engine, _),
        StudioSession(engine=engine) as session,
        opened(chromium.port, session.address()) as page,
    ):
        yield engine, page


def test_an_open_order_is_seen_behind_many_later_ones_that_have_ended(desk: tuple[TradingEngine, Market]) -> None:
    """An answer holds the newest 200 orders: the page said that there was no open order."""
    engine, page = desk
    engine.place_order("owner", "BTCUSDT", "buy", 3, "limit", 50.0)
    for _ in range(205):
        engine.place_order("owner", "BTCUSDT", "buy", 1, "limit", 51.0)  # most are too many in a minute
    page.click('[data-name="open-market"]')
    page.tab("paper")
    page.says("Buy 3 BTCUSDT limit at 50", _ORDERS)
    page.click(".market__check input[type=checkbox]")
    page.says("The newest 100 orders at most")


def test_a_refused_order_is_told_after_its_confirmation_was_closed(desk: tuple[TradingEngine, Market]) -> None:
    """The confirmation was closed while the order was being sent, and the refusal was told nowhere."""
    _, page = desk
    page.click('[data-name="open-market"]')
    page.tab("paper")
    order(page, "buy", "0")
    page.js(HOLD_ORDER)
    page.click('[data-name="send-order"]')
    page.until("window.let_go !== undefined")
    page.click('[data-name="confirm-order"] [aria-label="Close"]')
    page.until("document.querySelector('[data-name=\"confirm-order\"]') === null")
    page.js("window.let_go(); 0")
    page.says("The paper order was not accepted", ".market__toasts")


def test_the_inputs_of_an_indicator_are_kept_while_the_list_is_not_loaded(
    chromium: browser.RunningBrowser, tmp_path: Path
) -> None:
    """The form said "This indicator has no inputs", and Apply took away those that were set."""
    with Server(tmp_path, auth=False) as server, opened(chromium.port, f"{server.url}/app") as page:
        page.until("document.querySelector('.market__status')?.dataset.kind === 'ready'")
        page.js(NO_LIST)
        page.tab("alerts")
        page.tab("chart")
        page.click(".chip__name", "RSI")
        page.says("The inputs are not known", "dialog")
        assert page.js(
            "[...document.querySelectorAll('dialog button')].find((one) => one.textContent === 'Apply').disabled"
        )
