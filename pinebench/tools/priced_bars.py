"""The bars on which the statistics tools compute, and a sheet that collects figures and the reasons for unknown
ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

from pinebench.errors import UsageError
from pinebench.tools import markets
from pinebench.tools.chart_browser import ToolContext
from pinebench.tools.timing import resolution

if TYPE_CHECKING:
    from pinebench.market import Bars, Data, SymbolInfo
    from pinebench.quant.figure import Statistic
    from pinebench.tradingview import chart_results

CHART = "chart"
"""The name of the bars of the open chart."""
DIGITS, DIGITS_OF_PRICES = 6, 8
"""The significant digits of figures, and of prices."""
_MOST_OF_CHART = 5_000


class BarFigures(TypedDict):
    """The bars of a result. `unknown` maps the key of each figure that is null to the reason."""

    symbol: str
    timeframe: str
    bars: int
    from_time: int
    to_time: int
    unknown: dict[str, str]
    remarks: list[str]


class FigureSheet:
    """Collects figures for a result, and the reasons why figures are unknown."""

    def __init__(self) -> None:
        self.unknown: dict[str, str] = {}

    def put(self, path: str, figure: Statistic, factor: float = 1, digits: int = DIGITS) -> float | None:
        """Return the value of a figure, multiplied by `factor` and rounded to `digits` significant digits. If it is
        unknown, return None and store the reason under the key `path`."""
        if figure.value is None:
            self.unknown[path] = figure.why
            return None
        return rounded(figure.value * factor, digits)

    def price(self, path: str, figure: Statistic) -> float | None:
        """Do the same as `put` for a figure that is a price, which has more digits."""
        return self.put(path, figure, digits=DIGITS_OF_PRICES)

    def group(self, path: str, figures: Mapping[str, Statistic], percents: frozenset[str]) -> dict[str, float | None]:
        """Return the values of figures by name. Fractions named in `percents` become percentages, and `_percent` is
        added to their names."""
        told: dict[str, float | None] = {}
        for name, figure in figures.items():
            key = f"{name}_percent" if name in percents else name
            told[key] = self.put(f"{path}.{key}" if path else key, figure, 100 if name in percents else 1)
        return told


class PricedBars(NamedTuple):
    """Bars with their symbol, the name to show for it, and remarks about them."""

    bars: Bars
    symbol: SymbolInfo
    name: str
    remarks: list[str]

    def told(self, sheet: FigureSheet) -> BarFigures:
        """Return the part of a result that describes the bars."""
        times = self.bars.time
        return {
            "symbol": self.name,
            "timeframe": self.symbol.timeframe,
            "bars": len(times),
            "from_time": times[0] // 1000,
            "to_time": times[-1] // 1000,
            "unknown": sheet.unknown,
            "remarks": self.remarks,
        }

    def within(self, first: str | None, last: str | None) -> PricedBars:
        """Return the bars from the date `first` to before the date `last`. Raises UsageError for fewer than two
        bars."""
        begin, end = markets.dates(first, last)
        if begin is None and end is None:
            return self
        kept = [place for place, time in enumerate(self.bars.time) if _is_within(time, begin, end)]
        if len(kept) < 2:
            raise UsageError(
                f"only {len(kept)} bars of {self.name} are between `from` and `to`, and at least 2 are needed",
                "give other dates",
            )
        self.remarks.append(f"{len(kept)} of {len(self.bars)} bars were used: those from `from` to before `to`")
        return self._replace(bars=self.bars.at(kept))

    def year(self) -> float | None:
        """Return the number of bars in a year, or None if it is unknown. If there is a remark about this number, it is
        added to `remarks`."""
        from pinebench.quant.yearly import bars_a_year

        year = bars_a_year(self.symbol, self.bars.time)
        if year.remark:
            self.remarks.append(year.remark)
        return year.bars


def _is_within(time: int, begin: int | None, end: int | None) -> bool:
    return (begin is None or time >= begin) and (end is None or time < end)


def rounded(value: float, digits: int = DIGITS_OF_PRICES) -> float:
    """Round a number to this many significant digits."""
    return float(f"{value:.{digits}g}")


def priced_bars(
    at: ToolContext,
    symbol: str | None,
    timeframe: str | None,
    bars: int | None,
    data: list[str] | None,
    symbol_info: str | None,
) -> PricedBars:
    """Return the bars that the arguments name. Raises UsageError if there are none, or only one."""
    if data == [CHART]:
        if symbol is not None or timeframe is not None or symbol_info is not None:
            raise UsageError(f"data={CHART} takes the symbol and the timeframe of the chart", "give only data and bars")
        priced = of_chart(at, bars or 1000)
        if bars is not None and len(priced.bars) < min(bars, _MOST_OF_CHART):
            priced.remarks.append(
                f"{bars} bars were requested, and the chart has only {len(priced.bars)} (data_load_history loads more)"
            )
    else:
        found = markets.market(at, symbol, timeframe, bars, data, symbol_info)
        priced = PricedBars(found.chart.bars, found.chart.symbol, found.name, list(found.remarks))
    if len(priced.bars) < 2:
        raise UsageError(f"there are too few bars of {priced.name}: {len(priced.bars)}", "give at least 2")
    return priced


def of_chart(at: ToolContext, count: int) -> PricedBars:
    """Return the last bars of the open chart, and record the source of their prices in `at`."""
    from pinebench.market import ASSUMED, Bars, SymbolInfo, tick_of
    from pinebench.tools.tool_calls import page_prices

    remarks: list[str] = []
    if count > _MOST_OF_CHART:
        remarks.append(f"bars {count} is above the limit for the open chart, so {_MOST_OF_CHART} was used")
    with at.connection.held("a read of the chart's bars", at.context):  # both answers must be of the same symbol
        read: chart_results.BarRows = at.read("bars", {"count": min(count, _MOST_OF_CHART)})
        info: chart_results.ShownSymbolInfo = at.read("symbol_info")
    found = Bars()
    for row in read["bars"]:
        time, *prices = [float("nan") if value is None else value for value in row]
        open_, high, low, close, volume = [*prices, *[float("nan")] * 5][:5]
        found.append(int(time) * 1000, open_, high, low, close, volume)
    at.prices = page_prices(at, {"symbol": read["symbol"]})
    exchange, _, ticker = info["full_name"].rpartition(":")
    known: dict[str, Any] = {name: info[name] for name in ("type", "currency") if info[name]}
    known |= {"timeframe": resolution(read["resolution"]), "mintick": tick_of(found).size}
    symbol = SymbolInfo(ticker, exchange, **known, assumed=tuple(name for name in ASSUMED if name not in known))
    return PricedBars(found, symbol, info["full_name"] or read["symbol"], remarks)


def bars_of_many(
    at: ToolContext, data: list[str], timeframe: str | None, bars: int | None
) -> tuple[dict[str, Data], list[str]]:
    """Return the bars of several symbols by name, and remarks. Record the source of the prices in `at`."""
    from pinebench.market import bar_choice

    if len(data) < 2:
        raise UsageError("data must name at least two symbols", 'give, for example, ["yahoo:AAPL:1d", "yahoo:MSFT:1d"]')
    loaded: dict[str, Data] = {}
    remarks: list[str] = []
    for given in data:
        label, source = bar_choice.parts(given)
        each = bar_choice.bars_named(source, None, timeframe, bars)
        name = label or each.symbol.full_name
        if name in loaded:
            raise UsageError(f"{name} is given twice", "give each symbol once, or write NAME= before its bars")
        loaded[name] = each
        at.bars_read.append(each.line)
        remarks += [f"{name}: {said}" for said in each.remarks]
        at.context.check()
    frames = {each.symbol.timeframe for each in loaded.values()}
    if len(frames) > 1:
        raise UsageError(f"the symbols have different timeframes: {', '.join(sorted(frames))}", "give timeframe")
    kinds = {each.kind for each in loaded.values()}
    at.prices = "sample" if "sample" in kinds else "exchange" if "exchange" in kinds else "file"
    return loaded, remarks


def session_begin(priced: PricedBars) -> int:
    """Return the index of the first bar of the last trading day; 0 if a bar lasts a day or longer."""
    from pinebench.calendars import sessions
    from pinebench.calendars.timeframes import timeframe

    if not timeframe(priced.symbol.timeframe).is_intraday:
        return 0
    session = sessions.session(priced.symbol.session, priced.symbol.timezone)
    times = priced.bars.time
    today = session.day_at(times[-1])
    first = len(times) - 1
    while first > 0 and session.day_at(times[first - 1]) == today:
        first -= 1
    return first


def days_told(priced: PricedBars) -> list[str]:
    """Return a remark if the trading days of intraday bars are assumed, because no source gives their session or time
    zone."""
    from pinebench.calendars.timeframes import timeframe

    symbol = priced.symbol
    unknown = [name for name in ("session", "timezone") if name in symbol.assumed]
    if not unknown or not timeframe(symbol.timeframe).is_intraday:
        return []
    words = " and ".join("time zone" if name == "timezone" else name for name in unknown)
    return [f"the {words} of {priced.name} {'is' if len(unknown) == 1 else 'are'} not known: {_taken(symbol, unknown)}"]


def _taken(symbol: SymbolInfo, unknown: list[str]) -> str:
    taken = " and ".join(f"{name} {getattr(symbol, name)}" for name in unknown)
    return f"the days of the VWAP and the phases are assumed by {taken}"
