"""Changes of a source, and the oscillators that are computed from them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import inf
from typing import Any

from pinebench.runtime.library.averages import Ema, Rma
from pinebench.runtime.library.kernel import NA, TOLERANCE, BarWindow, Kernel
from pinebench.runtime.library.sums import Sum


class Change(BarWindow):
    """`ta.change(source, length)` for numbers: the source minus its value `length` bars ago."""

    function = "'change'"  # the doubled apostrophes are TradingView's
    fixed = (1,)

    def __call__(self, i: int, source: float, length: float = 1) -> float:
        if length != self.given:
            self.change_length(length)
        values = self.write(i, source)
        n = self.length
        return source - values[-1 - n] if len(values) > n else NA

    def at_once(self, bars: int, series: Sequence[Any]) -> list[Any]:
        source, length = series
        self.change_length(length)
        n = self.length
        self.passed(bars, source)
        return [NA] * min(n, bars) + [now - before for now, before in zip(source[n:bars], source, strict=False)]


class ChangeOfBool(BarWindow):
    """`ta.change(source, length)` for a bool: whether it differs from its value `length` bars ago."""

    function = Change.function

    def __call__(self, i: int, source: bool, length: float = 1) -> bool:
        if length != self.given:
            self.change_length(length)
        values = self.write(i, source)
        n = self.length
        return len(values) > n and source != values[-1 - n]


class Mom(Change):
    """`ta.mom(source, length)`: the same as `ta.change`."""

    function = "mom"


class Roc(BarWindow):
    """`ta.roc(source, length)`: the change in percent of the earlier value."""

    function = "roc"
    fixed = (1,)

    def __call__(self, i: int, source: float, length: float) -> float:
        if length != self.given:
            self.change_length(length)
        values = self.write(i, source)
        n = self.length
        if len(values) <= n:
            return NA
        before = values[-1 - n]
        return 100 * (source - before) / before if before else NA

    def at_once(self, bars: int, series: Sequence[Any]) -> list[Any]:
        source, length = series
        self.change_length(length)
        n = self.length
        self.passed(bars, source)
        rows = zip(source[n:bars], source, strict=False)
        return [NA] * min(n, bars) + [100 * (now - before) / before if before else NA for now, before in rows]


class _Momentum(Kernel):
    """A kernel that remembers the source of the last bar on which the call ran."""

    before: float = NA


class _RsiAverage(Rma):
    function = "rsi"


class Rsi(_Momentum):
    """`ta.rsi(source, length)`, the relative strength index: 100 if there are no losses; otherwise 0 if there are no
    gains."""

    fixed = (1,)
    gains: _RsiAverage
    losses: _RsiAverage

    def __call__(self, i: int, source: float, length: float) -> float:
        before = self.before
        self.before = source
        if before != before or source != source:
            return NA
        up = self.gains(i, source - before if source > before else 0.0, length)
        down = self.losses(i, before - source if before > source else 0.0, length)
        return _strength(up, down)

    def at_once(self, bars: int, series: Sequence[Any]) -> list[Any] | None:
        source, length = series
        if any(price != price for price in source[:bars]):
            return None
        steps = [after - before for before, after in pairwise(source[:bars])]
        ups = [step if step > 0 else 0.0 for step in steps]
        downs = [-step if step < 0 else 0.0 for step in steps]
        self.before = source[bars - 1]
        gains = self.gains.column(len(steps), (ups, length))
        losses = self.losses.column(len(steps), (downs, length))
        return [NA, *map(_strength, gains, losses)]


def _strength(up: float, down: float) -> float:
    """The relative strength index of average gains and losses."""
    if up != up:
        return NA
    if down <= TOLERANCE:
        return 100.0
    if up <= TOLERANCE:
        return 0.0
    return 100 - 100 / (1 + up / down)


class Macd(Kernel):
    """`ta.macd(source, fastlen, slowlen, siglen)`: line, signal and histogram."""

    fixed = (1, 2, 3)
    fast: Ema
    slow: Ema
    signal: Ema

    def __call__(
        self, i: int, source: float, fastlen: float, slowlen: float, siglen: float
    ) -> tuple[float, float, float]:
        line = self.fast(i, source, fastlen) - self.slow(i, source, slowlen)
        signal = self.signal(i, line, siglen)
        return line, signal, line - signal

    def at_once(self, bars: int, series: Sequence[Any]) -> list[Any]:
        source, fastlen, slowlen, siglen = series
        fast, slow = self.fast.column(bars, (source, fastlen)), self.slow.column(bars, (source, slowlen))
        lines = [quick - late for quick, late in zip(fast, slow, strict=True)]
        signals = self.signal.column(bars, (lines, siglen))
        return [(line, signal, line - signal) for line, signal in zip(lines, signals, strict=True)]


class Tsi(_Momentum):
    """`ta.tsi(source, short_length, long_length)`: the doubly smoothed change, divided by the doubly smoothed size of
    the change. The result is from -1 to 1."""

    change: Ema
    change_twice: Ema
    size: Ema
    size_twice: Ema

    def __call__(self, i: int, source: float, short_length: float, long_length: float) -> float:
        change = source - self.before
        self.before = source
        above = self.change_twice(i, self.change(i, change, long_length), short_length)
        below = self.size_twice(i, self.size(i, abs(change), long_length), short_length)
        return above / below if below else NA


class _Side(Sum):
    """`math.sum` of gains or losses, exactly 0 if none of them is in the window. The rolling sum keeps a rounding
    residue after the last gain has left the window. TradingView was recorded to treat it as 0."""

    idle: float = 0.0
    """The number of values since the last one that was not 0."""

    def __call__(self, i: int, source: float, length: float) -> float:
        found = super().__call__(i, source, length)
        if source - source == 0:
            self.idle = 0.0 if source else self.idle + 1.0
        return 0.0 if self.idle >= self.length and found == found else found

    def at_once(self, bars: int, series: Sequence[Any]) -> list[Any]:
        sums = super().at_once(bars, series)
        idle, n = self.idle, self.length
        for k, value in enumerate(series[0][:bars]):
            if value:
                if value - value == 0:
                    idle = 0.0
            else:
                idle += 1.0
            if idle >= n and sums[k] == sums[k]:
                sums[k] = 0.0
        self.idle = idle
        return sums


class Cmo(_Momentum):
    """`ta.cmo(series, length)`: gains minus losses, in percent of both; na if nothing moved."""

    gains: _Side
    losses: _Side

    def __call__(self, i: int, source: float, length: float) -> float:
        change = source - self.before
        self.before = source
        if change != change:
            return NA
        rising = change >= -TOLERANCE
        up = self.gains(i, change if rising else 0.0, length)
        down = self.losses(i, 0.0 if rising else -change, length)
        both = up + down
        return 100 * (up - down) / both if both else NA


class Mfi(_Momentum):
    """`ta.mfi(series, length)`: the money flow index. An na change counts as both inflow and outflow. Without outflow,
    the index is 100."""

    reads = ("volume",)
    fixed = (1,)
    inflow: _Side
    outflow: _Side

    def __call__(self, i: int, source: float, length: float, volume: float) -> float:
        change = source - self.before
        self.before = source
        # A bar without volume has no money flow in either direction, because na times 0 is na.
        up = self.inflow(i, volume * (0.0 if change <= TOLERANCE else source), length)
        down = self.outflow(i, volume * (0.0 if change >= -TOLERANCE else source), length)
        return _money_flow(up, down)

    def at_once(self, bars: int, series: Sequence[Any]) -> list[Any]:
        source, length, volume = series
        rows = list(zip([self.before, *source[: bars - 1]], source, volume, strict=False))
        ups = [size * (0.0 if price - before <= TOLERANCE else price) for before, price, size in rows]
        downs = [size * (0.0 if price - before >= -TOLERANCE else price) for before, price, size in rows]
        self.before = source[bars - 1]
        inflow = self.inflow.column(bars, (ups, length))
        return list(map(_money_flow, inflow, self.outflow.column(bars, (downs, length))))


def _money_flow(up: float, down: float) -> float:
    """The money flow index of the money that flowed in and out."""
    if up != up or down != down:
        return NA
    if -TOLERANCE <= up <= TOLERANCE:
        up = 0.0
    if -TOLERANCE <= down <= TOLERANCE:
        return 100.0
    both = 1.0 + up / down
    return 100.0 - 100.0 / both if both else -inf
