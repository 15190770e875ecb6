"""The bars a script runs on, as columns by the names of Pine's built-in series, and what is fixed about them."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Protocol
from zoneinfo import ZoneInfo

from pinebench.runtime.aggregation import BarColumns
from pinebench.runtime.refusals import NotComputed
from pinebench.runtime.timeframes import Timeframe

NA = float("nan")
_UTC = datetime.UTC


class Symbol(Protocol):
    """What is known about a symbol."""

    @property
    def symbol(self) -> str: ...
    @property
    def prefix(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def currency(self) -> str: ...
    @property
    def basecurrency(self) -> str: ...
    @property
    def mintick(self) -> float: ...
    @property
    def pointvalue(self) -> float: ...
    @property
    def mincontract(self) -> float: ...
    @property
    def timezone(self) -> str: ...
    @property
    def session(self) -> str: ...
    @property
    def timeframe(self) -> str: ...
    @property
    def volumetype(self) -> str: ...


@lru_cache(64)
def zone_of(name: str) -> datetime.tzinfo:
    """The time zone called `name`, by the names that an exchange's zone has."""
    return _UTC if name in ("", "UTC", "Etc/UTC", "GMT") else ZoneInfo(name)


class Chart:
    """Bars with their symbol; columns that are not prices are computed when they are first asked for."""

    def __init__(self, bars: BarColumns, symbol: Symbol, timeframe: str | None = None, main: str | None = None) -> None:
        self.bars = bars
        self.symbol = symbol
        self.timeframe = Timeframe.read(timeframe or symbol.timeframe)
        self.main_timeframe = Timeframe.read(main) if main else self.timeframe
        self.zone = zone_of(symbol.timezone)
        self._columns: dict[str, list[Any]] = {}

    def __len__(self) -> int:
        return len(self.bars.time)

    def column(self, name: str) -> list[Any]:
        """A built-in series, one value a bar. Raises NotComputed for a name that is none."""
        if name in ("time", "open", "high", "low", "close", "volume"):
            return getattr(self.bars, name)
        known = self._columns.get(name)
        if known is None:
            known = self._columns[name] = []
            self._fill(name, known)
        return known

    def put(self, time: int, bar: tuple[float, float, float, float, float]) -> None:
        """Append a bar of open, high, low, close and volume, or replace the last when it opens at the same time."""
        bars = self.bars
        if bars.time and bars.time[-1] == time:
            for column in (bars.open, bars.high, bars.low, bars.close, bars.volume):
                del column[-1:]
        else:
            bars.time.append(time)
        for column, value in zip((bars.open, bars.high, bars.low, bars.close, bars.volume), bar, strict=True):
            column.append(value)
        self.refresh()

    def refresh(self) -> None:
        """Bring the computed columns up to the bars, the last of which may have changed."""
        for name, column in self._columns.items():
            del column[len(self) - 1 :]
            self._fill(name, column)

    def _fill(self, name: str, column: list[Any]) -> None:
        compute = _COMPUTED.get(name)
        if compute is None:
            raise NotComputed(name)
        column.extend(compute(self, number) for number in range(len(column), len(self)))

    def local(self, number: int) -> datetime.datetime:
        """When bar `number` opens, in the exchange's time zone."""
        return datetime.datetime.fromtimestamp(self.bars.time[number] / 1000, self.zone)

    def close_time(self, number: int) -> int:
        """When bar `number` closes."""
        return self.timeframe.end(self.bars.time[number], self.zone)


def _trading_day(chart: Chart, number: int) -> int:
    day = chart.local(number)
    return int(datetime.datetime(day.year, day.month, day.day, tzinfo=_UTC).timestamp() * 1000)


_COMPUTED: dict[str, Callable[[Chart, int], Any]] = {
    "hl2": lambda chart, n: (chart.bars.high[n] + chart.bars.low[n]) / 2,
    "hlc3": lambda chart, n: (chart.bars.high[n] + chart.bars.low[n] + chart.bars.close[n]) / 3,
    "hlcc4": lambda chart, n: (chart.bars.high[n] + chart.bars.low[n] + chart.bars.close[n] + chart.bars.close[n]) / 4,
    "ohlc4": lambda chart, n: (chart.bars.open[n] + chart.bars.high[n] + chart.bars.low[n] + chart.bars.close[n]) / 4,
    "time_close": lambda chart, n: chart.close_time(n),
    "time_tradingday": _trading_day,
    "year": lambda chart, n: chart.local(n).year,
    "month": lambda chart, n: chart.local(n).month,
    "weekofyear": lambda chart, n: chart.local(n).isocalendar()[1],
    "dayofmonth": lambda chart, n: chart.local(n).day,
    "dayofweek": lambda chart, n: chart.local(n).isoweekday() % 7 + 1,
    "hour": lambda chart, n: chart.local(n).hour,
    "minute": lambda chart, n: chart.local(n).minute,
    "second": lambda chart, n: chart.local(n).second,
}


def fixed(chart: Chart, name: str) -> Any:
    """What `syminfo.*`, `timeframe.*` and `chart.*` say of a chart; what nobody knows is na.

    Raises NotComputed for a name that is none of them.
    """
    compute = _FIXED.get(name)
    if compute is not None:
        return compute(chart)
    if name in _LOOKS:
        return _LOOKS[name]
    if name in _UNKNOWN_TEXTS:
        return ""
    if name in _UNKNOWN_NUMBERS:
        return NA
    raise NotComputed(name)


_FIXED: dict[str, Callable[[Chart], Any]] = {
    "syminfo.ticker": lambda chart: chart.symbol.symbol,
    "syminfo.prefix": lambda chart: chart.symbol.prefix,
    "syminfo.tickerid": lambda chart: f"{chart.symbol.prefix}:{chart.symbol.symbol}",
    "syminfo.main_tickerid": lambda chart: f"{chart.symbol.prefix}:{chart.symbol.symbol}",
    "syminfo.root": lambda chart: chart.symbol.symbol,
    "syminfo.description": lambda chart: chart.symbol.description,
    "syminfo.type": lambda chart: chart.symbol.type,
    "syminfo.currency": lambda chart: chart.symbol.currency,
    "syminfo.basecurrency": lambda chart: chart.symbol.basecurrency,
    "syminfo.mintick": lambda chart: chart.symbol.mintick,
    "syminfo.pointvalue": lambda chart: chart.symbol.pointvalue,
    "syminfo.mincontract": lambda chart: chart.symbol.mincontract,
    "syminfo.timezone": lambda chart: chart.symbol.timezone,
    "syminfo.session": lambda chart: "regular" if chart.symbol.session != "extended" else "extended",
    "syminfo.volumetype": lambda chart: chart.symbol.volumetype,
    "syminfo.minmove": lambda chart: round(chart.symbol.mintick * _price_scale(chart)),
    "syminfo.pricescale": lambda chart: _price_scale(chart),
    "timeframe.period": lambda chart: chart.timeframe.text,
    "timeframe.main_period": lambda chart: chart.main_timeframe.text,
    "timeframe.multiplier": lambda chart: chart.timeframe.multiplier,
    "timeframe.isintraday": lambda chart: chart.timeframe.is_intraday,
    "timeframe.isdaily": lambda chart: chart.timeframe.unit == "D",
    "timeframe.isweekly": lambda chart: chart.timeframe.unit == "W",
    "timeframe.ismonthly": lambda chart: chart.timeframe.unit == "M",
    "timeframe.isdwm": lambda chart: chart.timeframe.unit in "DWM",
    "timeframe.isminutes": lambda chart: chart.timeframe.unit == "",
    "timeframe.isseconds": lambda chart: chart.timeframe.unit == "S",
    "timeframe.isticks": lambda chart: chart.timeframe.unit == "T",
    "chart.left_visible_bar_time": lambda chart: chart.bars.time[0] if len(chart) else NA,
    "chart.right_visible_bar_time": lambda chart: chart.bars.time[-1] if len(chart) else NA,
}
_LOOKS = {
    "chart.bg_color": 0xFFFFFFFF,
    "chart.fg_color": 0x131722FF,
    "chart.is_standard": True,
    **dict.fromkeys(("chart.is_heikinashi", "chart.is_kagi", "chart.is_linebreak", "chart.is_pnf"), False),
    **dict.fromkeys(("chart.is_range", "chart.is_renko"), False),
}
"""A light chart of plain bars."""
_UNKNOWN_TEXTS = frozenset(
    f"syminfo.{name}" for name in "cftc_code country current_contract industry isin sector".split()
)
_UNKNOWN_NUMBERS = frozenset(
    f"syminfo.{name}"
    for name in (
        "employees expiration_date shareholders shares_outstanding_float shares_outstanding_total recommendations_buy "
        "recommendations_buy_strong recommendations_date recommendations_hold recommendations_sell "
        "recommendations_sell_strong recommendations_total target_price_average target_price_date "
        "target_price_estimates target_price_high target_price_low target_price_median"
    ).split()
)


def _price_scale(chart: Chart) -> int:
    """The power of ten by which prices become whole numbers of the smallest move."""
    scale = 1
    while abs(chart.symbol.mintick * scale - round(chart.symbol.mintick * scale)) > 1e-9 and scale < 10**12:
        scale *= 10
    return scale
