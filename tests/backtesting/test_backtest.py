"""A strategy on bars: its script runs with a broker that trades, reads what that did, and its properties count."""

import pickle
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from pinebench.backtesting import backtest_report
from pinebench.backtesting.backtest import BacktestRun, backtest
from pinebench.backtesting.trade_list import as_csv
from pinebench.checker import open_program
from pinebench.errors import UsageError
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.market.rates import Rates
from pinebench.runtime.refusals import NotComputed

BEFORE_THE_CHANGE = date(2026, 8, 31)
"""When an order without a quantity was one contract."""
START = 1_704_067_200_000
HOUR = 3_600_000
DAY = 24 * HOUR
SYMBOL = SymbolInfo(timeframe="60", mintick=0.01, mincontract=0.01)
TURNS = """//@version=6
strategy("Turns"{more})
if bar_index % 4 == 0
    strategy.entry("L", strategy.long, comment = "up")
if bar_index % 4 == 2
    strategy.close("L")
plot(strategy.position_size, "size")
plot(strategy.equity, "equity")
plot(strategy.closedtrades, "closed")
plot(strategy.closedtrades.profit(strategy.closedtrades - 1), "profit")
plot(strategy.opentrades.entry_price(0), "entry")
plot(str.length(strategy.closedtrades.exit_id(0)), "id")
"""


def bars_of(closes: list[float], step: int = HOUR) -> Bars:
    opens = [closes[0], *closes[:-1]]
    pairs = list(zip(opens, closes, strict=True))
    times = [START + step * number for number in range(len(closes))]
    return Bars(times, opens, [max(p) for p in pairs], [min(p) for p in pairs], closes, [1.0] * len(closes))


def run(script: str, closes: list[float], symbol: SymbolInfo = SYMBOL, **given: Any) -> BacktestRun:
    tested = backtest(open_program(script), bars_of(closes), symbol, as_of=BEFORE_THE_CHANGE, **given)
    assert tested.result.error is None
    return tested


def test_a_script_trades_and_reads_what_was_traded() -> None:
    tested = run(TURNS.format(more=""), [10, 11, 12, 13, 14, 15])
    assert [(t.entry_price, t.exit_price, t.profit) for t in tested.trades] == [(10, 12, 2)]
    assert tested.result.plot("size") == [0, 1, 1, 0, 0, 1]
    assert tested.result.plot("equity") == [1_000_000, 1_000_001, 1_000_002, 1_000_002, 1_000_002, 1_000_003]
    assert tested.result.plot("closed") == [0, 0, 0, 1, 1, 1]
    assert tested.result.plot("profit")[3:] == [2, 2, 2]
    assert tested.result.plot("entry")[1:3] == [10, 10]
    assert tested.result.plot("id")[-1] == len("Close entry(s) order L")
    assert tested.curve.equity == tested.result.plot("equity")


def test_the_declaration_decides_and_properties_replace_it() -> None:
    script = TURNS.format(more=", initial_capital = 500, default_qty_value = 3, slippage = 100")
    assert run(script, [10, 11, 12, 13]).trades[0].entry_price == 11
    assert run(script, [10, 11, 12, 13]).trades[0].quantity == 3
    other = run(script, [10, 11, 12, 13], properties={"slippage": 0, "initial_capital": 700.0})
    assert other.trades[0].entry_price == 10
    assert other.result.plot("equity")[0] == 700


def test_an_indicator_is_refused() -> None:
    with pytest.raises(UsageError, match="not a strategy"):
        run('//@version=6\nindicator("I")\nplot(close)\n', [1, 2])


def test_a_currency_needs_rates_unless_both_are_dollars() -> None:
    euro = TURNS.format(more=", currency = currency.EUR")
    with pytest.raises(NotComputed, match="EUR"):
        run(euro, [10, 11, 12, 13])
    rates = Rates([START - DAY], [0.5])
    assert run(euro, [10, 11, 12, 13], rates=rates).trades[0].profit == 1
    tether = SymbolInfo(timeframe="60", currency="USDT", mincontract=0.01)
    assert "assumed to be one USD" in run(TURNS.format(more=", currency = currency.USD"), [10, 11], tether).notes[0]


def test_a_rate_is_that_of_the_day_before() -> None:
    rates = Rates([START - DAY, START, START + DAY], [1.0, 2.0, 3.0])
    assert rates.at([START, START + DAY - 1, START + DAY, START + 9 * DAY]) == [1, 1, 2, 3]
    assert Rates([START], [2.0]).at([START]) == [2]


def test_bars_without_shorter_bars_for_the_magnifier_are_counted() -> None:
    """Shorter bars of another period, or with times in another zone, change no fill."""
    closes, hours = [10.0, 11.0, 12.0, 13.0], TURNS.format(more="")
    words = "the bar magnifier has no shorter bars in {}: the chart's bars decide where their orders are filled"

    def notes(begin: int, count: int, first: int | None = None) -> list[str]:
        times = [begin + k * HOUR // 2 for k in range(count)]
        same = [closes[min(max((time - START) // HOUR, 0), 3)] for time in times]
        lower = Bars(times, same, same, same, same, same)
        return [each for each in run(hours, closes, lower=lower, first=first).notes if "shorter" in each]

    assert notes(START, 8) == []
    assert notes(START - 9 * DAY, 8) == [words.format("4 of 4 bars")]
    assert notes(START + HOUR, 6) == [words.format("1 of 4 bars")]
    assert notes(START + HOUR, 6, first=START + HOUR) == []


def test_shorter_bars_of_half_a_bar_do_not_hide_its_high() -> None:
    """They begin in the middle of the bar, after the price was at its high, where the exit has its limit."""
    script = (
        TURNS.split("\n")[0]
        + """
strategy("S", default_qty_type = strategy.fixed, default_qty_value = 1)
if bar_index == 0
    strategy.entry("L", strategy.long)
    strategy.exit("X", "L", limit = 14)
"""
    )
    bars = Bars([START, START + HOUR], [10.0] * 2, [10.0, 15.0], [10.0, 9.0], [10.0] * 2, [1.0] * 2)
    quarters = [START + HOUR + k * HOUR // 4 for k in (2, 3)]
    flat = [10.0] * 2
    tested = backtest(open_program(script), bars, SYMBOL, lower=Bars(quarters, flat, flat, flat, flat, flat))
    assert [each.exit_price for each in tested.trades] == [14]
    assert (
        "the bar magnifier has no shorter bars in 1 of 2 bars and has only a part of the shorter bars in 1 of 2 bars "
        "(high or low is missing): the chart's bars decide where their orders are filled"
    ) in tested.notes


def test_what_is_less_than_a_lot_is_said() -> None:
    tested = run(TURNS.format(more=""), [10, 11, 12], SymbolInfo(timeframe="60", mincontract=5.0))
    assert not tested.trades
    assert any("smallest quantity, 5" in note for note in tested.notes)


def test_what_whole_lots_take_from_the_size_is_said() -> None:
    tested = run(TURNS.format(more=", default_qty_value = 9"), [10, 11, 12], SymbolInfo(mincontract=5.0))
    assert tested.open_trades[0].quantity == 5
    words = "1 order was filled more than 5 % smaller than requested, in whole multiples of the symbol's smallest"
    assert any(note.startswith(f"{words} quantity, 5") for note in tested.notes)


def test_the_assumed_currency_of_a_symbol_is_told_where_an_account_needs_it() -> None:
    assumed = replace(SYMBOL, assumed=("type", "currency"))
    dollars = TURNS.format(more=", currency = currency.USD")
    words = "the currency of PINEBENCH:SAMPLE is not known: its prices are assumed to be in USD, like the account"
    assert run(dollars, [10, 11, 12], assumed).notes[0].startswith(words)
    assert not any("currency" in note for note in run(dollars, [10, 11, 12]).notes)
    with pytest.raises(NotComputed) as refused:
        run(TURNS.format(more=", currency = currency.EUR"), [10, 11, 12], assumed)
    assert "No source says that the symbol is in USD" in str(refused.value.hint)


def test_money_of_an_assumed_currency_is_shown_without_a_currency() -> None:
    assumed = replace(SYMBOL, assumed=("type", "currency"))
    closes = [10.0, 11.0, 12.0, 13.0]
    unknown = run(TURNS.format(more=""), closes, assumed)
    assert (unknown.currency, unknown.told["currency"]) == ("", "")
    assert "USD" not in as_csv(unknown) and "USD" not in backtest_report.as_text(unknown, str)
    head = as_csv(unknown).splitlines()[0]
    assert "Signal,Price,Size (qty),Size (value),Net P&L,Net P&L %,Favorable excursion," in head
    assert run(TURNS.format(more=""), closes).told["currency"] == "USD"
    declared = run(TURNS.format(more=", currency = currency.USD"), closes, assumed)
    assert declared.told["currency"] == "USD" and "Price,Size (qty)" in as_csv(declared)
    assert "Net P&L USD," in as_csv(declared)


def test_rates_and_a_point_value_that_nobody_said_are_told() -> None:
    """A bar before the first rate has the first one, and a bar after the last rate the last one."""
    euro = TURNS.format(more=", currency = currency.EUR")
    inside = run(euro, [10, 11, 12], rates=Rates([START - DAY, START + 2 * DAY], [0.5, 0.5]))
    assert not any("rates" in note for note in inside.notes)
    early = run(euro, [10, 11, 12], rates=Rates([START + 9 * DAY], [0.5]))
    assert "the rates begin on 2024-01-10: earlier bars use the first rate" in early.notes
    late = run(euro, [10, 11, 12], rates=Rates([START - 30 * DAY], [0.5]))
    assert "the rates end on 2023-12-02: later bars use the last rate" in late.notes
    between = run(euro, [10, 11, 12], rates=Rates([START - 30 * DAY, START - DAY, START + 9 * DAY], [0.5] * 3))
    assert [note for note in between.notes if "rates" in note] == [
        "there are no rates from 2023-12-31 to 2024-01-10: bars use the last rate before"
    ]


@pytest.mark.parametrize("own", [{}, {"currency": "USD"}])
def test_rates_for_an_account_in_the_symbol_s_currency_are_refused(own: dict[str, str]) -> None:
    """They would multiply every profit."""
    with pytest.raises(UsageError, match="the account is in the symbol's own currency, USD"):
        run(TURNS.format(more=""), [10, 11, 12], rates=Rates([START - DAY], [2.0]), properties=own)
    future = replace(SYMBOL, type="futures", assumed=("pointvalue",))
    words = "the point value of PINEBENCH:SAMPLE is not known: one point of a contract is assumed to be worth 1 USD"
    assert any(note.startswith(words) for note in run(TURNS.format(more=""), [10, 11], future).notes)
    assert not any("point value" in note for note in run(TURNS.format(more=""), [10, 11], replace(SYMBOL)).notes)


def test_a_script_that_runs_on_fills_acts_inside_the_bar() -> None:
    """The exit is placed on the fill at the opening, at a distance from the entry, and met on the same bar."""
    script = """//@version=6
strategy("Fills", calc_on_order_fills = {on})
varip runs = 0
var bars = 0
runs += 1
bars += 1
if bar_index == 0 and strategy.position_size == 0
    strategy.entry("L", strategy.long)
if strategy.position_size > 0
    strategy.exit("X", "L", limit = strategy.position_avg_price + 1)
plot(runs)
plot(bars)
"""
    on = run(script.format(on="true"), [10, 10, 13, 13])
    assert [(t.entry_bar, t.exit_bar, t.exit_price) for t in on.trades] == [(1, 2, 11)]
    assert on.result.plots[0].values == [1, 3, 5, 6]
    assert on.result.plots[1].values == [1, 2, 3, 4]
    rising = [10.0, 10.0, 13.0, 13.0]
    bars = bars_of(rising)
    bars.high[1] = 12.0
    inside = backtest(open_program(script.format(on="true")), bars, SYMBOL)
    assert [(t.entry_bar, t.exit_bar, t.exit_price) for t in inside.trades] == [(1, 1, 11)]
    later = backtest(open_program(script.format(on="false")), bars, SYMBOL)
    assert [(t.entry_bar, t.exit_bar, t.exit_price) for t in later.trades] == [(1, 2, 11)]


def test_the_text_of_an_alert_has_the_prices_of_the_bar_of_its_order() -> None:
    """Texts are put together when they are read, from what the script had on the bar of the call."""
    script = """//@version=6
strategy("Texts", default_qty_type = strategy.fixed, default_qty_value = 1)
told(string side, float goal) =>
    string end = na(goal) ? "none" : str.tostring(goal, format.mintick)
    side + " at " + str.tostring(close) + " to " + end + " with " + str.tostring(strategy.position_size)
var step = 0.25
step += 1
if bar_index == 1
    strategy.entry("L", strategy.long, stop = 12, alert_message = told("buy", na))
if strategy.position_size > 0
    strategy.exit("X", "L", limit = 15, alert_message = told("sell", step), alert_loss = told("loss", na))
if bar_index == 5
    strategy.order("S", strategy.short, alert_message = str.tostring(step) + (close > 15 ? "" : "!"))
if bar_index == 6
    strategy.close_all(alert_message = bar_index > 6 ? "x" : "")
"""
    tested = run(script, [10, 11, 13, 14, 16, 17, 18, 18])
    assert [(fill.bar, fill.message) for fill in tested.fills] == [
        (2, "buy at 11 to none with 0"),
        (4, "sell at 14 to 4.25 with 1"),
        (6, "6.25"),
        (7, ""),
    ]
    assert pickle.loads(pickle.dumps(tested.fills)) == tested.fills


def test_a_value_that_is_read_late_has_the_equity_of_its_assignment() -> None:
    """The position is closed between the assignment and the read."""
    script = """//@version=6
strategy("Late", initial_capital = 1000, default_qty_type = strategy.fixed, default_qty_value = 1,
     commission_type = strategy.commission.cash_per_order, commission_value = 10)
size(float price) => strategy.equity / price
amount = size(close)
twice = size(amount) * 0 + amount * 2
if bar_index == 1
    strategy.entry("L", strategy.long)
if bar_index == 3
    strategy.close_all(immediately = true)
plot(bar_index == 3 ? amount : na)
plot(bar_index == 3 ? twice : na)
plot(bar_index == 3 ? strategy.equity : na)
"""
    tested = run(script, [10, 11, 13, 14, 16])
    assert [output.values[3] for output in tested.result.plots] == [993 / 14, 993 / 14 * 2, 983]


def test_orders_of_a_fill_are_never_filled_on_the_same_price() -> None:
    """Each fill places the next order: the opening, two extremes, and no more on one bar."""
    script = """//@version=6
strategy("Chain", calc_on_order_fills = true, pyramiding = 100,
     default_qty_type = strategy.fixed, default_qty_value = 1)
strategy.entry(str.tostring(strategy.opentrades), strategy.long)
"""
    bars = Bars([START, START + HOUR], [10.0, 10.0], [12.0, 13.0], [9.0, 8.0], [11.0, 11.0], [1.0, 1.0])
    tested = backtest(open_program(script), bars, SYMBOL)
    assert [trade.price for trade in tested.open_trades] == [10, 8, 13]


def test_a_test_without_bars_is_refused() -> None:
    with pytest.raises(UsageError, match="no bars"):
        run(TURNS.format(more=""), [10, 11], last=START)


def test_a_script_that_does_not_compile_says_so_first() -> None:
    with pytest.raises(UsageError, match="does not compile"):
        run("//@version=6\nstrategy('S'\n", [1, 2])


def test_months_of_an_account_that_lost_everything_have_no_percent() -> None:
    """A loss on a negative equity was told as a gain in percent, and one on an equity of 0 was an internal error."""
    script = """//@version=6
strategy("Fees", initial_capital=120, default_qty_type=strategy.fixed, default_qty_value=1, margin_long=0,
     commission_type=strategy.commission.cash_per_order, commission_value=60)
if bar_index == 3 or bar_index == 40
    strategy.entry("L", strategy.long)
if bar_index == 6 or bar_index == 43
    strategy.close_all()
"""
    tested = backtest(open_program(script), bars_of([10.0] * 90, DAY), replace(SYMBOL, timeframe="1D"))
    assert [each["percent"] for each in tested.figures()["months"]] == [-100, None, None]
    assert [each["profit"] for each in tested.figures()["months"]] == [-120, -120, 0]
    assert [line.split()[1:] for line in backtest_report.month_lines(tested.figures())[1:]] == [
        ["-120.00", "(-100.00%)"],
        ["-120.00"],
        ["0.00"],
    ]
