"""The list of trades: percentages, cumulative profit and rounding as in TradingView's exports."""

import csv
import io
from typing import Any

import pytest

from pinebench.backtesting import backtest_report, trade_list
from pinebench.backtesting.backtest import BacktestRun
from pinebench.broker.figures import Steps, TradeHistory, figures_of
from pinebench.broker.trades import TradeColumns
from pinebench.checker import open_program
from pinebench.market import Bars, SymbolInfo
from pinebench.portfolios import portfolio_report
from pinebench.portfolios.portfolio import PortfolioMember, performed
from pinebench.workers.jobs import perform, request_of
from pinebench.workers.request import Request

START = 1_735_689_600_000
CLOSES = [float(price) for price in range(100, 114)]
BARS = Bars([START + k * 60_000 for k in range(14)], CLOSES, CLOSES, CLOSES, CLOSES, [1.0] * 14)
PARTS = """//@version=6
strategy("Part", process_orders_on_close = true, initial_capital = 100000, default_qty_type = strategy.fixed,
     default_qty_value = 2, commission_type = strategy.commission.cash_per_contract, commission_value = 2)
if bar_index == 2
    strategy.entry("L", strategy.long, qty = 2)
if bar_index == 4
    strategy.close("L", qty = 1)
if bar_index == 6
    strategy.close_all()
if bar_index == 8
    strategy.entry("L", strategy.long, qty = 2)
if bar_index == 10
    strategy.close("L", qty = 1)
plot(strategy.netprofit, "net")
plot(strategy.closedtrades.profit_percent(0), "profit")
plot(strategy.closedtrades.max_runup_percent(0), "up")
plot(strategy.closedtrades.max_drawdown_percent(0), "down")
plot(strategy.opentrades.profit_percent(0), "open")
"""


def request(source: str = PARTS, bars: Bars = BARS) -> Request:
    return request_of(open_program(source), bars, SymbolInfo(timeframe="1", mintick=0.01, currency="USD"))


def traded(source: str = PARTS) -> tuple[BacktestRun, dict[str, list[Any]]]:
    ran = perform(request(source))
    assert ran.tested is not None
    return ran.tested, {plot.title: plot.values for plot in ran.result.plots}


def columns(text: str) -> dict[str, list[str]]:
    head, *rows = list(csv.reader(io.StringIO(text)))
    return {name: [row[k] for row in rows] for k, name in enumerate(head)}


def test_percentages_of_a_trade_refer_to_the_value_of_its_entry_with_the_commission() -> None:
    found, plots = traded()
    first, *_, still = trade_list.rows(found)
    # One contract at 102 with a commission of 2 at the entry: 104 were invested.
    assert first["profit_percent"] == pytest.approx(100 * -2 / 104)
    assert plots["profit"][-1] == pytest.approx(100 * -2 / 104)
    assert plots["up"][-1] == first["run_up_percent"] == 0.0
    assert plots["down"][-1] == pytest.approx(first["drawdown_percent"]) == pytest.approx(100 * 2 / 104)
    assert plots["open"][-1] == pytest.approx(still["profit_percent"])
    assert still["profit_percent"] == pytest.approx(100 * still["profit"] / 110)
    assert found.told["average_trade_percent"] == pytest.approx(
        sum(row["profit_percent"] for row in trade_list.rows(found) if row["exit_time"]) / 3
    )


def test_the_cumulative_profit_is_the_net_profit_after_each_exit() -> None:
    found, plots = traded()
    rows = trade_list.rows(found)
    assert [row["cumulative_profit"] for row in rows] == pytest.approx([-4, -2, -6, -6 + rows[-1]["profit"]])
    assert plots["net"][5] == pytest.approx(-4)
    assert plots["net"][-1] == pytest.approx(-6)
    assert columns(trade_list.as_csv(found))["Cumulative P&L USD"][::2] == ["-4", "-2", "-6", "-3"]


def test_a_portfolio_of_one_strategy_has_its_cumulative_profit() -> None:
    found, _ = traded()
    alone = performed(100_000, [PortfolioMember("One", request(), None)])
    wanted = [row["cumulative_profit"] for row in trade_list.rows(found)]
    assert [row["cumulative_profit"] for row in portfolio_report.rows(alone)] == pytest.approx(wanted)
    pair = performed(200_000, [PortfolioMember("One", request(), 0.5), PortfolioMember("Two", request(), 0.5)])
    told = [row["cumulative_profit"] for row in portfolio_report.rows(pair)]
    # The first exits are at one time: then both strategies have another open contract with a commission of 2.
    assert told[1] == pytest.approx(-8)
    assert told[-1] == pytest.approx(2 * wanted[-1])


def test_money_and_percentages_are_rounded_as_in_the_export() -> None:
    row = {
        "number": 1,
        "side": "long",
        "qty": 276.575,
        "entry_time": START,
        "entry_price": 1807.82,
        "entry_signal": "L",
        "exit_time": START,
        "exit_price": 1781.28,
        "exit_signal": "X",
        "profit": -1009.645,
        "run_up": 738.4600001,
        "drawdown": 0.0,
        "profit_percent": -0.004,
        "run_up_percent": 1.0,
        "drawdown_percent": 0.0,
        "cumulative_profit": 0.003127,
    }
    told = columns(trade_list.table([(row, 1.0, 0)], "USD", "USD", 100.0))
    assert told["Size (value)"][0] == "499997.8165"
    assert told["Net P&L USD"] == ["-1009.64"] * 2  # the nearest double is just above -1009.645
    assert told["Net P&L %"][0] == "0.00"
    assert told["Favorable excursion USD"][0] == "738.46"
    assert told["Favorable excursion %"][0] == "1.00"
    assert told["Adverse excursion USD"][0] == "0"
    assert told["Adverse excursion %"][0] == "0.00"
    assert told["Cumulative P&L USD"][0] == "0.003"
    assert told["Cumulative P&L %"][0] == "0.00"


def test_the_size_of_a_future_has_its_point_value_as_in_exports_with_the_same_heads() -> None:
    """An export with the heads "Favorable excursion USD" has 306987.5 for one contract of ES at 6139.75. Older heads
    ("Run-up USD") had the column without the point value, so it is never read from a list."""
    closes = [6139.75, 6139.75, 6139.75, 6200.0]
    bars = Bars(BARS.time[:4], closes, closes, closes, closes, [1.0] * 4)
    source = """//@version=6
strategy("One", initial_capital = 1000000, default_qty_type = strategy.fixed, default_qty_value = 1)
if bar_index == 0
    strategy.entry("L", strategy.long)
if bar_index == 1
    strategy.close("L")
"""
    symbol = SymbolInfo(timeframe="1", mintick=0.25, currency="USD", type="futures", pointvalue=50.0)
    tested = perform(request_of(open_program(source), bars, symbol)).tested
    assert tested is not None
    text = trade_list.as_csv(tested)
    told = columns(text)
    assert [name for name in told if "excursion USD" in name] == ["Favorable excursion USD", "Adverse excursion USD"]
    assert told["Size (value)"] == ["306987.5", "306987.5"]
    assert told["Size (qty)"] == ["1", "1"]
    without = text.replace("306987.5", "6139.75")
    assert trade_list.read(text, "list.csv") == trade_list.read(without, "list.csv")


def test_buy_and_hold_begins_at_the_price_of_the_first_trade() -> None:
    source = """//@version=6
strategy("Two", pyramiding = 2, default_qty_type = strategy.fixed, default_qty_value = 1, initial_capital = 1000)
if bar_index == 2
    strategy.entry("A", strategy.long)
    strategy.entry("B", strategy.long, limit = 101.5)
"""
    opens = [100.0, 100.0, 100.0, 103.0, 103.0]
    bars = Bars(BARS.time[:5], opens, [104.0] * 5, [101.0, 99.0, 99.0, 101.0, 102.0], [103.0] * 5, [1.0] * 5)
    ran = perform(request(source, bars))
    assert ran.tested is not None
    assert [one.price for one in ran.tested.open_trades] == [103.0, 101.5]
    assert ran.figures["buy_and_hold"] == 0.0


def ratio(days: int, hours: int = 6) -> float | None:
    """The Sharpe ratio of a strategy that trades every few hours, on bars of so many days."""
    source = """//@version=6
strategy("Often", initial_capital = 10000, default_qty_type = strategy.fixed, default_qty_value = 1)
if bar_index % 3 == 0
    strategy.entry("L", strategy.long)
if bar_index % 3 == 2
    strategy.close("L")
"""
    count = days * 24 // hours
    closes = [100.0 + (k * 7 % 11) for k in range(count)]
    times = [START + k * hours * 3_600_000 for k in range(count)]
    ran = perform(request(source, Bars(times, closes, closes, closes, closes, [1.0] * count)))
    assert ran.tested is not None
    realized = ran.tested.curve.realized
    sharpe = ran.figures["sharpe_ratio"]
    if days < 3:
        assert sharpe is None and ran.figures["sortino_ratio"] is None
        return None
    ends = realized[24 // hours - 1 :: 24 // hours]
    returns = [after / before - 1 for before, after in zip([10000.0, *ends[:-1]], ends, strict=True)]
    mean = sum(returns) / len(returns)
    spread = (sum((one - mean) ** 2 for one in returns) / len(returns)) ** 0.5
    return (mean - 0.02 / 365) / spread if sharpe == pytest.approx((mean - 0.02 / 365) / spread) else None


def test_the_sharpe_ratio_has_daily_returns_below_three_months_and_needs_three_days() -> None:
    assert ratio(2) is None
    assert ratio(3) is not None
    assert ratio(60) is not None
    assert ratio(89) is not None  # from the 1st of January to the 30th of March
    assert ratio(90) is None  # to the 31st of March: three months


@pytest.mark.parametrize(
    ("capital", "realized", "sharpe", "sortino"),
    [
        (1e3, [1798.71] * 26 + [2053.44] + [3582.69] * 14 + [3828.11], 0.243, 25.285),
        (
            1e5,
            [99698.5, 96753.5, 94820.5, 98195.5, 96842, 94002, 95110, 93674, 90805.5, 91980, 88617.5, 89067, 89984],
            -0.454,
            -0.466,
        ),
        (
            1e5,
            [
                *(100680.5, 101067.5, 98990.5, 103387, 100734.5, 97002.5, 96077, 94848, 84514.5),
                *(84938.5, 83034.5, 85277, 85932),
            ],
            -0.355,
            -0.361,
        ),
    ],
)
def test_the_ratios_are_those_of_exported_reports(
    capital: float, realized: list[float], sharpe: float, sortino: float
) -> None:
    """The equity at the ends of the months of three tests, and the ratios in TradingView's reports on them. The first
    test has no month with a loss."""
    given = TradeHistory(
        *("USD", capital, TradeColumns(), [], None, None, {}, Steps(realized, 12), realized[-1]),
        *((0.0, 0.0), (0.0, 0.0), (0.0, 0.0, 0.0, 0.0), None, 2.0),
    )
    told = figures_of(given)
    assert round(told["sharpe_ratio"], 3) == sharpe
    assert round(told["sortino_ratio"], 3) == sortino


def test_properties_of_a_report_that_the_test_did_not_have_are_told() -> None:
    ran = perform(request(PARTS, BARS))
    assert ran.tested is not None
    report = {"slippage": 3.0, "margin_long": 100.0, "initial_capital": 1000.0}
    assert trade_list.other_properties(report, ran.tested) == [
        "the exported report used slippage 3, and this test used 0: add --slippage 3",
        "the exported report used initial_capital 1000, and this test used 100000: add --initial-capital 1000",
    ]


def test_closed_trades_are_grouped_by_signal_weekday_and_hour_on_the_clocks_of_the_exchange() -> None:
    """The bars begin at midnight in UTC on a Wednesday, which is Tuesday evening in New York."""
    source = (
        '//@version=6\nstrategy("G", process_orders_on_close = true)\n'
        'if bar_index % 2 == 0\n    strategy.entry(bar_index % 4 == 0 ? "A" : "B", strategy.long, qty = 1)\n'
        "else\n    strategy.close_all()\n"
    )
    symbol = SymbolInfo(timeframe="1", mintick=0.01, currency="USD", timezone="America/New_York")
    ran = perform(request_of(open_program(source), BARS, symbol))
    assert ran.tested is not None
    found = {each["by"]: each["groups"] for each in trade_list.groups(ran.tested)}
    assert [(one["name"], one["trades"], one["wins"]) for one in found["Signal"]] == [("A", 4, 4), ("B", 3, 3)]
    assert found["Weekday"] == [{"name": "Tuesday", "trades": 7, "wins": 7, "profit": 7.0}]
    assert [(one["name"], one["trades"]) for one in found["Hour"]] == [("19:00", 7)]


def test_a_back_test_on_one_bar_names_one_bar() -> None:
    tested = perform(request(bars=Bars([START], [1.0], [1.0], [1.0], [1.0], [1.0]))).tested
    assert tested is not None and ", 1 bar from 2025-01-01 00:00 to" in backtest_report.about(tested)
