"""Derives the path of the price inside a bar from shorter bars, as TradingView's bar magnifier does."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from pinebench.broker import Broker, path
from pinebench.calendars.aggregation import aggregate
from pinebench.calendars.dates import minute_text
from pinebench.calendars.sessions import session
from pinebench.calendars.timeframes import BarGrid, Timeframe, timeframe
from pinebench.errors import UsageError
from pinebench.market import Bars, timeframe_of
from pinebench.runtime import ChartSymbol

_INTRABARS = (
    ("1W", "1D"),
    ("3D", "240"),
    ("1D", "60"),
    ("240", "30"),
    ("60", "10"),
    ("30", "5"),
    ("15", "2"),
    ("10", "1"),
    ("5", "30S"),
    ("1", "10S"),
)
"""Pairs of timeframes: for a chart of at least the first one, the magnifier uses bars of the second. The first pair
that fits counts (TradingView's help centre, "What is bar magnifier backtesting mode")."""


def intrabar(chart: Timeframe) -> Timeframe | None:
    """Return the timeframe that TradingView's bar magnifier uses on a chart; None for charts below one minute."""
    return next((timeframe(own) for least, own in _INTRABARS if chart.seconds >= timeframe(least).seconds), None)


def check_shorter(lower: Bars, chart: Timeframe) -> None:
    """Raise UsageError if the bars `lower` are not shorter than the chart's bars."""
    own = timeframe(timeframe_of(lower))
    if len(lower) > 1 and own.seconds >= chart.seconds:
        raise UsageError(
            f"the bars for the magnifier are bars of {own.in_words()}, and the chart has bars of "
            f"{chart.in_words()}: none of them is inside a bar of the chart",
            "give bars of a shorter timeframe than the chart's",
        )


def intrabars(lower: Bars, chart: Timeframe, symbol: ChartSymbol) -> tuple[Bars, list[int]]:
    """Return the bars for the magnifier, and the closing time of each bar in milliseconds UTC.

    These are the bars `lower`. If their timeframe divides the timeframe that TradingView uses, they are joined to it.
    Raises UsageError if they are not shorter than the chart's bars.
    """
    check_shorter(lower, chart)
    own, wanted = timeframe(timeframe_of(lower)), intrabar(chart)
    hours = session(symbol.session, symbol.timezone)
    if wanted is not None and own.seconds < wanted.seconds and wanted.seconds % own.seconds == 0:
        own, lower = wanted, aggregate(lower, BarGrid(wanted, hours, long_chart=not wanted.is_intraday), Bars())
    return lower, [int(end) for end in BarGrid(own, hours, long_chart=not own.is_intraday).closes(lower.time)]


def remark(lower: Bars, symbol: ChartSymbol) -> str | None:
    """Return a note if TradingView's magnifier would use other bars than `lower`; otherwise None."""
    chart = timeframe(symbol.timeframe)
    own, wanted = timeframe(timeframe_of(lower)), intrabar(chart)
    if (
        wanted is None
        or own.seconds == wanted.seconds
        or (own.seconds < wanted.seconds and not wanted.seconds % own.seconds)
    ):
        return None
    return (
        f"TradingView's bar magnifier uses bars of {wanted.in_words()} on this chart; the given ones are bars "
        f"of {own.in_words()}, so orders inside a bar may be filled at other prices"
    )


def uncovered(broker: Broker, count: int) -> str | None:
    """Return a note if some of the `count` bars are not magnified, counted from the first bar on which orders are
    accepted; otherwise None."""
    found = [broker.paths.known(i) for i in range(broker.first, count)]
    alone, cut = found.count(None), sum(each is not None and not each for each in found)
    said = [f"has no shorter bars in {alone:,} of {len(found):,} bars"] if alone else []
    if cut:
        said.append(f"has only a part of the shorter bars in {cut:,} of {len(found):,} bars (high or low is missing)")
    return (
        f"the bar magnifier {' and '.join(said)}: the chart's bars decide where their orders are filled"
        if said
        else None
    )


def paths(
    bars: Bars, ends: Sequence[int], lower: Bars, lower_ends: Sequence[int], tick: float
) -> list[Sequence[float] | None]:
    """Return the prices inside each bar: four for each shorter bar in it. `ends` are the closing times of `bars`.

    A shorter bar belongs to the bar in which it closes, so the first shorter bar may begin earlier. The result has None
    for a bar without shorter bars. It has no prices for a bar whose high or low is more than half a `tick` away from
    all prices: some shorter bars are missing, and an order at these prices would never fill.

    Raises UsageError if a shorter bar exceeds the range of its bar by more than a thousandth of the price, because then
    the two are not from the same market.
    """
    found: list[Sequence[float] | None] = []
    k = 0
    for i, time in enumerate(bars.time):
        points: list[float] = []
        k = max(k, bisect_left(lower_ends, time + 1))
        while k < len(lower_ends) and lower_ends[k] <= ends[i]:
            inside = path(lower.open[k], lower.high[k], lower.low[k], lower.close[k])
            if lower.time[k] >= time:
                _check(bars, i, inside)
            points += inside
            k += 1
        seen = [*points, bars.open[i], bars.close[i]]
        if k < len(lower_ends) and lower.time[k] < ends[i]:  # it belongs to the next bar but has the end of this one
            seen += (lower.high[k], lower.low[k])
        is_cut = max(seen) < bars.high[i] - tick / 2 or min(seen) > bars.low[i] + tick / 2
        found.append(None if not points else () if is_cut else points)
    return found


def _check(bars: Bars, i: int, points: Sequence[float]) -> None:
    slack = 0.001 * abs(bars.close[i])
    if max(points) > bars.high[i] + slack or min(points) < bars.low[i] - slack:
        raise UsageError(
            "the bars for the magnifier have prices above the high or below the low of the chart's bar that opens at "
            f"{minute_text(bars.time[i])} UTC",
            "use bars of the same symbol and a shorter timeframe",
        )
