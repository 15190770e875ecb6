"""The templates do what they say when they run: each fault that a reader found in one is held down here."""

from __future__ import annotations

import math
import random
import re
from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from pinebench.backtesting.backtest import backtest
from pinebench.checker import open_program
from pinebench.files import resources
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.runtime.drawings.tables import Table
from pinebench.runtime.requests import RequestSource
from pinebench.runtime.runtime import Result, Runtime
from pinebench.runtime.strategy import NoFills
from tests.tables import each

if TYPE_CHECKING:
    from collections.abc import Mapping

MINUTE = 60_000
DAY = 1440 * MINUTE
START = 1_704_067_200_000
FUTURE = SymbolInfo(symbol="ES1!", type="futures", pointvalue=50.0, mintick=0.25, timeframe="15")
SHARE = SymbolInfo(symbol="SPY", type="fund", mintick=0.01, timeframe="15")


@cache
def text(name: str) -> str:
    return (resources.folder("templates") / f"{name}.pine").read_text(encoding="utf-8")


class Holds(NoFills):
    """Holds what was ordered last from the next bar on until everything is closed, and keeps what was asked for."""

    def __init__(self, initial_capital: float) -> None:
        super().__init__(initial_capital)
        self.position_size = 0.0
        self.asked: list[tuple[int, str, dict[str, Any]]] = []
        self._bar = 0
        self._next = 0.0

    def before_bar(self, i: int) -> None:
        self._bar = i
        self.position_size = self._next

    def entry(self, **given: Any) -> None:
        self.asked.append((self._bar, "entry", given))
        self._next = given["qty"] if given["direction"] == "long" else -given["qty"]

    def exit(self, **given: Any) -> None:
        self.asked.append((self._bar, "exit", given))

    def close_all(self, **given: Any) -> None:
        self.asked.append((self._bar, "close_all", given))
        self._next = 0.0
        if given["immediately"]:
            self.position_size = 0.0


def run(
    name: str,
    bars: Bars,
    symbol: SymbolInfo,
    inputs: Mapping[str, Any] | None = None,
    strategy: NoFills | None = None,
    others: Mapping[str, RequestSource] | None = None,
) -> Result:
    """What a template leaves on bars; with the capital that it begins with and no order filled where nobody else is
    given to trade for it."""
    source = text(name)
    strategy = strategy or (NoFills(capital_of(name)) if "initial_capital" in source else None)
    result = Runtime(open_program(source), bars, symbol, inputs=inputs, strategy=strategy, others=others).run()
    assert result.error is None
    return result


def capital_of(name: str) -> float:
    capital = re.search(r"initial_capital *= (\d+)", text(name))
    assert capital is not None
    return float(capital[1])


def bars_of(path: list[tuple[int, float, float]], reach: float) -> Bars:
    """Bars from (opening time, close, volume) that open where the one before closed and reach `reach` beyond."""
    closes = [close for _, close, _ in path]
    opens = [closes[0], *closes[:-1]]
    pairs = list(zip(opens, closes, strict=True))
    return Bars(
        time=[time for time, _, _ in path],
        open=opens,
        high=[max(pair) + reach for pair in pairs],
        low=[min(pair) - reach for pair in pairs],
        close=closes,
        volume=[volume for _, _, volume in path],
    )


def mornings(days: int, price: float, step: float) -> Bars:
    """Sessions of 15-minute bars: a range of about two steps, then a rise above it on more and more volume."""
    path: list[tuple[int, float, float]] = []
    for day in range(days):
        for bar in range(26):
            price += (1.4, -1.4, 0.2, -0.2, 0.2, -0.2, 1, 1, 1, 1, 1, 1)[bar] * step if bar < 12 else 0
            path.append(
                (START + day * DAY + (570 + 15 * bar) * MINUTE, price, 1000.0 * (day + 1) * (1 + 4 * (bar == 7)))
            )
    return bars_of(path, 0.4 * step)


def waves(count: int, price: float, reach: float) -> Bars:
    """Ten bars up and ten down by turns."""
    path: list[tuple[int, float, float]] = []
    for number in range(count):
        price *= 1.001 if number // 10 % 2 == 0 else 0.999
        path.append((START + number * 15 * MINUTE, price, 1000.0))
    return bars_of(path, reach)


def test_an_opening_range_is_traded_on_a_future_with_the_capital_of_the_template() -> None:
    result = run("opening_range_breakout", mornings(4, 5000.0, 5.0), FUTURE)
    assert any(result.plot("Long signal"))
    assert all(re.search(r'"quantity": [1-9]', alert.message) for alert in result.alerts)


def test_a_share_is_never_bought_for_more_than_the_largest_position() -> None:
    result = run("opening_range_breakout", mornings(4, 500.0, 0.2), SHARE)
    sizes = [float(size) for alert in result.alerts for size in re.findall(r'"quantity": (\d+)', alert.message)]
    assert sizes
    assert all(size * 500.0 <= 0.92 * 100_000 for size in sizes)


@pytest.mark.parametrize(("reach", "less"), [(1.0, False), (0.05, True)])
def test_a_position_that_is_capped_says_how_little_is_at_risk(reach: float, less: bool) -> None:
    result = run("ema_cross_strategy", waves(200, 100.0, reach), SHARE, {"rsiOnInput": False})
    taken = [risk for risk in result.plot("Risk at the stop, %") if risk == risk]
    assert taken
    assert max(taken) <= 1.0
    assert (min(taken) < 0.9) == less
    assert any(result.plot("Less at risk than accepted")) == less


def test_a_dashboard_asks_for_numbers_and_shows_them() -> None:
    assert "type Scores" not in text("multi_factor_dashboard")
    result = run("multi_factor_dashboard", waves(400, 100.0, 0.5), SHARE, {"timeframeInput": "60"})
    assert any(total == total and total != 0 for total in result.plot("Total"))


def test_market_structure_tells_turns_apart_from_breaks_in_the_trend() -> None:
    price, path = 100.0, []
    for number in range(240):
        rising = number < 120
        step = 1.0 if number // 10 % 2 == 0 else -0.6
        price += step if rising else -step
        path.append((START + number * 15 * MINUTE, price, 1000.0))
    result = run("market_structure", bars_of(path, 0.2), SHARE)
    direction = result.plot("Direction")
    assert (direction[0], direction[119], direction[239]) == (0, 1, -1)
    told = [alert.message for alert in result.alerts]
    assert sum("change of character downward" in words for words in told) == 1
    assert sum("break of structure upward" in words for words in told) > 3
    assert sum("break of structure downward" in words for words in told) > 3
    # what was told on the first bars is not told otherwise once more bars are known
    before = run("market_structure", bars_of(path[:150], 0.2), SHARE)
    assert [alert.message for alert in before.alerts] == [a.message for a in result.alerts if a.bar < 150]


def test_the_library_counts_and_rounds_in_its_example() -> None:
    path = [(START + number * 15 * MINUTE, close, 1.0) for number, close in enumerate([10.0, 10.02, 12.0, 15.0])]
    result = run("level_library", bars_of(path, 0.01), SHARE)
    assert result.plot("Level") == pytest.approx([10.0] * 4)
    assert result.plot("Touches") == [1, 2, 3, 3]
    assert result.plot("Change, %")[-1] == pytest.approx(50.0)


HOURS = {"hoursOnInput": True, "flatInput": True}


def hour_of(bars: Bars, bar: int) -> int:
    """Minutes after midnight at which a bar opens."""
    return (bars.time[bar] - START) // MINUTE % 1440


def around_the_clock(count: int, minutes: int, price: float) -> Bars:
    """Bars of a market that never closes, in waves that a trend rides on."""
    path = []
    for number in range(count):
        price *= 1.004 if number // 7 % 2 == 0 else 0.9965
        path.append((START + number * minutes * MINUTE, price, 1000.0 * (1 + number % 7)))
    return bars_of(path, 0.004 * price)


ALWAYS = SymbolInfo(symbol="BTCUSD", type="crypto", mintick=0.01, mincontract=0.0001, timeframe="15", session="24x7")
WITH_HOURS = [
    ("ema_cross_strategy", {**HOURS, "rsiOnInput": False}),
    ("momentum_factor", {**HOURS, "rsiOnInput": False, "emaInput": 5, "entryInput": 0.5}),
    ("supertrend_strategy", {**HOURS, "filterInput": False, "factorInput": 1.0}),
    ("zscore_mean_reversion", {**HOURS, "volumeOnInput": False, "trendOnInput": False, "entryInput": 1.0}),
    ("vwap_institutional", {**HOURS, "volumeInput": 0.1}),
]


@pytest.mark.parametrize(("name", "inputs"), WITH_HOURS, ids=lambda value: value if isinstance(value, str) else "")
def test_nothing_is_opened_for_a_bar_outside_the_hours_nor_held_beyond_them(name: str, inputs: dict[str, Any]) -> None:
    bars = around_the_clock(3000, 15, 100.0)
    strategy = Holds(capital_of(name))
    run(name, bars, ALWAYS, inputs, strategy)
    opened = [bar for bar, what, _ in strategy.asked if what == "entry"]
    closed = [bar for bar, what, _ in strategy.asked if what == "close_all"]
    assert len(opened) > 5
    # an entry is filled on the next bar, which opens from 09:30 to 15:45
    assert all(570 <= hour_of(bars, bar + 1) < 960 for bar in opened)
    # what is held ends with the bar that closes at 16:00
    assert closed
    assert {hour_of(bars, bar) for bar in closed} == {945}


@pytest.mark.parametrize(("name", "inputs"), WITH_HOURS, ids=lambda value: value if isinstance(value, str) else "")
def test_every_trade_begins_and_ends_within_the_hours_of_one_day(name: str, inputs: dict[str, Any]) -> None:
    bars = around_the_clock(3000, 15, 100.0)
    done = backtest(open_program(text(name)), bars, ALWAYS, inputs=inputs)
    assert len(done.trades) > 5
    assert len(done.open_trades) <= 1
    for trade in done.trades:
        assert 570 <= hour_of(bars, trade.entry_bar) <= hour_of(bars, trade.exit_bar) <= 945
        assert trade.exit_bar - trade.entry_bar < 26


def test_an_opening_range_is_left_with_its_session_on_bars_that_are_longer_than_the_closing_time() -> None:
    path, price = [], 5000.0
    for number in range(48 * 6):
        slot = number % 48
        price += {19: 8.0, 20: 12.0, 21: 6.0}.get(slot, 0.0) if slot < 30 else 0.0
        path.append((START + number * 30 * MINUTE, price, 1000.0 * (1 + 9 * (slot in (20, 21)))))
    bars = bars_of(path, 6.0)
    strategy = Holds(capital_of("opening_range_breakout"))
    symbol = SymbolInfo(symbol="ES1!", type="futures", pointvalue=50.0, mintick=0.25, timeframe="30", session="24x7")
    inputs = {"closesInput": 1, "volumeOnInput": False, "leastInput": 0.0, "mostInput": 50.0}
    run("opening_range_breakout", bars, symbol, inputs, strategy)
    assert [what for _, what, _ in strategy.asked if what == "entry"]
    assert {hour_of(bars, bar) for bar, what, _ in strategy.asked if what == "close_all"} == {930}


def test_a_correlation_counts_only_bars_on_which_both_have_traded() -> None:
    days = [START + number * DAY for number in range(120)]
    closes = [100.0 + 3 * (number % 5) + number / 10 for number in range(120)]
    coin = Bars(days, closes, closes, closes, closes, [1.0] * 120)
    # the share follows the coin on the days on which it trades, at ten times its price
    trades = [number for number in range(120) if (number % 7) not in (5, 6)]
    own = [10 * closes[number] for number in trades]
    share = Bars([days[number] for number in trades], own, own, own, own, [1.0] * len(own))
    others = {
        name: RequestSource(share, SymbolInfo(name, timeframe="1D", session="24x7"))
        for name in ("SPY", "TLT", "GLD", "DXY")
    }
    symbol = SymbolInfo("BTCUSD", type="crypto", timeframe="1D", session="24x7")
    result = run("multi_asset_correlation", coin, symbol, others=others)
    link = [value for value in result.plot("Symbol 1") if value == value]
    assert len(link) > 60
    assert link == pytest.approx([1.0] * len(link))


def test_figures_that_are_not_known_yet_are_shown_as_such() -> None:
    bars = waves(30, 100.0, 0.5)
    others = {name: RequestSource(bars, SymbolInfo(name, timeframe="15")) for name in ("BTCUSDT.P", "BTCUSDT")}
    result = run("funding_rate_overlay", bars, SHARE, others=others)
    (board,) = result.drawings["table"]
    assert isinstance(board, Table)
    words = [cell["text"] for cell in board.cells.values()]
    assert "n/a" in words
    assert not [word for word in words if "NaN" in word]


def test_a_regime_is_asked_for_in_numbers_and_told_only_once_it_is_known() -> None:
    assert "type Market" not in text("macro_regime_dashboard")
    bars = around_the_clock(300, 1440, 100.0)
    names = ("SPY", "TLT", "GLD", "DXY")
    others = {name: RequestSource(bars, SymbolInfo(name, timeframe="1D", session="24x7")) for name in names}
    against = [10_000 / close for close in bars.close]
    falling = Bars(bars.time, against, against, against, against, bars.volume)
    others["DXY"] = RequestSource(falling, SymbolInfo("DXY", timeframe="1D", session="24x7"))
    symbol = SymbolInfo("SPY", timeframe="1D", session="24x7")
    result = run("macro_regime_dashboard", bars, symbol, {"windowInput": 40}, others=others)
    known = [number for number, value in enumerate(result.plot("Shares")) if value == value]
    assert known
    assert result.alerts
    assert min(alert.bar for alert in result.alerts) > known[0]


class Ladder(Holds):
    """Holds nothing ever, and keeps what was asked for."""

    def before_bar(self, i: int) -> None:
        self._next = 0.0
        super().before_bar(i)


def test_a_ladder_risks_with_all_its_parts_what_it_says_and_follows_the_price_up() -> None:
    strategy = Ladder(capital_of("ladder_strategy"))
    bars = around_the_clock(600, 15, 100.0)
    result = run("ladder_strategy", bars, ALWAYS, {"trendInput": 20}, strategy)
    for bar in {bar for bar, what, _ in strategy.asked if what == "entry"}:
        entries = [given for asked, what, given in strategy.asked if (asked, what) == (bar, "entry")]
        exits = {given["from_entry"]: given for asked, what, given in strategy.asked if (asked, what) == (bar, "exit")}
        assert {entry["id"] for entry in entries} <= exits.keys()
        assert all(entry["limit"] < bars.close[bar] for entry in entries)
        assert all(exits[e["id"]]["stop"] < e["limit"] < exits[e["id"]]["limit"] for e in entries)
        if len(entries) == 5:
            lost = sum(entry["qty"] * (entry["limit"] - exits[entry["id"]]["stop"]) for entry in entries)
            held = sum(entry["qty"] * entry["limit"] for entry in entries)
            assert lost <= 0.02 * 100_000 * 1.001
            assert held <= 0.9 * 100_000 * 1.001
    tops = [value for value in result.plot("Top") if value == value]
    assert len(set(tops)) > 5
    assert max(result.plot("Risk at the stop, %")[100:]) <= 2.001


def test_a_ladder_sells_its_parts_one_by_one_and_loses_no_more_than_is_accepted() -> None:
    chance, price, path = random.Random(4), 100.0, []
    for number in range(3000):
        price *= math.exp(chance.gauss(0.0, 0.003))
        path.append((START + number * 15 * MINUTE, round(price, 2), 1000.0))
    done = backtest(open_program(text("ladder_strategy")), bars_of(path, 0.1), ALWAYS, inputs={"trendInput": 30})
    lost: dict[int, float] = defaultdict(float)
    for trade in done.trades:
        if trade.exit_comment == "Stop":
            lost[trade.exit_bar] -= trade.profit
        else:
            assert trade.exit_comment == "Target"
            assert trade.exit_price > trade.entry_price
    assert len(lost) > 5
    # two per cent of the equity, and a little for commission, slippage and gaps
    assert max(lost.values()) < 0.025 * 100_000
    assert len(done.trades) > 5 * len(lost)


TEMPLATES = sorted(path.stem for path in resources.folder("templates").glob("*.pine"))


@each("name", TEMPLATES)
def test_what_was_told_is_told_the_same_once_more_bars_are_known(name: str) -> None:
    bars = around_the_clock(420, 15, 100.0)
    before = Bars(
        bars.time[:300], bars.open[:300], bars.high[:300], bars.low[:300], bars.close[:300], bars.volume[:300]
    )
    symbols = set(re.findall(r'input\.symbol\("\w+:([\w.]+)"', text(name)))
    told = []
    for known in (before, bars):
        others = {
            symbol: RequestSource(known, SymbolInfo(symbol, timeframe="15", session="24x7")) for symbol in symbols
        }
        told.append([(alert.bar, alert.message) for alert in run(name, known, ALWAYS, others=others).alerts])
    assert told[0] == [alert for alert in told[1] if alert[0] < 300]
