"""The portfolios of the page: the numbers of the command, one account or parts, refusals; and the tab of the tester."""

import json
import threading
import time
from typing import Any

import pytest

from pinebench.studio.app import Studio
from pinebench.studio.web import StudioRequest
from tests.studio.support import Driver
from tests.studio.test_look import findings
from tests.tradingview.support import LIMIT

STRATEGY = """//@version=6
strategy("Cross", overlay = true, initial_capital = 10000, default_qty_type = strategy.percent_of_equity,
     default_qty_value = 60)
fast = input.int(3, "Fast")
if ta.crossover(ta.sma(close, fast), ta.sma(close, 20))
    strategy.entry("L", strategy.long)
if ta.crossunder(ta.sma(close, fast), ta.sma(close, 20))
    strategy.close("L")
"""


@pytest.fixture(scope="module")
def studio() -> Studio:
    return Studio()


def ask(studio: Studio, path: str, body: object) -> tuple[int, Any]:
    answer = studio.handle(StudioRequest("POST", f"/studio/api/{path}", {}, {}, json.dumps(body).encode()))
    return answer.status, json.loads(answer.body)


def member(symbol: str, **more: Any) -> dict[str, Any]:
    given = {"source": STRATEGY, "resolution": "1W", "inputs": {}, "properties": {}}
    return {"name": f"Cross on {symbol}", "symbol": symbol, **given, **more}


def run(studio: Studio, *members: dict[str, Any], **more: Any) -> tuple[int, Any]:
    given = {"count": 100, "until": None, "study": "p", "trading": {}, "shared": True, **more}
    return ask(studio, "portfolio", {"members": members, **given})


def test_one_strategy_alone_is_what_the_tester_shows(studio: Studio) -> None:
    status, told = run(studio, member("AAPL", inputs={"in_0": 5}, properties={"commission_value": 0.2}))
    assert status == 200, told
    chart = {"source": STRATEGY, "symbol": "AAPL", "resolution": "1W", "count": 100, "until": None}
    _, ran = ask(studio, "run", {**chart, "inputs": {"in_0": 5}, "properties": {"commission_value": 0.2}})
    tested = ran["tested"]["performance"]
    assert told["report"]["net_profit"] == tested["all"]["netProfit"] != 0
    assert told["report"]["max_drawdown"] == tested["maxStrategyDrawDown"]
    assert told["trade_count"] == len(ran["tested"]["trades"])


def test_the_whole_has_its_parts_its_correlation_and_a_curve(studio: Studio) -> None:
    _, told = run(studio, member("AAPL"), member("MSFT"), member("BTCUSDT"), trading={"initial_capital": 5000})
    assert [one["name"] for one in told["strategies"]] == ["Cross on AAPL", "Cross on MSFT", "Cross on BTCUSDT"]
    assert told["report"]["initial_capital"] == 5000
    assert told["tier"]["name"] == "python" and told["tier"]["reason"]
    curve = told["curve"]
    assert curve["times"] == sorted(set(curve["times"])), "a picture needs one value for a second"
    assert len(curve["times"]) <= 3_000
    for k, equity in enumerate(curve["equity"]):
        assert equity == pytest.approx(5000 + sum(part[k] for part in curve["strategies"]))
    assert curve["equity"][-1] == told["report"]["final_equity"]
    assert sum(one["refused_for_money"] for one in told["strategies"]) > 0
    assert any("refused because other strategies" in note for note in told["notes"])
    assert told["correlation"][0][1] == told["correlation"][1][0]
    assert told["correlation"][0][1] is not None
    _, parts = run(studio, member("AAPL"), member("MSFT"), shared=False)
    assert [one["initial_capital"] for one in parts["strategies"]] == [5000, 5000]


@pytest.mark.parametrize(
    ("members", "more", "status", "words"),
    [
        ([], {}, 422, "1 to 50 strategies, not 0"),
        ([member("AAPL"), member("NOWHERE")], {}, 400, "existing symbol"),
        (
            [member("AAPL", source="//@version=6\nindicator('x')\nplot(close)\n")],
            {},
            422,
            "Cross on AAPL: the script is",
        ),
        ([member("AAPL", source="//@version=6\nstrategy('x'\n")], {}, 422, "Cross on AAPL: "),
        ([member("AAPL", source=STRATEGY + 'runtime.error("no more")\n')], {}, 422, "Cross on AAPL:9: Error on bar 0"),
        ([member("AAPL"), member("MSFT", properties={"initial_capital": 7})], {}, 422, "different capitals"),
        ([member("AAPL"), member("MSFT", properties={"currency": "EUR"})], {}, 422, "different currencies"),
        ([member("AAPL", properties={"currency": "EUR"})], {}, 422, "Cross on AAPL: an account in EUR"),
        ([member("AAPL")], {"trading": {"initial_capital": -1}}, 422, "initial_capital"),
        ([member("AAPL")], {"until": -1}, 422, "Cross on AAPL: there are no bars"),
        ([{"symbol": "AAPL"}], {}, 400, "members"),
    ],
)
def test_what_cannot_be_run_is_refused_in_words(
    members: list[dict[str, Any]], more: dict[str, Any], status: int, words: str, studio: Studio
) -> None:
    answer = run(studio, *members, **more)
    assert answer[0] == status, answer
    assert words in answer[1]["error"]


def test_a_running_portfolio_is_stopped(studio: Studio) -> None:
    slow = STRATEGY + "for i = 0 to 100000\n    i\n"
    told: list[tuple[int, Any]] = []
    thread = threading.Thread(target=lambda: told.append(run(studio, member("AAPL", source=slow), study="slow")))
    thread.start()
    end = time.monotonic() + LIMIT
    while thread.is_alive() and time.monotonic() < end:
        ask(studio, "stop", {"study": "slow"})
        thread.join(0.05)
    assert told[0][0] == 422
    assert "cancelled" in told[0][1]["error"]


PANEL = "document.querySelector('[data-name=\"backtesting\"]')"
PARTS = f"{PANEL}.querySelectorAll('[data-name=\"portfolio-part\"]')"
NUMBER = "Number(text.replace(/,/g, '').replace('−', '-').split(' ')[0])"


def text_of(page: Driver, selector: str) -> str:
    return page.js(f"{PANEL}.querySelector({json.dumps(selector)})?.textContent ?? ''")


@pytest.mark.live
def test_the_tab_tests_the_strategy_on_symbols_of_the_watchlist(page: Driver) -> None:
    """By the keyboard, in the dark and in the light theme, in a wide and in a narrow window."""
    page.js("TradingView.bottomWidgetBar.showWidget('pine-editor')")
    page.editor.write(STRATEGY)
    assert page.editor.compile().outcome == "added"
    page.js("TradingView.bottomWidgetBar.showWidget('backtesting')")
    page.until(f"{PANEL}?.querySelectorAll('[role=\"tab\"]').length === 6")
    page.js(f"{PANEL}.querySelectorAll('[role=\"tab\"]')[5].click()")
    count = f"{PANEL}.querySelector('[data-name=\"portfolio-count\"]').textContent"
    assert page.until(count) == "1 strategy: choose more symbols"
    chosen = f'{PANEL}.querySelector(\'[name="portfolio-symbol"][value="NASDAQ:AAPL"]\')'
    page.js(f"{chosen}.click()")
    assert page.until(count) == "Choose the symbols."
    assert page.js(f"{PANEL}.querySelector('[data-name=\"portfolio-run\"]').disabled")
    page.js(f"{chosen}.click()")
    assert findings(page, '[data-name="backtesting"]') == []

    page.js(f'{PANEL}.querySelector(\'[name="portfolio-symbol"][value="NASDAQ:MSFT"]\').focus()')
    page.press(" ", "Space", 32)
    page.until(f"{count} === '2 strategies'")
    page.js(f"{PANEL}.querySelector('[name=\"portfolio-capital\"]').focus()")
    page.connection.command("Input.insertText", text="50000")
    enter = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"}
    page.connection.command("Input.dispatchKeyEvent", type="keyDown", **enter)
    page.until(f"{PARTS}.length === 2")
    assert text_of(page, '[data-name="portfolio-about"]') == "2 strategies share one account; money in USD"
    parts = page.js(f"[...{PARTS}].map((row) => row.cells[2].textContent).map((text) => {NUMBER})")
    end, net, still = (
        page.js(f"[{json.dumps(text_of(page, f'[data-figure={name}] .value'))}].map((text) => {NUMBER})[0]")
        for name in ("final_equity", "net_profit", "open_profit")
    )
    assert net == pytest.approx(sum(parts), abs=0.011)
    assert end == pytest.approx(50_000 + net + still, abs=0.011)
    assert text_of(page, '[data-name="portfolio-correlation"] tbody td') == "+1.00"
    assert "refused because other strategies" in text_of(page, '[data-name="portfolio-notes"]')
    page.js(f"{PARTS}[1].querySelector('button').click()")
    rows = f"[...{PANEL}.querySelectorAll('[data-name=\"portfolio-trades\"] tbody tr')]"
    owners = f"[...new Set({rows}.map((row) => row.cells[1].textContent))].join()"
    page.until(f"{owners} === 'Cross on MSFT'")
    assert findings(page, '[data-name="backtesting"]') == []

    page.connection.command(
        "Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=1, mobile=False
    )
    page.until("innerWidth === 390")
    page.click('[data-name="header-toolbar-theme"]')
    page.until("document.documentElement.dataset.theme === 'light'")
    try:
        assert page.js("document.documentElement.scrollWidth <= innerWidth")
        assert page.js(f"{PANEL}.querySelector('.strategyReport__body').scrollWidth <= innerWidth")
        assert findings(page, '[data-name="backtesting"]') == []
    finally:
        page.js("localStorage.removeItem('pinebench-studio-theme')")
