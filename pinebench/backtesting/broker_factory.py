"""Makes the broker for a strategy's run, with all data that fills depend on. Only strategies have a broker."""

from __future__ import annotations

import datetime
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pinebench.backtesting.defaults import defaults_of
from pinebench.backtesting.magnifier import intrabars, paths
from pinebench.broker import Broker, Observer, Properties, checked_properties
from pinebench.calendars.clocks import dates
from pinebench.calendars.dates import minute_text
from pinebench.checker import BuiltinConstant, Program
from pinebench.errors import UsageError
from pinebench.market import Bars, Rates
from pinebench.reference import constant
from pinebench.runtime import BarColumns, Chart, ChartSymbol, NotComputed, constant_value, declared_arguments

_NO_TICKS = (
    "TradingView runs such a strategy on every tick of a historical bar, and no recording shows at which "
    "prices it fills orders between two ticks. Set calc_on_every_history_tick to false to test the strategy "
    "on closed bars."
)


def properties_of(
    program: Program, given: Mapping[str, Any] | None = None, as_of: datetime.date | None = None
) -> Properties:
    """Return a strategy's properties: from `given`, else from its declaration statement, else TradingView's defaults.

    The defaults are from the day `as_of` (default: `LANGUAGE_DATE`). Raises UsageError for an unknown property or an
    invalid value, and NotComputed for a declaration with na, a negative number or no capital.
    """
    given = checked_properties(given or {})
    said = {name: _number(name, value) for name, value in declared_arguments(program).items()}
    found = replace(Properties.of(said | defaults_of(program, given, as_of).values), **given)
    for name in said:
        _check_size(name, getattr(found, name, None))
    return found


def _number(name: str, value: Any) -> Any:
    """Convert a built-in constant with a numeric value to that number. Raises NotComputed for na."""
    if isinstance(value, BuiltinConstant) and constant(value) is not None:
        found = constant_value(value)
        return value if isinstance(found, str) else found
    if value is None or (isinstance(value, float) and value != value):
        raise NotComputed(f"strategy({name} = na)")
    return value


def _check_size(name: str, value: Any) -> None:
    """Raise NotComputed if a property in the declaration has a number that users may not set either."""
    try:
        if isinstance(value, int | float):
            checked_properties({name: value})
    except UsageError as error:
        raise NotComputed(f"strategy({name} = {value:g})", hint=f"{error.message}: {error.hint}") from None


def trader(
    program: Program,
    symbol: ChartSymbol,
    properties: Mapping[str, Any] | None = None,
    *,
    bars: Bars | None = None,
    rates: Rates | None = None,
    lower: Bars | None = None,
    standard: Bars | None = None,
    first: int | None = None,
    as_of: datetime.date | None = None,
    observer: Observer | None = None,
) -> Callable[[BarColumns], Broker] | None:
    """Return a function that makes a broker for a strategy's run; None if the script is not a strategy.

    The function takes the bars of the run: `bars`, or their first part. `properties` replaces arguments of the
    declaration statement. Arguments that are not set get TradingView's defaults of the day `as_of`. `observer` is
    notified about orders. The other parameters are the same as for `begin` in `backtest`. Raises UsageError if `lower`
    or `standard` does not fit `bars`, and NotComputed for a strategy with `calc_on_every_history_tick`.
    """
    if not program.is_strategy:
        return None
    known = properties_of(program, properties, as_of)
    if known.calc_on_every_history_tick:
        raise NotComputed("strategy(calc_on_every_history_tick = true)", hint=_NO_TICKS)
    market = same_times(bars, standard) if bars is not None and standard is not None else None
    ticks = told = None
    if bars is not None and (lower is not None or rates is not None):
        chart = Chart(bars, symbol)
        ends = [int(end) for end in chart.grid.closes(bars.time)]
        is_long = not chart.timeframe.is_intraday and chart.timeframe.text != "1D"
        told = rates.at(ends if is_long else bars.time, is_long) if rates is not None else None
        if lower is not None:
            ticks = paths(market or bars, ends, *intrabars(lower, chart.timeframe, symbol), symbol.mintick)

    def made(run: BarColumns) -> Broker:
        return Broker(
            known,
            market or run,
            tick=symbol.mintick,
            point_value=symbol.pointvalue,
            lot=symbol.mincontract,
            currency=symbol.currency,
            is_currency_known="currency" not in symbol.assumed,
            rates=told,
            days=_Days(run, symbol),
            ticks=ticks,
            first=bisect_left(bars.time, first) if bars is not None and first is not None else None,
            are_charts=market is None,
            observer=observer,
        )

    return made


def before(bars: Bars, last: int | None) -> Bars:
    """Return the bars that open before `last` (milliseconds UTC)."""
    if last is None:
        return bars
    count = bisect_left(bars.time, last)
    return bars if count == len(bars) else bars.at(range(count))


def same_times(bars: Bars, standard: Bars) -> Bars:
    """Return the bars of `standard` that open at the times of the chart's bars. Raises UsageError if one is missing, or
    if the bars of `standard` are shorter."""
    if standard.time == bars.time:
        return standard
    hint = "give bars of the same symbol and timeframe"
    first, last = (bisect_left(standard.time, bars.time[k]) if len(bars) else 0 for k in (0, -1))
    inside = last - first
    if inside >= 2 * (len(bars) - 1) > 0:
        raise UsageError(
            f"the data with standard bars has {inside:,} bars in the time of {len(bars) - 1:,} bars of the chart: they "
            "are shorter",
            hint,
        )
    places = {time: i for i, time in enumerate(standard.time)}
    missing = next((time for time in bars.time if time not in places), None)
    if missing is not None:
        raise UsageError(f"the data with standard bars has no bar that opens at {minute_text(missing)} UTC", hint)
    return standard.at(places[time] for time in bars.time)


def trading_days(times: Sequence[int], symbol: ChartSymbol) -> list[int]:
    """Return each bar's date in the exchange's time zone, as the number that `date.toordinal` returns. `times` are
    opening times in milliseconds UTC."""
    return dates(times, symbol.timezone, datetime.date.toordinal)


class _Days(Sequence[int]):
    """The `trading_days` of bars that may grow during the run."""

    def __init__(self, bars: BarColumns, symbol: ChartSymbol) -> None:
        self._bars = bars
        self._symbol = symbol
        self._known: list[int] = []

    def __len__(self) -> int:
        return len(self._bars.time)

    def __getitem__(self, i: Any) -> Any:
        known = self._known
        if len(known) < len(self._bars.time):
            known += trading_days(self._bars.time[len(known) :], self._symbol)
        return known[i]
