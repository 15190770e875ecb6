"""Refuses bars that cannot come from a market: impossible times or intervals, or prices wrong by a power of ten."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from operator import sub
from statistics import median
from typing import NamedTuple

from pinebench.errors import UsageError
from pinebench.market.bars import Bars
from pinebench.market.stamps import DAY, EARLIEST, latest

_LONGEST_SLIP = 50
"""If more than this number of successive bars are on another level, it is a split, not a mistake."""
_SHORT_SLIP = 3
"""If at most this number of successive bars are on another level, the wider tolerance is used."""
_WIDE, _NARROW = 0.12, 0.06
"""The wide and the narrow tolerance around a whole power of ten, in powers of ten: prices move between bars, too."""
_FEW, _MANY = 5, 50
"""Prices of fewer ticks can really move by a power of ten: the lower price must have `_FEW`, the other one `_MANY`."""
_FEW_WICK = 20
"""The ticks that open and close must have, and those that the low must have, before a wick is checked."""
_WICK = (0.01, 0.08)
"""The smallest and the largest tolerance for wicks."""
_SPLIT = 3
"""A last bar whose volume changed by this factor, against the price, is taken for a split."""


def judge(bars: Bars, where: Callable[[int], str]) -> None:
    """Raise UsageError if bars cannot come from a market. `where(n)` names bar n's position in the source."""
    if not len(bars):
        return
    step, share = _step(bars)
    _judge_times(bars, step, where)
    if share > 0.5 and len(bars) >= 3:
        _judge_step(step, where)
    _judge_prices(bars, where)


def _step(bars: Bars) -> tuple[int, float]:
    """Return the most frequent time between bars (ms) and its share (0 to 1); a day and 0 for fewer than two bars."""
    steps = Counter(map(sub, bars.time[1:], bars.time))
    if not steps:
        return DAY, 0.0
    step, count = min(steps.items(), key=lambda each: (-each[1], each[0]))
    return step, count / (len(bars) - 1)


def _judge_times(bars: Bars, step: int, where: Callable[[int], str]) -> None:
    if bars.time[0] < EARLIEST and step < DAY * 0.9:
        raise UsageError(
            f"{where(0)}: intraday bars from before 1990 are not plausible",
            "check whether all times are in seconds, all in milliseconds, or all in ISO 8601",
        )
    # Some sources give a week or a month the time of its end.
    limit = latest() + min(step, 32 * DAY)
    if bars.time[-1] > limit:
        late = next(n for n, time in enumerate(bars.time) if time > limit)
        raise UsageError(f"{where(late)}: the time is more than a day in the future", "check the time and its unit")


def _judge_step(step: int, where: Callable[[int], str]) -> None:
    if step % 1000 == 0 and (step < 60_000 or step % 60_000 == 0) and (step < DAY or step % DAY == 0):
        return
    raise UsageError(
        f"{where(1)}: the bars are {step / 1000:g} seconds apart, which is not an interval of any market",
        "expected bars of seconds, minutes, days, weeks or months",
    )


def _judge_prices(bars: Bars, where: Callable[[int], str]) -> None:
    """Raise UsageError for prices, or a high or low, that differ from nearby prices by a power of ten."""
    if len(bars) < 3:
        return
    tick = _tick(bars)
    _judge_zeros(bars, tick, where)
    _judge_levels(bars, tick, where)
    _judge_wicks(bars, tick, where)


def _judge_zeros(bars: Bars, tick: float, where: Callable[[int], str]) -> None:
    """Raise UsageError for a bar whose prices are all 0, or whose low is 0, if the other prices are far from 0."""
    zeros = [n for n, low in enumerate(bars.low) if low == 0]
    usual = median(bars.close) if zeros else 0.0
    for n in zeros:
        if (bars.close[n] or usual) >= _MANY * tick:
            name = "low" if bars.close[n] else "price"
            raise UsageError(f"{where(n)}: the {name} is 0", "remove the row if there are no prices for it")


class _Jump(NamedTuple):
    """A change between two successive prices of about a power of ten. `place` counts opens and closes: the open of
    bar n is 2n, its close 2n + 1. `off` is the difference from the exact power."""

    place: int
    power: int
    off: float

    @property
    def is_gap(self) -> bool:
        """Whether the change is between a close and the next open."""
        return self.place % 2 == 0


def _judge_levels(bars: Bars, tick: float, where: Callable[[int], str]) -> None:
    """Raise UsageError if prices jump by a power of ten and soon back by the same one. A market does not open that
    far from its last close and return."""
    jumps = _jumps(bars, tick)
    for jump, back in pairwise(jumps):
        count = back.place - jump.place
        tolerance = _WIDE if count <= 2 * _SHORT_SLIP else _NARROW
        is_near = abs(jump.off) <= tolerance and abs(back.off) <= tolerance
        if back.power == -jump.power and count <= 2 * _LONGEST_SLIP and is_near and (jump.is_gap or back.is_gap):
            _refuse_level(jump.place // 2, jump.power, where)
    for jump in jumps[:1] + jumps[-1:]:
        lone = {2: 0, 2 * len(bars) - 2: len(bars) - 1}.get(jump.place)
        if lone is not None and abs(jump.off) <= _NARROW and not _is_split(bars, jump):
            _refuse_level(lone, jump.power if lone else -jump.power, where)


def _refuse_level(n: int, power: int, where: Callable[[int], str]) -> None:
    raise UsageError(
        f"{where(n)}: the prices are {_words(power)} the prices of the bars next to it",
        "check the decimal point in this row",
    )


def _jumps(bars: Bars, tick: float) -> list[_Jump]:
    """Return the changes between successive prices of about a power of ten, in order."""
    prices = [price for pair in zip(bars.open, bars.close, strict=True) for price in pair]
    found: list[_Jump] = []
    for place, (before, price) in enumerate(pairwise(prices), 1):
        if before < 5 * price and price < 5 * before:  # most steps: this is the fastest look
            continue
        lower, upper = (before, price) if before < price else (price, before)
        if lower <= 0 or lower < _FEW * tick or upper < _MANY * tick:
            continue
        move = _decades(price, before)
        power = round(move)
        if abs(move - power) <= _WIDE:
            found.append(_Jump(place, power, move - power))
    return found


def _is_split(bars: Bars, jump: _Jump) -> bool:
    """Return whether the volume changes in the opposite direction to the price, as when shares are split or joined."""
    n = jump.place // 2
    before, after = bars.volume[n - 1], bars.volume[n]
    if not before > 0 or not after > 0:
        return False
    return after >= _SPLIT * before if jump.power < 0 else before >= _SPLIT * after


def _judge_wicks(bars: Bars, tick: float, where: Callable[[int], str]) -> None:
    """Raise UsageError if a high or low is a power of ten away from open and close, beyond usual wicks."""
    columns = enumerate(zip(bars.open, bars.high, bars.low, bars.close, strict=True))
    far = [n for n, (o, h, low, c) in columns if h > 5 * o or h > 5 * c or o > 5 * low or c > 5 * low]
    far = [n for n in far if min(bars.open[n], bars.close[n]) >= _FEW_WICK * tick and bars.low[n] > 0]
    if not far:
        return
    tops = (_decades(h, max(o, c)) for o, h, c in zip(bars.open, bars.high, bars.close, strict=True) if min(o, c) > 0)
    usual = min(max(7 * median(tops), _WICK[0]), _WICK[1])
    for n in far:
        body = bars.open[n], bars.close[n]
        up, down = _decades(bars.high[n], max(body)), _decades(min(body), bars.low[n])
        for name, power in (("high", _whole(up, usual)), ("low", -_whole(down, usual))):
            if power and (name == "high" or bars.low[n] >= _FEW_WICK * tick):
                raise UsageError(f"{where(n)}: the {name} is {_words(power)} open and close", "check its decimal point")


def _whole(length: float, usual: float) -> int:
    """Return the whole power of ten of a wick, if at most `usual` remains; otherwise 0."""
    power = math.floor(length + 0.005)
    return power if power > 0 and length - power <= usual else 0


def _decades(price: float, other: float) -> float:
    """Return the difference of two prices in powers of ten. Their quotient could be too large for a float."""
    return math.log10(price) - math.log10(other)


def _words(power: int) -> str:
    return f"{10**power} times" if power > 0 else f"1/{10**-power} of"


def _tick(bars: Bars) -> float:
    prices = (price for column in (bars.open, bars.high, bars.low, bars.close) for price in column[:2000])
    decimals = max(len(f"{price:.10f}".rstrip("0").partition(".")[2]) for price in prices)
    return 10.0**-decimals
