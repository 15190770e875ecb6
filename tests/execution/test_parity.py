"""Strategies trade as TradingView exported it: every closed trade, its side, both times, both prices, its quantity."""

from __future__ import annotations

from collections import Counter
from datetime import date
from functools import cache
from typing import Any

import pytest

from pinebench.checker import open_program
from pinebench.execution.backtest import Backtest, backtest
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.market.rates import Rates
from tests.parity import chart, lists, trade_list

SYMBOL = SymbolInfo(
    symbol="ETHUSDT.P",
    prefix="BINANCE",
    type="swap",
    currency="USDT",
    basecurrency="ETH",
    mintick=0.01,
    mincontract=0.0001,
    timeframe="15",
)
DAY = 86_400_000
EXPORTED = date(2026, 6, 12)
"""The day of the archive that the lists are from: TradingView's defaults are those of that day."""
STARTS = (1_743_379_200_000, 1_743_811_200_000)
"""When the charts begin that the lists are from: 2025-03-31 and 2025-04-05."""
NEED_MINUTES = {
    "ltf-bool-array-bull-majority-01": "requests the bars of one minute, which are not at hand",
    "magnifier-tick-dist-endpoints-rsi-cross-08a": "is magnified with the bars of two minutes, which are not at hand",
    "magnifier-tick-dist-volume-weighted-on-01": "is magnified with the bars of two minutes, which are not at hand",
}
MAGNIFIED = [name for name in NEED_MINUTES if name.startswith("magnifier")]
OTHER_QUANTITIES = {
    "composite-ies-equity-feedback-sizing-01": "sizes by the dollar's rate on days that no list tells",
}
SIZED = "analyzer-parity-percent-of-equity-sizing-01"
"""99 % of the equity in dollars on Mondays: the quantities tell the rate of the tether."""


@cache
def bars_from(start: int) -> Bars:
    columns = chart()
    first = next(i for i, time in enumerate(columns[0]) if time >= start)
    times = [int(time) for time in columns[0][first:]]
    return Bars(times, *(column[first:] for column in columns[1:]))


@cache
def rates() -> Rates:
    """The rate at which each Monday's order was sized, as its quantity tells: it has five decimals."""
    _, trades = trade_list(SIZED)
    bars = bars_from(STARTS[0])
    close = dict(zip(bars.time, bars.close, strict=True))
    equity, known = 1_000_000.0, {}
    for trade in trades:
        time = trade["entry_time"]
        rate = round(0.99 * equity / (trade["qty"] * close[time - 15 * 60_000]), 5)
        known[time - time % DAY - DAY] = rate
        equity += (trade["exit_price"] - trade["entry_price"]) * trade["qty"] * rate
    return Rates(list(known), list(known.values()))


def run(script: str, start: int, told: Rates | None) -> Backtest:
    tested = backtest(open_program(script), bars_from(start), SYMBOL, rates=told, as_of=EXPORTED)
    assert tested.result.error is None
    return tested


def compared(name: str, told: Rates | None = None) -> tuple[bool, bool]:
    """Whether all trades are those that were exported, and whether their quantities are too."""
    script, exported = trade_list(name)
    first, last = min(t["entry_time"] for t in exported), max(t["exit_time"] for t in exported)
    found = (False, False)
    for start in STARTS:
        if start <= STARTS[0] or first >= start:
            own = [
                ("long" if t.side > 0 else "short", t.entry_time, t.exit_time, t.entry_price, t.exit_price, t.quantity)
                for t in run(script, start, told).trades
                if t.entry_time >= first and t.exit_time <= last
            ]
            found = max(found, _same(own, exported))
        if all(found):
            break
    return found


def _same(own: list[tuple[Any, ...]], exported: list[dict[str, Any]]) -> tuple[bool, bool]:
    names = ("side", "entry_time", "exit_time", "entry_price", "exit_price", "qty")
    theirs = [tuple(trade[name] for name in names) for trade in exported]

    def key(row: tuple[Any, ...]) -> tuple[Any, ...]:
        return *row[:3], round(row[3] * 100), round(row[4] * 100)

    def whole(row: tuple[Any, ...]) -> tuple[Any, ...]:
        return *key(row), round(row[5], 6)

    return Counter(map(key, own)) == Counter(map(key, theirs)), Counter(map(whole, own)) == Counter(map(whole, theirs))


def expected(name: str) -> tuple[bool, bool]:
    return name not in NEED_MINUTES, name not in NEED_MINUTES and name not in OTHER_QUANTITIES


def told_rates(name: str) -> Rates | None:
    return rates() if name.startswith(("analyzer", "anomaly")) else None


@pytest.mark.parametrize("name", lists()[::9])
def test_strategies_trade_as_tradingview_exported(name: str) -> None:
    assert compared(name, told_rates(name)) == expected(name)


@pytest.mark.parametrize("name", ["anomaly-equity-mirror-strategy-equity-01", SIZED])
def test_the_rate_of_the_account_s_currency_decides_what_is_bought(name: str) -> None:
    """Taken for equal, the currencies give other quantities, and orders at the edge of the equity that are refused."""
    assert compared(name, rates()) == (True, True)
    assert compared(name)[1] is False


@pytest.mark.parametrize("name", [name for name in lists() if name in MAGNIFIED])
def test_magnified_trades_differ_only_where_bars_of_two_minutes_begin_in_another_bar(name: str) -> None:
    """TradingView goes through bars of two minutes, whose grid is that of the hour: one of them begins a minute before
    each bar at :15 and :45, and is the first of that bar, so that the last minute of the bars at :00 and :30 is not
    theirs. What happens there is met at their close, or in the bar after. All else is as the chart's bars give it.
    """
    script, exported = trade_list(name)
    bars = bars_from(STARTS[0])
    number = {time: i for i, time in enumerate(bars.time)}
    own = {trade.entry_time: trade for trade in run(script, STARTS[0], None).trades}
    differing = 0
    for trade in exported:
        ours, time, price = own[trade["entry_time"]], trade["exit_time"], trade["exit_price"]
        if (ours.exit_time, round(ours.exit_price, 2)) == (time, price):
            continue
        differing += 1
        has_one_more = time // 60_000 % 30 == 15
        was_cut = price == bars.close[number[time]] or ours.exit_time + 15 * 60_000 <= time
        assert has_one_more or was_cut, trade
    assert differing


@pytest.mark.soak
@pytest.mark.parametrize("name", lists())
def test_every_list_is_as_it_is_known_to_be(name: str) -> None:
    assert compared(name, told_rates(name)) == expected(name)
