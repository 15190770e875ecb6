"""What checks of a back-test trade with is what the back-test itself trades with: rates, finer bars, dates and all."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from pinebench.backtesting.backtest import backtest
from pinebench.backtesting.broker_factory import trader
from pinebench.calendars.aggregation import aggregate
from pinebench.calendars.sessions import session
from pinebench.calendars.timeframes import BarGrid, timeframe
from pinebench.checker import open_program
from pinebench.errors import UsageError
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.market.rates import Rates
from pinebench.repaint.repaint import check_repainting
from pinebench.runtime.refusals import NotComputed
from pinebench.runtime.runtime import Runtime
from pinebench.runtime.strategy import EVERY_BAR
from tests.sample import chart

DAY = 86_400_000
SYMBOL = SymbolInfo(timeframe="60", currency="USD", mintick=0.01, mincontract=0.01)
SOURCE = """//@version=6
strategy("Part", default_qty_type = strategy.percent_of_equity, default_qty_value = 50)
if bar_index % 7 == 2
    strategy.entry("L", strategy.long, limit = close * 0.999)
    strategy.exit("X", "L", profit = 30000, loss = 30000)
if bar_index % 11 == 3
    strategy.entry("S", strategy.short)
"""


def bars_of(count: int) -> tuple[Bars, Bars]:
    """Hours, and the quarters of an hour that they are made of."""
    lower, _ = chart(frame="15", count=4 * count)
    return aggregate(lower, BarGrid(timeframe("60"), session("24x7", "UTC")), Bars()), lower


def shifted(bars: Bars, by: float = 5) -> Bars:
    moved = [[price + by for price in column] for column in (bars.open, bars.high, bars.low, bars.close)]
    return Bars(bars.time, moved[0], moved[1], moved[2], moved[3], bars.volume)


WAYS: dict[str, Callable[[Bars, Bars], dict[str, Any]]] = {
    "plain": lambda bars, lower: {},
    "lower": lambda bars, lower: {"lower": lower},
    "standard": lambda bars, lower: {"standard": shifted(bars)},
    "first": lambda bars, lower: {"first": bars.time[60]},
    "properties": lambda bars, lower: {"properties": {"slippage": 7, "pyramiding": 3}},
    "rates": lambda bars, lower: {
        "properties": {"currency": "EUR"},
        "rates": Rates(
            [bars.time[0] - bars.time[0] % DAY + k * DAY for k in range(-1, 9)], [0.9 - k / 50 for k in range(10)]
        ),
    },
}


@pytest.mark.parametrize("way", WAYS)
def test_a_part_of_the_bars_is_traded_as_the_whole_begins(way: str) -> None:
    bars, lower = bars_of(160)
    program, given = open_program(SOURCE), WAYS[way](bars, lower)
    whole = backtest(program, bars, SYMBOL, **given)
    part = bars.at(range(110))
    made = trader(program, SYMBOL, bars=bars, **given)
    assert made is not None
    broker = made(part)
    Runtime(program, part, SYMBOL, strategy=broker).run()
    assert len(broker.position.closed) > 5
    assert broker.position.closed == whole.trades[: len(broker.position.closed)]
    if way != "plain":
        assert whole.trades != backtest(program, bars, SYMBOL).trades


def test_standard_bars_shorter_than_the_chart_s_are_refused() -> None:
    """A quarter of an hour opens with each hour, and its prices were taken for those of the hour."""
    bars, lower = bars_of(20)
    with pytest.raises(UsageError, match="has 76 bars in the time of 19 bars of the chart: they are shorter"):
        backtest(open_program(SOURCE), bars, SYMBOL, standard=lower)
    more = shifted(bars)
    few = bars.at([*range(5), *range(7, 20)])
    assert backtest(open_program(SOURCE), few, SYMBOL, standard=more).result.error is None


class SeesAll:
    """A broker that is told of every bar, whether its gate lets it through or not."""

    gate, ends_bars = EVERY_BAR, True

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


@pytest.mark.parametrize("way", WAYS)
def test_a_broker_that_leaves_bars_out_trades_as_one_that_sees_all(way: str) -> None:
    bars, lower = bars_of(160)
    program, given = open_program(SOURCE), WAYS[way](bars, lower)
    if way == "standard":
        given["standard"] = shifted(bars, 400)
    tested = backtest(program, bars, SYMBOL, **given)
    made = trader(program, SYMBOL, bars=bars, **given)
    assert made is not None
    broker = made(bars)
    Runtime(program, bars, SYMBOL, strategy=SeesAll(broker)).run()
    assert len(tested.trades) > 5
    assert tested.trades == broker.position.closed
    assert tested.curve == broker.ledger.curve(tested.bars.close)
    extremes = broker.variables.max_drawdown, broker.variables.max_runup
    assert (tested.figures()["max_drawdown"], tested.figures()["max_run_up"]) == extremes


def test_a_check_knows_the_rates_of_the_back_test() -> None:
    bars, _ = bars_of(80)
    stops = SOURCE + "if strategy.convert_to_account(1) == 1\n    runtime.error('no rate')\n"
    rates = Rates([bars.time[0] - 2 * DAY], [0.8])
    program = open_program(stops)
    trading = trader(program, replace(SYMBOL, currency="USD"), {"currency": "EUR"}, bars=bars, rates=rates)
    assert check_repainting(program, bars, SYMBOL, trading=trading).error is None
    assert check_repainting(program, bars, SYMBOL).error is not None


@pytest.mark.parametrize("branch", ["if", "if close < 0\n    na\nelse if"])
def test_a_time_exit_counts_bars_from_an_opening_that_is_seen_inside_a_branch(branch: str) -> None:
    """`strategy.position_size[1]` is the size one bar before, also in a block that runs on some bars only."""
    source = f"""//@version=6
strategy("Time exit", default_qty_value = 1)
var int opened = na
if bar_index % 10 == 3
    strategy.entry("L", strategy.long)
{branch} strategy.position_size > 0
    if strategy.position_size[1] == 0
        opened := bar_index
    if bar_index - opened >= 4
        strategy.close("L")
"""
    bars, _ = bars_of(60)
    tested = backtest(open_program(source), bars, SYMBOL)
    assert [(trade.entry_bar, trade.exit_bar) for trade in tested.trades] == [(k + 4, k + 9) for k in range(0, 60, 10)]


@pytest.mark.parametrize("name", ["netprofit", "equity", "opentrades", "closedtrades", "position_avg_price"])
def test_what_a_strategy_says_of_itself_keeps_the_chart_s_history_in_a_block(name: str) -> None:
    source = f"""//@version=6
strategy("History", default_qty_value = 1)
if bar_index % 4 == 1
    strategy.entry("L", strategy.long)
if bar_index % 4 == 3
    strategy.close("L")
before = strategy.{name}[1]
further = strategy.{name}[5]
float local = na
float far = na
if bar_index % 3 == 0
    local := strategy.{name}[1]
    far := strategy.{name}[bar_index % 3 + 5]
plot(before), plot(further), plot(local), plot(far)
"""
    bars, _ = bars_of(60)
    before, further, local, far = (plot.values for plot in backtest(open_program(source), bars, SYMBOL).result.plots)
    for number in range(6, 60, 3):
        assert str((local[number], far[number])) == str((before[number], further[number]))
    assert len({str(value) for value in before}) > 1


@pytest.mark.parametrize("ask", [backtest, check_repainting])
def test_a_strategy_on_the_ticks_of_historical_bars_is_refused_with_its_reason(ask: Callable[..., object]) -> None:
    """Nobody may be shown trades of closed bars for it: the repaint check runs the strategy too."""
    source = '//@version=6\nstrategy("Ticks", calc_on_every_history_tick = true)\nstrategy.entry("L", strategy.long)'
    bars, _ = bars_of(30)
    with pytest.raises(NotComputed) as caught:
        ask(open_program(source), bars, SYMBOL)
    assert caught.value.name == "strategy(calc_on_every_history_tick = true)"
    assert caught.value.hint is not None and "at which prices it fills orders between two ticks" in caught.value.hint
    tested = backtest(open_program(source), bars, SYMBOL, properties={"calc_on_every_history_tick": False})
    assert tested.result.error is None


@pytest.mark.parametrize("ask", [backtest, check_repainting])
def test_a_declared_property_that_a_user_may_not_give_either_is_refused(ask: Callable[..., object]) -> None:
    """Percentages of a capital of 0 do not exist, and money that is below 0 buys nothing."""
    bars, _ = bars_of(30)
    for declared in ("initial_capital = 0", "initial_capital = -5", "pyramiding = -1", "slippage = -2"):
        source = f'//@version=6\nstrategy("Wrong", {declared}, max_lines_count = 5)\nstrategy.entry("L", strategy.long)'
        with pytest.raises(NotComputed) as caught:
            ask(open_program(source), bars, SYMBOL)
        assert caught.value.name == f"strategy({declared})"
        assert caught.value.hint is not None and "expected" in caught.value.hint
    source = '//@version=6\nstrategy("Given", initial_capital = 0)\nstrategy.entry("L", strategy.long)'
    assert backtest(open_program(source), bars, SYMBOL, properties={"initial_capital": 500}).result.error is None
