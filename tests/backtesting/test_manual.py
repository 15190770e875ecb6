"""What TradingView's manual says and shows of strategies ("Strategies", its sections by name), on bars of our own."""

from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest

from pinebench.backtesting.backtest import BacktestRun, backtest
from pinebench.checker import open_program
from pinebench.market.bars import Bars, SymbolInfo

DAY = 86_400_000
START = 1_704_067_200_000
Bar = tuple[float, float, float, float]
Row = tuple[str, float, int, float, int, float]
BEFORE_THE_CHANGE = date(2026, 8, 31)
"""The manual's examples show orders of one contract, which was the default then."""
FLAT: Bar = (100, 101, 99, 100)


def bars_of(rows: Sequence[Bar], step: int = DAY) -> Bars:
    opens, highs, lows, closes = ([float(price) for price in column] for column in zip(*rows, strict=True))
    return Bars([START + k * step for k in range(len(rows))], opens, highs, lows, closes, [1.0] * len(rows))


def traded(script: str, rows: Sequence[Bar], given: str = "", **options: Any) -> BacktestRun:
    """A back-test of statements under a declaration with `given`, on daily bars with a tick of 0.01."""
    source = f'//@version=6\nstrategy("Manual"{", " if given else ""}{given})\n{script}\n'
    symbol = SymbolInfo(timeframe="1D", mintick=0.01)
    tested = backtest(open_program(source), bars_of(rows), symbol, as_of=BEFORE_THE_CHANGE, **options)
    assert tested.result.error is None
    return tested


def closed(tested: BacktestRun) -> list[Row]:
    """Entry signal, quantity, entry bar and price, exit bar and price of each closed trade."""
    return [
        (one.entry_signal, one.quantity, one.entry_bar, one.entry_price, one.exit_bar, one.exit_price)
        for one in tested.trades
    ]


def opened(tested: BacktestRun) -> list[tuple[str, float, int, float]]:
    return [(one.id, one.side * one.quantity, one.bar, one.price) for one in tested.open_trades]


def test_orders_and_trades_an_order_is_filled_one_bar_after_its_call() -> None:
    script = 'if bar_index == 2\n    strategy.entry("L", strategy.long)\nstrategy.close_all()'
    assert closed(traded(script, [FLAT] * 6)) == [("L", 1, 3, 100, 4, 100)]


def test_limit_orders_at_a_worse_price_than_the_market_s_fill_at_once() -> None:
    script = 'if bar_index == 0\n    strategy.entry("L", strategy.long, limit = close + 8)'
    assert opened(traded(script, [FLAT, (102, 103, 101, 102)])) == [("L", 1, 1, 102)]


def test_stop_orders_at_a_better_price_than_the_market_s_fill_at_once() -> None:
    script = 'if bar_index == 0\n    strategy.entry("L", strategy.long, stop = close - 8)'
    assert opened(traded(script, [FLAT, (102, 103, 101, 102)])) == [("L", 1, 1, 102)]


def test_stop_limit_orders_wait_for_the_stop_before_the_limit_counts() -> None:
    script = 'if bar_index == 0\n    strategy.entry("L", strategy.long, stop = 108, limit = 99)'
    rows = [FLAT, (100, 101, 98, 100), (100, 109, 99.5, 105), (105, 106, 97, 98)]
    assert opened(traded(script, rows)) == [("L", 1, 3, 99)]


REVERSING = """if bar_index % 100 == 1
    strategy.entry("B", strategy.long, qty = 15)
if bar_index % 100 == 51
    strategy.entry("S", strategy.short, qty = 5)"""


def test_reversing_adds_the_position_to_the_order() -> None:
    """Positions of 15 and 5, each transaction of 20."""
    tested = traded(REVERSING, [FLAT] * 210)
    assert [fill.quantity for fill in tested.fills] == [15, 20, 20, 20, 20]
    assert [fill.position for fill in tested.fills] == [15, -5, 15, -5, 15]


ADDING = """side = bar_index % 200 < 100 ? strategy.long : strategy.short
if bar_index % 25 == 0
    strategy.entry("E", side)"""


@pytest.mark.parametrize(("given", "held"), [("", 1), ("pyramiding = 4", 4)])
def test_pyramiding_lets_as_many_entries_in_as_it_says(given: str, held: int) -> None:
    tested = traded(ADDING, [FLAT] * 200, given)
    assert len(tested.trades) == held
    assert len(tested.open_trades) == held


def test_pyramiding_is_exceeded_by_priced_entries_of_one_tick() -> None:
    script = """if bar_index == 0
    strategy.entry("A", strategy.long, limit = 98)
    strategy.entry("B", strategy.long, limit = 97)
    strategy.entry("C", strategy.long, stop = 103)"""
    tested = traded(script, [FLAT, (100, 104, 96, 100)])
    assert [one[0] for one in opened(tested)] == ["A", "B", "C"]


def test_an_order_adds_to_the_net_position_and_never_reverses_by_itself() -> None:
    script = """if bar_index % 4 == 0
    strategy.order("buy", strategy.long, 15)
else
    strategy.order("sell", strategy.short, 5)
plot(strategy.position_size)"""
    assert traded(script, [FLAT] * 9).result.plots[0].values == [0, 15, 10, 5, 0, 15, 10, 5, 0]


@pytest.mark.parametrize(("ticks", "limit", "price"), [(19, 100.20, 100.19), (20, 100.19, 100.19)])
def test_of_two_take_profits_the_one_that_is_reached_first_counts(ticks: int, limit: float, price: float) -> None:
    script = f"""if bar_index == 0
    strategy.entry("L", strategy.long)
    strategy.exit("X", "L", profit = {ticks}, limit = {limit})"""
    rows = [FLAT, (100, 100.1, 99.9, 100), (100, 101, 99, 100)]
    assert closed(traded(script, rows)) == [("L", 1, 1, 100, 2, price)]


def test_an_exit_for_an_entry_that_is_not_there_does_nothing() -> None:
    script = """if bar_index == 0
    strategy.entry("buy", strategy.long)
strategy.exit("X", "buy2", limit = 101, stop = 99)"""
    tested = traded(script, [FLAT, FLAT, (100, 110, 90, 100)])
    assert not tested.trades
    assert len(tested.open_trades) == 1


def test_partial_exits_are_cut_to_what_is_left_of_the_position() -> None:
    script = """if bar_index == 0
    strategy.entry("buy", strategy.long, qty = 2)
    strategy.exit("exit1", "buy", limit = 102, stop = 95, qty = 1)
    strategy.exit("exit2", "buy", limit = 104, stop = 95, qty = 3)"""
    tested = traded(script, [FLAT, FLAT, (100, 102.5, 99, 101), (101, 105, 100, 104)])
    assert closed(tested) == [("buy", 1, 1, 100, 2, 102), ("buy", 1, 1, 100, 3, 104)]
    assert not tested.open_trades


def test_an_exit_reserves_its_part_of_the_position() -> None:
    """19 of 20 shares are reserved by the limit that was called first: the stop closes one."""
    script = """if bar_index == 0
    strategy.entry("buy", strategy.long, qty = 20)
    strategy.exit("limit", limit = 110, qty = 19)
    strategy.exit("stop", stop = 95, qty = 20)"""
    tested = traded(script, [FLAT, FLAT, (100, 101, 90, 92), (92, 111, 91, 105)])
    assert closed(tested) == [("buy", 1, 1, 100, 2, 95), ("buy", 19, 1, 100, 3, 110)]


TRAILED: list[Bar] = [FLAT, (100, 104, 99, 103), (103, 106, 102.5, 105), (105, 105.5, 104.5, 105), (105, 109, 103, 104)]


def test_a_trailing_stop_follows_every_new_best_price_from_its_activation_on() -> None:
    """Activated at 104; from 106 it stands 3 below, at 103, and does not fall back; at 109 it goes to 106."""
    script = """if bar_index == 0
    strategy.entry("Long", strategy.long)
    strategy.exit("T", "Long", trail_price = 104, trail_offset = 300)"""
    assert closed(traded(script, TRAILED[:4])) == []
    assert closed(traded(script, [*TRAILED[:4], (105, 105, 102, 102)])) == [("Long", 1, 1, 100, 4, 103)]
    assert closed(traded(script, TRAILED)) == [("Long", 1, 1, 100, 4, 103)]
    up_first = [*TRAILED[:4], (105, 109, 99, 104)]
    assert closed(traded(script, up_first)) == [("Long", 1, 1, 100, 4, 106)]


@pytest.mark.parametrize(("points", "price", "stop"), [(50, 100.51, 100.4), (51, 100.50, 100.4)])
def test_of_two_activations_the_one_that_is_reached_first_counts(points: int, price: float, stop: float) -> None:
    script = f"""if bar_index == 0
    strategy.entry("L", strategy.long)
    strategy.exit("T", "L", trail_points = {points}, trail_price = {price}, trail_offset = 10)"""
    rows = [FLAT, (100, 100.1, 99.9, 100), (100, 100.5, 99.9, 100)]
    assert closed(traded(script, rows)) == [("L", 1, 1, 100, 2, stop)]


ENTRIES = """if bar_index < 2
    strategy.entry("buy{}", strategy.long)
if bar_index == 1
    strategy.exit("X"{}, limit = 105, stop = 95)"""


@pytest.mark.parametrize("parts", [("", ', "buy"'), ('" + str.tostring(bar_index) + "', "")])
def test_one_exit_leaves_every_entry_that_it_is_for(parts: tuple[str, str]) -> None:
    tested = traded(ENTRIES.format(*parts), [FLAT, FLAT, FLAT, (100, 106, 99, 105)], "pyramiding = 2")
    assert [row[2:] for row in closed(tested)] == [(1, 100, 3, 105), (2, 100, 3, 105)]


@pytest.mark.parametrize(("entry", "left"), [("", 5), (', "E"', 3)])
def test_an_exit_without_an_entry_goes_on_for_all_that_come_until_the_position_is_closed(entry: str, left: int) -> None:
    """With an entry's name it is for those that were called on its bar or before."""
    script = f"""if bar_index < 5
    strategy.entry("E", strategy.long)
if bar_index == 2
    strategy.exit("X"{entry}, stop = 95)"""
    tested = traded(script, [FLAT] * 6 + [(100, 101, 90, 92)], "pyramiding = 100")
    assert len(tested.trades) == left
    assert len(tested.open_trades) == 5 - left


def test_a_loss_of_no_ticks_leaves_where_the_price_is_not_above_the_entry() -> None:
    """Once at each entry's price, and each time the oldest trade."""
    script = """if bar_index < 3
    strategy.entry("E", strategy.long)
if bar_index == 2
    strategy.exit("X", loss = 0)"""
    rows: list[Bar] = [FLAT, (100, 106, 100, 105), (105, 112, 104, 110), (112, 113, 112, 113), (113, 114, 99, 100)]
    tested = traded(script, rows, "pyramiding = 100")
    assert [row[2:] for row in closed(tested)] == [(1, 100, 3, 112), (2, 105, 4, 105), (3, 112, 4, 100)]


def test_one_close_leaves_all_trades_of_a_name_in_one_transaction() -> None:
    """ "Multiple close demo": three buys of one name, and one order that closes them."""
    script = """sellCond = bar_index % 100 == 0
buyCond = bar_index % 25 == 0 and not sellCond
if buyCond
    strategy.entry("buy", strategy.long)
if sellCond
    strategy.close("buy")"""
    tested = traded(script, [FLAT] * 102, "pyramiding = 3")
    assert [row[2:] for row in closed(tested)] == [(bar, 100, 101, 100) for bar in (26, 51, 76)]
    assert [fill.quantity for fill in tested.fills] == [1, 1, 1, 3]


def test_close_all_leaves_trades_of_several_names_in_one_transaction() -> None:
    """ "Close multiple ID demo"."""
    script = """switch strategy.opentrades
    0 => strategy.entry("A", strategy.long)
    1 => strategy.entry("B", strategy.long)
    2 => strategy.entry("C", strategy.long)
    3 => strategy.close_all()"""
    tested = traded(script, [FLAT] * 6, "pyramiding = 3")
    assert [(row[0], row[4]) for row in closed(tested)] == [("A", 4), ("B", 4), ("C", 4)]
    assert [fill.quantity for fill in tested.fills] == [1, 1, 1, 3, 1]


def test_cancelling_comes_too_late_for_a_market_order_of_the_bar_before() -> None:
    """ "Cancel market demo"."""
    script = """if last_bar_index - bar_index == 100
    strategy.entry("buy", strategy.long)
if last_bar_index - bar_index == 99
    strategy.cancel_all()"""
    assert opened(traded(script, [FLAT] * 103)) == [("buy", 1, 3, 100)]


def test_a_tick_of_as_many_contracts_as_a_point_has_ticks_is_a_point_value() -> None:
    """ "Currency Test", in the currency of the chart: a trade of 1 / mintick contracts and one tick."""
    script = """strategy.entry("LE", strategy.long, math.round_to_mintick(1.0 / syminfo.mintick))
strategy.exit("LX", "LE", profit = 1, loss = 1)"""
    source = f'//@version=6\nstrategy("Manual", initial_capital = 100000000)\n{script}\n'
    symbol = SymbolInfo(timeframe="1D", mintick=0.01, pointvalue=50)
    tested = backtest(open_program(source), bars_of([FLAT] * 20), symbol, as_of=BEFORE_THE_CHANGE)
    assert len(tested.trades) > 5
    assert {round(abs(one.profit), 6) for one in tested.trades} == {50.0}


def test_a_script_for_ticks_of_history_makes_no_trades_on_closes() -> None:
    """ "Executions on all historical ticks demo": without the setting, the first price of a bar is its close."""
    script = """varip int openTime = 0
varip float firstPrice = na
if time != openTime
    openTime := time
    firstPrice := close
float highest = ta.highest(high, 10)
float lowest = ta.lowest(low, 10)
if close < firstPrice and close != highest and close != lowest
    strategy.entry("Entry", strategy.long)
    strategy.exit("Exit", "Entry", limit = highest, stop = lowest)"""
    rows: list[Bar] = [(100 + k % 7, 104 + k % 7, 97 + k % 5, 99 + k % 6) for k in range(60)]
    tested = traded(script, rows)
    assert not tested.trades and not tested.open_trades


@pytest.mark.parametrize("seconds", [100, 120])
def test_a_trade_with_a_timeout_lasts_whole_bars(seconds: int) -> None:
    """Questions about strategies: on a chart of one minute, 120 seconds are exactly two bars, and so are 100."""
    script = f"""if bar_index == 2
    strategy.entry("long", strategy.long)
if strategy.opentrades > 0 and (time_close - strategy.opentrades.entry_time(0)) / 1000 >= {seconds}
    strategy.close("long", immediately = true)"""
    source = f'//@version=6\nstrategy("Manual")\n{script}\n'
    bars, symbol = bars_of([FLAT] * 9, 60_000), SymbolInfo(timeframe="1", mintick=0.01)
    tested = backtest(open_program(source), bars, symbol, as_of=BEFORE_THE_CHANGE)
    assert [row[2:] for row in closed(tested)] == [(3, 100, 4, 100)]


def test_the_last_nine_thousand_trades_are_kept() -> None:
    script = """if bar_index % 2 == 0
    strategy.entry("L", strategy.long)
else
    strategy.close("L")
plot(strategy.closedtrades.first_index)
plot(strategy.closedtrades)"""
    first, count = (plot.values for plot in traded(script, [FLAT] * 18_022).result.plots)
    assert count[-1] - first[-1] == 9000 and first[-1] == 10
    assert first[count.index(9000)] == 0


def test_cancel_takes_all_orders_of_a_name_before_they_fill() -> None:
    script = """if bar_index < 3
    strategy.order("buy", strategy.long, limit = 95)
if bar_index == 3
    strategy.cancel("buy")"""
    assert not traded(script, [*[FLAT] * 4, (100, 101, 90, 100)]).fills
    late = 'if bar_index == 0\n    strategy.entry("buy", strategy.long)\nif bar_index == 1\n    strategy.cancel_all()'
    assert opened(traded(late, [FLAT] * 3)) == [("buy", 1, 1, 100)]


def test_a_quantity_takes_precedence_over_the_default_and_na_does_not() -> None:
    script = """if bar_index == 0
    strategy.entry("A", strategy.long, qty = 3)
if bar_index == 1
    strategy.entry("B", strategy.short, qty = na)"""
    given = "default_qty_type = strategy.cash, default_qty_value = 5000"
    assert opened(traded(script, [FLAT] * 3, given)) == [("B", -50, 2, 100)]


CLOSING = """if strategy.position_size == 0 and bar_index < 3
    strategy.entry("Buy1", strategy.long, qty = 5)
if strategy.position_size == 5 and bar_index < 3
    strategy.entry("Buy2", strategy.long, qty = 10)
if strategy.position_size == 15
    strategy.close("Buy2")
    strategy.exit("bracket", "Buy1", limit = 105, stop = 90)"""
BOTH = [FLAT, FLAT, FLAT, FLAT, (100, 106, 99, 105)]


def test_the_oldest_trade_is_closed_first_whichever_is_named() -> None:
    """Of 10 that close Buy2, five close Buy1 and five half of Buy2; the bracket of Buy1 closes the rest of Buy2."""
    assert closed(traded(CLOSING, BOTH, "pyramiding = 2")) == [
        ("Buy1", 5, 1, 100, 3, 100),
        ("Buy2", 5, 2, 100, 3, 100),
        ("Buy2", 5, 2, 100, 4, 105),
    ]


def test_any_closes_the_trade_that_is_named() -> None:
    assert closed(traded(CLOSING, BOTH, 'pyramiding = 2, close_entries_rule = "ANY"')) == [
        ("Buy2", 10, 2, 100, 3, 100),
        ("Buy1", 5, 1, 100, 4, 105),
    ]


STOPS = """if bar_index == 0
    strategy.order("Long", strategy.long, stop = high{0})
    strategy.order("Short", strategy.short, stop = low{0})"""


@pytest.mark.parametrize(
    ("group", "signals"), [("", ["Long", "Short"]), (', oca_name = "Entry", oca_type = strategy.oca.cancel', ["Long"])]
)
def test_a_cancelling_group_keeps_what_is_filled_first(group: str, signals: list[str]) -> None:
    tested = traded(STOPS.format(group), [FLAT, (100, 103, 96, 98), FLAT])
    assert [fill.id for fill in tested.fills] == signals


REDUCED = """if bar_index == 0
    strategy.entry("Long", strategy.long, qty = 6)
    strategy.order("Stop", strategy.short, qty = 6, stop = 95{0})
    strategy.order("Limit 1", strategy.short, qty = 3, limit = 102{0})
    strategy.order("Limit 2", strategy.short, qty = {1}, limit = 104{0})
plot(strategy.position_size)"""
GROUP = ', oca_name = "Bracket", oca_type = strategy.oca.reduce'


@pytest.mark.parametrize(
    ("group", "second", "sizes"), [("", 3, [0, 6, 3, -3]), (GROUP, 6, [0, 6, 3, 0]), (GROUP, 3, [0, 6, 3, 0])]
)
def test_a_reducing_group_never_sells_more_than_there_is(group: str, second: int, sizes: list[float]) -> None:
    rows = [FLAT, FLAT, (100, 103, 99, 101), (101, 102, 94, 95)]
    assert traded(REDUCED.format(group, second), rows).result.plots[0].values == sizes


def test_in_a_reducing_group_a_limit_of_three_is_used_up_by_another_of_three() -> None:
    """So the manual gives its second limit six."""
    rows = [FLAT, FLAT, (100, 103, 99, 101), (101, 105, 100, 104)]
    assert traded(REDUCED.format(GROUP, 3), rows).result.plots[0].values == [0, 6, 3, 3]
    assert traded(REDUCED.format(GROUP, 6), rows).result.plots[0].values == [0, 6, 3, 0]


CYCLE = """if strategy.position_size == 0
    strategy.entry("Buy", strategy.long)
strategy.exit("Exit", stop = strategy.position_avg_price * 0.95, limit = strategy.position_avg_price * 1.05)"""
WIDE: list[Bar] = [FLAT, (100, 119, 80, 90), (90, 91, 89, 90)]


def test_scripts_that_run_on_fills_enter_and_leave_within_a_bar() -> None:
    """Bought at the open and left 5 % above it on the way up; bought again at the high, the next price there is, whose
    stop is beyond the next price there is, the low; bought at the next open."""
    often = traded(CYCLE, WIDE, "calc_on_order_fills = true")
    assert closed(often) == [("Buy", 1, 1, 100, 1, 105), ("Buy", 1, 1, 119, 1, 80)]
    assert opened(often) == [("Buy", 1, 2, 90)]


def test_scripts_that_buy_on_every_fill_have_four_entries_on_each_bar() -> None:
    """Two at the open, one at each extreme. The first bar has no order yet that an earlier extreme has left."""
    script = """if last_bar_index - bar_index <= 25
    strategy.entry("Buy", strategy.long)"""
    given = "calc_on_order_fills = true, pyramiding = 100, initial_capital = 1000000"
    often = opened(traded(script, [(102, 104, 101, 103)] * 27, given))
    assert [row[2:] for row in often[:11]] == [
        *((2, price) for price in (102, 101, 104)),
        *((bar, price) for bar in (3, 4) for price in (102, 102, 101, 104)),
    ]
    assert len(often) == 3 + 24 * 4
    once = opened(traded(script, [(102, 104, 101, 103)] * 27, "pyramiding = 100, initial_capital = 1000000"))
    assert len(once) == 25


def test_scripts_that_run_on_fills_never_go_beyond_pyramiding() -> None:
    """What an extreme left and what the close called are both filled at the open, if there is room for both."""
    script = 'strategy.entry("Buy", strategy.long)\nplot(strategy.opentrades)'
    for pyramiding in (1, 2, 3, 5, 8):
        given = f"calc_on_order_fills = true, pyramiding = {pyramiding}, initial_capital = 1000000"
        held = traded(script, [(102, 104, 101, 103)] * 9, given).result.plots[0].values
        assert (held[0], max(held), held[-1]) == (0, pyramiding, pyramiding)


def test_scripts_that_run_on_closes_alone_wait_for_them() -> None:
    """What was bought at an open has its exits from that bar's close on, and the next opening is beyond one."""
    assert closed(traded(CYCLE, WIDE)) == [("Buy", 1, 1, 100, 2, 90)]


def test_scripts_that_run_on_fills_know_a_bar_s_high_before_it_came() -> None:
    script = """varip int seen = 0
if seen != time
    strategy.entry("Buy", strategy.long)
    strategy.exit("Exit", limit = high)
seen := time"""
    rows: list[Bar] = [FLAT, (100, 107, 96, 103), FLAT, (103, 112, 101, 105)]
    assert [row[2:] for row in closed(traded(script, rows, "calc_on_order_fills = true"))] == [
        (1, 100, 1, 107),
        (3, 103, 3, 112),
    ]


def test_orders_on_closes_are_filled_at_the_close_of_their_bar() -> None:
    script = """if bar_index == 1
    strategy.entry("L", strategy.long)
if bar_index == 2
    strategy.close_all()"""
    rows: list[Bar] = [FLAT, (100, 105, 99, 104), (104, 109, 103, 108), FLAT]
    assert closed(traded(script, rows, "process_orders_on_close = true")) == [("L", 1, 1, 104, 2, 108)]


ROUND = """if bar_index == 0
    strategy.entry("L", strategy.long, qty = 10{})
if bar_index == 2
    strategy.close("L")"""
RISING: list[Bar] = [FLAT, FLAT, (100, 111, 99, 110), (110, 111, 109, 110)]


@pytest.mark.parametrize(
    ("given", "profit"),
    [
        ("", 100),
        ("commission_type = strategy.commission.percent, commission_value = 1", 100 - 10 - 11),
        ("commission_type = strategy.commission.cash_per_contract, commission_value = 0.5", 100 - 5 - 5),
        ("commission_type = strategy.commission.cash_per_order, commission_value = 3", 100 - 3 - 3),
    ],
)
def test_commissions_are_paid_for_every_order(given: str, profit: float) -> None:
    tested = traded(ROUND.format(""), RISING, given)
    assert tested.figures()["net_profit"] == pytest.approx(profit)
    assert tested.figures()["commission_paid"] == pytest.approx(100 - profit)


def test_slippage_makes_every_market_order_dearer_by_its_ticks() -> None:
    """Also beyond the range of the bar."""
    assert closed(traded(ROUND.format(""), RISING, "slippage = 200")) == [("L", 10, 1, 102, 3, 108)]
    assert closed(traded(ROUND.format(", limit = 99.5"), RISING, "slippage = 200"))[0][3] == 99.5


@pytest.mark.parametrize(("ticks", "bar"), [(0, 1), (3, 2)])
def test_limits_fill_at_their_price_once_prices_went_beyond_it(ticks: int, bar: int) -> None:
    script = 'if bar_index == 0\n    strategy.entry("L", strategy.long, limit = 99)'
    rows: list[Bar] = [FLAT, (100, 101, 98.98, 100), (100, 101, 98.97, 100)]
    assert opened(traded(script, rows, f"backtest_fill_limits_assumption = {ticks}")) == [("L", 1, bar, 99)]


# risk management


def test_a_forbidden_direction_closes_and_does_not_reverse() -> None:
    script = """strategy.risk.allow_entry_in(strategy.direction.long)
if bar_index == 0
    strategy.entry("L", strategy.long)
if bar_index == 1
    strategy.entry("S", strategy.short)"""
    tested = traded(script, [FLAT] * 4)
    assert closed(tested) == [("L", 1, 1, 100, 2, 100)]
    assert not tested.open_trades


def test_a_largest_position_makes_orders_smaller() -> None:
    script = """strategy.risk.max_position_size(10)
if bar_index < 3
    strategy.entry("E", strategy.long, qty = 6)"""
    assert [one[1] for one in opened(traded(script, [FLAT] * 5, "pyramiding = 5"))] == [6, 4]


def test_losing_days_in_a_row_stop_a_strategy_for_good() -> None:
    """A bar is a day: bought at its close, sold at the next; after two losses nothing more is done."""
    script = """strategy.risk.max_cons_loss_days(2)
if strategy.position_size == 0
    strategy.entry("L", strategy.long)
else
    strategy.close_all()"""
    rows: list[Bar] = [(100 - k, 101 - k, 98 - k, 99 - k) for k in range(12)]
    tested = traded(script, rows, "process_orders_on_close = true")
    assert [one.profit < 0 for one in tested.trades].count(True) >= 2
    assert tested.trades[-1].exit_bar < 7
    assert not tested.open_trades


def test_a_drawdown_closes_everything_and_stops_for_good() -> None:
    script = """strategy.risk.max_drawdown(10, strategy.percent_of_equity)
if strategy.position_size == 0
    strategy.entry("L", strategy.long, qty = 50)"""
    rows: list[Bar] = [FLAT, FLAT, (100, 101, 70, 90), *[FLAT] * 4]
    tested = traded(script, rows, "initial_capital = 10000")
    assert len(tested.trades) == 1
    assert tested.trades[0].exit_bar == 2
    assert not tested.open_trades


def test_so_many_filled_orders_stop_a_strategy_until_the_next_day() -> None:
    script = """strategy.risk.max_intraday_filled_orders(2)
if strategy.position_size == 0
    strategy.entry("L", strategy.long)
else
    strategy.close_all()"""
    source = f'//@version=6\nstrategy("Manual")\n{script}\n'
    hours = bars_of([FLAT] * 60, DAY // 24)
    tested = backtest(open_program(source), hours, SymbolInfo(timeframe="60", mintick=0.01))
    days = [one.entry_time // DAY for one in tested.trades]
    assert len(days) == len(set(days)) == 3
    assert all(one.exit_time // DAY == one.entry_time // DAY for one in tested.trades)


def test_a_day_s_loss_stops_a_strategy_until_the_next_day() -> None:
    script = """strategy.risk.max_intraday_loss(100, strategy.cash)
if strategy.position_size == 0
    strategy.entry("L", strategy.long, qty = 50)"""
    source = f'//@version=6\nstrategy("Manual")\n{script}\n'
    rows: list[Bar] = [FLAT] * 5 + [(100, 101, 95, 99)] + [FLAT] * 30
    tested = backtest(open_program(source), bars_of(rows, DAY // 24), SymbolInfo(timeframe="60", mintick=0.01))
    assert [(one.entry_bar, one.exit_bar) for one in tested.trades] == [(1, 5)]
    assert [one.bar for one in tested.open_trades] == [25]


# margin and leverage


def test_a_margin_call_sells_four_times_what_covers_the_loss() -> None:
    """The manual's figures: 682,438 shares at 4.43 with a quarter of them covered, called at 3.9: 111,052 are sold."""
    script = """if bar_index == 0
    strategy.entry("L", strategy.long, qty = 682438)
plot(strategy.margin_liquidation_price)"""
    rows: list[Bar] = [(4.43, 4.5, 4.4, 4.43), (4.43, 4.5, 4.4, 4.45), (4.1, 4.2, 3.9, 4.0)]
    tested = traded(script, rows, "margin_long = 25, initial_capital = 1000000")
    assert closed(tested) == [("L", 111_052, 1, 4.43, 2, 3.9)]
    assert tested.trades[0].exit_signal == "Margin call"
    assert tested.open_trades[0].quantity == 682_438 - 111_052
    assert 3.9 < tested.result.plots[0].values[1] < 4.43


@pytest.mark.parametrize(("margin", "most"), [(100, 10), (50, 20), (25, 40), (20, 50)])
def test_a_quarter_of_margin_buys_four_times_as_much(margin: int, most: int) -> None:
    script = 'if bar_index == 0\n    strategy.entry("L", strategy.long, qty = {})'
    given = f"initial_capital = 1000, margin_long = {margin}"
    still: list[Bar] = [(100, 100, 100, 100)] * 2
    assert opened(traded(script.format(most), still, given)) == [("L", most, 1, 100)]
    assert not opened(traded(script.format(most + 1), still, given))


def test_shorts_are_called_also_where_all_of_them_is_covered() -> None:
    script = 'if bar_index == 0\n    strategy.entry("S", strategy.short, qty = 9)'
    tested = traded(script, [FLAT, FLAT, (100, 112, 99, 110)], "initial_capital = 1000")
    assert [(one.exit_signal, one.exit_price) for one in tested.trades] == [("Margin call", 112)]
    longs = traded(script.replace("short", "long"), [FLAT, FLAT, (100, 101, 20, 50)], "initial_capital = 1000")
    assert not longs.trades


# the bar magnifier


def test_finer_bars_let_an_order_fill_that_the_path_of_the_bar_rules_out() -> None:
    """The week opens near its high: by its own prices it fell to the low after it, and closed. Its days fell first and
    rose again, so that what was bought at 95 was sold at 104 in the same week."""
    source = """//@version=6
strategy("Weeks", use_bar_magnifier = true, default_qty_type = strategy.fixed, default_qty_value = 1)
if bar_index == 0
    strategy.entry("Buy", strategy.long, limit = 95)
    strategy.exit("Exit", "Buy", limit = 104)
"""
    bars = bars_of([(100, 101, 99, 100), (103, 105, 92, 99), (99, 106, 98, 105)], 7 * DAY)
    fell: list[Bar] = [(103, 103, 92, 93), (93, 105, 93, 104)]
    days = [*[FLAT] * 7, *fell, *[(104.0, 104.0, 99.0, 99.0)] * 5]
    lower = bars_of([*days, *[(99, 100, 98, 99)] * 6, (99, 106, 99, 105)])
    program = open_program(source)
    coarse = backtest(program, bars, SymbolInfo(timeframe="1W", mintick=0.01))
    fine = backtest(program, bars, SymbolInfo(timeframe="1W", mintick=0.01), lower=lower)
    assert closed(coarse) == [("Buy", 1, 1, 95, 2, 104)]
    assert closed(fine) == [("Buy", 1, 1, 95, 1, 104)]
