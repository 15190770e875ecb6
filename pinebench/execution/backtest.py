"""A strategy on bars: the run of its script with the broker that trades for it, its trades, figures and curve."""

from __future__ import annotations

import datetime
from bisect import bisect_left
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from pinebench.broker.emulator import Broker
from pinebench.broker.figures import figures
from pinebench.broker.ledger import Curve
from pinebench.broker.properties import Properties, checked
from pinebench.broker.trades import ClosedTrade, Trade
from pinebench.calendars.clocks import dates
from pinebench.check import Program
from pinebench.errors import UsageError
from pinebench.execution.magnifier import paths
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.market.rates import Rates
from pinebench.runtime.chart import Chart
from pinebench.runtime.guard import Budget
from pinebench.runtime.refusals import NotComputed
from pinebench.runtime.requests import Source
from pinebench.runtime.runtime import Result, Runtime, declared, refuse

_DOLLARS = frozenset(("USD", "USDT", "USDC", "BUSD", "FDUSD", "TUSD", "DAI"))
"""The dollar and coins that follow it, which are taken for equal, with a word, where no rates are given."""


@dataclass
class Backtest:
    """What a strategy did: the script's own results, the broker that traded, and the bars that its orders met."""

    result: Result
    broker: Broker
    bars: Bars
    symbol: SymbolInfo
    notes: list[str] = field(default_factory=list)

    @property
    def trades(self) -> list[ClosedTrade]:
        """The closed trades in the order in which they were closed; none where the script stopped with an error."""
        return [] if self.result.error is not None else self.broker.position.closed

    @property
    def open_trades(self) -> list[Trade]:
        """What is still open on the last bar."""
        return [] if self.result.error is not None else self.broker.position.open

    @cached_property
    def curve(self) -> Curve:
        """The account on every bar."""
        return self.broker.ledger.curve(self.bars.close, self.broker.account.rates)

    def figures(self) -> dict[str, Any]:
        """The tester's figures by name; none where the script stopped with an error."""
        return {} if self.result.error is not None else figures(self.broker, self.curve)


def backtest(
    program: Program,
    bars: Bars,
    symbol: SymbolInfo,
    *,
    inputs: Mapping[str, Any] | None = None,
    others: Mapping[str, Source] | None = None,
    properties: Mapping[str, Any] | None = None,
    rates: Rates | None = None,
    lower: Bars | None = None,
    standard: Bars | None = None,
    first: int | None = None,
    last: int | None = None,
    budget: Budget | None = None,
) -> Backtest:
    """Run a strategy on bars.

    `properties` replace arguments of its declaration, by their names; `lower` are shorter bars by which orders are
    filled inside a bar, `standard` the bars of the same times by which they are filled where the chart's own are not
    market prices (Heikin Ashi). Orders are taken from the time `first` on, and the run ends before `last` (milliseconds
    UTC). Raises UsageError for a script that is no strategy or does not compile and for bars that do not belong
    together, and NotComputed, by name, for what is not computed here.
    """
    refuse(program, len(bars), symbol)
    declaration = program.declaration
    if declaration is None or declaration.name != "strategy":
        raise UsageError("the script is no strategy", 'It needs "strategy(...)" as its declaration; `run` runs any.')
    known = replace(Properties.of(declared(program)), **checked(properties or {}))
    notes = _check(known, symbol, rates, lower)
    bars = _before(bars, last)
    if not len(bars):
        raise UsageError("there are no bars to test on", "name other dates, or bars of that time")
    market = _same_times(bars, _before(standard, last)) if standard is not None else bars
    chart = Chart(bars, symbol)
    ends = [chart.close_time(i) for i in range(len(chart))] if lower is not None or rates is not None else []
    is_long = not chart.timeframe.is_intraday and chart.timeframe.text != "1D"
    broker = Broker(
        known,
        market,
        tick=symbol.mintick,
        point_value=symbol.pointvalue,
        lot=symbol.mincontract,
        currency=symbol.currency,
        rates=rates.at(ends if is_long else bars.time, is_long) if rates is not None else None,
        days=_day_of(bars, symbol),
        ticks=paths(market, ends, lower) if lower is not None else None,
        first=bisect_left(bars.time, first) if first is not None else None,
    )
    runtime = Runtime(program, bars, symbol, inputs=inputs, others=others, strategy=broker, budget=budget)
    result = runtime.run()
    return Backtest(result, broker, market, symbol, [*notes, *result.notes, *_remarks(broker)])


def run_script(
    program: Program,
    bars: Bars,
    symbol: SymbolInfo,
    *,
    inputs: Mapping[str, Any] | None = None,
    others: Mapping[str, Source] | None = None,
) -> Result:
    """Run any script: a strategy with a broker that trades for it, anything else by itself."""
    if program.declaration is None or program.declaration.name != "strategy":
        return Runtime(program, bars, symbol, inputs=inputs, others=others).run()
    tested = backtest(program, bars, symbol, inputs=inputs, others=others)
    tested.result.notes = tested.notes
    return tested.result


def _check(properties: Properties, symbol: SymbolInfo, rates: Rates | None, lower: Bars | None) -> list[str]:
    """Refuse by name what is not computed, and say what is taken for granted."""
    if properties.calc_on_every_history_tick:
        raise NotComputed("strategy(calc_on_every_history_tick = true)")
    notes: list[str] = []
    if properties.use_bar_magnifier and lower is None:
        notes.append("no shorter bars are given for the bar magnifier: orders are filled by the chart's bars")
    account, own = properties.currency or symbol.currency, symbol.currency
    if rates is not None or account == own:
        return notes
    if {account, own} <= _DOLLARS:
        return [*notes, f"no rates are given: one {own} is taken for one {account}"]
    hint = f"Give the daily rates of {own} in {account}, or bars in {account}."
    raise NotComputed(f"an account in {account} on a symbol in {own} without rates", hint=hint)


def _remarks(broker: Broker) -> list[str]:
    if not broker.small_orders:
        return []
    count = f"{broker.small_orders} order{'s were' if broker.small_orders > 1 else ' was'}"
    least = f"{broker.account.lot:g}"
    return [f"{count} not placed: less than the symbol's smallest quantity, {least} (mincontract in its TOML file)"]


def _before(bars: Bars, last: int | None) -> Bars:
    """The bars that open before `last`."""
    if last is None:
        return bars
    count = bisect_left(bars.time, last)
    return bars if count == len(bars) else bars.at(range(count))


def _same_times(bars: Bars, standard: Bars) -> Bars:
    """The standard bars of the chart's bars. Raises UsageError where one has none."""
    if standard.time == bars.time:
        return standard
    places = {time: i for i, time in enumerate(standard.time)}
    missing = next((time for time in bars.time if time not in places), None)
    if missing is not None:
        raise UsageError(
            f"the standard bars have none that opens at {missing}", "give those of the same symbol and timeframe"
        )
    return standard.at(places[time] for time in bars.time)


def _day_of(bars: Bars, symbol: SymbolInfo) -> Callable[[int], object]:
    """The date of a bar in the exchange's time zone."""
    days: list[int] = []

    def day(i: int) -> object:
        if not days:
            days.extend(dates(bars.time, symbol.timezone, datetime.date.toordinal))
        return days[i]

    return day
