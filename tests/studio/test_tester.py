"""The strategy tester on the page: panel, figures, list of trades, and the report that clients read."""

from collections.abc import Iterator

import pytest

from pinebench.backtesting.backtest import backtest
from pinebench.backtesting.trade_list import as_csv
from pinebench.calendars.timeframes import timeframe
from pinebench.checker import open_program
from pinebench.market import samples
from pinebench.studio.bars import StudioBars
from tests.studio.support import BARS, CHART, Driver
from tests.studio.test_look import findings

SOURCES = f"{CHART}._chartWidget.model().model().dataSources()"
REPORT = f"{SOURCES}.at(-1).reportData()"
STRATEGY = """//@version=6
strategy("Steps", overlay = true, initial_capital = 5000, default_qty_type = strategy.fixed, default_qty_value = 1)
if bar_index % 40 == 10
    strategy.entry("In", strategy.long)
if bar_index % 40 == 30
    strategy.close("In", comment = "=Out, \\"quick\\"")
plot(close)
"""
PANEL = "document.querySelector('[data-name=\"backtesting\"]')"


@pytest.fixture
def page(shared: Driver) -> Iterator[Driver]:
    """The module's page without studies, the editor open."""
    yield shared
    shared.js(f"{CHART}.removeAllStudies()")
    shared.js("TradingView.bottomWidgetBar.showWidget('pine-editor')")


def add(page: Driver) -> None:
    page.js("TradingView.bottomWidgetBar.showWidget('pine-editor')")
    page.editor.write(STRATEGY)
    assert page.editor.compile().outcome == "added"


def test_the_report_has_the_shape_that_clients_read(page: Driver) -> None:
    add(page)
    performance = page.js(f"{REPORT}.performance")
    assert performance["all"]["totalTrades"] == 28
    assert performance["long"]["netProfit"] == pytest.approx(performance["all"]["netProfit"])
    assert "profitFactor" not in performance["short"], "there is nothing to divide by"
    trade = page.js(f"{REPORT}.trades[0]")
    assert (trade["e"]["tp"], trade["e"]["c"], trade["x"]["b"] - trade["e"]["b"]) == ("le", "In", 20)
    assert trade["e"]["b"] < 0, "it was before the bars that the chart shows"
    last = page.js(f"{REPORT}.trades.at(-1).e")
    assert page.js(f"{BARS}.valueAt({last['b']})[0]") * 1000 == last["tm"]
    assert trade["tp"]["v"] == pytest.approx(trade["x"]["p"] - trade["e"]["p"])
    assert page.js(f"{SOURCES}.at(-1).metaInfo().is_price_study") is False
    assert page.js(f"{SOURCES}.at(-1).performance().value().all.totalTrades") == 28
    assert page.js(f"{SOURCES}.at(-1).ordersData().length") == 57
    assert page.js(f"{SOURCES}.at(-1).equityData().length") > 500


def test_an_indicator_has_no_report(page: Driver) -> None:
    page.js(f"{CHART}.createStudy('RSI')")
    assert page.js(f"typeof {SOURCES}.at(-1).reportData") == "undefined"


def test_the_panel_shows_figures_and_trades(page: Driver) -> None:
    add(page)
    page.js("TradingView.bottomWidgetBar.showWidget('backtesting')")
    page.until(f"{PANEL}?.querySelectorAll('.reportItem').length === 8")
    items = page.js(
        f"Object.fromEntries([...{PANEL}.querySelectorAll('.reportItem')].map((item) =>"
        " [item.querySelector('.label').textContent, item.querySelector('.value').textContent]))"
    )
    assert items["Total closed trades"] == "28"
    assert items["Net profit"].endswith("%)")
    page.until(f"{PANEL}.querySelector('canvas') !== null")
    assert findings(page) == []
    page.js(f"{PANEL}.querySelectorAll('[role=\"tab\"]')[1].click()")
    page.until(f"{PANEL}.querySelectorAll('tbody tr').length > 20")
    # Returns by signal and weekday are of the same trades; a daily chart has no hours.
    for by in ("signal", "weekday"):
        counts = page.js(
            f"[...{PANEL}.querySelectorAll('[data-name=\"returns-by-{by}\"] tbody tr')]"
            ".map((row) => Number(row.cells[1].textContent))"
        )
        assert sum(counts) == 28, by
    assert page.js(f"{PANEL}.querySelector('[data-name=\"returns-by-hour\"]')") is None
    page.js(f"{PANEL}.querySelectorAll('[role=\"tab\"]')[2].click()")
    page.until(f"{PANEL}.querySelectorAll('[data-name=\"trade-row\"]').length === 29")
    first = page.js(f"{PANEL}.querySelector('[data-name=\"trade-row\"]').textContent")
    assert "29long" in first
    assert "open" in first
    assert findings(page) == []
    assert page.js("document.querySelector('.pine-editor-monaco') === null")
    page.js("TradingView.bottomWidgetBar.activateScriptEditorTab()")
    page.until("document.querySelector('.pine-editor-monaco') !== null")
    assert page.js(f"{PANEL} === null")


def test_a_list_for_spreadsheets_holds_no_formula(page: Driver) -> None:
    add(page)
    page.js("TradingView.bottomWidgetBar.showWidget('backtesting')")
    page.until(f"{PANEL}?.querySelector('[data-name=\"export-trades\"]') !== null")
    page.js(
        "window.__blobs = []; window.__made = URL.createObjectURL;"
        "URL.createObjectURL = (blob) => (window.__blobs.push(blob), window.__made.call(URL, blob)); 1"
    )
    page.click('[data-name="export-trades"]')
    rows = page.until("window.__blobs.length > 0 && window.__blobs[0].text()").splitlines()
    page.js("void (URL.createObjectURL = window.__made)")
    assert len(rows) == 1 + 2 * 29
    assert '"\'=Out, ""quick"""' in rows[1]
    chart, _ = StudioBars().whole(samples.SAMPLES[0], timeframe("1D"), 300)
    tested = backtest(open_program(STRATEGY), chart.bars, chart.symbol)
    assert rows == as_csv(tested).splitlines(), "the list of the command line has the same text"
    assert rows[1].endswith(",made up")


def test_without_a_strategy_the_panel_says_what_to_do(page: Driver) -> None:
    page.js("TradingView.bottomWidgetBar.showWidget('backtesting')")
    page.until(f"{PANEL}?.textContent.includes('Add a strategy')")


def test_moments_are_those_of_the_chosen_zone(page: Driver) -> None:
    page.js(f"new Promise((done) => {CHART}.setResolution('60', done))")
    add(page)
    page.click('[data-name="backtesting-dialog-button"]')
    page.js(f"[...{PANEL}.querySelectorAll('[role=tab]')][2].click()")
    entry = f"{PANEL}.querySelector('[data-name=\"trade-row\"] td:nth-child(3)')?.textContent.split(' · ')[1]"
    page.until(f"{entry} !== undefined")
    opened = page.js(f"{REPORT}.trades.at(-1).e.tm")

    def told(zone: str) -> str:
        return page.js(
            f"new Intl.DateTimeFormat('sv-SE', {{timeZone: '{zone}', dateStyle: 'short', timeStyle: 'short'}})"
            f".format({opened})"
        )

    page.until(f"{entry} === '{told('America/New_York')}'")
    page.click(".chart-corner button")
    page.js("[...document.querySelectorAll('[role^=menuitem]')].find((one) => /Tokyo/.test(one.textContent)).click()")
    page.until(f"{entry} === '{told('Asia/Tokyo')}'")
    page.click('[data-name="data-window-button"]')
    page.until("document.querySelector('.dataWindow tbody th') !== null")
    newest = page.js(f"{BARS}.valueAt({BARS}.lastIndex())[0] * 1000")
    moment = "document.querySelector('.dataWindow tbody th').textContent"
    assert page.js(moment) == page.js(
        "new Intl.DateTimeFormat('sv-SE', {timeZone: 'Asia/Tokyo', dateStyle: 'short', timeStyle: 'short'})"
        f".format({newest})"
    )
    page.js("localStorage.removeItem('pinebench-studio-zone')")
    page.js(f"new Promise((done) => {CHART}.setResolution('1D', done))")


def test_a_strategy_on_averaged_bars_is_spoken_of(page: Driver) -> None:
    add(page)
    page.click('[data-name="backtesting-dialog-button"]')
    caution = "document.querySelector('[data-name=\"not-standard\"]')"
    page.until(f"{PANEL}.textContent.includes('Net profit')")
    assert page.js(f"{caution} === null")
    page.js(f"{CHART}.setChartType(8)")
    page.until(f"{caution}?.textContent.includes('averaged prices of Heikin Ashi')")
    page.js(f"{CHART}.setChartType(1)")
    page.until(f"{caution} === null")


def test_results_of_the_run_before_are_told_as_such_and_not_exported(page: Driver) -> None:
    page.js("TradingView.bottomWidgetBar.showWidget('pine-editor')")
    page.editor.write(STRATEGY.replace("if bar_index % 40 == 10", 'if bar_index % input.int(40, "Every") == 10'))
    assert page.editor.compile().outcome == "added"
    page.js("TradingView.bottomWidgetBar.showWidget('backtesting')")
    page.until(f"{PANEL}?.querySelector('[data-name=\"export-trades\"]') !== null")
    page.js("""void (() => {
      window.native = window.fetch;
      window.held = [];
      window.fetch = (input, init) => String(input).includes('/studio/api/run')
        ? new Promise((done) => window.held.push(() => done(window.native(input, init))))
        : window.native(input, init);
    })()""")
    page.js(f"void {CHART}.getStudyById({CHART}.getAllStudies()[0].id).setInputValues([{{id: 'in_0', value: 80}}])")
    page.until("window.held.length > 0")
    old = f"{PANEL}.querySelector('[data-name=\"old-results\"]')"
    assert page.until(f"{old}?.textContent") == "runs again: results of the run before"
    page.js(
        "window.__blobs = []; window.__made = URL.createObjectURL;"
        "URL.createObjectURL = (blob) => window.__blobs.push(blob); 1"
    )
    page.click('[data-name="export-trades"]')
    page.js("TradingView.bottomWidgetBar.showWidget('pine-editor')")
    page.until("[...document.querySelectorAll('.consoleRow')].some((row) => row.textContent.includes('Not exported'))")
    assert page.js("window.__blobs.length") == 0
    page.js(
        "void (URL.createObjectURL = window.__made, window.fetch = window.native, window.held.forEach((go) => go()))"
    )
    page.js("TradingView.bottomWidgetBar.showWidget('backtesting')")
    page.until(f"{PANEL}?.querySelector('[data-name=\"export-trades\"]') !== null && {old} === null")
