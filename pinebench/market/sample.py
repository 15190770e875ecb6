"""A sample market with random prices from fixed seeds, the same on every computer. Minute bars match the daily bars."""

from __future__ import annotations

import math
import threading
from calendar import timegm
from functools import lru_cache, reduce
from operator import add
from random import Random
from typing import NamedTuple

from pinebench.calendars.timeframes import Timeframe
from pinebench.market.aggregation import in_timeframe
from pinebench.market.bars import Bars
from pinebench.market.samples import SampleSymbol

_MINUTE = 60
_DAY = 86_400
LAST_DAY = timegm((2026, 10, 30, 0, 0, 0))
"""Midnight UTC of the last sample day, in seconds. It is fixed, so that the sample market never changes."""

_SAMPLE_DAYS = 1600
_A_WINTER_DAY = timegm((2026, 1, 1, 0, 0, 0))


class _Day(NamedTuple):
    """A bar of the sample market. `time` is its opening time in unix seconds."""

    time: int
    open: float
    high: float
    low: float
    close: float
    volume: float


def sample_bars(symbol: SampleSymbol, timeframe: Timeframe, count: int) -> Bars:
    """Return the last `count` bars of `symbol` in a timeframe of minutes, days, weeks or months."""
    return _history(symbol, timeframe).last(count)


class _SampleHistory:
    """The bars of a symbol in one timeframe. They are made once, from the newest day back as far as requested."""

    def __init__(self, symbol: SampleSymbol, timeframe: Timeframe) -> None:
        self._symbol, self._timeframe = symbol, timeframe
        self._lock = threading.Lock()
        self._left = _days(symbol)
        self._bars = Bars()

    def last(self, count: int) -> Bars:
        """Return the last `count` bars, or all bars if there are fewer."""
        with self._lock:
            missing = count - len(self._bars)
            if missing > 0 and self._left:
                days = len(self._left) if self._timeframe.unit else self._days_with(missing)
                self._bars = _joined(self._made(self._left[-days:]), self._bars)
                self._left = self._left[:-days]
            return self._bars.last(count)

    def _days_with(self, bars: int) -> int:
        return math.ceil(bars / math.ceil(self._symbol.session.minutes / self._timeframe.multiplier))

    def _made(self, days: tuple[_Day, ...]) -> Bars:
        intraday = not self._timeframe.unit
        bars = Bars()
        for bar in (bar for day in days for bar in _minutes(self._symbol, day)) if intraday else days:
            bars.append(bar.time * 1000, *bar[1:])
        return in_timeframe(bars, self._symbol.info("1" if intraday else "1D"), self._timeframe.text)


@lru_cache(maxsize=32)
def _history(symbol: SampleSymbol, timeframe: Timeframe) -> _SampleHistory:
    return _SampleHistory(symbol, timeframe)


def _joined(older: Bars, newer: Bars) -> Bars:
    return Bars(
        older.time + newer.time,
        older.open + newer.open,
        older.high + newer.high,
        older.low + newer.low,
        older.close + newer.close,
        older.volume + newer.volume,
    )


@lru_cache(maxsize=64)
def _days(symbol: SampleSymbol) -> tuple[_Day, ...]:
    """Make the daily bars: a random walk with clusters of volatility, scaled so that it ends at the symbol's price."""
    random = Random(f"days {symbol.full_name}")
    times = [
        LAST_DAY - ago * _DAY
        for ago in range(_SAMPLE_DAYS - 1, -1, -1)
        if (LAST_DAY // _DAY - ago + 3) % 7 in symbol.session.days
    ]
    year = 365 if len(symbol.session.days) == 7 else 252
    usual = symbol.volatility / math.sqrt(year)
    close, spread, shock = 1.0, usual, 0.0
    shapes: list[tuple[float, float, float, float, float]] = []
    for _ in times:
        spread = math.sqrt(0.06 * usual**2 + 0.09 * shock**2 + 0.85 * spread**2)
        start = close * math.exp(random.gauss(0, 0.25) * spread)
        shock = random.gauss(0, 1) * spread
        close = start * math.exp(symbol.drift / year + shock)
        high = max(start, close) * math.exp(abs(random.gauss(0, 0.45)) * spread)
        low = min(start, close) * math.exp(-abs(random.gauss(0, 0.45)) * spread)
        volume = symbol.volume * math.exp(random.gauss(0, 0.25)) * (0.7 + 0.45 * abs(shock) / usual)
        shapes.append((start, high, low, close, volume))
    scale = symbol.price / close
    return tuple(
        _rounded(symbol, symbol.session.opening(time), o * scale, h * scale, lo * scale, c * scale, v)
        for time, (o, h, lo, c, v) in zip(times, shapes, strict=True)
    )


def _minutes(symbol: SampleSymbol, day: _Day) -> list[_Day]:
    """Make the minute bars of a day: a random walk from open to close that reaches exactly its high and its low."""
    random = Random(f"minutes {symbol.full_name} {_in_winter(symbol, day)}")
    count = symbol.session.minutes
    steps = [random.gauss(0, 1) for _ in range(count)]
    drift = _total(steps) / count
    path, at = [0.0], 0.0
    for step in steps:
        at += step - drift
        path.append(at)
    reach = (day.high - day.low) / ((max(path) - min(path)) or 1)
    prices = [day.open + (day.close - day.open) * i / count + value * reach for i, value in enumerate(path)]
    prices = _stretch(prices, day)
    weights = [1.6 - 1.2 * math.sin(math.pi * (i + 0.5) / count) + 0.5 * random.random() for i in range(count)]
    share = day.volume / _total(weights)
    bars: list[_Day] = []
    for i in range(count):
        start, end = prices[i], prices[i + 1]
        edge = abs(end - start) * 0.4
        high = min(day.high, max(start, end) + edge * random.random())
        low = max(day.low, min(start, end) - edge * random.random())
        bars.append(_rounded(symbol, day.time + i * _MINUTE, start, high, low, end, weights[i] * share))
    return bars


def _in_winter(symbol: SampleSymbol, day: _Day) -> int:
    """Return the opening of a day in unix seconds without summer time. It is the seed of the day's prices."""
    midnight = day.time // _DAY * _DAY
    return midnight + symbol.session.opening(_A_WINTER_DAY) - _A_WINTER_DAY


def _total(values: list[float]) -> float:
    """Return the sum, rounded at each step. Python's own `sum` is more exact since 3.12, so results would differ."""
    return reduce(add, values, 0.0)


def _stretch(prices: list[float], day: _Day) -> list[float]:
    top, bottom = max(day.open, day.close), min(day.open, day.close)
    highest, lowest = max(prices), min(prices)
    up = (day.high - top) / (highest - top) if highest > top else 0.0
    down = (bottom - day.low) / (bottom - lowest) if lowest < bottom else 0.0
    return [
        top + (price - top) * up if price > top else bottom - (bottom - price) * down if price < bottom else price
        for price in prices
    ]


def _rounded(symbol: SampleSymbol, time: int, o: float, h: float, low: float, c: float, v: float) -> _Day:
    places = symbol.decimals
    o, h, low, c = round(o, places), round(h, places), round(low, places), round(c, places)
    return _Day(time, o, max(o, h, low, c), min(o, h, low, c), c, float(round(v)))
