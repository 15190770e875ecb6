"""Relations of several symbols: correlation, beta, and a ranking by relative strength."""

from __future__ import annotations

import datetime
import math
from collections.abc import Mapping, Sequence
from statistics import median
from typing import NamedTuple

from pinebench.calendars import sessions
from pinebench.calendars.timeframes import timeframe
from pinebench.market import Bars, SymbolInfo
from pinebench.quant.figure import (
    Statistic,
    is_flat,
    known,
    mean,
    quotient,
    squares,
    standardized,
    too_few,
    total,
    unknown,
)

LEAST_PAIRS = 20
"""The smallest number of pairs of returns for a correlation or a beta."""
Series = Mapping[int, float]
"""Closes by the opening time of their bar, in milliseconds UTC."""


def closes_of(bars: Bars, symbol: SymbolInfo) -> Series:
    """Return the close of each bar, by time (milliseconds UTC). Bars of different symbols in the same period have the
    same time.

    The time of a bar shorter than a day is its opening time. Markets open at different hours, so the time of a longer
    bar is midnight UTC: of its trading day for daily bars, of the Monday for weekly bars, and of the first day of the
    month for monthly bars.
    """
    frame = timeframe(symbol.timeframe)
    if frame.is_intraday:
        return dict(zip(bars.time, bars.close, strict=True))
    session = sessions.session(symbol.session, symbol.timezone)
    days = (session.day_at(time) for time in bars.time)
    return {_midnight(day, frame.unit): close for day, close in zip(days, bars.close, strict=True)}


def _midnight(day: datetime.date, unit: str) -> int:
    if unit == "W":
        day -= datetime.timedelta(days=day.weekday())
    elif unit == "M":
        day = day.replace(day=1)
    return (day - datetime.date(1970, 1, 1)).days * 86_400_000


class Strength(NamedTuple):
    """A symbol's return over a window, and its return relative to the benchmark: (1 + return) / (1 + benchmark) - 1."""

    name: str
    change: Statistic
    relative: Statistic


def common_times(series: Sequence[Series]) -> list[int]:
    """Return the times at which every series has a close that is positive and not na, in ascending order."""
    if not series:
        return []
    shared = set(series[0]).intersection(*series[1:])
    return sorted(time for time in shared if all(0 < each[time] < math.inf for each in series))


def returns_at(series: Series, times: Sequence[int]) -> list[float]:
    """Return the simple returns from each of `times` to the next one."""
    closes = [series[time] for time in times]
    return [closes[at] / closes[at - 1] - 1 for at in range(1, len(closes))]


def correlation(one: Sequence[float], other: Sequence[float]) -> Statistic:
    """Return Pearson's correlation of two samples of the same length, at least 20."""
    if len(one) != len(other):
        return unknown("the samples have different lengths")
    if len(one) < LEAST_PAIRS:
        return too_few(len(one), LEAST_PAIRS, "pairs of returns")
    if is_flat(one) or is_flat(other):
        return unknown("all returns of one sample are the same")
    first, second = standardized(one), standardized(other)
    if first is None or second is None:
        return unknown("the numbers are too large or too small to compare")
    found = known(total(a * b for a, b in zip(first, second, strict=True)) / len(one))
    return found if found.value is None else known(min(max(found.value, -1.0), 1.0))


def beta(values: Sequence[float], benchmark: Sequence[float]) -> Statistic:
    """Return the beta of returns: their covariance with the benchmark's returns, divided by the benchmark's
    variance."""
    if len(values) != len(benchmark):
        return unknown("the samples have different lengths")
    if len(values) < LEAST_PAIRS:
        return too_few(len(values), LEAST_PAIRS, "pairs of returns")
    if is_flat(benchmark):
        return unknown("all returns of the benchmark are the same")
    return quotient(_products(values, benchmark), squares(benchmark), "all returns of the benchmark are the same")


def _products(one: Sequence[float], other: Sequence[float]) -> float:
    first, second = mean(one), mean(other)
    return total((a - first) * (b - second) for a, b in zip(one, other, strict=True))


def ranking(symbols: Mapping[str, Series], window: int, benchmark: str | None = None) -> list[Strength]:
    """Rank symbols by their return over the last `window` bars that all of them have, strongest first.

    `benchmark` is one of the symbols; without it, returns are relative to the median symbol. Symbols whose return is
    not known come last.
    """
    times = common_times(list(symbols.values()))
    if len(times) <= window or window < 1:
        few = too_few(len(times), max(window, 1) + 1, "bars that all symbols have")
        return [Strength(name, few, few) for name in symbols]
    begin, end = times[-1 - window], times[-1]
    changes = {name: series[end] / series[begin] - 1 for name, series in symbols.items()}
    against = median(changes.values()) if benchmark is None else changes[benchmark]
    found = [
        Strength(name, known(change), quotient(change - against, 1 + against, "the benchmark lost everything"))
        for name, change in changes.items()
    ]
    return sorted(found, key=lambda each: -(each.change.value if each.change.value is not None else -math.inf))
