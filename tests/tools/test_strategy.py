"""Tools that read what a strategy on the chart came to, held against a back-test of the same script and bars."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pinebench.backtesting.backtest import BacktestRun, backtest
from pinebench.backtesting.trade_list import read, rows
from pinebench.calendars.timeframes import Timeframe
from pinebench.checker import open_program
from pinebench.market.samples import find
from pinebench.studio.bars import StudioBars
from pinebench.tools import registry
from pinebench.tools.pages import MOST
from pinebench.tools.tool_calls import ToolOutcome, for_model, perform
from tests.studio.support import CHART
from tests.tools.conftest import Bench

STRATEGY = """//@version=6
strategy("Crossing", overlay = true, initial_capital = 10000, default_qty_value = 10, slippage = 1,
     default_qty_type = strategy.fixed,
     commission_type = strategy.commission.percent, commission_value = 0.1)
int length = input.int(5, "Length", minval = 1)
float mean = ta.sma(close, length)
bool up = ta.crossover(close, mean)
if up
    strategy.entry("L", strategy.long)
if ta.crossunder(close, mean)
    strategy.entry("S", strategy.short)
plot(mean, "Mean")
plotshape(up, "Up", shape.triangleup, location.belowbar, text = "U")
"""
QUIET = '//@version=6\nstrategy("Quiet", overlay = true)\nplot(close)\n'
BROKEN = '//@version=6\nstrategy("Broken")\nplot(close)\nruntime.error("no")\n'


def by_hand(symbol: str = "AAPL", count: int = 20_000, **inputs: Any) -> BacktestRun:
    """The same strategy by pinebench's own tester."""
    found = find(symbol)
    assert found is not None
    chart = StudioBars().chart(found, Timeframe(1, "D"), count)
    return backtest(open_program(STRATEGY, ()), chart.bars, chart.symbol, inputs=inputs)


def add(bench: Bench, source: str) -> None:
    bench.driver.page.bring_to_front()
    bench.driver.editor.write(source)
    assert bench.driver.editor.compile().outcome in ("added", "updated")


@pytest.fixture
def strategy(bench: Bench) -> Iterator[None]:
    """The strategy on the chart."""
    add(bench, STRATEGY)
    yield
    bench.js(f"{CHART}.removeAllStudies()")


def test_a_strategy_that_is_still_being_tested_is_waited_for(use: Any, bench: Bench) -> None:
    """Whoever asks right after a compile gets the figures of that script, not a refusal and not those from before."""
    slow = "for i = 0 to 400\n    float x = math.sqrt(i)\n    if x < 0\n        strategy.cancel_all()\n"
    add(bench, STRATEGY)
    use("data_get_strategy_results")
    add(bench, STRATEGY.replace('"Crossing"', '"Slower"') + slow)
    assert use("data_get_strategy_results")["strategy"] == "Slower"
    bench.js(f"{CHART}.removeAllStudies()")


@pytest.mark.usefixtures("strategy")
def test_the_figures_are_those_of_the_tester(use: Any) -> None:
    result = use("data_get_strategy_results", verbose=True)
    figures = by_hand().figures()
    metrics = result["metrics"]
    assert (result["strategy"], result["currency"], result["source"]) == ("Crossing", "USD", "reportData")
    assert result["metric_count"] == len(metrics)
    assert metrics["netProfit"] == pytest.approx(figures["net_profit"])
    assert metrics["netProfitPercent"] == pytest.approx(figures["net_profit_percent"] / 100)
    assert metrics["profitFactor"] == pytest.approx(figures["profit_factor"])
    assert metrics["percentProfitable"] == pytest.approx(figures["percent_profitable"] / 100)
    assert metrics["totalTrades"] == figures["trades"] > 20
    assert metrics["maxStrategyDrawDown"] == pytest.approx(figures["max_drawdown"])
    assert metrics["sharpeRatio"] == pytest.approx(figures["sharpe_ratio"])
    assert result["long"]["netProfit"] == pytest.approx(figures["long"]["net_profit"])
    assert result["short"]["totalTrades"] == figures["short"]["trades"]


@pytest.mark.usefixtures("strategy")
def test_the_last_trades_are_those_of_the_tester(use: Any) -> None:
    expected = rows(by_hand())
    found = use("data_get_trades", max_trades=3)
    assert (found["total"], found["trade_count"]) == (len(expected), 3)
    for one, other in zip(found["trades"], expected[-3:], strict=True):
        for name in ("number", "side", "qty", "entry_price", "entry_signal", "exit_price", "exit_signal"):
            assert one[name] == other[name], name
        assert one["entry_time"] == other["entry_time"] // 1000
        for name in ("profit", "run_up", "drawdown"):
            assert one[name] == pytest.approx(other[name]), name
    assert found["trades"][-1]["exit_time"] is None, "the last one is open"


@pytest.mark.usefixtures("strategy")
def test_the_equity_is_thinned_out_from_its_first_bar_to_its_last(use: Any, bench: Bench) -> None:
    expected = by_hand()
    curve, times = expected.curve, [time // 1000 for time in expected.bars.time]
    whole = use("data_get_equity", max_points=500)
    known = dict(zip(times, curve.equity, strict=True))
    assert [point["equity"] for point in whole["data"]] == pytest.approx([known[p["time"]] for p in whole["data"]])
    assert (whole["data"][0]["time"], whole["data"][-1]["time"]) == (times[0], times[-1])
    thin = use("data_get_equity", max_points=10)
    summary = thin["equity_summary"]
    assert summary == whole["equity_summary"]
    assert (summary["first"], summary["last"]) == pytest.approx((curve.equity[0], curve.equity[-1]))
    assert (summary["highest"], summary["lowest"]) == pytest.approx((max(curve.equity), min(curve.equity)))
    assert (thin["data_points"], thin["total"]) == (10, whole["total"])
    assert (thin["data"][0], thin["data"][-1]) == (whole["data"][0], whole["data"][-1])
    told = for_model(bench.chart_browser, "data_get_equity", ToolOutcome(whole))
    assert len(json.dumps(told)) <= MOST and whole["data_points"] > len(told["data"])
    assert (told["data"][0], told["data"][-1]) == (whole["data"][0], whole["data"][-1])


@pytest.mark.usefixtures("strategy")
def test_trades_are_written_as_the_tester_exports_them(use: Any, tmp_path: Path) -> None:
    path = tmp_path / "trades.csv"
    expected = by_hand()
    written = use("data_export_csv", path=str(path), what="trades")
    assert written["rows"] == 2 * len(rows(expected))
    listed = read(path.read_text(encoding="utf-8"), path.name).trades
    assert [(one.side, one.entry_price, one.exit_price) for one in listed] == [
        ({1: "long", -1: "short"}[one.side], one.entry_price, one.exit_price) for one in expected.trades
    ]
    assert next(csv.reader(path.open(encoding="utf-8")))[0] == "Trade #"


@pytest.mark.usefixtures("strategy")
def test_other_inputs_and_other_symbols_have_their_own_report(use: Any, bench: Bench) -> None:
    study = use("chart_get_state")["studies"][-1]["id"]
    use("indicator_set_inputs", entity_id=study, inputs={"in_0": 12})
    bench.driver.until(f"{CHART}._chartWidget.model().model().dataSources().at(-1).reportData() !== null")
    assert use("data_get_strategy_results")["metrics"]["totalTrades"] == by_hand(Length=12).figures()["trades"]
    batch = use("batch_run", symbols=["NASDAQ:MSFT", "AMEX:SPY"], action="get_strategy_results")
    profits = [row["result"]["metrics"]["netProfit"] for row in batch["results"]]
    own = [by_hand(symbol, Length=12).figures()["net_profit"] for symbol in ("MSFT", "SPY")]
    assert profits == pytest.approx(own)
    assert batch["restored"] is True


@pytest.mark.usefixtures("strategy")
def test_plotted_shapes_are_read_with_their_bars(use: Any) -> None:
    (study,) = use("data_get_pine_shapes", max_shapes=4)["studies"]
    result = by_hand().result
    output = next(one for one in result.outputs if one.function == "plotshape")
    # Of the bars that the chart shows.
    times = [time // 1000 for time, up in zip(result.times[-500:], output.values[-500:], strict=True) if up]
    assert (study["name"], study["total_shapes"], study["showing"]) == ("Crossing", len(times), 4)
    assert [shape["time"] for shape in study["shapes"]] == times[-4:]
    assert (study["shapes"][0]["title"], study["shapes"][0]["text"]) == ("Up", "U")


def test_a_shape_at_the_value_0_is_a_signal(use: Any, bench: Bench) -> None:
    """As in the pane of an oscillator; at all other locations 0 means that there is no shape."""
    add(
        bench,
        '//@version=6\nindicator("Zero")\nplotshape(barstate.islast ? 0 : na, "At", location = location.absolute)\n'
        'plotshape(barstate.islast ? 0 : na, "Not", location = location.belowbar)\n',
    )
    (told,) = use("data_get_pine_shapes", study_filter="Zero")["studies"]
    assert [(each["title"], each["price"]) for each in told["shapes"]] == [("At", 0)]
    bench.js(f"{CHART}.removeAllStudies()")


def test_a_strategy_without_trades_has_figures_and_no_trades(use: Any, bench: Bench) -> None:
    add(bench, QUIET)
    assert use("data_get_strategy_results")["metrics"]["totalTrades"] == 0
    assert use("data_get_trades")["trades"] == []
    assert use("data_get_equity", max_points=2)["data"][-1]["equity"] == 100_000
    bench.js(f"{CHART}.removeAllStudies()")


@pytest.mark.usefixtures("strategy")
def test_an_open_trade_that_the_page_prices_at_the_last_bar_is_not_told_as_closed(use: Any, bench: Bench) -> None:
    last = use("data_get_ohlcv", count=1)["bars"][0]
    leave = json.dumps({"c": "", "tm": 1000 * last["time"], "p": last["close"], "tp": "", "b": 0})
    trades = f"{CHART}._chartWidget.model().model().dataSources().at(-1).reportData().trades"
    bench.js(f"void ({trades}.at(-1).x = {leave})")
    trade = use("data_get_trades", max_trades=1)["trades"][0]
    assert (trade["exit_time"], trade["exit_price"], trade["exit_signal"]) == (None, None, None)


@pytest.mark.usefixtures("strategy")
def test_orders_are_not_told_as_trades(use: Any, refused: Any, bench: Bench, tmp_path: Path) -> None:
    sources = f"{CHART}._chartWidget.model().model().dataSources()"
    report = f"{sources}.at(-1).reportData()"
    bench.js(f"void ({report}.own = {report}.trades, {report}.trades = undefined)")
    bench.js(f"void {sources}.forEach((one) => {{ delete one.tradesData; one.tradesData = () => [] }})")
    found = use("data_get_trades", max_trades=3)
    assert found["source"] == "ordersData" and any("only orders" in note for note in found["notes"])
    called = perform(bench.chart_browser, registry.find("data_get_trades"), {"max_trades": 3})
    assert called["notes"] == found["notes"], "a program gets them, too"
    assert "only orders" in refused("data_export_csv", path=str(tmp_path / "t.csv"), what="trades")
    bench.js(f"void ({report}.trades = [])")
    found = use("data_get_trades")
    assert (found["total"], found["source"]) == (0, "reportData"), "the report says that there are none"
    bench.js(f"void ({report}.trades = {report}.own)")


@pytest.mark.usefixtures("strategy")
def test_an_equity_that_does_not_fit_the_bars_is_not_told_as_empty(refused: Any, bench: Bench) -> None:
    sources = f"{CHART}._chartWidget.model().model().dataSources()"
    bench.js(f"void {sources}.forEach((one) => {{ delete one.equityData; one.equityData = () => [] }})")
    bench.js(f"void ({sources}.at(-1).reportData().equity = [1, 2])")
    assert "does not show the equity of 'Crossing' on each bar" in refused("data_get_equity")


@pytest.mark.parametrize("name", ["data_get_strategy_results", "data_get_trades", "data_get_equity"])
def test_no_strategy_and_one_that_stopped_are_said(refused: Any, bench: Bench, name: str) -> None:
    assert "there is no strategy on the chart" in refused(name)
    add(bench, BROKEN)
    assert "'Broken' has no report" in refused(name)
    bench.js(f"{CHART}.removeAllStudies()")
    assert "no strategy" in refused(name)


def test_the_report_of_a_removed_strategy_is_not_told(use: Any, refused: Any, bench: Bench, strategy: None) -> None:
    """The page's API for back-tests may keep the report of a strategy that is not on the chart any more."""
    bench.driver.set(reportPlace="api", keptReport=True)
    assert use("data_get_strategy_results")["metrics"]["totalTrades"] > 0
    bench.js(f"{CHART}.removeAllStudies()")
    kept = "TradingViewApi.backtestingStrategyApi().then((api) => api.activeStrategyReportData.value() !== null)"
    assert bench.js(kept)
    for name in ("data_get_strategy_results", "data_get_trades", "data_get_equity"):
        assert "there is no strategy on the chart" in refused(name)
    bench.driver.set(reportPlace="source", keptReport=False)
