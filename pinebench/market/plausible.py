"""Refuses bars that cannot come from a market: impossible times or intervals, or prices wrong by a power of ten."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from statistics import median

from pinebench.errors import UsageError
from pinebench.market.bars import Bars
from pinebench.market.stamps import DAY, EARLIEST, latest

_LONGEST_SLIP = 50
"""If more than this number of successive bars are on another level, it is a split, not a mistake."""
_DIGITS = 100
"""A price of fewer ticks than this can really move by a power of ten, so it is not checked."""


def judge(bars: Bars, where: Callable[[int], str]) -> None:
    """Raise UsageError if bars cannot come from a market. `where(n)` names the place of bar n in the source."""
    if not len(bars):
        return
    step, share = _step(bars)
    _judge_times(bars, step, where)
    if share > 0.5 and len(bars) >= 5:
        _judge_step(step, where)
    _judge_prices(bars, where)


def _step(bars: Bars) -> tuple[int, float]:
    """The most frequent time between two bars, in milliseconds, and its share; a day and 0 if there are no two bars."""
    steps = Counter(later - before for before, later in pairwise(bars.time))
    if not steps:
        return DAY, 0.0
    step, count = min(steps.items(), key=lambda each: (-each[1], each[0]))
    return step, count / (len(bars) - 1)


def _judge_times(bars: Bars, step: int, where: Callable[[int], str]) -> None:
    if bars.time[0] < EARLIEST and step < DAY * 0.9:
        raise UsageError(
            f"{where(0)}: bars of less than a day before 1990 cannot come from a market",
            "check whether all times are in seconds, all in milliseconds, or all in ISO 8601",
        )
    # Some sources give a week or a month the time of its end.
    limit = latest() + min(step, 32 * DAY)
    if bars.time[-1] > limit:
        late = next(n for n, time in enumerate(bars.time) if time > limit)
        raise UsageError(f"{where(late)}: the time is after tomorrow", "check the time and its unit")


def _judge_step(step: int, where: Callable[[int], str]) -> None:
    if step % 1000 == 0 and (step < 60_000 or step % 60_000 == 0):
        return
    raise UsageError(
        f"{where(1)}: the bars are {step / 1000:g} seconds apart, which is not an interval of any market",
        "expected bars of whole seconds below a minute, of whole minutes, of days, weeks or months",
    )


def _judge_prices(bars: Bars, where: Callable[[int], str]) -> None:
    """Refuse bars whose prices, or whose high or low alone, differ from other prices nearby by a power of ten."""
    if len(bars) < 5:
        return
    tick = _tick(bars)
    middle = [o / 2 + c / 2 for o, c in zip(bars.open, bars.close, strict=True)]
    if min(middle) <= 0:
        return
    moves = [_decades(later, before) for before, later in pairwise(middle)]
    usual = min(max(4 * median(map(abs, moves)), 0.01), 0.06)
    jumps = [(n + 1, _power(move, usual)) for n, move in enumerate(moves) if _power(move, usual)]
    for (first, power), (last, back) in pairwise(jumps):
        low = min(middle[first], middle[first - 1])
        if back == -power and last - first <= _LONGEST_SLIP and low >= _DIGITS * tick:
            raise UsageError(
                f"{where(first)}: the prices are {_words(power)} the prices of the bars before and after",
                "check the decimal point in this row",
            )
    _judge_wicks(bars, tick, usual, where)


def _judge_wicks(bars: Bars, tick: float, usual: float, where: Callable[[int], str]) -> None:
    close = min(usual, 0.01)
    for n, (o, h, low, c) in enumerate(zip(bars.open, bars.high, bars.low, bars.close, strict=True)):
        if low <= 0 or min(o, c) < _DIGITS * tick or low < _DIGITS * tick:
            continue
        for name, power in (
            ("high", _power(_decades(h, max(o, c)), close)),
            ("low", _power(_decades(low, min(o, c)), close)),
        ):
            if power:
                raise UsageError(f"{where(n)}: the {name} is {_words(power)} open and close", "check its decimal point")


def _decades(price: float, other: float) -> float:
    """The difference of two prices in powers of ten. Their quotient is not used, as it may be too large for a float."""
    return math.log10(price) - math.log10(other)


def _power(move: float, tolerance: float) -> int:
    """The whole power of ten of a move that is given in powers of ten; 0 if it is not near one."""
    power = round(move)
    return power if power and abs(move - power) <= tolerance else 0


def _words(power: int) -> str:
    return f"{10**power} times" if power > 0 else f"1/{10**-power} of"


def _tick(bars: Bars) -> float:
    """The smallest decimal step of the prices."""
    prices = (price for column in (bars.open, bars.high, bars.low, bars.close) for price in column[:2000])
    decimals = max(len(f"{price:.10f}".rstrip("0").partition(".")[2]) for price in prices)
    return 10.0**-decimals
