"""The bars that a script runs on, as columns named like Pine's built-in series, and the constants of the chart."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from pinebench.calendars.aggregation import BarColumns as BarColumns
from pinebench.calendars.clocks import PARTS_OF_DATE, PARTS_OF_DAY, clock, dates
from pinebench.calendars.timeframes import Timeframe, timeframe
from pinebench.runtime.builtins import CONTEXT_FUNCTIONS, KERNELS
from pinebench.runtime.library.clock import zone
from pinebench.runtime.library.context import grid_of
from pinebench.runtime.library.kernel import Kernel
from pinebench.runtime.library.numbers import tick_ratio
from pinebench.runtime.library.times import last_bars
from pinebench.runtime.refusals import NotComputed
from pinebench.runtime.tickers import Ticker, new

NA = float("nan")
_CONTINUOUS = re.compile(r"(.+?)\d+!", re.ASCII)
"""The ticker of a continuous contract."""
_DATED = re.compile(r"(.+?)[FGHJKMNQUVXZ]\d{4}", re.ASCII)
"""The ticker of a contract that ends in a month."""


class ChartSymbol(Protocol):
    """A symbol's properties, as the runtime reads them."""

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
    @property
    def assumed(self) -> Sequence[str]: ...


@dataclass(frozen=True)
class Look:
    """Properties of the main chart that a script can read: its background, its kind of bars, and the visible bars.

    `standard` are the market's bars at the same times if the chart has Heikin Ashi bars, otherwise None. Only the last
    `visible` bars are visible; None means all.
    """

    dark: bool = False
    standard: BarColumns | None = None
    visible: int | None = None

    @property
    def heikin_ashi(self) -> bool:
        return self.standard is not None


class ChartBar:
    """One bar of a chart, as the functions of the library read it."""

    def __init__(self, symbol: ChartSymbol, timeframe: str, times: list[int]) -> None:
        self.symbol = symbol
        self.timeframe = timeframe
        self.times = times
        self.bar_index = 0


class Chart:
    """Bars with their symbol. Columns other than the prices are computed on first read."""

    def __init__(
        self,
        bars: BarColumns,
        symbol: ChartSymbol,
        text: str | None = None,
        main: str | None = None,
        look: Look | None = None,
    ) -> None:
        """Make a chart of `bars`.

        `text` is the timeframe of the bars; by default it is the symbol's. `main` is the timeframe of the chart whose
        script requested these bars. `look` has the properties of the main chart; by default it is light, with standard
        bars.
        """
        self.look = look or Look()
        self.bars = bars
        self.symbol = symbol
        self.timeframe: Timeframe = timeframe(text or symbol.timeframe)
        self.main_timeframe: Timeframe = timeframe(main) if main else self.timeframe
        self.at = ChartBar(symbol, self.timeframe.text, bars.time)
        self.grid = grid_of(ChartBar(symbol, self.main_timeframe.text, bars.time), self.timeframe.text)
        self._columns: dict[str, list[Any]] = {}
        self._kernels: dict[str, tuple[Kernel, list[Any]]] = {}
        """The built-in variables with state, each with its saved state before the last bar."""

    def __len__(self) -> int:
        return len(self.bars.time)

    def column(self, name: str) -> list[Any]:
        """Return a built-in series such as `hl2`, with one value for each bar. Raises NotComputed for an unknown
        name."""
        if name in ("time", "open", "high", "low", "close", "volume"):
            return getattr(self.bars, name)
        known = self._columns.setdefault(name, [])
        if len(known) < len(self):
            self._fill(name, known)
        return known

    def put(self, time: int, bar: tuple[float, float, float, float, float]) -> None:
        """Append a bar of open, high, low, close and volume, or replace the last bar if it opens at the same time."""
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
        """Update the computed columns after the bars changed: compute the last known bar again, and add the new
        bars."""
        for column in self._columns.values():
            del column[min(len(column), len(self)) - 1 :]
        for name in list(self._columns):
            self.column(name)  # this also fills the columns that it is computed from

    def _fill(self, name: str, column: list[Any]) -> None:
        if name in KERNELS:
            self._fill_by_kernel(name, column)
        elif name in _COMPUTED:
            column.extend(_COMPUTED[name](self, len(column)))
        elif name in CONTEXT_FUNCTIONS:
            for number in range(len(column), len(self)):
                self.at.bar_index = number
                column.append(CONTEXT_FUNCTIONS[name](self.at))
        else:
            raise NotComputed(name)

    def _fill_by_kernel(self, name: str, column: list[Any]) -> None:
        """Fill the column of a variable with state, such as `ta.obv`. The variable has one series for the whole chart,
        even if a script reads it on some bars only."""
        if name not in self._kernels:
            made = KERNELS[name]()
            self._kernels[name] = (made, [made.save()])
        kernel, before = self._kernels[name]
        kernel.restore(before[0])
        last = len(self) - 1
        run: Any = kernel
        if not column:
            column += kernel.column(last, [self._read(series, 0, last) for series in kernel.reads])
        start = len(column)
        rows = zip(*(self._read(series, start, last + 1) for series in kernel.reads), strict=True)
        for number, row in enumerate(rows, start):
            before[0] = kernel.save() if number == last else before[0]
            column.append(run(number, *row))

    def _read(self, name: str, start: int, stop: int) -> list[Any]:
        """The values that a kernel reads on the bars from `start` to before `stop`. `name` is a column; with `[1]`
        after it, the values are those one bar earlier."""
        series, _, earlier = name.partition("[")
        column = self.column(series)
        if not earlier:
            return column[start:stop]
        return [NA, *column[: stop - 1]] if start == 0 < stop else column[start - 1 : stop - 1]

    def close_time(self, number: int) -> int:
        """Return the time at which bar `number` closes, in milliseconds UTC."""
        return self.grid.bar(self.bars.time[number]).close


def _clock(part: str) -> Callable[[Chart, int], list[Any]]:
    return lambda chart, first: clock(part, chart.bars.time[first:], _zone(chart))


def _date(part: str) -> Callable[[Chart, int], list[Any]]:
    return lambda chart, first: dates(chart.bars.time[first:], _zone(chart), PARTS_OF_DATE[part])


def _zone(chart: Chart) -> str:
    zone(chart.symbol.timezone)  # raises the script's error if the zone is unknown
    return chart.symbol.timezone


def _means(*names: str) -> Callable[[Chart, int], list[Any]]:
    """Return a function that computes the mean of the named price columns."""

    def mean(chart: Chart, first: int) -> list[Any]:
        columns = [getattr(chart.bars, name)[first:] for name in names]
        if len(columns) == 2:
            return [(a + b) / 2 for a, b in zip(*columns, strict=True)]
        if len(columns) == 3:
            return [(a + b + c) / 3 for a, b, c in zip(*columns, strict=True)]
        return [(a + b + c + d) / 4 for a, b, c, d in zip(*columns, strict=True)]

    return mean


def _hlcc4(chart: Chart, first: int) -> list[Any]:
    """Compute `hlcc4`. The close is doubled before it is added, because the sum of four prices is rounded otherwise."""
    columns = (getattr(chart.bars, name)[first:] for name in ("high", "low", "close"))
    return [(high + low + 2 * close) / 4 for high, low, close in zip(*columns, strict=True)]


_COMPUTED: dict[str, Callable[[Chart, int], list[Any]]] = {
    "hl2": _means("high", "low"),
    "hlc3": _means("high", "low", "close"),
    "hlcc4": _hlcc4,
    "ohlc4": _means("open", "high", "low", "close"),
    "session.islastbar": lambda chart, first: last_bars(chart.at, first),
    "time_close": lambda chart, first: chart.grid.closes(chart.bars.time[first:]),
    **{part: _clock(part) for part in PARTS_OF_DAY},
    **{part: _date(part) for part in PARTS_OF_DATE},
}
"""Functions that compute the columns other than prices, from a given bar on."""


def is_unknown(name: str) -> bool:
    """Return whether `name` is a variable of `syminfo.` whose value pinebench cannot know."""
    return name in _UNKNOWN_TEXTS or name in _UNKNOWN_NUMBERS


def fixed(chart: Chart, name: str) -> Any:
    """Return the value of a variable of `syminfo.`, `timeframe.` or `chart.`; na if pinebench cannot know it.

    Raises NotComputed for any other name.
    """
    compute = _FIXED.get(name)
    if compute is not None:
        return compute(chart)
    if name in _UNKNOWN_TEXTS:
        return ""
    if name in _UNKNOWN_NUMBERS:
        return NA
    raise NotComputed(name)


_FIXED: dict[str, Callable[[Chart], Any]] = {
    "syminfo.ticker": lambda chart: chart.symbol.symbol,
    "syminfo.prefix": lambda chart: chart.symbol.prefix,
    "syminfo.tickerid": lambda chart: _own(chart).text,
    "syminfo.main_tickerid": lambda chart: _own(chart).text,
    "syminfo.root": lambda chart: _root(chart.symbol),
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
    "syminfo.minmove": lambda chart: tick_ratio(chart.symbol.mintick)[0],
    "syminfo.pricescale": lambda chart: tick_ratio(chart.symbol.mintick)[1],
    "timeframe.period": lambda chart: chart.timeframe.text,
    "timeframe.main_period": lambda chart: chart.main_timeframe.text,
    "timeframe.multiplier": lambda chart: chart.timeframe.multiplier,
    "timeframe.isintraday": lambda chart: chart.timeframe.is_intraday,
    "timeframe.isdaily": lambda chart: chart.timeframe.unit == "D",
    "timeframe.isweekly": lambda chart: chart.timeframe.unit == "W",
    "timeframe.ismonthly": lambda chart: chart.timeframe.unit == "M",
    "timeframe.isdwm": lambda chart: chart.timeframe.unit in ("D", "W", "M"),
    "timeframe.isminutes": lambda chart: chart.timeframe.unit == "",
    "timeframe.isseconds": lambda chart: chart.timeframe.unit == "S",
    "timeframe.isticks": lambda chart: chart.timeframe.unit == "T",
    "chart.left_visible_bar_time": lambda chart: chart.bars.time[_first_visible(chart)] if len(chart) else NA,
    "chart.right_visible_bar_time": lambda chart: chart.bars.time[-1] if len(chart) else NA,
    "chart.bg_color": lambda chart: 0x0F1318FF if chart.look.dark else 0xFFFFFFFF,
    "chart.fg_color": lambda chart: 0xD3D9E3FF if chart.look.dark else 0x131722FF,
    "chart.is_standard": lambda chart: not chart.look.heikin_ashi,
    "chart.is_heikinashi": lambda chart: chart.look.heikin_ashi,
    **{f"chart.is_{kind}": lambda _: False for kind in ("kagi", "linebreak", "pnf", "range", "renko")},
}
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


def _root(symbol: ChartSymbol) -> str:
    """The ticker without the number or the month of a futures contract: `ES` for `ES1!` and `ESZ2024`."""
    found = _CONTINUOUS.fullmatch(symbol.symbol)
    if found is None and symbol.type == "futures":
        found = _DATED.fullmatch(symbol.symbol)
    return symbol.symbol if found is None else found[1]


def _own(chart: Chart) -> Ticker:
    return Ticker(new(chart.symbol.prefix, chart.symbol.symbol), chart.look.heikin_ashi)


def _first_visible(chart: Chart) -> int:
    visible = chart.look.visible
    return 0 if visible is None else min(max(len(chart) - visible, 0), len(chart) - 1)
