"""Scripts run on all bars that there are, whatever part of them the chart shows, and the page says which they are."""

import csv
import json
import math
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pinebench.studio.app import Studio
from pinebench.studio.web import StudioRequest
from pinebench.tradingview import browser
from tests.studio.support import CHART, Driver, Tabs, studio_session

BARS = 20_000
FIRST = 1_640_995_200  # 2022-01-01
STRATEGY = """//@version=6
strategy("Crosses", overlay = true, initial_capital = 10000, default_qty_type = strategy.percent_of_equity,
     default_qty_value = 50, commission_value = 0.05)
fast = ta.ema(close, 12)
slow = ta.ema(close, 48)
if ta.crossover(fast, slow)
    strategy.entry("Up", strategy.long)
if ta.crossunder(fast, slow)
    strategy.close("Up")
plot(fast)
if barstate.islast
    label.new(bar_index, close, str.tostring(bar_index))
    line.new(bar_index - 10, close, bar_index, close)
"""
PANEL = "document.querySelector('[data-name=\"backtesting\"]')"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one CSV file of 20,000 hours."""
    random, close = Random("whole"), 100.0
    folder = tmp_path_factory.mktemp("bars")
    with (folder / "XETR_DEEP_60.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["time", "open", "high", "low", "close", "volume"])
        for number in range(BARS):
            start = close
            close = round(max(5.0, start * math.exp(random.gauss(0, 0.004))), 2)
            edge = round(abs(random.gauss(0, 0.2)), 2)
            high, low = round(max(start, close) + edge, 2), round(min(start, close) - edge, 2)
            rows.writerow([FIRST + 3600 * number, start, high, low, close, 100])
    return folder


def run(studio: Studio, **more: Any) -> dict[str, Any]:
    asked = {"source": STRATEGY, "symbol": "XETR:DEEP", "resolution": "60", "count": 500, "until": None, "inputs": {}}
    body = json.dumps({**asked, **more}).encode()
    return json.loads(studio.handle(StudioRequest("POST", "/studio/api/run", body=body)).body)


def test_the_tester_says_to_the_cent_what_the_command_line_says(folder: Path) -> None:
    script = folder / "crosses.pine"
    script.write_text(STRATEGY)
    told = run(Studio(bars=folder))
    command = [sys.executable, "-m", "pinebench", "backtest", str(script), "--data", str(folder / "XETR_DEEP_60.csv")]
    printed = subprocess.run([*command, "--format", "json"], capture_output=True, text=True, check=True, timeout=120)
    figures = json.loads(printed.stdout)["report"]
    ours = told["tested"]["performance"]["all"]
    assert round(ours["netProfit"], 2) == round(figures["net_profit"], 2)
    assert ours["profitFactor"] == pytest.approx(figures["profit_factor"], rel=1e-12)
    assert ours["totalTrades"] == figures["trades"] == len(told["tested"]["trades"]) - figures["open_trades"]


def test_the_chart_gets_the_bars_that_it_shows_and_the_account_of_all(folder: Path) -> None:
    told = run(Studio(bars=folder))
    assert told["ran"] == {"bars": BARS, "from": FIRST, "to": FIRST + 3600 * (BARS - 1)}
    assert len(told["times"]) == 500
    assert told["times"][-1] == FIRST + 3600 * (BARS - 1)
    assert {len(column) for output in told["outputs"] for column in output["columns"].values()} <= {0, 500}
    # Drawn at the last bar that is shown, and saying its number among all.
    (label,), (line,) = told["drawings"]["label"], told["drawings"]["line"]
    assert (label["x"], label["text"]) == (499, str(BARS - 1))
    assert (line["x1"], line["x2"]) == (489, 499)
    tested = told["tested"]
    assert len(tested["equity"]) == 500
    last = tested["trades"][-1]["e"]
    assert told["times"][last["b"]] * 1000 == last["tm"] or last["b"] < 0
    curve = tested["curve"]
    assert (curve["times"][0], curve["times"][-1]) == (FIRST, FIRST + 3600 * (BARS - 1))
    assert len(curve["times"]) <= 2002
    assert curve["equity"][-1] == tested["equity"][-1]


def test_more_that_is_shown_changes_no_result(folder: Path) -> None:
    studio = Studio(bars=folder)
    few, many = run(studio), run(studio, count=1500)
    assert few["tested"]["performance"] == many["tested"]["performance"]
    assert many["outputs"][0]["columns"]["series"][-500:] == few["outputs"][0]["columns"]["series"]
    assert len(many["times"]) == 1500


def test_a_replay_sees_nothing_that_comes_later(folder: Path) -> None:
    until = FIRST + 3600 * (BARS - 101)
    told = run(Studio(bars=folder), until=until)
    assert told["ran"]["to"] == until
    assert (len(told["times"]), told["times"][-1]) == (400, until)


@pytest.fixture(scope="module")
def page(chromium: browser.RunningBrowser, folder: Path) -> Iterator[Driver]:
    with studio_session(bars=folder) as running:
        tabs = Tabs(chromium.port, running)
        driver = tabs()
        driver.js(f"new Promise((done) => {{ {CHART}.setSymbol('XETR:DEEP'); {CHART}.setResolution('60', done); }})")
        driver.editor.write(STRATEGY)
        assert driver.editor.compile().outcome == "added"
        driver.js("TradingView.bottomWidgetBar.showWidget('backtesting')")
        driver.until(f"{PANEL}?.querySelectorAll('.reportItem').length === 8")
        yield driver
        tabs.close()


def test_the_tester_says_which_bars_it_ran_on(page: Driver) -> None:
    text = page.js(f"{PANEL}.querySelector('[data-name=\"ran-on\"]').textContent")
    assert text == "20,000 bars, 2022-01-01 – 2024-04-13"


def test_the_curve_of_equity_spans_all_bars(page: Driver) -> None:
    """Its first pixels are drawn, and the scale of time begins with the first year."""
    drawn = (
        "(() => { const place = document.querySelector('.strategyReport__chart > div');"
        " const canvas = [...place.querySelectorAll('canvas')].find((one) => one.width > 200 && one.height > 60);"
        " const { data, width, height } = (() => { const { width, height } = canvas;"
        " return { data: canvas.getContext('2d').getImageData(0, 0, width, height).data, width, height }; })();"
        " const green = (x) => { for (let y = 0; y < height; y++) { const at = 4 * (y * width + x);"
        " if (data[at + 1] > 150 && data[at] < 90) return true; } return false; };"
        " const seen = Array.from({ length: width }, (_, x) => x).filter(green);"
        " return [seen[0] / width, seen.at(-1) / width]; })()"
    )
    page.js("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    first, last = page.js(drawn)
    assert first < 0.02
    assert last > 0.97


def test_a_trade_is_shown_by_a_click_and_the_list_is_ordered_and_filtered(page: Driver) -> None:
    page.js(f"{PANEL}.querySelectorAll('[role=\"tab\"]')[2].click()")
    rows = f"[...{PANEL}.querySelectorAll('[data-name=\"trade-row\"]')]"
    page.until(f"{rows}.length > 10")
    page.js(f"void ([...{PANEL}.querySelectorAll('.strategyReport__sort')][0].click())")
    page.until(f"{rows}[0].cells[0].textContent === '1'")
    entry = page.js(f"{rows}[0].cells[2].textContent")
    assert entry.split(" · ")[2] == f"{float(entry.split(' · ')[2]):.2f}", "prices have the symbol's decimals"
    page.js(f"{rows}[0].click()")
    moment = page.js(f"Date.parse('{entry.split(' · ')[1]}Z') / 1000")
    page.until(f"(({{from, to}}) => from <= {moment} && to >= {moment})({CHART}.getVisibleRange())")
    # The chart loads the bars of that time, and the list is away while the strategy runs on them.
    page.until(f"{PANEL}.querySelectorAll('.strategyReport__sort').length > 5")
    page.js(f"void ([...{PANEL}.querySelectorAll('.strategyReport__sort')][5].click())")
    profits = (
        f"{rows}.map((row) => Number(row.cells[5].textContent.split(' ')[0].replace('−', '-').replaceAll(',', '')))"
    )
    page.until(f"{profits}.length > 5 && {profits}.every((p, i, all) => i === 0 || all[i - 1] <= p)")
    choose = (
        "(() => { const s = document.querySelector('[aria-label=\"Which trades\"]');"
        " Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(s, 'Winning');"
        " s.dispatchEvent(new Event('change', { bubbles: true })); })()"
    )
    page.js(choose)
    page.until(f"{profits}.length > 3 && {profits}.every((p) => p > 0)")
