"""The hidden bars: a market from a seed, with trends, turns, gaps, and equal prices, so that mistakes become
visible."""

from __future__ import annotations

from random import Random

from pinebench.calendars.timeframes import timeframe as timeframe_of
from pinebench.market import Bars, SymbolInfo

_MONDAY = 1_748_822_400_000
"""Monday, 2 June 2025, midnight UTC in milliseconds: New York has daylight saving time on all hidden bars."""
_WEEK = 7 * 86_400_000
_OPENS, _CLOSES = 13 * 60 + 30, 20 * 60
"""The minutes of a day (UTC) between which a stock is traded: 09:30 to 16:00 in New York."""
_TICKS = (0.125, 0.25, 0.5)
"""Powers of two: sums and differences of prices are exact, so that equal moves are equal however they are computed."""


_FLAT = 56
"""The number of equal bars in a row."""
_MISSING = 0.04
"""The share of the bars within a day that are missing, as if nobody had traded in them."""
_MISSING_AT_OPEN = 0.2
"""The share of missing bars among bars 2 and 3 of a stock's day, where rules about the first minutes are decided."""


def hidden_bars(
    seed: str, count: int, timeframe: str, *, stock: bool = False, flat: int | None = None, fall: float = 0.0
) -> tuple[Bars, SymbolInfo]:
    """Return `count` bars in a timeframe, and their symbol. Each seed has its own prices.

    A `stock` is traded on weekdays from 09:30 to 16:00 in New York; any other market never closes. Some bars within
    a day are missing. From bar `flat` on, 56 bars have the same price and the same volume. With a `fall`, the first bar
    closes below its open, and the second one by more than this price below the first. Both have the same volume.
    """
    random = Random(f"bars {seed}")
    tick = random.choice(_TICKS)
    price = tick * random.randint(450, 900)
    bars = Bars()
    usual = price * 0.008
    trend, spread, left = 0.0, usual, 0
    close = price
    equal = range(flat, flat + _FLAT) if flat is not None else range(0)
    for number, time in enumerate(_times(random, count, timeframe, stock)):
        if number in equal:
            close = round(close / tick) * tick
            bars.append(time, close, close, close, close, 500.0)
            continue
        if not left:
            left = random.randint(9, 28)
            trend = random.choice((-1, -1, 0, 1, 1)) * usual * random.uniform(0.2, 0.5)
            spread = usual * random.uniform(0.5, 1.7)
        left -= 1
        pull = (price - close) * 0.02
        start = close + random.choice((0, 0, 0, 1, -1)) * random.uniform(0, 0.8) * spread
        if equal and number == equal.stop:
            # A move that is small beside the price would leave a spread that is mostly rounding.
            start = close + random.choice((-4, 4)) * usual
        end = start + trend + pull + random.gauss(0, spread)
        if fall and number == 0:
            end = min(end, start - 2 * tick)
        if fall and number == 1:
            end = min(end, close - fall - tick)
        high = max(start, end) + abs(random.gauss(0, 0.5)) * spread
        low = min(start, end) - abs(random.gauss(0, 0.5)) * spread
        volume = 10 * round(random.uniform(20, 120) * (1 + (random.random() < 0.08) * random.uniform(1, 4)))
        if fall and number < 2:
            volume = 500
        start, high, low, end = (round(each / tick) * tick for each in (start, high, low, end))
        bars.append(time, start, high, low, end, float(volume))
        close = end
    return bars, _symbol(tick, timeframe, stock)


def _symbol(tick: float, timeframe: str, stock: bool) -> SymbolInfo:
    return SymbolInfo(
        symbol="HIDDEN",
        prefix="EVAL",
        type="stock" if stock else "crypto",
        mintick=tick,
        mincontract=1.0 if stock else 0.000001,
        timezone="America/New_York" if stock else "Etc/UTC",
        session="0930-1600" if stock else "24x7",
        timeframe=timeframe,
    )


def _times(random: Random, count: int, timeframe: str, stock: bool) -> list[int]:
    step = timeframe_of(timeframe).seconds // 60
    first = _MONDAY + random.randint(0, 3) * _WEEK
    times: list[int] = []
    minute = 0
    while len(times) < count:
        day, at = divmod(minute, 1440)
        if step >= 1440:
            is_open = not stock or day % 7 < 5
            opened = _OPENS if stock else 0
        else:
            is_open = not stock or (day % 7 < 5 and _OPENS <= at < _CLOSES)
            opened = 0
        is_early = stock and at - _OPENS in (step, 2 * step)
        is_traded = step >= 1440 or random.random() >= (_MISSING_AT_OPEN if is_early else _MISSING)
        if is_open and is_traded:
            times.append(first + (minute + opened) * 60_000)
        minute += step
    return times
